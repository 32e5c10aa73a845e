"""Which explanation of the picture is the most likely one: a legal play, a play in progress, or an illegal one?

Explanations are rows of 28 signed counts in the slot order of `pi_board.sighting`; an explanation's score is the
sum of its slots' log-likelihoods (one numpy gather for all of them), each slot relative to its own best count
and bounded below, so that one slot that vision is wrong about can never outvote the other 27.
The best explanation outside the law comes from a dynamic programme over the slots that keeps 15 + 15 checkers
(or finds how many are missing) and prefers few displaced checkers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from pi_board.rules import Play, Position, RuleSet, Side, legal_plays, opponent
from pi_board.sighting import BAR_DARK, BAR_LIGHT, COUNTS, OFF_DARK, OFF_LIGHT, SLOTS, ZERO, Sighting

Vector = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]

#: Most nats that one slot may count against an explanation.
SLOT_CAP = 12.0
#: The same for a tray. Trays are often half out of view and borne-off checkers lie anywhere, so they weigh
#: little.
TRAY_CAP = 3.0
#: Prior costs (nats): a half-made play, a checker in the hand, a checker on a made point, a play outside the
#: rules, each displaced checker, each missing one, and a borne-off checker that is back.
PARTIAL, IN_HAND, BLOCKED, WRONG, PER_CHECKER, PER_MISSING, TAKEN_BACK_IN = 0.5, 2.0, 3.0, 2.0, 0.7, 2.0, 1.5
#: What it costs that a checker is back which was borne off without doubt: dearer than one slot that vision is wrong about by some
#: nats, for that is the likelier accident (synthetic campaign, 92 games: the only game not refereed to its end had taken a point
#: misread by 8 to 10 nats for one).
COMES_BACK = 10.0
#: Cost of more off the board than before by no lawful play: a full point that is misread by one is the likelier accident, and trays
#: show little. Less than PER_MISSING, for what left the board in plain sight is not missing; above 1.2 what was borne off while
#: a cup covered points is read as lying under it. (Synthetic campaign, looks of 13 games with faults of seed 99000.)
UNLAWFULLY_OFF = 1.0
#: Most checkers that one roll bears off.
MOST_BORNE_OFF = 4
#: Cost of a checker in the hand once the dice are lifted, and in key frames, which show finished plays.
IN_HAND_LATE, IN_HAND_KEY_FRAME = 5.0, 8.0
#: Explanations within this many nats cannot be told apart by the picture.
ALIKE = 1.5
#: Cost (nats) of each checker more or less in a covered slot: unseen points have most likely not changed.
UNSEEN = 0.3
#: Checkers that make a stack, of which one more is seen where none is (a lone checker is hardly ever seen on an empty point).
#: Set.
STACK = 2
#: Checkers of a stack of two layers on most boards: five lie in a row.
TWO_LAYERS = 6
#: Explanations that are scored in full after an upper bound has ranked them.
_FEW = 32
#: A reading with a worse fit explains nothing (two slots contradict it outright).
WORST_FIT = -20.0
#: Least fit of an explanation that accuses somebody: it must itself fit in every slot.
ACCUSING_FIT = -8.0

BAR = {"light": BAR_LIGHT, "dark": BAR_DARK}
OFF = {"light": OFF_LIGHT, "dark": OFF_DARK}


def vector(position: Position) -> Vector:
    """(28,) signed counts of `position`."""
    return np.array(
        (*position.points, position.bar[0], -position.bar[1], position.off[0], -position.off[1]),
        dtype=np.int64,
    )


def position_of(counts: Sequence[int] | Vector) -> Position | None:
    """The position that (28,) counts describe; None when it is not 15 + 15, when one side's bar or tray would hold the other's
    checkers, or both sides would have borne off everything."""
    v = [int(n) for n in counts]
    light = sum(n for n in v if n > 0)
    dark = -sum(n for n in v if n < 0)
    if light != 15 or dark != 15 or (v[OFF_LIGHT] == 15 and v[OFF_DARK] == -15):
        return None
    if min(v[BAR_LIGHT], v[OFF_LIGHT]) < 0 or max(v[BAR_DARK], v[OFF_DARK]) > 0:
        return None
    return Position(tuple(v[:24]), (v[BAR_LIGHT], -v[BAR_DARK]), (v[OFF_LIGHT], -v[OFF_DARK]))


@dataclass(frozen=True, slots=True)
class Evidence:
    """A settled look, slot by slot. rows: (28, 31) float, 0 at each slot's best count, never below -SLOT_CAP.

    trays: (2, 31), the two tray rows bounded like all others: an explanation outside the law must have seen the
    checkers in the tray, while a lawful one does not suffer when they lie about. informed: number of slots that say anything at all.
    mixed: (28,) nats by which a point that holds both sides' checkers explains the picture better than any row.
    hidden: slots of which something that stands there covers a part.
    """

    rows: Scores
    trays: Scores
    informed: int
    mixed: Scores = field(default_factory=lambda: np.zeros(SLOTS))
    hidden: tuple[int, ...] = ()

    @classmethod
    def of(cls, sighting: Sighting) -> Evidence:
        """All that a settled sighting says about checkers."""
        assert sighting.log_likelihood is not None
        found = cls.from_log_likelihood(sighting.log_likelihood)
        for slot, nats in sighting.mixed:
            found.mixed[slot] = min(SLOT_CAP, max(0.0, nats))
        return replace(found, hidden=sighting.hidden) if sighting.hidden else found

    def expecting(self, counts: Vector) -> Evidence:
        """The same, where nobody can see a little more for what was there: (28,) counts."""
        if not self.hidden:
            return self
        rows = self.rows.copy()
        for slot in self.hidden:
            rows[slot] -= UNSEEN * np.abs(np.arange(-15, 16) - counts[slot])
        return replace(self, rows=rows)

    def keeping(self, counts: Vector, side: Side) -> Evidence:
        """The same, where the heights of `side`'s stacks are taken to be as they were: (28,) counts. (Whose a point is stays as seen.)"""
        sign = 1 if side == "light" else -1
        rows = self.rows.copy()
        for slot in np.flatnonzero(counts[:OFF_LIGHT] * sign > 0):
            if (rows[slot].argmax() - ZERO) * sign > 0:
                rows[slot] = -SLOT_CAP
                rows[slot, counts[slot] + ZERO] = 0.0
        return replace(self, rows=rows)

    def alike(self, vectors: Vector, counts: Vector) -> npt.NDArray[np.bool_]:
        """(N,) which of (N, 28) vectors differ from (28,) counts, and only where something covers a part."""
        differs = vectors != counts
        seen = np.ones(SLOTS, dtype=bool)
        seen[list(self.hidden)] = False
        return np.asarray(differs.any(axis=1) & ~differs[:, seen].any(axis=1))

    @classmethod
    def from_log_likelihood(cls, log_likelihood: npt.NDArray[np.float64]) -> Evidence:
        rows = np.array(log_likelihood, dtype=np.float64)
        if rows.shape != (SLOTS, COUNTS):
            raise ValueError(f"log_likelihood: expected shape {(SLOTS, COUNTS)}, got {rows.shape}")
        rows = np.nan_to_num(rows, nan=0.0, neginf=-1e9, posinf=1e9)
        rows -= rows.max(axis=1, keepdims=True)
        np.maximum(rows[:OFF_LIGHT], -SLOT_CAP, out=rows[:OFF_LIGHT])
        trays = np.maximum(rows[OFF_LIGHT:], -SLOT_CAP)
        # Fewer in the tray than were borne off is normal: they lie elsewhere. More than were borne off needs
        # an explanation.
        borne_off = np.abs(np.arange(-15, 16))
        fewer_seen = borne_off[None, :] > borne_off[rows[OFF_LIGHT:].argmax(axis=1)][:, None]
        rows[OFF_LIGHT:] = np.where(fewer_seen, np.maximum(trays, -TRAY_CAP), trays)
        return cls(rows, trays, int((rows.min(axis=1) < -1.0).sum()))

    def scores(self, vectors: Vector) -> Scores:
        """(N,) log-likelihood sums of (N, 28) count vectors, in which no point holds both sides' checkers."""
        return self.rows[np.arange(SLOTS), vectors + ZERO].sum(axis=1) - self.mixed.sum()

    def score(self, position: Position) -> float:
        return float(self.scores(vector(position)[None])[0])

    def certainty(self, position: Position) -> float:
        """Nats by which `position` explains the picture better than any board with one checker elsewhere; below 0 when it does not.
        (Trays show little: where checkers may be borne off, one more may lie there.)"""
        counts = vector(position)
        slots = np.arange(SLOTS)
        there = self.rows[slots, counts + ZERO]
        least = np.inf
        may_be_off = may_have_left(counts) > np.abs(counts[OFF_LIGHT:])
        for sign, off in ((1, OFF_LIGHT), (-1, OFF_DARK)):
            one_less = there - self.rows[slots, np.clip(counts - sign, -15, 15) + ZERO]
            one_more = there - self.rows[slots, np.clip(counts + sign, -15, 15) + ZERO]
            own = counts * sign >= 0
            own[[BAR_DARK, OFF_DARK] if sign > 0 else [BAR_LIGHT, OFF_LIGHT]] = False
            one_less[counts * sign <= 0], one_more[~own] = np.inf, np.inf
            one_less[off], one_more[off] = np.inf, 0.0 if may_be_off[off - OFF_LIGHT] else np.inf
            pairs = one_less[:, None] + one_more[None, :]
            np.fill_diagonal(pairs, np.inf)
            least = min(least, float(pairs.min()))
        return least


