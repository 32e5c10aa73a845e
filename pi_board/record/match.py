"""A match as it was played: the value that every game file is written from and read into."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pi_board.errors import IllegalError
from pi_board.rules import RULE_SETS, STARTING_POSITION, Position, Side, legal_plays, opponent

Moves = tuple[tuple[int, int], ...]
CHECKERS = 15
SIDES: tuple[Side, Side] = ("light", "dark")
#: The start of the variation that match files call NackGammon (light moves down).
NACKGAMMON = Position(
    (-2, -2, 0, 0, 0, 4, 0, 3, 0, 0, 0, -4, 4, 0, 0, 0, -3, 0, -4, 0, 0, 0, 2, 2), (0, 0), (0, 0)
)


@dataclass(frozen=True, slots=True)
class Rolled:
    """A roll and what was done with it.

    moves: (from, to) in the mover's numbering, one entry per checker and die, 25 = bar, 0 = off; empty = no play.
    None: the roll was not played (resigned after rolling). stood: the position on the board after an illegal play
    that stood; `moves` is then empty. seconds: that the turn took; left: seconds in the player's bank after it (None: not known,
    or no clock). Times are no part of what was played: games are the same without them.
    """

    side: Side
    dice: tuple[int, int]
    moves: Moves | None = ()
    stood: Position | None = None
    seconds: float | None = field(default=None, compare=False)
    left: float | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Doubled:
    side: Side
    value: int


@dataclass(frozen=True, slots=True)
class Took:
    side: Side


@dataclass(frozen=True, slots=True)
class Dropped:
    side: Side


Action = Rolled | Doubled | Took | Dropped


@dataclass(frozen=True, slots=True)
class GameRecord:
    """score: (light, dark) before the game. winner None: unfinished. kind: single, gammon, backgammon, pass, resigned."""

    score: tuple[int, int] = (0, 0)
    actions: tuple[Action, ...] = ()
    winner: Side | None = None
    points: int = 0
    kind: str = ""
    crawford: bool = False
    start: Position = STARTING_POSITION

    def positions(self) -> Iterator[tuple[Action, Position, Position]]:
        """(action, position before, position after), in order. Raises IllegalError when a move has no checker."""
        position = self.start
        for action in self.actions:
            before = position
            if isinstance(action, Rolled):
                position = action.stood or after_moves(position, action.side, action.moves or ())
            yield action, before, position

    def final(self) -> Position:
        *_, last = self.positions() if self.actions else [(None, None, self.start)]
        return last[2]

    def cube(self) -> int:
        return max((a.value for a in self.actions if isinstance(a, Doubled) and self._taken(a)), default=1)

    def _taken(self, double: Doubled) -> bool:
        rest = self.actions[self.actions.index(double) + 1 :]
        return bool(rest) and isinstance(rest[0], Took)


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """length 0 = money session. date: ISO (2026-11-20) or "". rules: name of the rule set."""

    names: tuple[str, str] = ("Light", "Dark")
    length: int = 0
    games: tuple[GameRecord, ...] = ()
    date: str = ""
    event: str = ""
    site: str = ""
    rules: str = "international"
    crawford: bool = True
    jacoby: bool = False

    @property
    def score(self) -> tuple[int, int]:
        """Score after the last game."""
        if not self.games:
            return (0, 0)
        last = self.games[-1]
        light, dark = last.score
        if last.winner == "light":
            light += last.points
        elif last.winner == "dark":
            dark += last.points
        return (light, dark)


@dataclass(frozen=True, slots=True)
class FileProblem:
    """Something in a file that could not be understood or does not fit; line counts from 1 (0: whole file).

    lost: what follows in this game is left out, because the file cannot be followed from here.
    """

    line: int
    text: str
    lost: bool = False

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}" if self.line else self.text


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a reader made of a file: everything understood, and a list of what was not.

    matches: all of a file that holds more than one (`match` is the last of a journal, the first of a match file).
    """

    match: MatchRecord
    problems: tuple[FileProblem, ...] = ()
    matches: tuple[MatchRecord, ...] = ()

    @property
    def lost(self) -> bool:
        """Whether turns are missing because the file could not be followed."""
        return any(problem.lost for problem in self.problems)


