"""Statistics over recorded games: results, illegal plays, dice, time per turn (pure: events in, figures out)."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pi_board.events import (
    Continued,
    DiceCorrected,
    DiceRolled,
    Event,
    GameStarted,
    MatchStarted,
    OpeningThrown,
    Paused,
    PlayIllegal,
    TurnEnded,
    TurnReopened,
)
from pi_board.record.match import SIDES, GameRecord, MatchRecord, Rolled, Transcript
from pi_board.record.turn_times import PHASES, turn_times
from pi_board.rules import STARTING_POSITION, Side, opponent

#: A turn that took longer was an interruption, not thinking.
LONGEST_TURN = 3600.0
#: From so many rolls on, the same dice by the same sides are the same game (a chance of 1 in 36 to that power).
SAME_GAME = 5


@dataclass
class Review:
    """What the coach found: decisions, equity lost in them, luck (equity per unit cube)."""

    decisions: int = 0
    loss: float = 0.0
    luck: float = 0.0

    @property
    def error_rate(self) -> float:
        """Thousandths of equity lost per unforced decision; 0 with none."""
        return 1000 * self.loss / self.decisions if self.decisions else 0.0

    def add(self, other: Review) -> None:
        self.decisions += other.decisions
        self.loss += other.loss
        self.luck += other.luck


@dataclass
class PlayerFigures:
    """One player in one game or over all. games: finished ones. illegal: verdicts by code. stood: illegal plays that
    stood. seconds: thinking time of each turn, from the roll to its end. dice: what this player rolled. by_phase: seconds of the turns
    that were timed by the pictures, by phase of the game; trouble: how many of them ended with less than a minute on the clock."""

    games: int = 0
    won: int = 0
    points: int = 0
    turns: int = 0
    stood: int = 0
    illegal: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    dice: Counter[int] = field(default_factory=Counter)
    review: Review | None = None
    by_phase: dict[str, list[float]] = field(default_factory=dict)
    trouble: int = 0

    def add(self, other: PlayerFigures) -> None:
        self.games += other.games
        self.won += other.won
        self.points += other.points
        self.turns += other.turns
        self.stood += other.stood
        self.illegal += other.illegal
        self.seconds += other.seconds
        self.dice += other.dice
        self.trouble += other.trouble
        for phase, seconds in other.by_phase.items():
            self.by_phase.setdefault(phase, []).extend(seconds)
        if other.review is not None:
            self.review = self.review or Review()
            self.review.add(other.review)

    def to_document(self) -> dict[str, Any]:
        times = sorted(self.seconds)
        document = {
            "games": self.games,
            "won": self.won,
            "points": self.points,
            "turns": self.turns,
            "illegal": dict(self.illegal.most_common()),
            "stood": self.stood,
            "seconds_per_turn": round(times[len(times) // 2], 1) if times else None,
            "longest_turn": round(times[-1], 1) if times else None,
            "dice": {str(n): self.dice[n] for n in range(1, 7)},
            "dice_fair_p": round(fairness([self.dice[n] for n in range(1, 7)]), 4),
        }
        if self.by_phase:
            document["seconds_by_phase"] = {
                phase: round(sum(s) / len(s), 1) for phase in PHASES if (s := self.by_phase.get(phase))
            }
            document["in_time_trouble"] = self.trouble
        if self.review is not None:
            document["decisions"] = self.review.decisions
            document["error_rate"] = round(self.review.error_rate, 2)
            document["performance_rating"] = round(self.review.error_rate / 2, 2)
            document["luck"] = round(self.review.luck, 3)
        return document


@dataclass
class GameFigures:
    """One game. session: the journal's name. winner: a name, "" while unfinished. players by name."""

    session: str
    match: int
    game: int
    names: tuple[str, str]
    winner: str = ""
    points: int = 0
    kind: str = ""
    cube: int = 1
    players: dict[str, PlayerFigures] = field(default_factory=dict)
    record: GameRecord | None = None

    def to_document(self) -> dict[str, Any]:
        return {
            "session": self.session,
            "match": self.match,
            "game": self.game,
            "winner": self.winner or None,
            "points": self.points,
            "kind": self.kind,
            "cube": self.cube,
            "players": {name: p.to_document() for name, p in self.players.items()},
        }


