"""What the parts of the referee have in common: each knows the table, and by it the others (by their `interfaces`).

The state of the game changes only by what is said (`say`); what each part remembers besides is its own.
"""

from __future__ import annotations

from typing import Any

from pi_board.events import Event
from pi_board.referee.interfaces import (
    DoublingInterface,
    FaultsInterface,
    GoingOnInterface,
    HindsightInterface,
    NextTurnsInterface,
    QuestionsInterface,
    RollsInterface,
    SecondOpinionInterface,
    StartInterface,
    TableInterface,
    TurnsInterface,
    UnseenTurnsInterface,
)
from pi_board.referee.options import RefereeOptions
from pi_board.referee.state import State
from pi_board.rules import RuleSet


class Part:
    """table: the referee that it is a part of. now: s, the time of this look; seq, frame: its number and picture."""

    def __init__(self, table: TableInterface) -> None:
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
    def start(self) -> StartInterface:
        return self.table.start

    @property
    def rolls(self) -> RollsInterface:
        return self.table.rolls

    @property
    def unseen_turns(self) -> UnseenTurnsInterface:
        return self.table.unseen_turns

    @property
    def next_turns(self) -> NextTurnsInterface:
        return self.table.next_turns

    @property
    def going_on(self) -> GoingOnInterface:
        return self.table.going_on

    @property
    def turns(self) -> TurnsInterface:
        return self.table.turns

    @property
    def faults(self) -> FaultsInterface:
        return self.table.faults

    @property
    def questions(self) -> QuestionsInterface:
        return self.table.questions

    @property
    def hindsight(self) -> HindsightInterface:
        return self.table.hindsight

    @property
    def second_opinion(self) -> SecondOpinionInterface:
        return self.table.second_opinion

    @property
    def doubling(self) -> DoublingInterface:
        return self.table.doubling
