"""Which dice lie there, look after look: steady readings, new rolls told from nudged dice, lifted dice.

Perception, not state of the game: nothing in here needs to survive a power cut.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

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
#: Looks for which a rolling die may be seen as something that cannot be read, in its last place.
ROLLING = 2
#: Below this confidence nothing is a die.
LEAST = 0.25
#: No number is surer than this (0..1) when another is to be weighed against it. Set.
SUREST = 0.999
#: A readable die that has lain alone for at most this many looks may be one half of a roll.
ALONE = 25


@dataclass(frozen=True, slots=True)
class PairModel:
    """When dice belong together, and how surely they must be read. Confidences are vision's, 0..1; sizes and distances are
    those of `DieSeen`, px. Source: chosen by eye, not swept; `pi-board bench campaign` shows what a change does.

    number: confidence from which a number counts as read. otherwise: from which it contradicts what a die has shown.
    well_read: from which a die belongs to the scenery only if it was there just before, for `scenery_looks` looks.
    alone: confidence of the second die beside a readable one. vague: of two dice that cannot be read, if they are all.
    least_alike, most_alike: ratio of the sizes of a pair. least_beside, most_beside: the same where one cannot be read.
    same_place: of the size, within which a die is the one that was there. together: sizes within which two dice that came to
    rest at the same time lie. apart: sizes; two finds closer than this are faces of one die (of flat dice the middles are an edge
    apart, in a slanted view a little less). one_of_more: the most confidence in a pair that was chosen among more than two dice.
    before_the_play: seconds for which dice must have lain still beside hands that moved to be older than what those hands played. A
    thrower's own hand leaves in .2 to .5 s; a hasty play takes .9 s or more (`bench campaign --seed 500025`, 500036, 500089, 500104).
    lost: seconds after which a die that an arm hides is no longer the one that lay there. in_shadow: factor by which one die of a pair may be
    darker in the shadow of what stands there (`bench_cups.py --cups 2 --seeds 404`: white dice, 192 and 136).
    """

    number: float = 0.5
    otherwise: float = 0.8
    well_read: float = 0.85
    scenery_looks: int = 3
    alone: float = 0.4
    vague: float = 0.6
    least_alike: float = 0.65
    most_alike: float = 1.5
    least_beside: float = 0.6
    most_beside: float = 1.6
    same_place: float = 0.6
    together: float = 14
    apart: float = 0.8
    one_of_more: float = 0.8
    before_the_play: float = 0.75
    lost: float = 1.0
    in_shadow: float = 1.6


PAIR = PairModel()
#: Number of a look before the first one.
_LONG_AGO = -1_000_000
#: Looks without it after which scenery is forgotten.
FORGET = 40


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

    @property
    def cocked(self) -> bool:
        return sum(self.cocked_votes) * 2 > len(self.cocked_votes)


def _lies_as(now: DieSeen, before: DieSeen) -> bool:
    """Whether the die has lain still between two pictures, the same number up."""
    still = STILL * max(now.size or TYPICAL_SIZE, before.size or TYPICAL_SIZE)
    return now.value == before.value and math.hypot(now.x - before.x, now.y - before.y) <= still


def _is_still(die: TrackedDie, seen: DieSeen) -> bool:
    """Whether `seen` is `die`, that has lain still and shows what it showed."""
    return die.reading[0] == seen.value and math.hypot(die.x - seen.x, die.y - seen.y) <= STILL * die.size


def _lie_as(pair: Pair, seen: Sequence[DieSeen]) -> bool:
    """Whether `seen` are the dice of `pair`, that have lain still."""
    return all(any(_is_still(die, s) for s in seen) for die in pair.dice)


def _of_one_die(a: DieSeen, b: DieSeen) -> bool:
    """Whether two finds lie so close that they are faces of one die."""
    return math.hypot(a.x - b.x, a.y - b.y) < PAIR.apart * max(a.size or TYPICAL_SIZE, b.size or TYPICAL_SIZE)


def _assigned(dice: Sequence[TrackedDie], seen: Sequence[DieSeen]) -> list[tuple[TrackedDie, DieSeen]]:
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


@dataclass
class Pair:
    """Two dice that lie still. serial: counts rolls; looks: settled looks that showed it.

    gap: settled looks without any dice just before it: dice that were gone, even briefly, have been rolled again and not pushed.
    came_apart: one of them had been seen to lie there alone, as in an opening roll. chosen: more than two lay there, and nothing told
    which two were rolled. in_motion: seconds for which both had lain still while hands moved, before the first settled look at them (None:
    they were not seen so).
    lay_before: hands came back between the first settled look at them and the second. since: the number of the first settled look at them.
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

    def shows_as(self, other: Pair) -> bool:
        """Whether both show the same two numbers."""
        mine, theirs = self.values, other.values
        return mine is not None and theirs is not None and sorted(mine) == sorted(theirs)

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


