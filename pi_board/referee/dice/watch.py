"""`DiceWatch`: steady readings, new rolls told from nudged dice, and lifted dice, look after look."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from pi_board.referee.dice.model import PAIR
from pi_board.referee.dice.pair import Pair, lie_as
from pi_board.referee.dice.resting import RestingDice
from pi_board.referee.dice.scenery import ROLLING, Scenery
from pi_board.referee.dice.tracked_die import (
    MEMORY,
    STILL,
    TYPICAL_SIZE,
    TrackedDie,
    alike,
    assigned,
    is_still,
    lies_as,
    of_one_die,
    readable,
    reads_otherwise,
    tells_more,
)
from pi_board.rules.procedure import DicePlace
from pi_board.sighting import DieSeen

#: Below this confidence nothing is a die.
LEAST = 0.25
#: Before anything is known: looks that saw neither of two dice that lay there, of so many. (Of 99 % of dice that are found both at once.)
OVERLOOKED = 0.5, 10.0
#: Sizes from the middle of a die's top within which one of its sides may seem to be another die (in 3902001 it was .95). Set.
A_SIDE = 1.2
#: A readable die that has lain alone for at most this many looks may be one half of a roll.
ALONE = 25


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
        # What looked like dice and made no pair in this turn, the looks that saw it, and those since that did not.
        self._unpaired: list[DieSeen] = []
        self._saw_unpaired = self._since_unpaired = 0
        # Whose turn to roll it is, as far as turns were seen to end.
        self._due: DicePlace | None = None
        # Dice of the last picture in which somebody moved, and those that lay by themselves at the last look.
        self._in_motion: list[DieSeen] = []
        self._resting = RestingDice()
        self._by_themselves: list[DieSeen] = []
        self._serial = 0
        self._shifted = False
        self._touched = self._anew = False
        # The pair of this look was chosen among more than two dice.
        self._chosen = False
        self._looks = 0
        # Looks that saw both dice of a roll, and looks between them that saw neither.
        self._saw = self._overlooked = 0
        self._gone_at = self._came_at = 0
        # The last look that saw the pair before this one, or the one that is gone.
        self._lay_until = 0
        self._scenery = Scenery()

    @property
    def in_sight(self) -> bool:
        """Whether this look saw both dice of the pair where they lay."""
        return self.pair is not None and all(d.seen_in == self._looks for d in self.pair.dice)

    def overlooked(self, readings: int) -> float:
        """The chance (0..1) that two dice which lie there are not seen in `readings` readings in a row, by how often that was so here."""
        seldom, of = OVERLOOKED
        return ((self._overlooked + seldom) / (self._saw + self._overlooked + of)) ** readings

    @property
    def coming(self) -> bool:
        """Two dice lie there that have not been looked at often enough to be a roll."""
        return self._next is not None

    @property
    def lifted_unread(self) -> bool:
        """Something that could hardly be anything but dice came in this turn, made no pair, and is gone again."""
        return min(self._saw_unpaired, self._since_unpaired) >= self.agree_looks

    @property
    def lone_lies(self) -> bool:
        """The die that lay there by itself was seen by this look."""
        return any(d.value == self.lone for d in self._by_themselves)

    def board_moved(self) -> None:
        """The picture has shifted: the next dice with the same numbers are the same dice."""
        self._shifted = True
        self._scenery.forget()

    def observe(self, dice: Sequence[DieSeen]) -> None:
        self._looks += 1
        seen = [d for d in dice if d.confidence >= LEAST]
        if self._shifted and self.pair is not None:
            self._find_again(seen)
        matched, left = self._follow(seen)
        if matched == 1 and (rolled := self._pushed_beside_a_roll(left)) is not None:
            matched, left = 2, rolled
        if matched == 1:
            left = self._but_a_side_of_the_lost(left)
        fresh = self._rolled(left, among_others=matched > 0)
        if fresh is None and matched == 1:
            left = self._nudged(left)
        self.crowded = fresh is not None and matched == 2
        if fresh is not None:
            gap, self.absent = self.absent, 0
            left = [d for d in left if d not in fresh]
            self._new_roll(fresh, gap, left)
        else:
            self.glimpse, self._next = self._next or self.glimpse, None
            here = matched > 0 or any(self._is_new(d) and readable(d) for d in left)
            self.absent = 0 if here else self.absent + 1
            self._by_themselves = self._note_lone(left, self._by_themselves)
            self._note_unpaired(left)
        self._resting.clear()
        self._scenery.remember(left, self._looks)

    def beside_a_hand(self, dice: Sequence[DieSeen], now: float) -> None:
        """The dice of a picture in which somebody moves, taken at `now`. Two that show the same in two such pictures lie there, though
        they may be lifted before anything comes to rest: a glimpse."""
        seen = [d for d in dice if d.confidence >= PAIR.well_read and readable(d)]
        self._resting.note(seen, now)
        before, self._in_motion = self._in_motion, seen
        lie = [d for d in seen if any(lies_as(d, b) for b in before)]
        self._note_lone(seen, before)
        lies_there = self.pair is not None and not self.absent
        if lies_there or self._next is not None or len(seen) != 2:
            return
        if seen[0].half == seen[1].half and alike(*seen, shaded=True) and all(self._is_new(d) for d in seen):
            self.in_passing[seen[0].half] = Pair([TrackedDie.first(d, self._looks) for d in seen])
        if len(lie) != 2:
            return
        if self.pair is not None and self.pair.shows([d.value or 0 for d in lie]):
            # What is pushed by a hand, out of sight for a look or two, is no other roll.
            return
        if alike(*lie, shaded=True) and all(self._is_new(d) for d in lie):
            if self.glimpse is not None and not lie_as(self.glimpse, lie):
                self.passed_by = self.glimpse
            self.glimpse = Pair([TrackedDie.first(d, self._looks) for d in lie], gap=self.absent)

    def _note_lone(self, seen: list[DieSeen], before: list[DieSeen]) -> list[DieSeen]:
        """Remembers the only well-read die of two looks in a row, if it has not lain there for long. Returns the well-read ones."""
        well = [d for d in seen if d.value is not None and d.confidence >= PAIR.well_read]
        one = well[0] if len(well) == 1 else None
        if one is None or self.pair is not None or one.cocked or one.on_checker:
            return well
        # (Another one in the other half is of the next roll.)
        is_known = self.lone is not None and self.lone_half == self._due != one.half
        if not is_known and any(lies_as(one, b) for b in before) and self._age(one) <= ALONE:
            self.lone, self.lone_half = one.value, one.half
        return well

    def _note_unpaired(self, left: list[DieSeen]) -> None:
        if self.pair is not None or self._next is not None:
            self._forget_unpaired()
            return
        self._unpaired += [d for d in left if d.confidence >= PAIR.well_read and self._is_new(d)]
        if any(is_still(TrackedDie.first(d, self._looks), u) for d in left for u in self._unpaired):
            self._saw_unpaired, self._since_unpaired = self._saw_unpaired + 1, 0
        elif self._saw_unpaired:
            self._since_unpaired += 1

    def _forget_unpaired(self) -> None:
        self._unpaired, self._saw_unpaired, self._since_unpaired = [], 0, 0

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
        self.lone, self._due = None, next_side
        self._forget_unpaired()
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
        matched = assigned(self.pair.dice if self.pair is not None else [], seen)
        if len(matched) == 1:
            matched = self._both_pushed(*matched[0], seen)
        left = [s for s in seen if not any(s is one for _, one in matched)]
        if self._rolled_anew(matched, left) or self._rolled_beside(matched, left):
            return 0, seen
        another = len(matched) == 1 and any(
            readable(d) and (self._is_new(d) or self._half_rolled(d)) for d in left
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
            self._saw, self._overlooked = self._saw + 1, self._overlooked + self.absent
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

    def _rolled_anew(self, matched: list[tuple[TrackedDie, DieSeen]], left: Sequence[DieSeen]) -> bool:
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

    def _rolled_beside(self, matched: list[tuple[TrackedDie, DieSeen]], left: Sequence[DieSeen]) -> bool:
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

    def _lost(self) -> TrackedDie | None:
        """The die of the pair that this look does not see where it lay."""
        assert self.pair is not None
        return next((d for d in self.pair.dice if d.seen_in != self._looks), None)

    def _but_a_side_of_the_lost(self, left: list[DieSeen]) -> list[DieSeen]:
        """What is left without what seems to lean on the lost die, which was pushed and shows its number: a side of it. (`bench campaign
        --slow 15 --seed 3902001`: the two were taken for the opponent's roll, and the play for finished.)"""
        lost = self._lost()
        number = lost.reading[0] if lost is not None else None
        pushed = [d for d in self._new_among(left) if number is not None and d.value == number]
        if len(pushed) != 1:
            return left
        x, y, reach = pushed[0].x, pushed[0].y, A_SIDE * (pushed[0].size or TYPICAL_SIZE)
        return [d for d in left if d.value is not None or math.hypot(d.x - x, d.y - y) >= reach]

    def _nudged(self, left: list[DieSeen]) -> list[DieSeen]:
        """One die has stayed and a new one shows the lost die's number: the lost die was pushed aside. (Not one that lay there already
        beside both.)"""
        assert self.pair is not None
        beside = self._next or self.glimpse
        lay = beside.dice if beside is not None else []
        new = [d for d in self._new_among(left) if not any(is_still(other, d) for other in lay)]
        lost = self._lost()
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
        lost = self._lost()
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
        return not self._scenery.has(seen, self._looks)

    def _new_among(self, left: Sequence[DieSeen]) -> list[DieSeen]:
        """Those that can be read and are not scenery."""
        return [d for d in left if readable(d) and self._is_new(d)]

    def _age(self, seen: DieSeen) -> int:
        return self._scenery.age(seen, self._looks)

    def _half_rolled(self, seen: DieSeen) -> bool:
        """Whether it may be the first half of a roll: it has lain alone, but not for long, or since the last
        dice were lifted.
        """
        age = self._age(seen)
        waiting = (
            self.pair is None and seen.confidence >= PAIR.well_read and age < self._looks - self._gone_at
        )
        return self._scenery.came_alone(seen) and (age <= ALONE or waiting)

    def _rolled(self, left: list[DieSeen], *, among_others: bool) -> list[DieSeen] | None:
        """The two dice of a roll among what is seen, None when there is no roll."""
        waiting = self._next
        if waiting is not None:
            one, two = (self._at(d, left) for d in waiting.dice)
            if one is not None and two is not None and one is not two:
                return [one, two]
        new = [d for d in left if self._is_new(d)]
        sure = [d for d in new if readable(d)]
        if len(sure) == 1 and not among_others:
            if (beside := self._came_beside(sure[0], new)) is not None:
                self._chosen = False
                return [sure[0], beside]
            # The other die may have lain there alone: it was rolled first, or this one was not seen at once.
            alone = [
                d
                for d in left
                if d is not sure[0]
                and readable(d)
                and (
                    (self.one_by_one and self._scenery.came_alone(d))
                    or (self._half_rolled(d) and alike(d, sure[0]))
                )
            ]
            sure += sorted(alone, key=self._age)[:1]
        if not sure and not among_others:
            sure = self._rolled_early(left)
        self._chosen = len(sure) > 2
        if self._chosen:
            sure = self._likeliest_two(sure)
        if len(sure) == 2:
            return sure
        if among_others:
            return None
        if not sure:
            vague = [d for d in new if d.confidence >= PAIR.vague]
            if len(vague) == 2 and len(new) == 2:
                return vague
        return None

    @staticmethod
    def _came_beside(die: DieSeen, new: list[DieSeen]) -> DieSeen | None:
        """What came together with the only readable die and may be the other one, though its number is not read. (A print that reads as a
        six lay there before, 89_03 of `trace_games.py`: a lawful play was accused.)"""
        size = die.size or TYPICAL_SIZE
        beside = [
            d
            for d in new
            if d is not die
            and d.confidence >= PAIR.alone
            and PAIR.least_beside < (d.size or TYPICAL_SIZE) / size < PAIR.most_beside
            and math.hypot(d.x - die.x, d.y - die.y) < PAIR.together * size
        ]
        return max(beside, key=lambda d: d.confidence, default=None)

    def _rolled_early(self, left: list[DieSeen]) -> list[DieSeen]:
        """Two dice that came to lie together beside those of the turn before, which had been seen once by then at least, or lain still while
        hands moved: now those are lifted. One of them must be well read: the other one is believed because it came with it."""
        came = [d for d in left if readable(d) and self._age(d) < self._looks - self._came_at]
        if len(came) != 2 or not alike(*came) or abs(self._age(came[0]) - self._age(came[1])) > ROLLING:
            return []
        return came if max(d.confidence for d in came) >= PAIR.well_read else []

    def _likeliest_two(self, sure: list[DieSeen]) -> list[DieSeen]:
        """Two of more dice: those that were glimpsed in motion, that are not faces of one die, that came last and are alike."""
        glimpsed = self.glimpse.dice if self.glimpse is not None else []

        def unlikely(pair: tuple[DieSeen, DieSeen]) -> tuple[Any, ...]:
            seen = len(glimpsed) == 2 and all(any(is_still(g, d) for d in pair) for g in glimpsed)
            ages = sorted(self._age(d) for d in pair)
            return not seen, of_one_die(*pair), ages, not alike(*pair), -sum(d.confidence for d in pair)

        two = min(itertools.combinations(sure, 2), key=unlikely)
        self._chosen = unlikely(two)[0]
        return list(two)

    @staticmethod
    def _at(die: TrackedDie, seen: list[DieSeen]) -> DieSeen | None:
        near = [s for s in seen if die.is_at(s)]
        return min(near, key=lambda s: math.hypot(s.x - die.x, s.y - die.y), default=None)

    def _new_roll(self, fresh: list[DieSeen], gap: int, others: list[DieSeen]) -> None:
        waiting = self._next
        if waiting is not None and all(any(d.is_at(s) for s in fresh) for d in waiting.dice):
            for die in waiting.dice:
                die.update(min(fresh, key=lambda s: math.hypot(s.x - die.x, s.y - die.y)), self._looks)
            waiting.looks += 1
        else:
            if self._next is not None and {d.half for d in fresh}.isdisjoint(self._next.halves):
                # The other player has lifted his before a second look.
                self.glimpse = self._next
            apart = any(self._scenery.came_alone(s) and self._age(s) >= self.agree_looks for s in fresh)
            waiting = self._next = Pair(
                [TrackedDie.first(s, self._looks) for s in fresh],
                gap=gap,
                came_apart=apart,
                in_motion=self._resting.seconds(fresh),
                since=self._looks,
                came_first=bool(others) and self._resting.lay_before(fresh, others),
            )
        waiting.chosen |= self._chosen
        if waiting.seen >= self.agree_looks:
            # Dice of the roll before may still lie there. They are not a new roll.
            for die in self.pair.dice if self.pair is not None else ():
                if die.seen_in == self._looks and not any(die is d for d in waiting.dice):
                    self._scenery.add_die(die, self._looks)
            self._remember_glimpse(waiting)
            self._serial += 1
            # (Dice of the next turn may have come in the very look that showed these at rest first.)
            self._came_at = waiting.since - waiting.came_first
            waiting.serial = self._serial
            if self.glimpse is not None and not any(is_still(g, s) for g in self.glimpse.dice for s in fresh):
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
