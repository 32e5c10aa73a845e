"""Many rolls at once for look-ahead: arrays of positions in, one array of all distinct results out.

Boards are int8 arrays of shape (N, 28) from the mover's side: columns 0-23 the mover's points 1-24 (own positive, the
opponent's negative), 24 own bar, 25 the opponent's bar, 26 own off, 27 the opponent's off. International rules of movement
are expanded by numpy; other rule sets one by one by the general generator.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidDiceError, InvalidPositionError
from pi_board.rules.movement import plays_of_roll, state_of
from pi_board.rules.position import Position
from pi_board.rules.rule_set import RuleSet, rule_set
from pi_board.rules.side import CHECKERS, Side

Boards = npt.NDArray[np.int8]
Index = npt.NDArray[np.intp]

#: All 21 rolls, (21, 2), larger number first, and the chance of each, (21,).
ROLLS: npt.NDArray[np.int8] = np.array([(a, b) for a in range(1, 7) for b in range(1, a + 1)], np.int8)
ROLL_CHANCES: npt.NDArray[np.float64] = np.where(ROLLS[:, 0] == ROLLS[:, 1], 1.0, 2.0) / 36.0

_BAR, _BAR_OPPONENT, _OFF = 24, 25, 26
#: Rows expanded together: keeps the working arrays within a few MB of cache and memory.
_CHUNK = 8192


@dataclass(frozen=True, slots=True)
class Expansion:
    """results: (M, 28) int8, still from the same mover's side (see `flip`). owner: (M,) which input row each came from,
    ascending. starts: (N + 1,): the results of row i are `results[starts[i]:starts[i + 1]]`, at least one each
    (the unchanged board where nothing can be played)."""

    results: Boards
    owner: Index
    starts: Index

    def of(self, row: int) -> Boards:
        """The results of one input row."""
        return self.results[self.starts[row] : self.starts[row + 1]]


def encode(positions: Position | Iterable[Position], side: Side) -> Boards:
    """(N, 28) int8 boards of `positions` seen from `side`."""
    if isinstance(positions, Position):
        positions = [positions]
    rows = [state_of(p, side) for p in positions]
    return np.array(rows, np.int8).reshape(len(rows), 28)


def decode(board: npt.ArrayLike, side: Side) -> Position:
    """The position of one board (28 numbers seen from `side`)."""
    row = np.asarray(board)
    if row.shape != (28,):
        raise InvalidPositionError(f"board: expected 28 numbers, got shape {row.shape}")
    return Position.from_seen(
        side, [int(n) for n in row[:24]], [int(n) for n in row[24:26]], [int(n) for n in row[26:]]
    )


def flip(boards: Boards) -> Boards:
    """The same boards seen by the other player, (N, 28) int8."""
    flipped = np.empty_like(boards)
    np.negative(boards[:, 23::-1], out=flipped[:, :24])
    flipped[:, 24:] = boards[:, [25, 24, 27, 26]]
    return flipped


def expand_rolls(boards: Boards, rules: str | RuleSet = "international") -> Expansion:
    """Every board with each of the 21 rolls: row i with roll j of `ROLLS` is input row 21 i + j."""
    n = len(boards)
    return expand_batch(np.repeat(boards, len(ROLLS), axis=0), np.tile(ROLLS, (n, 1)), rules)


def expand_batch(
    boards: npt.ArrayLike, dice: npt.ArrayLike, rules: str | RuleSet = "international"
) -> Expansion:
    """All distinct results of every (board, roll) pair.

    boards: (N, 28) ints; dice: (N, 2) numbers from 1 to 6, or (2,) for all. A board on which a side has already borne
    off everything has no play. Raises InvalidPositionError / InvalidDiceError on wrong shapes or dice; the
    boards' checkers are not counted.
    """
    law = rule_set(rules)
    rows = np.ascontiguousarray(boards, np.int8)
    if rows.ndim != 2 or rows.shape[1] != 28:
        raise InvalidPositionError(f"boards: expected shape (N, 28), got {np.shape(boards)}")
    rolls = np.asarray(dice)
    if rolls.shape == (2,):
        rolls = np.broadcast_to(rolls, (len(rows), 2))
    if rolls.shape != (len(rows), 2):
        raise InvalidDiceError(f"dice: expected shape ({len(rows)}, 2), got {np.shape(dice)}")
    if rolls.size and (rolls.dtype.kind not in "iu" or rolls.min() < 1 or rolls.max() > 6):
        raise InvalidDiceError("dice: expected numbers from 1 to 6")
    rolls = np.sort(rolls.astype(np.int8), axis=1)[:, ::-1]
    expand = _international if law.plays_international else lambda b, d: _one_by_one(b, d, law)
    parts = [expand(rows[i : i + _CHUNK], rolls[i : i + _CHUNK]) for i in range(0, len(rows), _CHUNK)]
    if not parts:
        return Expansion(np.empty((0, 28), np.int8), np.empty(0, np.intp), np.zeros(1, np.intp))
    results = np.concatenate([p[0] for p in parts])
    owner = np.concatenate([p[1] + i * _CHUNK for i, p in enumerate(parts)])
    starts = np.zeros(len(rows) + 1, np.intp)
    np.cumsum(np.bincount(owner, minlength=len(rows)), out=starts[1:])
    return Expansion(results, owner, starts)


def _one_by_one(boards: Boards, dice: Boards, law: RuleSet) -> tuple[Boards, Index]:
    results: list[tuple[int, ...]] = []
    owner: list[int] = []
    for i, (board, roll) in enumerate(zip(boards.tolist(), dice.tolist(), strict=True)):
        state = tuple(board)
        ends = [state] if state[27] == CHECKERS else list(plays_of_roll(state, (roll[0], roll[1]), law))
        results += ends
        owner += [i] * len(ends)
    return np.array(results, np.int8).reshape(len(results), 28), np.array(owner, np.intp)


# ------------------------------------------------------------------------------- international, by arrays


def _international(boards: Boards, dice: Boards) -> tuple[Boards, Index]:
    over = (boards[:, 26] == CHECKERS) | (boards[:, 27] == CHECKERS)
    double = (dice[:, 0] == dice[:, 1]) & ~over
    outside = (boards[:, 6:24] * (boards[:, 6:24] > 0)).sum(axis=1)
    running = ~double & (boards[:, _BAR] == 0) & (outside > 1) & ~over
    other = ~double & ~running & ~over
    results, owners = [boards[over]], [np.flatnonzero(over)]
    for chosen, expand in ((running, _running), (other, _any_two), (double, _double)):
        rows = np.flatnonzero(chosen)
        if len(rows):
            found, owner = expand(boards[rows], dice[rows])
            results.append(found)
            owners.append(rows[owner])
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    return np.concatenate(results)[order], owner[order]


def _land(out: Boards, rows: Index, to: Index) -> None:
    """A checker lands on the point of column `to` (already known to be open) in place, hitting a blot there."""
    flat = out.reshape(-1)
    cell = rows * 28 + to
    was = flat[cell]
    hit = was < 0
    flat[cell] = was + 1 + hit
    flat[rows * 28 + _BAR_OPPONENT] += hit


def _leave(out: Boards, rows: Index, source: Index) -> None:
    """A checker leaves the point (or bar, column 24) of column `source` in place."""
    out.reshape(-1)[rows * 28 + source] -= 1


def _open_sources(boards: Boards, die: npt.NDArray[np.int8]) -> npt.NDArray[np.bool_]:
    """(N, 24): the point holds an own checker that `die` (N,) brings to an open point of the board."""
    able = np.zeros((len(boards), 24), bool)
    for d in range(1, 7):
        rows = np.flatnonzero(die == d)
        if len(rows):
            part = boards[rows, :24]
            able[rows, d:] = (part[:, d:] > 0) & (part[:, :-d] > -2)
    return able


def _running(boards: Boards, dice: Boards) -> tuple[Boards, Index]:
    """Two different numbers, nothing on the bar, bearing off out of reach: pairs of sources and single checkers.

    Two pairs give the same board only when one checker makes both moves (see `quick`); those are counted apart.
    """
    n = len(boards)
    hi, lo = dice[:, 0].astype(np.intp), dice[:, 1].astype(np.intp)
    can_hi, can_lo = _open_sources(boards, dice[:, 0]), _open_sources(boards, dice[:, 1])
    row_hi, from_hi = np.nonzero(can_hi)
    row_lo, from_lo = np.nonzero(can_lo)
    count_lo = np.bincount(row_lo, minlength=n)
    start_lo = np.cumsum(count_lo) - count_lo
    # Join: every source of the larger number with every source of the smaller one of the same row.
    times = count_lo[row_hi]
    pair_hi = np.repeat(np.arange(len(row_hi)), times)
    first = np.cumsum(times) - times
    pair_lo = np.arange(len(pair_hi)) - first[pair_hi] + start_lo[row_hi[pair_hi]]
    row, p, q = row_hi[pair_hi], from_hi[pair_hi], from_lo[pair_lo]
    h, low = hi[row], lo[row]
    keep = (q != p - h) & (p != q - low) & ((p != q) | (boards.reshape(-1)[row * 28 + p] > 1))
    row, p, q, h, low = row[keep], p[keep], q[keep], h[keep], low[keep]
    pairs = boards[row]
    k = np.arange(len(row))
    _leave(pairs, k, p)
    _leave(pairs, k, q)
    _land(pairs, k, p - h)
    _land(pairs, k, q - low)

    # One checker with both numbers, by way of either stop; a second way counts only if something is hit there.
    both = hi + lo
    lone_row, lone = np.nonzero(boards[:, :24] > 0)
    fits = lone >= both[lone_row]
    lone_row, lone = lone_row[fits], lone[fits]
    flat = boards.reshape(-1)
    base = lone_row * 28
    open_end = flat[base + lone - both[lone_row]] > -2
    stop_hi = flat[base + lone - hi[lone_row]]
    stop_lo = flat[base + lone - lo[lone_row]]
    by_hi = open_end & (stop_hi > -2)
    by_lo = open_end & (stop_lo > -2) & (~by_hi | (stop_hi == -1) | (stop_lo == -1))
    ways_row = np.concatenate([lone_row[by_hi], lone_row[by_lo]])
    ways_from = np.concatenate([lone[by_hi], lone[by_lo]])
    ways_die = np.concatenate([hi[lone_row[by_hi]], lo[lone_row[by_lo]]])
    ways = boards[ways_row]
    k = np.arange(len(ways_row))
    _leave(ways, k, ways_from)
    _land(ways, k, ways_from - ways_die)
    _leave(ways, k, ways_from - ways_die)
    _land(ways, k, ways_from - both[ways_row])

    results = [pairs, ways]
    owners = [row, ways_row]
    played = np.zeros(n, bool)
    played[row] = True
    played[ways_row] = True
    if not played.all():
        single, owner = _one_number(boards, hi, lo, can_hi, can_lo, np.flatnonzero(~played))
        results.append(single)
        owners.append(owner)
    return np.concatenate(results), np.concatenate(owners)


def _one_number(
    boards: Boards,
    hi: Index,
    lo: Index,
    can_hi: npt.NDArray[np.bool_],
    can_lo: npt.NDArray[np.bool_],
    rows: Index,
) -> tuple[Boards, Index]:
    """Rows of which only one number can be played: the larger if it can, else the smaller, else nothing."""
    use_hi = np.logical_or.reduce(can_hi[rows], axis=1)
    can = np.where(use_hi[:, None], can_hi[rows], can_lo[rows])
    at, source = np.nonzero(can)
    owner = rows[at]
    die = np.where(use_hi[at], hi[owner], lo[owner])
    single = boards[owner]
    k = np.arange(len(owner))
    _leave(single, k, source)
    _land(single, k, source - die)
    stuck = rows[~can.any(axis=1)]
    return np.concatenate([single, boards[stuck]]), np.concatenate([owner, stuck])


def _moves(boards: Boards, die: npt.NDArray[np.int8]) -> tuple[Index, Index]:
    """(rows, columns) of every checker that `die` (N,) may move: column 24 = enter, else the point; bearing off included."""
    bar: npt.NDArray[np.bool_] = boards[:, _BAR] > 0
    able = np.zeros((len(boards), 25), bool)
    able[:, :24] = _open_sources(boards, die) & ~bar[:, None]
    own = boards[:, :24] > 0
    home: npt.NDArray[np.bool_] = np.logical_not(bar | own[:, 6:].any(axis=1))
    d = die.astype(np.intp)
    k = np.arange(len(boards))
    able[:, 24] = bar & (boards[k, 24 - d] > -2)
    rows = np.flatnonzero(home)
    if len(rows):
        exact = d[rows] - 1
        able[rows, exact] |= own[rows, exact]
        # The highest checker goes off with a larger number.
        highest = 5 - np.argmax(own[rows, 5::-1], axis=1)
        over = own[rows, highest] & (highest < exact)
        able[rows[over], highest[over]] = True
    row, column = np.nonzero(able)
    return row, column


def _step(boards: Boards, die: npt.NDArray[np.int8], rows: Index, source: Index) -> Boards:
    """New boards: the checker of column `source` of row `rows` moved by that row's die."""
    out = boards[rows]
    to = source - die[rows].astype(np.intp)
    k = np.arange(len(rows))
    _leave(out, k, source)
    on = np.flatnonzero(to >= 0)
    _land(out, on, to[on])
    out[to < 0, _OFF] += 1
    return out


