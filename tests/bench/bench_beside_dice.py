"""Dice that lie against the end of a row, with their shadows: are the checkers counted as without them?

    python tests/bench/bench_beside_dice.py                       # 24 drawn rooms, eight boards each
    python tests/bench/bench_beside_dice.py --rooms 12 --seed 7   # others
    python tests/bench/bench_beside_dice.py --out before.json     # every point, to be compared

Each room is the campaign's of that seed. The reader learns the starting position, then a board, which is accepted as after a turn. Then
two dice lie flat at the ends of two rows, to half of which one checker more has come, and what the settled look says of these points, and
of all others, is compared with what lies there.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from learned_room import LearnedRoom, reading, wrong_of

from pi_board.rules import Position
from pi_board.simulator.scene import Scene

#: From the last checker's edge to the middle of the die, in its edges: .5 is a die that touches it with a face, .71 with a corner.
GAPS = (0.6, 1.0, 1.6)


def board_of(rng: np.random.Generator) -> Position:
    """Rows of one to five checkers of each side on half of the points."""
    points = [0] * 24
    slots = rng.permutation(24).tolist()
    for sign in (1, -1):
        left = 15
        while left:
            n = min(left, int(rng.integers(1, 6)))
            points[slots.pop()] = sign * n
            left -= n
    return Position(tuple(points), (0, 0), (0, 0))


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
        room.start_again()
        board = board_of(rng)
        room.scene.set_position(board)
        if not room.rest()[-1].settled:
            continue
        room.reader.learn(board)
        room.rest()
        beside: dict[int, tuple[float, bool]] = {}
        for slot in rng.permutation([s for s, n in enumerate(board.points) if 0 < abs(n) < 5]).tolist():
            gap, comes = float(rng.choice(GAPS)), bool(rng.random() < 0.5)
            if comes:
                move_one_to(room.scene, slot, rng)
            if lay_beside(room.scene, slot, gap, rng):
                beside[slot] = gap, comes
            if len(beside) == 2:
                break
        lies = room.scene.counts()[0]
        nats = room.read()
        if nats is None:
            continue
        for slot, n in enumerate(lies):
            gap, comes = beside.get(slot, (None, n != board.points[slot]))
            found.append({"seed": seed, "gap": gap, "comes": comes} | reading(nats, slot, n))
    return found


def _job(job: tuple[int, int]) -> list[dict[str, Any]]:
    return of_room(*job)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rooms", type=int, default=24)
    parser.add_argument("--boards", type=int, default=8)
    parser.add_argument("--seed", type=int, default=985000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    jobs = [(args.seed + i, args.boards) for i in range(args.rooms)]
    with multiprocessing.get_context("spawn").Pool(args.workers) as pool:
        points = [point for found in pool.imap(_job, jobs) for point in found]
    if args.out is not None:
        args.out.write_text(json.dumps(points), encoding="utf-8")
    table: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    for point in points:
        table[point["gap"], point["comes"]].append(point)
    print("points that are read wrong (and surely: by more than 3 nats)")
    print(f"{'die':16}{'as before':>22}{'one has come or gone':>26}")
    for gap in (*GAPS, None):
        what = "none" if gap is None else f"{gap} edges off"
        print(f"{what:16}{wrong_of(table[gap, False]):>22}{wrong_of(table[gap, True]):>26}")


if __name__ == "__main__":
    main()