class Statistics:
    """games in the order played. dice: how often each number lay; pairs: how often each roll lay (higher die first)."""

    def __init__(self) -> None:
        self.games: list[GameFigures] = []
        self.dice: Counter[int] = Counter()
        self.pairs: Counter[tuple[int, int]] = Counter()
        #: The rolls of every game, so that a game that is in two files counts once.
        self._rolls_seen: set[tuple[tuple[str, int, int], ...]] = set()

    @property
    def players(self) -> dict[str, PlayerFigures]:
        """Every player over all games, by name."""
        total: dict[str, PlayerFigures] = defaultdict(PlayerFigures)
        for game in self.games:
            for name, figures in game.players.items():
                total[name].add(figures)
        return dict(sorted(total.items()))

    def add(self, events: Iterable[Event], session: str = "") -> Transcript:
        """The events of one journal. Returns its transcript (for who wants to review the plays)."""
        reading = _Reading(self, session)
        for event in events:
            reading.take(event)
        reading.finish()
        return reading.transcript

    def add_match(self, match: MatchRecord, session: str = "", number: int = 1) -> int:
        """A match read from a file: results and dice, but no times and no verdicts. A game that is here already, by its
        dice, is not counted again. Returns how many games were left out for that."""
        names = told_apart(match.names)
        again = 0
        for index, game in enumerate(match.games, 1):
            if not game.actions and game.winner is None:
                continue
            if len(_rolls_of(game)) >= SAME_GAME and _rolls_of(game) in self._rolls_seen:
                again += 1
                continue
            self.note(game)
            self.games.append(self._figures(game, names, session, number, index))
        return again

    def note(self, game: GameRecord) -> None:
        """Remembers a game by its rolls."""
        self._rolls_seen.add(_rolls_of(game))

    def _figures(
        self, game: GameRecord, names: tuple[str, str], session: str, match: int, number: int
    ) -> GameFigures:
        figures: dict[Side, PlayerFigures] = {side: PlayerFigures() for side in SIDES}
        rolls = [a for a in game.actions if isinstance(a, Rolled)]
        for index, roll in enumerate(rolls):
            high, low = max(roll.dice), min(roll.dice)
            self.pairs[high, low] += 1
            self.dice.update(roll.dice)
            figures[roll.side].turns += 1
            figures[roll.side].stood += roll.stood is not None
            if index == 0 and high != low and game.start == STARTING_POSITION:
                # Each player rolled one die; the higher one began.
                figures[roll.side].dice[high] += 1
                figures[opponent(roll.side)].dice[low] += 1
            else:
                figures[roll.side].dice.update(roll.dice)
        return _finished(
            GameFigures(session, match, number, names, kind=game.kind, cube=game.cube(), record=game), figures
        )

    def error_rates(self) -> dict[str, list[float]]:
        """Error rate of each game in which the coach found a decision, by player."""
        found: dict[str, list[float]] = defaultdict(list)
        for game in self.games:
            for name, p in game.players.items():
                if p.review is not None and p.review.decisions:
                    found[name].append(p.review.error_rate)
        return dict(found)

    def to_document(self) -> dict[str, Any]:
        document = {
            "players": {name: p.to_document() for name, p in self.players.items()},
            "games": [game.to_document() for game in self.games],
            "dice": {str(n): self.dice[n] for n in range(1, 7)},
            "pairs": {f"{a}{b}": n for (a, b), n in sorted(self.pairs.items(), reverse=True)},
            "doubles": sum(n for (a, b), n in self.pairs.items() if a == b),
            "rolls": sum(self.pairs.values()),
            "dice_fair_p": round(fairness([self.dice[n] for n in range(1, 7)]), 4),
        }
        if rates := self.error_rates():
            document["error_rate_by_game"] = {n: [round(v, 2) for v in r] for n, r in rates.items()}
            document["error_rate_trend"] = {n: round(trend(r), 3) for n, r in rates.items()}
        return document


