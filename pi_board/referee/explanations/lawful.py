"""The lawful explanations of a look, scored: nothing moved yet, a legal play, one in progress, a checker in a hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pi_board.referee.explanations.counts import Scores, Vector, position_of
from pi_board.referee.explanations.evidence import Evidence
from pi_board.referee.explanations.in_hand import (
    IN_HAND_LATE,
    borne_off_instead,
    in_hand_scores,
    left_on_point,
)
from pi_board.referee.explanations.miscounts import stack_looks_lower
from pi_board.referee.explanations.turn import Turn
from pi_board.rules import Play, Position, Side, opponent

#: Prior cost (nats) of a half-made play.
PARTIAL = 0.5
#: Nats against stopping early where the leaflet allows it and the picture hardly tells it from having played on: few do. Set. (Of a checker
#: borne off at last the place kept saying, by .8 nats, that it lay there: `bench campaign --seed 4082002 --room mount=drawn`.)
STOPS_EARLY = 1.5


@dataclass(frozen=True, slots=True)
class LawfulScores:
    """Scores in nats: of the position before, of the best legal play, of the best whole position on the way, and of the best one with
    a checker in a hand (-inf: none).

    legal_scores: (N,) of `turn.legal`, -inf where nothing moves. moved: (N,) bool, what does move. bases: (1 + N + M, 28), the position
    before, the legal plays and those on the way; base_scores: theirs. best_legal: index of the best legal play, -1 for none; on_the_way:
    the best (28,) counts on the way. nearest: the position that the referee would most like to see.
    hand_of, left_on, borne_off: as of `Reconciled`. stack_lower: all that speaks against the best legal play is a stack of two layers
    that looks one lower, at a time when nobody holds a checker.
    """

    before: float
    legal: float
    whole: float
    in_hand: float
    legal_scores: Scores
    moved: npt.NDArray[np.bool_]
    bases: Vector
    base_scores: Scores
    best_legal: int
    on_the_way: Vector | None
    nearest: Position | None
    hand_of: Side
    left_on: int | None
    borne_off: Position | None
    stack_lower: bool

    @property
    def best(self) -> float:
        return max(self.before, self.legal, self.whole, self.in_hand)

    def rival(self, turn: Turn, score: float) -> tuple[Play, float] | None:
        """The best legal play and by how many nats it is behind `score`."""
        return (turn.legal[self.best_legal], score - self.legal) if self.best_legal >= 0 else None


def lawful_explanations(
    evidence: Evidence, turn: Turn, *, slack: float, in_hand: float, nobody_minds: bool
) -> LawfulScores:
    """All that the law allows, scored by `evidence`. Arguments as of `reconcile`."""
    bases, moved, whole_plays = turn.counts, turn.moves, slice(1, 1 + len(turn.legal))
    base_scores = evidence.scores(bases)
    before_score = float(base_scores[0])
    # A play that leaves the board unchanged looks like no play at all, so it counts as "before".
    legal_scores = _few_stop_early(turn, np.where(moved, base_scores[whole_plays], -np.inf))
    partial_scores = base_scores[whole_plays.stop :] - PARTIAL
    best_legal = int(legal_scores.argmax()) if moved.any() else -1
    legal = float(legal_scores[best_legal]) if best_legal >= 0 else -np.inf
    whole = float(partial_scores.max()) if len(partial_scores) else -np.inf

    way_scores, by_hit = in_hand_scores(evidence, turn, bases, base_scores, in_hand)
    # The height of a stack of two layers is hard to see, so a checker that seems gone from it is not in a hand that has already
    # lifted the dice.
    at_rest = nobody_minds or in_hand >= IN_HAND_LATE
    stack_lower = at_rest and best_legal >= 0 and stack_looks_lower(evidence, turn.legal[best_legal].result)
    if stack_lower:
        way_scores[:] = -np.inf
    best_way = int(way_scores.argmax())
    way, hit = float(way_scores[best_way]), bool(by_hit[best_way])

    nearest = position_of(bases[int(np.maximum(base_scores, way_scores).argmax())])
    if best_legal >= 0 and legal >= max(before_score, whole, way) - slack:
        nearest = turn.legal[best_legal].result
    return LawfulScores(
        before=before_score,
        legal=legal,
        whole=whole,
        in_hand=way,
        legal_scores=legal_scores,
        moved=moved,
        bases=bases,
        base_scores=base_scores,
        best_legal=best_legal,
        on_the_way=turn.partial_counts[int(partial_scores.argmax())] if len(partial_scores) else None,
        nearest=nearest,
        hand_of=opponent(turn.side) if hit else turn.side,
        left_on=left_on_point(evidence, turn, bases[best_way]) if hit else None,
        borne_off=None if hit else borne_off_instead(evidence, turn, bases[best_way]),
        stack_lower=stack_lower,
    )


def _few_stop_early(turn: Turn, scores: Scores) -> Scores:
    """(N,) `scores` of `turn.legal`, less STOPS_EARLY for what is not clearly likelier than a play that uses more of the dice."""
    if turn.rules.when_all_home == "duty" or len(scores) < 2:
        return scores
    moves, out = np.array([len(play.moves) for play in turn.legal]), scores.copy()
    for n in np.unique(moves)[:-1]:
        longer = scores[moves > n].max()
        out[(moves == n) & (scores <= longer + STOPS_EARLY)] -= STOPS_EARLY
    return out


def likeliest_play(evidence: Evidence, turn: Turn, least: float) -> Play | None:
    """The legal play of `turn` that explains the picture best, if it does so by `least` (log-likelihood); None where nothing can be moved."""
    if not turn.can_move:
        return None
    scores = evidence.scores(turn.legal_counts)
    best = int(scores.argmax())
    return turn.legal[best] if scores[best] >= least else None