@dataclass(frozen=True, slots=True)
class Free:
    """The best explanation without the rules of play. counts: (28,); light, dark: checkers in it."""

    counts: Vector
    score: float
    light: int
    dark: int

    @property
    def position(self) -> Position | None:
        return position_of(self.counts)


#: Free explanations that are remembered: which rolls one look may show is asked of up to 21 rolls, and this does not depend on the
#: roll but for what it bears off.
_REMEMBERED = 16
_SIZE = 17  # 0..16 checkers of a colour: one too many can be told, more is nonsense
#: Counts of one colour in one slot: 0..15.
_HERE = 16


def _by_totals(
    evidence: Evidence,
    before: Vector,
    per_checker: float,
    borne_off: Vector | None,
    surely_off: Vector | None = None,
) -> tuple[Scores, Callable[[int, int], Free]]:
    """(17, 17) best score for each total of light's and dark's checkers, and the counts behind any of them, by dynamic
    programming over the slots; arguments as of `free_positions`."""
    # A checker that has left the board counts as borne off only if the tray shows it; otherwise it is
    # missing.
    there = np.abs(before[OFF_LIGHT:])
    most = there if borne_off is None else np.maximum(there, borne_off)
    # A borne-off checker does not come back.
    sure = np.zeros(2) if surely_off is None else np.asarray(surely_off, np.float64)
    parts = (evidence.rows, evidence.trays, evidence.mixed, before, most.astype(np.int64), sure)
    return _totals(per_checker, *(part.tobytes() for part in parts))


