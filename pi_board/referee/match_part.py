"""What the parts of a match have in common: each knows the table (`MatchPlay`) by this interface, and none has to import another."""

from __future__ import annotations

from typing import Protocol

from pi_board.events import Event
from pi_board.referee.announce import Announcer
from pi_board.referee.engines import AnyReferee
from pi_board.referee.match_options import ClockOptions, MatchOptions
from pi_board.referee.state import State
from pi_board.referee.timekeeper import Timekeeper


class MatchInterface(Protocol):
    """What a part asks of the match; what it means is said in `MatchPlay`."""

    referee: AnyReferee
    keeper: Timekeeper
    announcer: Announcer
    options: MatchOptions | None
    clock_options: ClockOptions
    now: float

    @property
    def challenged(self) -> bool: ...
    def add(self, event: Event) -> None: ...
    def add_told(self, event: Event) -> None: ...
    def apply(self, event: Event) -> None: ...


class MatchPart:
    """match_play: the match that it is a part of. now: s, the time of this look or command."""

    def __init__(self, match_play: MatchInterface) -> None:
        self.match_play = match_play

    @property
    def now(self) -> float:
        return self.match_play.now

    @property
    def state(self) -> State:
        return self.match_play.referee.state

    @property
    def announcer(self) -> Announcer:
        """The announcer of this match; another one announces the next."""
        return self.match_play.announcer

    @property
    def keeper(self) -> Timekeeper:
        return self.match_play.keeper

    @property
    def clock_options(self) -> ClockOptions:
        return self.match_play.clock_options

    @property
    def by_button(self) -> bool:
        """A turn is over when its player presses, not when the dice are lifted."""
        return self.match_play.clock_options.press == "button"
