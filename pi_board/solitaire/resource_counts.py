"""Resource counts (also called pagoda functions): weights on the holes whose sum on the board no jump can raise.

A position whose sum is smaller than the finish's can never become the finish: a proof without search (Beasley, The
Ins and Outs of Peg Solitaire, 1985, chapter 5; Berlekamp, Conway and Guy, Winning Ways, chapter 23). The counts are
found beforehand by `training/resource_counts.py` and checked here when they are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pi_board.solitaire.board import BOARD_37, Board
from pi_board.solitaire.symmetry import States

FILE = Path(__file__).with_name("resource_counts.txt")
#: Counts tried for a finish of several pieces: those with the least to spare from the start.
TIGHTEST = 48
#: More finishes than this are judged together: by what the least demanding of them needs.
EACH_ALONE = 8
#: Counts tried on all states before the next ones are tried on those that are left.
FIRST = 12
#: States judged at once (memory: 4 bytes per state, hole and count).
CHUNK = 50_000


def is_resource_count(board: Board, weights: Sequence[int]) -> bool:
    """Whether no jump of the board raises the sum of the weights of the occupied holes."""
    return len(weights) == board.holes and all(
        weights[j.start - 1] + weights[j.over - 1] >= weights[j.end - 1] for j in board.jumps
    )


@cache
def resource_counts(board: Board) -> dict[int, npt.NDArray[np.int64]]:
    """(n, holes) counts for every last hole, the most telling first, with their images under the symmetries that keep
    the hole.

    The 33-hole board has a part of the larger board's holes and jumps, so the counts hold there too.
    """
    found: dict[int, dict[tuple[int, ...], None]] = {n: {} for n in range(1, board.holes + 1)}
    shift = (len(BOARD_37.rows) - len(board.rows)) // 2
    larger = [BOARD_37.number.get((r + shift, c + shift)) for r, c in board.places]
    if None in larger:
        return {n: np.zeros((0, board.holes), np.int64) for n in range(1, board.holes + 1)}
    smaller = {large: n for n, large in enumerate(larger, 1)}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        hole, _, words = line.partition(":")
        weights = [int(w) for w in words.split()]
        for s in BOARD_37.symmetries:
            image = smaller.get(s[int(hole) - 1] + 1)
            if image is None:
                continue
            turned = [0] * len(weights)
            for i, j in enumerate(s):
                turned[j] = weights[i]
            here = tuple(turned[large - 1] for large in larger if large is not None)
            if is_resource_count(board, here):
                found[image][here] = None
    return {n: np.array(list(w), np.int64).reshape(-1, board.holes) for n, w in found.items()}


@cache
def _every(board: Board) -> npt.NDArray[np.int64]:
    """(n, holes) the counts of all last holes."""
    found = [w for w in resource_counts(board).values() if len(w)]
    return np.unique(np.concatenate(found), axis=0) if found else np.zeros((0, board.holes), np.int64)


class ResourceTest:
    """Which positions can still become one of `finishes` as far as the resource counts tell (never wrongly "no")."""

    def __init__(self, board: Board, finishes: Sequence[int], start: int) -> None:
        self._holes = board.holes
        counts = resource_counts(board)
        on = np.array([board.to_holes(f) for f in finishes], np.int64)
        if len(finishes) <= EACH_ALONE and all(f.bit_count() == 1 for f in finishes):
            sets = [(counts[f.bit_length()], row[None]) for f, row in zip(finishes, on, strict=True)]
        else:
            every = _every(board)
            spare = every @ np.array(board.to_holes(start), np.int64) - (every @ on.T).min(axis=1)
            tight = every[np.argsort(spare, kind="stable")[:TIGHTEST]]
            each = on[:, None] if len(finishes) <= EACH_ALONE else on[None]
            sets = [(tight, rows) for rows in each]
        #: (holes, k) weights and the (k,) sums that at least one finish of the set needs.
        self._tests = [
            (weights.T.astype(np.float32), (weights @ rows.T).min(axis=1).astype(np.float32))
            for weights, rows in sets
        ]

    def possible(self, states: States) -> npt.NDArray[np.bool_]:
        """(n,) False where a count proves that no finish can be reached."""
        out = np.zeros(len(states), bool)
        for i in range(0, len(states), CHUNK):
            bits = occupied(states[i : i + CHUNK], self._holes)
            out[i : i + CHUNK] = self._possible(bits)
        return out

    def _possible(self, bits: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
        out = np.zeros(len(bits), bool)
        for weights, needed in self._tests:
            left = np.nonzero(~out)[0]
            for i in range(0, weights.shape[1], FIRST):
                enough = (bits[left] @ weights[:, i : i + FIRST] >= needed[i : i + FIRST]).all(axis=1)
                left = left[enough]
            out[left] = True
        return out


def occupied(states: States, holes: int) -> npt.NDArray[np.float32]:
    """(n, holes) 0.0 or 1.0."""
    return ((states[:, None] >> np.arange(holes, dtype=np.uint64)) & np.uint64(1)).astype(np.float32)
