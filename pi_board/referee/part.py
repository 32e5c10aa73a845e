"""What the parts of the referee have in common: each knows the table, and by it the others.

The state of the game changes only by what is said (`say`); what each part remembers besides is its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pi_board.events import Event
from pi_board.referee.options import RefereeOptions
from pi_board.referee.state import State
from pi_board.rules import RuleSet

if TYPE_CHECKING:
    from pi_board.referee.doubling import Doubling
    from pi_board.referee.faults import Faults
    from pi_board.referee.looks import Looks
    from pi_board.referee.questions import Questions
    from pi_board.referee.referee import Referee
    from pi_board.referee.rolls import Rolls
    from pi_board.referee.second_opinion import SecondOpinion
    from pi_board.referee.start import Start
    from pi_board.referee.turns import Turns
    from pi_board.referee.unseen_turns import UnseenTurns


class Part:
    """table: the referee that it is a part of. now: s, the time of this look; seq, frame: its number and picture."""

    def __init__(self, table: Referee) -> None:
        self.table = table

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def options(self) -> RefereeOptions:
        return self.table.options

    @property
    def rules(self) -> RuleSet:
        return self.table.rules

    @property
    def now(self) -> float:
        return self.table._now

    @property
    def seq(self) -> int:
        return self.table._seq

    @property
    def frame(self) -> str:
        return self.table._frame

    def say(self, what: type[Event], /, **fields: Any) -> None:
        """An event of this moment."""
        self.table._say(what, **fields)

    @property
    def looks(self) -> Looks:
        return self.table.looks

    @property
    def start(self) -> Start:
        return self.table.start

    @property
    def rolls(self) -> Rolls:
        return self.table.rolls

    @property
    def unseen_turns(self) -> UnseenTurns:
        return self.table.unseen_turns

    @property
    def turns(self) -> Turns:
        return self.table.turns

    @property
    def faults(self) -> Faults:
        return self.table.faults

    @property
    def questions(self) -> Questions:
        return self.table.questions

    @property
    def second_opinion(self) -> SecondOpinion:
        return self.table.second_opinion

    @property
    def doubling(self) -> Doubling:
        return self.table.doubling
