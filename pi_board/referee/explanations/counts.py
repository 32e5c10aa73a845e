"""Rows of 28 signed counts, in the slot order of `pi_board.sighting`, and the positions that they stand for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pi_board.rules import Position, Side
from pi_board.sighting import BAR_DARK, BAR_LIGHT, OFF_DARK, OFF_LIGHT

Vector = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]
#: Most checkers that one roll bears off.
MOST_BORNE_OFF = 4
BAR = {"light": BAR_LIGHT, "dark": BAR_DARK}
OFF = {"light": OFF_LIGHT, "dark": OFF_DARK}


def vector(position: Position) -> Vector:
    """(28,) signed counts of `position`."""
    return np.array(
        (*position.points, position.bar[0], -position.bar[1], position.off[0], -position.off[1]),
        dtype=np.int64,
    )


def position_of(counts: Sequence[int] | Vector) -> Position | None:
    """The position that (28,) counts describe; None when it is not 15 + 15, when one side's bar or tray would hold the other's
    checkers, or both sides would have borne off everything."""
    v = [int(n) for n in counts]
    light = sum(n for n in v if n > 0)
    dark = -sum(n for n in v if n < 0)
    if light != 15 or dark != 15 or (v[OFF_LIGHT] == 15 and v[OFF_DARK] == -15):
        return None
    if min(v[BAR_LIGHT], v[OFF_LIGHT]) < 0 or max(v[BAR_DARK], v[OFF_DARK]) > 0:
        return None
    return Position(tuple(v[:24]), (v[BAR_LIGHT], -v[BAR_DARK]), (v[OFF_LIGHT], -v[OFF_DARK]))


def may_have_left(counts: Vector) -> Vector:
    """(2,) most checkers of light and dark that may be off the board after one more roll of each: those that are not at home yet
    must come home first."""
    off = np.abs(counts[OFF_LIGHT:])
    at_home = np.array([np.maximum(counts[:6], 0).sum(), np.maximum(-counts[18:24], 0).sum()])
    return off + np.maximum(MOST_BORNE_OFF - (15 - off - at_home), 0)


def own_number(slot: int, side: Side) -> int:
    """The mover's number of slot 0-23; 25 for the bar (24)."""
    if slot >= 24:
        return 25
    return slot + 1 if side == "light" else 24 - slot


def slot_of(number: int, side: Side) -> int:
    """The slot of the mover's number 1-24, or 25 for his bar: the inverse of `own_number`."""
    if number == 25:
        return BAR[side]
    return number - 1 if side == "light" else 24 - number
