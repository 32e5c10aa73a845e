"""The board that a turn left, judged once more when the opponent has rolled beside it: all looks at it together may contradict what was
written down.

While a play is in hand, what the picture says is weighed against accusing somebody wrongly: where one stack alone tells a fault from a
lawful play, the lawful play is written down. The record has no such reason to be cautious. Once the next dice lie there, the board has
been seen for longer than anybody needed to judge the play, untouched before and after they came: what all of these looks say lies there.
It is put right without a word about whoever played it, and nothing is asked.
"""

from __future__ import annotations

import numpy as np

from pi_board.referee.dice.pair import Pair
from pi_board.referee.explanations import (
    Evidence,
    Vector,
    free_positions,
    may_have_left,
    position_of,
    turn_of,
    vector,
)
from pi_board.referee.explanations.free_positions import PER_CHECKER
from pi_board.referee.inference.still import Still, StillWatch
from pi_board.referee.one_turn import UNCOUNTED, bore_off_too_soon
from pi_board.referee.seeing_part import SeeingPart, SeeingTableInterface
from pi_board.referee.stack_heights import IN_A_ROW
from pi_board.referee.witnesses import Told
from pi_board.rules import Position
from pi_board.sighting import OFF_LIGHT, SLOTS, ZERO

#: Looks at the untouched board that are needed before the dice came, and beside them.
BEFORE, BESIDE = 2, 2
#: Nats that a play outside the law costs: people play what the dice do not allow in one turn of twenty.
OUTSIDE_THE_LAW = 3.0
#: Nats from which a place contradicts the board that was written down. A good reading stays within one or two.
CONTRADICTS = 3.0
#: Nats by which all looks together must prefer another board. Range 1-3.5: of 6,000 rolls on kept looks of 100 synthetic (seed 400000)
#: and 12 rendered games (390000) ten came beside a board that was written down wrong, which was behind by 3.7 to 20.3 nats at the first
#: of them; where it was right, nothing was ahead of it.
SURE = 3.0


