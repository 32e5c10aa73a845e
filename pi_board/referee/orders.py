"""What a person asks for by button, page or key: one function for each command, the same for every engine.

An order is beyond doubt, so it is carried out at once or refused in a sentence. What only an engine knows (how it ends a turn, what
it has seen) it lends as an `OrderTable`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol

from pi_board import events as ev
from pi_board.errors import InvalidError
from pi_board.events import Command, Dice, Event
from pi_board.referee.dice.pair import Pair
from pi_board.referee.explanations import Evidence, Reconciled, Turn, read_position, turn_of
from pi_board.referee.state import State, Trouble
from pi_board.rules import (
    STARTING_POSITION,
    Match,
    Position,
    RuleSet,
    Score,
    opponent,
    rule_set,
    score_pass,
    score_resignation,
)
from pi_board.table import Phase


class OrderTable(Protocol):
    """What the orders need of an engine. evidence, pair: the last look's board and dice, None when there are none."""

    @property
    def state(self) -> State: ...

    @property
    def rules(self) -> RuleSet: ...

    @property
    def evidence(self) -> Evidence | None: ...

    @property
    def pair(self) -> Pair | None: ...

    def say(self, what: type[Event], /, **fields: Any) -> None:
        """An event of this moment."""
        ...

    def start_match(self, match: Match, names: tuple[str, str]) -> None:
        """Another match, with perception begun afresh."""
        ...

    def start_game(self, position: Position) -> None: ...

    def turn(self) -> Turn:
        """The turn in hand; its position, dice and side are known."""
        ...

    def explained(self, evidence: Evidence, turn: Turn) -> Reconciled: ...

    def play(self, turn: Turn, found: Reconciled) -> None:
        """The complete legal play that `found` saw."""
        ...

    def accuse(self, turn: Turn, found: Reconciled, seen: Position) -> None: ...

    def let_it_stand(self, turn: Turn, seen: Position) -> None:
        """A play outside the law stands because a person says so."""
        ...

    def end_turn(self, turn: Turn, position: Position) -> None: ...

    def win(self, result: Score, position: Position | None, kind: str) -> None: ...

    def take_as_it_lies(self, pair: Pair) -> None:
        """The roll on the table counts although it was to be repeated."""
        ...

    def roll_by_hand(self, dice: Dice) -> None:
        """A roll that nobody saw; whose it is, is open."""
        ...

    def dice_are_used(self) -> None:
        """The dice on the table belong to a roll that is known."""
        ...

    def told(self, what: Literal["board", "position", "dice"]) -> None:
        """A person has confirmed the board, set the position or set the dice: earlier doubts about it are over."""
        ...

    def refuse_start(self, refused: bool) -> None:
        """The starting position on the board is no reason to ask again whether the game was abandoned."""
        ...

    def find_hidden_double(self) -> None:
        """Before a pass without an offer: says the offer, if the cube may have been offered unseen."""
        ...

    @property
    def cube_lies(self) -> dict[str, Any] | None:
        """The cube as it was seen, in the words of `CubeCorrected`; None when its numeral was not read."""
        ...


def obey(table: OrderTable, command: Command) -> None:
    """Carries out `command`; one that makes no sense now is refused."""
    if table.state.paused and not isinstance(command, ev.Continue | ev.Pause | ev.NewMatch):
        table.say(ev.Continued)
    order = ORDERS.get(type(command))
    if order is None:
        _refuse(table, "refused_not_now", f"{command.type} is not a command of the referee.")
    else:
        order(table, command)


def _refuse(table: OrderTable, code: str, reason: str) -> None:
    table.say(ev.Refused, code=code, reason=reason)


# -- games and matches ---------------------------------------------------------------------------------------


def _new_match(table: OrderTable, command: ev.NewMatch) -> None:
    try:
        law = table.rules if command.rules == table.rules.name else rule_set(command.rules)
        match = Match.start(law, command.match_length, several_games=command.match_length != 1)
    except InvalidError as error:
        _refuse(table, "refused_not_now", str(error))
        return
    s = table.state
    if s.in_game and s.position is not None and s.last is not None:
        table.say(ev.GameAbandoned, position=s.on_board, reason="a new match was started")
    table.start_match(match, (command.light_name, command.dark_name))


