"""Explanations with one checker in somebody's hand, and with a hit checker that is not on the bar yet."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pi_board.referee.explanations.counts import BAR, OFF, Scores, Vector, position_of, vector
from pi_board.referee.explanations.evidence import Evidence
from pi_board.referee.explanations.turn import Turn
from pi_board.rules import SIDES, Position, Side, opponent
from pi_board.sighting import COUNTS, ZERO

#: Cost (nats) of a checker in somebody's hand.
IN_HAND = 2.0
#: Cost of a checker in the hand once the dice are lifted, and in key frames, which show finished plays.
IN_HAND_LATE, IN_HAND_KEY_FRAME = 5.0, 8.0

#: Nats by which the bar must show a hit checker rather than none, for it to lie nowhere else. A good reading says 5 to 12.
ON_THE_BAR = 3.0
#: (25,) the slots from which a side lifts its checkers: the points and its bar.
_SLOTS: dict[Side, Vector] = {side: np.array([*range(24), BAR[side]], dtype=np.int64) for side in SIDES}


def in_hand_scores(
    evidence: Evidence, turn: Turn, vectors: Vector, scores: Scores, in_hand: float
) -> tuple[Scores, npt.NDArray[np.bool_]]:
    """Best score of each explanation with one checker in a hand, or with a hit checker not yet on the bar; and whether
    it is the latter."""
    way, _ = _best_lifted(evidence, vectors, scores, turn.side)
    way = way - in_hand
    own = way
    other = opponent(turn.side)
    bar = BAR[other]
    hits = np.abs(vectors[:, bar]) - abs(int(vector(turn.before)[bar]))
    if (hits > 0).any():
        step = 1 if other == "light" else -1
        hit = np.where(
            hits > 0,
            evidence.rows[bar, np.where(hits > 0, vectors[:, bar] - step, vectors[:, bar]) + ZERO]
            - evidence.rows[bar, vectors[:, bar] + ZERO],
            -np.inf,
        )
        way = np.maximum(way, scores + hit - in_hand)
        # The hit checker still lies beside or under the one that hit it, so any reading of that slot is
        # allowed.
        was = vector(turn.before)
        blot = (was[:24] == step)[None, :] & (vectors[:, :24] * step < 0)
        there = evidence.rows[np.arange(24), vectors[:, :24] + ZERO] - evidence.mixed[:24]
        free = np.where(blot, -there, -np.inf).max(axis=1)
        way = np.maximum(way, scores + hit + free - in_hand)
    return way, way > own


def lifting(evidence: Evidence, vectors: Vector, side: Side) -> Scores:
    """(N, 25) nats gained by lifting one of `side`'s checkers from each point, or (last) from its bar; -inf: none there."""
    sign, slots = 1 if side == "light" else -1, _SLOTS[side]
    counts = vectors[:, slots]
    column = counts + (slots * COUNTS + ZERO)
    gained = evidence.rows.take(column - sign, mode="wrap") - evidence.rows.take(column)
    return np.where(counts * sign > 0, gained, -np.inf)


def _best_lifted(evidence: Evidence, vectors: Vector, scores: Scores, side: Side) -> tuple[Scores, Vector]:
    """Score of each explanation with its most likely mover's checker lifted, and that checker's slot."""
    delta = lifting(evidence, vectors, side)
    best = delta.argmax(axis=1)
    return scores + delta[np.arange(len(vectors)), best], _SLOTS[side][best]


def borne_off_instead(evidence: Evidence, turn: Turn, counts: Vector) -> Position | None:
    """`counts` with the checker that was most likely taken from the mover's home board borne off."""
    _, slots = _best_lifted(evidence, counts[None], np.zeros(1), turn.side)
    slot, sign = int(slots[0]), 1 if turn.side == "light" else -1
    if not (0 <= slot < 6 if turn.side == "light" else 18 <= slot < 24):
        return None
    after = counts.copy()
    after[slot] -= sign
    after[OFF[turn.side]] += sign
    return position_of(after)


def left_on_point(evidence: Evidence, turn: Turn, counts: Vector) -> int | None:
    """The point on which a hit checker of the opponent is seen to lie still when `counts` has been played; None where it is seen on the
    bar, since it cannot lie in both places (a shadow on the one that hit it looks like the other colour)."""
    step = 1 if turn.side == "dark" else -1
    bar = BAR[opponent(turn.side)]
    on_bar = evidence.rows[bar, counts[bar] + ZERO] - evidence.rows[bar, counts[bar] - step + ZERO]
    if on_bar >= ON_THE_BAR:
        return None
    left = (vector(turn.before)[:24] == step) & (counts[:24] * step < 0) & (evidence.mixed[:24] > 0)
    return int(np.argmax(left)) if left.any() else None
