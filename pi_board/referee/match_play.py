"""A match around the referee: what the players agreed on, their clocks, challenges, and what of it all is told.

Same interface as the referee, which it asks and never overrules: pictures and commands in, events out. Pure: time is passed in.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pi_board import events as ev
from pi_board.events import Command, Event
from pi_board.referee.announce import Announcer
from pi_board.referee.challenges import Challenges
from pi_board.referee.engines import AnyReferee
from pi_board.referee.match_clock import MatchClock
from pi_board.referee.match_options import ClockOptions, MatchOptions, Mode
from pi_board.referee.match_terms import MatchTerms
from pi_board.referee.messages import sentence
from pi_board.referee.next_set_up import NextSetUp
from pi_board.referee.out_of_time import OutOfTime
from pi_board.referee.state import State
from pi_board.referee.timekeeper import STILL, DiceTimes, Timekeeper
from pi_board.rules import winner
from pi_board.sighting import Sighting
from pi_board.table import Phase, TableView


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
        self.now = 0.0
        self._events: list[Event] = []
        #: Events that the journal has already and that may be told only now.
        self._late: tuple[Event, ...] = ()
        self.told: tuple[Event, ...] = ()
        self.terms = MatchTerms(self)
        self.clock = MatchClock(self)
        self.out_of_time = OutOfTime(self)
        self.challenges = Challenges(self)
        self.next_set_up = NextSetUp()

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
        return not self.terms.hints

    def restore(self, events: Iterable[Event]) -> None:
        """Takes over what a journal says of agreement and clock; the referee has been made from the same events."""
        kept = list(events)
        for event in kept:
            if isinstance(event, ev.MatchStarted):
                self._announce_anew()
            self.terms.restore(event)
            self.out_of_time.restore(event)
            self.challenges.restore(event)
            self.announcer.tell([event])
        self.clock.restore(kept)

    def observe(self, sighting: Sighting, now: float) -> list[Event]:
        """Everything that this look leads to; `told` is what of it may leave the table."""
        self.now, self._events = now, []
        self.clock.see(sighting)
        self._take(self.referee.observe(sighting, now))
        self.clock.watch_the_dice()
        self.next_set_up.observe(sighting, self.state, now)
        return self._finish()

    def command(self, command: Command, now: float) -> list[Event]:
        """What a button or page asks for."""
        self.now, self._events = now, []
        if not self._own(command):
            if isinstance(command, ev.NewGame | ev.NewMatch | ev.SetPosition | ev.SetDice | ev.OfferDouble):
                self._let_stand_first()
            before = self.state
            self._ask_referee(command)
            if isinstance(command, ev.TakeBack):
                self.clock.taken_back(before)
        return self._finish()

    def hint_given(self, now: float) -> list[Event]:
        """A hint was asked for and is given: the journal says so."""
        self.now, self._events = now, []
        self.add(ev.HintAsked(time=now, side=self.state.side, dice=self.state.dice))
        return self._finish()

    def hint_refused(self, now: float) -> list[Event]:
        """A hint was asked for in a match without hints."""
        self.now, self._events = now, []
        self.add(ev.Refused(time=now, code="refused_hints", reason="Hints are locked in this match."))
        return self._finish()

    def view(self) -> TableView:
        """How the table may be shown: the first part that has something to say is heard."""
        view = self.announcer.told(self.state)
        parts = (self.terms, self.out_of_time, self.next_set_up, self.challenges)
        view = next((shown for part in parts if (shown := part.shown(view)) is not None), view)
        return replace(view, hints_locked=self.hints_locked, clock=self.keeper.view(self.now))

    def at(self, now: float) -> MatchPlay:
        """The same, its clock read at `now`."""
        self.now = max(self.now, now)
        return self

    # ------------------------------------------------------------------------------------ what the parts ask for

    @property
    def challenged(self) -> bool:
        """A challenge stands."""
        return self.challenges.challenger is not None

    def add(self, event: Event) -> None:
        """An event of this look or command."""
        self._events.append(event)

    def add_told(self, event: Event) -> None:
        """An event that the journal has already and that may be told only now."""
        self._late = (*self._late, event)

    def apply(self, event: Event) -> None:
        """An event of ours that changes the referee's table too."""
        self.referee.apply(event)
        self._follow(event, by_person=True)
        self.add(event)

    # ------------------------------------------------------------------------------------ what goes to whom

    def _own(self, command: Command) -> bool:
        """Commands that are about the match and not about the board; True when `command` was one."""
        stands = isinstance(command, ev.LetStand)
        yes = stands or (isinstance(command, ev.Answer) and command.yes)
        no = isinstance(command, ev.TakeBack) or (isinstance(command, ev.Answer) and not command.yes)
        if (yes or no) and self.terms.asks:
            self.terms.answer(yes)
            return True
        if (yes or no) and self.out_of_time.asks:
            self.out_of_time.answer(yes)
            return True
        presses = isinstance(command, ev.EndTurn) or (stands and self.clock.by_button)
        if presses and not self.state.question and self.clock.press_by_hand():
            return True
        if stands and self.challenges.possible:
            self.challenges.challenge()
            return True
        return False

    def _ask_referee(self, command: Command) -> None:
        self._take(self.referee.command(command, self.now), by_person=True)

    def _take(self, events: list[Event], *, by_person: bool = False) -> None:
        """What the referee says."""
        for event in events:
            if isinstance(event, ev.OpeningThrown | ev.DiceRolled):
                self.terms.close()
            self.add(event)
            self._follow(event, by_person=by_person)

    def _follow(self, event: Event, *, by_person: bool = False) -> None:
        """What one event means for the match."""
        if isinstance(event, ev.MatchStarted):
            self._announce_anew()
            self.terms.begin(event)
        self.challenges.follow(event)
        self.out_of_time.follow(event)
        self.clock.follow(event, by_person=by_person)
        if isinstance(event, ev.GameStarted):
            self._say_crawford(event)

    def _announce_anew(self) -> None:
        self.announcer = Announcer(by_button=self.clock.by_button)

    def _say_crawford(self, event: ev.GameStarted) -> None:
        if self.options is not None and (event.crawford_game or self.state.match.post_crawford):
            code = "notice_crawford" if event.crawford_game else "notice_post_crawford"
            self.apply(ev.Noticed(time=self.now, code=code, reason=sentence(code, {}, self.state.names)))

    def _let_stand_first(self) -> None:
        """A player who doubles, or sets up the board again, has accepted the play before."""
        if self.announcer.silent and self.announcer.over and self.state.phase is Phase.ILLEGAL:
            self._ask_referee(ev.LetStand())

    def _accept_last_play(self) -> None:
        """A play that ends the game and that nobody challenges: the next game is being set up."""
        illegal = self.state.illegal
        if self.announcer.silent and illegal is not None and winner(illegal.seen) is not None:
            self._ask_referee(ev.Answer(yes=False))
            self._ask_referee(ev.LetStand())

    def _finish(self) -> list[Event]:
        """Verdicts that were asked for, the clock's events, and what of everything is told."""
        self.challenges.answer()
        if any(isinstance(e, ev.Asked) and e.code == "abandon_game" for e in self._events):
            self._accept_last_play()
        self.clock.watch_the_stops(self.view(), self._events)
        self.out_of_time.watch()
        self._events += self.keeper.take()
        told = self.announcer.tell(self._events)
        self.told, self._late = (*told, *self._late), ()
        return self._events
