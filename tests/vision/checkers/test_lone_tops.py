"""A lone checker stands at the rim; what looks like one further in is a cup."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from pi_board.sighting import COUNTS, ZERO
from pi_board.vision.checkers.lone_tops import NUMBERS, against_lone_tops_inside, diameter_px
from pi_board.vision.checkers.slot_network import (
    BAR_PX,
    CANVAS_H,
    CANVAS_W,
    MARGIN_X,
    MARGIN_Y,
    PITCH,
    STRIDE,
    Scores,
)

#: A usual board: its points are as wide as a twelfth of its width less the bar's, and its height is .85 of its width.
DIAMETER = diameter_px((1 - 0.08) / 12, 0.85)


def scores(*tops: tuple[int, int, float], hidden: float = 0.0) -> Scores:
    """tops: (row, column, middle in diameters from the rim); each is taken for one light checker."""
    points = np.full((2, 12, COUNTS), -12.0)
    points[..., ZERO] = 0.0
    cells = np.zeros((CANVAS_H // STRIDE, CANVAS_W // STRIDE, 4), np.float32)
    cells[..., 0] = 1.0
    for row, column, middle in tops:
        x = MARGIN_X + PITCH * (column + 0.5) + (BAR_PX if column > 5 else 0)
        y = MARGIN_Y + middle * DIAMETER
        y = CANVAS_H - y if row else y
        top = cv2.circle(
            np.zeros(cells.shape[:2], np.float32), (int(x / STRIDE), int(y / STRIDE)), 2, (1.0,), -1
        )
        cells[..., 1] = np.maximum(cells[..., 1], top)
        points[row, column, ZERO], points[row, column, ZERO + 1] = -8.0, 0.0
    return Scores(points, np.full((2, 12), hidden), np.zeros((2, 8)), cells)


@pytest.mark.parametrize("row", [0, 1])
@pytest.mark.parametrize("column", [0, 5, 6, 11])
def test_a_lone_top_at_the_rim_is_a_checker(row: int, column: int) -> None:
    seen = scores((row, column, 0.5))
    assert against_lone_tops_inside(seen, seen.points, DIAMETER) is seen.points


@pytest.mark.parametrize("row", [0, 1])
@pytest.mark.parametrize("column", [0, 5, 6, 11])
@pytest.mark.parametrize("middle", [1.8, 2.5, 4.0])
def test_a_lone_top_away_from_the_rim_is_more_likely_a_thing(row: int, column: int, middle: float) -> None:
    seen = scores((row, column, middle))
    points = against_lone_tops_inside(seen, seen.points, DIAMETER)
    assert points[row, column, ZERO] == points[row, column, ZERO + 1] + NUMBERS.bonus
    changed = points != seen.points
    assert changed.sum() == 1 and changed[row, column, ZERO]


def test_nothing_is_concluded_under_a_hand() -> None:
    seen = scores((0, 3, 2.5), hidden=0.5)
    assert against_lone_tops_inside(seen, seen.points, DIAMETER) is seen.points


def test_a_top_at_the_rim_and_a_mark_further_in_is_a_checker() -> None:
    seen = scores((0, 3, 0.5), (0, 3, 3.0))
    assert against_lone_tops_inside(seen, seen.points, DIAMETER) is seen.points
