"""A metronome for sources that have no clock of their own."""

from __future__ import annotations

import time
from collections.abc import Callable


class Metronome:
    """Holds a reader back to `fps` frames a second of wall-clock time; off (`realtime` False) it never waits."""

    def __init__(
        self,
        fps: float,
        realtime: bool,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._period = 1 / fps
        self._on = realtime
        self._clock = clock
        self._sleep = sleep
        self._next: float | None = None

    def wait(self) -> None:
        """Until the next frame is due; a reader that is late starts a new beat instead of hurrying after it."""
        if not self._on:
            return
        now = self._clock()
        if self._next is None or now > self._next + self._period:
            self._next = now
        elif now < self._next:
            self._sleep(self._next - now)
        self._next += self._period
