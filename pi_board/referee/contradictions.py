"""Slots that contradict the accepted board: as long as they go on saying the same thing, they are not evidence against it.

Glare on a checker, a shadow's edge or a sixth checker under a fifth deceives vision in look after look. When a play is
accepted all the same, what contradicts it has been proved wrong once; the next turn need not hear it again. What goes on saying so
from turn to turn is perhaps right.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

import numpy as np

from pi_board.referee.explanations import Evidence, Vector, position_of, vector
from pi_board.referee.one_turn import bore_off_too_soon
from pi_board.referee.stack_heights import IN_A_ROW
from pi_board.rules import SIDES, Position
from pi_board.rules.movement import all_home, state_of
from pi_board.rules.side import CHECKERS
from pi_board.sighting import OFF_LIGHT, SLOTS, ZERO

#: Nats from which a slot contradicts the accepted board. A good reading stays within one or two.
CONTRADICTS = 3.0
#: Rolls in a row beside which a slot says the same against the accepted board, after which the board itself is in doubt. (Kept looks
#: of 46 synthetic games: once, the board was right in 293 of 371 cases that were read surely; twice, in 7 of 17; four times, in none of 8.)
REPEATEDLY = 2
#: The same, after which the board is put right. (Of 170 rendered games, 800000-080 and 815000-089, this came about twice, with piles of 7
#: and 8, and the board was right: see `IN_A_ROW`.)
OVERRULES = 4
#: Checkers of a side that may have been borne off unnoticed, or taken for borne off.
FEW = 2


@dataclass(frozen=True, slots=True)
class Misread:
    """count: signed count that really lies in the slot. said: the count that it reads. mixed: it seems to hold both colours."""

    count: int
    said: int
    mixed: bool


class Contradictions:
    """`learn` at each accepted position, `asked` at each roll; `hear` gives a look's evidence without what has been proved wrong."""

    def __init__(self) -> None:
        self._misread: dict[int, Misread] = {}
        # (slot, checkers that it has more than the accepted board) → rolls in a row beside which it said so.
        self._against: dict[tuple[int, int], int] = {}
        # What the roll before was played from.
        self._asked_of: Position | None = None

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
        # (After a dance the picture is the same, so what it says again tells no more.)
        more = 0 if position == self._asked_of else 1
        self._against = {key: max(1, self._against.get(key, 0) + more) for key in keys}
        self._asked_of = position

    def forget(self) -> None:
        """Another game."""
        self._misread, self._against, self._asked_of = {}, {}, None

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

    def corrected(self, said: np.ndarray) -> np.ndarray:
        """(SLOTS,) `said`, signed counts, with the truth where a slot says what it wrongly said before."""
        out = said.copy()
        for slot, misread in self._misread.items():
            out[slot] = misread.count if said[slot] == misread.said else said[slot]
        return out

    @property
    def contradict(self) -> dict[int, int]:
        """Slot → signed checkers by which it goes on saying more than the accepted board holds, from turn to turn: perhaps it is right."""
        return {slot: more for (slot, more), rolls in self._against.items() if rolls >= REPEATEDLY}

    def as_contradicted(self, before: Position, seen: Position) -> Iterator[tuple[Position, Position]]:
        """`before` and `seen` again, each with what the slots that `contradict` say of it, one by one and all together, as far as there are
        so many checkers: what is nowhere else is in the trays."""
        against = self.contradict
        was, now = vector(before), vector(seen)
        for slots in [[slot] for slot in against] + ([list(against)] if len(against) > 1 else []):
            for most in (1, CHECKERS):
                difference = np.zeros_like(was)
                difference[slots] = np.clip([against[slot] for slot in slots], -most, most)
                other, then = (position_of(_rest_off(counts + difference)) for counts in (was, now))
                if other is not None and then is not None:
                    yield other, then

    def instead(self, position: Position, moved: Collection[int]) -> Position | None:
        """What lies there rather than `position`, if places have said so for `OVERRULES` rolls; trays hold what is nowhere else. (Not of
        checkers that lie upon others, whose number is misread for as long as they lie there.) moved: places to which somebody was seen to move
        a checker: what they read, as if nothing had come, does not count."""
        counts = vector(position)
        against = {
            (slot, more): rolls
            for (slot, more), rolls in self._against.items()
            if slot not in moved and max(abs(counts[slot]), abs(counts[slot] + more)) <= IN_A_ROW
        }
        if not any(rolls >= OVERRULES for rolls in against.values()):
            return None
        for (slot, more), rolls in against.items():
            counts[slot] += more if rolls >= REPEATEDLY else 0
        trays, counts = counts[OFF_LIGHT:], _rest_off(counts)
        found = position_of(counts) if np.abs(counts[OFF_LIGHT:] - trays).max() <= FEW else None
        # (Who has a checker on the bar must enter before he plays anything else, and he has played since.)
        entered = found is not None and all(
            now <= was for now, was in zip(found.bar, position.bar, strict=True)
        )
        # (And who bears off has all his checkers at home: he bore off no more than is known while one was elsewhere.)
        home = (
            found is not None
            and not bore_off_too_soon(found, position)
            and all(
                all_home(state_of(found, side))
                or not (position.off[i] and all_home(state_of(position, side)))
                for i, side in enumerate(SIDES)
            )
        )
        return found if entered and home else None


def _rest_off(counts: Vector) -> Vector:
    """(28,) `counts` with all checkers in the trays that are nowhere else."""
    out, on_board = counts.copy(), counts[:OFF_LIGHT]
    out[OFF_LIGHT:] = CHECKERS - on_board[on_board > 0].sum(), -CHECKERS - on_board[on_board < 0].sum()
    return out
