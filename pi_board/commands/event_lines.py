"""`--json` of commands that run without end: one JSON document a line, as it happens."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TextIO

from pi_board.output import Moment
from pi_board.session.replay import Report, SolitaireReport


def wall_clock() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class EventLines:
    """An `Output`. Every event as `replay --json` tells it, with `at` (UTC) before it; besides, lines of the types `hint` and
    `notice` (a sentence about the program itself; empty when all is well again)."""

    def __init__(
        self, *, solitaire: bool = False, out: TextIO | None = None, clock: Callable[[], str] = wall_clock
    ) -> None:
        self._new: Callable[[], Report | SolitaireReport] = SolitaireReport if solitaire else Report
        self._out, self._clock = out or sys.stdout, clock
        self._banner = ""

    def show(self, moment: Moment) -> None:
        report = self._new()
        report.add(moment)
        for entry in report.entries:
            # A camera's pictures have no names.
            self.line({key: value for key, value in entry.items() if key != "frame" or value != ""})
        if moment.hint is not None:
            self.line({"type": "hint", **moment.hint.to_document()})
        if moment.banner != self._banner:
            self._banner = moment.banner
            self.line({"type": "notice", "text": moment.banner})

    def line(self, document: dict[str, Any]) -> None:
        print(json.dumps({"at": self._clock(), **document}, ensure_ascii=False), file=self._out, flush=True)

    def close(self) -> None:
        return