@lru_cache(maxsize=_REMEMBERED)
def _totals(
    per_checker: float,
    rows: bytes,
    trays: bytes,
    mixed: bytes,
    was: bytes,
    most_off: bytes,
    surely_off: bytes,
) -> tuple[Scores, Callable[[int, int], Free]]:
    """`_by_totals` of arrays given as bytes, worked out once; what it returns is for reading only."""
    tray_rows = np.frombuffer(trays).reshape(-1, COUNTS)
    against = np.frombuffer(mixed).sum()
    before = np.frombuffer(was, np.int64)
    most, sure = np.frombuffer(most_off, np.int64)[:, None], np.frombuffer(surely_off)[:, None]
    counts = np.arange(-15, 16)
    weights = np.frombuffer(rows).reshape(SLOTS, COUNTS) - 0.5 * per_checker * np.abs(
        counts[None, :] - before[:, None]
    )
    there = np.abs(before[OFF_LIGHT:, None])
    weights[OFF_LIGHT:] = (
        tray_rows
        - (PER_MISSING + 1.0) * np.maximum(np.abs(counts)[None, :] - most, 0)
        - UNLAWFULLY_OFF * (np.abs(counts)[None, :] > there)
        - TAKEN_BACK_IN * np.maximum(there - np.abs(counts)[None, :], 0)
        - (COMES_BACK - TAKEN_BACK_IN) * np.maximum(np.minimum(sure, there) - np.abs(counts)[None, :], 0)
    )
    # [0: light here, 1: dark here][this colour's total, the other's]; impossible totals lie before the first row, so that
    # the total before `count` checkers were added is a step backwards in memory.
    padded = np.full((2, _HERE - 1 + _SIZE, _SIZE), -np.inf)
    colour, total, other = padded.strides
    before_it = np.lib.stride_tricks.as_strided(
        padded[:, _HERE - 1 :], (_HERE, 2, _SIZE, _SIZE), (-total, colour, total, other), writeable=False
    )
    here = np.stack([weights[:, ZERO : ZERO + _HERE], weights[:, ZERO::-1]], axis=2)  # (28, 16, 2)
    here[[BAR_DARK, OFF_DARK], 1:, 0] = -np.inf
    here[[BAR_LIGHT, OFF_LIGHT], 1:, 1] = -np.inf
    tables = np.full((SLOTS + 1, _SIZE, _SIZE), -np.inf)
    tables[0, 0, 0] = 0.0
    for slot in range(SLOTS):
        padded[0, _HERE - 1 :], padded[1, _HERE - 1 :] = tables[slot], tables[slot].T
        best = (before_it + here[slot][:, :, None, None]).max(axis=0)
        np.maximum(best[0], best[1].T, out=tables[slot + 1])
    table = tables[SLOTS]

    @cache
    def trace(total_light: int, total_dark: int) -> Free:
        found = np.zeros(SLOTS, dtype=np.int64)
        a, b = total_light, total_dark
        for slot in range(SLOTS - 1, -1, -1):
            light = tables[slot, a::-1, b][:_HERE] + here[slot, : a + 1, 0]
            dark = tables[slot, a, b::-1][:_HERE] + here[slot, : b + 1, 1]
            n = int(light.argmax()) if light.max() >= dark.max() else -int(dark.argmax())
            found[slot] = n
            a, b = (a - n, b) if n > 0 else (a, b + n)
        found.setflags(write=False)
        return Free(found, float(table[total_light, total_dark] - against), total_light, total_dark)

    return table - against, trace


def free_positions(
    evidence: Evidence,
    before: Vector,
    per_checker: float = PER_CHECKER,
    borne_off: Vector | None = None,
    surely_off: Vector | None = None,
) -> tuple[Free, Free]:
    """(best with 15 + 15, best with a checker or more missing or extra).

    `per_checker`: nats that each displaced checker costs, relative to `before`. borne_off: (2,) most checkers of light
    and dark that this roll can have taken off (default: as before). surely_off: (2,) those that were borne off without doubt.
    """
    table, trace = _by_totals(evidence, before, per_checker, borne_off, surely_off)
    totals = np.arange(_SIZE)
    off_count = np.abs(totals - 15)
    other = table - PER_MISSING * (off_count[:, None] + off_count[None, :])
    other[15, 15] = -np.inf
    a, b = np.unravel_index(int(other.argmax()), other.shape)
    missing = trace(int(a), int(b))
    return trace(15, 15), Free(missing.counts, float(other[a, b]), missing.light, missing.dark)


