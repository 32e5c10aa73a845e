"""Men beside the board: seen where they lie, and what their number means for the fifteen."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.rules import Position
from pi_board.simulator.still import render_still
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.checkers.trays import CLEAR, Beside, look_beside, off_evidence
from pi_board.vision.profile import load_profile

IN_VIEW = (1.0, 1.0)


def beside(*tops: float, view: tuple[float, float] = IN_VIEW) -> Beside:
    return Beside((tuple(tops), ()), view)


@pytest.mark.parametrize(
    ("seen", "likelier", "than"),
    [
        (beside(), 0, 3),  # nothing there: nobody is off
        (beside(0.95), 3, 0),  # one stack of some height
        (beside(0.95), 2, 9),
        (beside(0.95, 0.9, 0.9), 9, 2),  # three stacks
        (beside(0.95, 0.9, 0.9, 0.9, 0.9, 0.9), 13, 1),
    ],
)
def test_more_stacks_mean_more_men_off(seen: Beside, likelier: int, than: int) -> None:
    light, dark = off_evidence(seen)
    assert light[likelier] > light[than] + 0.5
    assert dark[0] > dark[1]


def test_what_the_picture_does_not_show_says_nothing() -> None:
    blind = off_evidence(beside(view=(1.0, 0.0)), "right")[0]
    np.testing.assert_allclose(blind, blind[0])
    assert np.ptp(off_evidence(beside(view=(1.0, 0.0)), "left")[0]) > 1


@pytest.mark.parametrize(("off", "seed"), [((0, 0), 3), ((6, 0), 3), ((0, 6), 4), ((3, 12), 5)])
def test_checkers_beside_the_board_are_seen(off: tuple[int, int], seed: int) -> None:
    points = [0] * 24
    points[0:3] = [5, 5, 5 - min(off[0], 5)]
    points[0] -= max(0, off[0] - 5)
    points[21:] = [-5 + min(off[1], 5), -5 + min(max(0, off[1] - 5), 5), -5 + max(0, off[1] - 10)]
    position = Position(tuple(points), (0, 0), off)
    image, truth = render_still(
        np.random.default_rng(seed),
        "wood",
        position=position,
        difficulty=0.0,
        hand=False,
        size=(800, 600),
        near="light",
    )
    geometry = BoardGeometry(load_profile("generic"), truth["corners_px"], (800, 600))
    seen = look_beside(image, geometry, 0.5)
    assert seen.in_view[1] > 0.4
    for n, tops in zip(off, seen.tops, strict=True):
        assert (len(tops) > 0 and tops[0] > CLEAR) == (n > 0)
