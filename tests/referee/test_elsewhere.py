"""Boards that differ by one checker in another place."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.referee.elsewhere import one_elsewhere
from pi_board.sighting import COUNTS, OFF_DARK, OFF_LIGHT, ZERO


def rows_of(board: np.ndarray) -> np.ndarray:
    """(26, 31) nats of a look that sees `board`, two nats a checker more or fewer."""
    return -2.0 * np.abs(np.arange(COUNTS) - ZERO - board[:OFF_LIGHT, None])


@pytest.mark.parametrize("sign", [1, -1])
def test_one_checker_lies_elsewhere(sign: int) -> None:
    board = np.zeros(28, int)
    board[[3, 7]] = 2 * sign, 13 * sign
    others = list(one_elsewhere(rows_of(board), board, 5.0))
    assert all(behind == pytest.approx(4.0) for _, behind in others)
    assert {tuple(np.flatnonzero(other != board)) for other, _ in others} >= {(3, 7), (0, 3)}
    assert all(other.sum() == 15 * sign for other, _ in others)
    assert not list(one_elsewhere(rows_of(board), board, 3.0))


@pytest.mark.parametrize(("sign", "off"), [(1, OFF_LIGHT), (-1, OFF_DARK)])
def test_all_of_a_side_may_lie_on_one_point(sign: int, off: int) -> None:
    """No more than fifteen can: one may be elsewhere, and none can have come (2680011)."""
    board = np.zeros(28, int)
    board[0] = 15 * sign
    others = list(one_elsewhere(rows_of(board), board, 5.0))
    assert others and all(other[0] == 14 * sign and not other[off] for other, _ in others)
