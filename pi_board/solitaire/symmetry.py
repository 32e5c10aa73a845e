"""Rotations and reflections of many positions at once."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from pi_board.solitaire.board import Board

#: Positions as bits, sorted and without repeats where a function says "layer".
States = npt.NDArray[np.uint64]


def layer_of(states: States) -> States:
    """The states sorted and without repeats. (Sorting is quicker here than the hashing of numpy.unique.)"""
    ordered = np.sort(states)
    if len(ordered):
        fresh = np.empty(len(ordered), bool)
        fresh[0] = True
        np.not_equal(ordered[1:], ordered[:-1], out=fresh[1:])
        ordered = ordered[fresh]
    return ordered


def among(states: States, layer: States) -> npt.NDArray[np.bool_]:
    """(n,) which of the states are in the layer."""
    if not len(layer):
        return np.zeros(len(states), bool)
    at = np.minimum(np.searchsorted(layer, states), len(layer) - 1)
    return np.asarray(layer[at] == states)


def permute(symmetry: tuple[int, ...], state: int) -> int:
    """The image of a position under a permutation of hole indices."""
    image = 0
    for i, j in enumerate(symmetry):
        if state >> i & 1:
            image |= 1 << j
    return image


class Symmetry:
    """The board's symmetries that turn the set `keep` of positions into itself, as look-ups on 10 bits at a time."""

    def __init__(self, board: Board, keep: Iterable[int]) -> None:
        wanted = set(keep)
        self.maps = [s for s in board.symmetries if {permute(s, t) for t in wanted} == wanted]
        self._tables = [_table(board, s) for s in self.maps[1:]]

    def canonical(self, states: States) -> States:
        """The smallest image of each state, as a layer."""
        best = states
        if self._tables and len(states):
            parts = [(states >> np.uint64(10 * p)).astype(np.int64) & 1023 for p in range(4)]
            for table in self._tables:
                image = table[0][parts[0]]
                for p in range(1, 4):
                    image = image | table[p][parts[p]]
                best = np.minimum(best, image)
        return layer_of(best)

    def smallest(self, state: int) -> int:
        return min(permute(s, state) for s in self.maps)


def _table(board: Board, symmetry: tuple[int, ...]) -> npt.NDArray[np.uint64]:
    table = np.zeros((4, 1024), np.uint64)
    for part in range(4):
        for i in range(min(10, board.holes - 10 * part)):
            values = np.arange(1024)
            table[part, values >> i & 1 == 1] |= np.uint64(1 << symmetry[part * 10 + i])
    return table
