"""Checkers that are hit: how many lie on the bar, as the room is lit and after the light has changed?

    python tests/bench/bench_on_the_bar.py                       # 24 drawn rooms, eight boards each
    python tests/bench/bench_on_the_bar.py --rooms 12 --seed 7   # others
    python tests/bench/bench_on_the_bar.py --out before.json     # every half of the bar, to be compared

Each room is the campaign's of that seed. The reader learns the starting position, then a board, which is accepted as after a turn, in the
room's own light, at dusk or with the lamp switched. Then up to two checkers of each side go from their points to the bar, and
both halves of it are read.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from learned_room import LearnedRoom, found_in_rooms, reading, rows_of_both, wrong_of

from pi_board.rules import SIDES
from pi_board.sighting import BAR_LIGHT
from pi_board.simulator.light import lamp_off

LIGHTS = ("as it was", "dusk", "lamp")
#: Pictures for which the light fades, and the share of it that each leaves of the one before; no less than this is left of it.
FADES, LEAVES, LEAST = 24, 0.88, 0.18


def change_light(room: LearnedRoom, light: str) -> None:
    """One of `LIGHTS`, and the reader sees it come."""
    scene = room.scene
    if light == "lamp":
        scene.view = replace(scene.view, light=lamp_off(scene.view.light))
    if light == "dusk":
        for _ in range(FADES):
            scene.effects = replace(scene.effects, gain=max(LEAST, scene.effects.gain * LEAVES))
            room.look()
    room.rest()


def of_room(seed: int, boards: int) -> list[dict[str, Any]]:
    """What was read of the halves of the bar in one room."""
    room, rng = LearnedRoom(seed), np.random.default_rng((seed, 11))
    if not room.learned:
        return []
    view, effects = room.scene.view, room.scene.effects
    found: list[dict[str, Any]] = []
    for _ in range(boards):
        room.scene.view, room.scene.effects = view, effects
        board = rows_of_both(rng)
        if not room.accept(board):
            continue
        light = str(rng.choice(LIGHTS))
        change_light(room, light)
        hit = rng.integers(0, 3, 2).tolist()
        for side, sign, count in zip(SIDES, (1, -1), hit, strict=True):
            of = [s + 1 for s, n in enumerate(board.points) if n * sign > 0]
            for point in rng.permutation(of).tolist()[:count]:
                room.scene.take(("point", point), side)
                room.scene.put(side, ("bar", side))
        nats = room.read()
        for i, (sign, count) in enumerate(zip((1, -1), hit, strict=True)):
            said = {"slot": BAR_LIGHT + i, "lies": sign * count, "read": None, "margin": None}
            if nats is not None:
                said = reading(nats, BAR_LIGHT + i, sign * count)
            found.append({"seed": seed, "light": light, "side": SIDES[i]} | said)
    return found


def main() -> None:
    found = found_in_rooms(__doc__ or "", of_room, rooms=24, boards=8, seed=1010000)
    read = [f for f in found if f["read"] is not None]
    print(f"{len(read)} of {len(found)} halves read; wrong (surely) of how many lie there")
    print(f"{'':18}{'none':>20}{'one':>20}{'two':>20}")
    for light in LIGHTS:
        for side in SIDES:
            of = [f for f in read if f["light"] == light and f["side"] == side]
            cells = "".join(f"{wrong_of([f for f in of if abs(f['lies']) == n]):>20}" for n in range(3))
            print(f"{light:10} {side:7}{cells}")


if __name__ == "__main__":
    main()
