"""Positions as number rows: the one array form that everything numeric in this package works on.

A *row* is 28 int8 seen from one player ("the mover"), as `rules.batch` has it: 24 points (index 0 = the mover's ace
point; own checkers positive, opposing negative), then own bar, opposing bar, own off, opposing off.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pi_board.errors import InvalidPositionError
from pi_board.rules.batch import ROLL_CHANCES, decode, encode, expand_batch, expand_rolls, flip
from pi_board.rules.batch import ROLLS as _ROLLS

Rows = NDArray[np.int8]

OWN_BAR, OTHER_BAR, OWN_OFF, OTHER_OFF = 24, 25, 26, 27

#: 21 rolls, the larger die first, and the chance of each.
ROLLS: tuple[tuple[int, int], ...] = tuple((int(a), int(b)) for a, b in _ROLLS)
ROLL_WEIGHTS: NDArray[np.float32] = ROLL_CHANCES.astype(np.float32)


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


__all__ = [
    "OTHER_BAR",
    "OTHER_OFF",
    "OWN_BAR",
    "OWN_OFF",
    "ROLLS",
    "ROLL_WEIGHTS",
    "Rows",
    "check_rows",
    "decode",
    "encode",
    "expand_batch",
    "expand_rolls",
    "flip",
]
