"""What the pipeline hands to everything that shows or keeps the game."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from pi_board.events import Event
from pi_board.frame import Frame
from pi_board.sighting import Sighting
from pi_board.table import TableView


@dataclass(frozen=True, slots=True)
class HintLine:
    """One play of a hint, best first. equity per unit cube; win: chance of winning, 0-1; loss: to the best play."""

    play: str
    equity: float
    win: float
    loss: float = 0.0
    moves: tuple[tuple[int, int], ...] = ()

    def to_document(self) -> dict[str, Any]:
        return {
            "play": self.play,
            "equity": self.equity,
            "win": self.win,
            "loss": self.loss,
            "moves": self.moves,
        }


@dataclass(frozen=True, slots=True)
class Hint:
    """What a player asked for. cube: an action in words when the question was whether to double, else ""."""

    side: str
    dice: tuple[int, int] | None
    lines: tuple[HintLine, ...] = ()
    cube: str = ""

    def to_document(self) -> dict[str, Any]:
        return {
            "side": self.side,
            "dice": self.dice,
            "cube": self.cube,
            "lines": [line.to_document() for line in self.lines],
        }


@dataclass(frozen=True, slots=True)
class CoachNote:
    """After a play: what it cost against the best one. grade: fine, doubtful, error, blunder."""

    side: str
    play: str
    best: str
    loss: float
    grade: str
    words: str = ""

    def to_document(self) -> dict[str, Any]:
        return {
            "side": self.side,
            "play": self.play,
            "best": self.best,
            "loss": self.loss,
            "grade": self.grade,
            "words": self.words,
        }


@dataclass(frozen=True, slots=True)
class SolitaireView:
    """How the 37-hole game stands. state: set_up, play, wrong, won, over. holes: 37 x 0/1, the position that counts.

    name: of the problem. seen: what lies there instead ("wrong" only); code, reason: of the wrong jump. last: the last
    jump, "17-19-33"; jumps: how many were made. winnable: None while it is not known; progress: how far the question
    is. hint: the next jump, when one was asked for; best: the fewest pieces it leads to. words: what is to be said.
    line: all jumps of this game as they were made, a sweep each.
    """

    state: str = "set_up"
    holes: tuple[int, ...] = (0,) * 37
    seen: tuple[int, ...] = ()
    code: str = ""
    last: str = ""
    winnable: bool | None = None
    name: str = ""
    reason: str = ""
    jumps: int = 0
    progress: str = ""
    hint: str = ""
    best: int = 0
    words: str = ""
    line: tuple[str, ...] = ()

    @property
    def pieces(self) -> int:
        return sum(self.holes)

    def to_document(self) -> dict[str, Any]:
        return {**dataclasses.asdict(self), "pieces": self.pieces}


@dataclass(frozen=True, slots=True)
class Moment:
    """One step of the pipeline: the look, what it led to and how the table stands now.

    frame, sighting: None when a person's command (not a picture) led to it. time: monotonic seconds. banner: a
    sentence about the program itself (log cannot be written, camera missing), "" when all is well; fault: what it is about,
    for outputs that say it in the players' language: "camera", "record", "version" (an update was taken back), "other" or "".
    hint, coach: only in the moment in which they arrive. page: the menu page that the display is asked to show.
    solitaire: the other game of the travel set, when that is what is played; `view` then carries the lamps only.
    director: of a club: "called" from this table, "coming", "" not called; None where there is no club.
    kept: what the journal has of this moment, where the players' way to referee lets less of it be told (None: the same).
    """

    time: float
    view: TableView
    events: tuple[Event, ...] = ()
    frame: Frame | None = None
    sighting: Sighting | None = None
    banner: str = ""
    fault: str = ""
    hint: Hint | None = None
    coach: CoachNote | None = None
    page: int = 0
    solitaire: SolitaireView | None = None
    director: Literal["", "called", "coming"] | None = None
    kept: tuple[Event, ...] | None = None

    @property
    def recorded(self) -> tuple[Event, ...]:
        """What the journal has of this moment: for outputs that keep the game and show it to nobody."""
        return self.events if self.kept is None else self.kept


class Output(Protocol):
    """Lights, display, page, terminal, evidence. Must return quickly and must not raise for a device that fails."""

    def show(self, moment: Moment) -> None: ...

    def close(self) -> None: ...