def after_moves(position: Position, side: Side, moves: Moves) -> Position:
    """The position after `moves` of `side`, hits included. Says nothing about legality beyond what is physically there.

    Raises IllegalError: no checker on the starting point, or two opposing checkers on the landing point.
    """
    board = _Board(position, side)
    for a, b in moves:
        board.step(a, b)
    return board.position()


class _Board:
    """A position that moves of one side are made on, in place (the readers make thousands). Points: the mover's."""

    __slots__ = ("bar", "base", "me", "off", "points", "side", "sign")

    def __init__(self, position: Position, side: Side) -> None:
        self.side: Side = side
        self.points, self.bar, self.off = list(position.points), list(position.bar), list(position.off)
        # Point p lies at index |p - base|; the mover's checkers count `sign`.
        self.me, self.sign, self.base = (0, 1, 1) if side == "light" else (1, -1, 24)

    def holds(self, a: int) -> bool:
        """Whether a checker of the mover can start from `a`."""
        if a == 25:
            return self.bar[self.me] > 0
        return 1 <= a <= 24 and self.points[abs(a - self.base)] * self.sign > 0

    def open(self, b: int) -> bool:
        """Whether a checker of the mover can land on `b`."""
        return b <= 0 or (b <= 24 and self.points[abs(b - self.base)] * self.sign >= -1)

    def step(self, a: int, b: int) -> None:
        """Raises IllegalError: nothing to move, or the landing point is held."""
        if not self.holds(a):
            where = "the bar to enter with" if a == 25 else str(a)
            raise IllegalError(f"{self.side}: no checker on {where}")
        if not self.open(b):
            raise IllegalError(f"{self.side}: {b} is held by {opponent(self.side)}")
        self.move(a, b)

    def move(self, a: int, b: int) -> None:
        """`step` where it is known to be possible."""
        if a == 25:
            self.bar[self.me] -= 1
        else:
            self.points[abs(a - self.base)] -= self.sign
        if b <= 0:
            self.off[self.me] += 1
            return
        at = abs(b - self.base)
        if self.points[at] == -self.sign:
            self.points[at] = 0
            self.bar[1 - self.me] += 1
        self.points[at] += self.sign

    def position(self) -> Position:
        """Raises IllegalError when both sides would have borne off everything."""
        if self.off[0] == self.off[1] == CHECKERS:
            raise IllegalError(f"{self.side}: the game was over")
        return Position.trusted(tuple(self.points), (self.bar[0], self.bar[1]), (self.off[0], self.off[1]))

    def ways(self, a: int, b: int, left: list[int]) -> list[list[tuple[int, int, int]]]:
        """How one checker can get from a to b with the dice that are left: [(die, from, to), …] for each way there is.

        With one die there is one way at most; with both dice, the way that begins with the first of `left` comes first.
        """
        if not self.holds(a):
            return []
        if a - b in left:
            return [[(a - b, a, b)]] if self.open(b) else []
        if b == 0 and (over := [d for d in left if d > a]):
            return [[(min(over), a, 0)]]
        return self._by_way(a, b, left)

    def _by_way(self, a: int, b: int, left: list[int]) -> list[list[tuple[int, int, int]]]:
        """The checker (in the hand) from a to b over points between."""
        found: list[list[tuple[int, int, int]]] = []
        for die in dict.fromkeys(left):
            middle = a - die
            if middle <= b or not self.open(middle):
                continue
            rest = list(left)
            rest.remove(die)
            if middle - b in rest:
                more = [[(middle - b, middle, b)]] if self.open(b) else []
            elif b == 0 and (over := [d for d in rest if d > middle]):
                more = [[(min(over), middle, 0)]]
            else:
                more = self._by_way(middle, b, rest)
            found += [[(die, a, middle), *steps] for steps in more]
        return found

    def hits(self, b: int) -> bool:
        """Whether a checker of the mover that lands on `b` hits."""
        return 1 <= b <= 24 and self.points[abs(b - self.base)] == -self.sign


