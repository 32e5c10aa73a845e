"""The best explanation of a look outside the law: checkers elsewhere, on a made point, missing, or too many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pi_board.referee.explanations.counts import Vector, position_of, vector
from pi_board.referee.explanations.evidence import ALIKE, WORST_FIT, Evidence
from pi_board.referee.explanations.free_positions import Free, free_positions
from pi_board.referee.explanations.lawful import LawfulScores
from pi_board.referee.explanations.made_point import BLOCKED, made_point_and_more, on_made_point
from pi_board.referee.explanations.miscounts import STACK, one_more_or_less, one_too_many
from pi_board.referee.explanations.reading import no_sixteenth
from pi_board.referee.explanations.turn import Turn
from pi_board.rules import Position
from pi_board.sighting import OFF_LIGHT

#: Prior cost (nats) of a play outside the rules.
WRONG = 2.0


@dataclass(frozen=True, slots=True)
class OutsideTheLaw:
    """score: nats (-inf: nothing is better than the lawful explanations), with the prior cost; fit: without it.

    position: what lies there, when it is a whole position. seen: the same where it fits at all, whichever explanation is the best.
    blocked: (from, to) in the mover's numbering when a checker stands on a made point; before_blocked: the position before it went there.
    odd: nats of the best explanation with checkers missing or too many; lacking: (light, dark) how many are missing. miscounted: that
    is what explains the look best, and no stack that is often misread by one.
    """

    score: float = -np.inf
    position: Position | None = None
    fit: float = 0.0
    seen: Position | None = None
    blocked: tuple[int, int] | None = None
    before_blocked: Position | None = None
    odd: float = -np.inf
    lacking: tuple[int, int] = (0, 0)
    miscounted: bool = False

    def brings_back(self, turn: Turn) -> bool:
        """A borne-off checker is on the board again: then the position before was wrong, and nobody is to be accused of it."""
        return self.position is not None and any(
            now < was for now, was in zip(self.position.off, turn.before.off, strict=True)
        )


def unlawful_explanation(
    evidence: Evidence, turn: Turn, lawful: LawfulScores, *, slack: float, nobody_minds: bool
) -> OutsideTheLaw:
    """The best explanation outside the law, where the lawful ones leave something open. Arguments as of `reconcile`."""
    if lawful.best >= -slack:
        return OutsideTheLaw()
    score, position, fit = -np.inf, None, 0.0
    blocked, before_blocked = None, None
    borne_off_at_most = np.abs(lawful.bases[:, OFF_LIGHT:]).max(axis=0)
    free, other = free_positions(evidence, vector(turn.before), borne_off=borne_off_at_most)
    free = _with_lawful_part(evidence, turn, lawful.bases, free)
    whole_fit = float(evidence.scores(free.counts[None])[0])
    if tuple(free.counts.tolist()) not in {tuple(row) for row in lawful.bases.tolist()}:
        score, position, fit = free.score - WRONG, free.position, whole_fit
    made, move, base = on_made_point(evidence, turn, lawful.bases, lawful.base_scores)
    if made > score:
        score, position, fit, blocked = made, None, made + BLOCKED, move
        before_blocked = position_of(lawful.bases[base])
    more = made_point_and_more(evidence, turn, borne_off_at_most)
    if more is not None and more[0] > max(score, lawful.best):
        score, position, fit = more[0], None, more[0] + BLOCKED
        blocked, before_blocked = more[1], more[2]

    odd, lacking = other.score, (15 - other.light, 15 - other.dark)
    plain, one = one_more_or_less(evidence, lawful.bases, lawful.base_scores)
    if plain > odd:
        odd, lacking = plain, one
    # Hardly anybody has a sixteenth checker, and stacks are often misread by one.
    misread = nobody_minds and min(lacking) < 0 and lawful.best >= score - slack
    misread = misread and one_too_many(evidence, lawful.nearest or turn.before, stack=STACK)
    one_short = max(lacking) > 0 and min(lacking) == 0
    misread = misread or (lawful.stack_lower and one_short and lawful.legal >= score - slack)
    misread = misread or no_sixteenth(lacking, whole_fit)
    return OutsideTheLaw(
        score=score,
        position=position,
        fit=fit,
        seen=free.position if whole_fit > WORST_FIT else None,
        blocked=blocked,
        before_blocked=before_blocked,
        odd=odd,
        lacking=lacking,
        miscounted=odd > max(lawful.best, score) + slack and odd > WORST_FIT and not misread,
    )


def _with_lawful_part(evidence: Evidence, turn: Turn, bases: Vector, free: Free) -> Free:
    """`free` with the mover's checkers as in one of `bases`, if the picture allows that as well. A player who
    shifted an opposing checker has most likely played his own by the rules, and full points and trays show
    little.
    """
    sign = 1 if turn.side == "light" else -1
    theirs = np.where(free.counts * sign < 0, free.counts, 0)
    mixed = np.where(bases * sign > 0, bases, 0) + theirs[None, :]
    clash = ((bases * sign > 0) & (theirs[None, :] != 0)).any(axis=1)
    scores = np.where(clash, -np.inf, evidence.scores(mixed))
    best = int(scores.argmax())
    there = float(evidence.scores(free.counts[None])[0])
    if scores[best] < there - ALIKE or (mixed[best] == free.counts).all():
        return free
    return Free(mixed[best], free.score + min(0.0, float(scores[best]) - there), free.light, free.dark)
