"""What a thing on the board hides, and whether it would decide between the explanations."""

from __future__ import annotations

import numpy as np

from pi_board.referee.explanations.counts import Vector
from pi_board.referee.explanations.evidence import Evidence
from pi_board.rules import Play


def veiled_slots(evidence: Evidence, vectors: Vector, counts: Vector) -> tuple[int, ...]:
    """The covered slots in which those of (N, 28) vectors that differ from (28,) counts nowhere else do so."""
    if not evidence.hidden or not len(vectors):
        return ()
    alike = vectors[evidence.alike(vectors, counts)]
    return tuple(int(slot) for slot in np.flatnonzero((alike != counts).any(axis=0)))


def veiled_rivals(
    evidence: Evidence, legal: Vector, counts: Vector, rival: tuple[Play, float] | None, red_margin: float
) -> tuple[int, ...]:
    """The covered slots that would have to be seen to tell which play was made, if any. () when none may hide
    there, or exactly one that the picture hardly contradicts.
    """
    if rival is None or not evidence.hidden:
        return ()
    may = legal[evidence.alike(legal, counts)]
    if not len(may) or (len(may) == 1 and rival[1] < red_margin):
        return ()
    return tuple(int(slot) for slot in np.flatnonzero((may != counts).any(axis=0)))