def _steps(before: Position, dice: tuple[int, int], side: Side) -> set[tuple[int, ...]]:
    """(28,) mover's-view vectors of all that can lie there while `side` plays: every sequence of single moves.

    Bearing off is taken generously (any larger die, any time all are home): being on the way is no verdict.
    """
    points, bar, off = before.seen_from(side)
    start = (*points, bar[0], bar[1], off[0], off[1])
    a, b = dice
    rolls: tuple[tuple[int, ...], ...] = ((a,) * 4,) if a == b else ((a, b), (b, a))
    seen: set[tuple[int, ...]] = set()
    todo = {(start, roll) for roll in rolls}
    visited = set(todo)
    while todo:
        state, left = todo.pop()
        seen.add(state)
        if not left:
            continue
        die = left[0]
        if state[24]:
            sources: Iterable[int] = (25,)
        else:
            sources = [p for p in range(24, 0, -1) if state[p - 1] > 0]
        home = not state[24] and not any(n > 0 for n in state[6:24])
        for source in sources:
            target = source - die
            if target > 0 and state[target - 1] < -1:
                continue
            if target <= 0 and not home:
                continue
            nxt = list(state)
            nxt[24 if source == 25 else source - 1] -= 1
            if target <= 0:
                nxt[26] += 1
            else:
                if nxt[target - 1] == -1:
                    nxt[target - 1] = 0
                    nxt[25] += 1
                nxt[target - 1] += 1
            item = (tuple(nxt), left[1:])
            if item not in visited:
                visited.add(item)
                todo.add(item)
    return seen


def _absolute(mover: tuple[int, ...], side: Side) -> tuple[int, ...]:
    if side == "light":
        return (*mover[:24], mover[24], -mover[25], mover[26], -mover[27])
    return (*(-n for n in reversed(mover[:24])), mover[25], -mover[24], mover[27], -mover[26])


@dataclass(frozen=True, slots=True)
class Turn:
    """All that one roll allows, as vectors. legal_counts (N, 28) belongs to `legal`; partial_counts (M, 28) are
    the positions on the way, `before` and complete plays not among them."""

    before: Position
    dice: tuple[int, int]
    side: Side
    rules: RuleSet
    legal: tuple[Play, ...]
    legal_counts: Vector
    partial_counts: Vector

    @property
    def can_move(self) -> bool:
        return any(play.moves for play in self.legal)

    @property
    def may_pass(self) -> bool:
        """Leaving everything as it is is a legal play (nothing can be moved, or the leaflet allows to stop)."""
        return any(play.result == self.before for play in self.legal)

    def play_to(self, position: Position) -> Play | None:
        return next((p for p in self.legal if p.result == position), None)

    def may_lead_to(self, position: Position) -> bool:
        """`position` is a lawful play, or on the way to one."""
        return self.play_to(position) is not None or bool(
            (self.partial_counts == vector(position)).all(axis=1).any()
        )


@lru_cache(maxsize=64)
def turn_of(before: Position, dice: tuple[int, int], side: Side, rules: RuleSet) -> Turn:
    """The `Turn` of a roll, computed once."""
    legal = tuple(legal_plays(before, dice, side, rules))
    legal_counts = np.array([vector(p.result) for p in legal], dtype=np.int64).reshape(-1, SLOTS)
    known = {tuple(int(n) for n in row) for row in legal_counts} | {tuple(int(n) for n in vector(before))}
    partial = sorted({_absolute(s, side) for s in _steps(before, dice, side)} - known)
    return Turn(
        before, dice, side, rules, legal, legal_counts, np.array(partial, dtype=np.int64).reshape(-1, SLOTS)
    )


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What the picture is most likely to show.

    kind: "before" (nothing moved), "legal" (`play` lies there), "partial" (on the way), "illegal", "unclear".
    position: what lies there when it is a whole position. margin: nats to the best explanation of another kind.
    blocked: (from, to) in the mover's numbering when a checker stands on a point that the opponent holds.
    missing: (light, dark) checkers too few (negative: too many), only when unclear.
    rival: the best legal play and by how many nats it is behind, when it is not what lies there.
    unmoved: nats by which the position before is behind, when something seems to be on its way.
    veiled: slots that something covers, and what lies there decides between plays, or between a play and none.
    nearest: the position that the referee would most like to see. in_hand: a checker is on its way; of whom: `hand_of`;
        left_on: slot (0-23) on which a hit checker is seen to lie still beside the one that hit it;
        borne_off: what lies there if the checker that is gone from the mover's home board is not in a hand but off;
        unlawful: the position outside the law that explains the picture at least as well as a checker in a hand.
    """

    kind: Literal["before", "legal", "partial", "illegal", "unclear"]
    position: Position | None
    margin: float
    fit: float
    play: Play | None = None
    blocked: tuple[int, int] | None = None
    missing: tuple[int, int] = (0, 0)
    nearest: Position | None = None
    in_hand: bool = False
    hand_of: Side | None = None
    left_on: int | None = None
    borne_off: Position | None = None
    unlawful: Position | None = None
    seen: Position | None = None
    rival: tuple[Play, float] | None = None
    unmoved: float = np.inf
    veiled: tuple[int, ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """Two looks agree when this is equal."""
        return self.kind, self.position, self.blocked, self.missing, self.in_hand


def _lifting(evidence: Evidence, vectors: Vector, side: Side) -> Scores:
    """(N, 25) nats gained by lifting one of `side`'s checkers from each point, or (last) from its bar; -inf: none there."""
    sign = 1 if side == "light" else -1
    slots = [*range(24), BAR[side]]
    own = vectors[:, slots] * sign > 0
    there = evidence.rows[slots, vectors[:, slots] + ZERO]
    less = evidence.rows[slots, vectors[:, slots] - sign * own + ZERO]
    return np.where(own, less - there, -np.inf)


