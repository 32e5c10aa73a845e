"""`Scenery`: what looks like a die and is none of the pair."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pi_board.referee.dice.model import PAIR
from pi_board.referee.dice.tracked_die import TYPICAL_SIZE, TrackedDie, readable
from pi_board.sighting import DieSeen

#: Looks for which a rolling die may be seen as something that cannot be read, in its last place.
ROLLING = 2
#: Number of a look before the first one.
_LONG_AGO = -1_000_000
#: Looks without it after which scenery is forgotten.
FORGET = 40


@dataclass
class Thing:
    """Something that looks like a die and is none of the pair: a bright spot on a checker, the cube, a real die."""

    x: float
    y: float
    size: float
    since: int
    last: int
    readable: bool

    def is_at(self, seen: DieSeen) -> bool:
        return math.hypot(self.x - seen.x, self.y - seen.y) <= PAIR.same_place * min(
            self.size, seen.size or TYPICAL_SIZE
        )


class Scenery:
    """Things that lie there, each until it has been gone for a while. look: the number of the settled look that asks."""

    def __init__(self) -> None:
        self._things: list[Thing] = []

    def forget(self) -> None:
        self._things = []

    def add_die(self, die: TrackedDie, look: int) -> None:
        """A die of the roll before still lies there: it is no new one."""
        self._things.append(Thing(die.x, die.y, die.size, _LONG_AGO, look, True))

    def remember(self, others: list[DieSeen], look: int) -> None:
        """Everything else that looks like a die."""
        for seen in others:
            known = next((t for t in self._things if t.is_at(seen)), None)
            if known is None:
                size = seen.size or TYPICAL_SIZE
                self._things.append(Thing(seen.x, seen.y, size, look, look, readable(seen)))
            else:
                known.x, known.y, known.last = seen.x, seen.y, look
        self._things = [t for t in self._things if look - t.last <= FORGET]

    def has(self, seen: DieSeen, look: int) -> bool:
        """Whether `seen` belongs to it. A well-read die does only if it was there just before, and not if that was a blur that had come a
        look or two ago: then it was still rolling."""
        well = readable(seen) and seen.confidence >= PAIR.well_read
        patience = PAIR.scenery_looks if well else FORGET
        return any(
            t.is_at(seen)
            and look - t.last <= patience
            and not (well and not t.readable and look - t.since <= ROLLING)
            for t in self._things
        )

    def age(self, seen: DieSeen, look: int) -> int:
        """Looks for which something has lain where `seen` does."""
        return max((look - t.since for t in self._things if t.is_at(seen)), default=0)

    def came_alone(self, seen: DieSeen) -> bool:
        """Something that can be read has lain there by itself."""
        return any(t.readable and t.is_at(seen) for t in self._things)
