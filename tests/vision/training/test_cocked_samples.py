"""Dice of the training samples lie as bodies do: a leaning one touches the field and what it leans on, and nothing cuts into anything."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from pi_board.vision.training import cocked_samples as samples
from pi_board.vision.training import dice_scenes as scenes

CORNERS = np.array(list(product((-0.5, 0.5), repeat=3)))
SEEDS = range(12)


def scene_of(rng: np.random.Generator, height: float = 0.5) -> samples._Scene:
    die = scenes.new_die(rng, 1.4)
    die.round = 0.0
    return samples._Scene(die, 1.5, 1.4 * height)


def slope(die: scenes.Cuboid) -> float:
    """Degrees by which the upper face is off level."""
    return float(np.degrees(np.arccos(np.abs(die.rotation[2]).max())))


def lowest(die: scenes.Cuboid) -> float:
    return float((CORNERS * die.edge @ die.rotation.T + die.centre)[:, 2].min())


@pytest.mark.parametrize("seed", SEEDS)
def test_a_die_on_a_brim_touches_it_and_the_field(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = scene_of(rng, float(rng.uniform(0.3, 0.75)))
    assert samples._leans_on_brim(rng, scene, 0.0, 0.0, scene.height, False)
    die, disc = scene.die, scene.discs[0]
    assert lowest(die) == pytest.approx(0.0, abs=1e-3)
    assert samples._LEAST_SLOPE - 0.1 < slope(die) < 54.8  # of a cube on its tip
    towards = die.centre[:2] - (disc.x, disc.y)
    brim = np.append((disc.x, disc.y) + towards / np.linalg.norm(towards) * disc.radius, disc.height)
    # On the surface of the body, as seen from its own frame.
    assert np.abs(die.rotation.T @ (brim - die.centre)).max() / die.edge == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("other", [False, True])
def test_a_die_against_a_side_touches_it(seed: int, other: bool) -> None:
    rng = np.random.default_rng(seed)
    scene = scene_of(rng)
    samples._leans_against(rng, scene, 0.0, 0.0, other)
    corners = CORNERS * scene.die.edge @ scene.die.rotation.T + scene.die.centre
    if other:
        body = scene.others[0]
        u = (body.centre - scene.die.centre)[:2]
        u = u / np.linalg.norm(u)
        # Bodies do not cut into each other along the line between them, and are close.
        gap = (body.centre[:2] @ u - body.extent(u)) - (corners[:, :2] @ u).max()
        assert -0.01 < gap < 0.3 * scene.die.edge
        assert not body.cocked and slope(body) < 0.1
    else:
        wall = scene.walls[0]
        depth = (corners[:, :2] - (wall.x, wall.y)) @ wall.towards
        assert depth.max() == pytest.approx(0.0, abs=1e-3)
        assert corners[depth.argmax(), 2] < wall.height


@pytest.mark.parametrize("seed", SEEDS)
def test_flat_dice_cut_into_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = scene_of(rng)
    samples._flat_beside(rng, scene, 0.0, 0.0)
    for _ in range(3):
        samples._another_die(rng, scene, near=True)
    assert slope(scene.die) < 2.1
    square = CORNERS[CORNERS[:, 2] > 0] * scene.die.edge @ scene.die.rotation.T + scene.die.centre
    for disc in scene.discs:
        assert np.hypot(square[:, 0] - disc.x, square[:, 1] - disc.y).min() > 0.97 * disc.radius
    for wall in scene.walls:
        assert ((square[:, :2] - (wall.x, wall.y)) @ wall.towards).max() < 0.08
    for other in scene.others:
        u = other.centre[:2] - scene.die.centre[:2]
        assert np.hypot(*u) > 0.999 * scene.die.edge


def test_half_of_the_samples_are_cocked_and_the_camera_is_told() -> None:
    rng = np.random.default_rng(1)
    #: Value, cocked, on a checker, visible, pixels, blur, grey, slant x, slant y.
    rows = np.array([samples.board_cocked(rng, [])[1:] for _ in range(60)])
    cocked, upon, slant = rows[:, 1], rows[:, 2], np.hypot(rows[:, 7], rows[:, 8])
    assert 0.3 < cocked.mean() < 0.75 and 0.05 < upon.mean() < 0.35
    assert (cocked >= upon).all()
    assert slant.max() < 1.2 and slant.std() > 0.1
