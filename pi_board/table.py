"""`TableView`: what everyone at the table may see right now (referee → lights, display, page, terminal).

One frozen value: outputs never ask the referee anything else and never keep a copy of its state.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from pi_board.rules import Position, Side


class Phase(Enum):
    WAITING = "waiting"  # for the starting position
    OPENING = "opening"  # opening roll
    ROLL = "roll"  # `side` is to roll (or double)
    PLAY = "play"  # `side` is to play `dice`
    PLAYED = "played"  # a legal play lies there; dice not yet lifted
    ILLEGAL = "illegal"  # an illegal play lies there
    DOUBLED = "doubled"  # `side` is to take or pass
    RESIGNED = "resigned"  # `side` is to accept or refuse
    OVER = "over"  # the game is won; next game's set-up awaited
    PAUSED = "paused"


class VerdictColour(Enum):
    NONE = "none"
    GREEN = "green"
    AMBER = "amber"
    RED = "red"


@dataclass(frozen=True, slots=True)
class ClockView:
    """Both clocks in whole seconds, so that a view changes once a second at most.

    light, dark: seconds left, below 0 when overdrawn. delay: free seconds left of this turn. side: whose turn it is; running: its
    time runs. stopped_by: why it stands: opening, paused, amber, throw, cut, over, "" while it runs.
    """

    kind: str
    light: int
    dark: int
    side: Side | None = None
    running: bool = False
    delay: int = 0
    stopped_by: str = ""


def clock_words(seconds: int) -> str:
    """ "9:59", "1:00:05", "-0:03"."""
    sign, seconds = ("-", -seconds) if seconds < 0 else ("", seconds)
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{sign}{hours}:{minutes:02d}:{rest:02d}" if hours else f"{sign}{minutes}:{rest:02d}"


@dataclass(frozen=True, slots=True)
class TableView:
    """message_code + message_args are translated by outputs; `message` is the English sentence.

    expected: the position the referee wants to see when something is wrong. pips: (light, dark).
    last_plays: newest last, as (side, "31", "8/5 6/5").
    mode: legal, responsible or recorder; in the last two nothing about a play is told unasked. hints_locked: none are given.
    clock: None where no clock is used.
    """

    phase: Phase = Phase.WAITING
    position: Position | None = None
    side: Side | None = None
    dice: tuple[int, int] | None = None
    pips: tuple[int, int] | None = None
    cube: int = 1
    cube_owner: Side | None = None
    score: tuple[int, int] = (0, 0)
    names: tuple[str, str] = ("Light", "Dark")
    match_length: int = 0
    game: int = 0
    crawford_game: bool = False
    rules: str = "international"
    verdict: VerdictColour = VerdictColour.NONE
    message_code: str = ""
    message_args: dict[str, Any] = field(default_factory=dict)
    message: str = ""
    expected: Position | None = None
    seen: Position | None = None
    play: str = ""
    question: str = ""
    view_blocked: str = ""
    last_plays: tuple[tuple[str, str, str], ...] = ()
    mode: str = "legal"
    hints_locked: bool = False
    clock: ClockView | None = None

    def to_document(self) -> dict[str, Any]:
        document: dict[str, Any] = {}
        for f in dataclasses.fields(self):
            value = getattr(self, f.name)
            if isinstance(value, Enum):
                value = value.value
            elif isinstance(value, Position):
                value = value.to_document()
            elif isinstance(value, ClockView):
                value = dataclasses.asdict(value)
            document[f.name] = value
        return document