def _best_lifted(evidence: Evidence, vectors: Vector, scores: Scores, side: Side) -> tuple[Scores, Vector]:
    """Score of each explanation with its most likely mover's checker lifted, and that checker's slot."""
    delta = _lifting(evidence, vectors, side)
    best = delta.argmax(axis=1)
    return scores + delta[np.arange(len(vectors)), best], np.array([*range(24), BAR[side]], dtype=np.int64)[
        best
    ]


def in_hand_scores(
    evidence: Evidence, turn: Turn, vectors: Vector, scores: Scores, in_hand: float
) -> tuple[Scores, npt.NDArray[np.bool_]]:
    """Best score of each explanation with one checker in a hand, or with a hit checker not yet on the bar; and whether
    it is the latter."""
    way, _ = _best_lifted(evidence, vectors, scores, turn.side)
    way = way - in_hand
    own = way
    other = opponent(turn.side)
    bar = BAR[other]
    hits = np.abs(vectors[:, bar]) - abs(int(vector(turn.before)[bar]))
    if (hits > 0).any():
        step = 1 if other == "light" else -1
        hit = np.where(
            hits > 0,
            evidence.rows[bar, np.where(hits > 0, vectors[:, bar] - step, vectors[:, bar]) + ZERO]
            - evidence.rows[bar, vectors[:, bar] + ZERO],
            -np.inf,
        )
        way = np.maximum(way, scores + hit - in_hand)
        # The hit checker still lies beside or under the one that hit it, so any reading of that slot is
        # allowed.
        was = vector(turn.before)
        blot = (was[:24] == step)[None, :] & (vectors[:, :24] * step < 0)
        there = evidence.rows[np.arange(24), vectors[:, :24] + ZERO] - evidence.mixed[:24]
        free = np.where(blot, -there, -np.inf).max(axis=1)
        way = np.maximum(way, scores + hit + free - in_hand)
    return way, way > own


def _borne_off(evidence: Evidence, turn: Turn, counts: Vector) -> Position | None:
    """`counts` with the checker that was most likely taken from the mover's home board borne off."""
    _, slots = _best_lifted(evidence, counts[None], np.zeros(1), turn.side)
    slot, sign = int(slots[0]), 1 if turn.side == "light" else -1
    if not (0 <= slot < 6 if turn.side == "light" else 18 <= slot < 24):
        return None
    after = counts.copy()
    after[slot] -= sign
    after[OFF[turn.side]] += sign
    return position_of(after)


def _left_on(evidence: Evidence, turn: Turn, counts: Vector) -> int | None:
    """The point on which a hit checker of the opponent is seen to lie still when `counts` has been played."""
    step = 1 if turn.side == "dark" else -1
    left = (vector(turn.before)[:24] == step) & (counts[:24] * step < 0) & (evidence.mixed[:24] > 0)
    return int(np.argmax(left)) if left.any() else None


def _on_held_point(
    evidence: Evidence, turn: Turn, vectors: Vector, scores: Scores
) -> tuple[float, tuple[int, int], int]:
    """Best score of "one of the mover's checkers stands on a point that the opponent holds", (from, to), and from which of the vectors.

    vectors: (N, 28), the first is the position before."""
    sign = 1 if turn.side == "light" else -1
    delta = _lifting(evidence, vectors, turn.side)
    held = vectors[:, :24] * sign <= -2
    there = evidence.rows[np.arange(24), vectors[:, :24] + ZERO] - evidence.mixed[:24]
    # Such a point may read as one checker more or less of theirs, or as the mover's, but never as empty.
    looks = np.full(there.shape, -np.inf)
    for other in (-1, 1):
        near = np.clip(vectors[:, :24] + other, -15, 15)
        looks = np.maximum(looks, np.where(near != 0, evidence.rows[np.arange(24), near + ZERO], -np.inf))
    own_columns = ZERO + sign * np.arange(1, 5)
    looks = np.maximum(looks, evidence.rows[:24, own_columns].max(axis=1)[None, :])
    # If both colours are seen on the point, it does not matter which of them the row counts.
    looks = np.maximum(
        looks, np.where(evidence.mixed[:24] > 0, evidence.rows[:24].max(axis=1), -np.inf)[None, :]
    )
    gain = np.where(held, looks - there, -np.inf)
    bound = scores + delta.max(axis=1) + gain.max(axis=1)
    best, move, base = -np.inf, (0, 0), 0
    allowed = _forward(turn.side, max(12, sum(turn.dice) * (2 if turn.dice[0] == turn.dice[1] else 1)))
    # Try the position before first. If a partial play plus another checker explains it no better, it was a
    # single move from there.
    for i in [0, *np.argsort(-bound, kind="stable")[:_FEW]]:
        if bound[i] <= best + ALIKE:
            continue
        pairs = np.where(allowed, delta[i][:, None] + gain[i][None, :], -np.inf)
        source, target = np.unravel_index(int(pairs.argmax()), pairs.shape)
        if scores[i] + pairs[source, target] > best + ALIKE:
            best = float(scores[i] + pairs[source, target])
            move, base = (_own(int(source), turn.side), _own(int(target), turn.side)), int(i)
    return best - BLOCKED, move, base


