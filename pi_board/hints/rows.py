"""Positions as number rows: the one array form that everything numeric in this package works on.

A *row* is 28 int8 seen from one player ("the mover"): 24 points (index 0 = the mover's ace point; own checkers
positive, opposing negative), then own bar, opposing bar, own off, opposing off.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from pi_board.errors import InvalidPositionError
from pi_board.rules import Position, Side

Rows = NDArray[np.int8]

OWN_BAR, OTHER_BAR, OWN_OFF, OTHER_OFF = 24, 25, 26, 27

#: 21 rolls, the larger die first, and in how many of 36 throws each comes.
ROLLS: tuple[tuple[int, int], ...] = tuple((a, b) for a in range(1, 7) for b in range(1, a + 1))
ROLL_WEIGHTS: NDArray[np.float32] = np.array([1.0 if a == b else 2.0 for a, b in ROLLS], np.float32) / 36


def row_of(position: Position, side: Side) -> list[int]:
    """`position` as one row of 28 ints seen from `side`."""
    points, bar, off = position.seen_from(side)
    return [*points, *bar, *off]


def rows_of(positions: Iterable[Position], side: Side) -> Rows:
    """(N, 28) int8 seen from `side`."""
    listed = [row_of(p, side) for p in positions]
    return np.array(listed, np.int8).reshape(len(listed), 28)


def position_of(row: Sequence[int] | NDArray[np.int8], side: Side) -> Position:
    """The `Position` of one row seen from `side`."""
    n = [int(x) for x in row]
    return Position.from_seen(side, n[:24], n[24:26], n[26:28])


def flipped(rows: Rows) -> Rows:
    """The same positions seen by the other player. (N, 28) → (N, 28), a new array."""
    out = np.empty_like(rows)
    np.negative(rows[:, 23::-1], out=out[:, :24])
    out[:, 24] = rows[:, 25]
    out[:, 25] = rows[:, 24]
    out[:, 26] = rows[:, 27]
    out[:, 27] = rows[:, 26]
    return out


def check_rows(rows: NDArray[np.generic]) -> Rows:
    """`rows` as (N, 28) int8. Raises InvalidPositionError for another shape or not 15 checkers a side."""
    array = np.asarray(rows)
    if array.ndim != 2 or array.shape[1] != 28:
        raise InvalidPositionError(f"rows: expected an array of shape (N, 28), got {array.shape}")
    array = array.astype(np.int8, copy=False)
    points = array[:, :24]
    own = np.where(points > 0, points, 0).sum(1) + array[:, OWN_BAR] + array[:, OWN_OFF]
    other = np.where(points < 0, -points, 0).sum(1) + array[:, OTHER_BAR] + array[:, OTHER_OFF]
    if (own != 15).any() or (other != 15).any() or (array[:, 24:] < 0).any():
        raise InvalidPositionError("rows: expected 15 checkers on each side")
    return array
