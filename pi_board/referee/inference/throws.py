"""A roll as evidence: how likely each of the 21 rolls makes what was read of two dice, and whether it counts at all."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pi_board.events import Dice
from pi_board.referee.dice.pair import Pair
from pi_board.referee.dice.tracked_die import TrackedDie
from pi_board.referee.inference.model import Eyes
from pi_board.rules.procedure import DicePlace

#: The 21 rolls, larger number first.
ROLLS: tuple[Dice, ...] = tuple((a, b) for a in range(1, 7) for b in range(1, a + 1))
#: Log-probability of each roll of two fair dice.
CHANCE: dict[Dice, float] = {(a, b): math.log((1 if a == b else 2) / 36) for a, b in ROLLS}


def _values(die: TrackedDie, eyes: Eyes) -> tuple[float, ...]:
    """Log-likelihood of each number 1..6 by the mean of the die's readings."""
    total = [0.0] * 7
    read = 0
    for value, confidence in die.votes:
        if value not in range(1, 7):
            continue
        read += 1
        wrong = eyes.wrong(confidence)
        for number in range(1, 7):
            total[number] += math.log(1 - wrong) if number == value else math.log(wrong / 5)
    return tuple(t / max(1, read) for t in total[1:])


@dataclass(frozen=True, slots=True)
class Throw:
    """What two dice said. first, second: log-likelihood of each number, in the order of `halves`.

    looks, seen: as of `Pair`. flat, cocked: log-likelihood of the looks if the roll lay flat, if it did not. values: what was read
    (None: not), confidence: of the reading. gap: looks without dice before it. crowded: the dice before it still lie there.
    """

    serial: int
    looks: int
    seen: int
    first: tuple[float, ...]
    second: tuple[float, ...]
    flat: float
    cocked: float
    halves: tuple[DicePlace, DicePlace]
    values: Dice | None
    confidence: float
    gap: int
    on_checker: bool
    crowded: bool

    @classmethod
    def of(cls, pair: Pair, eyes: Eyes, *, crowded: bool) -> Throw:
        flat = cocked = 0.0
        for die in pair.dice:
            share = sum(die.cocked_votes) / max(1, len(die.cocked_votes))
            flat += share * math.log(eyes.flat_as_cocked) + (1 - share) * math.log(1 - eyes.flat_as_cocked)
        most = max(sum(d.cocked_votes) / max(1, len(d.cocked_votes)) for d in pair.dice)
        cocked = most * math.log(eyes.cocked_seen) + (1 - most) * math.log(1 - eyes.cocked_seen)
        values = pair.values
        return cls(
            pair.serial, pair.looks, pair.seen, _values(pair.dice[0], eyes), _values(pair.dice[1], eyes), flat, cocked, pair.halves,
            None if values is None else (max(values), min(values)), pair.confidence, pair.gap, pair.on_checker, crowded,
        )  # fmt: skip

    def of_roll(self, dice: Dice) -> float:
        """Log-likelihood of `dice` (order does not matter)."""
        a, b = dice[0] - 1, dice[1] - 1
        one = self.first[a] + self.second[b]
        if a == b:
            return one
        two = self.first[b] + self.second[a]
        high, low = max(one, two), min(one, two)
        # Two ways to roll two different numbers, each as likely as a double.
        return high + math.log1p(math.exp(low - high))

    def of_each(self, one: int, two: int) -> float:
        """Log-likelihood of the number `one` on the first die and `two` on the second."""
        return self.first[one - 1] + self.second[two - 1]

    def likely(self, reach: float) -> list[Dice]:
        """Rolls within `reach` nats of the likeliest."""
        scores = {roll: self.of_roll(roll) for roll in ROLLS}
        best = max(scores.values())
        return [roll for roll in ROLLS if scores[roll] >= best - reach]
