"""The solitaire player's referee: settled readings of 37 holes in, events out (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pi_board.events import Event, JumpIllegal, JumpMade, JumpTakenBack, SolitaireEnded, SolitaireStarted
from pi_board.solitaire import Board, JumpVerdict, Problem, bit, explain_jump

#: Codes that may be a jump under way: the piece has landed, the one it took is still to be lifted (or the other way round).
HALFWAY = frozenset({"not_removed", "piece_removed", "unclear"})


@dataclass(frozen=True, slots=True)
class SolitaireOptions:
    """agree_looks: settled looks that must agree. halfway_seconds: how long a jump may stay half done before it is called wrong."""

    agree_looks: int = 2
    halfway_seconds: float = 3.0


@dataclass
class SolitaireReferee:
    """`observe(holes, now)` for every settled reading (37 x 0/1), None for a look that could not be read.

    The state changes only through events: `apply` rebuilds it from a journal.
    """

    problem: Problem
    options: SolitaireOptions = field(default_factory=SolitaireOptions)
    position: int | None = None
    history: list[int] = field(default_factory=list)
    wrong: int | None = None
    ended: bool = False
    _seen: int | None = None
    _looks: int = 0
    _since: float = 0.0

    @property
    def board(self) -> Board:
        return self.problem.board

    @classmethod
    def from_events(
        cls, problem: Problem, events: Iterable[Event], options: SolitaireOptions | None = None
    ) -> SolitaireReferee:
        """The referee as it was after a journal's events."""
        referee = cls(problem, options or SolitaireOptions())
        for event in events:
            referee.apply(event)
        return referee

    def apply(self, event: Event) -> None:
        if isinstance(event, SolitaireStarted):
            self.position, self.history, self.wrong, self.ended = (
                self.board.from_holes(event.holes),
                [],
                None,
                False,
            )
        elif isinstance(event, JumpMade) and self.position is not None:
            self.history.append(self.position)
            self.position, self.wrong = self.board.from_holes(event.holes), None
        elif isinstance(event, JumpIllegal):
            self.wrong = self.board.from_holes(event.seen)
        elif isinstance(event, JumpTakenBack):
            self.position, self.wrong, self.ended = self.board.from_holes(event.holes), None, False
            if event.undone:
                del self.history[len(self.history) - event.undone :]
        elif isinstance(event, SolitaireEnded):
            self.ended = True

    def observe(self, holes: Sequence[int] | None, now: float) -> list[Event]:
        """The events that this look leads to; most looks lead to none."""
        if holes is None:
            self._seen, self._looks = None, 0
            return []
        seen = self.board.from_holes(holes)
        if seen != self._seen:
            self._seen, self._looks, self._since = seen, 0, now
        self._looks += 1
        if self._looks < self.options.agree_looks:
            return []
        events: list[Event] = []

        def say(event: Event) -> None:
            events.append(event)
            self.apply(event)

        common: dict[str, Any] = {"time": now}
        if self.position is None or (self.ended and seen == self.problem.start):
            if seen == self.problem.start:
                say(SolitaireStarted(problem=self.problem.key, holes=self._tuple(seen), **common))
            return events
        if seen == self.position:
            if self.wrong is not None:
                say(JumpTakenBack(holes=self._tuple(seen), **common))
            return events
        if seen in self.history:
            undone = len(self.history) - self.history.index(seen)
            say(JumpTakenBack(holes=self._tuple(seen), undone=undone, **common))
            return events
        if seen == self.problem.start and self.history:
            say(SolitaireStarted(problem=self.problem.key, holes=self._tuple(seen), **common))
            return events
        verdict = explain_jump(self.board, self.position, seen)
        if verdict.legal and verdict.jumps:
            say(JumpMade(jumps=tuple(map(str, verdict.jumps)), holes=self._tuple(seen), **common))
            if not self.board.legal(seen) or seen == self.problem.finish:
                won = (
                    seen == self.problem.finish if self.problem.finish is not None else seen.bit_count() == 1
                )
                say(SolitaireEnded(remaining=seen.bit_count(), won=won, holes=self._tuple(seen), **common))
        elif seen != self.wrong and self._is_final(verdict, now):
            say(
                JumpIllegal(
                    code=verdict.code,
                    reason=verdict.reason,
                    holes=self._tuple(self.position),
                    seen=self._tuple(seen),
                    **common,
                )
            )
        return events

    def _is_final(self, verdict: JumpVerdict, now: float) -> bool:
        """A jump is made in two movements: half of one is no mistake yet."""
        patience = (
            self.options.halfway_seconds if verdict.code in HALFWAY else self.options.halfway_seconds / 6
        )
        return now - self._since >= patience

    def _tuple(self, position: int) -> tuple[int, ...]:
        return tuple(self.board.to_holes(position))


def expected_words(board: Board, expected: int, seen: int) -> str:
    """What to do to get from `seen` back to `expected`, in words."""
    put = [n for n in range(1, board.holes + 1) if expected & bit(n) and not seen & bit(n)]
    take = [n for n in range(1, board.holes + 1) if seen & bit(n) and not expected & bit(n)]
    words = []
    if put:
        words.append("put a piece on " + ", ".join(map(str, put)))
    if take:
        words.append("take the piece from " + ", ".join(map(str, take)))
    return " and ".join(words)