def _held_and_more(
    evidence: Evidence, turn: Turn, borne_off: Vector
) -> tuple[float, tuple[int, int], Position] | None:
    """(score, (from, to), position before) when one of the mover's checkers stands on a point that the opponent
    has made and the others lie anywhere. None when no such point is seen.
    """
    sign = 1 if turn.side == "light" else -1
    before = vector(turn.before)
    best: tuple[float, tuple[int, int], Position] | None = None
    for target in np.flatnonzero((evidence.mixed[:24] > 0) & (before[:24] * sign <= -2)):
        rows, mixed = evidence.rows.copy(), evidence.mixed.copy()
        rows[target], mixed[target] = -SLOT_CAP, 0.0
        rows[target, before[target] + ZERO] = 0.0
        without = replace(evidence, rows=rows, mixed=mixed)
        table, trace = _by_totals(without, before, PER_CHECKER, borne_off)
        totals = (14, 15) if sign > 0 else (15, 14)
        if best is not None and table[totals] - BLOCKED <= best[0]:
            continue
        counts = trace(*totals).counts.copy()
        slots = [*range(24), BAR[turn.side]]
        gone = [s for s in slots if (before[s] - counts[s]) * sign > 0]
        steps = {s: _own(s, turn.side) - _own(int(target), turn.side) for s in gone}
        gone = [s for s in gone if steps[s] > 0]
        if not gone:
            continue
        source = min(gone, key=lambda s: (steps[s] not in turn.dice, steps[s]))
        counts[source] += sign
        position = position_of(counts)
        if position is not None:
            best = (
                float(table[totals]) - BLOCKED,
                (_own(source, turn.side), _own(int(target), turn.side)),
                position,
            )
    return best


def _one_more_or_less(evidence: Evidence, vectors: Vector, scores: Scores) -> tuple[float, tuple[int, int]]:
    """Best score of an explanation with one checker too many or too few, and (light, dark) missing."""
    slots = np.arange(OFF_LIGHT)
    counts = vectors[:, :OFF_LIGHT]
    there = evidence.rows[slots, counts + ZERO]
    best, missing = -np.inf, (0, 0)
    for sign in (1, -1):
        for step in (sign, -sign):
            # One of `sign`'s checkers more, or less, where the other side has none.
            able = (counts * sign >= 0) if step == sign else (counts * sign > 0)
            able[:, BAR_DARK if sign > 0 else BAR_LIGHT] = False
            gain = np.where(
                able, evidence.rows[slots, np.clip(counts + step, -15, 15) + ZERO] - there, -np.inf
            )
            score = float((scores + gain.max(axis=1)).max())
            if score > best:
                lacks = 1 if step != sign else -1
                best, missing = score, (lacks, 0) if sign > 0 else (0, lacks)
    return best - PER_MISSING - PER_CHECKER, missing


def _own(slot: int, side: Side) -> int:
    """The mover's number of slot 0-23; 25 for the bar (24)."""
    if slot >= 24:
        return 25
    return slot + 1 if side == "light" else 24 - slot


@lru_cache(maxsize=64)
def _forward(side: Side, most: int) -> npt.NDArray[np.bool_]:
    """(25, 24) from where to where a checker of `side` may have gone: forward, and no more than `most` pips."""
    source = np.array([_own(s, side) for s in range(25)])[:, None]
    target = np.array([_own(s, side) for s in range(24)])[None, :]
    return (source > target) & (source - target <= most)


def _with_lawful_part(evidence: Evidence, turn: Turn, bases: Vector, free: Free) -> Free:
    """`free` with the mover's checkers as in one of `bases`, if the picture allows that as well. A player who
    shifted an opposing checker has most likely played his own by the rules, and full points and trays show
    little.
    """
    sign = 1 if turn.side == "light" else -1
    theirs = np.where(free.counts * sign < 0, free.counts, 0)
    mixed = np.where(bases * sign > 0, bases, 0) + theirs[None, :]
    clash = ((bases * sign > 0) & (theirs[None, :] != 0)).any(axis=1)
    scores = np.where(clash, -np.inf, evidence.scores(mixed))
    best = int(scores.argmax())
    there = float(evidence.scores(free.counts[None])[0])
    if scores[best] < there - ALIKE or (mixed[best] == free.counts).all():
        return free
    return Free(mixed[best], free.score + min(0.0, float(scores[best]) - there), free.light, free.dark)


