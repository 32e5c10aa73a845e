"""A board that creeps through the pictures, for the arm of its camera sinks."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from pi_board.vision.board.bump import BumpWatch
from pi_board.vision.board.drift import Drift
from pi_board.vision.board.geometry import BoardGeometry, transform
from tests.vision.drawn_board import FELT, PROFILE, flat_board, photograph

SIZE = (960, 720)
PICTURE, CORNERS = photograph(flat_board(colours=FELT), size=SIZE)
GEOMETRY = BoardGeometry(PROFILE, CORNERS, SIZE)


def sunk(dx: float, dy: float, degrees: float) -> tuple[np.ndarray, np.ndarray]:
    """The picture moved so, and by which (3, 3) movement."""
    movement = np.vstack([cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), degrees, 1.0), [0, 0, 1]])
    movement[:2, 2] += (dx, dy)
    return cv2.warpPerspective(PICTURE, movement, SIZE, borderMode=cv2.BORDER_REFLECT), movement


def off(geometry: BoardGeometry, movement: np.ndarray) -> float:
    return float(np.linalg.norm(geometry.corners - transform(movement, CORNERS), axis=1).max())


@pytest.mark.parametrize("whole", [(12.0, 5.0, 0.0), (-3.0, 9.0, 0.8), (0.0, 0.0, -1.2)])
def test_what_creeps_is_followed_without_ever_having_moved(whole: tuple[float, float, float]) -> None:
    watch = BumpWatch(GEOMETRY, PICTURE)
    followed = 0
    for share in np.linspace(0.0, 1.0, 81):
        picture, movement = sunk(*(share * np.array(whole)))
        watch.glance(picture)
        followed += watch.follow(picture) is not None
        # (Half a pixel more than it is followed from, and what a step of .15 px leaves.)
        assert off(watch.geometry, movement) < 2.2
    assert followed > 3
    assert watch.compare(picture).state == "steady"


def test_landmarks_that_are_taken_anew_on_the_way_forget_nothing() -> None:
    """A lamp that is switched on and off again half-way: all patches are taken anew, twice."""
    watch = BumpWatch(GEOMETRY, PICTURE)
    for i, share in enumerate(np.linspace(0.0, 1.0, 61)):
        picture, movement = sunk(8.0 * share, -6.0 * share, 0.0)
        if i in (20, 40):
            watch = watch.renewed(picture)
        watch.glance(picture)
        watch.follow(picture)
    assert off(watch.geometry, movement) < 2.2


def test_what_lies_still_is_left_where_it_lies() -> None:
    watch, rng = BumpWatch(GEOMETRY, PICTURE), np.random.default_rng(1)
    for _ in range(40):
        noisy = np.clip(PICTURE + rng.normal(0, 6, PICTURE.shape), 0, 255).astype(np.uint8)
        watch.glance(noisy)
        assert watch.follow(noisy) is None
    assert watch.geometry is GEOMETRY


def test_a_drift_is_what_its_places_say() -> None:
    drift = Drift(GEOMETRY)
    _, movement = sunk(1.5, -0.5, 0.1)
    assert not drift.is_much
    drift.take(movement)
    assert drift.is_much
    places = np.array([[300.0, 200.0], [700.0, 500.0]])
    assert transform(drift.movement, places) == pytest.approx(transform(movement, places), abs=0.3)
    assert drift.at(places) == pytest.approx(transform(drift.movement, places) - places, abs=1e-6)