def _any_two(boards: Boards, dice: Boards) -> tuple[Boards, Index]:
    """Two different numbers in the general case (entering, bearing off): both orders, equal results merged."""
    n = len(boards)
    pairs, owners = [], []
    singles: list[tuple[Boards, Index]] = []
    for first, second in ((dice[:, 0], dice[:, 1]), (dice[:, 1], dice[:, 0])):
        row, source = _moves(boards, first)
        once = _step(boards, first, row, source)
        singles.append((once, row))
        row2, source2 = _moves(once, second[row])
        pairs.append(_step(once, second[row], row2, source2))
        owners.append(row[row2])
    twice, owner = _distinct(np.concatenate(pairs), np.concatenate(owners))
    played = np.zeros(n, bool)
    played[owner] = True
    results, result_owners = [twice], [owner]
    for once, row in singles:
        fresh = ~played[row]
        results.append(once[fresh])
        result_owners.append(row[fresh])
        played[row] = True
    stuck = np.flatnonzero(~played)
    results.append(boards[stuck])
    result_owners.append(stuck)
    return np.concatenate(results), np.concatenate(result_owners)


#: One odd 64-bit multiplier per column: equal boards are found by their products' sum, then compared in full. (Random numbers, drawn
#: once: numpy's generator takes 5 MB, and nothing else at the table wants it.)
_MIX = np.array([
    0x47B30EEBE46AA97B, 0x760DB5F542FACA9F, 0x1F290592E51E3273, 0x85C9A9333FD0DA9F, 0x68BF42C63DD7807F, 0x1256F82858230325,
    0x1955E14C08D04949, 0xFC7D64EBA99B1935, 0xB1AE6EC7EE080DA7, 0x72DD3F36EC357487, 0xA3E2A0988CF95B07, 0x453EC1F8678D9E1D,
    0x4D479CBFB3892D83, 0x12C68BB58E2893AD, 0x0D763F7C366C53F7, 0xCEB6B0A49DA81BA9, 0xD034C74AE105464D, 0x0145D1D0EBED1209,
    0x547E81CCC4CEA917, 0x16CE656FA5C43F05, 0x77CB5E5938512BB5, 0x9E20E57D44CAA85F, 0x8D117C60E7FEFDF9, 0x2251E0FDEF3F460F,
    0xB3D34B327144EAFF, 0x9CEB902026A0EFF5, 0x77A9303068B943B3, 0x4C10863687FA7BB5,
], np.uint64)  # fmt: skip
_OWNER_MIX = np.uint64(0x9E3779B97F4A7C15)