class _Reading:
    """One journal on its way into the statistics: events for times, dice and verdicts; the transcript for the games."""

    def __init__(self, statistics: Statistics, session: str) -> None:
        self.into, self.session = statistics, session
        self.transcript = Transcript()
        self.names = ("Light", "Dark")
        self.figures: dict[Side, PlayerFigures] = {}
        self.rolled_at: float | None = None
        self.rolled: tuple[Side | None, tuple[int, int]] | None = None
        self.opening: OpeningThrown | None = None

    def take(self, event: Event) -> None:
        before, match = self._kept(), len(self.transcript.earlier)
        self.transcript.add(event)
        if len(self.transcript.earlier) > match:
            # A new match began: the game in hand, if any, ended with the old one.
            games = self.transcript.earlier[-1].games
            if len(games) > before:
                self._end(games[-1], match + 1, len(games))
        elif self._kept() > before:
            self._end(self.transcript.match.games[-1], match + 1, self._kept())
        if isinstance(event, MatchStarted):
            self.names = told_apart((event.light_name, event.dark_name))
        elif isinstance(event, GameStarted):
            self.figures = {side: PlayerFigures() for side in SIDES}
            self.rolled_at = self.rolled = self.opening = None
        elif self.figures:
            self._happened(event)

    def finish(self) -> None:
        self._settle_dice()
        games = self.transcript.result().games
        if len(games) > self._kept() and games[-1].actions:
            self._end(games[-1], len(self.transcript.earlier) + 1, len(games))

    def _kept(self) -> int:
        return len(self.transcript.match.games)

    def _happened(self, event: Event) -> None:
        if isinstance(event, OpeningThrown):
            self.opening = event
            if event.side is None:
                self._count("light", (event.light,))
                self._count("dark", (event.dark,))
        elif isinstance(event, DiceRolled):
            self._settle_dice()
            self.rolled, self.rolled_at = (event.side, event.dice), event.time
        elif isinstance(event, DiceCorrected):
            # The roll that was read first was a misreading and does not count.
            self.rolled = (event.side, event.dice)
            self.rolled_at = event.time if self.rolled_at is None else self.rolled_at
        elif isinstance(event, PlayIllegal):
            self.figures[event.side].illegal[event.code] += 1
        elif isinstance(event, Paused | Continued):
            self.rolled_at = None
        elif isinstance(event, TurnReopened):
            player = self.figures[event.side]
            player.turns = max(0, player.turns - 1)
        elif isinstance(event, TurnEnded):
            player = self.figures[event.side]
            player.turns += 1
            if self.rolled is not None and self.rolled[0] is None:
                self.rolled = (event.side, self.rolled[1])
            self._settle_dice()
            if self.rolled_at is not None and 0 <= event.time - self.rolled_at < LONGEST_TURN:
                player.seconds.append(event.time - self.rolled_at)
            self.rolled_at = None

    def _settle_dice(self) -> None:
        """Counts the roll in hand: nobody can correct it any more."""
        if self.rolled is None:
            return
        (side, dice), self.rolled = self.rolled, None
        self.into.pairs[max(dice), min(dice)] += 1
        if self.opening is not None and sorted(dice) == sorted((self.opening.light, self.opening.dark)):
            # One die each.
            self._count("light", (self.opening.light,))
            self._count("dark", (self.opening.dark,))
        else:
            self._count(side, dice)
        self.opening = None

    def _count(self, side: Side | None, dice: Sequence[int]) -> None:
        self.into.dice.update(dice)
        if side is not None:
            self.figures[side].dice.update(dice)

    def _end(self, game: GameRecord, match: int, number: int) -> None:
        """The game in hand is over (or was left)."""
        self._settle_dice()
        if not self.figures:
            return
        for action in game.actions:
            if isinstance(action, Rolled) and action.stood is not None:
                self.figures[action.side].stood += 1
        line = GameFigures(
            self.session, match, number, self.names, kind=game.kind, cube=game.cube(), record=game
        )
        self.into.note(game)
        self.into.games.append(_finished(line, self.figures))
        self.figures = {}


