"""One of the campaign's rooms, in which the reader has learned the starting position, for benches that lay boards out and look at them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.campaign.rooms import draw_room
from pi_board.frame import Frame
from pi_board.rules import STARTING_POSITION
from pi_board.session.sitting import FindingReader
from pi_board.sighting import ZERO, Sighting
from pi_board.simulator import SimulatedTable
from pi_board.simulator.renderer import Renderer
from pi_board.vision.profile import load_profile

#: Pictures until the starting position is learned, and until a board has come to rest.
TO_LEARN, TO_REST = 40, 8


class LearnedRoom:
    """scene: what lies there. reader: who looks at it; `learned` says whether he knows the board."""

    def __init__(self, seed: int) -> None:
        room = draw_room(seed)
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


def reading(nats: npt.NDArray[np.float64], slot: int, lies: int) -> dict[str, Any]:
    """What a slot was read as, and by how many nats rightly, where so many signed checkers lie."""
    row = nats[slot]
    margin = float(row[lies + ZERO] - np.delete(row, lies + ZERO).max())
    return {"slot": slot, "lies": lies, "read": int(row.argmax()) - ZERO, "margin": round(margin, 1)}


def wrong_of(readings: Sequence[dict[str, Any]]) -> str:
    """A table's cell: how many are wrong (and surely: by more than 3 nats), of how many."""
    if not readings:
        return "-"
    wrong, surely = (sum(r["margin"] < least for r in readings) for least in (0, -3))
    return f"{wrong:4d} ({surely:3d}) of {len(readings):4d}"