class Hindsight(SeeingPart):
    """`observe` every readable look; `instead` when a roll is about to be taken."""

    def __init__(self, table: SeeingTableInterface) -> None:
        super().__init__(table)
        self._watch = StillWatch()
        # The board before the dice came that lie there now, and in how many looks it was seen then.
        self._left: Still | None = None
        self._left_looks = 0
        # The dice that had been seen once by then.
        self._seen_rolled: Pair | None = None
        # (Slot, signed checkers that it showed more than were written down) at an earlier roll: no news.
        self._said: frozenset[tuple[int, int]] = frozenset()
        # Whatever is said against the board at the next roll was weighed when it was written down.
        self._weighed = False
        # (Game, slots that were misread in it by what the players did.)
        self._misread: tuple[int, frozenset[int]] = (0, frozenset())

    def weighed(self) -> None:
        """What is about to be written down is preferred to what the looks say against it: what says so was misread, and may be again."""
        self._weighed = True

    def touched(self) -> None:
        """Somebody was at the board."""
        self._watch.touched()
        self._weighed = False

    def observe(self, evidence: Evidence) -> None:
        """evidence: this look, as vision gave it; the dice of this look are known already."""
        still = self._watch.observe(evidence, self.now, self.seq, self.frame, self.options.agree_looks)
        if still is not None and not self.looks.dice.coming and self.looks.fresh() is None:
            self._left, self._left_looks, self._seen_rolled = still, still.looks, self.looks.dice.glimpse

    def instead(self) -> Position | None:
        """What lies there rather than what the last turn was taken to leave; None while that may well be right. A roll is about to be
        taken."""
        likelier = self.likelier()
        if likelier is None or likelier[1] < SURE:
            return None
        self._said = frozenset()
        return likelier[0]

    @property
    def misread(self) -> frozenset[int]:
        """Slots of which what the players did has told in this game that they are misread."""
        game, slots = self._misread
        return slots if game == self.state.match.game else frozenset()

    @property
    def left(self) -> Evidence | None:
        """The mean of all looks at the board before the dice came that lie there now; None when nobody looked."""
        left = self._seen_before_the_dice()
        return left.mean if left is not None else None

    def likelier(self) -> tuple[Position, float] | None:
        """The likeliest other board, and by how many nats all looks together prefer it; None where nothing contradicts what was written
        down, or the board was not seen untouched on both sides of the roll."""
        s, untouched = self.state, self._untouched()
        if untouched is None or s.position is None or s.last is None:
            return None
        left = self.left or untouched.mean
        together, told = self.looks.witnesses.as_at_the_roll(untouched.evidence, untouched.mean, left)
        counts = vector(s.position)
        said = together.rows.argmax(axis=1) - ZERO
        against = together.rows[np.arange(SLOTS), counts + ZERO] < -CONTRADICTS
        keys = frozenset(
            (int(slot), int(said[slot] - counts[slot])) for slot in np.flatnonzero(against[:OFF_LIGHT])
        )
        misread = self.misread
        if self._weighed:
            self._weighed, misread = False, misread | {slot for slot, _ in keys}
        self._misread = s.match.game, misread
        news = np.ones(SLOTS, dtype=bool)
        news[list(misread)] = False
        news[[slot for slot, _ in keys & self._said]] = False
        self._said = keys
        return self._likeliest(together, counts, news, told) if keys else None

    def _seen_before_the_dice(self) -> Still | None:
        """The looks at the board that the last turn left; None when there are none. (Where nobody saw it before the next dice came, the
        last ones are of the board before that turn: 1000008. And where these same dice had been seen once by then, what lay there may have
        been played with them: `bench_looks.py --worse 22`, 2860000.)"""
        left, last, position = self._left, self.state.last, self.state.position
        dice, seen = self.looks.dice.pair, self._seen_rolled
        if dice is not None and seen is not None and dice.shows(seen.values):
            return None
        if left is None or last is None or position is None:
            return left
        before = left.mean.score(last.position)
        of_before = before >= -self.options.slack and before - left.mean.score(position) > CONTRADICTS
        return None if of_before else left

    def _untouched(self) -> Still | None:
        """All looks together at the board that lay so before the dice came and lies so beside them; None when there are too few."""
        left, now = self._seen_before_the_dice(), self._watch.now
        if left is None or now is None or self._left_looks < BEFORE:
            return None
        beside = now.looks - self._left_looks if left is now else now.looks
        if beside < BESIDE or not left.agrees(now.mean):
            return None
        both = now if left is now else now.joined(left)
        # (Where both sides' checkers seem to lie on one point, a hit checker may be on its way to the bar.)
        return None if both.mean.mixed.any() else both

    def _likeliest(
        self, evidence: Evidence, written: Vector, news: np.ndarray, told: Told
    ) -> tuple[Position, float] | None:
        """`likelier`, by what the slots say that are `news`. Trays say little, and things on the board hide what lies there."""
        s = self.state
        assert s.last is not None and s.position is not None
        turn = turn_of(s.last.position, s.last.dice, s.last.side, self.rules)
        before = vector(turn.before)
        free, _ = free_positions(evidence, written, borne_off=may_have_left(written))
        news[OFF_LIGHT:] = False
        news[list(self.looks.raw.hidden if self.looks.raw is not None else ())] = False
        slots = np.arange(SLOTS)
        best: tuple[Position, float] | None = None
        for counts in (free.counts, *turn.legal_counts):
            position = position_of(counts)
            if position is None or position == s.position or position.bar != s.position.bar:
                continue
            if evidence.score(position) < -self.options.slack:
                continue
            if _one_stack_alone(written, counts, before, told):
                continue
            if bore_off_too_soon(position, s.position) or _brought_back(position, turn.before):
                continue
            tells = evidence.rows[slots, counts + ZERO] - evidence.rows[slots, written + ZERO]
            nats = float(tells[news].sum())
            if s.last.legal and turn.play_to(position) is None:
                nats -= OUTSIDE_THE_LAW + PER_CHECKER * float(np.abs(counts - written).sum()) / 2
            if best is None or nats > best[1]:
                best = position, nats
        return best


def _brought_back(position: Position, before: Position) -> bool:
    """Whether checkers lie on the board again that had been borne off `before` the turn: nobody brings them back. (A cup that is put down
    may look like a row of checkers: 1000011.)"""
    return any(now < was for now, was in zip(position.off, before.off, strict=True))


def _one_stack_alone(written: Vector, counts: Vector, before: Vector, told: Told) -> bool:
    """Whether all that `counts` has otherwise on the points is in one place, and tells nothing. before: what lay there before the turn.

    Checkers hide one another, so a stack may look lower than it is, for as long as it lies there; none looks higher. (Whether one has
    changed can mostly be told, which is no help where it held another number before than both (915012). But what lies upon others is
    misread: of 210 rendered games, 800000-106 and 815000-096, this alone put a board right twice wrongly, a five that looked like seven
    and a six that looked like five; and rightly where a five or six looked one higher, in 815061; but a nine that looked like ten was none,
    in 2110015.)"""
    (differs,) = np.nonzero((counts != written)[:OFF_LIGHT])
    if len(differs) != 1:
        return False
    slot = int(differs[0])
    now, was = abs(int(counts[slot])), abs(int(written[slot]))
    upon_others = max(now, was) > IN_A_ROW and (now != was + 1 or now >= UNCOUNTED)
    apart = told.between(slot, int(before[slot]), int(written[slot]), int(counts[slot]))
    return upon_others or (not apart and now < was)
