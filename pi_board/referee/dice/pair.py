"""`Pair`: two dice that lie still."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pi_board.referee.dice.model import PAIR
from pi_board.referee.dice.tracked_die import TrackedDie, is_still
from pi_board.rules.procedure import DicePlace
from pi_board.sighting import DieSeen

#: No number is surer than this (0..1) when another is to be weighed against it. Set.
SUREST = 0.999


@dataclass
class Pair:
    """Two dice that lie still. serial: counts rolls; looks: settled looks that showed it.

    gap: settled looks without any dice just before it: dice that were gone, even briefly, have been rolled again and not pushed.
    came_apart: one of them had been seen to lie there alone, as in an opening roll. chosen: more than two lay there, and nothing told
    which two were rolled. in_motion: seconds for which both had lain still while hands moved, before the first settled look at them (None:
    they were not seen so).
    lay_before: hands came back between the first settled look at them and the second. since: the number of the first settled look at them.
    came_first: what else lay there in that look had come to rest after them.
    """

    dice: list[TrackedDie]
    serial: int = 0
    looks: int = 1
    gap: int = 0
    came_apart: bool = False
    chosen: bool = False
    in_motion: float | None = None
    lay_before: bool = False
    since: int = 0
    came_first: bool = False

    @property
    def seen(self) -> int:
        """Pictures that showed it, at rest or not: the settled looks, and one in which a hand moved elsewhere."""
        return self.looks + (self.in_motion is not None)

    @property
    def before_the_play(self) -> bool:
        """These dice lay there before the hands were done that moved last: what those have played was played with them."""
        return self.lay_before or (self.in_motion or 0.0) >= PAIR.before_the_play

    @property
    def values(self) -> tuple[int, int] | None:
        a, b = (d.reading[0] for d in self.dice)
        return None if a is None or b is None else (a, b)

    @property
    def confidence(self) -> float:
        read = min(d.reading[1] for d in self.dice)
        return min(read, PAIR.one_of_more) if self.chosen else read

    def shows(self, roll: Sequence[int] | None) -> bool:
        """Whether both dice can be read, and show these two numbers in either order. None: nobody knows which."""
        values = self.values
        return values is not None and roll is not None and sorted(values) == sorted(roll)

    def may_be(self, roll: tuple[int, int]) -> float:
        """How likely these dice are read as they are, at most, if `roll` lies there: 1 where they read so."""
        read = [d.reading for d in self.dice]
        return max(
            math.prod(
                1.0 if value == shown else 1.0 - min(confidence, SUREST)
                for (value, confidence), shown in zip(read, order, strict=True)
            )
            for order in (roll, roll[::-1])
        )

    @property
    def cocked(self) -> bool:
        return any(d.cocked for d in self.dice)

    @property
    def on_checker(self) -> bool:
        return any(d.on_checker for d in self.dice)

    @property
    def halves(self) -> tuple[DicePlace, DicePlace]:
        return self.dice[0].half, self.dice[1].half

    @property
    def last_seen(self) -> int:
        """The number of the last look that saw one of them."""
        return max(d.seen_in for d in self.dice)


def lie_as(pair: Pair, seen: Sequence[DieSeen]) -> bool:
    """Whether `seen` are the dice of `pair`, that have lain still."""
    return all(any(is_still(die, s) for s in seen) for die in pair.dice)
