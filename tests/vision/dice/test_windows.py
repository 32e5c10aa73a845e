"""The windows through which the dice finder sees what changed."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.vision.dice.reading import _SEES, CELL, WINDOWS, _windows

SIZE = (328, 440)
BLOCK = 2 * CELL


def changed(*places: tuple[int, int, int, int]) -> np.ndarray:
    """Blocks of a picture of `SIZE` that lie in the rectangles (top, left, bottom, right), px."""
    mask = np.zeros((SIZE[0] // BLOCK, SIZE[1] // BLOCK), bool)
    for top, left, bottom, right in places:
        mask[top // BLOCK : -(-bottom // BLOCK), left // BLOCK : -(-right // BLOCK)] = True
    return mask


@pytest.mark.parametrize(
    ("places", "count"),
    [
        ([], 0),
        ([(160, 200, 184, 224)], 1),
        ([(0, 0, 16, 16)], 1),
        ([(304, 416, 328, 440)], 1),
        ([(160, 40, 184, 64), (40, 300, 64, 324)], 2),
        ([(40, 40, 64, 64), (56, 100, 80, 124)], 1),  # near each other: one larger window
        ([(40, 40, 280, 64)], 3),  # longer than a window
    ],
)
def test_all_that_depends_on_a_change_is_seen_anew(
    places: list[tuple[int, int, int, int]], count: int
) -> None:
    mask = changed(*places)
    windows = _windows(mask, SIZE)
    assert windows is not None and len(windows) == count
    anew = np.zeros(SIZE, bool)
    for top, bottom, left, right in windows:
        assert bottom - top in WINDOWS and right - left in WINDOWS
        assert top % CELL == left % CELL == 0 and top >= 0 and left >= 0
        assert bottom <= SIZE[0] and right <= SIZE[1]
        # What lies near an edge of the window is cut off there, unless the picture ends there too.
        a, b = (at if at == 0 else at + _SEES for at in (top, left))
        c, d = (at if at == most else at - _SEES for at, most in zip((bottom, right), SIZE, strict=True))
        anew[a:c, b:d] = True
    for row, column in np.argwhere(mask):
        y, x = BLOCK * row, BLOCK * column
        assert anew[max(0, y - _SEES) : y + BLOCK + _SEES, max(0, x - _SEES) : x + BLOCK + _SEES].all()


def test_a_picture_that_changed_nearly_everywhere_is_seen_as_a_whole() -> None:
    assert _windows(changed((0, 0, *SIZE)), SIZE) is None


def test_a_picture_smaller_than_a_window_is_seen_as_a_whole() -> None:
    assert _windows(np.ones((12, 12), bool), (12 * BLOCK, 12 * BLOCK)) is None
