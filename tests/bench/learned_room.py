"""One of the campaign's rooms, in which the reader has learned the starting position, for benches that lay boards out and look at them."""

from __future__ import annotations

import argparse
import json
import multiprocessing
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.campaign.rooms import draw_room, fixed_from
from pi_board.frame import Frame
from pi_board.rules import STARTING_POSITION, Position
from pi_board.session.finding_reader import FindingReader
from pi_board.sighting import ZERO, Sighting
from pi_board.simulator import SimulatedTable
from pi_board.simulator.renderer import Renderer
from pi_board.vision.profile import load_profile

#: Pictures until the starting position is learned, and until a board has come to rest.
TO_LEARN, TO_REST = 40, 8
#: Nats by which a wrong count must be likelier to be surely wrong.
SURELY = 3.0
#: What of the rooms is given instead of drawn, as the command line has it (`--room style=drawn`), in each process of a bench.
FIXED: dict[str, Any] = {}


def fix(fixed: Mapping[str, Any]) -> None:
    """From now on rooms are drawn with these given."""
    FIXED.update(fixed)


class LearnedRoom:
    """scene: what lies there. reader: who looks at it; `learned` says whether he knows the board."""

    def __init__(self, seed: int) -> None:
        room = draw_room(seed, FIXED)
        table = SimulatedTable(room.simulator)
        self.scene, self._fps, self._seq = table.scene, room.table.fps, 0
        self._renderer = Renderer((room.table.width, room.table.height), seed)
        self.reader = FindingReader(load_profile(room.profile), near=room.told_near, home=room.told_home)
        self.learned = any(self._has_learned() for _ in range(TO_LEARN))

    def _has_learned(self) -> bool:
        self.look()
        return self.reader.reader is not None and self.reader.reader.appearance is not None

    def look(self) -> Sighting:
        scene = self.scene
        image = self._renderer.render(scene.view, scene.things(), scene.hands, scene.effects)
        self._seq += 1
        return self.reader.look(Frame(image, self._seq / self._fps, self._seq))

    def rest(self) -> list[Sighting]:
        """What is seen until the board has come to rest."""
        return [self.look() for _ in range(TO_REST)]

    def read(self) -> npt.NDArray[np.float64] | None:
        """(28, 31) nats of the last settled look at a board that has come to rest; None without one."""
        settled = [s.log_likelihood for s in self.rest() if s.settled and s.log_likelihood is not None]
        return np.asarray(settled[-1], np.float64) if settled else None

    def start_again(self) -> None:
        """The starting position. (What nothing explains for a while counts as a thing on the board, so each board comes after the one
        that is known.)"""
        self.scene.set_position(STARTING_POSITION)
        self.rest()

    def accept(self, board: Position) -> bool:
        """The starting position and then `board`, which is accepted as after a turn; False when it cannot be read."""
        self.start_again()
        self.scene.set_position(board)
        if not self.rest()[-1].settled:
            return False
        self.reader.learn(board)
        return True


def rows_of_both(rng: np.random.Generator) -> Position:
    """Rows of one to five checkers of each side, anywhere."""
    points = [0] * 24
    slots = rng.permutation(24).tolist()
    for sign in (1, -1):
        left = 15
        while left:
            n = min(left, int(rng.integers(1, 6)))
            points[slots.pop()] = sign * n
            left -= n
    return Position(tuple(points), (0, 0), (0, 0))


def reading(nats: npt.NDArray[np.float64], slot: int, lies: int) -> dict[str, Any]:
    """What a slot was read as, and by how many nats rightly, where so many signed checkers lie."""
    row = nats[slot]
    margin = float(row[lies + ZERO] - np.delete(row, lies + ZERO).max())
    return {"slot": slot, "lies": lies, "read": int(row.argmax()) - ZERO, "margin": round(margin, 1)}


def wrong_of(readings: Sequence[dict[str, Any]], of: int | None = None) -> str:
    """A table's cell: how many are wrong (and surely: by more than 3 nats), of how many (`of`, where the plain ones were not kept)."""
    number = len(readings) if of is None else of
    if not number:
        return "-"
    wrong, surely = (sum(r["margin"] < least for r in readings) for least in (0, -SURELY))
    return f"{wrong:4d} ({surely:3d}) of {number:4d}"


def found_in_rooms(
    about: str, of_room: Callable[[int, int], list[dict[str, Any]]], *, rooms: int, boards: int, seed: int
) -> list[dict[str, Any]]:
    """What `of_room` (seed, boards) finds in each of the rooms that the command line asks for; written down where it says so.

    about: of the command's help. rooms, boards, seed: unless the command line says otherwise.
    """
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", type=int, default=rooms)
    parser.add_argument("--boards", type=int, default=boards)
    parser.add_argument("--seed", type=int, default=seed)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument(
        "--room", action="append", default=[], metavar="NAME=VALUE", help="as in bench campaign"
    )
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    jobs = [(args.seed + i, args.boards) for i in range(args.rooms)]
    fixed = fixed_from(args.room)
    with multiprocessing.get_context("spawn").Pool(args.workers, fix, (fixed,)) as pool:
        found = [one for of in pool.starmap(of_room, jobs, chunksize=1) for one in of]
    if args.out is not None:
        args.out.write_text(json.dumps(found), encoding="utf-8")
    return found
