"""One checker too many or too few: a stack whose height is hard to see, or a board on which something is missing."""

from __future__ import annotations

import numpy as np

from pi_board.referee.explanations.counts import Scores, Vector, vector
from pi_board.referee.explanations.evidence import ALIKE, Evidence
from pi_board.referee.explanations.free_positions import PER_CHECKER, PER_MISSING
from pi_board.rules import Position
from pi_board.sighting import BAR_DARK, BAR_LIGHT, OFF_LIGHT, SLOTS, ZERO

#: From so many checkers on, one more may be seen than is there (on an empty point one is hardly ever imagined). Set.
STACK = 2
#: Checkers of a stack of two layers on most boards: five lie in a row.
TWO_LAYERS = 6


def one_more_or_less(evidence: Evidence, vectors: Vector, scores: Scores) -> tuple[float, tuple[int, int]]:
    """Best score of an explanation with one checker too many or too few, and (light, dark) missing."""
    slots = np.arange(OFF_LIGHT)
    counts = vectors[:, :OFF_LIGHT]
    there = evidence.rows[slots, counts + ZERO]
    best, missing = -np.inf, (0, 0)
    for sign in (1, -1):
        for step in (sign, -sign):
            # One of `sign`'s checkers more, or less, where the other side has none.
            able = (counts * sign >= 0) if step == sign else (counts * sign > 0)
            able[:, BAR_DARK if sign > 0 else BAR_LIGHT] = False
            gain = np.where(
                able, evidence.rows[slots, np.clip(counts + step, -15, 15) + ZERO] - there, -np.inf
            )
            score = float((scores + gain.max(axis=1)).max())
            if score > best:
                lacks = 1 if step != sign else -1
                best, missing = score, (lacks, 0) if sign > 0 else (0, lacks)
    return best - PER_MISSING - PER_CHECKER, missing


def stack_looks_lower(evidence: Evidence, position: Position) -> bool:
    """Whether all that speaks against `position` is that one stack of two layers there is seen with a checker less."""
    differs = _only_difference(evidence, position)
    if differs is None:
        return False
    there, belongs = differs
    return abs(belongs) >= TWO_LAYERS and there == belongs - np.sign(belongs)


def one_too_many(evidence: Evidence, position: Position, *, stack: int = 0) -> bool:
    """Whether all that speaks against `position` is a single slot with more checkers than it has there, and it has at least
    `stack` there."""
    differs = _only_difference(evidence, position)
    if differs is None:
        return False
    there, belongs = differs
    return there * belongs >= 0 and abs(there) >= abs(belongs) and abs(belongs) >= stack


def _only_difference(evidence: Evidence, position: Position) -> tuple[int, int] | None:
    """(signed checkers seen, those of `position`) in the single slot that speaks against it; None where none or several do."""
    counts = vector(position)
    against = np.flatnonzero(
        (evidence.rows[np.arange(SLOTS), counts + ZERO] < -ALIKE) | (evidence.mixed > ALIKE)
    )
    if len(against) != 1:
        return None
    slot = int(against[0])
    return int(evidence.rows[slot].argmax()) - ZERO, int(counts[slot])
