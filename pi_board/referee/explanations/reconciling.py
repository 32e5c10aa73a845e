"""Which explanation of a look is the most likely one: a legal play, a play in progress, or an illegal one?

An explanation is a row of 28 signed counts. Its score is the sum of its slots' log-likelihoods (one numpy gather for all of
them), each slot relative to its own best count and bounded below, so that one slot that vision is wrong about can never
outvote the other 27.
"""

from __future__ import annotations

import numpy as np

from pi_board.referee.explanations.counts import Vector, position_of, vector
from pi_board.referee.explanations.evidence import ACCUSING_FIT, WORST_FIT, Evidence
from pi_board.referee.explanations.in_hand import IN_HAND
from pi_board.referee.explanations.lawful import LawfulScores, lawful_explanations
from pi_board.referee.explanations.reconciled import Reconciled
from pi_board.referee.explanations.turn import Turn
from pi_board.referee.explanations.unlawful import OutsideTheLaw, unlawful_explanation
from pi_board.referee.explanations.veiled import veiled_rivals, veiled_slots

#: Nats by which a legal play must be told from the board before it, and from every other legal play.
TOLD_APART = 0.5


def reconcile(
    evidence: Evidence,
    turn: Turn,
    *,
    red_margin: float,
    slack: float,
    in_hand: float = IN_HAND,
    nobody_minds: bool = False,
) -> Reconciled:
    """The best explanation of `evidence` for `turn`.

    red_margin, slack: nats, see `options.MARGINS`. in_hand: nats against a checker being in somebody's hand.
    nobody_minds: if one too many seems to lie on a stack, the players see it otherwise.
    """
    evidence = evidence.expecting(vector(turn.before))
    lawful = lawful_explanations(evidence, turn, slack=slack, in_hand=in_hand, nobody_minds=nobody_minds)
    wrong = unlawful_explanation(evidence, turn, lawful, slack=slack, nobody_minds=nobody_minds)
    if wrong.miscounted:
        # Checkers are missing or too many, and no checker in a hand explains it.
        return Reconciled(
            "unclear", None, wrong.odd - lawful.best, wrong.odd,
            missing=wrong.lacking, nearest=lawful.nearest, seen=wrong.seen,
        )  # fmt: skip
    ahead = wrong.score - lawful.best
    if ahead >= red_margin and wrong.fit > ACCUSING_FIT and not wrong.brings_back(turn):
        return _illegal(evidence, lawful, wrong)
    if ahead >= slack or lawful.best < WORST_FIT:
        return Reconciled("unclear", None, ahead, lawful.best, nearest=lawful.nearest, seen=wrong.seen)
    if lawful.legal >= max(lawful.before, lawful.whole, lawful.in_hand):
        return _legal(evidence, turn, lawful, wrong, slack)
    if lawful.before >= max(lawful.whole, lawful.in_hand):
        return _before(evidence, turn, lawful, wrong, red_margin)
    if lawful.whole >= lawful.in_hand and lawful.on_the_way is not None:
        return _partial(evidence, turn, lawful, lawful.on_the_way, wrong, red_margin, slack)
    return _checker_in_hand(lawful, wrong)


def _illegal(evidence: Evidence, lawful: LawfulScores, wrong: OutsideTheLaw) -> Reconciled:
    """The play is outside the law, unless the thing on the board hides too much to accuse anybody."""
    ahead = wrong.score - lawful.best
    if wrong.position is not None and (
        veiled := veiled_slots(evidence, lawful.bases, vector(wrong.position))
    ):
        return Reconciled(
            "unclear", None, ahead, lawful.best, nearest=lawful.nearest, seen=wrong.seen, veiled=veiled
        )
    return Reconciled(
        "illegal",
        wrong.position,
        ahead,
        wrong.score,
        blocked=wrong.blocked,
        nearest=lawful.nearest,
        seen=wrong.before_blocked if wrong.blocked is not None else wrong.position,
    )


def _legal(
    evidence: Evidence, turn: Turn, lawful: LawfulScores, wrong: OutsideTheLaw, slack: float
) -> Reconciled:
    """A legal play lies there, unless it can't be told from another one or from none."""
    others = np.delete(lawful.legal_scores, lawful.best_legal)
    second = float(others.max()) if len(others) else -np.inf
    margin = lawful.legal - max(lawful.before, lawful.whole, lawful.in_hand, second, wrong.score)
    play = turn.legal[lawful.best_legal]
    near = turn.legal_counts[lawful.moved & (lawful.legal_scores > lawful.legal - slack)]
    if veiled := veiled_slots(evidence, near, turn.legal_counts[lawful.best_legal]):
        return Reconciled(
            "unclear", None, margin, lawful.legal, nearest=play.result, seen=wrong.seen, veiled=veiled
        )
    if margin < TOLD_APART and lawful.legal - max(lawful.before, second) < TOLD_APART:
        return Reconciled("unclear", None, margin, lawful.legal, nearest=lawful.nearest, seen=wrong.seen)
    return Reconciled("legal", play.result, margin, lawful.legal, play, nearest=play.result, seen=play.result)


def _before(
    evidence: Evidence, turn: Turn, lawful: LawfulScores, wrong: OutsideTheLaw, red_margin: float
) -> Reconciled:
    """Nothing has been moved."""
    rival = lawful.rival(turn, lawful.before)
    return Reconciled(
        "before",
        turn.before,
        lawful.before - max(lawful.whole, lawful.in_hand, lawful.legal, wrong.score),
        lawful.before,
        nearest=turn.before,
        seen=turn.before,
        rival=rival,
        veiled=veiled_rivals(
            evidence, turn.legal_counts[lawful.moved], vector(turn.before), rival, red_margin
        ),
    )


def _partial(
    evidence: Evidence,
    turn: Turn,
    lawful: LawfulScores,
    counts: Vector,
    wrong: OutsideTheLaw,
    red_margin: float,
    slack: float,
) -> Reconciled:
    """Part of a play has been made: (28,) counts."""
    position, rival = position_of(counts), lawful.rival(turn, lawful.whole)
    off = lawful.borne_off
    # (A full point can hide that nothing was put there.)
    fits_better = off is not None and evidence.score(off) >= lawful.whole + slack
    return Reconciled(
        "partial",
        position,
        lawful.whole - max(lawful.before, lawful.legal, lawful.in_hand, wrong.score),
        lawful.whole,
        nearest=lawful.nearest,
        seen=position,
        rival=rival,
        borne_off=off if fits_better else None,
        unmoved=lawful.whole - lawful.before,
        veiled=veiled_rivals(evidence, turn.legal_counts[lawful.moved], counts, rival, red_margin),
    )


def _checker_in_hand(lawful: LawfulScores, wrong: OutsideTheLaw) -> Reconciled:
    """A checker is on its way, or something outside the law explains the look as well."""
    return Reconciled(
        "partial",
        None,
        lawful.in_hand - max(lawful.before, lawful.legal, lawful.whole),
        lawful.in_hand,
        nearest=lawful.nearest,
        in_hand=True,
        hand_of=lawful.hand_of,
        left_on=lawful.left_on,
        borne_off=lawful.borne_off,
        unlawful=wrong.position if wrong.score >= lawful.in_hand and wrong.fit > ACCUSING_FIT else None,
        unmoved=max(lawful.in_hand, wrong.score) - lawful.before,
        seen=wrong.seen,
    )
