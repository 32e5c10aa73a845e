"""The fast generator for one roll where the international rules of movement hold.

It enumerates every distinct result exactly once instead of searching and comparing. With two different numbers a play is a
pair of sources, one per die; two pairs lead to the same position only when one checker makes both moves, so those
are counted apart. Of a double, two plays lead to the same position only when they make the same
steps, so sources are taken from the highest down. Tests prove it equal to the general generator of `movement`.

Points are `c[1..24]` from the mover's side (own positive), with c[0] unused.
"""

from __future__ import annotations

from collections.abc import Sequence

#: ((from, to), …) and the matching hits.
Found = tuple[tuple[tuple[int, int], ...], tuple[bool, ...]]

#: Nothing can be moved.
NOTHING: Found = ((), ())
_DOWN = range(24, 0, -1)


def international_plays(points: Sequence[int], bar: int, a: int, b: int) -> list[Found]:
    """Every distinct play of the roll a-b: (moves, hits), one empty one when nothing can be moved.

    points: 24 ints from the mover's side, own positive; bar: own checkers on the bar.
    """
    c = [0, *points]
    if a == b:
        return _double(c, bar, a)
    hi, lo = (a, b) if a > b else (b, a)
    if bar:
        return _entering(c, bar, hi, lo)
    sources = [p for p in _DOWN if c[p] > 0]
    if (len(sources) > 1 and sources[1] > 6) or (sources and sources[0] > 6 and c[sources[0]] > 1):
        return _running(c, sources, hi, lo)
    return _home(c, hi, lo)


def _running(c: list[int], sources: list[int], hi: int, lo: int) -> list[Found]:
    """Two different numbers, nothing on the bar, too many checkers outside for bearing off."""
    high = [p for p in sources if p > hi and c[p - hi] > -2]
    low = [p for p in sources if p > lo and c[p - lo] > -2]
    found: list[Found] = []
    add = found.append
    for p in high:
        to = p - hi
        hit = c[to] == -1
        for q in low:
            to_q = q - lo
            if p > q:
                if q != to:
                    add((((p, to), (q, to_q)), (hit, c[to_q] == -1 and to_q != to)))
            elif q > p:
                if to_q != p:
                    hit_q = c[to_q] == -1
                    add((((q, to_q), (p, to)), (hit_q, hit and to_q != to)))
            elif c[p] > 1:
                add((((p, to_q), (p, to)), (c[to_q] == -1, hit)))
    both = hi + lo
    for p in sources:
        to = p - both
        if to < 1:
            break
        if c[to] < -1:
            continue
        hit = c[to] == -1
        via_hi, via_lo = c[p - hi], c[p - lo]
        if via_hi > -2:
            add((((p, p - hi), (p - hi, to)), (via_hi == -1, hit)))
            if via_lo == -1 or (via_hi == -1 and via_lo > -2):
                add((((p, p - lo), (p - lo, to)), (via_lo == -1, hit)))
        elif via_lo > -2:
            add((((p, p - lo), (p - lo, to)), (via_lo == -1, hit)))
    if found:
        return found
    die, single = (hi, high) if high else (lo, low)
    return [(((p, p - die),), (c[p - die] == -1,)) for p in single] or [NOTHING]


def _entering(c: list[int], bar: int, hi: int, lo: int) -> list[Found]:
    """Two different numbers with checkers on the bar."""
    to_hi, to_lo = 25 - hi, 25 - lo
    open_hi, open_lo = c[to_hi] > -2, c[to_lo] > -2
    hit_hi, hit_lo = c[to_hi] == -1, c[to_lo] == -1
    if bar > 1 or not (open_hi or open_lo):
        if open_hi and open_lo:
            return [(((25, to_lo), (25, to_hi)), (hit_lo, hit_hi))]
        if open_hi:
            return [(((25, to_hi),), (hit_hi,))]
        if open_lo:
            return [(((25, to_lo),), (hit_lo,))]
        return [NOTHING]
    found: list[Found] = []
    add = found.append
    last = 25 - hi - lo
    for enter, hit, can, die in ((to_hi, hit_hi, open_hi, lo), (to_lo, hit_lo, open_lo, hi)):
        if not can:
            continue
        for p in _DOWN:
            if c[p] > 0 and p > die and p != enter:
                to = p - die
                if c[to] > -2:
                    add((((25, enter), (p, to)), (hit, c[to] == -1 and to != enter)))
    if c[last] > -2:
        hit = c[last] == -1
        if open_hi:
            add((((25, to_hi), (to_hi, last)), (hit_hi, hit)))
        if open_lo and not (open_hi and not hit_hi and not hit_lo):
            add((((25, to_lo), (to_lo, last)), (hit_lo, hit)))
    if found:  # no bearing off to think of: the checker that entered is far from home
        return found
    if open_hi:
        return [(((25, to_hi),), (hit_hi,))]
    return [(((25, to_lo),), (hit_lo,))]


