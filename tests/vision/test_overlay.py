"""The overlay draws what the sighting says, where it says it."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.rules import STARTING_POSITION
from pi_board.sighting import COUNTS, SLOTS, ZERO, CubeSeen, DieSeen, Gate, Sighting
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.overlay import draw_overlay, slot_confidence
from pi_board.vision.reader import signed_counts
from tests.bench.contact_sheet import contact_sheet


def sighting(counts: np.ndarray | None = None, **fields) -> Sighting:
    rows = None
    if counts is not None:
        rows = np.full((SLOTS, COUNTS), -12.0)
        rows[np.arange(SLOTS), counts + ZERO] = 0.0
    return Sighting(1, 0.1, fields.pop("gate", Gate.SETTLED), rows, **fields)


def test_checkers_are_drawn_where_they_are_counted(canvas) -> None:
    geometry = canvas.geometry
    picture = np.full((540, 960, 3), 120, np.uint8)
    empty = draw_overlay(picture, sighting(np.zeros(SLOTS, int)), geometry)
    full = draw_overlay(picture, sighting(signed_counts(STARTING_POSITION)), geometry)
    changed = np.abs(full.astype(int) - empty).sum(axis=2) > 30
    orientation = Orientation()
    for point, n in enumerate(STARTING_POSITION.points, 1):
        column, row = orientation.column_of(point)
        for i in range(5):
            x, y, z = geometry.checker_place(column, row, i)
            u, v = geometry.project([[x, y, z]])[0].round().astype(int)
            ring = changed[v - 16 : v + 17, u - 16 : u + 17].mean()
            assert (ring > 0.05) == (i < abs(n)), (point, i)
    assert not np.array_equal(picture, full)
    assert (picture == 120).all()


def test_dice_cube_and_gate_are_drawn(canvas) -> None:
    picture = np.full((540, 960, 3), 120, np.uint8)
    dice = (DieSeen(5, 0.97, 600.0, 300.0, 20.0), DieSeen(None, 0.4, 300.0, 250.0, 20.0, cocked=True))
    cube = CubeSeen(2, "light", 0.9, 480.0, 450.0)
    drawn = draw_overlay(
        picture, sighting(gate=Gate.HAND, dice=dice, cube=cube, note="a hand"), canvas.geometry
    )
    for x, y in ((600, 300), (300, 250), (480, 450)):
        assert (drawn[y - 25 : y + 25, x - 25 : x + 25] != 120).any()
    assert (drawn[:24] != 120).any()
    assert (draw_overlay(picture, sighting(gate=Gate.NO_BOARD), None)[:24] != 120).any()


def test_confidence_is_the_share_of_the_best_count() -> None:
    rows = np.full((2, COUNTS), -50.0)
    rows[0, 3] = 0.0
    rows[1, [3, 4]] = 0.0
    assert slot_confidence(rows) == pytest.approx([1.0, 0.5])


@pytest.mark.parametrize("n", [0, 1, 4])
def test_contact_sheet(n) -> None:
    sheet = contact_sheet(
        [(f"no {i}", np.full((90, 160, 3), 50 * i, np.uint8)) for i in range(n)], columns=3, width=160
    )
    assert sheet.dtype == np.uint8 and sheet.ndim == 3
    if n == 4:
        assert sheet.shape == (2 * 110, 480, 3)
