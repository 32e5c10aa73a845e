"""`RestingDice`: dice that lie still while hands move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pi_board.referee.dice.model import PAIR
from pi_board.referee.dice.tracked_die import lies_as
from pi_board.sighting import DieSeen


@dataclass
class Resting:
    """A die that lies still while hands move. since, last: times of the first and the last picture of it, seconds, monotonic."""

    die: DieSeen
    since: float
    last: float


class RestingDice:
    """`note` each picture in which somebody moves; `seconds` at the first settled look after them."""

    def __init__(self) -> None:
        self._resting: list[Resting] = []

    def clear(self) -> None:
        self._resting = []

    def note(self, seen: list[DieSeen], now: float) -> None:
        """Remembers since when each die has lain still. now: seconds, monotonic."""
        lay = [r for r in self._resting if now - r.last <= PAIR.lost]
        rest = []
        for die in seen:
            known = next((r for r in lay if lies_as(die, r.die)), None)
            rest.append(Resting(die, known.since if known is not None else now, now))
        self._resting = rest + [r for r in lay if not any(lies_as(d, r.die) for d in seen)]

    def seconds(self, dice: Sequence[DieSeen]) -> float | None:
        """For which all of `dice` had lain still while hands moved, just before this look; 0 of one picture, None where one of them
        was not seen to lie so."""
        known = [next((r for r in self._resting if lies_as(d, r.die)), None) for d in dice]
        seconds = [r.last - r.since for r in known if r is not None]
        return min(seconds, default=0.0) if len(seconds) == len(known) else None

    def lay_before(self, dice: Sequence[DieSeen], others: Sequence[DieSeen]) -> bool:
        """Whether all of `dice` had lain still, while hands moved, for a play longer than any of `others` had."""
        here, there = self.seconds(dice), [self.seconds([die]) for die in others]
        longest = max((seconds for seconds in there if seconds is not None), default=0.0)
        return here is not None and here - longest >= PAIR.before_the_play
