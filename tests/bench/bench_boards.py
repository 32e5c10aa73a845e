"""Whole boards in play: a game's worth of boards in drawn rooms, each a play or two from the one before and accepted after it was read.

    python tests/bench/bench_boards.py                       # 40 drawn rooms, 30 boards each
    python tests/bench/bench_boards.py --rooms 10 --seed 7   # others
    python tests/bench/bench_boards.py --out before.json     # every point that is not plainly read, to be compared

Each room is the campaign's of that seed, with its light, its noise and its careless hands. The reader learns the starting position. Then
checkers wander, one to four at a time and to any point that is not held by the other side, so that points are made, fill up and lean on
each other; one board in fifteen comes with dusk or with the lamp switched, for good. Nothing is in the way, and nobody bears off.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from bench_on_the_bar import LIGHTS, change_light
from learned_room import SURELY, LearnedRoom, found_in_rooms, reading, wrong_of

from pi_board.rules import STARTING_POSITION, Position
from pi_board.sighting import BAR_LIGHT

#: One board in so many comes with another light.
LIGHT_CHANGES = 15
#: A point that is read rightly by more nats than this is not kept.
PLAINLY = 6.0
#: Checkers on a point from which they lie upon each other.
UPON = 6


def wander(room: LearnedRoom, rng: np.random.Generator) -> Position:
    """One to four checkers go to other points; what lies there then."""
    scene = room.scene
    for _ in range(int(rng.integers(1, 5))):
        points = scene.counts()[0]
        source = int(rng.choice(np.flatnonzero(points)))
        sign = 1 if points[source] > 0 else -1
        # (Where some lie already more come: players make points.)
        open_to = [i for i, n in enumerate(points) if n * sign >= 0 and i != source and abs(n) < UPON]
        weights = np.array([1.0 + 2.0 * (points[i] != 0) for i in open_to])
        target = int(rng.choice(open_to, p=weights / weights.sum()))
        side = "light" if sign > 0 else "dark"
        scene.take(("point", source + 1), side)
        scene.put(side, ("point", target + 1))
    return Position(tuple(scene.counts()[0]), (0, 0), (0, 0))


def of_room(seed: int, boards: int) -> list[dict[str, Any]]:
    """What was read in one room: of each board its points that were not plainly read rightly."""
    room, rng = LearnedRoom(seed), np.random.default_rng((seed, 13))
    if not room.learned:
        return []
    room.reader.learn(STARTING_POSITION)
    found: list[dict[str, Any]] = []
    for number in range(boards):
        if rng.integers(LIGHT_CHANGES) == 0:
            change_light(room, str(rng.choice(LIGHTS[1:])))
        board = wander(room, rng)
        nats = room.read()
        points: list[dict[str, Any]] | None = None
        if nats is not None:
            lies = [*board.points, 0, 0]
            said = [reading(nats, slot, n) for slot, n in enumerate(lies[: BAR_LIGHT + 2])]
            points = [r for r in said if r["margin"] < PLAINLY]
            room.reader.learn(board)
        found.append({"seed": seed, "board": number, "lies": board.points, "points": points})
    return found


def main() -> None:
    boards = found_in_rooms(__doc__ or "", of_room, rooms=40, boards=30, seed=1030000)
    read = [b for b in boards if b["points"] is not None]
    right = [b for b in read if all(r["margin"] >= 0 for r in b["points"])]
    sure = [b for b in read if all(r["margin"] > -SURELY for r in b["points"])]
    rooms = len({b["seed"] for b in boards})
    print(f"{rooms} rooms learned; of {len(boards)} boards {len(read)} were read")
    print(f"{len(right)} of them wholly right, {len(read) - len(sure)} with a point surely wrong")
    print("points read wrong (and surely: by more than 3 nats), by how many checkers lie there")
    for n in range(UPON + 1):
        of = sum(sum(abs(m) == n for m in b["lies"]) for b in read)
        wrong = [r for b in read for r in b["points"] if abs(r["lies"]) == n and r["slot"] < BAR_LIGHT]
        print(f"{n:8d} {wrong_of(wrong, of)}")
    bars = [r for b in read for r in b["points"] if r["slot"] >= BAR_LIGHT]
    print(f"{'bar':>8} {wrong_of(bars, 2 * len(read))}")


if __name__ == "__main__":
    main()
