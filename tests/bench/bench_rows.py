"""Rows of checkers that do not begin at the rim, read in play: a checker that hit another one lies where that one left room for it, and so
do all that come after it.

    python tests/bench/bench_rows.py                       # 40 drawn rooms, ten boards each
    python tests/bench/bench_rows.py --rooms 10 --seed 7   # others
    python tests/bench/bench_rows.py --out before.json     # every row, to be compared

Each room is the campaign's of that seed. The reader learns the starting position; then rows of 2 to 6 checkers are laid on up to eight
points at a time, each begins so many checkers off the rim, and what the settled look says is compared with what lies there, on points that
are empty too: a row that reaches over the middle is none of the point opposite.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Any

import numpy as np
from learned_room import SURELY, LearnedRoom, found_in_rooms, reading, wrong_of

from pi_board.rules import STARTING_POSITION, Position
from pi_board.simulator.scene import Scene

#: How far a row begins off the rim, diameters of a checker.
OFF_THE_RIM = (0.0, 0.5, 1.0, 1.6, 2.2, 3.0)


def lay(scene: Scene, rng: np.random.Generator) -> list[tuple[int, int, float]]:
    """A board of rows; (slot, signed count, diameters off the rim) of each."""
    points = [0] * 24
    rows: list[tuple[int, int, float]] = []
    left = {1: 15, -1: 15}
    empty = [slot for slot, n in enumerate(STARTING_POSITION.points) if not n]
    for slot in rng.permutation(empty)[:8].tolist():
        sign = 1 if rng.random() < 0.5 else -1
        n = min(left[sign], int(rng.integers(2, 7)))
        # (Where two rows meet there is room for five of each.)
        if n and abs(points[23 - slot]) + n <= 10:
            points[slot] = sign * n
            left[sign] -= n
            rows.append((slot, sign * n, float(rng.choice(OFF_THE_RIM))))
    scene.set_position(Position(tuple(points), (0, 0), (left[1], left[-1])))
    d = scene.style.checker_diameter
    room = scene.style.field_height
    out = []
    for slot, n, off in rows:
        stack = scene.places["point", slot + 1]
        inwards = -scene.layout.row_sign(slot + 1)
        if (min(abs(n), 5) + abs(points[23 - slot]) + off) * d > room * 0.97:
            off = 0.0
        for i, c in enumerate(stack):
            stack[i] = replace(c, y=c.y + inwards * off * d)
        out.append((slot, n, off))
    return out


def of_room(seed: int, boards: int) -> list[dict[str, Any]]:
    """What was read of each row of one room."""
    room, rng = LearnedRoom(seed), np.random.default_rng((seed, 4))
    if not room.learned:
        return []
    found: list[dict[str, Any]] = []
    for _ in range(boards):
        room.start_again()
        rows = lay(room.scene, rng)
        nats = room.read()
        if nats is not None:
            found += [{"seed": seed, "off": off} | reading(nats, slot, n) for slot, n, off in rows]
            empty = set(range(24)) - {slot for slot, _, _ in rows}
            found += [{"seed": seed, "off": 0.0} | reading(nats, slot, 0) for slot in sorted(empty)]
    return found


def main() -> None:
    rows = found_in_rooms(__doc__ or "", of_room, rooms=40, boards=10, seed=990000)
    table: dict[tuple[int, float], list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        table[abs(row["lies"]), row["off"]].append(row)
    print(
        "share of rows that are read wrong (and surely: by more than 3 nats), by how far off the rim they begin"
    )
    print("checkers  " + "".join(f"{off:>22}" for off in OFF_THE_RIM))
    for n in range(2, 7):
        cells = [wrong_of(table[n, off]) for off in OFF_THE_RIM]
        print(f"{n:8d}  " + "".join(f"{c:>22}" for c in cells))
    for what, some in (("rows", [r for r in rows if r["lies"]]), ("empty points", table[0, 0.0])):
        wrong = [r["margin"] for r in some if r["margin"] < 0]
        print(f"{what}: {len(wrong)} of {len(some)} wrong, {sum(m < -SURELY for m in wrong)} surely")


if __name__ == "__main__":
    main()
