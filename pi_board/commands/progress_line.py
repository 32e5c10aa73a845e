"""One line on the terminal that tells how far a long answer has come."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable


def progress_line(text: str, clock: Callable[[], float] = time.monotonic) -> Callable[[float], None] | None:
    """A function to be called with the share that is done, 0-1: from the second second on it writes `text … 40%` to standard
    error, and wipes it at 1. None where standard error is no terminal: logs and pipes stay clean. clock: seconds."""
    if not sys.stderr.isatty():
        return None
    began, shown = clock(), False

    def show(share: float) -> None:
        nonlocal shown
        if share < 1 and clock() - began > 1:
            print(f"\r{text} … {share:4.0%}", end="", file=sys.stderr, flush=True)
            shown = True
        elif shown and share >= 1:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
            shown = False

    return show
