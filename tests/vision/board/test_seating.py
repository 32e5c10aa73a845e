"""The seating is read from the starting position."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.rules import STARTING_POSITION
from pi_board.sighting import COUNTS, ZERO
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.board.seating import SEATINGS, find_seating, seating_of
from pi_board.vision.profile import load_profile
from tests.vision.simulated_board import PROFILES, SimulatedBoard, random_positions


def seen_from(orientation: Orientation, points: tuple[int, ...], strength: float = 8.0) -> np.ndarray:
    """(24, 31) what `points` of `orientation` look like to somebody who numbers them as the first seating."""
    out = np.zeros((24, COUNTS))
    for point, n in enumerate(points, 1):
        out[SEATINGS[0].point_at(*orientation.column_of(point)) - 1, n + ZERO] = strength
    return out


@pytest.mark.parametrize("orientation", SEATINGS)
def test_each_seating_is_told_from_the_others(orientation: Orientation) -> None:
    found = seating_of(seen_from(orientation, STARTING_POSITION.points))
    assert found.orientation == orientation and found.sure


def test_another_position_says_nothing_for_sure() -> None:
    others = [p for p in random_positions(5, seed=4, plies=30) if p != STARTING_POSITION]
    assert len(others) >= 3
    for position in others:
        assert not seating_of(seen_from(SEATINGS[0], position.points)).sure


@pytest.mark.parametrize(("near", "home"), [("dark", "left"), ("light", "left")])
def test_in_a_picture(near: str, home: str) -> None:
    board = SimulatedBoard("wood", seed=4, near=near, home=home)
    image = board.frame().image
    h, w = image.shape[:2]
    found = find_seating(image, BoardGeometry(load_profile(PROFILES["wood"]), board.corners(), (w, h)))
    assert (found.orientation.near, found.orientation.home) == (near, home) and found.sure


def test_another_name_for_the_same_checkers() -> None:
    seating = seating_of(seen_from(Orientation("dark", "left"), STARTING_POSITION.points))
    assert [o for o in SEATINGS if seating.differs_in_names_only(o)] == [Orientation("light", "left")]
