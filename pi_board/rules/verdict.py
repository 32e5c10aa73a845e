"""`explain`: a verdict on what was physically done, also when it is far from legal.

The play is rebuilt as a player would have thought of it: a sequence of single moves with the dice of the roll
that leads to the mover's checkers as they lie now, breaking as few rules of movement as possible. What had to be broken is
the reason; when no sequence fits, the checkers themselves (missing, moved backwards, wrong distance) are.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pi_board.rules.movement import State, all_home, moved, roll_dice, state_of
from pi_board.rules.plays import Play, check_dice, check_side, legal_plays
from pi_board.rules.position import Position, raw_counts
from pi_board.rules.rule_set import RuleSet, rule_set
from pi_board.rules.side import CHECKERS, Side, opponent

#: Stable codes of illegal plays, the most specific first.
CODES = (
    "hit_checker_not_on_bar",
    "checker_missing",
    "checker_added",
    "moved_opponent",
    "moved_backwards",
    "must_enter_first",
    "point_blocked",
    "not_all_home",
    "exact_number_needed",
    "bear_off_too_high",
    "must_enter_larger_first",
    "must_play_more",
    "must_play_both",
    "must_play_larger",
    "could_have_moved",
    "no_legal_play",
    "too_many_moves",
    "wrong_number",
)


#: (points, bar, off), absolute, as a position document has them; they need not add up to 15 a side.
Counts = tuple[tuple[int, ...], tuple[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `explain` found.

    legal: the play is legal; then `play` is the one that was made, and code and reason are None.
    code: one of `CODES`; reason: one sentence for the players. nearest: up to three legal plays that lead to positions
    like the one on the board, the most similar first (on a legal play: that play).
    """

    legal: bool
    play: Play | None = None
    code: str | None = None
    reason: str | None = None
    nearest: tuple[Play, ...] = ()

    def __bool__(self) -> bool:
        return self.legal


@dataclass(frozen=True, slots=True)
class _Board:
    """A board as it lies, checkers counted apart: own[0..25] and theirs[0..25] by the mover's numbering
    (0 = off, 25 = own bar; theirs[25] = their bar)."""

    own: tuple[int, ...]
    theirs: tuple[int, ...]

    @classmethod
    def of(cls, counts: Counts, side: Side) -> _Board:
        points, bar, off = counts
        me = 0 if side == "light" else 1
        seen = points if side == "light" else [-n for n in points[::-1]]
        return cls(
            (off[me], *[max(n, 0) for n in seen], bar[me]),
            (off[1 - me], *[max(-n, 0) for n in seen], bar[1 - me]),
        )


def lies_of(position: Position) -> Counts:
    """The counts of a position."""
    return position.points, position.bar, position.off


def explain(
    before: Position,
    after: Position | Mapping[str, Any],
    dice: tuple[int, int],
    side: Side = "light",
    rules: str | RuleSet = "international",
) -> Verdict:
    """The verdict on `side` having turned `before` into `after` with `dice`.

    after: a `Position`, or a position document whose checkers need not add up to 15 a side (a checker in the hand, one too
    many on the board). Raises the invalid errors of `legal_plays`, and InvalidPositionError for a malformed
    document.
    """
    law, side, dice = rule_set(rules), check_side(side), check_dice(dice)
    plays = legal_plays(before, dice, side, law)
    if isinstance(after, Position):
        lies: Counts = (after.points, after.bar, after.off)
    else:
        lies = raw_counts(after)
    for play in plays:
        result = play.result
        if result.points == lies[0] and result.bar == lies[1] and result.off == lies[2]:
            return Verdict(True, play, nearest=(play,))
    nearest = nearest_plays(plays, lies)
    code, reason = _Case(before, lies, dice, side, law, plays, nearest[0]).verdict()
    return Verdict(False, None, code, reason, nearest)