def reconcile(
    evidence: Evidence,
    turn: Turn,
    *,
    red_margin: float,
    slack: float,
    in_hand: float = IN_HAND,
    nobody_minds: bool = False,
) -> Reconciled:
    """The best explanation of `evidence` for `turn`.

    red_margin, slack: nats, see `options.MARGINS`. in_hand: nats against a checker being in somebody's hand.
    nobody_minds: if one too many seems to lie on a stack, the players see it otherwise.
    """
    before = vector(turn.before)[None]
    evidence = evidence.expecting(before[0])
    before_score = float(evidence.scores(before)[0])
    legal_scores = evidence.scores(turn.legal_counts)
    # A play that leaves the board unchanged looks like no play at all, so it counts as "before".
    moved = np.array([p.result != turn.before for p in turn.legal], dtype=bool)
    legal_scores = np.where(moved, legal_scores, -np.inf)
    partial_scores = evidence.scores(turn.partial_counts) - PARTIAL

    best_legal = int(legal_scores.argmax()) if moved.any() else -1
    legal = float(legal_scores[best_legal]) if best_legal >= 0 else -np.inf
    whole = float(partial_scores.max()) if len(partial_scores) else -np.inf
    bases = np.concatenate([before, turn.legal_counts, turn.partial_counts])
    base_scores = evidence.scores(bases)
    way_scores, by_hit = in_hand_scores(evidence, turn, bases, base_scores, in_hand)
    # No checker vanishes from a stack of two layers while it is played, nor into a hand that has lifted the dice: its height is hard
    # to see.
    at_rest = nobody_minds or in_hand >= IN_HAND_LATE
    lower = at_rest and best_legal >= 0 and stack_looks_lower(evidence, turn.legal[best_legal].result)
    if lower:
        way_scores[:] = -np.inf
    way = float(way_scores.max())
    best_way = int(way_scores.argmax())
    hand_of: Side = opponent(turn.side) if by_hit[best_way] else turn.side
    left_on = _left_on(evidence, turn, bases[best_way]) if by_hit[best_way] else None
    borne_off = None if by_hit[best_way] else _borne_off(evidence, turn, bases[best_way])
    lawful = max(before_score, legal, whole, way)
    nearest_counts = bases[int(np.maximum(base_scores, way_scores).argmax())]
    nearest = position_of(nearest_counts)
    if legal >= lawful - slack and best_legal >= 0:
        nearest = turn.legal[best_legal].result

    wrong, wrong_position, blocked, seen = -np.inf, None, None, None
    before_held: Position | None = None
    missing = (0, 0)
    wrong_fit = 0.0
    if lawful < -slack:
        borne_off_at_most = np.abs(bases[:, OFF_LIGHT:]).max(axis=0)
        free, other = free_positions(evidence, vector(turn.before), borne_off=borne_off_at_most)
        known = {tuple(row) for row in bases.tolist()}
        free = _with_lawful_part(evidence, turn, bases, free)
        whole_fit = float(evidence.scores(free.counts[None])[0])
        if tuple(free.counts.tolist()) not in known:
            wrong, wrong_position, wrong_fit = free.score - WRONG, free.position, whole_fit
        seen = free.position if whole_fit > WORST_FIT else None
        held, move, base = _on_held_point(evidence, turn, bases, base_scores)
        if held > wrong:
            wrong, wrong_position, wrong_fit, blocked = held, None, held + BLOCKED, move
            before_held = position_of(bases[base])
        more = _held_and_more(evidence, turn, borne_off_at_most)
        if more is not None and more[0] > max(wrong, lawful):
            wrong, wrong_position, wrong_fit = more[0], None, more[0] + BLOCKED
            blocked, before_held = more[1], more[2]
        odd, lacking = other.score, (15 - other.light, 15 - other.dark)
        plain, one = _one_more_or_less(evidence, bases, base_scores)
        if plain > odd:
            odd, lacking = plain, one
        # Hardly anybody has a sixteenth checker, and stacks are often misread by one.
        misread = nobody_minds and min(lacking) < 0 and lawful >= wrong - slack
        misread = misread and one_too_many(evidence, nearest or turn.before, stack=STACK)
        misread = misread or (lower and max(lacking) > 0 and min(lacking) == 0 and legal >= wrong - slack)
        if odd > max(lawful, wrong) + slack and odd > WORST_FIT and not misread:
            # Checkers are missing or too many, and no checker in a hand explains it.
            return Reconciled(
                "unclear", None, odd - lawful, odd,
                missing=lacking, nearest=nearest, seen=seen,
            )  # fmt: skip
    # If a borne-off checker is on the board again, the position before was wrong: that is no reason to accuse
    # the player.
    came_back = wrong_position is not None and any(
        now < was for now, was in zip(wrong_position.off, turn.before.off, strict=True)
    )
    if wrong - lawful >= red_margin and wrong_fit > ACCUSING_FIT and not came_back:
        if wrong_position is not None and (veiled := _veiled(evidence, bases, vector(wrong_position))):
            # The thing on the board hides too much to accuse anybody.
            return Reconciled(
                "unclear", None, wrong - lawful, lawful, nearest=nearest, seen=seen, veiled=veiled
            )
        return Reconciled(
            "illegal",
            wrong_position,
            wrong - lawful,
            wrong,
            blocked=blocked,
            nearest=nearest,
            seen=before_held if blocked is not None else wrong_position,
        )
    if wrong - lawful >= slack or lawful < WORST_FIT:
        return Reconciled(
            "unclear", None, wrong - lawful, lawful, missing=missing, nearest=nearest, seen=seen
        )
    others = [before_score, whole, way]
    if legal >= max(others):
        rest = np.delete(legal_scores, best_legal)
        margin = legal - max(*others, float(rest.max()) if len(rest) else -np.inf, wrong)
        play = turn.legal[best_legal]
        near = turn.legal_counts[moved & (legal_scores > legal - slack)]
        if veiled := _veiled(evidence, near, turn.legal_counts[best_legal]):
            return Reconciled("unclear", None, margin, legal, nearest=play.result, seen=seen, veiled=veiled)
        if margin < 0.5 and legal - max(before_score, float(rest.max()) if len(rest) else -np.inf) < 0.5:
            return Reconciled("unclear", None, margin, legal, nearest=nearest, seen=seen)
        return Reconciled("legal", play.result, margin, legal, play, nearest=play.result, seen=play.result)
    if before_score >= max(whole, way):
        margin = before_score - max(whole, way, legal, wrong)
        rival = (turn.legal[best_legal], before_score - legal) if best_legal >= 0 else None
        return Reconciled(
            "before", turn.before, margin, before_score, nearest=turn.before, seen=turn.before, rival=rival,
            veiled=_veiled_rivals(evidence, turn.legal_counts[moved], before[0], rival, red_margin),
        )  # fmt: skip
    if whole >= way:
        position = position_of(turn.partial_counts[int(partial_scores.argmax())])
        margin = whole - max(before_score, legal, way, wrong)
        rival = (turn.legal[best_legal], whole - legal) if best_legal >= 0 else None
        veiled = _veiled_rivals(
            evidence,
            turn.legal_counts[moved],
            turn.partial_counts[int(partial_scores.argmax())],
            rival,
            red_margin,
        )
        return Reconciled(
            "partial",
            position,
            margin,
            whole,
            nearest=nearest,
            seen=position,
            rival=rival,
            unmoved=whole - before_score,
            veiled=veiled,
        )
    return Reconciled(
        "partial",
        None,
        way - max(before_score, legal, whole),
        way,
        nearest=nearest,
        in_hand=True,
        hand_of=hand_of,
        left_on=left_on,
        borne_off=borne_off,
        unlawful=wrong_position if wrong >= way and wrong_fit > ACCUSING_FIT else None,
        unmoved=max(way, wrong) - before_score,
        seen=seen,
    )


