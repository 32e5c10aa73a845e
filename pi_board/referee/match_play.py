"""A match around the referee: what the players agreed on, their clocks, challenges, and what of it all is told.

Same interface as the referee, which it asks and never overrules: pictures and commands in, events out. Pure: time is passed in.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pi_board import events as ev
from pi_board.events import Command, Event
from pi_board.referee.announce import Announcer
from pi_board.referee.engines import AnyReferee
from pi_board.referee.explanations import Evidence, read_position
from pi_board.referee.match_options import MODES, ClockOptions, MatchOptions, Mode
from pi_board.referee.messages import changes, sentence
from pi_board.referee.state import State
from pi_board.referee.timekeeper import BEFORE_THE_CUT, STILL, DiceTimes, Timekeeper
from pi_board.rules import SIDES, STARTING_POSITION, Side, opponent, winner
from pi_board.sighting import Sighting
from pi_board.table import Phase, TableView, VerdictColour

#: Phases in which a play is in hand.
IN_HAND = (Phase.PLAY, Phase.PLAYED, Phase.ILLEGAL)
#: Notes of a roll whose dice were not read where they lay: that dice were lifted says nothing of these.
UNREAD = ("taken from the play", "played although to be thrown again", "seen once")
#: Settled looks after which dice that lie there again were never lifted.
BACK_AGAIN = 3
#: Checkers (at most) that are named when the next game is set up wrongly, and seconds between two looks at it.
FEW, SECONDS_BETWEEN_SET_UPS = 3, 1.0


class MatchPlay:
    """match None: a table that agrees on nothing (legal moves, hints for whoever asks). clock None: no clock.

    still: seconds for which vision wants a scene to be still before it is read.
    """

    def __init__(
        self,
        referee: AnyReferee,
        match: MatchOptions | None = None,
        clock: ClockOptions | None = None,
        *,
        still: float = STILL,
    ) -> None:
        self.referee = referee
        self.options, self.clock_options = match, clock or ClockOptions()
        looks = referee.options
        self.keeper = Timekeeper(
            seen=DiceTimes(still, agree_looks=looks.agree_looks, lift_looks=looks.lift_looks)
        )
        self.announcer = Announcer()
        self._now = 0.0
        self._events: list[Event] = []
        self.told: tuple[Event, ...] = ()
        self.hints = True
        self._agreed = True
        #: What the table is asked before the first roll: "mode", "light", "dark"; and what was answered so far.
        self._steps: list[str] = []
        self._offered: Mode = "legal"
        self._challenger: Side | None = None
        self._answered: ev.ChallengeAnswered | None = None
        self._out_of_time: Side | None = None
        self._forgiven: set[Side] = set()
        self._unpressed: Side | None = None
        self._corrected_at = float("-inf")
        #: When the dice came to rest that are to be rolled again.
        self._rejected_at = float("-inf")
        #: The dice of the turn in hand were never read.
        self._unread = False
        #: Nobody knows yet whose the dice are that were rolled last: when the turn before them was over if they are not of its player.
        self._passed_at: float | None = None
        #: A turn was in hand when the power failed, and its dice have not been seen since; since when the board was bare then.
        self._cut_in_hand = False
        self._bare_since_cut: float | None = None
        self._back = 0
        self._wrong: tuple[dict[str, object], ...] = ()
        self._wrong_seen: tuple[str, ...] = ()
        self._wrong_next = 0.0

    # ------------------------------------------------------------------------------------ the referee's interface

    @property
    def state(self) -> State:
        return self.referee.state

    @property
    def mode(self) -> Mode:
        return self.announcer.mode

    @property
    def hints_locked(self) -> bool:
        """Nobody may be given a hint or the coach's word now."""
        return not self.hints

    def restore(self, events: Iterable[Event]) -> None:
        """Takes over what a journal says of agreement and clock; the referee has been made from the same events."""
        kept = list(events)
        for event in kept:
            if isinstance(event, ev.MatchStarted):
                self._begin_match(event)
            elif isinstance(event, ev.MatchAgreed):
                self._agree(event)
            elif isinstance(event, ev.OpeningThrown | ev.DiceRolled):
                self._steps = []
            self._restore_what_was_asked(event)
            self.announcer.tell([event])
        self.keeper.restore(kept)
        self.keeper.take()
        self._events = []
        turn, state = self.keeper.turn, self.state
        if state.phase in IN_HAND and turn is not None:
            if turn.side == state.side:
                self._cut_in_hand = True
            elif self.announcer.silent:
                # The dice had been lifted before the cut; the referee was still to say so.
                self.announcer.over = True
                self.keeper.seen.gone = float("-inf")
        by_button = self.clock_options.press == "button"
        if by_button and state.phase is Phase.ROLL and turn is not None and turn.side != state.side:
            # The turn was over, and its player was still to press.
            self._unpressed = turn.side

    def _restore_what_was_asked(self, event: Event) -> None:
        """A challenge, or a used-up clock, and what became of it."""
        if isinstance(event, ev.Challenged):
            self._challenger, self._answered = event.side, None
        elif isinstance(event, ev.ChallengeAnswered):
            self._answered = event
            self.announcer.open = True
        elif isinstance(event, ev.DiceRolled | ev.GameWon | ev.GameAbandoned):
            self._challenger = self._answered = None
        elif isinstance(event, ev.TimeOut):
            self._out_of_time = event.side
        elif isinstance(event, ev.Answered) and event.code == "out_of_time" and self._out_of_time is not None:
            self._forgiven.add(self._out_of_time)
            self._out_of_time = None
        elif isinstance(event, ev.PointsGiven):
            self._forgiven.discard(opponent(event.side))
        if isinstance(event, ev.GameWon | ev.GameAbandoned):
            self._out_of_time = None

    def observe(self, sighting: Sighting, now: float) -> list[Event]:
        """Everything that this look leads to; `told` is what of it may leave the table."""
        self._now, self._events = now, []
        self.keeper.seen.observe(sighting, opening=self.state.phase is Phase.OPENING)
        self._look_for_dice_after_a_cut()
        if "cut" in self.keeper.stops and sighting.settled and sighting.registered:
            self.keeper.go_on("cut", now, now)
        self._take(self.referee.observe(sighting, now))
        self._watch_the_dice()
        self._watch_the_set_up(sighting)
        return self._finish()

    def command(self, command: Command, now: float) -> list[Event]:
        """What a button or page asks for."""
        self._now, self._events = now, []
        if not self._own(command):
            if isinstance(command, ev.NewGame | ev.NewMatch | ev.SetPosition | ev.SetDice | ev.OfferDouble):
                self._let_stand_first(command)
            before = self.state
            self._take(self.referee.command(command, now), by_person=True)
            if isinstance(command, ev.TakeBack) and before.phase in IN_HAND:
                self._taken_back(before)
        return self._finish()

    def view(self) -> TableView:
        """How the table may be shown."""
        view = self.announcer.told(self.state)
        if self._steps and view.phase in (Phase.WAITING, Phase.OPENING):
            code, args = self._question()
            words = sentence(code, args, view.names)
            view = replace(
                view,
                message_code=code,
                message_args=args,
                message=words,
                question=words,
                verdict=VerdictColour.NONE,
            )
        elif self._out_of_time is not None and not view.question and view.phase is not Phase.OVER:
            code = f"out_of_time_{self.clock_options.out_of_time}"
            args = {"side": self._out_of_time, "points": self.clock_options.penalty_points}
            words = sentence(code, args, view.names)
            view = replace(view, message_code=code, message_args=args, message=words, question=words)
        elif self._wrong and view.phase is Phase.OVER and view.verdict is VerdictColour.NONE:
            args = {"changes": list(self._wrong)}
            words = sentence("set_up_wrong", args, view.names)
            view = replace(view, message_code="set_up_wrong", message_args=args, message=words)
        elif self._challenger is not None and self._answered is None and not self.announcer.open:
            args = {"side": self._challenger}
            view = replace(
                view, message_code="challenge_wait", message_args=args,
                message=sentence("challenge_wait", args, view.names),
            )  # fmt: skip
        elif self._answered is not None and self._answered.legal and view.phase in (Phase.PLAYED, Phase.ROLL):
            args = {"side": view.side}
            view = replace(
                view, verdict=VerdictColour.GREEN, message_code="challenge_legal", message_args=args,
                message=sentence("challenge_legal", args, view.names),
            )  # fmt: skip
        return replace(view, hints_locked=self.hints_locked, clock=self.keeper.view(self._now))

    def at(self, now: float) -> MatchPlay:
        """The same, its clock read at `now`."""
        self._now = max(self._now, now)
        return self

    # ------------------------------------------------------------------------------------ agreeing

    def _begin_match(self, event: ev.MatchStarted) -> None:
        options = self.options
        self.announcer = Announcer(by_button=self.clock_options.press == "button")
        self._steps, self.hints = [], True
        self._challenger = self._answered = self._out_of_time = self._unpressed = None
        self._forgiven = set()
        if options is None:
            return
        self._offered = options.mode
        self.announcer.mode = options.mode
        if event.match_length:
            self.hints = options.hints == "free"
            if options.ask:
                self._steps = ["mode", *(SIDES if options.hints == "agreed" else ())]
        self._agreed = False

    def _question(self) -> tuple[str, dict[str, object]]:
        step = self._steps[0]
        return (f"ask_{self._offered}", {}) if step == "mode" else ("ask_hints", {"side": step})

    def _answer_agreement(self, yes: bool) -> None:
        step = self._steps[0]
        if step == "mode":
            if not yes:
                self._offered = MODES[(MODES.index(self._offered) + 1) % len(MODES)]
                return
            self.announcer.mode = self._offered
            self._steps.pop(0)
        elif yes and len(self._steps) > 1:
            self._steps.pop(0)
        else:
            # One refusal ends it.
            self.hints, self._steps = yes, []
        if not self._steps:
            self._say_agreed()

    def _say_agreed(self) -> None:
        """What holds from the first roll on."""
        if self.options is not None and not self._agreed:
            event = ev.MatchAgreed(time=self._now, mode=self.announcer.mode, hints=self.hints)
            self._agreed = True
            self._add(event)
        self._steps = []

    def _agree(self, event: ev.MatchAgreed) -> None:
        self.announcer.mode, self.hints = event.mode, event.hints
        self._agreed, self._steps = True, []

    # ------------------------------------------------------------------------------------ what a person asks for

    def _own(self, command: Command) -> bool:
        """Commands that are about the match and not about the board; True when `command` was one."""
        stands = isinstance(command, ev.LetStand) or (isinstance(command, ev.Answer) and command.yes)
        no = isinstance(command, ev.TakeBack) or (isinstance(command, ev.Answer) and not command.yes)
        state = self.state
        if (
            self._steps
            and state.phase in (Phase.WAITING, Phase.OPENING)
            and not state.question
            and (stands or no)
        ):
            self._answer_agreement(stands)
            return True
        if self._out_of_time is not None and not state.question and (stands or no):
            self._time_is_out(stands)
            return True
        by_button = self.clock_options.press == "button"
        if (isinstance(command, ev.EndTurn) or (isinstance(command, ev.LetStand) and by_button)) and (
            not state.question and self._pressed_by_hand()
        ):
            return True
        if (
            isinstance(command, ev.LetStand)
            and self.announcer.silent
            and not state.question
            and state.phase in (*IN_HAND, Phase.ROLL)
            and not (state.waits_for and state.phase is Phase.ROLL)
        ):
            self._challenge()
            return True
        return False

    def _challenge(self) -> None:
        """The opponent asks whether what was played is legal."""
        state, announcer = self.state, self.announcer
        mover = announcer.side
        if self.mode == "recorder":
            self._add(
                ev.Refused(
                    time=self._now, code="refused_recorder", reason="Nobody is refereed in this match."
                )
            )
        elif mover is None or announcer.dice is None or not self._over:
            what = (
                "The dice are not lifted yet." if state.phase in IN_HAND else "There is no play to ask about."
            )
            code = "refused_challenge_early" if state.phase in IN_HAND else "refused_challenge_late"
            self._add(ev.Refused(time=self._now, code=code, reason=what))
        elif self._challenger is None:
            self._challenger = opponent(mover)
            self._add(ev.Challenged(time=self._now, side=self._challenger))
            self._try_to_answer()

    @property
    def _over(self) -> bool:
        """The player of the turn in hand has finished it."""
        if self.clock_options.press == "button":
            return self.announcer.over
        return self.announcer.over or (self.state.phase is Phase.ROLL and self.announcer.dice is not None)

    def _try_to_answer(self) -> None:
        """The verdict that was asked for, as soon as there is one."""
        if self._challenger is None or self._answered is not None:
            return
        state, announcer = self.state, self.announcer
        illegal = state.illegal if state.phase is Phase.ILLEGAL else None
        legal = state.phase is Phase.ROLL and announcer.dice is not None and state.trouble is None
        if illegal is None and not legal:
            if state.trouble is not None:
                # The referee can't tell either: what it would ask is asked now.
                announcer.open = True
            return
        announcer.open = True
        self._answered = ev.ChallengeAnswered(
            time=self._now, side=self._challenger, legal=illegal is None,
            code=illegal.code if illegal else "", reason=illegal.reason if illegal else "",
        )  # fmt: skip
        self._add(self._answered)
        if illegal is not None:
            self._add_told(illegal)
            announcer.over = False
            # The time since the press was not the challenger's: the play has to be put right on its player's clock.
            self.keeper.reopen(illegal.side, self._now, by_person=True)

    def _pressed_by_hand(self) -> bool:
        """The turn button; True when it only pressed the clock."""
        if self._unpressed is not None:
            self.keeper.press(self._now, self._now)
            self.keeper.timed(self._unpressed, self._now)
            self._unpressed = None
            self.announcer.over = self.announcer.silent
            return True
        if self.announcer.silent and self.state.phase in IN_HAND and not self.announcer.over:
            # Whatever was played: a lawful play must not end its turn sooner than another.
            self.announcer.over = True
            self.keeper.press(self._now, self._now)
            return True
        return False

    def _let_stand_first(self, command: Command) -> None:
        """A player who doubles, or sets up the board again, has accepted the play before."""
        if self.announcer.silent and self.announcer.over and self.state.phase is Phase.ILLEGAL:
            self._take(self.referee.command(ev.LetStand(), self._now), by_person=True)

    def _taken_back(self, before: State) -> None:
        if self.announcer.over and before.side is not None:
            self.announcer.over = False
            self.keeper.reopen(before.side, self._now, by_person=True)

    def hint_given(self, now: float) -> list[Event]:
        """A hint was asked for and is given: the journal says so."""
        self._now, self._events = now, []
        self._add(ev.HintAsked(time=now, side=self.state.side, dice=self.state.dice))
        return self._finish()

    def hint_refused(self, now: float) -> list[Event]:
        """A hint was asked for in a match without hints."""
        self._now, self._events = now, []
        self._add(ev.Refused(time=now, code="refused_hints", reason="Hints are locked in this match."))
        return self._finish()

    # ------------------------------------------------------------------------------------ time

    def _time_is_out(self, yes: bool) -> None:
        """A person has confirmed what a used-up clock costs, or has overruled it."""
        loser = self._out_of_time
        assert loser is not None
        self._out_of_time = None
        self._forgiven.add(loser)
        self._add(ev.Answered(time=self._now, code="out_of_time", yes=yes))
        if not yes:
            return
        options, match = self.clock_options, self.state.match
        winner_ = opponent(loser)
        i = SIDES.index(winner_)
        if options.out_of_time == "loss":
            points = max(1, match.length - match.score[i]) if match.length else match.cube.value
            score = tuple(s + points * (k == i) for k, s in enumerate(match.score))
            self._apply(
                ev.GameWon(
                    time=self._now, side=winner_, points=points, kind="time", cube=match.cube.value,
                    score=(score[0], score[1]), position=self.state.on_board,
                )
            )  # fmt: skip
            if match.length:
                self._apply(ev.MatchWon(time=self._now, side=winner_, score=(score[0], score[1])))
        elif options.out_of_time == "points":
            score = tuple(s + options.penalty_points * (k == i) for k, s in enumerate(match.score))
            self._apply(
                ev.PointsGiven(
                    time=self._now, side=winner_, points=options.penalty_points, score=(score[0], score[1])
                )
            )
            self.keeper.give(loser, 60.0 * options.penalty_minutes - min(0.0, self._left(loser)), self._now)
            self._forgiven.discard(loser)
            if match.length and score[i] >= match.length:
                self._apply(ev.MatchWon(time=self._now, side=winner_, score=(score[0], score[1])))

    def _left(self, side: Side) -> float:
        return self.keeper.at(self._now).left(side)

    def _apply(self, event: Event) -> None:
        """An event of ours that changes the referee's table too."""
        self.referee.apply(event)
        self._follow(event, by_person=True)
        self._add(event)

    def _add(self, event: Event) -> None:
        self._events.append(event)

    def _add_told(self, event: Event) -> None:
        """An event that the journal has already and that may be told only now."""
        self._late = (*self._late, event)

    _late: tuple[Event, ...] = ()

    def _take(self, events: list[Event], *, by_person: bool = False) -> None:
        for event in events:
            if isinstance(event, ev.OpeningThrown | ev.DiceRolled) and not self._agreed:
                self._say_agreed()
            self._add(event)
            self._follow(event, by_person=by_person)

    def _follow(self, event: Event, *, by_person: bool = False) -> None:
        """What one event means for whose time runs."""
        keeper, seen, now = self.keeper, self.keeper.seen, self._now
        at = now if by_person else min(now, seen.rested)
        played = now if by_person else min(now, seen.played_with)
        match event:
            case ev.MatchStarted():
                self._begin_match(event)
                keeper.set(self.clock_options.clock(event.match_length), now)
            case ev.GameStarted(crawford_game=crawford):
                keeper.over(at, now)
                self._corrected_at = float("-inf")
                if self.options is not None and (crawford or self.state.match.post_crawford):
                    code = "notice_crawford" if crawford else "notice_post_crawford"
                    words = sentence(code, {}, self.state.names)
                    self._apply(ev.Noticed(time=now, code=code, reason=words))
            case ev.OpeningThrown(side=side) if side is not None:
                keeper.begin(side, min(now, seen.thrown), now)
            case ev.DiceRolled(side=side, note=note):
                if note == "thrown again":
                    self._lifted_to_roll_again()
                self._rolled(side)
                self._passed_at = self._last_at_rest_bare(seen.thrown) if side is None else None
                self._cut_in_hand, self._bare_since_cut = False, None
                self._unread = note in UNREAD
            case ev.PlayMade(side=side) | ev.PlayIllegal(side=side):
                self._whose_roll_it_was(side)
                if self._cut_in_hand and isinstance(event, ev.PlayMade):
                    # Dice that are not found again may lie there all the same: the turn was not over before its play lay there.
                    self._corrected_at = played
            case ev.PlayCorrected(side=side) | ev.PlayTakenBack(side=side):
                self._corrected_at = played
                if (
                    self.announcer.over
                    and keeper.turn is not None
                    and keeper.turn.side != side
                    and not by_person
                ):
                    # A player who is still moving checkers has not finished.
                    self.announcer.over = False
                    keeper.reopen(side, now, by_person=False)
            case ev.TurnEnded(side=side):
                self._whose_roll_it_was(side)
                self._turn_ended(side, by_person)
            case ev.TurnReopened(side=side):
                self._unpressed = None
                self._corrected_at = now if by_person else self._corrected_at
                keeper.reopen(side, now, by_person=by_person)
            case ev.CubeOffered(side=side):
                if keeper.turn is not None and keeper.turn.side == side:
                    keeper.press(at, now, "cube")
            case ev.CubeTaken(side=side):
                if keeper.turn is not None and keeper.turn.side == side:
                    keeper.press(at, now, "cube")
            case ev.DiceCorrected(side=side) | ev.PositionCorrected(side=side) if side is not None:
                if keeper.turn is None:
                    keeper.begin(side, at, now)
                elif keeper.turn.side != side and by_person:
                    keeper.press(at, now, side=side)
            case ev.GameWon() | ev.GameAbandoned():
                self._challenger = self._answered = self._out_of_time = None
                ended = keeper.turn.began if keeper.turn is not None and self._won_by_play(event) else at
                keeper.over(ended, now)

    @staticmethod
    def _won_by_play(event: Event) -> bool:
        """The last turn ended with the game: the next player's never began."""
        return isinstance(event, ev.GameWon) and event.kind in ("single", "gammon", "backgammon")

    def _lifted_to_roll_again(self) -> None:
        """Where lifting the dice presses the clock: dice that were lifted and rolled again before anything was played did not press it."""
        mover, turn = self.announcer.side, self.keeper.turn
        pressed = self.announcer.over and self.clock_options.press == "lift"
        if pressed and mover is not None and turn is not None and turn.side != mover:
            self.announcer.over = False
            self.keeper.reopen(mover, self._now, by_person=False)

    def _rolled(self, side: Side | None) -> None:
        keeper, now = self.keeper, self._now
        self._challenger = self._answered = None
        self._back = 0
        self._corrected_at = float("-inf")
        if self._unpressed is not None:
            self._press_late()
        if self._out_of_time is not None:
            # They play on, so nobody insists on the challenge.
            self._time_is_out(False)
        at = min(now, keeper.seen.thrown)
        if side is not None and keeper.turn is None:
            keeper.begin(side, at, now)
        elif side is not None and keeper.turn is not None and keeper.turn.side != side:
            keeper.press(at, now, side=side)

    def _last_at_rest_bare(self, otherwise: float) -> float:
        """When the board came to rest without dice for the second time in this turn, or `otherwise`."""
        seen, turn = self.keeper.seen, self.keeper.turn
        began = turn.began if turn is not None else float("-inf")
        return min(self._now, seen.bare if seen.bare > began <= seen.bare_before else otherwise)

    def _whose_roll_it_was(self, side: Side) -> None:
        """The dice that lie there are `side`'s. Where the clock runs for the other player, he has rolled too, could move nothing, and
        lifted his dice before anybody had a look at them."""
        at, self._passed_at = self._passed_at, None
        turn = self.keeper.turn
        if at is not None and turn is not None and turn.side not in (None, side):
            # No turn of his is in the record, so its time is not said either.
            self.keeper.press(at, self._now, side=side)

    def _press_late(self) -> None:
        """Nobody pressed, and the other player has rolled: that is when the turn was over."""
        side, self._unpressed = self._unpressed, None
        assert side is not None
        self.keeper.press(min(self._now, self.keeper.seen.thrown), self._now)
        self.keeper.timed(side, self._now)

    def _turn_ended(self, side: Side, by_person: bool) -> None:
        keeper, now = self.keeper, self._now
        if keeper.turn is None or keeper.turn.side != side:
            # The clock was pressed before the referee had decided.
            keeper.timed(side, now)
            return
        over = winner(self.state.position) is not None if self.state.position is not None else False
        if self.clock_options.press == "button" and not by_person and not over:
            self._unpressed = side
            return
        # After bearing off the last checker a player need not lift the dice.
        at = now if by_person else min(now, keeper.seen.rested) if over else self._lifted_at()
        keeper.press(at, now)
        keeper.timed(side, now)

    def _lifted_at(self) -> float:
        """When the turn in hand was finished: its dice lifted, or (nobody saw that) the next ones rolled."""
        seen = self.keeper.seen
        turn = self.keeper.turn
        began = turn.began if turn is not None else float("-inf")
        if self._cut_in_hand and turn is not None and turn.lifted is not None:
            if self._corrected_at == float("-inf"):
                return BEFORE_THE_CUT
            turn.lifted = None
        if seen.thrown < began - 1.0:
            # These dice were never read: the turn was over when the scene came to rest.
            return min(self._now, seen.rested)
        if self._unread and seen.bare > began <= seen.bare_before:
            # Nor were these, and the next ones lie there already: between their roll and the next one the board came to rest bare.
            return self._last_at_rest_bare(seen.bare)
        if seen.gone is not None:
            return max(seen.gone, self._corrected_at)
        if self._bare_since_cut is not None and seen.lifted <= began:
            # The next ones lie there: its own were lifted before the power came back.
            return min(self._now, max(self._bare_since_cut, self._corrected_at))
        lifted = seen.lifted if seen.lifted > began else seen.thrown
        return min(self._now, max(min(lifted, seen.thrown), self._corrected_at))

    def _look_for_dice_after_a_cut(self) -> None:
        """Whether the dice of the turn in which the power failed still lie there."""
        if not self._cut_in_hand:
            return
        seen = self.keeper.seen
        if seen.gone is not None:
            self._bare_since_cut = seen.gone
        elif seen.thrown and self._bare_since_cut is None:
            self._cut_in_hand = False

    def _watch_the_dice(self) -> None:
        """Where plays are not judged aloud, a turn is over when its dice are gone, whatever was played."""
        keeper, announcer, state = self.keeper, self.announcer, self.state
        seen, turn = keeper.seen, keeper.turn
        if seen.older_gone is not None and turn is not None and turn.side is not None:
            keeper.pressed_later(seen.older_gone, self._now)
            keeper.timed(opponent(turn.side), self._now)
        if (
            not announcer.silent
            or state.phase not in IN_HAND
            or state.paused
            or self.clock_options.press == "button"
        ):
            return
        if turn is not None and not announcer.over and turn.side == state.side:
            lay = seen.thrown >= turn.began - 1.0 and seen.lifted > turn.began
            # Without power nobody saw them being lifted. They are not while nothing has been played.
            lay = lay or (self._cut_in_hand and not seen.thrown and state.phase is not Phase.PLAY)
            if seen.absent >= self.referee.options.lift_looks and lay:
                announcer.over = True
                keeper.press(self._lifted_at(), self._now)
                self._back = 0
        elif announcer.over and seen.gone is None and turn is not None and state.side is not None:
            self._back += 1
            if self._back >= BACK_AGAIN and self._challenger is None and turn.side != state.side:
                announcer.over = False
                keeper.reopen(state.side, self._now, by_person=False)

    def _watch_the_set_up(self, sighting: Sighting) -> None:
        """What is still wrong with the set-up of the next game, looked at once a second while the board lies still."""
        if self.state.phase is not Phase.OVER or self.state.match.winner is not None:
            self._wrong, self._wrong_next = (), 0.0
            return
        if not (sighting.settled and sighting.registered) or self._now < self._wrong_next:
            return
        self._wrong_next = self._now + SECONDS_BETWEEN_SET_UPS
        seen, _ = read_position(Evidence.of(sighting), STARTING_POSITION)
        todo = changes(seen, STARTING_POSITION)
        # A board that is still being set up is not news. The same board seen twice is.
        self._wrong_seen, before = tuple(map(str, todo)), self._wrong_seen
        lies = 0 < len(todo) <= FEW and before == self._wrong_seen
        self._wrong = tuple(todo) if lies else ()

    def _watch_the_stops(self, view: TableView, amber: bool) -> None:
        """Both clocks stand while the table is asked something, can't be seen, rolls again, or rests."""
        keeper, now, state = self.keeper, self._now, self.state
        thrown = min(now, keeper.seen.thrown)
        wanted = {
            "paused": state.paused,
            "question": bool(view.question),
            "throw": bool(state.waits_for) and amber,
            "amber": amber and not state.waits_for,
        }
        for why, on in wanted.items():
            if on and why not in keeper.stops:
                if why == "throw":
                    self._rejected_at = thrown
                keeper.stop(why, thrown if why == "throw" else now, now)
            elif not on and why in keeper.stops:
                # Where the dice that were to be rolled again are played after all, the clock has stood until now.
                rolled = thrown > self._rejected_at and any(
                    isinstance(e, ev.DiceRolled) for e in self._events
                )
                keeper.go_on(why, thrown if rolled and why == "throw" else now, now)

    def _finish(self) -> list[Event]:
        """Verdicts that were asked for, the clock's events, and what of everything is told."""
        if self._challenger is not None:
            self._try_to_answer()
        if any(isinstance(e, ev.Asked) and e.code == "abandon_game" for e in self._events):
            self._accept_last_play()
        amber = self.announcer.told(self.state).verdict is VerdictColour.AMBER or self._muted_amber()
        self._watch_the_stops(self.view(), amber)
        clock = self.keeper.at(self._now)
        late = clock.out_of_time
        if (
            late is not None
            and late not in self._forgiven
            and self._out_of_time is None
            and self.keeper.running
        ):
            self._out_of_time = late
            self._add(ev.TimeOut(time=self._now, side=late, penalty=self.clock_options.out_of_time))
            self.keeper.stop("question", self._now, self._now)
        self._events += self.keeper.take()
        told = self.announcer.tell(self._events)
        self.told, self._late = (*told, *self._late), ()
        return self._events

    def _muted_amber(self) -> bool:
        """A recorder is amber without saying so: its clocks stand all the same."""
        if self.mode != "recorder":
            return False
        state = self.state
        return bool(state.view_blocked or state.board_moved or state.question or state.waits_for)

    def _accept_last_play(self) -> None:
        """A play that ends the game and that nobody challenges: the next game is being set up."""
        state = self.state
        if self.announcer.silent and state.illegal is not None and winner(state.illegal.seen) is not None:
            self._take(self.referee.command(ev.Answer(yes=False), self._now), by_person=True)
            self._take(self.referee.command(ev.LetStand(), self._now), by_person=True)