def _distinct(boards: Boards, owner: Index) -> tuple[Boards, Index]:
    """Equal boards of the same owner once."""
    key = boards.astype(np.uint64) @ _MIX + owner.astype(np.uint64) * _OWNER_MIX
    order = np.argsort(key, kind="stable")
    boards, owner, key = boards[order], owner[order], key[order]
    same = key[1:] == key[:-1]
    if not ((boards[1:] == boards[:-1]).all(axis=1) & (owner[1:] == owner[:-1]))[same].all():
        # Two different boards with one key: one in 2**64, but then compare everything.
        both = np.concatenate([owner[:, None], boards], axis=1)
        unique = np.unique(both, axis=0)
        return unique[:, 1:].astype(np.int8), unique[:, 0].astype(np.intp)
    keep = np.concatenate([[True], ~same]) if len(boards) else np.zeros(0, bool)
    return boards[keep], owner[keep]


def _double(boards: Boards, dice: Boards) -> tuple[Boards, Index]:
    """A double: sources from the highest down, so that every set of steps comes up once; the longest plays stay."""
    n = len(boards)
    die = dice[:, 0]
    level, owner = boards, np.arange(n)
    top = np.full(n, 24)
    results: list[Boards] = []
    owners: list[Index] = []
    for _ in range(4):
        row, source = _moves(level, die[owner])
        fits = source <= top[row]
        row, source = row[fits], source[fits]
        longer = np.zeros(n, bool)
        longer[owner[row]] = True
        # What cannot be played further is final only if nothing of the same roll can.
        final = ~longer[owner]
        results.append(level[final])
        owners.append(owner[final])
        level, owner, top = _step(level, die[owner], row, source), owner[row], source
    results.append(level)
    owners.append(owner)
    return np.concatenate(results), np.concatenate(owners)


__all__ = ["ROLLS", "ROLL_CHANCES", "Expansion", "decode", "encode", "expand_batch", "expand_rolls", "flip"]
