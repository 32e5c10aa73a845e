"""Time as statistics: what turns took, by phase of the game, and who was short of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Literal

from pi_board.record.match import GameRecord, MatchRecord, Rolled
from pi_board.rules import Position, Side
from pi_board.table import clock_words

Phase = Literal["opening", "contact", "race", "bear-off"]
PHASES: tuple[Phase, ...] = ("opening", "contact", "race", "bear-off")
#: Turns of a game (both players') that are its opening, and seconds in the bank below which a player is short of time.
OPENING_TURNS, TROUBLE = 4, 60.0


def phase_of(position: Position, side: Side, turn: int) -> Phase:
    """The phase of turn number `turn` (0-based) of a game, in which `side` is to play from `position`."""
    if turn < OPENING_TURNS:
        return "opening"
    points, bar, _ = position.seen_from(side)
    mine = [i for i, n in enumerate(points) if n > 0]
    theirs = [i for i, n in enumerate(points) if n < 0]
    rear, front = max(mine, default=-1), min(theirs, default=24)
    if bar[0] or bar[1] or rear > front:
        return "contact"
    return "bear-off" if rear < 6 else "race"


@dataclass
class TurnTimes:
    """One player's turns. seconds: of each, by phase. trouble: turns that ended with less than a minute left. left: after the last."""

    seconds: dict[Phase, list[float]] = field(default_factory=lambda: defaultdict(list))
    trouble: int = 0
    left: float | None = None

    @property
    def all(self) -> list[float]:
        return [s for phase in PHASES for s in self.seconds.get(phase, [])]

    def to_document(self) -> dict[str, Any]:
        every = self.all
        return {
            "turns": len(every),
            "seconds": round(sum(every), 1),
            "seconds_per_turn": round(sum(every) / len(every), 1) if every else None,
            "longest": round(max(every), 1) if every else None,
            "by_phase": {p: round(sum(s) / len(s), 1) for p in PHASES if (s := self.seconds.get(p))},
            "median_by_phase": {p: round(median(s), 1) for p in PHASES if (s := self.seconds.get(p))},
            "in_time_trouble": self.trouble,
            "left": None if self.left is None else round(self.left, 1),
        }


def turn_times(games: Iterable[GameRecord]) -> dict[Side, TurnTimes]:
    """Both players' times over `games`; empty lists where no times were kept."""
    found: dict[Side, TurnTimes] = {"light": TurnTimes(), "dark": TurnTimes()}
    for game in games:
        turn = 0
        for action, before, _ in game.positions():
            if not isinstance(action, Rolled):
                continue
            if action.seconds is not None:
                times = found[action.side]
                times.seconds[phase_of(before, action.side, turn)].append(action.seconds)
                if action.left is not None:
                    times.left = action.left
                    times.trouble += action.left < TROUBLE
            turn += 1
    return found


def player_words(name: str, times: TurnTimes) -> str:
    """ "Anna: 12.3 s a turn, the longest 40 s; opening 8 s, contact 15 s; 2 turns short of time", "" without times."""
    document = times.to_document()
    if not document["turns"]:
        return ""
    words = f"{name}: {document['seconds_per_turn']:.1f} s a turn, the longest {document['longest']:.0f} s"
    phases = ", ".join(f"{phase} {seconds:.0f} s" for phase, seconds in document["by_phase"].items())
    short = f"; {times.trouble} turn{'s' * (times.trouble != 1)} with less than a minute left" * bool(
        times.trouble
    )
    return f"{words}; {phases}{short}"


def time_words(action: Rolled) -> str:
    """ "12.4 s, 9:58 left"."""
    words = f"{action.seconds or 0:.1f} s"
    return words if action.left is None else f"{words}, {clock_words(int(action.left))} left"


def times_words(match: MatchRecord) -> str:
    """ "Anna 12.3 s a turn, 4:10 left; Bob 9.8 s a turn", "" where no times were kept."""
    parts = []
    for name, times in zip(match.names, turn_times(match.games).values(), strict=True):
        if every := times.all:
            left = "" if times.left is None else f", {clock_words(int(times.left))} left"
            parts.append(f"{name} {sum(every) / len(every):.1f} s a turn{left}")
    return "; ".join(parts)
