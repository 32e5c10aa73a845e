"""Hands that rest on the board, cups and phones that stand on it, in any colour: what is read beside and beneath them?

    python tests/bench/bench_in_the_way.py                       # 24 drawn rooms, eight boards each
    python tests/bench/bench_in_the_way.py --rooms 12 --seed 7   # others
    python tests/bench/bench_in_the_way.py --out before.json     # every point that is read wrong, to be compared

Each room is the campaign's of that seed. The reader learns the starting position, then a board, which is accepted as after a turn. Then a
hand comes to rest anywhere on it, with any skin and sleeve, or a cup or a phone; a third of the cups and phones have the colour of one side's
checkers. No checker has been touched. What nobody can see may be told with doubt; a point that is surely read otherwise than it lies is a
word against a player in the making.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from learned_room import SURELY, LearnedRoom, found_in_rooms, reading, rows_of_both

from pi_board.simulator.performer import SKINS, SLEEVES
from pi_board.simulator.scene import Scene
from pi_board.simulator.things import Cup, Hand, Slab

KINDS = ("hand", "cup", "phone")
#: Looks at what stands there: the first ones at it, and after it has become a known thing.
LOOKS = 16


def put_in_the_way(scene: Scene, kind: str, rng: np.random.Generator) -> None:
    """One of `KINDS` anywhere on the field."""
    style = scene.style
    x = float(rng.uniform(-0.5, 0.5)) * style.field_width
    y = float(rng.uniform(-0.5, 0.5)) * style.field_height
    sides = [style.light, style.dark]
    any_colour = tuple(float(v) for v in rng.uniform(0.03, 0.9, 3))
    colour = sides[int(rng.integers(2))] if rng.random() < 1 / 3 else any_colour
    if kind == "hand":
        edge = 1 if rng.random() < 0.5 else -1
        reach = style.field_height * 0.5 + 26
        shoulder = x * 0.35 + float(rng.choice([4.0, -4.0]))
        angle = float(np.degrees(np.arctan2(y - edge * reach, x - shoulder)))
        skin, sleeve = SKINS[int(rng.integers(len(SKINS)))], SLEEVES[int(rng.integers(len(SLEEVES)))]
        scene.hands = [Hand(x, y, 1.2, angle, skin, sleeve, bool(rng.random() < 0.5))]
    elif kind == "cup":
        size = min(1.0, style.field_width / 42)
        radius = float(rng.uniform(2.6, 4.0)) * size
        spot = scene.spot_for_cup(radius)
        if spot is not None:
            height = float(rng.uniform(5, 10)) * size
            scene.clutter = [Cup(*spot, radius=radius, height=height, color=colour)]
    else:
        scene.clutter = [Slab(x, y, 2 * style.checker_height, float(rng.uniform(0, 180)), color=colour)]


def of_room(seed: int, boards: int) -> list[dict[str, Any]]:
    """What was read in one room: one of each board."""
    room, rng = LearnedRoom(seed), np.random.default_rng((seed, 7))
    if not room.learned:
        return []
    found: list[dict[str, Any]] = []
    for _ in range(boards):
        room.scene.hands, room.scene.clutter = [], []
        board = rows_of_both(rng)
        if not room.accept(board):
            continue
        room.rest()
        kind = str(rng.choice(KINDS))
        put_in_the_way(room.scene, kind, rng)
        settled, wrong = 0, Counter[tuple[int, int, int]]()
        for look in (room.look() for _ in range(LOOKS)):
            if look.settled and look.log_likelihood is not None:
                settled += 1
                for slot, n in enumerate(board.points):
                    r = reading(np.asarray(look.log_likelihood, np.float64), slot, n)
                    if r["margin"] < -SURELY:
                        wrong[slot, n, r["read"]] += 1
        found.append(
            {"seed": seed, "kind": kind, "settled": settled, "wrong": [[*k, n] for k, n in wrong.items()]}
        )
    return found


def main() -> None:
    boards = found_in_rooms(__doc__ or "", of_room, rooms=24, boards=8, seed=990000)
    print(f"{'':8}{'boards':>8}{'looks read':>12}{'boards with points surely wrong':>34}{'such points':>13}")
    for kind in KINDS:
        of = [b for b in boards if b["kind"] == kind]
        read, wrong = sum(b["settled"] for b in of), [b for b in of if b["wrong"]]
        share = f"{read / max(1, LOOKS * len(of)):.0%}"
        print(f"{kind:8}{len(of):8}{share:>12}{len(wrong):34}{sum(len(b['wrong']) for b in wrong):13}")


if __name__ == "__main__":
    main()