def _new_game(table: OrderTable, command: ev.NewGame) -> None:
    s = table.state
    if s.in_game:
        table.say(ev.GameAbandoned, position=s.on_board, reason="a new game was asked for")
    elif s.match.winner is not None:
        light, dark = s.names
        again = ev.NewMatch(
            rules=table.rules.name, match_length=s.match.length, light_name=light, dark_name=dark
        )
        _new_match(table, again)


def _pause(table: OrderTable, command: ev.Pause) -> None:
    if not table.state.paused:
        table.say(ev.Paused)


def _continue(table: OrderTable, command: ev.Continue) -> None:
    if table.state.paused:
        table.say(ev.Continued)
    else:
        _refuse(table, "refused_nothing", "The game is not paused.")


# -- cube and resignations -----------------------------------------------------------------------------------


def _offer_double(table: OrderTable, command: ev.OfferDouble) -> None:
    s = table.state
    side = command.side or s.side
    if not s.in_game or side is None:
        _refuse(table, "refused_no_game", "No game is running in which to double.")
        return
    objection = s.match.objection_to_double(side, on_roll=s.side, rolled=s.phase is not Phase.ROLL)
    if objection is not None:
        _refuse(table, "refused_cube", objection[1])
        return
    table.say(ev.CubeOffered, side=side, value=s.match.cube.next_value)


def _take_double(table: OrderTable, command: ev.TakeDouble) -> None:
    s = table.state
    offerer = s.match.cube.offered_by
    if s.phase is not Phase.DOUBLED or offerer is None:
        _refuse(table, "refused_not_now", "No double has been offered.")
        return
    table.say(ev.CubeTaken, side=opponent(offerer), value=s.match.cube.next_value)


def _pass_double(table: OrderTable, command: ev.PassDouble) -> None:
    if table.state.match.cube.offered_by is None:
        table.find_hidden_double()
    s = table.state
    offerer = s.match.cube.offered_by
    if s.phase is not Phase.DOUBLED or offerer is None:
        _refuse(table, "refused_not_now", "No double has been offered.")
        return
    value, position = s.match.cube.value, s.on_board
    table.say(ev.CubePassed, side=opponent(offerer), value=s.match.cube.next_value)
    table.win(score_pass(offerer, table.rules, cube=value), position, "pass")


def _resign(table: OrderTable, command: ev.Resign) -> None:
    s = table.state
    if not s.in_game or s.phase is Phase.OPENING or s.position is None or command.kind not in (1, 2, 3):
        _refuse(table, "refused_no_game", "No game is running that could be resigned.")
    elif s.phase in (Phase.DOUBLED, Phase.RESIGNED):
        _refuse(table, "refused_not_now", "Answer first what is on the table.")
    else:
        table.say(ev.ResignationOffered, side=command.side, kind=command.kind)


def _accept_resignation(table: OrderTable, command: ev.AcceptResignation) -> None:
    s = table.state
    if s.phase is not Phase.RESIGNED or s.resignation is None:
        _refuse(table, "refused_not_now", "Nobody has resigned.")
        return
    if not command.yes:
        table.say(ev.Answered, code="resignation", yes=False)
        return
    loser, kind = s.resignation
    position = s.on_board or STARTING_POSITION
    score = score_resignation(
        position, loser, kind, table.rules, cube=s.match.cube.value, jacoby=s.match.jacoby
    )
    table.win(score, position, "resigned")


# -- questions -----------------------------------------------------------------------------------------------


