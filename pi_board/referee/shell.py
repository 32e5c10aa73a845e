"""What every engine of the referee is from outside: a state that changes through events, and how it comes back from a journal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from pi_board import events as ev
from pi_board.events import Event
from pi_board.referee.options import RefereeOptions
from pi_board.referee.state import State, apply
from pi_board.referee.table_view import view_of
from pi_board.rules import Match, RuleSet, rule_set
from pi_board.table import TableView


class Shell:
    """options, rules, match_length, names: as of `Referee`. An engine adds `observe` and `command`."""

    def __init__(
        self,
        options: RefereeOptions | None = None,
        rules: str | RuleSet = "international",
        *,
        match_length: int = 0,
        names: tuple[str, str] = ("Light", "Dark"),
    ) -> None:
        self.options = options or RefereeOptions()
        law = rule_set(rules)
        self.state = State(match=Match.start(law, match_length, several_games=match_length != 1), names=names)
        self._new: list[Event] = []
        self._now, self._seq, self._frame = 0.0, -1, ""
        self._waiting = False

    @classmethod
    def from_events(
        cls,
        events: Iterable[Event],
        options: RefereeOptions | None = None,
        rules: str | RuleSet = "international",
    ) -> Self:
        """The referee as it was after `events` (a journal's). Nothing has been seen yet: the next looks compare."""
        referee = cls(options, rules)
        for event in events:
            referee.apply(event)
        return referee

    def apply(self, event: Event) -> None:
        """One event of a journal."""
        self.state = apply(self.state, event)

    def view(self) -> TableView:
        return view_of(self.state)

    @property
    def rules(self) -> RuleSet:
        return self.state.match.rules

    @property
    def waiting(self) -> bool:
        """More looks at this same picture may still decide something (a replay goes on showing it)."""
        return self._waiting

    def start_match(self, match: Match, names: tuple[str, str]) -> None:
        law = match.rules
        self._say(
            ev.MatchStarted, rules=law.name, match_length=match.length, light_name=names[0], dark_name=names[1],
            crawford=law.crawford, jacoby=law.jacoby, cube_in_use=law.cube != "no",
        )  # fmt: skip

    def _say(self, what: type[Event], /, **fields: Any) -> None:
        event = what(time=self._now, seq=self._seq, frame=self._frame, **fields)
        self._new.append(event)
        self.state = apply(self.state, event)

    def _begin(self, now: float, seq: int, frame: str) -> None:
        self._new = []
        self._now, self._seq, self._frame = now, seq, frame
        if not self.state.started:
            self.start_match(self.state.match, self.state.names)
