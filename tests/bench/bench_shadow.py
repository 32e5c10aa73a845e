"""Somebody leans over the board: what is read while his shadow lies there, once that was learned from, and when it has gone again?

    python tests/bench/bench_shadow.py                       # 16 drawn rooms, eight boards each
    python tests/bench/bench_shadow.py --rooms 12 --seed 7   # others
    python tests/bench/bench_shadow.py --out before.json     # every place, to be compared

Each room is the campaign's of that seed. The reader learns the starting position, then a board, which is accepted as after a turn. A shadow
with a soft edge comes over a part of it, at once or in several pictures, and the same board is accepted again, as when somebody
dances; then the shadow goes. A board that never comes to rest is not read.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from learned_room import LearnedRoom, found_in_rooms, reading, rows_of_both, wrong_of

from pi_board.rules import STARTING_POSITION
from pi_board.sighting import BAR_LIGHT
from pi_board.simulator.renderer import Effects

WHEN = ("before", "in the shadow", "learned there", "gone again")
#: Nats by which two counts differ that a place leaves open.
EQUAL = 0.05
#: Pictures in which it comes, and goes.
STEPS = (1, 2, 5)


def shade(room: LearnedRoom, kept: Effects, shadow: tuple[float, float, float], parts: list[float]) -> None:
    """`shadow` (depth, share of the picture, direction) lies over so many `parts` of its share in one picture after another."""
    depth, share, direction = shadow
    for part in parts:
        room.scene.effects = replace(kept, shadow=(depth if part else 0.0, share * part, direction))
        room.look()


def of_room(seed: int, boards: int) -> list[dict[str, Any]]:
    """What was read of the points in one room."""
    room, rng = LearnedRoom(seed), np.random.default_rng((seed, 5))
    if not room.learned:
        return []
    room.reader.learn(STARTING_POSITION)
    kept, found = room.scene.effects, []
    for number in range(boards):
        room.scene.effects = kept
        board = rows_of_both(rng)
        depth, share = float(rng.uniform(0.2, 0.5)), float(rng.uniform(0.2, 1.0))
        direction, steps = float(rng.uniform(0, 360)), int(rng.choice(STEPS))
        if not room.accept(board):
            continue
        for when in WHEN:
            if when == "in the shadow":
                shade(room, kept, (depth, share, direction), [i / steps for i in range(1, steps + 1)])
            if when == "gone again":
                shade(room, kept, (depth, share, direction), [i / steps for i in range(steps - 1, -1, -1)])
            nats = room.read()
            if when == "in the shadow" and nats is not None:
                room.reader.learn(board)
            about = {"seed": seed, "board": number, "when": when, "shadow": (depth, share, direction, steps)}
            for slot in range(BAR_LIGHT):
                lies = board.points[slot]
                said = {"slot": slot, "lies": lies, "read": None, "margin": None}
                found.append(about | (said if nats is None else reading(nats, slot, lies)))
    return found


def main() -> None:
    found = found_in_rooms(__doc__ or "", of_room, rooms=16, boards=8, seed=1020000)
    print(f"{'':16}{'boards unread':>16}{'points left open':>24}{'wrong (surely)':>26}")
    for when in WHEN:
        of = [f for f in found if f["when"] == when]
        unread = {(f["seed"], f["board"]) for f in of if f["read"] is None}
        all_of = {(f["seed"], f["board"]) for f in of}
        read = [f for f in of if f["read"] is not None]
        left_open = sum(-EQUAL < f["margin"] < EQUAL for f in read)
        unread_of = f"{len(unread):9} of {len(all_of):3}"
        print(f"{when:16}{unread_of:>16}{left_open:>12} of {len(read):5}{wrong_of(read):>30}")


if __name__ == "__main__":
    main()
