"""Whether a look shows a given position, and which position it shows, without asking for a roll."""

from __future__ import annotations

import numpy as np

from pi_board.referee.explanations.counts import may_have_left, vector
from pi_board.referee.explanations.evidence import WORST_FIT, Evidence
from pi_board.referee.explanations.free_positions import free_positions
from pi_board.rules import Position


def shows(evidence: Evidence, position: Position, *, slack: float) -> bool:
    """Whether the picture shows `position`, and nothing else explains it better by `slack`."""
    score = evidence.score(position)
    if score < WORST_FIT:
        return False
    if score >= -slack:
        return True
    free, other = free_positions(evidence, vector(position))
    return score >= max(free.score, other.score) - slack


def read_position(
    evidence: Evidence, near: Position, surely_off: tuple[int, int] = (0, 0)
) -> tuple[Position | None, float]:
    """The whole position that the picture shows, or None, and its fit.

    Few changes from `near` are preferred: what something covers lies as it lay, and no more was borne off than a roll of each side
    allows. surely_off: checkers of light and dark that were borne off without any doubt.
    """
    counts = vector(near)
    evidence = evidence.expecting(counts)
    free, other = free_positions(
        evidence, counts, borne_off=may_have_left(counts), surely_off=np.array(surely_off)
    )
    fit = float(evidence.scores(free.counts[None])[0])
    if fit < WORST_FIT or other.score > free.score:
        return None, fit
    return free.position, fit
