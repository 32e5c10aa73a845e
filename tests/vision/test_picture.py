"""What is asked of a picture before anybody looks at it."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.errors import InvalidError
from pi_board.vision.picture import checked_picture


@pytest.mark.parametrize("shape", [(8, 6), (8, 6, 3), (8, 6, 4)])
def test_grey_colour_and_transparent_pictures_become_bgr(shape: tuple[int, ...]) -> None:
    found = checked_picture(np.full(shape, 7, np.uint8))
    assert found.shape == (8, 6, 3) and found.dtype == np.uint8 and (found == 7).all()


def test_a_colour_picture_is_not_copied() -> None:
    picture = np.zeros((8, 6, 3), np.uint8)
    assert checked_picture(picture) is picture


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (np.zeros((8, 6, 3)), "crop: expected .* uint8 BGR, got float64"),
        (np.zeros((8, 6, 2), np.uint8), r"got uint8 \(8, 6, 2\)"),
        (np.zeros(8, np.uint8), r"got uint8 \(8,\)"),
        ("a path", "crop: expected"),
        (np.zeros((8, 3, 3), np.uint8), "at least 4 pixels a side, got 3x8"),
    ],
)
def test_what_is_no_picture_is_named(wrong: object, words: str) -> None:
    with pytest.raises(InvalidError, match=words):
        checked_picture(wrong, what="crop", least=4)
