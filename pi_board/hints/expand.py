"""All positions that a roll can lead to, for whole batches of positions (international rules).

The look-ahead needs hundreds of (position, roll) pairs expanded at once; `rules.legal_plays` answers one, with its
moves, for any rule set. The rules of both are the same and tests hold them against each other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pi_board.hints.rows import Rows

# Working layout: column 0 own off, 1-24 points, 25 own bar, 26 opposing bar, 27 opposing off.
_TO_WORK = np.array([26, *range(24), 24, 25, 27])
_TO_ROW = np.array([*range(1, 25), 25, 26, 0, 27])
_KEYS = np.random.default_rng(20).integers(1, 2**63, 28, dtype=np.int64)


def _singles(work: NDArray[np.int8], die: int, last: NDArray[np.int8] | None) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All legal moves with one `die`: (index into work, source column). last: highest source allowed per entry."""
    own = work[:, 1:26] > 0
    legal = np.zeros_like(own)
    # Sources that stay on the board: the destination holds at most one opposing checker.
    np.logical_and(own[:, die:], work[:, 1 : 26 - die] >= -1, out=legal[:, die:])
    on_bar = own[:, 24]
    legal[on_bar, :24] = False
    home = np.flatnonzero(~own[:, 6:].any(1))
    if len(home):
        inside = own[home, :6]
        off = np.zeros((len(home), 25), bool)
        off[:, die - 1] = inside[:, die - 1]
        higher = inside[:, die - 1 :].any(1)
        if die > 1:
            # Nothing on the die's point or above: the highest one below may go.
            top = die - 2 - np.argmax(inside[:, die - 2 :: -1], 1)
            free = ~higher & inside[:, : die - 1].any(1)
            off[np.flatnonzero(free), top[free]] = True
        legal[home] |= off
    if last is not None:
        legal &= np.arange(1, 26) <= last[:, None]
    return np.nonzero(legal)


def _moved(work: NDArray[np.int8], k: NDArray[np.intp], source: NDArray[np.intp], die: int) -> NDArray[np.int8]:
    """Children of `work[k]` after the move source+1 → source+1−die."""
    child = work[k]
    i = np.arange(len(k))
    src = source + 1
    dst = np.maximum(src - die, 0)
    child[i, src] -= 1
    hit = (child[i, dst] == -1) & (dst > 0)
    child[i, dst] += 1
    if hit.any():
        h = np.flatnonzero(hit)
        child[h, dst[h]] = 1
        child[h, 26] += 1
    return child


def _unique(work: NDArray[np.int8], parent: NDArray[np.intp]) -> NDArray[np.intp]:
    """Indices of the first of each distinct (parent, position), ordered by parent."""
    key = work.astype(np.int64) @ _KEYS + (parent + 1) * np.int64(0x1E3779B97F4A7C15)
    _, first = np.unique(key, return_index=True)
    return first[np.argsort(parent[first], kind="stable")]


def expand(rows: Rows, dice: tuple[int, int]) -> tuple[Rows, NDArray[np.intp]]:
    """Every distinct position after `dice` for each of `rows` (N, 28), seen from the same player.

    Returns (children (M, 28) int8, parent (M,) index into rows, ascending). Where nothing can be played the
    unchanged position is the only child.
    """
    work = rows[:, _TO_WORK]
    children, parent = (_double(work, dice[0]) if dice[0] == dice[1] else _two(work, max(dice), min(dice)))
    return children[:, _TO_ROW], parent


def _double(work: NDArray[np.int8], die: int) -> tuple[NDArray[np.int8], NDArray[np.intp]]:
    # Sources from high to low reach every play once or nearly so: own moves never block each other.
    state, parent = work, np.arange(len(work))
    last: NDArray[np.int8] | None = None
    done: list[tuple[NDArray[np.int8], NDArray[np.intp]]] = []
    for _ in range(4):
        k, source = _singles(state, die, last)
        # A parent is finished when none of its states at this depth can move on.
        alive = np.zeros(len(work), bool)
        alive[parent[k]] = True
        stuck = np.flatnonzero(~alive[parent])
        if len(stuck):
            done.append((state[stuck], parent[stuck]))
        if not len(k):
            break
        state, parent, last = _moved(state, k, source, die), parent[k], (source + 1).astype(np.int8)
    else:
        done.append((state, parent))
    state = np.concatenate([d[0] for d in done])
    parent = np.concatenate([d[1] for d in done])
    first = _unique(state, parent)
    return state[first], parent[first]


def _two(work: NDArray[np.int8], high: int, low: int) -> tuple[NDArray[np.int8], NDArray[np.intp]]:
    n = len(work)
    full: list[tuple[NDArray[np.int8], NDArray[np.intp]]] = []
    single: list[tuple[NDArray[np.int8], NDArray[np.intp]]] = []
    for a, b in ((high, low), (low, high)):
        k, source = _singles(work, a, None)
        one = _moved(work, k, source, a)
        single.append((one, k))
        k2, source2 = _singles(one, b, None)
        full.append((_moved(one, k2, source2, b), k[k2]))
    both = np.zeros(n, bool)
    both[full[0][1]] = both[full[1][1]] = True
    states, parents = [f[0] for f in full], [f[1] for f in full]
    settled = both
    if not both.all():
        for one, k in single:  # the larger die first
            use = ~settled[k]
            states.append(one[use])
            parents.append(k[use])
            settled = settled.copy()
            settled[k] = True
        rest = np.flatnonzero(~settled)
        states.append(work[rest])
        parents.append(rest)
    state, parent = np.concatenate(states), np.concatenate(parents)
    first = _unique(state, parent)
    return state[first], parent[first]
