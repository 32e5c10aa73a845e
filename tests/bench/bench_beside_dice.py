"""Dice that lie against the end of a row, with their shadows: are the checkers counted as without them?

    python tests/bench/bench_beside_dice.py                       # 24 drawn rooms, eight boards each
    python tests/bench/bench_beside_dice.py --rooms 12 --seed 7   # others
    python tests/bench/bench_beside_dice.py --out before.json     # every point, to be compared

Each room is the campaign's of that seed. The reader learns the starting position, then a board, which is accepted as after a turn. Then
two dice lie flat at the ends of two rows, to half of which one checker more has come, and what the settled look says of these points, and
of all others, is compared with what lies there.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
from learned_room import LearnedRoom, found_in_rooms, reading, rows_of_both, wrong_of

from pi_board.simulator.scene import Scene

#: From the last checker's edge to the middle of the die, in its edges: .5 is a die that touches it with a face, .71 with a corner.
GAPS = (0.6, 1.0, 1.6)


def move_one_to(scene: Scene, slot: int, rng: np.random.Generator) -> None:
    """One of the same side comes to the row on `slot`, from a row of two or more."""
    side = scene.places["point", slot + 1][0].side
    others = [
        p
        for p, row in scene.places.items()
        if p[0] == "point" and p != ("point", slot + 1) and len(row) > 1 and row[0].side == side
    ]
    if others:
        scene.take(others[int(rng.integers(len(others)))], side)
        scene.put(side, ("point", slot + 1))


def lay_beside(scene: Scene, slot: int, gap: float, rng: np.random.Generator) -> bool:
    """A flat die at the end of the row on `slot`; False where there is no room for it."""
    size, radius = scene.style.die_size, scene.style.checker_diameter / 2
    last = scene.places["point", slot + 1][-1]
    inwards = -float(np.sign(last.y))
    x = last.x + float(rng.uniform(-0.5, 0.5)) * radius
    y = last.y + inwards * (radius + gap * size)
    if inwards * y > 0 or not scene.clear_of(x, y, size * 0.5):
        return False
    scene.dice.append(scene.flat_die("light", int(rng.integers(1, 7)), x, y))
    return True


def of_room(seed: int, boards: int) -> list[dict[str, Any]]:
    """What was read of the points of one room."""
    room, rng = LearnedRoom(seed), np.random.default_rng((seed, 6))
    if not room.learned:
        return []
    found: list[dict[str, Any]] = []
    for _ in range(boards):
        room.scene.dice = []
        board = rows_of_both(rng)
        if not room.accept(board):
            continue
        room.rest()
        beside: dict[int, float] = {}
        for slot in rng.permutation([s for s, n in enumerate(board.points) if 0 < abs(n) < 5]).tolist():
            gap = float(rng.choice(GAPS))
            if rng.random() < 0.5:
                move_one_to(room.scene, slot, rng)
            if lay_beside(room.scene, slot, gap, rng):
                beside[slot] = gap
            if len(beside) == 2:
                break
        lies = room.scene.counts()[0]
        nats = room.read()
        if nats is None:
            continue
        for slot, n in enumerate(lies):
            moved = n != board.points[slot]
            found.append({"seed": seed, "gap": beside.get(slot), "moved": moved} | reading(nats, slot, n))
    return found


def main() -> None:
    points = found_in_rooms(__doc__ or "", of_room, rooms=24, boards=8, seed=985000)
    table: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    for point in points:
        table[point["gap"], point["moved"]].append(point)
    print("points that are read wrong (and surely: by more than 3 nats)")
    print(f"{'die':16}{'as before':>22}{'one has come or gone':>26}")
    for gap in (*GAPS, None):
        what = "none" if gap is None else f"{gap} edges off"
        print(f"{what:16}{wrong_of(table[gap, False]):>22}{wrong_of(table[gap, True]):>26}")


if __name__ == "__main__":
    main()
