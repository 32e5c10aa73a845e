"""Statistics over recorded games: results, illegal plays, dice, time per turn (pure: events in, figures out)."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pi_board.events import DiceRolled, Event, GameStarted, GameWon, MatchStarted, PlayIllegal, TurnEnded


@dataclass
class PlayerFigures:
    """Figures of one player over all sessions read. seconds: thinking times of his turns."""

    games: int = 0
    won: int = 0
    points: int = 0
    turns: int = 0
    illegal: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def to_document(self) -> dict[str, Any]:
        times = sorted(self.seconds)
        return {
            "games": self.games,
            "won": self.won,
            "points": self.points,
            "turns": self.turns,
            "illegal": dict(self.illegal.most_common()),
            "seconds_per_turn": round(times[len(times) // 2], 1) if times else None,
        }


@dataclass(frozen=True, slots=True)
class GameLine:
    """One finished game: when its session began, names, winner's name, points, how."""

    session: str
    game: int
    winner: str
    points: int
    kind: str


@dataclass
class Statistics:
    """players by name; dice: how often each number lay; pairs: how often each roll lay."""

    players: dict[str, PlayerFigures] = field(default_factory=lambda: defaultdict(PlayerFigures))
    games: list[GameLine] = field(default_factory=list)
    dice: Counter[int] = field(default_factory=Counter)
    pairs: Counter[tuple[int, int]] = field(default_factory=Counter)

    def add(self, events: Iterable[Event], session: str = "") -> None:
        """The events of one journal."""
        names = {"light": "Light", "dark": "Dark"}
        rolled_at: float | None = None
        game = 0
        for event in events:
            if isinstance(event, MatchStarted):
                names = {"light": event.light_name, "dark": event.dark_name}
            elif isinstance(event, GameStarted):
                game, rolled_at = event.game, None
            elif isinstance(event, DiceRolled):
                rolled_at = event.time
                self.dice.update(event.dice)
                high, low = max(event.dice), min(event.dice)
                self.pairs[high, low] += 1
            elif isinstance(event, PlayIllegal):
                self.players[names[event.side]].illegal[event.code] += 1
            elif isinstance(event, TurnEnded):
                player = self.players[names[event.side]]
                player.turns += 1
                if rolled_at is not None and 0 <= event.time - rolled_at < 3600:
                    player.seconds.append(event.time - rolled_at)
                rolled_at = None
            elif isinstance(event, GameWon):
                for side, name in names.items():
                    self.players[name].games += 1
                    if side == event.side:
                        self.players[name].won += 1
                        self.players[name].points += event.points
                self.games.append(GameLine(session, game, names[event.side], event.points, event.kind))

    def to_document(self) -> dict[str, Any]:
        return {
            "players": {name: p.to_document() for name, p in sorted(self.players.items())},
            "games": [
                {"session": g.session, "game": g.game, "winner": g.winner, "points": g.points, "kind": g.kind}
                for g in self.games
            ],
            "dice": {str(n): self.dice[n] for n in range(1, 7)},
            "doubles": sum(n for (a, b), n in self.pairs.items() if a == b),
            "rolls": sum(self.pairs.values()),
            "dice_fair_p": round(fairness([self.dice[n] for n in range(1, 7)]), 4),
        }


def fairness(counts: Sequence[int]) -> float:
    """p-value of Pearson's chi-square test that six numbers are equally likely (5 degrees of freedom).

    Small (below 0.01) means: this die is hardly fair. 1.0 without throws.
    """
    total = sum(counts)
    if len(counts) != 6 or total == 0:
        return 1.0
    expected = total / 6
    x = sum((n - expected) ** 2 / expected for n in counts)
    # The tail of chi-square with 5 degrees of freedom in closed form.
    return math.erfc(math.sqrt(x / 2)) + math.sqrt(2 * x / math.pi) * math.exp(-x / 2) * (1 + x / 3)


def fairness_words(counts: Sequence[int]) -> str:
    """The test in words that promise no more than the number of throws allows."""
    total, p = sum(counts), fairness(counts)
    if total < 60:
        return f"{total} dice are too few to tell whether they are fair"
    if p < 0.001:
        return f"p = {p:.2g}: these dice are very unlikely to be fair"
    if p < 0.01:
        return f"p = {p:.2g}: these dice are suspicious; watch some more games"
    return f"p = {p:.2g}: nothing against these dice"
