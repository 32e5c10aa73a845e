"""Exact one-sided bear-off: how many more rolls a side needs, for every home board.

The table holds, for each of the 54,264 ways to have up to 15 checkers on the six home points, the distribution of
the number of rolls when each roll is played to need the fewest rolls on average. Built by `build` (seconds on a desktop,
minutes on a Pi, so a packed copy is shipped) by backward induction over the pip count with the rules' own plays.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pi_board.hints.rows import OTHER_OFF, OWN_OFF, ROLL_WEIGHTS, ROLLS, Rows, expand_batch

STATES = comb(21, 6)
MAX_ROLLS = 32
_SHIPPED = Path(__file__).with_name("weights") / "bearoff.npz"
_BINOMIAL = np.array([[comb(n, k) for k in range(7)] for n in range(22)], np.int32)


def index_of(home: NDArray[np.integer]) -> NDArray[np.int32]:
    """(N, 6) checkers on the points 1-6 (at most 15 in all) → (N,) table index; the empty board is 0."""
    running = np.cumsum(home, axis=1, dtype=np.int32)
    return _BINOMIAL[running + np.arange(6), np.arange(1, 7)].sum(1, dtype=np.int32)


def all_homes() -> NDArray[np.int8]:
    """(54264, 6) every home board; row i has index i."""
    homes = np.zeros((1, 0), np.int8)
    for _ in range(6):
        ways = 16 - homes.sum(1, dtype=np.int64)
        repeat = np.repeat(homes, ways, 0)
        count = (np.arange(len(repeat)) - np.repeat(np.cumsum(ways) - ways, ways)).astype(np.int8)
        homes = np.concatenate([repeat, count[:, None]], 1)
    out = np.empty_like(homes)
    out[index_of(homes)] = homes
    return out


def _rows(homes: NDArray[np.int8]) -> Rows:
    rows = np.zeros((len(homes), 28), np.int8)
    rows[:, :6] = homes
    rows[:, OWN_OFF] = 15 - homes.sum(1)
    return rows


def build() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(rolls, first): (54264, 32) share of needing exactly n rolls to bear off everything; (54264, 4) share of the
    first checker going off with roll n, when that is what is played for (only meaningful with 15 on the board)."""
    homes = all_homes()
    pips = homes @ np.arange(1, 7)
    rolls = np.zeros((STATES, MAX_ROLLS), np.float64)
    first = np.zeros((STATES, 4), np.float64)
    rolls[0, 0] = 1
    mean = np.zeros(STATES)
    slow = np.zeros(STATES)
    full = homes.sum(1) == 15
    for level in range(1, 91):
        here = np.flatnonzero(pips == level)
        if not len(here):
            continue
        rows = _rows(homes[here])
        for (a, b), weight in zip(ROLLS, ROLL_WEIGHTS.astype(np.float64), strict=True):
            plays = expand_batch(rows, (a, b))
            child, parent, start = index_of(plays.results[:, :6]), plays.owner, plays.starts[:-1]
            pick = _best(mean[child], parent, start)
            rolls[here, 1:] += weight * rolls[child[pick], :-1]
            # Saving the gammon: a checker off now, or the child that needs the fewest rolls for its first.
            cost = np.where(full[child], slow[child], -1)
            pick = _best(cost, parent, start)
            off = ~full[child[pick]]
            first[here, 0] += weight * off
            first[here, 1:] += np.where(off, 0, weight)[:, None] * first[child[pick], :-1]
        mean[here] = rolls[here] @ np.arange(MAX_ROLLS)
        slow[here] = first[here] @ np.arange(1, 5)
    return rolls.astype(np.float32), first.astype(np.float32)


def _best(cost: NDArray[np.float64], parent: NDArray[np.intp], start: NDArray[np.intp]) -> NDArray[np.intp]:
    """Index of the lowest cost of each parent's run."""
    order = np.lexsort((cost, parent))
    return order[start]