@dataclass
class Resting:
    """A die that lies still while hands move. since, last: times of the first and the last picture of it, seconds, monotonic."""

    die: DieSeen
    since: float
    last: float


@dataclass
class Thing:
    """Something that looks like a die and is none of the pair: a bright spot on a checker, the cube, a real die."""

    x: float
    y: float
    size: float
    since: int
    last: int
    readable: bool

    def is_at(self, seen: DieSeen) -> bool:
        return math.hypot(self.x - seen.x, self.y - seen.y) <= PAIR.same_place * min(
            self.size, seen.size or TYPICAL_SIZE
        )


class DiceWatch:
    """`observe` takes the dice of every settled look; then `pair` is what lies there and `absent` how long nothing has.

    Vision reports whatever might be a die. Dice are what appears together: things that lay there before the roll
    are scenery, and a thing that no number can be read from is a die only beside one that can be read.
    """

    def __init__(self, agree_looks: int = 2) -> None:
        self.agree_looks = agree_looks
        self.pair: Pair | None = None
        self.absent = 0
        self.crowded = False
        #: The dice of an opening roll come one by one.
        self.one_by_one = False
        self._next: Pair | None = None
        #: Two dice that were seen once only: not yet a roll.
        self.glimpse: Pair | None = None
        #: A glimpse before the last one, or before the dice that lie there now: lifted again without ever coming to rest alone.
        self.passed_by: Pair | None = None
        #: The last two dice that one picture with a hand in it showed in a player's own half, until he has rolled or his turn is over: they may
        #: still have been rolling, so they say something only beside a play.
        self.in_passing: dict[DicePlace, Pair] = {}
        #: The number of a die that lay there by itself in this turn, the other one out of sight (behind a cup). None = there was none.
        self.lone: int | None = None
        #: In whose half it lay.
        self.lone_half: DicePlace | None = None
        # Dice of the last picture in which somebody moved, and those that lay by themselves at the last look.
        self._in_motion: list[DieSeen] = []
        self._resting: list[Resting] = []
        self._by_themselves: list[DieSeen] = []
        self._serial = 0
        self._shifted = False
        self._touched = self._anew = False
        # The pair of this look was chosen among more than two dice.
        self._chosen = False
        self._looks = 0
        self._gone_at = self._came_at = 0
        # The last look that saw the pair before this one, or the one that is gone.
        self._lay_until = 0
        self._things: list[Thing] = []

    @property
    def in_sight(self) -> bool:
        """Whether this look saw both dice of the pair where they lay."""
        return self.pair is not None and all(d.seen_in == self._looks for d in self.pair.dice)

    @property
    def coming(self) -> bool:
        """Two dice lie there that have not been looked at often enough to be a roll."""
        return self._next is not None

    @property
    def lone_lies(self) -> bool:
        """The die that lay there by itself was seen by this look."""
        return any(d.value == self.lone for d in self._by_themselves)

    def board_moved(self) -> None:
        """The picture has shifted: the next dice with the same numbers are the same dice."""
        self._shifted = True
        self._things = []

    def observe(self, dice: Sequence[DieSeen]) -> None:
        self._looks += 1
        seen = [d for d in dice if d.confidence >= LEAST]
        if self._shifted and self.pair is not None:
            self._find_again(seen)
        matched, left = self._follow(seen)
        if matched == 1 and (rolled := self._pushed_beside_a_roll(left)) is not None:
            matched, left = 2, rolled
        fresh = self._thrown(left, among_others=matched > 0)
        if fresh is None and matched == 1:
            left = self._nudged(left)
        self.crowded = fresh is not None and matched == 2
        if fresh is not None:
            gap, self.absent = self.absent, 0
            left = [d for d in left if d not in fresh]
            self._new_throw(fresh, gap)
        else:
            self.glimpse, self._next = self._next or self.glimpse, None
            here = matched > 0 or any(self._is_new(d) and readable(d) for d in left)
            self.absent = 0 if here else self.absent + 1
            self._by_themselves = self._note_lone(left, self._by_themselves)
        self._resting = []
        self._remember(left)

    def beside_a_hand(self, dice: Sequence[DieSeen], now: float) -> None:
        """The dice of a picture in which somebody moves, taken at `now`. Two that show the same in two such pictures lie there, though
        they may be lifted before anything comes to rest: a glimpse."""
        seen = [d for d in dice if d.confidence >= PAIR.well_read and readable(d)]
        self._rest(seen, now)
        before, self._in_motion = self._in_motion, seen
        lie = [d for d in seen if any(_lies_as(d, b) for b in before)]
        self._note_lone(seen, before)
        lies_there = self.pair is not None and not self.absent
        if lies_there or self._next is not None or len(seen) != 2:
            return
        if seen[0].half == seen[1].half and alike(*seen, shaded=True) and all(self._is_new(d) for d in seen):
            self.in_passing[seen[0].half] = Pair([TrackedDie.first(d, self._looks) for d in seen])
        if len(lie) != 2:
            return
        if self.pair is not None and sorted(d.value or 0 for d in lie) == sorted(self.pair.values or ()):
            # What is pushed by a hand, out of sight for a look or two, is no other roll.
            return
        if alike(*lie, shaded=True) and all(self._is_new(d) for d in lie):
            if self.glimpse is not None and not _lie_as(self.glimpse, lie):
                self.passed_by = self.glimpse
            self.glimpse = Pair([TrackedDie.first(d, self._looks) for d in lie], gap=self.absent)

    def _rest(self, seen: list[DieSeen], now: float) -> None:
        """Remembers since when each die has lain still."""
        lay = [r for r in self._resting if now - r.last <= PAIR.lost]
        rest = []
        for die in seen:
            known = next((r for r in lay if _lies_as(die, r.die)), None)
            rest.append(Resting(die, known.since if known is not None else now, now))
        self._resting = rest + [r for r in lay if not any(_lies_as(d, r.die) for d in seen)]

    def _rested(self, dice: Sequence[DieSeen]) -> float | None:
        """Seconds for which all of `dice` had lain still while hands moved, just before this look; 0 of one picture, None where one of them
        was not seen to lie so."""
        known = [next((r for r in self._resting if _lies_as(d, r.die)), None) for d in dice]
        seconds = [r.last - r.since for r in known if r is not None]
        return min(seconds, default=0.0) if len(seconds) == len(known) else None

    def _note_lone(self, seen: list[DieSeen], before: list[DieSeen]) -> list[DieSeen]:
        """Remembers the only well-read die of two looks in a row, if it has not lain there for long. Returns the well-read ones."""
        well = [d for d in seen if d.value is not None and d.confidence >= PAIR.well_read]
        one = well[0] if len(well) == 1 else None
        if one is None or self.pair is not None or one.cocked or one.on_checker:
            return well
        if any(_lies_as(one, b) for b in before) and self._age(one) <= ALONE:
            self.lone, self.lone_half = one.value, one.half
        return well

    def touched(self) -> None:
        """A hand was at the board since the last look."""
        self._touched = True
        if self._next is not None:
            self._next.lay_before = True

    def gone(self) -> None:
        """The dice have been lifted: whatever is rolled next is new, wherever it lies."""
        if self.pair is not None:
            # (What lay there by itself before was one of them.)
            self._gone_at, self.lone = self._looks, None
            self._lay_until = self.pair.last_seen
        self.pair = None
        self.glimpse, self._next = self._next or self.glimpse, None

    # -- the pair that lies there

    def turn_over(self, next_side: DicePlace) -> None:
        """A turn has ended: what was seen for a moment in the course of it is of no use to the next, but for dice in the next player's own
        half that lay there once those of this turn had been lifted."""
        self.lone = None
        if not self._may_be_next(self.passed_by, next_side):
            self.passed_by = None
        if not self._may_be_next(self.glimpse, next_side):
            self.glimpse = None
        self.in_passing = {
            half: pair for half, pair in self.in_passing.items() if self._may_be_next(pair, next_side)
        }

    def _may_be_next(self, pair: Pair | None, side: DicePlace) -> bool:
        if pair is None or set(pair.halves) != {side}:
            return False
        lay_until = self._lay_until
        if self.pair is not None and set(self.pair.halves) != {side}:
            lay_until = max(lay_until, self.pair.last_seen)
        return min(d.seen_in for d in pair.dice) > lay_until

    def _follow(self, seen: list[DieSeen]) -> tuple[int, list[DieSeen]]:
        """Updates the pair that lies there; returns how many of its dice are seen and what else there is."""
        matched = _assigned(self.pair.dice if self.pair is not None else [], seen)
        if len(matched) == 1:
            matched = self._both_pushed(*matched[0], seen)
        left = [s for s in seen if not any(s is one for _, one in matched)]
        if self._thrown_anew(matched, left) or self._thrown_beside(matched, left):
            return 0, seen
        another = len(matched) == 1 and any(
            readable(d) and (self._is_new(d) or self._half_thrown(d)) for d in left
        )
        if (len(matched) == 2 or another) and self._contradicted(matched):
            # The dice were rolled again, and one or both came to rest where the old ones lay.
            return 0, seen
        self._touched = False
        for die, one in matched:
            # (What could not be read is read only beside the other one: by itself it may be a die of the next roll.)
            die.update(one, self._looks, votes=len(matched) == 2 or not tells_more(die, one))
        if len(matched) == 2 and self.pair is not None:
            self.pair.looks += 1
        return len(matched), left

    def _both_pushed(
        self, die: TrackedDie, at: DieSeen, seen: Sequence[DieSeen]
    ) -> list[tuple[TrackedDie, DieSeen]]:
        """A die without a number seems to show the number that the lost one had, and one more lies beside its place: a hand has pushed both,
        and what lies where the first one lay is the lost one."""
        assert self.pair is not None
        (lost,) = (d for d in self.pair.dice if d is not die)
        beside = [d for d in seen if d is not at and die.is_at(d) and readable(d) and self._is_new(d)]
        number = lost.reading[0]
        if die.reading[0] is None and number is not None and number == at.value and len(beside) == 1:
            return [(die, beside[0]), (lost, at)]
        return [(die, at)]

    def _thrown_anew(self, matched: list[tuple[TrackedDie, DieSeen]], left: Sequence[DieSeen]) -> bool:
        """Whether the dice near the old places are a new roll: the old ones were gone, or a hand was there, and
        these lie differently. (One of them may have come to lie as before: then the other one tells.)
        """
        if self._anew and self._next is not None:
            return True
        moved = [math.hypot(s.x - d.x, s.y - d.y) > STILL * d.size for d, s in matched]
        differs = any(reads_otherwise(d, s) for d, s in matched)
        if self.absent:
            self._anew = any(moved) or differs or self._with_another(matched, left)
        else:
            self._anew = self._touched and bool(moved) and all(moved) and differs
        return self._anew

    def _with_another(self, matched: list[tuple[TrackedDie, DieSeen]], left: Sequence[DieSeen]) -> bool:
        """Whether one of the old dice is seen, and beside it a new one that surely shows another number than the lost one."""
        if self.pair is None or len(matched) != 1:
            return False
        (lost,) = (d for d in self.pair.dice if d is not matched[0][0])
        new = self._new_among(left)
        return len(new) == 1 and reads_otherwise(lost, new[0])

    def _thrown_beside(self, matched: list[tuple[TrackedDie, DieSeen]], left: Sequence[DieSeen]) -> bool:
        """Whether a hand has rolled both again, and one came to rest near one that could not be read or leaned (2350034): a number that neither
        of the old ones had lies there too, and nothing has that of the lost one."""
        if self.pair is None or len(matched) != 1 or not self._touched:
            return False
        ((die, at),) = matched
        (lost,) = (d for d in self.pair.dice if d is not die)
        new = self._new_among(left)
        moved = math.hypot(at.x - die.x, at.y - die.y) > STILL * die.size
        self._anew = (
            moved and tells_more(die, at) and bool(new) and all(d.value != lost.reading[0] for d in new)
        )
        return self._anew

    def _contradicted(self, matched: list[tuple[TrackedDie, DieSeen]]) -> bool:
        """Whether all these places surely show other numbers."""
        return all(reads_otherwise(d, s) for d, s in matched)

    def _nudged(self, left: list[DieSeen]) -> list[DieSeen]:
        """One die has stayed and a new one shows the lost die's number: the lost die was pushed aside. (Not one that lay there already
        beside both.)"""
        assert self.pair is not None
        beside = self._next or self.glimpse
        lay = beside.dice if beside is not None else []
        new = [d for d in self._new_among(left) if not any(_is_still(other, d) for other in lay)]
        lost = next((d for d in self.pair.dice if d.seen_in != self._looks), None)
        if lost is not None and len(new) == 1 and lost.reading[0] in (None, new[0].value):
            lost.update(new[0], self._looks)
            return [d for d in left if d is not new[0]]
        return left

    def _pushed_beside_a_roll(self, left: list[DieSeen]) -> list[DieSeen] | None:
        """One die has stayed and three are new: a hand has pushed the lost one aside while the next two were rolled. What is left
        without it, None when it was not so.
        """
        assert self.pair is not None
        new = self._new_among(left)
        lost = next((d for d in self.pair.dice if d.seen_in != self._looks), None)
        if lost is None or len(new) != 3:
            return None
        like = [d for d in new if d.value == lost.reading[0]]
        if not like:
            return None
        pushed = min(like, key=lambda d: (d.half != lost.half, math.hypot(d.x - lost.x, d.y - lost.y)))
        lost.update(pushed, self._looks)
        return [d for d in left if d is not pushed]

    def _find_again(self, seen: list[DieSeen]) -> None:
        """After the picture has shifted: dice with the same numbers are the same dice."""
        assert self.pair is not None
        known = list(self.pair.values or ())
        same = []
        for value in known:
            one = next((d for d in seen if d.value == value and d not in same), None)
            if one is not None:
                same.append(one)
        if known and len(same) == 2:
            self.pair.dice = [TrackedDie.first(s, self._looks) for s in same]
        self._shifted = False

    # -- a new roll

    def _is_new(self, seen: DieSeen) -> bool:
        """Whether this is not scenery. A well-read die belongs to the scenery only if it was there just before, and not if that was a blur
        that had come a look or two ago: then it was still rolling."""
        well = readable(seen) and seen.confidence >= PAIR.well_read
        patience = PAIR.scenery_looks if well else FORGET
        return not any(
            t.is_at(seen)
            and self._looks - t.last <= patience
            and not (well and not t.readable and self._looks - t.since <= ROLLING)
            for t in self._things
        )

    def _new_among(self, left: Sequence[DieSeen]) -> list[DieSeen]:
        """Those that can be read and are not scenery."""
        return [d for d in left if readable(d) and self._is_new(d)]

    def _age(self, seen: DieSeen) -> int:
        return max((self._looks - t.since for t in self._things if t.is_at(seen)), default=0)

    def _came_alone(self, seen: DieSeen) -> bool:
        return any(t.readable and t.is_at(seen) for t in self._things)

    def _half_thrown(self, seen: DieSeen) -> bool:
        """Whether it may be the first half of a roll: it has lain alone, but not for long, or since the last
        dice were lifted.
        """
        age = self._age(seen)
        waiting = (
            self.pair is None and seen.confidence >= PAIR.well_read and age < self._looks - self._gone_at
        )
        return self._came_alone(seen) and (age <= ALONE or waiting)

    def _thrown(self, left: list[DieSeen], *, among_others: bool) -> list[DieSeen] | None:
        """The two dice of a roll among what is seen, None when there is no roll."""
        waiting = self._next
        if waiting is not None:
            one, two = (self._at(d, left) for d in waiting.dice)
            if one is not None and two is not None and one is not two:
                return [one, two]
        new = [d for d in left if self._is_new(d)]
        sure = [d for d in new if readable(d)]
        if len(sure) == 1 and not among_others:
            # The other die may have lain there alone: it was rolled first, or this one was not seen at once.
            alone = [
                d
                for d in left
                if d is not sure[0]
                and readable(d)
                and (
                    (self.one_by_one and self._came_alone(d)) or (self._half_thrown(d) and alike(d, sure[0]))
                )
            ]
            sure += sorted(alone, key=self._age)[:1]
        if not sure and not among_others:
            sure = self._thrown_early(left)
        self._chosen = len(sure) > 2
        if self._chosen:
            sure = self._likeliest_two(sure)
        if len(sure) == 2:
            return sure
        if among_others:
            return None
        if len(sure) == 1:
            size = sure[0].size or TYPICAL_SIZE
            beside = [
                d
                for d in new
                if d is not sure[0]
                and d.confidence >= PAIR.alone
                and PAIR.least_beside < (d.size or TYPICAL_SIZE) / size < PAIR.most_beside
                and math.hypot(d.x - sure[0].x, d.y - sure[0].y) < PAIR.together * size
            ]
            if beside:
                return [sure[0], max(beside, key=lambda d: d.confidence)]
        elif not sure:
            vague = [d for d in new if d.confidence >= PAIR.vague]
            if len(vague) == 2 and len(new) == 2:
                return vague
        return None

    def _thrown_early(self, left: list[DieSeen]) -> list[DieSeen]:
        """Two dice that came to lie together beside those of the turn before, which had been seen once by then at least: now those are lifted.
        One of them must be well read: the other one is believed because it came with it."""
        came = [d for d in left if readable(d) and self._age(d) < self._looks - self._came_at]
        if len(came) != 2 or not alike(*came) or abs(self._age(came[0]) - self._age(came[1])) > ROLLING:
            return []
        return came if max(d.confidence for d in came) >= PAIR.well_read else []

    def _likeliest_two(self, sure: list[DieSeen]) -> list[DieSeen]:
        """Two of more dice: those that were glimpsed in motion, that are not faces of one die, that came last and are alike."""
        glimpsed = self.glimpse.dice if self.glimpse is not None else []

        def unlikely(pair: tuple[DieSeen, DieSeen]) -> tuple[Any, ...]:
            seen = len(glimpsed) == 2 and all(any(_is_still(g, d) for d in pair) for g in glimpsed)
            ages = sorted(self._age(d) for d in pair)
            return not seen, _of_one_die(*pair), ages, not alike(*pair), -sum(d.confidence for d in pair)

        two = min(itertools.combinations(sure, 2), key=unlikely)
        self._chosen = unlikely(two)[0]
        return list(two)

    @staticmethod
    def _at(die: TrackedDie, seen: list[DieSeen]) -> DieSeen | None:
        near = [s for s in seen if die.is_at(s)]
        return min(near, key=lambda s: math.hypot(s.x - die.x, s.y - die.y), default=None)

    def _new_throw(self, fresh: list[DieSeen], gap: int) -> None:
        waiting = self._next
        if waiting is not None and all(any(d.is_at(s) for s in fresh) for d in waiting.dice):
            for die in waiting.dice:
                die.update(min(fresh, key=lambda s: math.hypot(s.x - die.x, s.y - die.y)), self._looks)
            waiting.looks += 1
        else:
            if self._next is not None and {d.half for d in fresh}.isdisjoint(self._next.halves):
                # The other player has lifted his before a second look.
                self.glimpse = self._next
            apart = any(self._came_alone(s) and self._age(s) >= self.agree_looks for s in fresh)
            waiting = self._next = Pair(
                [TrackedDie.first(s, self._looks) for s in fresh],
                gap=gap,
                came_apart=apart,
                in_motion=self._rested(fresh),
                since=self._looks,
            )
        waiting.chosen |= self._chosen
        if waiting.seen >= self.agree_looks:
            # Dice of the roll before may still lie there. They are not a new roll.
            for die in self.pair.dice if self.pair is not None else ():
                if die.seen_in == self._looks and not any(die is d for d in waiting.dice):
                    self._things.append(Thing(die.x, die.y, die.size, _LONG_AGO, self._looks, True))
            self._remember_glimpse(waiting)
            self._serial += 1
            self._came_at = waiting.since
            waiting.serial = self._serial
            if self.glimpse is not None and not any(
                _is_still(g, s) for g in self.glimpse.dice for s in fresh
            ):
                self.passed_by = self.glimpse
            if self.pair is not None:
                self._lay_until = self.pair.last_seen
            self.pair, self._next, self.glimpse = waiting, None, None
            self.in_passing.pop(waiting.halves[0], None)

    def _remember_glimpse(self, pair: Pair) -> None:
        """What was read of these dice before they were seen at rest has a vote too: an arm's shadow may lie on them now."""
        for die in pair.dice:
            for glimpsed in self.glimpse.dice if self.glimpse is not None else ():
                if math.hypot(die.x - glimpsed.x, die.y - glimpsed.y) <= STILL * die.size:
                    die.votes = [*glimpsed.votes, *die.votes][-MEMORY:]

    def _remember(self, others: list[DieSeen]) -> None:
        """Remember everything else that looks like dice as scenery, until it has been gone for a while."""
        for seen in others:
            known = next((t for t in self._things if t.is_at(seen)), None)
            if known is None:
                size = seen.size or TYPICAL_SIZE
                self._things.append(Thing(seen.x, seen.y, size, self._looks, self._looks, readable(seen)))
            else:
                known.x, known.y, known.last = seen.x, seen.y, self._looks
        self._things = [t for t in self._things if self._looks - t.last <= FORGET]
