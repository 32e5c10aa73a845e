"""Boards with nothing in the way, as games bring them: how often is a thing or a hand seen that is not there?

    python tests/bench/bench_nothing_there.py --room style=drawn      # 24 rooms of drawn sets, a game in each
    python tests/bench/bench_nothing_there.py --rooms 12 --seed 7     # others, of the four styles
    python tests/bench/bench_nothing_there.py --out before.json       # every board of which a part was taken for something else

Each room is the campaign's of that seed. The reader learns the starting position, then looks at boards of one game, played at random to
its end, and of the end of another one: hit checkers wait on the bar, men that were borne off lie beside the field, and the cube goes to
and fro. Each board is accepted, as after a turn. What is seen in the way is seen there wrongly: a place under it can't be read, and a whole
board under it is not refereed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from learned_room import LearnedRoom, found_in_rooms

from pi_board.rules import STARTING_POSITION, Position, legal_plays
from pi_board.rules.side import CHECKERS
from pi_board.sighting import Gate

#: Looks at each board.
LOOKS = 8
#: How often the cube goes elsewhere before a board.
CUBE = 0.1


def played(rng: np.random.Generator, position: Position) -> list[Position]:
    """Boards of one game, played at random from `position` to its end."""
    side, out = 0, []
    while max(position.off) < CHECKERS and len(out) < 400:
        a, b = rng.integers(1, 7, 2).tolist()
        plays = legal_plays(position, (max(a, b), min(a, b)), ("light", "dark")[side])
        position = plays[int(rng.integers(len(plays)))].result
        side = 1 - side
        out.append(position)
    return out


def all_home(rng: np.random.Generator) -> Position:
    """All checkers anywhere in the home boards."""
    light, dark = (np.bincount(rng.integers(0, 6, CHECKERS), minlength=6).tolist() for _ in range(2))
    return Position((*light, *[0] * 12, *(-n for n in dark[::-1])), (0, 0), (0, 0))


def some_of(boards: list[Position], count: int) -> list[Position]:
    """So many of `boards`, all along the game."""
    return [boards[i] for i in np.unique(np.linspace(0, len(boards) - 1, count).astype(int))]


def of_room(seed: int, boards: int) -> list[dict[str, Any]]:
    """What was seen in one room: one of each board."""
    room, rng = LearnedRoom(seed), np.random.default_rng((seed, 11))
    if not room.learned:
        return []
    found: list[dict[str, Any]] = []
    whole, end = played(rng, STARTING_POSITION), played(rng, all_home(rng))
    for board in some_of(whole, boards // 2) + some_of(end, boards - boards // 2):
        if rng.random() < CUBE:
            room.scene.set_cube(2, ("light", "dark", None)[int(rng.integers(3))])
        room.scene.set_position(board)
        looks = [room.look() for _ in range(LOOKS)]
        looks = [look for look in looks if look.gate is not Gate.MOVING]
        hidden = {slot + 1 for look in looks for slot in look.hidden}
        found.append(
            {
                "seed": seed,
                "looks": len(looks),
                "hand": sum(look.gate is Gate.HAND for look in looks),
                "blocked": sum(look.gate is Gate.BLOCKED for look in looks),
                "hidden": sorted(hidden),
                "bar": sum(board.bar),
                "off": list(board.off),
            }
        )
        if looks and looks[-1].settled:
            room.reader.learn(board)
    return found


def main() -> None:
    boards = found_in_rooms(__doc__ or "", of_room, rooms=24, boards=16, seed=991000)
    print(
        f"{'':24}{'boards':>8}{'looks':>8}{'a hand':>8}{'blocked':>9}{'boards':>8}{'with a thing':>14}{'rooms':>7}"
    )
    kinds = {
        "all": lambda b: True,
        "with men on the bar": lambda b: b["bar"] > 0,
        "with men borne off": lambda b: sum(b["off"]) > 0,
        "neither": lambda b: not b["bar"] and not sum(b["off"]),
    }
    for name, of_kind in kinds.items():
        of = [b for b in boards if of_kind(b)]
        wrong = [b for b in of if b["hand"] or b["blocked"] or b["hidden"]]
        print(
            f"{name:24}{len(of):8}{sum(b['looks'] for b in of):8}{sum(b['hand'] for b in of):8}"
            f"{sum(b['blocked'] for b in of):9}{len(wrong):8}{sum(bool(b['hidden']) for b in of):14}"
            f"{len({b['seed'] for b in wrong}):7}"
        )


if __name__ == "__main__":
    main()
