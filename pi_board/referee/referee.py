"""The rules of the table: what each look and each button press means at each moment of a game.

A pure state machine: sightings and commands in, events out; time is passed in. The state (`state.State`) changes
only through events, so a journal replayed gives the same table. What is kept here besides is perception
(which looks agreed, which dice lie there); a fresh referee builds it up again within a second.
"""

from __future__ import annotations

from pi_board.events import Command, Event
from pi_board.referee.commands import TableCommands
from pi_board.referee.doubling import Doubling
from pi_board.referee.explanations import Evidence
from pi_board.referee.faults import Faults
from pi_board.referee.going_on import GoingOn
from pi_board.referee.hindsight import Hindsight
from pi_board.referee.looks import Looks
from pi_board.referee.next_turns import NextTurns
from pi_board.referee.options import RefereeOptions
from pi_board.referee.questions import Questions
from pi_board.referee.rolls import Rolls
from pi_board.referee.second_opinion import SecondOpinion
from pi_board.referee.shell import Shell
from pi_board.referee.start import Start
from pi_board.referee.turns import Turns
from pi_board.referee.unseen_turns import UnseenTurns
from pi_board.rules import RuleSet
from pi_board.sighting import Sighting
from pi_board.table import Phase

#: Slots (of 28) that must be informative before a look counts.
INFORMED = 12


class Referee(Shell):
    """options: how strict and how patient; rules: a preset's name or a `RuleSet`; match_length 0 = money session.

    `observe` and `command` return the events of that moment (already applied); `view` is what the table may see. Its parts:
    looks (what is seen), second_opinion, hindsight, start, rolls, unseen_turns, next_turns, going_on, turns, faults, questions, doubling, commands.
    """

    def __init__(
        self,
        options: RefereeOptions | None = None,
        rules: str | RuleSet = "international",
        *,
        match_length: int = 0,
        names: tuple[str, str] = ("Light", "Dark"),
    ) -> None:
        super().__init__(options, rules, match_length=match_length, names=names)
        self.forget()

    def forget(self) -> None:
        """Starts perception afresh."""
        self.looks = Looks(self)
        self.second_opinion = SecondOpinion(self)
        self.hindsight = Hindsight(self)
        self.start = Start(self)
        self.rolls = Rolls(self)
        self.unseen_turns = UnseenTurns(self)
        self.next_turns = NextTurns(self)
        self.going_on = GoingOn(self)
        self.turns = Turns(self)
        self.faults = Faults(self)
        self.questions = Questions(self)
        self.doubling = Doubling(self)
        self.commands = TableCommands(self)

    @property
    def waiting(self) -> bool:
        """More looks at this same picture may still decide something (a replay goes on showing it)."""
        return self.looks.waiting

    def observe(self, sighting: Sighting, now: float) -> list[Event]:
        """The events that this look leads to; most looks lead to none."""
        self._begin(now, sighting.seq, sighting.name)
        if self.looks.begin(sighting) and not self.state.paused:
            evidence = Evidence.of(sighting)
            if evidence.informed >= INFORMED:
                self.looks.taught()
                self._look(evidence, sighting)
            else:
                self.looks.untaught(sighting)
        return self._new

    def _look(self, evidence: Evidence, sighting: Sighting) -> None:
        phase = self.state.phase
        set_up = self.start.set_up_since is not None or self.state.question == "abandon_game"
        evidence = self.looks.take_in(evidence, sighting, one_by_one=phase is Phase.OPENING or set_up)
        if phase in (Phase.WAITING, Phase.OVER):
            self.start.await_start(evidence)
            return
        if phase is Phase.RESIGNED:
            return
        if phase is Phase.OPENING:
            self.start.opening(evidence)
        elif phase in (Phase.ROLL, Phase.DOUBLED):
            self.rolls.to_roll(evidence)
        else:
            self.turns.in_turn(evidence)
        if self.state.in_game:
            self.doubling.watch_cube(sighting.cube)

    def command(self, command: Command, now: float) -> list[Event]:
        """The events that a button or page leads to; a command that makes no sense now gives one `Refused`."""
        self._begin(now, -1, "")
        self.commands.obey(command)
        return self._new