def pack(rolls: NDArray[np.float32], first: NDArray[np.float32], path: Path = _SHIPPED) -> None:
    """Write the table: 16-bit shares, only the stretch of rolls that is not zero, and `first` where 15 are on."""
    coded = np.rint(rolls * 65535).astype(np.uint16)
    low = (coded > 0).argmax(1).astype(np.uint8)
    high = MAX_ROLLS - (coded[:, ::-1] > 0).argmax(1)
    length = (high - low).astype(np.uint8)
    values = np.concatenate([coded[i, low[i] : high[i]] for i in range(STATES)])
    full = all_homes().sum(1) == 15
    np.savez_compressed(
        path, low=low, length=length, values=values, first=np.rint(first[full] * 65535).astype(np.uint16)
    )


class BearOff:
    """rolls: (54264, 32) float32, share of n rolls. later: (54264, 33), share of n or more. first: (54264, 4)."""

    def __init__(self, rolls: NDArray[np.float32], first: NDArray[np.float32]) -> None:
        self.rolls = rolls
        self.first = first
        later = np.zeros((STATES, MAX_ROLLS + 1), np.float32)
        later[:, :MAX_ROLLS] = np.cumsum(rolls[:, ::-1], 1)[:, ::-1]
        self.later = later
        self.mean = rolls @ np.arange(MAX_ROLLS, dtype=np.float32)

    def probabilities(self, rows: Rows) -> NDArray[np.float32]:
        """(N, 5) for rows where every checker of both sides is home or off; the mover is on roll."""
        mine = index_of(rows[:, :6])
        his = index_of(-rows[:, 23:17:-1])
        out = np.zeros((len(rows), 5), np.float32)
        # The mover is done with roll n, the opponent has had n − 1 rolls and needs n or more.
        out[:, 0] = np.einsum("ij,ij->i", self.rolls[mine], self.later[his, :MAX_ROLLS])
        for column, off, a, b, shift in ((1, OTHER_OFF, mine, his, 0), (3, OWN_OFF, his, mine, 1)):
            whole = np.flatnonzero(rows[:, off] == 0)
            if len(whole):
                # Done with roll n before the other's first checker is off: it has had n − 1 (or n) rolls.
                saved = np.zeros((len(whole), MAX_ROLLS + 1), np.float32)
                saved[:, 1:5] = np.cumsum(self.first[b[whole]], 1)
                saved[:, 5:] = saved[:, 4:5]
                had = np.maximum(np.arange(MAX_ROLLS) - 1 + shift, 0)
                out[whole, column] = np.einsum("ij,ij->i", self.rolls[a[whole]], 1 - saved[:, had])
        return out


def in_table(rows: Rows) -> NDArray[np.bool_]:
    """(N,) bool: every checker of both sides is home or off."""
    return (rows[:, 6:24].max(1) <= 0) & (rows[:, :18].min(1) >= 0) & (rows[:, 24] == 0) & (rows[:, 25] == 0)


@lru_cache(maxsize=1)
def bear_off() -> BearOff:
    """The shipped table; built anew when it is missing."""
    try:
        with np.load(_SHIPPED) as data:
            low, length, values = (
                data["low"].astype(np.int64),
                data["length"].astype(np.int64),
                data["values"],
            )
            full_first = data["first"]
    except (OSError, KeyError, ValueError):
        return BearOff(*build())
    rolls = np.zeros((STATES, MAX_ROLLS), np.float32)
    at = np.repeat(low - np.concatenate([[0], np.cumsum(length)[:-1]]), length) + np.arange(len(values))
    rolls[np.repeat(np.arange(STATES), length), at] = values
    rolls /= rolls.sum(1, keepdims=True)
    first = np.zeros((STATES, 4), np.float32)
    first[all_homes().sum(1) == 15] = full_first / np.float32(65535)
    return BearOff(rolls, first)


__all__ = ["BearOff", "bear_off", "build", "in_table", "index_of", "pack"]