def nearest_plays(plays: Sequence[Play], lies: Counts, count: int = 3) -> tuple[Play, ...]:
    """The `count` plays whose results differ least from the counts (points, bar, off) on the board, best first."""
    points, bar, off = lies
    there = (*points, *bar, *off)

    def distance(play: Play) -> int:
        result = play.result
        return sum(
            [abs(a - b) for a, b in zip((*result.points, *result.bar, *result.off), there, strict=True)]
        )

    return tuple(sorted(plays, key=distance)[:count])


@dataclass(frozen=True, slots=True)
class _Step:
    """One move of the rebuilt play and the rule it breaks ("" = none)."""

    source: int
    to: int
    die: int
    broken: str = ""


class _Case:
    """One illegal play under examination."""

    def __init__(
        self,
        before: Position,
        lies: Counts,
        dice: tuple[int, int],
        side: Side,
        law: RuleSet,
        plays: Sequence[Play],
        nearest: Play,
    ) -> None:
        self.state = state_of(before, side)
        self.before = _Board.of(lies_of(before), side)
        self.after = _Board.of(lies, side)
        self.dice = dice
        self.numbers = roll_dice(dice)
        self.roll = f"{dice[0]}-{dice[1]}"
        self.side = side
        self.law = law
        self.nearest = nearest
        self.me = side.capitalize()
        self.them = opponent(side)
        self.longest = max(len(p.moves) for p in plays)

    # ------------------------------------------------------------------------------------- the verdict

    def verdict(self) -> tuple[str, str]:
        """(code, sentence)."""
        own, theirs = sum(self.after.own), sum(self.after.theirs)
        for board in self.readings():
            if sum(board.own) != CHECKERS:
                continue
            steps = self.rebuild(board)
            if steps is None:
                continue
            found = self.judge(board, steps)
            # Another reading may name the fault better than "moved" or "missing".
            if (
                board is self.after
                and found[0] in ("moved_opponent", "checker_missing")
                and len(self.readings()) > 1
            ):
                continue
            return found
        if own != CHECKERS:
            return _miscount(self.side, own)
        back = self.backwards()
        if back:
            return back
        if theirs != CHECKERS:
            return _miscount(self.them, theirs)
        if not self.opponent_untouched(self.after):
            return self.opponent_moved()
        return self.no_sequence(self.after)

    def readings(self) -> list[_Board]:
        """The board as it lies, and as it may be meant where a point holds both sides' checkers.

        A position document has one number a point: a checker put on a point that the other side holds is seen as the mover's
        alone, as the others' with one less, or as nothing.
        """
        boards = [self.after]
        lost = CHECKERS - sum(self.after.theirs)
        short = CHECKERS - sum(self.after.own)
        for p in range(1, 25):
            was = self.before.theirs[p]
            if short == 0 and was >= 1 and self.after.own[p] and 0 < lost <= was:
                boards.append(_Board(self.after.own, _with(self.after.theirs, p, lost)))
            if short == lost == 1 and was >= 2 and self.after.theirs[p] == was - 1:
                boards.append(_Board(_with(self.after.own, p, 1), _with(self.after.theirs, p, 1)))
        return boards

    def backwards(self) -> tuple[str, str] | None:
        """A checker of the mover that can only have come where it lies by moving backwards."""
        if self.after.own[25] > self.before.own[25]:
            return (
                "moved_backwards",
                f"A checker of {self.side} has been put on the bar, but only a hit puts it there.",
            )
        for start, to in zip(*self.changes(self.after), strict=True):
            if to > start:
                way = f"back onto the {to} point" if start == 0 else f"from {start} to {to}"
                return (
                    "moved_backwards",
                    f"A checker of {self.side} went {way}: checkers never move backwards.",
                )
        return None

    def changes(self, board: _Board) -> tuple[list[int], list[int]]:
        """(left, reached): the places that the mover's checkers have left and reached, each from the highest down."""
        change = [a - b for a, b in zip(board.own, self.before.own, strict=True)]
        left = [p for p in range(25, -1, -1) for _ in range(-change[p])]
        reached = [p for p in range(25, -1, -1) for _ in range(change[p])]
        return left, reached

    def opponent_untouched(self, board: _Board) -> bool:
        """Nothing of the opponent's changed, except blots that now lie on the bar and the mover stands or passed there."""
        hits = 0
        for p in range(1, 25):
            change = board.theirs[p] - self.before.theirs[p]
            if change > 0 or (change < 0 and self.before.theirs[p] != 1):
                return False
            hits -= change
        return board.theirs[25] - self.before.theirs[25] == hits and board.theirs[0] == self.before.theirs[0]

    # ------------------------------------------------------------------------------------- rebuilding

    def rebuild(self, board: _Board) -> list[_Step] | None:
        """The sequence of moves with (some of) the dice that best explains the mover's checkers, None when there is none."""
        target = board.own
        best: tuple[tuple[int, int], list[_Step]] | None = None
        mid_roll = self.law.bear_off_in_mid_roll or all_home(self.state)
        budget = 20_000

        def walk(state: State, left: tuple[int, ...], steps: list[_Step], broken: int) -> None:
            nonlocal best, budget
            budget -= 1
            if budget < 0 or (best is not None and broken > best[0][0]):
                return
            own = (state[26], *(max(n, 0) for n in state[:24]), state[24])
            out = sum(max(0, own[p] - target[p]) for p in range(26))
            if out == 0:
                hits = _unmatched_hits(state, board)
                rank = (broken, hits)
                if best is None or rank < best[0]:
                    best = (rank, list(steps))
            if out > len(left):
                return
            tried = set()
            for die in left:
                if die in tried:
                    continue
                tried.add(die)
                rest = list(left)
                rest.remove(die)
                for source in range(25, 0, -1):
                    if own[source] == 0 or own[source] <= target[source]:
                        continue
                    to = max(0, source - die)
                    step = _Step(source, to, die, self.breach(state, source, die, left, mid_roll))
                    walk(_forced(state, source, to), tuple(rest), [*steps, step], broken + bool(step.broken))

        walk(self.state, self.numbers, [], 0)
        return None if best is None else best[1]

    def breach(self, state: State, source: int, die: int, left: tuple[int, ...], mid_roll: bool) -> str:
        """The rule that moving from `source` with `die` breaks ("" = none)."""
        law = self.law
        if state[24] and source != 25:
            return "must_enter_first"
        to = source - die
        if to > 0:
            held = -state[to - 1]
            if held >= 2 or (source == 25 and held == 1 and law.blot_blocks_entry):
                return "point_blocked"
            larger = law.entering == "larger_die_first" and len(left) == len(self.numbers)
            if source == 25 and larger and die < left[0]:
                return "must_enter_larger_first"
            return ""
        if not all_home(state) or not mid_roll:
            return "not_all_home"
        if to < 0:
            if law.large_die_bears_off == "never":
                return "exact_number_needed"
            if law.large_die_bears_off == "from_highest" and any(n > 0 for n in state[source:6]):
                return "bear_off_too_high"
        return ""

    # ------------------------------------------------------------------------------------- judging

    def judge(self, board: _Board, steps: list[_Step]) -> tuple[str, str]:
        """The verdict on a rebuilt play."""
        blocked = {step.to for step in steps if step.broken == "point_blocked"}
        wrong = self.opponent_wrong(board, {s.to for s in steps if s.to} - blocked, blocked)
        if wrong:
            return wrong
        for code in CODES:
            for step in steps:
                if step.broken == code:
                    return code, self.sentence(code, step)
        return self.duty(steps)

    def opponent_wrong(self, board: _Board, stops: set[int], blocked: set[int]) -> tuple[str, str] | None:
        """What is wrong with the opponent's checkers after the mover has stopped on `stops`; None = nothing.

        blocked: made points that the mover came to stand on: theirs may lie under it, beside it or on the bar, since the
        block itself is the fault to name.
        """
        hits = {p for p in stops if self.before.theirs[p] == 1}
        surplus = missing = slack = 0
        for p in range(1, 25):
            change = board.theirs[p] - (0 if p in hits else self.before.theirs[p])
            if p in blocked:
                slack -= change
            else:
                surplus += max(0, change)
                missing -= min(0, change)
        bar = board.theirs[25] - self.before.theirs[25] - len(hits)
        off = board.theirs[0] - self.before.theirs[0]
        if surplus == missing == off == 0 and 0 <= bar <= slack:
            return None
        total = sum(board.theirs)
        if missing == 0 and bar < 0 and total <= CHECKERS and surplus + off <= -bar:
            where = "is not on the bar" if surplus + off == 0 else "was put down elsewhere"
            return "hit_checker_not_on_bar", f"The hit checker of {self.them} {where}: it belongs on the bar."
        if total != CHECKERS and not blocked:
            return _miscount(self.them, total)
        return self.opponent_moved()

    def opponent_moved(self) -> tuple[str, str]:
        return (
            "moved_opponent",
            f"A checker of {self.them} has been moved: only a hit may move it, onto the bar.",
        )

    def sentence(self, code: str, step: _Step) -> str:
        """The reason for a broken rule of movement."""
        from_to = f"{_point(step.source)}/{_point(step.to)}"
        if code == "must_enter_first":
            return f"{self.me} has a checker on the bar: it must enter before any other moves ({from_to})."
        if code == "point_blocked":
            return f"{self.me} cannot play {from_to}: {self.them} holds {self.side}'s {step.to} point."
        if code == "not_all_home":
            return f"{self.me} may bear off only when all its checkers are home ({from_to})."
        if code == "exact_number_needed":
            return (
                f"Bearing off needs the exact number: a {step.die} does not take a checker off {step.source}."
            )
        if code == "bear_off_too_high":
            return f"A {step.die} may take a checker off {step.source} only when none stands behind it."
        return (
            f"The larger number must enter first, or the roll is lost ({self.numbers[0]} before {step.die})."
        )

    def duty(self, steps: list[_Step]) -> tuple[str, str]:
        """The moves themselves are all right, but the roll is not played as it must be."""
        if not self.longest:
            return "no_legal_play", f"{self.me} has no legal play with {self.roll}: nothing may be moved."
        example = f"for example {self.nearest}"
        if not steps:
            return "could_have_moved", f"{self.me} can play {self.roll} and must: {example}."
        if self.double:
            return (
                "must_play_more",
                f"{self.me} must play {self.longest} moves of the double {self.roll}, not {len(steps)}: {example}.",
            )
        if self.longest == 1:
            return (
                "must_play_larger",
                f"Only one number can be played, and it must be the {self.numbers[0]}: {example}.",
            )
        other = sum(self.numbers) - steps[0].die
        return "must_play_both", f"Both numbers must be played, the {other} too: {example}."

    @property
    def double(self) -> bool:
        return self.dice[0] == self.dice[1]

    def no_sequence(self, board: _Board) -> tuple[str, str]:
        """No use of the dice leads to the mover's checkers as they lie."""
        left, reached = self.changes(board)
        uses: int | None
        uses, wrong, pairs = self.assign(left, reached)
        words = " ".join(f"{_point(a)}/{_point(b)}" for a, b in pairs)
        if self.before.own[25] and board.own[25] and any(a != 25 for a in left):
            return (
                "must_enter_first",
                f"{self.me} has a checker on the bar: it must enter before any other moves ({words}).",
            )
        if not self.longest:
            return (
                "no_legal_play",
                f"{self.me} has no legal play with {self.roll}: nothing may be moved ({words}).",
            )
        allowed = len(self.numbers)
        if len(pairs) > allowed or (
            uses is not None and uses > allowed and (self.double or self.whole_and_more(pairs))
        ):
            number = "four moves" if self.double else "two moves"
            return "too_many_moves", f"Too much was played ({words}): {self.roll} is good for {number}."
        sums = {sum(self.numbers[:n]) for n in range(1, allowed + 1)} | set(self.numbers)
        wrong = wrong or next(((a, b) for a, b in pairs if b and a - b not in sums), None)
        if wrong is None:
            return "wrong_number", f"The roll {self.roll} does not allow {words}: each number is played once."
        start, to = wrong
        far = f"{start - to} point{'s' if start - to > 1 else ''}" if to else "bearing off"
        return "wrong_number", f"The roll {self.roll} does not allow {_point(start)}/{_point(to)} ({far})."

    def whole_and_more(self, pairs: list[tuple[int, int]]) -> bool:
        """One checker played the whole roll, and another one some of it again."""
        far = sorted(start - to for start, to in pairs)
        return len(far) == 2 and far[1] == sum(self.numbers) and far[0] in (*self.numbers, far[1])

    def assign(
        self, left: list[int], reached: list[int]
    ) -> tuple[int | None, tuple[int, int] | None, list[tuple[int, int]]]:
        """Which checker went where, as well as the dice can explain it.

        Returns (dice used in all if each way is a sum of the numbers rolled, else None; the first way that is not; the ways).
        """
        best: (
            tuple[tuple[int, int], tuple[int | None, tuple[int, int] | None, list[tuple[int, int]]]] | None
        ) = None
        orders = itertools.permutations(reached) if len(reached) <= 4 else [tuple(reached)]
        for order in orders:
            pairs = list(zip(left, order, strict=True))
            if any(to > start for start, to in pairs):
                continue
            uses = [_dice_needed(start, to, set(self.numbers)) for start, to in pairs]
            known = [u for u in uses if u is not None]
            rank = (len(uses) - len(known), sum(known))
            if best is None or rank < best[0]:
                wrong = next((pair for pair, u in zip(pairs, uses, strict=True) if u is None), None)
                best = (rank, (sum(known) if wrong is None else None, wrong, pairs))
        assert best is not None  # checkers that moved backwards have been named before
        return best[1]


