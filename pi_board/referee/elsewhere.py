"""Boards that differ from one by a single checker which lies in another place, as far as looks hardly tell them apart."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from pi_board.referee.explanations import Scores, Vector
from pi_board.sighting import BAR_DARK, BAR_LIGHT, OFF_DARK, OFF_LIGHT, ZERO


def one_elsewhere(
    rows: Scores, board: Vector, margin: float, *, contradicts: float = np.inf, tray: float = np.inf
) -> Iterator[tuple[Vector, float]]:
    """(28,) signed counts that differ from `board` (likewise) by one checker in another place, which `rows` ((26, counts) nats of points and
    bar) tell from it by less than `margin` nats; and by how many (less than none: they rather have it so).

    contradicts: nats from which a place that reads as neither count says nothing. tray: nats that a checker in a tray costs, more or
    fewer than there are. (Where nobody has borne off a tray is empty.)
    """
    counts, slots = board[:OFF_LIGHT], np.arange(OFF_LIGHT)
    here = _nats(rows, counts)
    for sign, their_bar, off in ((1, BAR_DARK, OFF_LIGHT), (-1, BAR_LIGHT, OFF_DARK)):
        one_less, one_more = (_nats(rows, counts + step) for step in (-sign, sign))
        leaves = (counts * sign > 0) & (np.maximum(here, one_less) > -contradicts)
        comes = (counts * sign >= 0) & (np.maximum(here, one_more) > -contradicts) & (slots != their_bar)
        fewer = [(int(slot), float(here[slot] - one_less[slot])) for slot in np.flatnonzero(leaves)]
        more = [(int(slot), float(here[slot] - one_more[slot])) for slot in np.flatnonzero(comes)]
        if board[off] * sign > 0:
            fewer.append((off, tray))
            more.append((off, tray))
        for (source, less), (target, plus) in itertools.product(fewer, more):
            if source != target and less + plus < margin:
                other = board.copy()
                other[source] -= sign
                other[target] += sign
                yield other, less + plus


def _nats(rows: Scores, counts: Vector) -> npt.NDArray[np.float64]:
    """(26,) nats of `counts` (likewise); minus infinity where there are more than all checkers of a side."""
    there = np.abs(counts) <= ZERO
    return np.where(there, rows[np.arange(len(counts)), np.where(there, counts, 0) + ZERO], -np.inf)
