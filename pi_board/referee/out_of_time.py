"""What a used-up clock costs. Nothing of it happens before somebody at the table has confirmed it."""

from __future__ import annotations

from dataclasses import replace

from pi_board import events as ev
from pi_board.events import Event
from pi_board.referee.match_part import MatchInterface, MatchPart
from pi_board.referee.table_view import saying
from pi_board.rules import SIDES, Side, opponent
from pi_board.table import Phase, TableView


class OutOfTime(MatchPart):
    """loser: whose time is used up, while the table has not said whether that is to cost anything."""

    def __init__(self, match_play: MatchInterface) -> None:
        super().__init__(match_play)
        self.loser: Side | None = None
        #: Whose used-up time has been dealt with.
        self._forgiven: set[Side] = set()

    def follow(self, event: Event) -> None:
        """What an event means for a used-up clock."""
        if isinstance(event, ev.DiceRolled) and self.loser is not None:
            # They play on, so nobody insists on the loss.
            self.answer(False)
        self._forget(event)

    def restore(self, event: Event) -> None:
        """One event of a journal."""
        if isinstance(event, ev.TimeOut):
            self.loser = event.side
        elif isinstance(event, ev.Answered) and event.code == "out_of_time" and self.loser is not None:
            self._forgiven.add(self.loser)
            self.loser = None
        elif isinstance(event, ev.PointsGiven):
            self._forgiven.discard(opponent(event.side))
        self._forget(event)

    def _forget(self, event: Event) -> None:
        if isinstance(event, ev.MatchStarted):
            self._forgiven = set()
        if isinstance(event, ev.MatchStarted | ev.GameWon | ev.GameAbandoned):
            self.loser = None

    @property
    def asks(self) -> bool:
        """The next yes or no says whether it costs anything."""
        return self.loser is not None and not self.state.question

    def watch(self) -> None:
        """Whether a player's time is used up by now."""
        late = self.keeper.at(self.now).out_of_time
        if late is None or late in self._forgiven or self.loser is not None or not self.keeper.running:
            return
        self.loser = late
        self.match_play.add(ev.TimeOut(time=self.now, side=late, penalty=self.clock_options.out_of_time))
        self.keeper.stop("question", self.now, self.now)

    def answer(self, yes: bool) -> None:
        """A person has confirmed what a used-up clock costs, or has overruled it."""
        loser = self.loser
        assert loser is not None
        self.loser = None
        self._forgiven.add(loser)
        self.match_play.add(ev.Answered(time=self.now, code="out_of_time", yes=yes))
        if not yes:
            return
        options, match = self.clock_options, self.state.match
        winner = opponent(loser)
        i = SIDES.index(winner)
        if options.out_of_time == "loss":
            points = max(1, match.length - match.score[i]) if match.length else match.cube.value
            score = tuple(s + points * (k == i) for k, s in enumerate(match.score))
            self.match_play.apply(
                ev.GameWon(
                    time=self.now, side=winner, points=points, kind="time", cube=match.cube.value,
                    score=(score[0], score[1]), position=self.state.on_board,
                )
            )  # fmt: skip
            if match.length:
                self.match_play.apply(ev.MatchWon(time=self.now, side=winner, score=(score[0], score[1])))
        elif options.out_of_time == "points":
            score = tuple(s + options.penalty_points * (k == i) for k, s in enumerate(match.score))
            self.match_play.apply(
                ev.PointsGiven(
                    time=self.now, side=winner, points=options.penalty_points, score=(score[0], score[1])
                )
            )
            left = self.keeper.at(self.now).left(loser)
            self.keeper.give(loser, 60.0 * options.penalty_minutes - min(0.0, left), self.now)
            self._forgiven.discard(loser)
            if match.length and score[i] >= match.length:
                self.match_play.apply(ev.MatchWon(time=self.now, side=winner, score=(score[0], score[1])))

    def shown(self, view: TableView) -> TableView | None:
        """`view` with the question; None where nothing is asked."""
        if self.loser is None or view.question or view.phase is Phase.OVER:
            return None
        args = {"side": self.loser, "points": self.clock_options.penalty_points}
        view = saying(view, f"out_of_time_{self.clock_options.out_of_time}", args)
        return replace(view, question=view.message)
