"""Which dice lie there, look after look: steady readings, new throws told from nudged dice, lifted dice.

Perception, not state of the game: nothing in here needs to survive a power cut.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from pi_board.sighting import DieSeen

#: A die that moved less than this many of its own edges is the same die, not thrown again.
NUDGE = 1.2
#: Edge length assumed when a sighting gives none, pixels.
TYPICAL_SIZE = 24.0
#: Bodies further apart than this (BGR distance) belong to different pairs.
OTHER_BODY = 90.0
#: Readings of one die kept for the vote.
MEMORY = 12


@dataclass
class Die:
    """One die followed from look to look."""

    x: float
    y: float
    size: float
    half: str
    body: tuple[int, int, int]
    votes: list[tuple[int | None, float]] = field(default_factory=list)
    cocked_votes: list[bool] = field(default_factory=list)
    on_checker: bool = False

    @classmethod
    def first(cls, seen: DieSeen) -> Die:
        die = cls(seen.x, seen.y, seen.size or TYPICAL_SIZE, seen.half, seen.body)
        die.update(seen)
        return die

    def update(self, seen: DieSeen) -> None:
        self.x, self.y, self.size = seen.x, seen.y, seen.size or self.size
        self.half, self.body, self.on_checker = seen.half, seen.body, seen.on_checker
        self.votes = [*self.votes, (seen.value, max(0.0, min(1.0, seen.confidence)))][-MEMORY:]
        self.cocked_votes = [*self.cocked_votes, seen.cocked or seen.on_checker][-MEMORY:]

    def is_at(self, seen: DieSeen) -> bool:
        reach = NUDGE * max(self.size, seen.size)
        other = any(self.body) and any(seen.body) and math.dist(self.body, seen.body) > OTHER_BODY
        return math.hypot(self.x - seen.x, self.y - seen.y) <= reach and not other

    @property
    def reading(self) -> tuple[int | None, float]:
        """(value, confidence 0..1) by vote over the last looks."""
        weight: dict[int, float] = defaultdict(float)
        best: dict[int, float] = defaultdict(float)
        for value, confidence in self.votes:
            if value in range(1, 7):
                weight[value] += confidence  # type: ignore[index]
                best[value] = max(best[value], confidence)  # type: ignore[index]
        if not weight:
            return None, 0.0
        value = max(weight, key=lambda v: weight[v])
        return value, best[value] * weight[value] / sum(weight.values())

    @property
    def cocked(self) -> bool:
        return sum(self.cocked_votes) * 2 > len(self.cocked_votes)


@dataclass
class Pair:
    """Two dice that lie still. serial: counts throws; looks: settled looks that showed it.

    after_lift: the dice before it had been lifted, so these can only have been thrown.
    """

    dice: list[Die]
    serial: int = 0
    looks: int = 1
    after_lift: bool = False

    @property
    def values(self) -> tuple[int, int] | None:
        a, b = (d.reading[0] for d in self.dice)
        return None if a is None or b is None else (a, b)

    @property
    def confidence(self) -> float:
        return min(d.reading[1] for d in self.dice)

    @property
    def cocked(self) -> bool:
        return any(d.cocked for d in self.dice)

    @property
    def on_checker(self) -> bool:
        return any(d.on_checker for d in self.dice)

    @property
    def halves(self) -> tuple[str, str]:
        return self.dice[0].half, self.dice[1].half


class DiceWatch:
    """`look` takes the dice of every settled look; then `pair` is what lies there and `absent` how long nothing has."""

    def __init__(self, agree_looks: int = 2) -> None:
        self.agree_looks = agree_looks
        self.pair: Pair | None = None
        self.absent = 0
        self.alone = 0
        self.crowded = False
        self._next: Pair | None = None
        self._serial = 0
        self._shifted = False

    def board_moved(self) -> None:
        """Places in the picture mean nothing any more: the next dice with the same numbers are the same dice."""
        self._shifted = True

    def look(self, dice: Sequence[DieSeen]) -> None:
        seen = list(dice)
        self.absent = 0 if seen else self.absent + 1
        self.alone = self.alone + 1 if len(seen) == 1 else 0
        if not seen:
            self._next = None
            self.crowded = False
            return
        if self.pair is not None and self._shifted and len(seen) == 2:
            if sorted(d.value or 0 for d in seen) == sorted(self.pair.values or ()):
                self._anchor(seen)
            self._shifted = False
        fresh = self._follow(seen) if self.pair is not None else seen
        self.crowded = len(seen) > 2
        if len(fresh) == 2:
            self._new_throw(fresh)
        else:
            self._next = None

    def gone(self) -> None:
        """The dice have been lifted: whatever is thrown next is new, wherever it lies."""
        self.pair = None
        self._next = None

    def _anchor(self, seen: Sequence[DieSeen]) -> None:
        assert self.pair is not None
        self.pair.dice = [Die.first(s) for s in seen]

    def _follow(self, seen: list[DieSeen]) -> list[DieSeen]:
        """Updates the pair that lies there; returns the dice that are not it."""
        assert self.pair is not None
        left = list(seen)
        matched: list[tuple[Die, DieSeen]] = []
        for die in self.pair.dice:
            near = [s for s in left if die.is_at(s)]
            if near:
                one = min(near, key=lambda s: math.hypot(s.x - die.x, s.y - die.y))
                left.remove(one)
                matched.append((die, one))
        if len(seen) == 2 and len(matched) == 1 and len(left) == 1:
            # One die stayed. If the numbers are the old ones the other was nudged; else this is another throw.
            known, read = self.pair.values, [s.value for s in seen]
            if known is None or None in read or sorted(read) == sorted(known):  # type: ignore[type-var]
                other = next(d for d in self.pair.dice if d is not matched[0][0])
                matched.append((other, left.pop()))
            else:
                return seen
        if len(seen) == 2 and len(matched) == 2 and self._contradicted(matched):
            return seen
        for die, one in matched:
            die.update(one)
        if len(matched) == 2:
            self.pair.looks += 1
        return left

    def _contradicted(self, matched: list[tuple[Die, DieSeen]]) -> bool:
        """Both places hold other numbers, surely read: thrown anew onto the same places."""
        return all(
            s.value is not None
            and d.reading[0] is not None
            and s.value != d.reading[0]
            and s.confidence > 0.8
            for d, s in matched
        )

    def _new_throw(self, fresh: list[DieSeen]) -> None:
        waiting = self._next
        if waiting is not None and all(any(d.is_at(s) for s in fresh) for d in waiting.dice):
            for die in waiting.dice:
                die.update(min(fresh, key=lambda s: math.hypot(s.x - die.x, s.y - die.y)))
            waiting.looks += 1
        else:
            waiting = self._next = Pair([Die.first(s) for s in fresh])
        if waiting.looks >= self.agree_looks:
            self._serial += 1
            waiting.serial = self._serial
            waiting.after_lift = self.pair is None
            self.pair, self._next = waiting, None
