"""`explain`: a verdict on what was physically done, also when it is far from legal.

The play is rebuilt as a player would have thought of it: a sequence of single moves with the dice of the roll
that leads to the mover's checkers as they lie now, breaking as few rules of movement as possible. What had to be broken is
the reason; when no sequence fits, the checkers themselves (missing, moved backwards, wrong distance) are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pi_board.rules.movement import State, all_home, moved, roll_dice, state_of
from pi_board.rules.plays import Play, check_dice, check_side, legal_plays
from pi_board.rules.position import CHECKERS, Position, Side, opponent, raw_counts
from pi_board.rules.rule_set import RuleSet, rule_set

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
    "game_over",
)


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
    def of(cls, points: Sequence[int], bar: Sequence[int], off: Sequence[int]) -> _Board:
        return cls(
            (off[0], *(max(n, 0) for n in points), bar[0]), (off[1], *(max(-n, 0) for n in points), bar[1])
        )


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
    state = state_of(before, side)
    plays = legal_plays(before, dice, side, law)
    if isinstance(after, Position):
        seen = after.seen_from(side)
    else:
        points, bar, off = raw_counts(after)
        seen = (
            (list(points), list(bar), list(off))
            if side == "light"
            else ([-n for n in reversed(points)], [bar[1], bar[0]], [off[1], off[0]])
        )
    lies = (*seen[0], *seen[1], *seen[2])
    for play in plays:
        if state_of(play.result, side) == lies:
            return Verdict(True, play, nearest=(play,))
    case = _Case(state, _Board.of(*seen), dice, side, law, plays)
    code, reason = case.verdict()
    return Verdict(False, None, code, reason, nearest_plays(plays, lies, side))


def nearest_plays(plays: Sequence[Play], lies: State, side: Side, count: int = 3) -> tuple[Play, ...]:
    """The `count` plays whose results differ least from `lies` (28 ints, mover's side), best first."""

    def distance(play: Play) -> int:
        return sum(abs(a - b) for a, b in zip(state_of(play.result, side), lies, strict=True))

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
        self, state: State, after: _Board, dice: tuple[int, int], side: Side, law: RuleSet, plays: list[Play]
    ) -> None:
        self.state = state
        self.before = _Board.of(state[:24], (state[24], state[25]), (state[26], state[27]))
        self.after = after
        self.dice = dice
        self.numbers = roll_dice(dice)
        self.side = side
        self.law = law
        self.plays = plays
        self.me = side.capitalize()
        self.them = opponent(side)
        self.can_move = any(p.moves for p in plays)
        self.longest = max(len(p.moves) for p in plays)

    # ------------------------------------------------------------------------------------- the verdict

    def verdict(self) -> tuple[str, str]:
        own, theirs = sum(self.after.own), sum(self.after.theirs)
        for board in self.readings():
            found = self.physical(board)
            if found:
                return found
            if sum(board.own) == CHECKERS:
                steps = self.rebuild(board)
                if steps is not None:
                    found = self.judge(board, steps)
                    if found:
                        return found
                elif theirs == CHECKERS and self.opponent_untouched(board):
                    return self.no_sequence(board)
        if own != CHECKERS:
            return _miscount(self.me.lower(), own)
        if theirs != CHECKERS:
            return _miscount(self.them, theirs)
        return "moved_opponent", f"A checker of {self.them} has been moved: only a hit may move it, onto the bar."

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

    def physical(self, board: _Board) -> tuple[str, str] | None:
        """Faults that no sequence of moves can have."""
        if sum(board.own) != CHECKERS:
            return None
        if board.own[25] > self.before.own[25]:
            return "moved_backwards", f"A checker of {self.side} has been put on the bar: only a hit puts it there."
        lost = [p for p in range(25, -1, -1) for _ in range(max(0, self.before.own[p] - board.own[p]))]
        gained = [p for p in range(25, -1, -1) for _ in range(max(0, board.own[p] - self.before.own[p]))]
        for start, to in zip(lost, gained, strict=True):
            if to > start:
                where = "back onto the board" if start == 0 else f"from {_point(start)} to {_point(to)}, the wrong way"
                return "moved_backwards", f"A checker of {self.side} went {where}: {self.side} moves from 24 down to 1."
        return None

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
                    walk(
                        _forced(state, source, to), tuple(rest), [*steps, step], broken + bool(step.broken)
                    )

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

    def judge(self, board: _Board, steps: list[_Step]) -> tuple[str, str] | None:
        """The verdict on a rebuilt play; None when the opponent's checkers do not fit it."""
        state = self.state
        blocked = set()
        for step in steps:
            if step.broken == "point_blocked":
                blocked.add(step.to)
            state = _forced(state, step.source, step.to)
        expected = _Board.of(state[:24], (state[24], state[25]), (state[26], state[27]))
        fits = self.opponent_fits(board, expected, blocked)
        if fits is not None:
            return fits if fits[0] else None
        for code in CODES:
            for step in steps:
                if step.broken == code:
                    return code, self.sentence(code, step)
        return self.duty(steps)

    def opponent_fits(self, board: _Board, expected: _Board, blocked: set[int]) -> tuple[str, str] | None:
        """None: the opponent's checkers lie as the moves demand. ("", ""): they do not, for no reason of their own."""
        surplus = missing = 0
        unhit = False
        for p in range(1, 25):
            if p in blocked:
                # The held point's checkers may lie under, beside or on the bar; the block is the fault.
                surplus += board.theirs[p] - self.before.theirs[p]
                continue
            change = board.theirs[p] - expected.theirs[p]
            if change and self.before.theirs[p] == 1 and expected.theirs[p] == 0 and change == 1:
                unhit = True
                surplus += 1
            elif change > 0:
                surplus += change
            else:
                missing -= change
        bar = board.theirs[25] - expected.theirs[25]
        off = board.theirs[0] - expected.theirs[0]
        if blocked and missing == 0 and off == 0 and bar + surplus <= 0 and bar >= 0:
            return None
        if surplus == missing == bar == off == 0:
            return None
        hits = expected.theirs[25] - self.before.theirs[25]
        if missing == 0 and bar < 0 and -bar <= hits:
            where = "is still on its point" if unhit else "is not on the bar" if surplus + off == 0 else "lies elsewhere"
            return "hit_checker_not_on_bar", f"The hit checker of {self.them} {where}: it belongs on the bar."
        total = sum(board.theirs)
        if total != CHECKERS:
            return _miscount(self.them, total)
        return "moved_opponent", f"A checker of {self.them} has been moved: only a hit may move it, onto the bar."

    def sentence(self, code: str, step: _Step) -> str:
        """The reason for a broken rule of movement."""
        from_to = f"{_point(step.source)}/{_point(step.to)}"
        if code == "must_enter_first":
            return f"{self.me} has a checker on the bar: it must enter before any other moves ({from_to})."
        if code == "point_blocked":
            return f"{from_to} is not possible: {self.them} holds {self.me}'s {step.to} point."
        if code == "not_all_home":
            return f"{self.me} may bear off only when all its checkers are home ({from_to})."
        if code == "exact_number_needed":
            return f"Bearing off needs the exact number: a {step.die} does not take a checker off {step.source}."
        if code == "bear_off_too_high":
            return f"A {step.die} may take a checker off {step.source} only when none stands behind it."
        return f"The larger number must enter first, or the roll is lost ({self.numbers[0]} before {step.die})."

    def duty(self, steps: list[_Step]) -> tuple[str, str]:
        """The moves themselves are all right, but the roll is not played as it must be."""
        roll = f"{self.numbers[0]}-{self.numbers[0] if self.double else self.numbers[1]}"
        if not self.can_move:
            return "no_legal_play", f"{self.me} has no legal play with {roll}: nothing may be moved."
        if not steps:
            return "could_have_moved", f"{self.me} can play {roll} and must: for example {self.plays[0]}."
        if self.double:
            return "must_play_more", f"{self.me} must play {self.longest} of the double {roll}, not {len(steps)}."
        used = steps[0].die
        if self.longest == 1 and len(steps) == 1:
            return "must_play_larger", f"Only one number can be played, and it must be the larger: the {self.numbers[0]}."
        other = sum(self.numbers) - used
        return "must_play_both", f"Both numbers must be played: the {other} too (for example {self.plays[0]})."

    @property
    def double(self) -> bool:
        return self.dice[0] == self.dice[1]

    def no_sequence(self, board: _Board) -> tuple[str, str]:
        """No use of the dice leads to the mover's checkers as they lie."""
        lost = [p for p in range(25, -1, -1) for _ in range(max(0, self.before.own[p] - board.own[p]))]
        gained = [p for p in range(25, -1, -1) for _ in range(max(0, board.own[p] - self.before.own[p]))]
        pairs = list(zip(lost, gained, strict=True))
        roll = f"{self.dice[0]}-{self.dice[1]}"
        words = " ".join(f"{_point(a)}/{_point(b)}" for a, b in pairs)
        if self.before.own[25] and board.own[25] and any(a != 25 for a in lost):
            return "must_enter_first", f"{self.me} has a checker on the bar: it must enter before any other moves ({words})."
        if not self.can_move:
            return "no_legal_play", f"{self.me} has no legal play with {roll}: nothing may be moved ({words})."
        if len(pairs) > len(self.numbers):
            return "too_many_moves", f"{len(pairs)} checkers were moved ({words}); {roll} allows {len(self.numbers)}."
        pips, allowed = sum(a - b for a, b in pairs), sum(self.numbers)
        if self.double and pips > allowed and all((a - b) % self.dice[0] == 0 for a, b in pairs if b):
            return "too_many_moves", f"More than four {self.dice[0]}s were played ({words})."
        return "wrong_number", f"{words} does not fit the roll {roll}."


def _unmatched_hits(state: State, board: _Board) -> int:
    """How far the opponent's checkers after the rebuilt moves are from those on the board."""
    return sum(abs(max(0, -state[p - 1]) - board.theirs[p]) for p in range(1, 25))


def _forced(state: State, source: int, to: int) -> State:
    """`moved`, but onto a held point the mover's checker replaces what stands there (it is a breach anyway)."""
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
    some = f"{n} checker{'s' if n > 1 else ''}"
    if total < CHECKERS:
        return "checker_missing", f"{some} of {side} {'are' if n > 1 else 'is'} missing from the board."
    return "checker_added", f"The board has {some} of {side} too many."
