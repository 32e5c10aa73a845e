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
    OPENING = "opening"  # opening throw
    ROLL = "roll"  # `side` is to roll (or double)
    PLAY = "play"  # `side` is to play `dice`
    PLAYED = "played"  # a legal play lies there; dice not yet lifted
    ILLEGAL = "illegal"  # an illegal play lies there
    DOUBLED = "doubled"  # `side` is to take or pass
    RESIGNED = "resigned"  # `side` is to accept or refuse
    OVER = "over"  # the game is won; next game's set-up awaited
    PAUSED = "paused"


class Verdict(Enum):
    NONE = "none"
    GREEN = "green"
    AMBER = "amber"
    RED = "red"


@dataclass(frozen=True, slots=True)
class TableView:
    """message_code + message_args are translated by outputs; `message` is the English sentence.

    expected: the position the referee wants to see when something is wrong. pips: (light, dark).
    last_plays: newest last, as (side, "31", "8/5 6/5").
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
    verdict: Verdict = Verdict.NONE
    message_code: str = ""
    message_args: dict[str, Any] = field(default_factory=dict)
    message: str = ""
    expected: Position | None = None
    seen: Position | None = None
    play: str = ""
    question: str = ""
    view_blocked: str = ""
    last_plays: tuple[tuple[str, str, str], ...] = ()

    def to_document(self) -> dict[str, Any]:
        document: dict[str, Any] = {}
        for f in dataclasses.fields(self):
            value = getattr(self, f.name)
            if isinstance(value, Enum):
                value = value.value
            elif isinstance(value, Position):
                value = value.to_document()
            document[f.name] = value
        return document
