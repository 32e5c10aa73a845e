"""What the step-by-step referee lends to the orders of people (`orders`)."""

from __future__ import annotations

from typing import Any, Literal

from pi_board import events as ev
from pi_board.events import Command, Dice
from pi_board.referee import orders
from pi_board.referee.dice.pair import Pair
from pi_board.referee.explanations import Evidence, Reconciled, Turn
from pi_board.referee.seeing_part import SeeingPart
from pi_board.rules import SIDES, Match, Position, Score


class TableCommands(SeeingPart):
    """An `orders.OrderTable` over the referee's parts."""

    def obey(self, command: Command) -> None:
        """Does what a person asks for; a command that makes no sense now is refused."""
        before = self.state.what_is_played
        orders.obey(self, command)
        if isinstance(command, ev.NewMatch):
            return
        if self.state.what_is_played != before:
            self.second_opinion.follow()
        self.looks.touched()

    @property
    def evidence(self) -> Evidence | None:
        return self.looks.evidence

    @property
    def pair(self) -> Pair | None:
        return self.looks.dice.pair

    def start_match(self, match: Match, names: tuple[str, str]) -> None:
        self.table.forget()
        self.table.start_match(match, names)

    def start_game(self, position: Position) -> None:
        self.start.start_game(position)

    def turn(self) -> Turn:
        return self.looks.turn()

    def explained(self, evidence: Evidence, turn: Turn) -> Reconciled:
        return self.looks.reconcile(evidence, turn)

    def play(self, turn: Turn, found: Reconciled) -> None:
        self.turns.lawful_play(turn, found)

    def accuse(self, turn: Turn, found: Reconciled, seen: Position) -> None:
        self.faults.accuse(turn, found, seen)

    def let_it_stand(self, turn: Turn, seen: Position) -> None:
        self.faults.let_it_stand(turn, seen, None, "person")

    def end_turn(self, turn: Turn, position: Position) -> None:
        self.turns.end_turn(turn, turn.play_to(position), position, None)

    def win(self, result: Score, position: Position | None, kind: str) -> None:
        self.turns.win(result, position, kind)

    def take_as_it_lies(self, pair: Pair) -> None:
        self.rolls.rolled(pair, note="accepted as it lies")

    def roll_by_hand(self, dice: Dice) -> None:
        self.rolls.roll(None, dice, 1.0, "set by hand")

    def dice_are_used(self) -> None:
        if self.looks.dice.pair is not None:
            self.looks.used = self.looks.dice.pair.serial

    def told(self, what: Literal["board", "position", "dice"]) -> None:
        if what == "dice":
            self.looks.dice_lay, self.looks.unplayed = self.looks.dice_lie, False
            self.looks.read_first = self.looks.rolled = None
        else:
            # A person has said what lies on the board, which is as good as having seen the turn.
            self.looks.out_of_sight = 0.0
        self.looks.grounds.told()
        self.looks.alternatives.forget()

    def refuse_start(self, refused: bool) -> None:
        self.start.refused_start = refused

    def find_hidden_double(self) -> None:
        if not self.doubling.rests:
            self.doubling.over_by_doubling()
        if self.doubling.may_be_offered:
            # Hands were at the board since the cube was last seen in its place, so it was offered while
            # hidden from view.
            self.say(ev.CubeOffered, side=self.state.side, value=self.state.match.cube.next_value)

    @property
    def cube_lies(self) -> dict[str, Any] | None:
        key = self.doubling.key
        if key is None or key[1] is None:
            return None
        place, value = key
        return {"value": value, "owner": place if place in SIDES else None}
