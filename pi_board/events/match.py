"""What was agreed about a match, its clock and the points that an arbiter gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pi_board.events.document import Dice, Event
from pi_board.rules import Side


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchAgreed(Event):
    """How the match is refereed, and whether hints may be asked for; agreed before the first roll."""

    mode: Literal["legal", "responsible", "recorder"]
    hints: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenged(Event):
    """`side` asks whether the play just made is legal."""

    side: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeAnswered(Event):
    """`side` asked; code, reason: what is wrong with the play, "" when it is legal."""

    side: Side
    legal: bool
    code: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HintAsked(Event):
    """A player asked for a hint and was given one."""

    side: Side | None = None
    dice: Dice | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSet(Event):
    """The clocks as the match begins. kind: delay, bronstein, hourglass, off; light, dark: seconds in the banks."""

    kind: Literal["off", "delay", "bronstein", "hourglass"]
    delay: float
    light: float
    dark: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockChanged(Event):
    """`side`'s time runs (or stands) since `since`, a picture's monotonic time, which may lie before `time`.

    light, dark: seconds in the banks at the start of this turn; spent: seconds of this turn up to `since`. why: what made the clock
    change: opening, pressed, cube, stopped, started, reopened, given_back, given, over; stopped_by: what it stands for while `running` is false.
    ended: seconds that the turn before took, where one has just ended (None in journals older than this field too).
    """

    side: Side | None
    running: bool
    light: float
    dark: float
    spent: float = 0.0
    since: float = 0.0
    why: str = ""
    stopped_by: str = ""
    ended: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTimed(Event):
    """What the turn that has just ended took. seconds: without stops; began, ended: times of the pictures that showed it."""

    side: Side
    seconds: float
    began: float
    ended: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeOut(Event):
    """`side` has used up its time. penalty: what that costs as agreed: loss, points or nothing ("announce")."""

    side: Side
    penalty: Literal["loss", "points", "announce"] = "loss"


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsGiven(Event):
    """`side` is given points outside a game (a penalty of the other); score after it."""

    side: Side
    points: int
    score: tuple[int, int]
    why: str = "time"
