"""Slots that read wrongly of a board that is known: while they go on saying the same, they bear no witness against it.

Glare on a checker, a shadow's edge or a sixth checker under a fifth deceives vision in look after look. When a play is
accepted all the same, what contradicts it has been proved wrong once; the next turn need not hear it again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pi_board.referee.reconcile import Evidence, vector
from pi_board.rules import Position
from pi_board.sighting import OFF_LIGHT, SLOTS, ZERO

#: Nats from which a slot contradicts the accepted board. A good reading stays within one or two.
CONTRADICTS = 3.0


@dataclass(frozen=True, slots=True)
class Misread:
    """count: signed count that really lies in the slot. said: the count that it reads. mixed: it seems to hold both colours."""

    count: int
    said: int
    mixed: bool


class Witnesses:
    """`learn` at each accepted position; `hear` gives a look's evidence without what has been proved wrong."""

    def __init__(self) -> None:
        self._misread: dict[int, Misread] = {}

    def learn(self, evidence: Evidence, position: Position) -> None:
        """`position` lies there, by the rules; evidence: the same look as vision gave it."""
        counts = vector(position)
        fit = evidence.rows[np.arange(SLOTS), counts + ZERO]
        wrong = (fit < -CONTRADICTS) | (evidence.mixed > CONTRADICTS)
        # Trays are believed little as it is.
        self._misread = {
            int(slot): Misread(
                int(counts[slot]),
                int(evidence.rows[slot].argmax()) - ZERO,
                bool(evidence.mixed[slot] > CONTRADICTS),
            )
            for slot in np.flatnonzero(wrong[:OFF_LIGHT])
        }

    def forget(self) -> None:
        self._misread = {}

    def hear(self, evidence: Evidence) -> Evidence:
        """`evidence` in which a slot that says what it wrongly said before says the truth as well."""
        if not self._misread:
            return evidence
        rows, mixed = evidence.rows.copy(), evidence.mixed.copy()
        for slot, misread in self._misread.items():
            if misread.mixed:
                # A patch that resembles the other colour beside them stays there when a checker comes or
                # goes.
                mixed[slot] = 0.0
            if int(rows[slot].argmax()) - ZERO == misread.said:
                rows[slot, misread.count + ZERO] = 0.0
        return replace(evidence, rows=rows, mixed=mixed)