def _steps(c: list[int], die: int) -> list[tuple[int, int, bool]]:
    """Every single move by `die` with nothing on the bar, bearing off included."""
    moves = []
    home = True
    behind = False
    for p in _DOWN:
        if c[p] > 0:
            if p > 6:
                home = False
            to = p - die
            if to > 0:
                if c[to] > -2:
                    moves.append((p, to, c[to] == -1))
            elif home and (to == 0 or not behind):
                moves.append((p, 0, False))
            behind = True
    return moves


def _home(c: list[int], hi: int, lo: int) -> list[Found]:
    """Two different numbers, at most one checker outside home: few moves, but bearing off; results are compared."""
    found: dict[tuple[int, ...], Found] = {}
    singles: list[Found] = []
    for first, second in ((hi, lo), (lo, hi)):
        steps = _steps(c, first)
        if not singles:
            singles = [(((p, to),), (hit,)) for p, to, hit in steps]
        for p, to, hit in steps:
            d = c.copy()
            d[p] -= 1
            if to:
                d[to] = 1 if hit else d[to] + 1
            for q, to_q, hit_q in _steps(d, second):
                d[q] -= 1
                was = d[to_q]
                d[to_q] = 1 if hit_q else was + 1
                key = (*d[1:], hit + hit_q)
                d[to_q] = was
                d[q] += 1
                if key not in found:
                    if q > p or (q == p and to_q > to):
                        found[key] = (((q, to_q), (p, to)), (hit_q, hit))
                    else:
                        found[key] = (((p, to), (q, to_q)), (hit, hit_q))
    return list(found.values()) or singles or [NOTHING]


def _double(c: list[int], bar: int, die: int) -> list[Found]:
    """A double: sources from the highest down, so that every set of steps comes up once."""
    if bar:
        enter = 25 - die
        if c[enter] < -1:
            return [NOTHING]
        entered = min(bar, 4)
        hit = c[enter] == -1
        moves = ((25, enter),) * entered
        hits = (hit,) + (False,) * (entered - 1)
        c[enter] = entered if hit else c[enter] + entered
        if entered == 4 or bar > 4:
            return [(moves, hits)]
    else:
        moves, hits, entered = (), (), 0
    best: list[Found] = [(moves, hits)]
    longest = entered
    last = 6 if not any(n > 0 for n in c[7:]) else 24
    outside = sum(n for n in c[7:] if n > 0) if last > 6 else 0

    def walk(
        top: int, outside: int, moves: tuple[tuple[int, int], ...], hits: tuple[bool, ...], left: int
    ) -> None:
        nonlocal best, longest
        deeper = 5 - left
        for p in range(top, 0, -1):
            n = c[p]
            if n <= 0:
                continue
            to = p - die
            if to > 0:
                was = c[to]
                if was < -1:
                    continue
                hit = was == -1
            else:
                if outside:
                    break
                if to < 0 and any(m > 0 for m in c[p + 1 : 7]):
                    break
                to, was, hit = 0, 0, False
            next_moves, next_hits = (*moves, (p, to)), (*hits, hit)
            if deeper > longest:
                longest = deeper
                best = [(next_moves, next_hits)]
            elif deeper == longest:
                best.append((next_moves, next_hits))
            if left > 1:
                c[p] = n - 1
                if to > 0:
                    c[to] = 1 if hit else was + 1
                walk(p, outside - 1 if p > 6 >= to else outside, next_moves, next_hits, left - 1)
                c[p] = n
                if to > 0:
                    c[to] = was

    walk(last, outside, moves, hits, 4 - entered)
    return best
