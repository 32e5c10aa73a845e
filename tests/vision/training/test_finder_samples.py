"""Second dice of the finder's samples lie close to another die, and do not cut into it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from pi_board.vision.training import dice_samples as samples
from pi_board.vision.training import dice_scenes as scenes


def square(die: scenes.Cuboid) -> tuple[tuple[float, float], tuple[float, float], float]:
    """What a flat die covers of the ground: ((x, y), (width, height), degrees)."""
    level = next(axis for axis in die.rotation.T if abs(axis[2]) < 0.5)
    x, y = (float(v) for v in die.centre[:2])
    return (x, y), (die.edge, die.edge), float(np.degrees(np.arctan2(level[1], level[0])))


@pytest.mark.parametrize("seed", range(20))
def test_a_die_beside_another_is_close_and_does_not_cut_into_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first = scenes.new_die(rng, 1.4)
    scenes._lie(rng, first, 1.0, -2.0, 0.0)
    objects = [first]
    samples._beside(rng, scenes.new_die(rng, 1.4), objects, [])
    assert len(objects) == 2 and objects[1].value in range(1, 7)
    one, two = square(first), square(objects[1])
    kind, corners = cv2.rotatedRectangleIntersection(one, two)
    cut = cv2.contourArea(corners) if kind != cv2.INTERSECT_NONE and len(corners) > 2 else 0.0
    assert cut < 0.01 * 1.4**2
    assert 0.99 * 1.4 < np.hypot(*(objects[1].centre - first.centre)[:2]) < 2.1 * 1.4


def test_where_there_is_no_room_no_die_is_put() -> None:
    rng = np.random.default_rng(1)
    first = scenes.new_die(rng, 1.4)
    scenes._lie(rng, first, 0.0, 0.0, 0.0)
    ring = [
        scenes._new_disc(rng, 1.5, first.body, 2.2 * np.cos(angle), 2.2 * np.sin(angle))
        for angle in np.linspace(0, 2 * np.pi, 9)
    ]
    objects = [first]
    samples._beside(rng, scenes.new_die(rng, 1.4), objects, ring)
    assert len(objects) == 1
