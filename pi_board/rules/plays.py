"""Legal plays (first form: international rules, plain search)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pi_board.errors import InvalidDiceError
from pi_board.rules.position import Position, Side


@dataclass(frozen=True, slots=True)
class Play:
    """All that one player does with one roll.

    moves: (from, to) pairs in the mover's own numbering, 25 = bar, 0 = off. result: the position after it.
    """

    moves: tuple[tuple[int, int], ...]
    result: Position
    hits: tuple[bool, ...] = ()

    def __str__(self) -> str:
        if not self.moves:
            return "no play"
        words = []
        for (a, b), hit in zip(self.moves, self.hits, strict=True):
            words.append(f"{'bar' if a == 25 else a}/{'off' if b == 0 else b}{'*' if hit else ''}")
        return " ".join(words)


def _one(points, bar, off, die):
    """Single moves with one die: yields (from, to, hit, points, bar, off)."""
    sources = [25] if bar[0] else [p for p in range(24, 0, -1) if points[p - 1] > 0]
    home = not bar[0] and not any(n > 0 for n in points[6:])
    for a in sources:
        b = a - die
        if b <= 0:
            if not home or (b < 0 and any(n > 0 for n in points[a:6])):
                continue
            q = points[:]
            q[a - 1] -= 1
            yield a, 0, False, q, bar, [off[0] + 1, off[1]]
            continue
        if points[b - 1] < -1:
            continue
        q, w = points[:], bar[:]
        if a == 25:
            w[0] -= 1
        else:
            q[a - 1] -= 1
        hit = q[b - 1] == -1
        if hit:
            q[b - 1] = 0
            w[1] += 1
        q[b - 1] += 1
        yield a, b, hit, q, w, off


def legal_plays(position: Position, dice: tuple[int, int], side: Side = "light", rules: Any = "international") -> list[Play]:
    """One `Play` per distinct resulting position; with no legal play, one `Play` with no moves."""
    if len(dice) != 2 or any(d not in range(1, 7) for d in dice):
        raise InvalidDiceError(f"dice: expected two numbers from 1 to 6, got {dice}")
    points, bar, off = position.seen_from(side)
    a, b = dice
    orders = [[a] * 4] if a == b else [[a, b], [b, a]]
    found: dict[tuple[int, ...], dict[Any, Any]] = {}
    best: dict[Any, tuple[int, int, tuple]] = {}

    def go(points, bar, off, left, moves, hits, used):
        moved = False
        if left:
            for s, t, hit, q, w, o in _one(points, bar, off, left[0]):
                moved = True
                go(q, w, o, left[1:], (*moves, (s, t)), (*hits, hit), used + (left[0],))
        if not moved:
            key = (tuple(points), tuple(bar), tuple(off))
            rank = (len(used), max(used, default=0))
            if key not in best or rank > best[key][0]:
                best[key] = (rank, moves, hits)

    for order in orders:
        go(points, bar, off, order, (), (), ())
    top = max(v[0][0] for v in best.values())
    larger = max(v[0][1] for v in best.values() if v[0][0] == top)
    plays = []
    for (p, w, o), (rank, moves, hits) in best.items():
        if rank[0] == top and (top != 1 or rank[1] == larger):
            plays.append(Play(moves, Position.from_seen(side, list(p), list(w), list(o)), hits))
    del found
    return plays