def _veiled(evidence: Evidence, vectors: Vector, counts: Vector) -> tuple[int, ...]:
    """The covered slots in which those of (N, 28) vectors that differ from (28,) counts nowhere else do so."""
    if not evidence.hidden or not len(vectors):
        return ()
    alike = vectors[evidence.alike(vectors, counts)]
    return tuple(int(slot) for slot in np.flatnonzero((alike != counts).any(axis=0)))


def _veiled_rivals(
    evidence: Evidence, legal: Vector, counts: Vector, rival: tuple[Play, float] | None, red_margin: float
) -> tuple[int, ...]:
    """The covered slots that would have to be seen to tell which play was made, if any. () when none may hide
    there, or exactly one that the picture hardly contradicts.
    """
    if rival is None or not evidence.hidden:
        return ()
    may = legal[evidence.alike(legal, counts)]
    if not len(may) or (len(may) == 1 and rival[1] < red_margin):
        return ()
    return tuple(int(slot) for slot in np.flatnonzero((may != counts).any(axis=0)))


def as_played(found: Reconciled) -> Reconciled:
    """`found` taken for its rival: the legal play that the picture allows nearly as well. Raises ValueError without one."""
    if found.rival is None:
        raise ValueError("as_played: expected an explanation with a rival play, got one without")
    play = found.rival[0]
    return replace(found, kind="legal", play=play, position=play.result)


def shows(evidence: Evidence, position: Position, *, slack: float) -> bool:
    """Whether the picture shows `position`, and nothing else explains it better by `slack`."""
    score = evidence.score(position)
    if score < WORST_FIT:
        return False
    if score >= -slack:
        return True
    free, other = free_positions(evidence, vector(position))
    return score >= max(free.score, other.score) - slack


def read_position(
    evidence: Evidence, near: Position, surely_off: tuple[int, int] = (0, 0)
) -> tuple[Position | None, float]:
    """The whole position that the picture shows, or None, and its fit.

    Few changes from `near` are preferred: what something covers lies as it lay, and no more was borne off than a roll of each side
    allows. surely_off: checkers of light and dark that were borne off without any doubt.
    """
    counts = vector(near)
    evidence = evidence.expecting(counts)
    free, other = free_positions(
        evidence, counts, borne_off=may_have_left(counts), surely_off=np.array(surely_off)
    )
    fit = float(evidence.scores(free.counts[None])[0])
    if fit < WORST_FIT or other.score > free.score:
        return None, fit
    return free.position, fit


def may_have_left(counts: Vector) -> Vector:
    """(2,) most checkers of light and dark that may be off the board after one more roll of each: those that are not at home yet
    must come home first."""
    off = np.abs(counts[OFF_LIGHT:])
    at_home = np.array([np.maximum(counts[:6], 0).sum(), np.maximum(-counts[18:24], 0).sum()])
    return off + np.maximum(MOST_BORNE_OFF - (15 - off - at_home), 0)


def stack_looks_lower(evidence: Evidence, position: Position) -> bool:
    """Whether all that speaks against `position` is that one stack of two layers there is seen with a checker less."""
    differs = _only_difference(evidence, position)
    if differs is None:
        return False
    there, belongs = differs
    return abs(belongs) >= TWO_LAYERS and there == belongs - np.sign(belongs)


def _only_difference(evidence: Evidence, position: Position) -> tuple[int, int] | None:
    """(signed checkers seen, those of `position`) in the single slot that speaks against it; None where none or several do."""
    counts = vector(position)
    against = np.flatnonzero(
        (evidence.rows[np.arange(SLOTS), counts + ZERO] < -ALIKE) | (evidence.mixed > ALIKE)
    )
    if len(against) != 1:
        return None
    slot = int(against[0])
    return int(evidence.rows[slot].argmax()) - ZERO, int(counts[slot])


def one_too_many(evidence: Evidence, position: Position, *, stack: int = 0) -> bool:
    """Whether all that speaks against `position` is a single slot with more checkers than it has there, and it has at least
    `stack` there."""
    differs = _only_difference(evidence, position)
    if differs is None:
        return False
    there, belongs = differs
    return there * belongs >= 0 and abs(there) >= abs(belongs) and abs(belongs) >= stack
