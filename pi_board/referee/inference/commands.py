"""What the referee of hypotheses lends to the orders of people (`orders`)."""

from __future__ import annotations

from typing import Any, Literal, Protocol

from pi_board.events import Dice, Event
from pi_board.referee.dice.pair import Pair
from pi_board.referee.dice.watch import DiceWatch
from pi_board.referee.explanations import Evidence, Reconciled, Turn, reconcile
from pi_board.referee.inference.cube import CubeWatch
from pi_board.referee.inference.hypotheses import turn
from pi_board.referee.inference.story import Story
from pi_board.referee.options import RefereeOptions
from pi_board.referee.reasons import reason_of
from pi_board.referee.state import State
from pi_board.rules import Match, Position, RuleSet, Score


class FilterTable(Protocol):
    """The engine, as its commands see it."""

    used: int | None
    unseen: float
    refused_start: bool

    @property
    def state(self) -> State: ...

    @property
    def rules(self) -> RuleSet: ...

    @property
    def options(self) -> RefereeOptions: ...

    @property
    def evidence(self) -> Evidence | None: ...

    @property
    def dice(self) -> DiceWatch: ...

    @property
    def cube(self) -> CubeWatch: ...

    @property
    def story(self) -> Story: ...

    def forget(self) -> None: ...

    def start_match(self, match: Match, names: tuple[str, str]) -> None: ...


class FilterCommands:
    """An `orders.OrderTable` over the filter and its story."""

    def __init__(self, table: FilterTable) -> None:
        self.table, self.story = table, table.story

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def rules(self) -> RuleSet:
        return self.table.rules

    @property
    def evidence(self) -> Evidence | None:
        return self.table.evidence

    @property
    def pair(self) -> Pair | None:
        return self.table.dice.pair

    def say(self, what: type[Event], /, **fields: Any) -> None:
        self.story.say(what, **fields)

    def start_match(self, match: Match, names: tuple[str, str]) -> None:
        self.table.forget()
        self.table.start_match(match, names)

    def start_game(self, position: Position) -> None:
        self.story.start(position)

    def turn(self) -> Turn:
        s = self.state
        assert s.position is not None and s.dice is not None and s.side is not None
        return turn(s.position, s.dice, s.side, self.rules)

    def explained(self, evidence: Evidence, turn: Turn) -> Reconciled:
        options = self.table.options
        return reconcile(evidence, turn, red_margin=options.red_margin, slack=options.slack)

    def play(self, turn: Turn, found: Reconciled) -> None:
        assert found.play is not None
        self.story.play(turn, found.play, found.margin)

    def accuse(self, turn: Turn, found: Reconciled, seen: Position) -> None:
        code, reason, nearest = reason_of(turn, found, seen, self.rules)
        self.story.accuse(turn, code, reason, nearest, seen, found.margin, 1.0)

    def let_it_stand(self, turn: Turn, seen: Position) -> None:
        self.story.stand(turn, seen, "person")

    def end_turn(self, turn: Turn, position: Position) -> None:
        self.story.end(turn, position)

    def win(self, result: Score, position: Position | None, kind: str) -> None:
        self.story.win(result, position, kind)

    def take_as_it_lies(self, pair: Pair) -> None:
        assert pair.values is not None
        self.table.used = pair.serial
        self.story.roll(
            self.state.side, pair.values, pair.confidence, None, False, None, note="accepted as it lies"
        )

    def roll_by_hand(self, dice: Dice) -> None:
        self.story.roll(None, dice, 1.0, None, False, None, note="set by hand")

    def dice_are_used(self) -> None:
        if self.pair is not None:
            self.table.used = self.pair.serial

    def told(self, what: Literal["board", "position", "dice"]) -> None:
        # The hypotheses are made anew from the state after a command, so only the time out of sight is left to forget.
        if what == "board":
            self.table.unseen = 0.0

    def refuse_start(self, refused: bool) -> None:
        self.table.refused_start = refused

    def find_hidden_double(self) -> None:
        """This engine says an offer only when the cube was seen offered."""

    @property
    def cube_lies(self) -> dict[str, Any] | None:
        return self.table.cube.lies
