"""Whose checker it is, told by the others of the set."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from pi_board.vision.checkers.set_colours import CAP, colour_evidence, lab
from pi_board.vision.checkers.slot_network import CANVAS_H, CANVAS_W, STRIDE, STRIP_CENTRES

LIGHT, DARK, FIELD = (200, 225, 235), (40, 40, 160), (60, 90, 40)
ROWS = CANVAS_H // STRIDE


def painted(owners: dict[tuple[int, int], tuple[int, int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """(canvas, cells): two checkers of the given colour on each (row, column)."""
    canvas = np.full((CANVAS_H, CANVAS_W, 3), FIELD, np.uint8)
    cells = np.zeros((ROWS, CANVAS_W // STRIDE, 4))
    cells[..., 0] = 1
    for (row, column), colour in owners.items():
        rows = slice(3, 14) if row == 0 else slice(ROWS - 14, ROWS - 3)
        columns = slice(STRIP_CENTRES[column] - 2, STRIP_CENTRES[column] + 2)
        cells[rows, columns] = (0, 0.5, 0.5, 0)
        canvas[rows.start * 4 : rows.stop * 4, columns.start * 4 : columns.stop * 4] = colour
    return canvas, cells


def sure(*points: tuple[int, int]) -> np.ndarray:
    out = np.full((2, 12), 0.02)
    for p in points:
        out[p] = 0.97
    return out


BOARD = {(0, 0): LIGHT, (1, 4): LIGHT, (1, 9): LIGHT, (0, 5): DARK, (0, 8): DARK, (1, 1): DARK}


@pytest.mark.parametrize(
    ("colour", "sign"),
    [
        (LIGHT, 1),
        (DARK, -1),
        (tuple(int(0.75 * v) for v in LIGHT), 1),
        (tuple(int(0.75 * v) for v in DARK), -1),
    ],
)
def test_the_others_tell_whose_it_is_in_sun_and_shadow(colour: tuple[int, int, int], sign: int) -> None:
    canvas, cells = painted({**BOARD, (1, 11): colour})
    says = colour_evidence(canvas, cells, sure((0, 0), (1, 4), (1, 9)), sure((0, 5), (0, 8), (1, 1)))
    assert says[1, 11] * sign > 0.75 * CAP
    assert says[0, 2] == 0  # nothing lies there
    assert np.abs(says).max() <= CAP


def test_one_known_point_of_a_side_is_not_enough() -> None:
    canvas, cells = painted({**BOARD, (1, 11): DARK})
    says = colour_evidence(canvas, cells, sure((0, 0), (1, 4), (1, 9)), sure((0, 5)))
    assert not says.any()


def test_a_point_that_was_taken_for_the_other_side_is_outvoted() -> None:
    canvas, cells = painted({**BOARD, (1, 11): DARK})
    says = colour_evidence(canvas, cells, sure((0, 0), (1, 4), (1, 9), (1, 11)), sure((0, 5), (0, 8), (1, 1)))
    assert says[1, 11] < -1
    assert (says[(0, 1, 1), (0, 4, 9)] > 0).all()


def test_lab_is_that_of_opencv() -> None:
    bgr = np.random.default_rng(2).integers(0, 256, (40, 40, 3), dtype=np.uint8)
    assert np.abs(lab(bgr) - cv2.cvtColor(bgr, cv2.COLOR_BGR2LAB)).max() < 2.0