def move_words(position: Position, side: Side, moves: Moves) -> str:
    """`moves` in words, one per checker and die, hits starred: "bar/21 13/7*"."""
    words = []
    for a, b in moves:
        points, _, _ = position.seen_from(side)
        hit = b > 0 and points[b - 1] == -1
        words.append(f"{'bar' if a == 25 else a}/{'off' if b <= 0 else b}{'*' if hit else ''}")
        position = after_moves(position, side, ((a, b),))
    return " ".join(words)


@dataclass(frozen=True, slots=True)
class Hop:
    """One checker's way, over one die or several. word: as it was written. hit: a star stands at its end."""

    start: int
    end: int
    word: str
    hit: bool = False


#: One way to understand a play: its moves and the position that they leave.
Reading = tuple[Moves, Position]


def hops(words: str) -> list[Hop]:
    """The ways of the checkers in notation. Raises IllegalError when a word is no move."""
    found: list[Hop] = []
    for word in _COUNTED.sub("(", words.replace(",", " ")).split():
        found += _hops(word)
    return found


#: "8/7 (2)" is written for "8/7(2)".
_COUNTED = re.compile(r"\s+\((?=[1-4]\))")


@functools.lru_cache(maxsize=4096)
def _hops(word: str) -> tuple[Hop, ...]:
    body, times = word.rstrip("*"), 1
    ends_in_star = body != word
    if body.endswith(")") and "(" in body:
        body, _, count = body[:-1].partition("(")
        if count not in ("1", "2", "3", "4"):
            raise IllegalError(f"{word}: not a move")
        times = int(count)
    stops = body.split("/")
    if len(stops) < 2:
        raise IllegalError(f"{word}: not a move")
    stars = [s.endswith("*") for s in stops]
    stars[-1] |= ends_in_star
    numbers = [_stop(s.rstrip("*"), word) for s in stops]
    pairs = zip(itertools.pairwise(numbers), stars[1:], strict=True)
    return tuple(Hop(a, b, word, star) for (a, b), star in pairs) * times


def readings(position: Position, side: Side, dice: tuple[int, int], ways: Sequence[Hop]) -> list[Reading]:
    """Every way to understand a play in which each checker goes its way with the dice that are left; the likeliest first.

    Only a checker that uses both dice of a roll can go two ways. As GNU Backgammon reads it, the way over which nothing
    is hit goes before one that hits where no star is written, and the die written first before the other.
    Raises IllegalError when a way needs dice that were not rolled, or is barred: then there is no reading.
    """
    try:
        return _readings(position, side, dice, ways)
    except IllegalError:
        # Moves may be written in any order: 18/13 24/18.
        ordered = sorted(ways, key=lambda way: (-way.start, -way.end))
        if ordered == list(ways):
            raise
        return _readings(position, side, dice, ordered)


def _readings(position: Position, side: Side, dice: tuple[int, int], ways: Iterable[Hop]) -> list[Reading]:
    left = [dice[0]] * 4 if dice[0] == dice[1] else list(dice)
    board = _Board(position, side)
    moves: list[tuple[int, int]] = []
    others: list[Moves] = []
    for way in ways:
        found = board.ways(way.start, way.end, left)
        if not found:
            raise IllegalError(f"{way.word}: not possible with {dice[0]}-{dice[1]} here")
        if len(found) > 1:
            # A star at the end where nothing can be hit means the checker between.
            wanted = way.hit and not board.hits(way.end)
            found.sort(key=lambda steps: any(board.hits(end) for _, _, end in steps[:-1]) != wanted)
            others = [(*moves, *((a, b) for _, a, b in steps)) for steps in found[1:]]
        for die, start, end in found[0]:
            left.remove(die)
            board.move(start, end)
            moves.append((start, end))
    # Both dice are used, so no later move can decide between the two ways of this checker.
    return [(tuple(moves), board.position()), *((o, after_moves(position, side, o)) for o in others)]


