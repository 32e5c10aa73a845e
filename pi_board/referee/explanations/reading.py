"""Whether a look shows a given position, and which position it shows, without asking for a roll."""

from __future__ import annotations

import numpy as np

from pi_board.referee.explanations.counts import may_have_left, vector
from pi_board.referee.explanations.evidence import ALIKE, WORST_FIT, Evidence
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
    evidence: Evidence, near: Position, surely_off: tuple[int, int] = (0, 0), *, whole: bool = False
) -> tuple[Position | None, float]:
    """The whole position that the picture shows, or None, and its fit.

    Few changes from `near` are preferred: what something covers lies as it lay, and no more was borne off than a roll of each side
    allows. surely_off: checkers of light and dark that were borne off without any doubt. whole: also where the picture rather shows a
    checker too many or too few.
    """
    counts = vector(near)
    evidence = evidence.expecting(counts)
    free, other = free_positions(
        evidence, counts, borne_off=may_have_left(counts), surely_off=np.array(surely_off)
    )
    fit = float(evidence.scores(free.counts[None])[0])
    odd = other.score > free.score and not no_sixteenth((15 - other.light, 15 - other.dark), fit)
    if fit < WORST_FIT or (odd and not whole):
        return None, fit
    return free.position, fit


def no_sixteenth(lacking: tuple[int, int], whole_fit: float) -> bool:
    """The picture shows a whole board about as well as one with checkers too many: nobody lays a sixteenth one, however far the whole
    board is from the one before. lacking: (light, dark) too few, negative: too many; whole_fit: nats, of the whole board."""
    return whole_fit >= -ALIKE and max(lacking) <= 0
