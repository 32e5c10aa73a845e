"""Explanations with one of the mover's checkers on a point that the opponent has made."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pi_board.referee.explanations.counts import BAR, Scores, Vector, own_number, position_of, vector
from pi_board.referee.explanations.evidence import ALIKE, SLOT_CAP, Evidence
from pi_board.referee.explanations.free_positions import PER_CHECKER, by_totals
from pi_board.referee.explanations.in_hand import lifting
from pi_board.referee.explanations.turn import Turn
from pi_board.rules import Position, Side
from pi_board.sighting import ZERO

#: Cost (nats) of a checker on a made point.
BLOCKED = 3.0
#: Explanations that are scored in full after an upper bound has ranked them.
_FEW = 32


def on_made_point(
    evidence: Evidence, turn: Turn, vectors: Vector, scores: Scores
) -> tuple[float, tuple[int, int], int]:
    """Best score of "one of the mover's checkers stands on a point that the opponent has made", (from, to), and from which of the vectors.

    vectors: (N, 28), the first is the position before."""
    sign = 1 if turn.side == "light" else -1
    delta = lifting(evidence, vectors, turn.side)
    held = vectors[:, :24] * sign <= -2
    there = evidence.rows[np.arange(24), vectors[:, :24] + ZERO] - evidence.mixed[:24]
    # Such a point may read as the opponent's with one checker more or fewer, or as the mover's, but never as empty.
    looks = np.full(there.shape, -np.inf)
    for other in (-1, 1):
        near = np.clip(vectors[:, :24] + other, -15, 15)
        looks = np.maximum(looks, np.where(near != 0, evidence.rows[np.arange(24), near + ZERO], -np.inf))
    own_columns = ZERO + sign * np.arange(1, 5)
    looks = np.maximum(looks, evidence.rows[:24, own_columns].max(axis=1)[None, :])
    # If both colours are seen on the point, it does not matter which of them the row counts.
    looks = np.maximum(
        looks, np.where(evidence.mixed[:24] > 0, evidence.rows[:24].max(axis=1), -np.inf)[None, :]
    )
    gain = np.where(held, looks - there, -np.inf)
    bound = scores + delta.max(axis=1) + gain.max(axis=1)
    best, move, base = -np.inf, (0, 0), 0
    allowed = _forward(turn.side, max(12, sum(turn.dice) * (2 if turn.dice[0] == turn.dice[1] else 1)))
    # Try the position before first. If a partial play plus another checker explains it no better, it was a
    # single move from there.
    for i in [0, *np.argsort(-bound, kind="stable")[:_FEW]]:
        if bound[i] <= best + ALIKE:
            continue
        pairs = np.where(allowed, delta[i][:, None] + gain[i][None, :], -np.inf)
        source, target = np.unravel_index(int(pairs.argmax()), pairs.shape)
        if scores[i] + pairs[source, target] > best + ALIKE:
            best = float(scores[i] + pairs[source, target])
            move, base = (own_number(int(source), turn.side), own_number(int(target), turn.side)), int(i)
    return best - BLOCKED, move, base


def made_point_and_more(
    evidence: Evidence, turn: Turn, borne_off: Vector
) -> tuple[float, tuple[int, int], Position] | None:
    """(score, (from, to), position before) when one of the mover's checkers stands on a point that the opponent
    has made and the others lie anywhere. None when no such point is seen.
    """
    sign = 1 if turn.side == "light" else -1
    before = vector(turn.before)
    best: tuple[float, tuple[int, int], Position] | None = None
    for target in np.flatnonzero((evidence.mixed[:24] > 0) & (before[:24] * sign <= -2)):
        rows, mixed = evidence.rows.copy(), evidence.mixed.copy()
        rows[target], mixed[target] = -SLOT_CAP, 0.0
        rows[target, before[target] + ZERO] = 0.0
        without = replace(evidence, rows=rows, mixed=mixed)
        table, trace = by_totals(without, before, PER_CHECKER, borne_off)
        totals = (14, 15) if sign > 0 else (15, 14)
        if best is not None and table[totals] - BLOCKED <= best[0]:
            continue
        counts = trace(*totals).counts.copy()
        slots = [*range(24), BAR[turn.side]]
        gone = [s for s in slots if (before[s] - counts[s]) * sign > 0]
        steps = {s: own_number(s, turn.side) - own_number(int(target), turn.side) for s in gone}
        gone = [s for s in gone if steps[s] > 0]
        if not gone:
            continue
        source = min(gone, key=lambda s: (steps[s] not in turn.dice, steps[s]))
        counts[source] += sign
        position = position_of(counts)
        if position is not None:
            best = (
                float(table[totals]) - BLOCKED,
                (own_number(source, turn.side), own_number(int(target), turn.side)),
                position,
            )
    return best


@lru_cache(maxsize=64)
def _forward(side: Side, most: int) -> npt.NDArray[np.bool_]:
    """(25, 24) from where to where a checker of `side` may have gone: forward, and no more than `most` pips."""
    source = np.array([own_number(s, side) for s in range(25)])[:, None]
    target = np.array([own_number(s, side) for s in range(24)])[None, :]
    return (source > target) & (source - target <= most)