def as_written(position: Position, side: Side, ways: Sequence[Hop]) -> Reading:
    """A play whose moves the dice do not allow, made as it is written: what GNU Backgammon does too.

    Raises IllegalError where the checkers there cannot make it, or a move is longer than any die.
    """
    ordered = sorted(ways, key=lambda way: (-way.start, -way.end))
    for way in ordered:
        if not 1 <= way.start - way.end <= 6:
            raise IllegalError(f"{way.word}: longer than any die")
    if len(ordered) > 4:
        raise IllegalError("more than four moves")
    moves = tuple((way.start, way.end) for way in ordered)
    return moves, after_moves(position, side, moves)


def _stop(text: str, word: str) -> int:
    lowered = text.lower()
    if lowered == "bar":
        return 25
    if lowered == "off":
        return 0
    if text.isascii() and text.isdigit() and len(text) <= 2 and int(text) <= 25:
        return int(text)
    raise IllegalError(f"{word}: not a move")


def kind_of_win(game: GameRecord, final: Position) -> str:
    """How a finished game ended, as far as its actions tell; "" while it is unfinished."""
    if game.winner is None:
        return ""
    if game.actions and isinstance(game.actions[-1], Dropped):
        return "pass"
    loser: Side = opponent(game.winner)
    _, _, off = final.seen_from(game.winner)
    if off[0] < CHECKERS:
        return "resigned"
    return how_lost(final, loser)


def how_lost(final: Position, loser: Side) -> str:
    """ "single", "gammon" or "backgammon", when the other side has borne off everything."""
    points, bar, off = final.seen_from(loser)
    if off[0]:
        return "single"
    return "backgammon" if bar[0] or any(n > 0 for n in points[18:]) else "gammon"


# ------------------------------------------------------------------------------------- from the events