def _dice_needed(start: int, to: int, numbers: set[int]) -> int | None:
    """The fewest dice that carry a checker from `start` to `to`, each number as often as one likes; None = no way."""
    places, count = {start}, 0
    while places:
        count += 1
        places = {p - d for p in places for d in numbers}
        if to in places or (to == 0 and any(p < 0 for p in places)):
            return count
        places = {p for p in places if p > to}
    return None


def _unmatched_hits(state: State, board: _Board) -> int:
    """How far the opponent's checkers after the rebuilt moves are from those on the board."""
    return sum(abs(max(0, -state[p - 1]) - board.theirs[p]) for p in range(1, 25))


def _forced(state: State, source: int, to: int) -> State:
    """`moved`, but onto a made point the mover's checker replaces what stands there (it is a breach anyway)."""
    if to and state[to - 1] < -1:
        after = list(state)
        after[24 if source == 25 else source - 1] -= 1
        after[25] -= state[to - 1]
        after[to - 1] = 1
        return tuple(after)
    return moved(state, source, to)[1]


def _with(counts: tuple[int, ...], index: int, more: int) -> tuple[int, ...]:
    changed = list(counts)
    changed[index] += more
    return tuple(changed)


def _point(point: int) -> str:
    return "bar" if point == 25 else "off" if point == 0 else str(point)


def _miscount(side: str, total: int) -> tuple[str, str]:
    n = abs(CHECKERS - total)
    if total < CHECKERS:
        missing = "A checker" if n == 1 else f"{n} checkers"
        return "checker_missing", f"{missing} of {side} {'is' if n == 1 else 'are'} missing from the board."
    return "checker_added", f"The board has {n} checker{'s' if n > 1 else ''} of {side} too many."
