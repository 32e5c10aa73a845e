"""How far the set-up wizard has come and which device has it in hand.

Kept beside the game and not in the browser: after a reload, or on another phone, it goes on where it was left.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pi_board.sighting import DieSeen

STEPS = ("Game", "Board", "Light", "Start", "Dice", "Save")
#: Seconds without a word of its holder after which the set-up is free for others. The page says one every 5 s.
HELD = 20.0
#: Pixels that a die's middle may seem to move from one picture to the next while it lies still.
STILL = 8.0
#: Rolls that the dice step asks for.
THROWS = 2

Throw = tuple[tuple[int, float, float], ...]


@dataclass(slots=True)
class Progress:
    """at: one of STEPS. game: what was typed into the first step. light, start, throws: what was seen since the board
    was found; start is the most points (of 24) that were right at a time."""

    at: str = STEPS[0]
    game: dict[str, Any] = field(default_factory=dict)
    light: bool = False
    start: int = 0
    throws: list[Throw] = field(default_factory=list)
    _before: Throw = ()

    def board_moved(self) -> None:
        """Forgets what was seen on a board found earlier: it says nothing about this one."""
        self.light, self.start, self.throws, self._before = False, 0, [], ()

    def dice_seen(self, dice: Sequence[DieSeen]) -> None:
        """A roll counts when two looks in a row see the same flat dice, and it is not the last one still lying there."""
        lying: Throw = tuple(sorted((d.value, d.x, d.y) for d in dice if d.value and not d.cocked))
        settled = len(lying) >= 2 and _same(lying, self._before)
        self._before = lying
        if settled and len(self.throws) < THROWS and not any(_same(lying, t) for t in self.throws):
            self.throws.append(lying)

    def to_document(self) -> dict[str, Any]:
        return {
            "at": self.at,
            "game": self.game,
            "light": self.light,
            "start": self.start,
            "throws": ["-".join(str(value) for value, _, _ in t) for t in self.throws],
        }


def _same(a: Throw, b: Throw) -> bool:
    return len(a) == len(b) and all(
        v == w and abs(x - p) <= STILL and abs(y - q) <= STILL
        for (v, x, y), (w, p, q) in zip(a, b, strict=True)
    )


class Holder:
    """Which page has the set-up in hand. clock: seconds. Safe to call from several threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._who = self._name = ""
        self._heard = 0.0

    def hold(self, who: str, name: str = "", *, take: bool = False) -> bool:
        """Whether it is `who`'s now: it was before, or nobody's, or it is taken. name: what others are told."""
        with self._lock:
            now = self._clock()
            if self._who not in ("", who) and now - self._heard < HELD and not take:
                return False
            self._who, self._name, self._heard = who, name, now
            return True

    def let_go(self, who: str) -> bool:
        """False: it was not `who`'s."""
        with self._lock:
            if self._who != who:
                return False
            self._who = self._name = ""
            return True

    @property
    def name(self) -> str:
        """Of whoever has it, "" while nobody has."""
        with self._lock:
            return self._name if self._who and self._clock() - self._heard < HELD else ""
