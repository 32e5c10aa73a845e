"""What players may agree on before a match: [match] and [clock] in the settings file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pi_board.errors import InvalidSettingsError
from pi_board.rules.clock import DELAY, KINDS, MINUTES_PER_POINT, Clock, ClockKind, reserve

Mode = Literal["legal", "responsible", "recorder"]
#: The ways to referee, in the order in which they are offered at the table.
MODES: tuple[Mode, ...] = ("legal", "responsible", "recorder")


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """mode: "legal" (an illegal play is shown at once), "responsible" (only when the opponent asks before rolling), "recorder"
        (never; the record marks it).
    ask: before the first roll of a match the table is asked for the mode and for hints, on display and page.
    hints: in a match: "agreed" (locked unless both said yes before the first roll), "locked", "free". Outside matches they are free.
    """

    mode: Mode = "legal"
    ask: bool = True
    hints: Literal["agreed", "locked", "free"] = "agreed"

    def __post_init__(self) -> None:
        for name, known in (("mode", MODES), ("hints", ("agreed", "locked", "free"))):
            if getattr(self, name) not in known:
                raise InvalidSettingsError(
                    f"{name}: expected {', '.join(known)}, got {getattr(self, name)!r}"
                )


@dataclass(frozen=True, slots=True)
class ClockOptions:
    """kind: "off", "delay" (simple delay), "bronstein", "hourglass". delay: free seconds a turn.
    minutes_per_point: reserve of each player for every point of the match; minutes: the reserve itself instead (0 = by points).
        A money session has a clock only where `minutes` says how long.
    press: "lift" (lifting the dice ends a turn) or "button" (the turn button or the page does).
    out_of_time: "loss" of the match, "points" (`penalty_points` to the opponent, and `penalty_minutes` more), or "announce" only.
        Nothing of it happens before somebody at the table has confirmed it.
    """

    kind: ClockKind = "off"
    delay: float = DELAY
    minutes_per_point: float = MINUTES_PER_POINT
    minutes: float = 0.0
    press: Literal["lift", "button"] = "lift"
    out_of_time: Literal["loss", "points", "announce"] = "loss"
    penalty_points: int = 1
    penalty_minutes: float = 1.0

    def __post_init__(self) -> None:
        for name, known in (
            ("kind", KINDS),
            ("press", ("lift", "button")),
            ("out_of_time", ("loss", "points", "announce")),
        ):
            if getattr(self, name) not in known:
                raise InvalidSettingsError(
                    f"{name}: expected {', '.join(known)}, got {getattr(self, name)!r}"
                )
        for name, least, most in (
            ("delay", 0, 600),
            ("minutes_per_point", 0.1, 60),
            ("minutes", 0, 600),
            ("penalty_points", 1, 64),
            ("penalty_minutes", 0.5, 60),
        ):
            if not least <= getattr(self, name) <= most:
                raise InvalidSettingsError(f"{name}: expected {least} to {most}, got {getattr(self, name)}")

    def clock(self, length: int, score: tuple[int, int] = (0, 0)) -> Clock:
        """The clock of a match of `length` points (0 = money) that stands at `score`."""
        seconds = 60.0 * self.minutes if self.minutes else reserve(length, score, self.minutes_per_point)
        return Clock(self.kind if seconds else "off", self.delay, seconds, seconds)
