"""Full points after somebody was at them: five and more in play, of which a checker was taken and put back, came or left.

    python tests/bench/bench_full_points.py                       # 24 drawn rooms, eight boards each
    python tests/bench/bench_full_points.py --rooms 12 --seed 7   # others
    python tests/bench/bench_full_points.py --out before.json     # every point, to be compared

Each room is the campaign's of that seed. The reader learns the starting position, then a board with up to four full points, which is
accepted as after a turn. Then one thing is done at each of these points, and what the settled look says of it is compared with what lies
there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
from learned_room import LearnedRoom, found_in_rooms, reading, wrong_of

from pi_board.rules import Position, Side
from pi_board.simulator.scene import Scene

#: What is done at a point: nothing, its last checker put back, one more, one less.
DONE = ("nothing", "put back", "comes", "left")


def full_points(rng: np.random.Generator) -> Position:
    """A board with two full points of each side, one of five and one of five to seven; nothing lies opposite of them."""
    points = [0] * 24
    columns = rng.permutation(12)[:4]
    left = {1: 15, -1: 15}
    for i, column in enumerate(columns.tolist()):
        slot = column if rng.random() < 0.5 else 23 - column
        sign = 1 if i % 2 else -1
        n = 5 if i < 2 else int(rng.integers(5, 8))
        points[slot], left[sign] = sign * n, left[sign] - n
    # The others lie in twos and threes elsewhere, so that one can come.
    free = [s for s in rng.permutation(24).tolist() if not points[s] and not points[23 - s]]
    for sign in (1, -1):
        while left[sign]:
            n = min(left[sign], int(rng.integers(2, 4)))
            points[free.pop()] = sign * n
            left[sign] -= n
    return Position(tuple(points), (0, 0), (0, 0))


def do(scene: Scene, slot: int, done: str) -> None:
    """`done` at the point of `slot`."""
    place = "point", slot + 1
    side: Side = scene.places[place][0].side
    if done in ("put back", "left"):
        scene.take(place, side)
    if done in ("put back", "comes"):
        scene.put(side, place)


def of_room(
    seed: int, boards: int, lay: Callable[[np.random.Generator], Position] = full_points
) -> list[dict[str, Any]]:
    """What was read of each full point of one room, on boards that `lay` draws."""
    room, rng = LearnedRoom(seed), np.random.default_rng((seed, 5))
    if not room.learned:
        return []
    found: list[dict[str, Any]] = []
    for _ in range(boards):
        board = lay(rng)
        if not room.accept(board):
            continue
        did = {s: str(rng.choice(DONE)) for s, n in enumerate(board.points) if abs(n) >= 5}
        for slot, done in did.items():
            do(room.scene, slot, done)
        nats = room.read()
        if nats is None:
            continue
        for slot, done in did.items():
            before = board.points[slot]
            more = {"comes": 1, "left": -1}.get(done, 0)
            lies = before + (more if before > 0 else -more)
            found.append({"seed": seed, "before": abs(before), "done": done} | reading(nats, slot, lies))
    return found


def main() -> None:
    points = found_in_rooms(__doc__ or "", of_room, rooms=24, boards=8, seed=980000)
    table: dict[tuple[str, bool], list[dict[str, Any]]] = defaultdict(list)
    for point in points:
        table[point["done"], point["before"] > 5].append(point)
    print("full points that are read wrong (and surely: by more than 3 nats)")
    print(f"{'':10}{'five before':>22}{'a pile before':>22}")
    for done in DONE:
        cells = [wrong_of(table[done, piled]) for piled in (False, True)]
        print(f"{done:10}" + "".join(f"{c:>22}" for c in cells))


if __name__ == "__main__":
    main()
