"""Slots that misread a known board: as long as they go on saying the same thing, they are not evidence against it.

Glare on a checker, a shadow's edge or a sixth checker under a fifth deceives vision in look after look. When a play is
accepted all the same, what contradicts it has been proved wrong once; the next turn need not hear it again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pi_board.referee.explanations import SLOT_CAP, Evidence, position_of, vector
from pi_board.rules import Position
from pi_board.sighting import OFF_LIGHT, SLOTS, ZERO

#: Nats from which a slot contradicts the accepted board. A good reading stays within one or two.
CONTRADICTS = 3.0
#: Rolls in a row beside which a slot says the same against the accepted board, after which the board itself is in doubt. (Kept looks
#: of 46 synthetic games: once, the board was right in 293 of 371 cases that were read surely; twice, in 7 of 17; four times, in none of 8.)
REPEATEDLY = 2
#: The same, after which the board is put right.
OVERRULES = 4
#: Nats by which a slot must read right at a roll to be believed when it reads otherwise afterwards, and nats that it must say then.
STEADY, CHANGED = 2.0, 4.0
#: Such a slot says so many times as much against its being untouched: errors of vision stay while nobody touches what they are made
#: of. (Kept looks of 69 synthetic games: of twelve that spoke against a lawful play by 4 to 10 nats and were not believed, ten were right.)
NEWS = 2.0
#: Checkers of a side that may have been borne off unnoticed, or taken for borne off.
FEW = 2


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
        # (slot, checkers that it has more than the accepted board) → rolls in a row beside which it said so.
        self._against: dict[tuple[int, int], int] = {}
        # (SLOTS, counts) nats: the most that each slot said for another count, while nothing of this roll had been played.
        self._leaned = np.full((SLOTS, 2 * ZERO + 1), -np.inf)
        # Slot → signed count that lay there at the roll and was read without doubt.
        self._steady: dict[int, int] = {}

    def learn(self, evidence: Evidence, position: Position) -> None:
        """`position` lies there, by the rules; evidence: the same look as vision gave it."""
        counts = vector(position)
        fit = evidence.rows[np.arange(SLOTS), counts + ZERO]
        wrong = (fit < -CONTRADICTS) | (evidence.mixed > CONTRADICTS)
        # Trays already carry little weight.
        self._misread = {
            int(slot): Misread(
                int(counts[slot]),
                int(evidence.rows[slot].argmax()) - ZERO,
                bool(evidence.mixed[slot] > CONTRADICTS),
            )
            for slot in np.flatnonzero(wrong[:OFF_LIGHT])
        }

    def asked(self, evidence: Evidence, position: Position) -> None:
        """A roll is to be played from `position`; evidence: this look as vision gave it."""
        counts = vector(position)
        said = evidence.rows.argmax(axis=1) - ZERO
        against = evidence.rows[np.arange(SLOTS), counts + ZERO] < -CONTRADICTS
        slots = np.flatnonzero(against[:OFF_LIGHT] & (said[:OFF_LIGHT] != counts[:OFF_LIGHT]))
        keys = [(int(slot), int(said[slot] - counts[slot])) for slot in slots]
        self._against = {key: self._against.get(key, 0) + 1 for key in keys}
        self._leaned[:] = -np.inf
        self.unplayed(evidence, position)
        second = np.sort(evidence.rows, axis=1)[:, -2]
        sure = evidence.rows[np.arange(SLOTS), counts + ZERO] - second >= STEADY
        self._steady = {int(slot): int(counts[slot]) for slot in np.flatnonzero(sure[:OFF_LIGHT])}

    def unplayed(self, evidence: Evidence, position: Position) -> None:
        """Nothing of this roll has been played yet; evidence: this look as vision gave it, of `position`."""
        counts = vector(position)
        slots, said = np.arange(OFF_LIGHT), evidence.rows.argmax(axis=1) - ZERO
        for slot, misread in self._misread.items():
            # A slot that has been proved wrong must not make a checker seem missing.
            said[slot] = misread.count if said[slot] == misread.said else said[slot]
        seen, lie = said[:OFF_LIGHT], counts[:OFF_LIGHT]
        if seen[seen > 0].sum() == lie[lie > 0].sum() and seen[seen < 0].sum() == lie[lie < 0].sum():
            # No checker too many and none missing: if the slots say something else, one has been moved.
            return
        leans = evidence.rows[:OFF_LIGHT] - evidence.rows[slots, lie + ZERO][:, None]
        leans[slots, lie + ZERO] = -np.inf
        self._leaned[:OFF_LIGHT] = np.maximum(self._leaned[:OFF_LIGHT], leans)

    def played_already(self) -> None:
        """The roll that was asked about last was being played by then: nobody knows what the picture said before."""
        self._leaned[:] = -np.inf
        self._steady = {}

    def said_before(self, position: Position) -> np.ndarray:
        """bool (SLOTS,): where the picture said what `position` says before anything was played. What it says of it now is no news."""
        return self._leaned[np.arange(SLOTS), vector(position) + ZERO] > 0

    @property
    def contradict(self) -> bool:
        """A slot goes on saying something else than the accepted board, from turn to turn: perhaps it is right."""
        return any(rolls >= REPEATEDLY for rolls in self._against.values())

    def instead(self, position: Position) -> Position | None:
        """What lies there rather than `position`, if places have said so for `OVERRULES` rolls; trays hold what is nowhere else."""
        if not any(rolls >= OVERRULES for rolls in self._against.values()):
            return None
        counts = vector(position)
        for (slot, more), rolls in self._against.items():
            counts[slot] += more if rolls >= REPEATEDLY else 0
        seen, trays = counts[:OFF_LIGHT], counts[OFF_LIGHT:].copy()
        counts[OFF_LIGHT:] = 15 - seen[seen > 0].sum(), -15 - seen[seen < 0].sum()
        found = position_of(counts) if np.abs(counts[OFF_LIGHT:] - trays).max() <= FEW else None
        # (Who has a checker on the bar must enter before he plays anything else, and he has played since.)
        entered = found is not None and all(
            now <= was for now, was in zip(found.bar, position.bar, strict=True)
        )
        return found if entered else None

    def forget(self) -> None:
        self._misread, self._against = {}, {}
        self._leaned[:] = -np.inf
        self._steady = {}

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

    def stress_news(self, evidence: Evidence) -> Evidence:
        """`evidence` in which a slot that read right at the roll, and reads otherwise now, says so more strongly."""
        news = [
            (slot, count)
            for slot, count in self._steady.items()
            if evidence.rows[slot, count + ZERO] <= -CHANGED and not evidence.mixed[slot]
        ]
        if not news:
            return evidence
        rows = evidence.rows.copy()
        for slot, count in news:
            rows[slot, count + ZERO] = max(NEWS * rows[slot, count + ZERO], -SLOT_CAP)
        return replace(evidence, rows=rows)
