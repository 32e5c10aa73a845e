"""Rectangles that take in what has changed, for all that is made anew only there."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.vision.changes import area_of, in_pixels, parts_of


@pytest.mark.parametrize(
    ("cells", "around", "parts"),
    [
        ([], 0, []),
        ([(1, 2)], 0, [(slice(1, 2), slice(2, 3))]),
        ([(1, 2)], 1, [(slice(0, 3), slice(1, 4))]),
        ([(0, 0), (1, 1)], 0, [(slice(0, 2), slice(0, 2))]),  # corners touch: one piece
        ([(0, 0), (3, 5)], 0, [(slice(0, 1), slice(0, 1)), (slice(3, 4), slice(5, 6))]),
        ([(3, 5)], 2, [(slice(1, 4), slice(3, 6))]),  # the edge ends it
    ],
)
def test_every_piece_has_its_rectangle(
    cells: list[tuple[int, int]], around: int, parts: list[tuple[slice, slice]]
) -> None:
    changed = np.zeros((4, 6), bool)
    for cell in cells:
        changed[cell] = True
    assert parts_of(changed, around) == parts


def test_rectangles_that_overlap_take_up_more_than_the_whole() -> None:
    frame = np.ones((5, 5), bool)
    frame[1:4, 1:4] = False
    frame[2, 2] = True
    assert area_of(parts_of(frame)) == 25 + 1


def test_the_last_cells_may_end_beyond_the_picture() -> None:
    assert in_pixels((slice(1, 3), slice(0, 2)), 8, (20, 30, 3)) == (slice(8, 20), slice(0, 16))
