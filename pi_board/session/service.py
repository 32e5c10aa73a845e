"""Running under systemd: ready, watchdog and status messages (the sd_notify protocol), and the request to switch off.

The protocol is one datagram of `KEY=value` lines to the socket that $NOTIFY_SOCKET names (sd_notify(3)).
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import socket
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

#: The status while pictures come; `NO_CAMERA` (the heartbeat's word) while none do.
REFEREEING, NO_CAMERA = "refereeing", "no camera"


class ServiceNotifier:
    """Says nothing where there is no systemd. environment: os.environ by default. clock: monotonic seconds.

    camera: asked now and then while frames come; its words stand in the status, where `pi-board doctor` finds what the running
    service alone can know.
    """

    def __init__(
        self,
        environment: Mapping[str, str] | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        camera: Callable[[], str] = lambda: "",
    ) -> None:
        env = os.environ if environment is None else environment
        self._address = env.get("NOTIFY_SOCKET", "")
        # A quarter of the watchdog's limit, so that one lost message does not get the service killed.
        limit = env.get("WATCHDOG_USEC", "")
        self._limit = int(limit) / 1e6 if limit.isdigit() else 0.0
        self._every = self._limit / 4 if self._limit else 5.0
        self._runtime = env.get("RUNTIME_DIRECTORY", "").split(":")[0]
        self._clock, self._camera = clock, camera
        self._next = 0.0
        self._beat = self._status = ""

    @property
    def supervised(self) -> bool:
        """Started by systemd."""
        return bool(self._address)

    def ready(self) -> None:
        self._send("READY=1")

    def stopping(self) -> None:
        faulthandler.cancel_dump_traceback_later()
        self._send("STOPPING=1")

    def beat(self, what: str) -> None:
        """Progress was made: `App`'s heartbeat. Feeds the watchdog no more often than it needs to be."""
        now = self._clock()
        if what == self._beat and now < self._next:
            return
        status = "; ".join(filter(None, (REFEREEING, self._camera()))) if what == "frame" else what
        self._send("WATCHDOG=1" if status == self._status else f"WATCHDOG=1\nSTATUS={status}")
        self._beat, self._status = what, status
        self._next = now + self._every
        self._expect_next()

    def ask_power_off(self) -> bool:
        """Leaves the note that pi-board-poweroff.path waits for; False when nobody watches for it."""
        if not self._runtime:
            return False
        try:
            (Path(self._runtime) / "poweroff").touch()
        except OSError:
            return False
        return True

    def _expect_next(self) -> None:
        """A loop that stands still is killed by the watchdog and can say nothing any more; so shortly before that a thread of the
        interpreter's own, which needs no Python to run, writes where every thread stands: to standard error, systemd's journal."""
        if self._limit:
            with contextlib.suppress(OSError, ValueError, AttributeError):  # no standard error
                faulthandler.dump_traceback_later(0.8 * self._limit, file=sys.stderr)

    def _send(self, message: str) -> None:
        if not self._address:
            return
        # A leading @ stands for the null byte of an abstract socket.
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.setblocking(False)
            line.sendto(message.encode(), address)
