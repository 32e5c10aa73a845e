"""`TrackedDie`: one die followed from look to look, and what tells one find from another."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from pi_board.referee.dice.model import PAIR
from pi_board.rules.procedure import DicePlace
from pi_board.sighting import DieSeen

#: A die that has moved by less than this (in its own edges) is the same die and was not rolled again.
NUDGE = 1.2
#: A die that has moved by less than this (in its own edges) was not touched.
STILL = 0.3
#: Edge length (px) for a sighting that gives none.
TYPICAL_SIZE = 24.0
#: Bodies further apart than this (BGR distance) belong to different pairs.
OTHER_BODY = 90.0
#: Readings of one die kept for the vote.
MEMORY = 12


def readable(seen: DieSeen) -> bool:
    """Whether a number can be read, or the die leans."""
    return (seen.value is not None and seen.confidence >= PAIR.number) or seen.cocked or seen.on_checker


def alike(a: DieSeen, b: DieSeen, *, shaded: bool = False) -> bool:
    """Whether two dice could be a pair: similar size, and similar colour where it is known. shaded: one may lie in an arm's shadow,
    which is darker than another's."""
    if a.size and b.size and not PAIR.least_alike < a.size / b.size < PAIR.most_alike:
        return False
    return _same_colour(a.body, b.body, math.inf if shaded else PAIR.in_shadow)


def _same_colour(a: tuple[int, int, int], b: tuple[int, int, int], darker: float) -> bool:
    """Whether two bodies (BGR) may have one colour, or nothing is known of one; one of them may be `darker` times as dark."""
    dark, bright = sorted((a, b), key=sum)
    if not sum(dark):
        return True
    lit = min(sum(bright) / sum(dark), darker)
    return math.dist(bright, [lit * c for c in dark]) <= OTHER_BODY


@dataclass
class TrackedDie:
    """One die followed from look to look."""

    x: float
    y: float
    size: float
    half: DicePlace
    body: tuple[int, int, int]
    votes: list[tuple[int | None, float]] = field(default_factory=list)
    cocked_votes: list[bool] = field(default_factory=list)
    chances: list[tuple[float, ...]] = field(default_factory=list)
    on_checker: bool = False
    seen_in: int = -1

    @classmethod
    def first(cls, seen: DieSeen, look: int) -> TrackedDie:
        die = cls(seen.x, seen.y, seen.size or TYPICAL_SIZE, seen.half, seen.body)
        die.update(seen, look)
        return die

    def update(self, seen: DieSeen, look: int, *, votes: bool = True) -> None:
        """This is where it lies now. votes=False: what `seen` shows may be another die's number."""
        self.seen_in = look
        self.x, self.y, self.size = seen.x, seen.y, seen.size or self.size
        self.half, self.body = seen.half, seen.body
        if not votes:
            return
        self.on_checker = seen.on_checker
        self.votes = [*self.votes, (seen.value, max(0.0, min(1.0, seen.confidence)))][-MEMORY:]
        if seen.value is not None and seen.chances:
            self.chances = [*self.chances, seen.chances][-MEMORY:]
        if readable(seen):
            # A look without a number does not tell either whether the die leans.
            self.cocked_votes = [*self.cocked_votes, seen.cocked or seen.on_checker][-MEMORY:]

    def is_at(self, seen: DieSeen) -> bool:
        reach = NUDGE * max(self.size, seen.size)
        same = _same_colour(self.body, seen.body, PAIR.in_shadow)
        return math.hypot(self.x - seen.x, self.y - seen.y) <= reach and same

    @property
    def reading(self) -> tuple[int | None, float]:
        """(value, confidence 0..1) by vote over the last looks."""
        weight: dict[int, float] = defaultdict(float)
        best: dict[int, float] = defaultdict(float)
        for value, confidence in self.votes:
            if value is not None and 1 <= value <= 6:
                weight[value] += confidence
                best[value] = max(best[value], confidence)
        if not weight:
            return None, 0.0
        value = max(weight, key=lambda v: weight[v])
        return value, best[value] * weight[value] / sum(weight.values())

    def may_show(self, least: float) -> set[int] | None:
        """The numbers other than what it reads that have this chance at least by any of the last looks that read it; None where none said."""
        if not self.chances:
            return None
        most = (max(of_one) for of_one in zip(*self.chances, strict=True))
        return {value for value, chance in enumerate(most, 1) if chance >= least} - {self.reading[0]}

    @property
    def cocked(self) -> bool:
        return sum(self.cocked_votes) * 2 > len(self.cocked_votes)


def lies_as(now: DieSeen, before: DieSeen) -> bool:
    """Whether the die has lain still between two pictures, the same number up."""
    still = STILL * max(now.size or TYPICAL_SIZE, before.size or TYPICAL_SIZE)
    return now.value == before.value and math.hypot(now.x - before.x, now.y - before.y) <= still


def is_still(die: TrackedDie, seen: DieSeen) -> bool:
    """Whether `seen` is `die`, that has lain still and shows what it showed."""
    return die.reading[0] == seen.value and math.hypot(die.x - seen.x, die.y - seen.y) <= STILL * die.size


def of_one_die(a: DieSeen, b: DieSeen) -> bool:
    """Whether two finds lie so close that they are faces of one die."""
    return math.hypot(a.x - b.x, a.y - b.y) < PAIR.apart * max(a.size or TYPICAL_SIZE, b.size or TYPICAL_SIZE)


def assigned(dice: Sequence[TrackedDie], seen: Sequence[DieSeen]) -> list[tuple[TrackedDie, DieSeen]]:
    """Which find is which die: as many dice as possible are found again, and of such ways they have moved least in all. (Two dice that
    a hand has pushed together may lie nearer to each other's old places than to their own.)"""
    ways: list[list[tuple[TrackedDie, DieSeen]]] = [[]]
    for die in dice:
        near = [s for s in seen if die.is_at(s)]
        ways += [[*way, (die, s)] for way in ways for s in near if not any(s is other for _, other in way)]

    def moved(way: list[tuple[TrackedDie, DieSeen]]) -> float:
        return sum(math.hypot(s.x - die.x, s.y - die.y) for die, s in way)

    return min(ways, key=lambda way: (-len(way), moved(way)))


def reads_otherwise(die: TrackedDie, seen: DieSeen) -> bool:
    """Whether `seen` surely shows another number than `die` has shown."""
    known = die.reading[0]
    return None not in (seen.value, known) and seen.value != known and seen.confidence > PAIR.otherwise


def tells_more(die: TrackedDie, seen: DieSeen) -> bool:
    """Whether `seen` surely shows a number where `die` has shown none, or has leaned."""
    reads = seen.value is not None and seen.confidence >= PAIR.number and not (seen.cocked or seen.on_checker)
    return reads and (die.reading[0] is None or die.cocked)
