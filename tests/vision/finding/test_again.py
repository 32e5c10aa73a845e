"""A board that was pushed further than its landmarks can be followed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from pi_board.vision.board.bump import BumpWatch
from pi_board.vision.board.geometry import BoardGeometry, transform
from pi_board.vision.finding import find_board as find_board_module
from pi_board.vision.finding.again import found_again
from tests.vision.drawn_board import FELT, PROFILE, flat_board, photograph, share_of_width

SIZE = (960, 720)
PICTURE, CORNERS = photograph(flat_board(colours=FELT), size=SIZE)


def pushed(dx: float, dy: float, degrees: float) -> tuple[np.ndarray, np.ndarray]:
    """((H, W, 3) picture, (4, 2) corners) after the push."""
    h = np.vstack([cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), degrees, 1.0), [0, 0, 1]])
    h = np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1]]) @ h
    picture = cv2.warpPerspective(PICTURE, h, SIZE, borderMode=cv2.BORDER_REPLICATE)
    return picture, transform(h, CORNERS)


@pytest.mark.parametrize("push", [(60.0, 10.0, 0.0), (-70.0, 20.0, 3.0)], ids=["aside", "and turned"])
@pytest.mark.parametrize(
    ("inverted", "off"), [(False, 0.0005), (True, 0.01)], ids=["landmarks as before", "none looks as before"]
)
def test_a_board_that_was_pushed_far_is_found_as_exactly_as_its_landmarks_tell(
    push: tuple[float, float, float], inverted: bool, off: float
) -> None:
    picture, corners = pushed(*push)
    picture = 255 - picture if inverted else picture
    watch = BumpWatch(BoardGeometry(PROFILE, CORNERS, SIZE), PICTURE)
    assert watch.compare(picture).state == "unsure", "beyond its reach"
    found = found_again(picture, watch)
    assert found is not None and share_of_width(found.corners, corners) < off
    assert watch.compare(picture).state == "steady", "the watch goes on from there"


@pytest.mark.parametrize(
    ("picture", "old"),
    [(np.full_like(PICTURE, 90), CORNERS), (PICTURE, CORNERS + np.array([250.0, 0.0]))],
    ids=["no board is to be seen", "it lies too far off: it was set up anew"],
)
def test_what_is_not_found_near_its_old_place_is_not_found_again(
    picture: np.ndarray, old: np.ndarray
) -> None:
    watch = BumpWatch(BoardGeometry(PROFILE, old, SIZE), PICTURE)
    assert found_again(picture, watch) is None
    assert np.array_equal(watch.geometry.corners, old)


def test_it_is_looked_for_at_once_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """The players wait meanwhile: what only the long search would find is left to the next picture."""

    def long_search(*_: object) -> None:
        raise AssertionError("the long search was begun")

    for name in ("fits_by_checkers", "places_by_colours"):
        monkeypatch.setattr(find_board_module, name, long_search)
    watch = BumpWatch(BoardGeometry(PROFILE, CORNERS, SIZE), PICTURE)
    noise = np.random.default_rng(5).integers(0, 255, PICTURE.shape, np.uint8)
    assert found_again(cv2.GaussianBlur(noise, (0, 0), 3.0), watch) is None
