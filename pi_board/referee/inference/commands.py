"""What a person asks for by button, page or key: an order, and so obeyed at once and beyond doubt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pi_board import events as ev
from pi_board.errors import InvalidError
from pi_board.events import Command
from pi_board.referee.inference.hypotheses import turn
from pi_board.referee.reasons import reason_of
from pi_board.referee.reconcile import Reconciled, Turn, read_position, reconcile
from pi_board.rules import (
    STARTING_POSITION,
    Match,
    opponent,
    rule_set,
    score_pass,
    score_resignation,
)
from pi_board.table import Phase

if TYPE_CHECKING:
    from pi_board.referee.inference.referee import FilterReferee


class Answers:
    """The cube, resignations, questions, games and matches."""

    def __init__(self, table: FilterReferee) -> None:
        self.table, self.story = table, table.story

    def _refuse(self, code: str, reason: str) -> None:
        self.story.say(ev.Refused, code=code, reason=reason)

    def _new_match(self, command: ev.NewMatch) -> None:
        try:
            law = self.table.rules if command.rules == self.table.rules.name else rule_set(command.rules)
            match = Match.start(law, command.match_length, several_games=command.match_length != 1)
        except InvalidError as error:
            self._refuse("refused_not_now", str(error))
            return
        if (
            self.table.state.in_game
            and self.table.state.position is not None
            and self.table.state.last is not None
        ):
            self.story.say(
                ev.GameAbandoned, position=self.table.state.on_board, reason="a new match was started"
            )
        self.table.forget()
        self.table.start_match(match, (command.light_name, command.dark_name))

    def _command_offer_double(self, command: ev.OfferDouble) -> None:
        s = self.table.state
        side = command.side or s.side
        if not s.in_game or side is None:
            self._refuse("refused_no_game", "No game is running in which to double.")
            return
        objection = s.match.objection_to_double(side, on_roll=s.side, rolled=s.phase is not Phase.ROLL)
        if objection is not None:
            self._refuse("refused_cube", objection[1])
            return
        self.story.say(ev.CubeOffered, side=side, value=s.match.cube.next_value)

    def _command_take_double(self, command: ev.TakeDouble) -> None:
        s = self.table.state
        offerer = s.match.cube.offered_by
        if s.phase is not Phase.DOUBLED or offerer is None:
            self._refuse("refused_not_now", "No double has been offered.")
            return
        self.story.say(ev.CubeTaken, side=opponent(offerer), value=s.match.cube.next_value)

    def _command_pass_double(self, command: ev.PassDouble) -> None:
        s = self.table.state
        offerer = s.match.cube.offered_by
        if s.phase is not Phase.DOUBLED or offerer is None:
            self._refuse("refused_not_now", "No double has been offered.")
            return
        value = s.match.cube.value
        position = s.on_board
        self.story.say(ev.CubePassed, side=opponent(offerer), value=s.match.cube.next_value)
        self.story.win(score_pass(offerer, self.table.rules, cube=value), position, "pass")

    def _command_resign(self, command: ev.Resign) -> None:
        s = self.table.state
        if not s.in_game or s.phase is Phase.OPENING or s.position is None or command.kind not in (1, 2, 3):
            self._refuse("refused_no_game", "No game is running that could be resigned.")
            return
        if s.phase in (Phase.DOUBLED, Phase.RESIGNED):
            self._refuse("refused_not_now", "Answer first what is on the table.")
            return
        self.story.say(ev.ResignationOffered, side=command.side, kind=command.kind)

    def _command_accept_resignation(self, command: ev.AcceptResignation) -> None:
        s = self.table.state
        if s.phase is not Phase.RESIGNED or s.resignation is None:
            self._refuse("refused_not_now", "Nobody has resigned.")
            return
        if not command.yes:
            self.story.say(ev.Answered, code="resignation", yes=False)
            return
        loser, kind = s.resignation
        position = s.on_board or STARTING_POSITION
        score = score_resignation(
            position, loser, kind, self.table.rules, cube=s.match.cube.value, jacoby=s.match.jacoby
        )
        self.story.win(score, position, "resigned")

    def _command_answer(self, command: ev.Answer) -> None:
        s = self.table.state
        if not s.question:
            if s.phase is Phase.RESIGNED:
                self._command_accept_resignation(ev.AcceptResignation(yes=command.yes))
            elif s.phase is Phase.DOUBLED:
                if command.yes:
                    self._command_take_double(ev.TakeDouble())
                else:
                    self._command_pass_double(ev.PassDouble())
            else:
                self._refuse("refused_nothing", "No question is open.")
            return
        code = s.question
        self.story.say(ev.Answered, code=code, yes=command.yes)
        if code == "abandon_game":
            self.table.refused_start = not command.yes
            if command.yes:
                self.story.say(
                    ev.GameAbandoned, position=s.on_board, reason="the starting position was set up"
                )
        elif code == "cube_differs" and command.yes and self.table.cube.lies is not None:
            self.story.say(ev.CubeCorrected, **self.table.cube.lies)

    def _command_new_game(self, command: ev.NewGame) -> None:
        s = self.table.state
        if s.in_game:
            self.story.say(ev.GameAbandoned, position=s.on_board, reason="a new game was asked for")
        elif s.match.winner is not None:
            self._new_match(
                ev.NewMatch(
                    rules=self.table.rules.name,
                    match_length=s.match.length,
                    light_name=s.names[0],
                    dark_name=s.names[1],
                )
            )

    def _command_pause(self, command: ev.Pause) -> None:
        if not self.table.state.paused:
            self.story.say(ev.Paused)

    def _command_continue(self, command: ev.Continue) -> None:
        if self.table.state.paused:
            self.story.say(ev.Continued)
        else:
            self._refuse("refused_nothing", "The game is not paused.")


class Commands(Answers):
    """`carry_out` a command; one that makes no sense now gives one `Refused`."""

    def carry_out(self, command: Command) -> None:
        if isinstance(command, ev.NewMatch):
            self._new_match(command)
            return
        if self.table.state.paused and not isinstance(command, ev.Continue | ev.Pause):
            self.story.say(ev.Continued)
        handler = getattr(self, f"_command_{command.type}", None)
        if handler is None:
            self._refuse("refused_not_now", f"{command.type} is not a command of the referee.")
        else:
            handler(command)

    def _explained(self, of: Turn) -> Reconciled | None:
        evidence, options = self.table.evidence, self.table.options
        if evidence is None:
            return None
        return reconcile(evidence, of, red_margin=options.red_margin, slack=options.slack)

    def _accept_throw(self) -> None:
        """A roll that was to be repeated is taken as it lies."""
        s, pair = self.table.state, self.table.dice.pair
        assert pair is not None and pair.values is not None
        self.table.used = pair.serial
        self.story.roll(s.side, pair.values, pair.confidence, None, False, None, note="accepted as it lies")

    def _command_let_stand(self, command: ev.LetStand) -> None:
        """The one button: it stands as it is."""
        s = self.table.state
        if s.question:
            self._command_answer(ev.Answer(yes=True))
        elif s.phase is Phase.DOUBLED:
            self._command_take_double(ev.TakeDouble())
        elif s.phase is Phase.RESIGNED:
            self._command_accept_resignation(ev.AcceptResignation(yes=True))
        elif s.phase is Phase.ILLEGAL and s.board is not None and s.trouble is None:
            self.story.stand(self._turn(), s.board, "person")
        elif (
            s.waits_for
            and self.table.dice.pair is not None
            and self.table.dice.pair.values is not None
            and s.phase in (Phase.ROLL, Phase.OPENING)
        ):
            self._accept_throw()
        elif s.trouble is not None and s.in_game:
            self._stand_as_seen()
        elif s.phase is Phase.PLAYED:
            self._turn_over_by_button()
        elif s.phase is Phase.PLAY and s.side is not None and self._turn().may_pass:
            self._turn_over_by_button()
        else:
            self._refuse("refused_nothing", "There is nothing to confirm.")

    def _stand_as_seen(self) -> None:
        """What lies on the board now is what the game goes on from."""
        s = self.table.state
        trouble = s.trouble
        assert trouble is not None and s.position is not None
        # A person has looked at the board: that is as good as having seen the turn.
        self.table.unseen = 0.0
        base = trouble.expected or s.on_board or s.position
        seen = read_position(self.table.evidence, base)[0] if self.table.evidence is not None else None
        seen = seen or trouble.seen
        if trouble.doubts == "side" and s.dice is not None and s.side is not None and seen is not None:
            other = turn(s.position, s.dice, opponent(s.side), self.table.rules)
            play = other.play_to(seen)
            if play is not None:
                self.story.say(
                    ev.PlayMade, side=other.side, dice=other.dice, play=str(play), moves=tuple(play.moves), position=seen
                )  # fmt: skip
                return
        if seen is None:
            self._refuse(
                "refused_cannot_read", "The board cannot be read well enough: set the position by hand."
            )
            return
        if s.phase in (Phase.PLAY, Phase.PLAYED, Phase.ILLEGAL) and s.dice is not None and s.side is not None:
            of = self._turn()
            play = of.play_to(seen)
            if play is not None and play.moves:
                self.story.say(
                    ev.PlayMade, side=of.side, dice=of.dice, play=str(play), moves=tuple(play.moves), position=seen
                )  # fmt: skip
            elif seen == of.before and s.phase is Phase.PLAY:
                self.story.say(ev.Resolved)
            else:
                self.story.stand(of, seen, "person")
        else:
            self.story.say(ev.PositionCorrected, position=seen, side=s.side, by="person")

    def _turn(self) -> Turn:
        s = self.table.state
        assert s.position is not None and s.dice is not None and s.side is not None
        return turn(s.position, s.dice, s.side, self.table.rules)

    def _turn_over_by_button(self) -> None:
        s = self.table.state
        of = self._turn()
        self.story.end(of, s.board or of.before)

    def _command_end_turn(self, command: ev.EndTurn) -> None:
        """The turn button says what lifting the dice says."""
        s = self.table.state
        if s.side is None or s.phase not in (Phase.PLAY, Phase.PLAYED, Phase.ILLEGAL):
            self._refuse("refused_not_now", "No play is to be finished now.")
        elif command.side is not None and command.side != s.side:
            self._refuse("refused_not_now", f"It is {s.side}'s turn.")
        elif s.phase is Phase.ILLEGAL and s.board is not None:
            self.story.stand(self._turn(), s.board, "person")
        elif s.phase is Phase.PLAYED or self._turn().may_pass:
            self._turn_over_by_button()
        else:
            of = self._turn()
            found = self._explained(of)
            if found is not None and found.kind == "legal" and found.play is not None:
                self.story.play(of, found.play, found.margin)
                if self.table.state.phase is Phase.PLAYED:
                    self._turn_over_by_button()
            elif found is not None and found.position is not None:
                code, reason, nearest = reason_of(of, found, found.position, self.table.rules)
                self.story.accuse(of, code, reason, nearest, found.position, found.margin, 1.0)
            else:
                self._refuse("refused_cannot_read", "The play cannot be read yet.")

    def _command_take_back(self, command: ev.TakeBack) -> None:
        """A play is to be corrected on demand: the turn is open again, unless the opponent has rolled."""
        s = self.table.state
        if s.phase in (Phase.PLAYED, Phase.ILLEGAL) and s.side is not None and s.position is not None:
            self.story.say(ev.PlayTakenBack, side=s.side, position=s.position)
        elif s.phase is Phase.ROLL and s.last is not None:
            self.story.say(ev.TurnReopened, side=s.last.side, dice=s.last.dice, position=s.last.position)
        elif s.phase is Phase.PLAY and s.last is not None:
            self._refuse("refused_rolled", "The dice have been thrown: the play stands.")
        else:
            self._refuse("refused_not_now", "There is no play to take back.")

    def _command_set_position(self, command: ev.SetPosition) -> None:
        s = self.table.state
        if not s.in_game:
            self.story.start(command.position)
            if command.side is not None or command.position != STARTING_POSITION:
                side = command.side
                if side is not None:
                    self.story.say(ev.PositionCorrected, position=command.position, side=side)
            return
        side = command.side
        if side is None and s.phase in (Phase.PLAYED, Phase.ILLEGAL) and s.side is not None:
            side = opponent(s.side)
        if side is None and s.phase in (Phase.ROLL, Phase.DOUBLED, Phase.RESIGNED):
            side = s.side
        if self.table.dice.pair is not None and side is not None:
            self.table.used = self.table.dice.pair.serial
        self.story.say(ev.PositionCorrected, position=command.position, side=side)

    def _command_set_dice(self, command: ev.SetDice) -> None:
        s = self.table.state
        try:
            a, b = command.dice
            if not (a in range(1, 7) and b in range(1, 7)):
                raise InvalidError("dice")
        except (TypeError, ValueError):
            self._refuse("refused_not_now", f"dice: expected two numbers from 1 to 6, got {command.dice!r}")
            return
        side = command.side or s.side
        if s.phase not in (Phase.OPENING, Phase.ROLL, Phase.PLAY, Phase.PLAYED, Phase.ILLEGAL):
            self._refuse("refused_not_now", "No dice are to be thrown now.")
            return
        if self.table.dice.pair is not None:
            self.table.used = self.table.dice.pair.serial
        dice = (max(a, b), min(a, b))
        if side is None:
            self.story.roll(None, dice, 1.0, None, False, None, note="set by hand")
        else:
            self.story.say(ev.DiceCorrected, side=side, dice=dice)
