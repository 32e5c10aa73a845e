"""Men beside the board: seen where they lie, and what their number means for the fifteen."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from pi_board.rules import Position
from pi_board.simulator.still import render_still
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.checkers.blind import BlindReader
from pi_board.vision.checkers.trays import CLEAR, Beside, Strip, look_beside, off_evidence
from pi_board.vision.profile import load_profile

NOTHING = Strip(((), ()), 1.0)


def beside(*tops: float) -> Beside:
    return Beside(NOTHING, Strip((tops, ()), 1.0))


@pytest.mark.parametrize(
    ("seen", "likelier", "than"),
    [
        (beside(), 0, 3),  # nothing there: nobody is off
        (beside(0.95), 3, 0),  # one stack of some height
        (beside(0.95), 2, 9),
        (beside(0.95, 0.9, 0.9), 9, 2),  # three stacks
        (beside(0.95, 0.9, 0.9, 0.9, 0.9, 0.9), 13, 1),
        (beside(0.95, 0.9, 0.9, 0.9, 0.9), 5, 4),  # most lie flat
        (beside(0.61, 0.5, 0.5, 0.49, 0.46), 5, 1),  # all of them seen as faintly
    ],
)
def test_more_stacks_mean_more_men_off(seen: Beside, likelier: int, than: int) -> None:
    light, dark = off_evidence(seen)
    assert light[likelier] > light[than] + 0.5
    assert dark[0] > dark[1]


def test_a_shadow_that_is_much_fainter_than_the_stacks_is_none() -> None:
    np.testing.assert_allclose(off_evidence(beside(1.0, 1.0, 0.5)), off_evidence(beside(1.0, 1.0)))


def test_what_the_picture_does_not_show_says_nothing() -> None:
    seen = Beside(NOTHING, Strip(((), ()), 0.0))
    unknown = off_evidence(seen, "right")[0]
    np.testing.assert_allclose(unknown, unknown[0])
    assert np.ptp(off_evidence(seen, "left")[0]) > 1


def test_a_cup_on_the_side_where_nobody_lays_checkers_is_none() -> None:
    cup = Strip(((), (0.8,)), 1.0)
    light, dark = off_evidence(Beside(cup, Strip(((0.95, 0.9), ()), 1.0)), "right")
    assert dark[0] > dark[1:].max()
    assert light[2] > light[0]


def test_where_only_the_other_side_shows_checkers_they_are_off() -> None:
    stacks = Strip(((0.95, 0.9), ()), 1.0)
    np.testing.assert_allclose(
        off_evidence(Beside(stacks, NOTHING), "right"), off_evidence(Beside(stacks, NOTHING), "left")
    )


def still(position: Position, seed: int) -> tuple[Any, dict[str, Any]]:
    rng = np.random.default_rng(seed)
    return render_still(
        rng, "wood", position=position, difficulty=0.0, hand=False, size=(800, 600), near="light"
    )


@pytest.mark.parametrize(("off", "seed"), [((0, 0), 3), ((6, 0), 3), ((0, 6), 4), ((3, 12), 5)])
def test_checkers_beside_the_board_are_seen(off: tuple[int, int], seed: int) -> None:
    points = [0] * 24
    points[0:3] = [5, 5, 5 - min(off[0], 5)]
    points[0] -= max(0, off[0] - 5)
    points[21:] = [-5 + min(off[1], 5), -5 + min(max(0, off[1] - 5), 5), -5 + max(0, off[1] - 10)]
    position = Position(tuple(points), (0, 0), off)
    image, truth = still(position, seed)
    geometry = BoardGeometry(load_profile("generic"), truth["corners_px"], (800, 600))
    seen = look_beside(image, geometry, 0.5)
    assert seen.right.in_view > 0.4
    for n, tops in zip(off, seen.right.tops, strict=True):
        assert (len(tops) > 0 and tops[0] > CLEAR) == (n > 0)


@pytest.mark.parametrize("seed", [4, 5, 6])
def test_two_coloured_tops_beside_the_board_are_seen_whole(seed: int) -> None:
    """A yellow checker with a red middle has one colour as a whole, and as a whole it is compared."""
    position = Position((5, 5, 3, *[0] * 18, -5, -5, -5), (0, 0), (2, 0))
    image, truth = still(position, seed)
    for checker in truth["checkers"]:
        if checker["color"] == "light" and checker["visible"] > 0.9:
            x, y = (round(v) for v in checker["center_px"])
            cv2.circle(image, (x, y), round(0.62 * checker["radius_px"]), (40, 40, 200), -1, cv2.LINE_AA)
    geometry = BoardGeometry(load_profile("generic"), truth["corners_px"], (800, 600))
    _, sides = BlindReader(geometry).read_photo(image)
    seen = look_beside(image, geometry, 0.5, sides)
    assert len(seen.right.tops[0]) > 0
    assert seen.right.tops[0][0] > CLEAR
