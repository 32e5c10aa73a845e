"""Games of the 37-hole board as a journal tells them, for looking back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pi_board.events import (
    Event,
    HolesCorrected,
    JumpMade,
    JumpTakenBack,
    SolitaireAbandoned,
    SolitaireEnded,
    SolitaireStarted,
)

Holes = tuple[int, ...]
#: Events that are actions of a game; `exhibits` counts the same ones.
ACTIONS = frozenset({"jump_made", "jump_taken_back", "holes_corrected"})


@dataclass(slots=True)
class SolitaireGame:
    """problem: its key. start: 37 x 0/1. actions: (type, jumps, holes afterwards). remaining, won: None while it is not over."""

    problem: str
    start: Holes
    actions: list[tuple[str, tuple[str, ...], Holes]] = field(default_factory=list)
    remaining: int | None = None
    won: bool | None = None
    abandoned: bool = False

    def to_document(self) -> dict[str, Any]:
        return {
            "problem": self.problem,
            "start": self.start,
            "actions": [
                {"type": kind, "jumps": jumps, "holes": holes} for kind, jumps, holes in self.actions
            ],
            "remaining": self.remaining,
            "won": self.won,
            "abandoned": self.abandoned,
        }


def solitaire_games(events: Iterable[Event]) -> list[SolitaireGame]:
    """In the order in which they were played; empty for a journal of backgammon."""
    games: list[SolitaireGame] = []
    for event in events:
        if isinstance(event, SolitaireStarted):
            games.append(SolitaireGame(event.problem, event.holes))
        elif not games:
            continue
        elif isinstance(event, JumpMade):
            games[-1].actions.append((event.type, event.jumps, event.holes))
        elif isinstance(event, JumpTakenBack | HolesCorrected):
            games[-1].actions.append((event.type, (), event.holes))
        elif isinstance(event, SolitaireEnded):
            games[-1].remaining, games[-1].won = event.remaining, event.won
        elif isinstance(event, SolitaireAbandoned):
            games[-1].abandoned = True
    return games