@dataclass
class Transcript:
    """Builds a `MatchRecord` from events, in order. Feed every event of a journal; ask for `result()` at any moment.

    match: the finished games of the match in hand. earlier: matches played before it in the same journal.
    """

    match: MatchRecord = field(default_factory=MatchRecord)
    earlier: tuple[MatchRecord, ...] = ()
    _game: GameRecord | None = None
    #: Seconds in both banks when the turn in hand began; None without a clock.
    _banks: tuple[float, float] | None = None
    #: Side (None: not yet known) and dice of the turn in hand.
    _roll: tuple[Side | None, tuple[int, int]] | None = None

    def add(self, event: Any) -> None:
        """`event`: a `pi_board.events.Event`."""
        kind = event.type
        if kind == "match_started":
            before = self.result()
            if any(game.actions for game in before.games):
                self.earlier = (*self.earlier, before)
            self.match = MatchRecord(
                (event.light_name, event.dark_name),
                event.match_length,
                rules=event.rules,
                crawford=event.crawford,
                jacoby=event.jacoby,
                date=self.match.date,
                event=self.match.event,
                site=self.match.site,
            )
            self._game = self._roll = None
        elif kind == "game_started":
            self._keep()
            self._game = GameRecord(
                score=tuple(event.score), crawford=event.crawford_game, start=event.position
            )
        elif kind == "clock_set":
            self._banks = None if event.kind == "off" else (event.light, event.dark)
        elif kind == "clock_changed":
            self._banks = None if self._banks is None else (event.light, event.dark)
        elif self._game is None:
            return
        elif kind == "turn_timed":
            self._timed(event.side, event.seconds)
        elif kind in ("dice_rolled", "dice_corrected"):
            self._roll = (event.side, tuple(event.dice))
        elif kind == "turn_reopened":
            last = self._game.actions[-1] if self._game.actions else None
            if isinstance(last, Rolled) and last.side == event.side:
                self._game = replace(self._game, actions=self._game.actions[:-1])
            self._roll = (event.side, tuple(event.dice))
        elif kind == "turn_ended" and event.dice is not None:
            moves = tuple(tuple(m) for m in event.moves)
            stood = None if event.legal and self._fits(event, moves) else event.position
            self._act(Rolled(event.side, tuple(event.dice), () if stood else moves, stood))
            self._roll = None
        elif kind == "cube_offered":
            self._act(Doubled(event.side, event.value))
        elif kind == "cube_taken":
            if not (self._game.actions and isinstance(self._game.actions[-1], Doubled)):
                # The cube was only seen after the offer, which happened between two looks.
                self._act(Doubled(opponent(event.side), event.value))
            self._act(Took(event.side))
        elif kind == "cube_passed":
            if not (self._game.actions and isinstance(self._game.actions[-1], Doubled)):
                self._act(Doubled(opponent(event.side), event.value))
            self._act(Dropped(event.side))
        elif kind == "game_won":
            self._game = replace(self._game, winner=event.side, points=event.points, kind=event.kind)
            self._keep()
        elif kind == "game_abandoned":
            if self._game.actions:
                self._keep()
            self._game = None
        elif kind == "position_corrected":
            self._correct(event.position, event.side)

    def _timed(self, side: Side, seconds: float) -> None:
        """The last turn of `side` took so long; said again where a later look told it better."""
        assert self._game is not None
        actions = list(self._game.actions)
        for i in range(len(actions) - 1, max(-1, len(actions) - 4), -1):
            action = actions[i]
            if isinstance(action, Rolled) and action.side == side:
                left = None if self._banks is None else self._banks[SIDES.index(side)]
                actions[i] = replace(action, seconds=seconds, left=left)
                self._game = replace(self._game, actions=tuple(actions))
                return

    def _correct(self, position: Position, next_side: Side | None) -> None:
        """A person said what lies on the board, and perhaps whose turn it is now."""
        assert self._game is not None
        roll, game = self._roll, self._game
        if roll is not None and next_side is not None and roll[0] in (None, opponent(next_side)):
            # The roll in hand was played to this position.
            side = opponent(next_side)
            self._act(self._played_to(position, game.final(), side, roll[1]))
            self._roll = None
        elif game.final() == position:
            return
        elif not game.actions:
            self._game = replace(game, start=position)
        elif isinstance(last := game.actions[-1], Rolled):
            # The position was corrected after a turn; the record continues from the corrected board.
            before = replace(game, actions=game.actions[:-1])
            played = self._played_to(position, before.final(), last.side, last.dice)
            corrected = replace(last, moves=played.moves, stood=played.stood)
            self._game = replace(game, actions=(*before.actions, corrected))

    def _played_to(self, position: Position, before: Position, side: Side, dice: tuple[int, int]) -> Rolled:
        """The turn that led from `before` to `position`: a lawful play where there is one, else something that stood."""
        plays = legal_plays(before, dice, side, RULE_SETS.get(self.match.rules, "international"))
        play = next((p for p in plays if p.result == position), None)
        return Rolled(side, dice, (), position) if play is None else Rolled(side, dice, tuple(play.moves))

    def matches(self) -> tuple[MatchRecord, ...]:
        """Every match of the journal in which anything was played, oldest first; the last one may be in hand."""
        last = self.result()
        return (
            (*self.earlier, last) if any(g.actions for g in last.games) or not self.earlier else self.earlier
        )

    def result(self) -> MatchRecord:
        """The match so far, the game in hand included."""
        if self._game is None:
            return self.match
        return replace(self.match, games=(*self.match.games, self._game))

    def _fits(self, event: Any, moves: Moves) -> bool:
        try:
            assert self._game is not None
            return after_moves(self._game.final(), event.side, moves) == event.position
        except IllegalError:
            return False

    def _act(self, action: Action) -> None:
        assert self._game is not None
        self._game = replace(self._game, actions=(*self._game.actions, action))

    def _keep(self) -> None:
        if self._game is not None:
            self.match = replace(self.match, games=(*self.match.games, self._game))
            self._game = self._roll = None
