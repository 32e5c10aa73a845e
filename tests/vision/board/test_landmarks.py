"""Places of a board that are found again in other pictures."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from pi_board.vision.board.landmarks import Landmarks, peaks


def test_patches_are_found_where_they_moved_to_beside_the_pictures_edge_too():
    rng = np.random.default_rng(5)
    grey = cv2.GaussianBlur(rng.integers(0, 256, (200, 300), np.uint8), (0, 0), 1.5)
    places = np.array([[150, 100], [11, 12], [289, 187], [11, 100], [150, 186]])
    patches = Landmarks.cut(grey, places)
    moved = np.roll(grey, (2, -1), axis=(0, 1))
    offset, like = patches.match(moved, 6)
    assert (like > 0.9).all() and np.abs(offset - (-1, 2)).max() < 0.1
    # At the edge of what is searched the peak may lie further out: not found.
    assert (patches.match(np.roll(grey, 6, axis=1), 6)[1] < 0.5).all()
    assert (patches.match(moved, 6, np.array([2, 0]))[0] == offset[[2, 0]]).all()


def test_a_peak_is_found_to_a_part_of_a_pixel():
    rows, columns = np.mgrid[:9, :9].astype(np.float32)
    hill = 1 - 0.01 * (rows - 3.25) ** 2 - 0.02 * (columns - 5.4) ** 2
    whole, part = np.zeros((1, 2), int), np.full((1, 2), 9)
    offset, value = peaks(hill[None], whole, part, 4)
    assert offset[0] == pytest.approx((1.4, -0.75), abs=1e-4) and value[0] == hill.max()
    # Where the result ends one row beside the peak, it may lie further out.
    cut = hill[None].copy()
    cut[:, :3] = -np.inf
    assert peaks(cut, np.array([[3, 0]]), part, 4)[1][0] == 0
