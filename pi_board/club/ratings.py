"""Ratings as backgammon servers use them (pure): Elo with the match's length in it, after FIBS' published formula.

The chance that the lower rated player wins a match to n points is 1 / (10^(D sqrt(n) / 2000) + 1); the winner gets
4 K sqrt(n) times the chance that he had of losing it. K is 5 for a newcomer and falls to 1 over 400 points of matches played.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

#: What a player begins with; points of experience over which the factor falls; its ends.
BEGIN, EXPERIENCE, HIGHEST, LOWEST = 1500.0, 400, 5.0, 1.0


@dataclass(frozen=True, slots=True)
class Rating:
    """rating: about 1500 in the middle. experience: the lengths of all matches played, added up."""

    rating: float = BEGIN
    experience: int = 0

    @property
    def factor(self) -> float:
        return max(LOWEST, HIGHEST - self.experience / 100) if self.experience <= EXPERIENCE else LOWEST


def chance(own: float, other: float, length: int) -> float:
    """Chance of winning a match to `length` points against somebody rated `other`."""
    return 1 / (10 ** ((other - own) * math.sqrt(length) / 2000) + 1)


def after_match(winner: Rating, loser: Rating, length: int) -> tuple[Rating, Rating]:
    """Both ratings after a match. length: 1 or more."""
    stake = 4 * math.sqrt(length) * (1 - chance(winner.rating, loser.rating, length))
    return (
        Rating(winner.rating + winner.factor * stake, winner.experience + length),
        Rating(loser.rating - loser.factor * stake, loser.experience + length),
    )


def ratings(
    matches: Iterable[tuple[str, str, int]], begin: Mapping[str, Rating] | None = None
) -> dict[str, Rating]:
    """Everybody's rating after matches given as (winner, loser, length) in the order played."""
    found = dict(begin or {})
    for winner, loser, length in matches:
        if winner == loser or length < 1:
            continue
        found[winner], found[loser] = after_match(
            found.get(winner, Rating()), found.get(loser, Rating()), length
        )
    return found