def _answer(table: OrderTable, command: ev.Answer) -> None:
    s = table.state
    code = s.question
    if code:
        table.say(ev.Answered, code=code, yes=command.yes)
        if code == "abandon_game":
            table.refuse_start(not command.yes)
            if command.yes:
                table.say(ev.GameAbandoned, position=s.on_board, reason="the starting position was set up")
        elif code == "cube_differs" and command.yes and table.cube_lies is not None:
            table.say(ev.CubeCorrected, **table.cube_lies)
    elif s.phase is Phase.RESIGNED:
        _accept_resignation(table, ev.AcceptResignation(yes=command.yes))
    elif s.phase is Phase.DOUBLED and command.yes:
        _take_double(table, ev.TakeDouble())
    elif s.phase is Phase.DOUBLED:
        _pass_double(table, ev.PassDouble())
    else:
        _refuse(table, "refused_nothing", "No question is open.")


def _let_stand(table: OrderTable, command: ev.LetStand) -> None:
    """The one button: it stands as it is."""
    s, pair = table.state, table.pair
    if s.question:
        _answer(table, ev.Answer(yes=True))
    elif s.phase is Phase.DOUBLED:
        _take_double(table, ev.TakeDouble())
    elif s.phase is Phase.RESIGNED:
        _accept_resignation(table, ev.AcceptResignation(yes=True))
    elif s.phase is Phase.ILLEGAL and s.board is not None and s.trouble is None:
        table.let_it_stand(table.turn(), s.board)
    elif (
        s.waits_for
        and pair is not None
        and pair.values is not None
        and s.phase in (Phase.ROLL, Phase.OPENING)
    ):
        table.take_as_it_lies(pair)
    elif s.trouble is not None and s.in_game:
        _stand_as_seen(table)
    elif s.phase is Phase.PLAYED or (s.phase is Phase.PLAY and s.side is not None and table.turn().may_pass):
        _turn_over(table)
    else:
        _refuse(table, "refused_nothing", "There is nothing to confirm.")


def _stand_as_seen(table: OrderTable) -> None:
    """What lies on the board now is what the game goes on from."""
    s = table.state
    trouble = s.trouble
    assert trouble is not None and s.position is not None
    table.told("board")
    base = trouble.expected or s.on_board or s.position
    seen = read_position(table.evidence, base)[0] if table.evidence is not None else None
    seen = seen or trouble.seen
    if trouble.doubts == "side" and s.dice is not None and s.side is not None and seen is not None:
        other = turn_of(s.position, s.dice, opponent(s.side), table.rules)
        if other.play_to(seen) is not None:
            _played(table, other, seen)
            return
    if seen is None:
        _refuse(
            table,
            "refused_cannot_read",
            "The board cannot be read well enough: set the position by hand.",
        )
    elif s.phase in (Phase.PLAY, Phase.PLAYED, Phase.ILLEGAL) and s.dice is not None and s.side is not None:
        turn = table.turn()
        play = turn.play_to(seen)
        if play is not None and play.moves:
            _played(table, turn, seen)
        elif seen == turn.before and s.phase is Phase.PLAY and not _asked_whether_it_is_over(trouble, seen):
            table.say(ev.Resolved)
        else:
            table.let_it_stand(turn, seen)
    else:
        table.say(ev.PositionCorrected, position=seen, side=s.side, by="person")


def _asked_whether_it_is_over(trouble: Trouble, seen: Position) -> bool:
    """The question was in place of red: that nothing has been played. Who confirms it means that the turn is over."""
    return trouble.code == "doubt_finished" or (trouble.code.startswith("doubt_") and trouble.seen == seen)


def _played(table: OrderTable, turn: Turn, seen: Position) -> None:
    play = turn.play_to(seen)
    assert play is not None
    table.say(
        ev.PlayMade, side=turn.side, dice=turn.dice, play=str(play), moves=tuple(play.moves), position=seen
    )


# -- turns ---------------------------------------------------------------------------------------------------


def _turn_over(table: OrderTable) -> None:
    turn = table.turn()
    table.end_turn(turn, table.state.board or turn.before)


