"""Piles after somebody was at them: six to twelve checkers on one point of each side, as they lie late in a game.

    python tests/bench/bench_piles.py                       # 16 of the campaign's rooms, six boards each
    python tests/bench/bench_piles.py --rooms 8 --seed 7    # others
    python tests/bench/bench_piles.py --out before.json     # every pile, to be compared

As `bench_full_points`, which see: a board is accepted, then one thing is done at each long point.
"""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import Any

import numpy as np
from bench_full_points import DONE, of_room
from learned_room import found_in_rooms, wrong_of

from pi_board.rules import Position

#: Checkers that lay there, from these on to the next.
FROM = (5, 6, 8, 10, 16)


def piles(rng: np.random.Generator) -> Position:
    """A board with one pile of six to twelve of each side, and others of up to five; nothing lies opposite of the first four."""
    points, left = [0] * 24, {1: 15, -1: 15}
    for i, column in enumerate(rng.permutation(12)[:4].tolist()):
        slot, sign = (column if rng.random() < 0.5 else 23 - column), 1 if i % 2 else -1
        many = int(rng.integers(6, 13)) if i < 2 else left[sign]
        if many > 5 and i >= 2:
            many = int(rng.integers(2, 6))
        if many:
            points[slot], left[sign] = sign * many, left[sign] - many
    free = [s for s in rng.permutation(24).tolist() if not points[s] and not points[23 - s]]
    for sign in (1, -1):
        while left[sign]:
            many = min(left[sign], int(rng.integers(2, 4)))
            points[free.pop()], left[sign] = sign * many, left[sign] - many
    return Position(tuple(points), (0, 0), (0, 0))


def main() -> None:
    found = found_in_rooms(__doc__ or "", partial(of_room, lay=piles), rooms=16, boards=6, seed=984000)
    table: dict[tuple[str, int], list[dict[str, Any]]] = defaultdict(list)
    for pile in found:
        table[pile["done"], max(n for n in FROM if n <= pile["before"])].append(pile)
    print("long points that are read wrong (and surely: by more than 3 nats), by how many lay there")
    print(f"{'':10}" + "".join(f"{f'{n} on':>22}" for n in FROM[:-1]))
    for done in DONE:
        print(f"{done:10}" + "".join(f"{wrong_of(table[done, n]):>22}" for n in FROM[:-1]))
    print(f"{'all':10}{wrong_of(found):>22}")


if __name__ == "__main__":
    main()
