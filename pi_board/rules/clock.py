"""The players' clocks as arithmetic: what a turn of so many seconds costs. Time is passed in; nothing ticks here.

Kinds, as tournaments use them: simple delay (the first seconds of every turn are free), Bronstein (what a turn took comes
back afterwards, up to the delay) and hourglass (what one player spends the other gains).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from pi_board.errors import InvalidError
from pi_board.rules.side import Side, opponent

ClockKind = Literal["off", "delay", "bronstein", "hourglass"]
KINDS: tuple[ClockKind, ...] = ("off", "delay", "bronstein", "hourglass")
#: A clock that was read: whose turn it is, seconds in light's and dark's bank when that turn began, seconds spent since, and those of them
#: after which the dice of this turn were gone (None: they lie there, or nobody knows).
Reading = tuple[Side | None, float, float, float, float | None]
#: Tournament practice (US clock rules of 2013, UKBGF and WBGF alike): seconds of delay a turn, minutes of reserve for each point
#: of the match's length, and minutes fewer for each point that either player has already scored.
DELAY, MINUTES_PER_POINT, MINUTES_PER_POINT_SCORED = 12.0, 2.0, 1.0


def reserve(
    length: int, score: tuple[int, int] = (0, 0), minutes_per_point: float = MINUTES_PER_POINT
) -> float:
    """Seconds in each player's bank for a match of `length` points that stands at `score` when the clock is introduced."""
    scored = MINUTES_PER_POINT_SCORED * minutes_per_point / MINUTES_PER_POINT * sum(score)
    return max(0.0, 60.0 * (minutes_per_point * length - scored))


@dataclass(frozen=True, slots=True)
class Clock:
    """Both players' time in one turn.

    light, dark: seconds in the banks when this turn began. side: whose turn it is, None = nobody's. spent: seconds of this turn.
    """

    kind: ClockKind = "off"
    delay: float = DELAY
    light: float = 0.0
    dark: float = 0.0
    side: Side | None = None
    spent: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InvalidError(f"clock: expected one of {', '.join(KINDS)}, got {self.kind!r}")
        if self.delay < 0 or self.spent < 0:
            raise InvalidError(f"clock: expected no negative time, got {self.delay!r}, {self.spent!r}")

    def left(self, side: Side) -> float:
        """Seconds left in `side`'s bank now; below 0 by how much it was overdrawn."""
        bank = self.light if side == "light" else self.dark
        if self.kind == "off" or self.side is None:
            return bank
        if self.kind == "hourglass":
            return bank - self.spent if side == self.side else bank + self.spent
        if side != self.side:
            return bank
        if self.kind == "delay":
            return bank - max(0.0, self.spent - self.delay)
        return bank - self.spent

    @property
    def delay_left(self) -> float:
        """Seconds of this turn that cost nothing yet (simple delay only)."""
        return max(0.0, self.delay - self.spent) if self.kind == "delay" and self.side is not None else 0.0

    @property
    def out_of_time(self) -> Side | None:
        """Who has run out of time in this turn."""
        if self.kind == "off" or self.side is None:
            return None
        return self.side if self.left(self.side) <= 0 else None

    def run(self, seconds: float) -> Clock:
        """`seconds` of this turn have passed."""
        return replace(self, spent=self.spent + seconds) if self.side is not None else self

    def press(self, side: Side | None) -> Clock:
        """This turn is over, and `side`'s begins."""
        light, dark = self.left("light"), self.left("dark")
        if self.kind == "bronstein" and self.side is not None:
            back = min(self.spent, self.delay)
            light, dark = (light + back, dark) if self.side == "light" else (light, dark + back)
        return replace(self, light=light, dark=dark, side=side, spent=0.0)

    def give(self, side: Side, seconds: float) -> Clock:
        """`seconds` more in `side`'s bank."""
        if side == "light":
            return replace(self, light=self.light + seconds)
        return replace(self, dark=self.dark + seconds)

    def for_turn_of(self, side: Side) -> Clock:
        """The same banks with `side` to move, nothing spent."""
        return replace(self, side=side, spent=0.0)

    @property
    def waiting(self) -> Side | None:
        """Whose time stands while the other's runs."""
        return None if self.side is None else opponent(self.side)