def _end_turn(table: OrderTable, command: ev.EndTurn) -> None:
    """The turn button says what lifting the dice says."""
    s = table.state
    if s.side is None or s.phase not in (Phase.PLAY, Phase.PLAYED, Phase.ILLEGAL):
        _refuse(table, "refused_not_now", "No play is to be finished now.")
    elif command.side is not None and command.side != s.side:
        _refuse(table, "refused_not_now", f"It is {s.side}'s turn.")
    elif s.phase is Phase.ILLEGAL and s.board is not None:
        table.let_it_stand(table.turn(), s.board)
    elif s.phase is Phase.PLAYED or table.turn().may_pass:
        _turn_over(table)
    else:
        turn, evidence = table.turn(), table.evidence
        found = table.explained(evidence, turn) if evidence is not None else None
        if found is not None and found.kind == "legal" and found.play is not None:
            table.play(turn, found)
            if table.state.phase is Phase.PLAYED:
                _turn_over(table)
        elif found is not None and found.position is not None:
            table.accuse(turn, found, found.position)
        else:
            _refuse(table, "refused_cannot_read", "The play cannot be read yet.")


def _take_back(table: OrderTable, command: ev.TakeBack) -> None:
    """A play is to be corrected on demand: the turn is open again, unless the opponent has rolled."""
    s = table.state
    if s.phase in (Phase.PLAYED, Phase.ILLEGAL) and s.side is not None and s.position is not None:
        table.say(ev.PlayTakenBack, side=s.side, position=s.position)
    elif s.phase is Phase.ROLL and s.last is not None:
        # At some tables a turn that is over leaves an illegal play final.
        if not s.last.legal and table.rules.correctable_until == "turn_ended":
            _refuse(table, "refused_not_now", "The turn is over: the play stands.")
        else:
            table.say(ev.TurnReopened, side=s.last.side, dice=s.last.dice, position=s.last.position)
    elif s.phase is Phase.PLAY and s.last is not None:
        _refuse(table, "refused_rolled", "The dice have been rolled: the play stands.")
    else:
        _refuse(table, "refused_not_now", "There is no play to take back.")


# -- by hand -------------------------------------------------------------------------------------------------


def _set_position(table: OrderTable, command: ev.SetPosition) -> None:
    s, side = table.state, command.side
    table.told("position")
    if not s.in_game:
        table.start_game(command.position)
        if side is not None:
            table.say(ev.PositionCorrected, position=command.position, side=side)
        return
    if side is None and s.phase in (Phase.PLAYED, Phase.ILLEGAL) and s.side is not None:
        side = opponent(s.side)
    if side is None and s.phase in (Phase.ROLL, Phase.DOUBLED, Phase.RESIGNED):
        side = s.side
    if side is not None:
        table.dice_are_used()
    table.say(ev.PositionCorrected, position=command.position, side=side)


def _set_dice(table: OrderTable, command: ev.SetDice) -> None:
    s = table.state
    try:
        a, b = command.dice
        if not (a in range(1, 7) and b in range(1, 7)):
            raise InvalidError("dice")
    except (TypeError, ValueError):
        reason = f"dice: expected two numbers from 1 to 6, got {command.dice!r}"
        _refuse(table, "refused_not_now", reason)
        return
    if s.phase not in (Phase.OPENING, Phase.ROLL, Phase.PLAY, Phase.PLAYED, Phase.ILLEGAL):
        _refuse(table, "refused_not_now", "No dice are to be rolled now.")
        return
    table.dice_are_used()
    dice, side = (max(a, b), min(a, b)), command.side or s.side
    if side is None:
        table.roll_by_hand(dice)
    else:
        table.say(ev.DiceCorrected, side=side, dice=dice)
    table.told("dice")


ORDERS: dict[type[Command], Callable[[OrderTable, Any], None]] = {
    ev.NewMatch: _new_match,
    ev.NewGame: _new_game,
    ev.Pause: _pause,
    ev.Continue: _continue,
    ev.OfferDouble: _offer_double,
    ev.TakeDouble: _take_double,
    ev.PassDouble: _pass_double,
    ev.Resign: _resign,
    ev.AcceptResignation: _accept_resignation,
    ev.Answer: _answer,
    ev.LetStand: _let_stand,
    ev.EndTurn: _end_turn,
    ev.TakeBack: _take_back,
    ev.SetPosition: _set_position,
    ev.SetDice: _set_dice,
}
