"""Whether what lies there can be the work of one player with one roll, however wrongly played, and whether he has finished."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pi_board.referee.explanations import SLOT_CAP, Evidence, Reconciled, Turn, vector
from pi_board.referee.explanations.counts import slot_of
from pi_board.rules import SIDES, Play, Position, Side
from pi_board.rules.movement import all_home, state_of
from pi_board.sighting import BAR_DARK, BAR_LIGHT, OFF_DARK, OFF_LIGHT, SLOTS, ZERO

#: Nats by which the picture must exclude the lawful board if one stack alone tells it from the other: nearly all that one slot can
#: say. (No stack in 11,420 looks of 19 rendered games was misread by more than 6.3 nats.)
EXCLUDED = SLOT_CAP - 1.0
#: The same of a stack that the lawful play leaves as it was, that read right at the roll and looks touched since, and of such ones of
#: UNCOUNTED and more. (Kept looks of 99 rendered games: of 8,790 stacks of four and more that held as many as at the roll, 173 of them
#: touched since, none read otherwise by even 3 nats. Of 2,665 of up to seven that did not, 2,503 did so; of 115 higher ones 51.)
EXCLUDED_BY_NEWS = 5.0, 9.0
#: Nats that the other slots together may say beside it.
BESIDE = 3.0
#: Checkers from which a stack's height alone, however surely read, tells no fault from a lawful play. (A pile of thirteen read as seven:
#: `bench campaign --seed 760138`.)
UNCOUNTED = 8


def moved_by(turn: Turn, seen: Position) -> tuple[int, int, int, int]:
    """(own checkers moved from points, own that entered, the other side's that left a point, of those hit) by `turn`."""
    was, now = turn.before.seen_from(turn.side), seen.seen_from(turn.side)
    own = sum(max(0, max(0, a) - max(0, b)) for a, b in zip(was[0], now[0], strict=True))
    theirs = sum(max(0, max(0, -a) - max(0, -b)) for a, b in zip(was[0], now[0], strict=True))
    return own, was[1][0] - now[1][0], theirs, now[1][1] - was[1][1]


def dice_to_play(turn: Turn) -> int:
    return 4 if turn.dice[0] == turn.dice[1] else 2


def is_of_one_turn(turn: Turn, seen: Position) -> bool:
    """Whether `seen` can be the work of this player with this roll, however wrongly played: the other side's checkers
    lie still except for hits, none of his own was hit, and few of his own were moved. Else the game has gone on unseen,
    or hands were at the board."""
    own, entered, theirs, hits = moved_by(turn, seen)
    return entered >= 0 and hits >= 0 and own <= dice_to_play(turn) + 2 and theirs == hits


def touched_nothing(before: Position, seen: Position, side: Side) -> bool:
    """`seen` differs from `before`, and not in one checker of `side`."""
    was, now = before.seen_from(side), seen.seen_from(side)
    same = all(max(0, a) == max(0, b) for a, b in zip(was[0], now[0], strict=True))
    return seen != before and same and was[1][0] == now[1][0] and was[2][0] == now[2][0]


def moved_one_of_theirs(turn: Turn, seen: Position) -> bool:
    """`seen` is of this turn but for one of the opponent's checkers, which lies elsewhere without having been hit."""
    # (The filter does without the hit checker that is not on the bar yet: see its `claims`.)
    own, entered, theirs, hits = moved_by(turn, seen)
    was, now = turn.before.seen_from(turn.side), seen.seen_from(turn.side)
    hit = sum(a == -1 and b > 0 for a, b in zip(was[0], now[0], strict=True))
    return entered >= 0 and own <= dice_to_play(turn) and theirs in (hit + 1, max(0, hits) + 1)


def own_checkers_lie_lawfully(turn: Turn, seen: Position) -> bool:
    """`turn`'s own checkers lie in `seen` as after one of its lawful plays, or on the way to one, wherever the other side's do."""
    sign, bar, off = (1, BAR_LIGHT, OFF_LIGHT) if turn.side == "light" else (-1, BAR_DARK, OFF_DARK)

    def own(rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        return np.hstack([np.maximum(0, sign * rows[:, :BAR_LIGHT]), rows[:, [bar, off]]])

    lies = own(vector(seen)[None])
    return any(
        bool((own(rows) == lies).all(axis=1).any()) for rows in (turn.legal_counts, turn.partial_counts)
    )


def bore_off_too_soon(seen: Position, before: Position) -> bool:
    """A side has more checkers off in `seen` than in `before`, and others that are not at home. (A checker that cannot be seen is no sign
    that it was borne off.)"""
    return any(
        seen.off[i] > before.off[i] and not all_home(state_of(seen, side)) for i, side in enumerate(SIDES)
    )


def with_theirs_on_the_bar(turn: Turn, seen: Position) -> Position:
    """`seen`, where more of the other side's checkers seem to be borne off than before: nobody bears off the other's, and who takes a
    blot from its point has hit it. So it is on the bar, if only something that stands there hides it."""
    i, sign = (1, -1) if turn.side == "light" else (0, 1)
    blots = sum(
        was == sign and now * sign <= 0 for was, now in zip(turn.before.points, seen.points, strict=True)
    )
    lost = min(seen.off[i] - turn.before.off[i], blots - max(0, seen.bar[i] - turn.before.bar[i]))
    if lost <= 0:
        return seen
    bar, off = list(seen.bar), list(seen.off)
    bar[i], off[i] = bar[i] + lost, off[i] - lost
    return Position(seen.points, (bar[0], bar[1]), (off[0], off[1]))


def own_part(before: Position, seen: Position, side: Side) -> Position | None:
    """`before` with `side`'s checkers as in `seen`; None where they lie on the other's, or one was hit or entered."""
    sign = 1 if side == "light" else -1
    if before.bar != seen.bar:
        return None
    theirs = [n if n * sign < 0 else 0 for n in before.points]
    own = [n if n * sign > 0 else 0 for n in seen.points]
    if any(a and b for a, b in zip(theirs, own, strict=True)):
        return None
    off = (seen.off[0], before.off[1]) if side == "light" else (before.off[0], seen.off[1])
    return Position(tuple(a + b for a, b in zip(theirs, own, strict=True)), before.bar, off)


def uses_up_the_dice(found: Reconciled, turn: Turn, lay: Position | None) -> bool:
    """Whether the position can only be a finished play: as many checkers moved as there are dice (or as many pips), and no
    single checker one point aside explains it (that is how knocked checkers look). lay: the legal play that lay there before."""
    if found.position is None:
        return not may_be_knocked(found, turn, lay)
    own, entered, _, _ = moved_by(turn, found.position)
    moved, dice = own + max(0, entered), dice_to_play(turn)
    pips = turn.before.pips(turn.side) - found.position.pips(turn.side)
    if moved < dice and pips < sum(turn.dice) * (dice // 2):
        return False
    return not may_be_knocked(found, turn, lay, one_too_many=moved > dice)


def may_be_knocked(
    found: Reconciled, turn: Turn, lay: Position | None, *, one_too_many: bool = False
) -> bool:
    """One checker of either side back by one point gives the position before, one on the way, what lay there as a legal play, or
    (when one more was moved than there are dice) any legal play. A checker that stands on a made point came from the point beside it;
    the bar lies beside none."""
    if found.position is None:
        source, to = found.blocked or (0, 0)
        return to + 1 == source < 25
    counts = vector(found.position)
    on_the_way = {tuple(row) for row in turn.partial_counts.tolist()} | {tuple(vector(turn.before).tolist())}
    if lay is not None:
        on_the_way.add(tuple(vector(lay).tolist()))
    if one_too_many:
        on_the_way |= {tuple(row) for row in turn.legal_counts.tolist()}
    for point in range(24):
        if counts[point] == 0:
            continue
        sign = 1 if counts[point] > 0 else -1
        for near in (point - 1, point + 1):
            if 0 <= near < 24 and counts[near] * sign >= 0:
                moved = counts.copy()
                moved[point] -= sign
                moved[near] += sign
                if tuple(moved.tolist()) in on_the_way:
                    return True
    return False


def one_stack_off(
    evidence: Evidence,
    turn: Turn,
    seen: Position,
    said_before: np.ndarray | None = None,
    *,
    news: np.ndarray | None = None,
    excluded: float = EXCLUDED,
) -> Play | None:
    """The lawful play of `turn` from which the picture tells `seen` by the height of one stack alone, and by less than `excluded` nats:
    stacks are the places that are most often misread. None when there is none. (Trays say nothing of it: they are seldom seen whole.)
    A play that leaves `seen` itself is not asked about: what tells them apart is no count (a checker on a made point, for one).
    said_before: as in `nothing_new`; beside a stack too that tells nothing for `seen`. news: bool (SLOTS,), which read right at the roll
    and look touched since.

    (Kept looks of 20 rendered games: of 158 illegal plays 151 are called so, 145 if one stack is never enough; nobody was accused
    wrongly either way. In 579 synthetic games, whose model of vision had fatter tails, six wrong accusations rested on one stack that
    said all it can, so a lenient referee passes infinity.)
    """
    if not len(turn.legal):
        return None
    tells, counts = _tells(evidence, turn, seen), vector(seen)
    if said_before is not None:
        tells = np.where(said_before, np.minimum(tells, 0.0), tells)
    slot = tells.argmax(axis=1)
    most = tells[np.arange(len(tells)), slot]
    theirs = turn.legal_counts[np.arange(len(tells)), slot]
    stack = theirs * counts[slot] > 0
    together = tells.sum(axis=1)
    high = np.maximum(np.abs(theirs), np.abs(counts[slot])) >= UNCOUNTED
    told = ~high & (together >= excluded)
    if news is not None:
        low, piled = EXCLUDED_BY_NEWS
        left_alone = theirs == vector(turn.before)[slot]
        told |= news[slot] & left_alone & (most >= np.where(high, piled, low))
    alike = stack & (together - most < BESIDE) & ~told
    alike &= (turn.legal_counts != counts).any(axis=1)
    if not alike.any() or evidence.mixed.any():
        return None
    return turn.legal[int(np.where(alike, together, np.inf).argmin())]


def hardly_blocked(evidence: Evidence, turn: Turn, before: Position, blocked: tuple[int, int]) -> bool:
    """Whether it is not told by two places that a checker went to a point that the other side holds: it is gone from where it lay in
    `before`, and the point looks otherwise (or both colours are seen on it, which is enough). blocked: as in `Reconciled`."""
    source, to = (slot_of(number, turn.side) for number in blocked)
    if evidence.mixed[to]:
        return False
    counts, rows = vector(before), evidence.rows
    one_less = counts[source] - (1 if turn.side == "light" else -1)
    gone = rows[source, one_less + ZERO] - rows[source, counts[source] + ZERO]
    come = rows[to].max() - rows[to, counts[to] + ZERO]
    return bool(min(gone, come) < BESIDE)


def nothing_new(evidence: Evidence, turn: Turn, seen: Position, said_before: np.ndarray) -> Play | None:
    """The lawful play of `turn` from which only slots tell `seen` that said the same before anything was played; None when there is
    none. Moving a checker changes the picture, so a slot that has not changed is misread. said_before: bool (SLOTS,), or (N, SLOTS) for
    each play of `turn.legal`.
    (1,052 accusations on the kept looks of 302 synthetic games, seeds 130000-180094: all four that were wrong, 3 that were right.)"""
    if not len(turn.legal) or not said_before.any() or evidence.mixed.any():
        return None
    tells = _tells(evidence, turn, seen)
    news = np.where(said_before, 0.0, tells).sum(axis=1)
    alike = (news < BESIDE) & (np.where(said_before, tells, 0.0).sum(axis=1) > BESIDE)
    return turn.legal[int(np.where(alike, news, np.inf).argmin())] if alike.any() else None


def _tells(evidence: Evidence, turn: Turn, seen: Position) -> np.ndarray:
    """(N, SLOTS) nats by which each slot tells `seen` from each of the lawful plays."""
    slots = np.arange(SLOTS)
    return evidence.rows[slots, vector(seen) + ZERO] - evidence.rows[slots, turn.legal_counts + ZERO]
