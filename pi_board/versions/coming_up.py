"""What the running program says of itself: that it came up, and that an update before it was taken back."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from pi_board.versions.store import CAME_UP, WENT_BACK, read_document, write_whole

#: Seconds of frames after which a version counts as up: longer than it takes to find a board and show the first pages.
STEADY = 20.0


class ComingUp:
    """Counts heartbeats of a service; silent where there is no version folder around this program.

    environment: os.environ by default ($STATE_DIRECTORY is systemd's). program: the virtual environment it runs in.
    """

    def __init__(
        self,
        environment: Mapping[str, str] | None = None,
        *,
        program: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        state = (os.environ if environment is None else environment).get("STATE_DIRECTORY", "").split(":")[0]
        folder = program or Path(sys.prefix)
        self._state = Path(state) if state and folder.parent.name == "versions" else None
        self._name, self._clock = folder.name, clock
        self._since: float | None = None
        self._done = self._state is None

    def beat(self) -> None:
        """The loop went on by one step."""
        if self._done:
            return
        now = self._clock()
        if self._since is None:
            self._since = now
        elif now - self._since >= STEADY:
            self._done = True
            assert self._state is not None
            with contextlib.suppress(OSError):
                write_whole(self._state / CAME_UP, self._name)

    def went_back(self) -> str:
        """A sentence about an update that was taken back, "" when there was none."""
        if self._state is None:
            return ""
        note = read_document(self._state / WENT_BACK)
        if not note or note.get("to") != self._name:
            return ""
        return f"Version {note.get('from')} did not come up; version {self._name} runs again"

    def read(self) -> None:
        """The sentence was read: it is not said again."""
        if self._state is not None:
            with contextlib.suppress(OSError):
                (self._state / WENT_BACK).unlink()
