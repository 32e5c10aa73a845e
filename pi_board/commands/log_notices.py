"""What the live view's banner would say (the log cannot be written, no camera), on standard error, once each time."""

from __future__ import annotations

import sys

from pi_board.output import Moment


class LogNotices:
    """An `Output` for commands without a live view. Play goes on whatever it says."""

    def __init__(self) -> None:
        self._said = False

    def show(self, moment: Moment) -> None:
        if bool(moment.banner) != self._said:
            self._said = bool(moment.banner)
            print(moment.banner or "all is well again", file=sys.stderr, flush=True)

    def close(self) -> None:
        return