def told_apart(names: tuple[str, str]) -> tuple[str, str]:
    """Names that tell the players apart, also where none or the same was written."""
    light, dark = (name or "(no name)" for name in names)
    return (f"{light} (light)", f"{dark} (dark)") if light == dark else (light, dark)


def _rolls_of(game: GameRecord) -> tuple[tuple[str, int, int], ...]:
    return tuple((a.side, min(a.dice), max(a.dice)) for a in game.actions if isinstance(a, Rolled))


def _finished(line: GameFigures, figures: dict[Side, PlayerFigures]) -> GameFigures:
    """A game's line with its players and its result."""
    game = line.record
    for side, times in turn_times([game] if game is not None else []).items():
        if every := times.all:
            # Counted by the pictures: better than the times at which verdicts were reached.
            figures[side].seconds = every
            figures[side].by_phase = {phase: list(s) for phase, s in times.seconds.items()}
            figures[side].trouble = times.trouble
    if game is not None and game.winner is not None:
        winner, loser = figures[game.winner], figures[opponent(game.winner)]
        winner.games, winner.won, winner.points, loser.games = 1, 1, game.points, 1
        line.winner, line.points = line.names[SIDES.index(game.winner)], game.points
    line.players = dict(zip(line.names, (figures["light"], figures["dark"]), strict=True))
    return line


def fairness(counts: Sequence[int]) -> float:
    """p-value of Pearson's chi-square test that six numbers are equally likely (5 degrees of freedom).

    Small (below 0.01) means: this die is hardly fair. 1.0 without rolls.
    """
    total = sum(counts)
    if len(counts) != 6 or total == 0:
        return 1.0
    expected = total / 6
    x = sum((n - expected) ** 2 / expected for n in counts)
    # The tail of chi-square with 5 degrees of freedom in closed form.
    return math.erfc(math.sqrt(x / 2)) + math.sqrt(2 * x / math.pi) * math.exp(-x / 2) * (1 + x / 3)


Fairness = Literal["few", "unlikely", "suspicious", "fair"]


def fairness_verdict(counts: Sequence[int]) -> Fairness:
    """What the test says, and no more than the number of rolls allows."""
    if sum(counts) < 60:
        return "few"
    p = fairness(counts)
    return "unlikely" if p < 0.001 else "suspicious" if p < 0.01 else "fair"


def fairness_words(counts: Sequence[int]) -> str:
    """The verdict in words."""
    p = f"p = {fairness(counts):.2g}"
    return {
        "few": f"{sum(counts)} dice are too few to tell whether they are fair",
        "unlikely": f"{p}: these dice are very unlikely to be fair",
        "suspicious": f"{p}: these dice are suspicious; watch some more games",
        "fair": f"{p}: nothing against these dice",
    }[fairness_verdict(counts)]


def trend(values: Sequence[float]) -> float:
    """Change per game of the straight line that fits best (least squares); 0 with fewer than two games."""
    n = len(values)
    if n < 2:
        return 0.0
    middle, mean = (n - 1) / 2, sum(values) / n
    above = sum((i - middle) * (v - mean) for i, v in enumerate(values))
    return above / sum((i - middle) ** 2 for i in range(n))


def trend_words(values: Sequence[float]) -> str:
    """The trend of error rates in words; says nothing of fewer than five games."""
    if len(values) < 5:
        return f"{len(values)} games are too few for a trend"
    step = 10 * trend(values)
    if abs(step) < 0.5:
        return "steady"
    return f"{'falling' if step < 0 else 'rising'} by {abs(step):.1f} in ten games"
