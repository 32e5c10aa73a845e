"""Who sits where, beside the journal: what the starting position has shown against the settings, and a power cut would take with it.

In the middle of a game no picture tells it: each position is as good a one seen from the other side.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Literal

from pi_board.rules import SIDES, Side

#: Which side sits at the near edge of the picture, and on which side of the picture it bears off.
NearAndHome = tuple[Side, Literal["right", "left"]]


class SeatFile:
    """`keep` never raises: a card that is full costs no game before the power fails, too."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._kept: tuple[NearAndHome, NearAndHome] | None = None

    def keep(self, told: NearAndHome, seen: NearAndHome) -> None:
        """told: by the settings; seen: on the board."""
        if self._kept == (told, seen) or (self._kept is None and told == seen):
            return
        self._kept = told, seen
        with contextlib.suppress(OSError):
            part = self.path.with_name(self.path.name + ".part")
            part.write_text(json.dumps({"told": told, "seen": seen}) + "\n", encoding="ascii")
            part.replace(self.path)

    def read(self, told: NearAndHome) -> NearAndHome | None:
        """What was seen in a game for which the settings were the same; None where nothing else than they say is known."""
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            data = json.loads(self.path.read_bytes())
            near, home = data["seen"]
            if tuple(data["told"]) == told and near in SIDES and home in ("right", "left"):
                self._kept = told, (near, home)
                return near, home
        return None
