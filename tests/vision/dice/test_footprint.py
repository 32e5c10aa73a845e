"""What dice and cube cover of the canvas."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.sighting import CubeSeen, DieSeen
from pi_board.vision.board.canvas import Canvas
from pi_board.vision.dice.footprint import SURE_OF_CUBE, footprint_of
from tests.vision.simulated_board import SimulatedBoard


@pytest.fixture(scope="module")
def canvas() -> Canvas:
    geometry = SimulatedBoard("wood").reader().geometry
    assert geometry is not None
    return Canvas(geometry)


def place(canvas: Canvas, x: float, y: float) -> tuple[float, float]:
    u, v = canvas.geometry.project([[x, y, canvas.profile.checker_height]])[0]
    return float(u), float(v)


def test_nothing_found_covers_nothing(canvas: Canvas) -> None:
    covers = footprint_of([], None, canvas, canvas.profile)
    assert not covers.covered.any() and not covers.under.any() and covers.lay is None


def test_a_die_covers_more_than_surely_lies_under_it(canvas: Canvas) -> None:
    x, y = place(canvas, 4.0, 1.0)
    covers = footprint_of([DieSeen(3, 0.99, x, y, 20.0, "light")], None, canvas, canvas.profile)
    assert covers.under.sum() > 0 and not (covers.under & ~covers.covered).any()
    edge = canvas.profile.die_size * canvas.px_per_cm
    assert covers.under.sum() < edge**2 < covers.covered.sum()
    rows, columns = np.nonzero(covers.covered)
    middle = canvas.place([[4.0, 1.0]])[0]
    assert np.allclose((columns.mean(), rows.mean()), middle, atol=1.0)


@pytest.mark.parametrize(
    ("confidence", "remembered"), [(SURE_OF_CUBE + 0.1, True), (SURE_OF_CUBE - 0.1, False)]
)
def test_only_a_cube_that_was_seen_well_is_remembered(
    canvas: Canvas, confidence: float, remembered: bool
) -> None:
    x, y = place(canvas, 0.0, 0.0)
    covers = footprint_of([], CubeSeen(2, "center", confidence, x, y), canvas, canvas.profile)
    assert covers.covered.any()
    assert (covers.lay is not None) is remembered
