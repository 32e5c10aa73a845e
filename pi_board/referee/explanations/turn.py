"""What one roll allows, as rows of counts: whole legal plays, and the positions on the way to them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pi_board.referee.explanations.counts import Vector, vector
from pi_board.rules import Play, Position, RuleSet, Side, legal_plays

#: The 21 rolls.
ROLLS = tuple((a, b) for a in range(1, 7) for b in range(1, a + 1))


@dataclass(frozen=True, slots=True)
class Turn:
    """All that one roll allows, as vectors. counts (1 + N + M, 28): `before`, the results of the N plays of `legal`, and the M positions
    on the way, `before` and complete plays not among them. moves: (N,) bool, which plays leave another board than `before`."""

    before: Position
    dice: tuple[int, int]
    side: Side
    rules: RuleSet
    legal: tuple[Play, ...]
    counts: Vector
    moves: npt.NDArray[np.bool_]

    @property
    def legal_counts(self) -> Vector:
        """(N, 28)"""
        return self.counts[1 : 1 + len(self.legal)]

    @property
    def partial_counts(self) -> Vector:
        """(M, 28)"""
        return self.counts[1 + len(self.legal) :]

    def only(self, plays: Sequence[bool]) -> Turn:
        """The same with those of `legal` that `plays` (N,) says."""
        legal = tuple(itertools.compress(self.legal, plays))
        kept = np.array([True, *plays] + [True] * len(self.partial_counts))
        return replace(self, legal=legal, counts=self.counts[kept], moves=self.moves[np.array(plays, bool)])

    @property
    def can_move(self) -> bool:
        return any(play.moves for play in self.legal)

    @property
    def may_pass(self) -> bool:
        """Leaving everything as it is is a legal play (nothing can be moved, or the leaflet allows to stop)."""
        return any(play.result == self.before for play in self.legal)

    def play_to(self, position: Position) -> Play | None:
        return next((p for p in self.legal if p.result == position), None)

    def may_lead_to(self, position: Position) -> bool:
        """`position` is a lawful play, or on the way to one."""
        return self.play_to(position) is not None or bool(
            (self.partial_counts == vector(position)).all(axis=1).any()
        )


@lru_cache(maxsize=64)
def turn_of(before: Position, dice: tuple[int, int], side: Side, rules: RuleSet) -> Turn:
    """The `Turn` of a roll, computed once."""
    legal = tuple(legal_plays(before, dice, side, rules))
    start, results = vector(before), [vector(p.result) for p in legal]
    known = {tuple(row.tolist()) for row in (start, *results)}
    partial = sorted({_absolute(s, side) for s in _steps(before, dice, side)} - known)
    counts = np.array([start, *results, *partial], dtype=np.int64)
    return Turn(before, dice, side, rules, legal, counts, (counts[1 : 1 + len(legal)] != start).any(axis=1))


def may_have_no_move(before: Position, side: Side, rules: RuleSet) -> bool:
    """Whether there is a roll with which `side` cannot move."""
    return not all(turn_of(before, roll, side, rules).can_move for roll in ROLLS)


def _steps(before: Position, dice: tuple[int, int], side: Side) -> set[tuple[int, ...]]:
    """(28,) mover's-view vectors of all that can lie there while `side` plays: every sequence of single moves.

    Bearing off is taken generously (any larger die, any time all are home): being on the way is no verdict.
    """
    points, bar, off = before.seen_from(side)
    start = (*points, bar[0], bar[1], off[0], off[1])
    a, b = dice
    rolls: tuple[tuple[int, ...], ...] = ((a,) * 4,) if a == b else ((a, b), (b, a))
    seen: set[tuple[int, ...]] = set()
    todo = {(start, roll) for roll in rolls}
    visited = set(todo)
    while todo:
        state, left = todo.pop()
        seen.add(state)
        if not left:
            continue
        die = left[0]
        if state[24]:
            sources: Iterable[int] = (25,)
        else:
            sources = [p for p in range(24, 0, -1) if state[p - 1] > 0]
        home = not state[24] and not any(n > 0 for n in state[6:24])
        for source in sources:
            target = source - die
            if target > 0 and state[target - 1] < -1:
                continue
            if target <= 0 and not home:
                continue
            nxt = list(state)
            nxt[24 if source == 25 else source - 1] -= 1
            if target <= 0:
                nxt[26] += 1
            else:
                if nxt[target - 1] == -1:
                    nxt[target - 1] = 0
                    nxt[25] += 1
                nxt[target - 1] += 1
            item = (tuple(nxt), left[1:])
            if item not in visited:
                visited.add(item)
                todo.add(item)
    return seen


def _absolute(mover: tuple[int, ...], side: Side) -> tuple[int, ...]:
    if side == "light":
        return (*mover[:24], mover[24], -mover[25], mover[26], -mover[27])
    return (*(-n for n in reversed(mover[:24])), mover[25], -mover[24], mover[27], -mover[26])
