"""The clock's reading beside the journal, written over once a second: what a power cut would otherwise take with it.

The journal has every change of the clock; between two of them a player may think for minutes. A file of two lines of a fixed length
is written over in turn, so that one of them is whole whatever happens, and the card is not worn by a growing file.
"""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from pathlib import Path
from typing import Protocol

from pi_board.rules import Side
from pi_board.rules.clock import Reading

#: Bytes of a line, and seconds between two readings.
LINE, EVERY = 128, 1.0


class Readable(Protocol):
    """What is used of the timekeeper."""

    running: bool

    def reading(self, now: float) -> Reading: ...

    def resume(
        self, side: Side | None, light: float, dark: float, spent: float, lifted: float | None = None
    ) -> None: ...


class ClockFile:
    """`keep` never raises: a card that is full costs seconds of a clock and no game."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._next = float("-inf")
        self._count = 0

    def keep(self, keeper: Readable, now: float) -> None:
        """The reading at `now` (the moments' clock), if it runs and the last one is a second old."""
        # Times of pictures are sums of tenths: a tenth more would be lost to their rounding.
        if not keeper.running or now < self._next - 1e-3:
            return
        self._next = now + EVERY
        self._count += 1
        side, *seconds = keeper.reading(now)
        body = json.dumps([self._count, side, *(s if s is None else round(s, 3) for s in seconds)])
        line = f"{zlib.crc32(body.encode()):08x} {body}".ljust(LINE - 1) + "\n"
        with contextlib.suppress(OSError):
            fd = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                os.pwrite(fd, line.encode(), LINE * (self._count % 2))
                os.fdatasync(fd)
            finally:
                os.close(fd)

    def read(self) -> Reading | None:
        """The reading that was kept last; None where nothing whole is there."""
        with contextlib.suppress(OSError):
            data = self.path.read_bytes()
            lines = [_whole(data[i : i + LINE]) for i in (0, LINE)]
            found = [line for line in lines if line is not None]
            if found:
                self._count, reading = max(found, key=lambda f: f[0])
                return reading
        return None

    def take_over(self, keeper: Readable) -> None:
        """After a power cut: the reading, if it is of the very turn that the journal ends with."""
        kept, (side, light, dark, spent, _) = self.read(), keeper.reading(0.0)
        if kept is None or side is None:
            return
        same = kept[0] == side and abs(kept[1] - light) < 0.01 and abs(kept[2] - dark) < 0.01
        if same and kept[3] > spent:
            keeper.resume(*kept)


def _whole(line: bytes) -> tuple[int, Reading] | None:
    head, _, body = line.decode("ascii", "replace").strip().partition(" ")
    try:
        if f"{zlib.crc32(body.encode()):08x}" != head:
            return None
        # Files of earlier versions do not know whether the dice were gone.
        count, side, light, dark, spent, lifted = [*json.loads(body), None][:6]
        whose: Side | None = side if side in ("light", "dark") else None
        gone = None if lifted is None else float(lifted)
        return int(count), (whose, float(light), float(dark), float(spent), gone)
    except (ValueError, TypeError):
        return None
