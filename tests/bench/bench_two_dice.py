"""Two dice that lie close together, one before the other or side by side as the camera sees them: are both read?

    python tests/bench/bench_two_dice.py                       # 24 drawn rooms, eight throws each
    python tests/bench/bench_two_dice.py --rooms 12 --seed 7   # others
    python tests/bench/bench_two_dice.py --out before.json     # every throw, to be compared

Each room is the campaign's of that seed. The reader learns the starting position; then two flat dice of one side come to rest on it, the
middle of the one so many edges from that of the other, in any direction, or one by itself, and the last settled look at them is compared
with them.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import cv2
import numpy as np
from learned_room import TO_REST, LearnedRoom, found_in_rooms

from pi_board.rules import SIDES
from pi_board.simulator.scene import Scene
from pi_board.simulator.things import Die

#: Edges between the middles (`ALONE`: there is no second die), and tries until two dice lie so without touching anything else.
ALONE = 0.0
APART, TRIES = (1.05, 1.2, 1.5, 2.5, ALONE), 200


def square(die: Die) -> Any:
    """What the die covers of the board: ((x, y), (width, height), degrees)."""
    level = next(column for column in np.asarray(die.turn).T if abs(column[2]) < 0.5)
    return (die.x, die.y), (die.size, die.size), float(np.degrees(np.arctan2(level[1], level[0])))


def throw(scene: Scene, apart: float, rng: np.random.Generator) -> bool:
    """Two flat dice `apart` edges from each other, or one; False where no place was found for them."""
    style, side = scene.style, SIDES[int(rng.integers(2))]
    for _ in range(TRIES):
        x, y = (float(v) for v in rng.uniform(-0.45, 0.45, 2) * (style.field_width, style.field_height))
        way = float(rng.uniform(0, 2 * np.pi))
        places = [
            (x, y),
            (x + apart * style.die_size * np.cos(way), y + apart * style.die_size * np.sin(way)),
        ]
        if any(
            abs(u) < style.bar_width or not scene.clear_of(u, v, style.die_size * 0.75) for u, v in places
        ):
            continue
        one, two = (scene.flat_die(side, int(rng.integers(1, 7)), float(u), float(v)) for u, v in places)
        if apart == ALONE:
            scene.dice = [one]
            return True
        if cv2.rotatedRectangleIntersection(square(one), square(two))[0] == cv2.INTERSECT_NONE:
            scene.dice = [one, two]
            return True
    return False


def of_room(seed: int, throws: int) -> list[dict[str, Any]]:
    """What was read of the throws of one room."""
    room, rng = LearnedRoom(seed), np.random.default_rng((seed, 13))
    if not room.learned:
        return []
    found: list[dict[str, Any]] = []
    for _ in range(throws):
        room.scene.dice = []
        room.rest()
        apart = float(rng.choice(APART))
        if not throw(room.scene, apart, rng):
            continue
        settled = [look for look in (room.look() for _ in range(TO_REST)) if look.settled]
        lie = Counter(d.value for d in room.scene.dice)
        read = Counter(d.value for d in settled[-1].dice if d.value is not None) if settled else Counter()
        found.append(
            {
                "seed": seed,
                "apart": apart,
                "lie": sorted(lie.elements()),
                "read": sorted(read.elements()),
                "right": (lie & read).total(),
                "wrong": (read - lie).total(),
            }
        )
    return found


def main() -> None:
    throws = found_in_rooms(__doc__ or "", of_room, rooms=24, boards=8, seed=1040000)
    print(f"{'edges apart':12}{'throws':>8}{'two right':>12}{'one':>6}{'none':>6}{'wrong numbers':>15}")
    for apart in APART:
        of = [t for t in throws if t["apart"] == apart]
        right = Counter(t["right"] for t in of)
        wrong = sum(t["wrong"] for t in of)
        print(f"{apart or 'one die':<12}{len(of):8}{right[2]:12}{right[1]:6}{right[0]:6}{wrong:15}")


if __name__ == "__main__":
    main()
