"""The solitaire player's referee: settled readings of 37 holes in, events out (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pi_board.errors import InvalidError
from pi_board.events import (
    Command,
    Event,
    HolesCorrected,
    JumpIllegal,
    JumpMade,
    JumpTakenBack,
    LetStand,
    NewGame,
    Refused,
    SetHoles,
    SolitaireAbandoned,
    SolitaireEnded,
    SolitaireStarted,
    TakeBack,
)
from pi_board.solitaire import BOARD_37, PROBLEMS, Board, JumpVerdict, Problem, bit, explain_jump, vacancy

#: Codes that may be a jump under way: the piece has landed, the one it took is still to be lifted (or the other way round).
HALFWAY = frozenset({"not_removed", "piece_removed", "unclear"})


@dataclass(frozen=True, slots=True)
class SolitaireOptions:
    """agree_looks: settled looks that must agree. halfway_seconds: how long a jump may stay half done before it is called
    wrong. any_start: whatever lies there first is the set-up (a recording)."""

    agree_looks: int = 2
    halfway_seconds: float = 3.0
    any_start: bool = False


@dataclass
class SolitaireReferee:
    """`observe(holes, now)` for every settled reading (37 x 0/1), None for a look that could not be read.

    problem: what is to be set up; None: any problem of the leaflet and any single empty hole, whichever is seen.
    The state changes only through events: `apply` rebuilds it from a journal.
    """

    problem: Problem | None
    options: SolitaireOptions = field(default_factory=SolitaireOptions)
    position: int | None = None
    history: list[int] = field(default_factory=list)
    wrong: int | None = None
    ended: bool = False
    #: The problem in play (None before a set-up was seen).
    game: Problem | None = None
    _seen: int | None = None
    _looks: int = 0
    _since: float = 0.0

    @property
    def board(self) -> Board:
        return self.problem.board if self.problem is not None else BOARD_37

    @property
    def waiting(self) -> bool:
        """Whether what lies there now may still lead to an event by itself."""
        return self._seen is not None and self._seen not in (self.position, self.wrong)

    @classmethod
    def from_events(
        cls, problem: Problem | None, events: Iterable[Event], options: SolitaireOptions | None = None
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
            self.game = self._named(event.problem, self.position)
        elif isinstance(event, JumpMade) and self.position is not None:
            self.history.append(self.position)
            self.position, self.wrong = self.board.from_holes(event.holes), None
        elif isinstance(event, JumpIllegal):
            self.wrong = self.board.from_holes(event.seen)
        elif isinstance(event, JumpTakenBack):
            self.position, self.wrong, self.ended = self.board.from_holes(event.holes), None, False
            if event.undone:
                del self.history[len(self.history) - event.undone :]
        elif isinstance(event, HolesCorrected):
            if self.position is not None:
                self.history.append(self.position)
            self.position, self.wrong, self.ended = self.board.from_holes(event.holes), None, False
            if self.game is None:
                self.game = self._named("", self.position)
        elif isinstance(event, SolitaireAbandoned):
            self.position, self.history, self.wrong, self.ended, self.game = None, [], None, False, None
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
        if self.position is None or self.ended:
            start = self._set_up(seen)
            if start is not None and seen != self.position:
                return self._say(SolitaireStarted(problem=start.key, holes=self._tuple(seen), time=now))
            if self.position is None:
                return []
        if seen == self.position:
            return (
                self._say(JumpTakenBack(holes=self._tuple(seen), time=now)) if self.wrong is not None else []
            )
        if seen in self.history:
            undone = len(self.history) - self.history.index(seen)
            return self._say(JumpTakenBack(holes=self._tuple(seen), undone=undone, time=now))
        assert self.position is not None and self.game is not None
        verdict = explain_jump(self.board, self.position, seen)
        if verdict.legal and verdict.jumps:
            made = JumpMade(jumps=tuple(map(str, verdict.jumps)), holes=self._tuple(seen), time=now)
            return self._say(made) + self._end(seen, now)
        # All pieces were set up again in the middle of a game. No wrong jump leads there.
        if verdict.code in ("unclear", "piece_added") and (start := self._set_up(seen)) is not None:
            if now - self._since < self.options.halfway_seconds:
                return []
            return self._say(SolitaireStarted(problem=start.key, holes=self._tuple(seen), time=now))
        if seen != self.wrong and self._is_final(verdict, now):
            return self._say(
                JumpIllegal(
                    code=verdict.code,
                    reason=verdict.reason,
                    holes=self._tuple(self.position),
                    seen=self._tuple(seen),
                    time=now,
                )
            )
        return []

    def command(self, command: Command, now: float) -> list[Event]:
        """What a person asks for: it stands, take back, a new game, the position as it really is."""
        if isinstance(command, SetHoles):
            position = self.board.from_holes(command.holes)
            return self._say(HolesCorrected(holes=command.holes, time=now)) + self._end(position, now)
        if isinstance(command, LetStand) and self.wrong is not None:
            position = self.wrong
            return self._say(HolesCorrected(holes=self._tuple(position), time=now)) + self._end(position, now)
        if isinstance(command, NewGame):
            return self._say(SolitaireAbandoned(time=now))
        if isinstance(command, TakeBack):
            if self.wrong is not None and self.position is not None:
                words = "to go on, " + expected_words(self.board, self.position, self.wrong)
            else:
                words = "put the pieces back as they were; the board is watched"
            return [Refused(code="take_back", reason=words, time=now)]
        return [Refused(code="solitaire", reason="there is no such thing in this game", time=now)]

    # ------------------------------------------------------------------------------------------ inside

    def _say(self, event: Event) -> list[Event]:
        self.apply(event)
        return [event]

    def _end(self, position: int, now: float) -> list[Event]:
        """The end of the game, when nothing can be jumped any more or the finish is reached."""
        finish = self.game.finish if self.game is not None else None
        if self.board.legal(position) and position != finish:
            return []
        won = position == finish if finish is not None else position.bit_count() == 1
        return self._say(
            SolitaireEnded(remaining=position.bit_count(), won=won, holes=self._tuple(position), time=now)
        )

    def _set_up(self, seen: int) -> Problem | None:
        """The problem whose set-up lies there."""
        if self.problem is not None:
            return self.problem if seen == self.problem.start else None
        for problem in PROBLEMS.values():
            if problem.board is self.board and seen == problem.start:
                return problem
        if self.board.holes - seen.bit_count() == 1:
            return vacancy((self.board.full ^ seen).bit_length())
        return self._free(seen) if self.options.any_start and self.position is None else None

    def _named(self, key: str, position: int) -> Problem:
        """The problem of a journal's key."""
        if self.problem is not None and key == self.problem.key:
            return self.problem
        if key in PROBLEMS:
            return PROBLEMS[key]
        return _vacancy_named(key, self.board) or self._free(position)

    def _free(self, position: int) -> Problem:
        return Problem("free", {"en": "Free set-up"}, position, None, "As it was set up.", self.board)

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


def undo_words(board: Board, expected: int, seen: int, code: str) -> str:
    """A sentence: how the wrong jump of that code is undone."""
    # A jump that only lacks its end may be ended as well.
    begin = "Or" if code == "not_removed" else "To go on,"
    return f"{begin} {expected_words(board, expected, seen)}."


def problem_named(name: str) -> Problem | None:
    """`any` (None: whichever set-up is seen), a key of PROBLEMS on this board, or `vacancy-N`. Raises InvalidError."""
    if name == "any":
        return None
    if name in PROBLEMS and PROBLEMS[name].board is BOARD_37:
        return PROBLEMS[name]
    if (found := _vacancy_named(name, BOARD_37)) is not None:
        return found
    known = ", ".join(k for k, p in PROBLEMS.items() if p.board is BOARD_37)
    raise InvalidError(f"problem: expected any, {known} or vacancy-1 to vacancy-37, got {name!r}")


def _vacancy_named(name: str, board: Board) -> Problem | None:
    """`vacancy-N`: all holes filled but N; None for any other name."""
    hole = name.removeprefix("vacancy-")
    if hole != name and hole.isascii() and hole.isdigit() and 1 <= int(hole) <= board.holes:
        return vacancy(int(hole))
    return None
