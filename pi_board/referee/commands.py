"""What a person asks for by button, page or key."""

from __future__ import annotations

from pi_board import events as ev
from pi_board.errors import InvalidError
from pi_board.events import Command
from pi_board.referee.part import Part
from pi_board.referee.reconcile import read_position, turn_of
from pi_board.rules import SIDES, STARTING_POSITION, Match, opponent, rule_set, score_pass, score_resignation
from pi_board.table import Phase


class TableCommands(Part):
    """Each command, obeyed or refused in a sentence."""

    def obey(self, command: Command) -> None:
        """Does what a person asks for; a command that makes no sense now is refused."""
        if isinstance(command, ev.NewMatch):
            self._new_match(command)
            return
        if self.state.paused and not isinstance(command, ev.Continue | ev.Pause):
            self.say(ev.Continued)
        handler = {
            ev.LetStand: self._command_let_stand,
            ev.TakeBack: self._command_take_back,
            ev.EndTurn: self._command_end_turn,
            ev.SetPosition: self._command_set_position,
            ev.SetDice: self._command_set_dice,
            ev.OfferDouble: self._command_offer_double,
            ev.TakeDouble: self._command_take_double,
            ev.PassDouble: self._command_pass_double,
            ev.Resign: self._command_resign,
            ev.AcceptResignation: self._command_accept_resignation,
            ev.Answer: self._command_answer,
            ev.NewGame: self._command_new_game,
            ev.Pause: self._command_pause,
            ev.Continue: self._command_continue,
        }.get(type(command))
        if handler is None:
            self._refuse("refused_not_now", f"{command.type} is not a command of the referee.")
        else:
            before = self.state.what_is_played
            handler(command)  # type: ignore[operator]
            if self.state.what_is_played != before:
                self.second_opinion.follow()
        self.looks.touched()

    def _refuse(self, code: str, reason: str) -> None:
        self.say(ev.Refused, code=code, reason=reason)

    def _new_match(self, command: ev.NewMatch) -> None:
        try:
            law = self.rules if command.rules == self.rules.name else rule_set(command.rules)
            match = Match.start(law, command.match_length, several_games=command.match_length != 1)
        except InvalidError as error:
            self._refuse("refused_not_now", str(error))
            return
        if self.state.in_game and self.state.position is not None and self.state.last is not None:
            self.say(ev.GameAbandoned, position=self.state.on_board, reason="a new match was started")
        self.table.forget()
        self.table.start_match(match, (command.light_name, command.dark_name))

    def _command_let_stand(self, command: ev.LetStand) -> None:
        """The one button: it stands as it is."""
        s = self.state
        if s.question:
            self._command_answer(ev.Answer(yes=True))
        elif s.phase is Phase.DOUBLED:
            self._command_take_double(ev.TakeDouble())
        elif s.phase is Phase.RESIGNED:
            self._command_accept_resignation(ev.AcceptResignation(yes=True))
        elif s.phase is Phase.ILLEGAL and s.board is not None and s.trouble is None:
            self.faults.let_it_stand(self.looks.turn(), s.board, None, "person")
        elif (
            s.waits_for
            and self.looks.dice.pair is not None
            and self.looks.dice.pair.values is not None
            and s.phase in (Phase.ROLL, Phase.OPENING)
        ):
            self.rolls.thrown(self.looks.dice.pair, note="accepted as it lies")
        elif s.trouble is not None and s.in_game:
            self._stand_as_seen()
        elif s.phase is Phase.PLAYED:
            self._turn_over_by_button()
        elif s.phase is Phase.PLAY and s.side is not None and self.looks.turn().may_pass:
            self._turn_over_by_button()
        else:
            self._refuse("refused_nothing", "There is nothing to confirm.")

    def _stand_as_seen(self) -> None:
        """What lies on the board now is what the game goes on from."""
        s = self.state
        trouble = s.trouble
        assert trouble is not None and s.position is not None
        # A person has confirmed the board, which is as good as having seen the turn.
        self.looks.out_of_sight = 0.0
        self.looks.grounds.told()
        self.looks.alternatives.forget()
        base = trouble.expected or s.on_board or s.position
        seen = read_position(self.looks.evidence, base)[0] if self.looks.evidence is not None else None
        seen = seen or trouble.seen
        if trouble.doubts == "side" and s.dice is not None and s.side is not None and seen is not None:
            other = turn_of(s.position, s.dice, opponent(s.side), self.rules)
            play = other.play_to(seen)
            if play is not None:
                self.say(
                    ev.PlayMade, side=other.side, dice=other.dice, play=str(play), moves=tuple(play.moves), position=seen
                )  # fmt: skip
                return
        if seen is None:
            self._refuse(
                "refused_cannot_read", "The board cannot be read well enough: set the position by hand."
            )
            return
        if s.phase in (Phase.PLAY, Phase.PLAYED, Phase.ILLEGAL) and s.dice is not None and s.side is not None:
            turn = self.looks.turn()
            play = turn.play_to(seen)
            if play is not None and play.moves:
                self.say(
                    ev.PlayMade, side=turn.side, dice=turn.dice, play=str(play), moves=tuple(play.moves), position=seen
                )  # fmt: skip
            elif seen == turn.before and s.phase is Phase.PLAY and trouble.code != "doubt_finished":
                self.say(ev.Resolved)
            else:
                self.faults.let_it_stand(turn, seen, None, "person")
        else:
            self.say(ev.PositionCorrected, position=seen, side=s.side, by="person")

    def _turn_over_by_button(self) -> None:
        s = self.state
        turn = self.looks.turn()
        position = s.board or turn.before
        self.turns.end_turn(turn, turn.play_to(position), position, None)

    def _command_end_turn(self, command: ev.EndTurn) -> None:
        """The turn button says what lifting the dice says."""
        s = self.state
        if s.side is None or s.phase not in (Phase.PLAY, Phase.PLAYED, Phase.ILLEGAL):
            self._refuse("refused_not_now", "No play is to be finished now.")
        elif command.side is not None and command.side != s.side:
            self._refuse("refused_not_now", f"It is {s.side}'s turn.")
        elif s.phase is Phase.ILLEGAL and s.board is not None:
            self.faults.let_it_stand(self.looks.turn(), s.board, None, "person")
        elif s.phase is Phase.PLAYED or self.looks.turn().may_pass:
            self._turn_over_by_button()
        else:
            turn = self.looks.turn()
            found = (
                self.looks.reconcile(self.looks.evidence, turn) if self.looks.evidence is not None else None
            )
            if found is not None and found.kind == "legal":
                self.turns.lawful_play(turn, found)
                if self.state.phase is Phase.PLAYED:
                    self._turn_over_by_button()
            elif found is not None and found.position is not None:
                self.faults.accuse(turn, found, found.position)
            else:
                self._refuse("refused_cannot_read", "The play cannot be read yet.")

    def _command_take_back(self, command: ev.TakeBack) -> None:
        """A play is to be corrected on demand: the turn is open again, unless the opponent has rolled."""
        s = self.state
        if s.phase in (Phase.PLAYED, Phase.ILLEGAL) and s.side is not None and s.position is not None:
            self.say(ev.PlayTakenBack, side=s.side, position=s.position)
        elif s.phase is Phase.ROLL and s.last is not None and self._is_final(s.last.legal):
            self._refuse("refused_not_now", "The turn is over: the play stands.")
        elif s.phase is Phase.ROLL and s.last is not None:
            self.say(ev.TurnReopened, side=s.last.side, dice=s.last.dice, position=s.last.position)
        elif s.phase is Phase.PLAY and s.last is not None:
            self._refuse("refused_rolled", "The dice have been thrown: the play stands.")
        else:
            self._refuse("refused_not_now", "There is no play to take back.")

    def _is_final(self, legal: bool) -> bool:
        """A turn that is over leaves an illegal play final at this table."""
        return not legal and self.rules.correctable_until == "turn_ended"

    def _command_set_position(self, command: ev.SetPosition) -> None:
        s = self.state
        self.looks.out_of_sight = 0.0
        self.looks.grounds.told()
        self.looks.alternatives.forget()
        if not s.in_game:
            self.start.start_game(command.position)
            if command.side is not None or command.position != STARTING_POSITION:
                side = command.side
                if side is not None:
                    self.say(ev.PositionCorrected, position=command.position, side=side)
            return
        side = command.side
        if side is None and s.phase in (Phase.PLAYED, Phase.ILLEGAL) and s.side is not None:
            side = opponent(s.side)
        if side is None and s.phase in (Phase.ROLL, Phase.DOUBLED, Phase.RESIGNED):
            side = s.side
        if self.looks.dice.pair is not None and side is not None:
            self.looks.used = self.looks.dice.pair.serial
        self.say(ev.PositionCorrected, position=command.position, side=side)

    def _command_set_dice(self, command: ev.SetDice) -> None:
        s = self.state
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
        if self.looks.dice.pair is not None:
            self.looks.used = self.looks.dice.pair.serial
        dice = (max(a, b), min(a, b))
        if side is None:
            self.rolls.roll(None, dice, 1.0, "set by hand")
        else:
            self.say(ev.DiceCorrected, side=side, dice=dice)
            self.looks.dice_lay, self.looks.unplayed = self.looks.dice_lie, False
        self.looks.grounds.told()
        self.looks.alternatives.forget()

    def _command_offer_double(self, command: ev.OfferDouble) -> None:
        s = self.state
        side = command.side or s.side
        if not s.in_game or side is None:
            self._refuse("refused_no_game", "No game is running in which to double.")
            return
        objection = s.match.objection_to_double(side, on_roll=s.side, rolled=s.phase is not Phase.ROLL)
        if objection is not None:
            self._refuse("refused_cube", objection[1])
            return
        self.say(ev.CubeOffered, side=side, value=s.match.cube.next_value)

    def _command_take_double(self, command: ev.TakeDouble) -> None:
        s = self.state
        offerer = s.match.cube.offered_by
        if s.phase is not Phase.DOUBLED or offerer is None:
            self._refuse("refused_not_now", "No double has been offered.")
            return
        self.say(ev.CubeTaken, side=opponent(offerer), value=s.match.cube.next_value)

    def _command_pass_double(self, command: ev.PassDouble) -> None:
        s = self.state
        offerer = s.match.cube.offered_by
        if offerer is None and not self.doubling.rests:
            self.doubling.over_by_doubling()
            s = self.state
        if offerer is None and self.doubling.may_be_offered and s.side is not None:
            # Hands were at the board since the cube was last seen in its place, so it was offered while
            # hidden from view.
            self.say(ev.CubeOffered, side=s.side, value=s.match.cube.next_value)
            s, offerer = self.state, s.side
        if s.phase is not Phase.DOUBLED or offerer is None:
            self._refuse("refused_not_now", "No double has been offered.")
            return
        value = s.match.cube.value
        position = s.on_board
        self.say(ev.CubePassed, side=opponent(offerer), value=s.match.cube.next_value)
        self.turns.win(score_pass(offerer, self.rules, cube=value), position, "pass")

    def _command_resign(self, command: ev.Resign) -> None:
        s = self.state
        if not s.in_game or s.phase is Phase.OPENING or s.position is None or command.kind not in (1, 2, 3):
            self._refuse("refused_no_game", "No game is running that could be resigned.")
            return
        if s.phase in (Phase.DOUBLED, Phase.RESIGNED):
            self._refuse("refused_not_now", "Answer first what is on the table.")
            return
        self.say(ev.ResignationOffered, side=command.side, kind=command.kind)

    def _command_accept_resignation(self, command: ev.AcceptResignation) -> None:
        s = self.state
        if s.phase is not Phase.RESIGNED or s.resignation is None:
            self._refuse("refused_not_now", "Nobody has resigned.")
            return
        if not command.yes:
            self.say(ev.Answered, code="resignation", yes=False)
            return
        loser, kind = s.resignation
        position = s.on_board or STARTING_POSITION
        score = score_resignation(
            position, loser, kind, self.rules, cube=s.match.cube.value, jacoby=s.match.jacoby
        )
        self.turns.win(score, position, "resigned")

    def _command_answer(self, command: ev.Answer) -> None:
        s = self.state
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
        self.say(ev.Answered, code=code, yes=command.yes)
        if code == "abandon_game":
            self.start.refused_start = not command.yes
            if command.yes:
                self.say(ev.GameAbandoned, position=s.on_board, reason="the starting position was set up")
        elif code == "cube_differs" and command.yes and isinstance(self.doubling.key, tuple):
            place, value = self.doubling.key
            if value is not None:
                self.say(ev.CubeCorrected, value=value, owner=place if place in SIDES else None)

    def _command_new_game(self, command: ev.NewGame) -> None:
        s = self.state
        if s.in_game:
            self.say(ev.GameAbandoned, position=s.on_board, reason="a new game was asked for")
        elif s.match.winner is not None:
            self._new_match(
                ev.NewMatch(
                    rules=self.rules.name,
                    match_length=s.match.length,
                    light_name=s.names[0],
                    dark_name=s.names[1],
                )
            )

    def _command_pause(self, command: ev.Pause) -> None:
        if not self.state.paused:
            self.say(ev.Paused)

    def _command_continue(self, command: ev.Continue) -> None:
        if self.state.paused:
            self.say(ev.Continued)
        else:
            self._refuse("refused_nothing", "The game is not paused.")
