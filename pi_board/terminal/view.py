"""The live view in a terminal, and what each event comes to in one line."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.panel import Panel

from pi_board.events import Event, GameWon, PlayIllegal
from pi_board.output import Hint, Moment
from pi_board.referee.solitaire import undo_words
from pi_board.rules import Side
from pi_board.solitaire import BOARD_37
from pi_board.table import TableView
from pi_board.terminal.diagram import DARK, LIGHT
from pi_board.terminal.layout import hint_lines, render, render_solitaire

#: Events after which an answer to the last question is of no use any more.
HINT_IS_OVER = {
    "dice_rolled",
    "turn_ended",
    "cube_taken",
    "cube_passed",
    "game_won",
    "game_abandoned",
    "position_corrected",
}


def sentence(event: Event) -> str:
    """One line for the list of recent plays; "" for events that are not worth one."""
    document = event.to_document()
    side = document.get("side")
    mark = {"light": LIGHT, "dark": DARK}.get(side or "", " ")
    dice = "".join(map(str, document.get("dice") or ()))
    if event.type == "turn_ended":
        note = "" if document["legal"] else "  (illegal, stands)"
        return f"{mark} {dice}: {document['play'] or 'no play'}{note}"
    if isinstance(event, PlayIllegal):
        return f"{mark} {dice}: ILLEGAL, {event.reason}"
    if event.type in ("cube_offered", "cube_taken", "cube_passed"):
        return f"{mark} {event.type.replace('_', ' ')} {document['value']}"
    if event.type in SOLITAIRE:
        return SOLITAIRE[event.type](document)
    if isinstance(event, GameWon):
        return f"{mark} wins {event.points} ({event.kind}), score {event.score[0]}-{event.score[1]}"
    return ""


def _jump_illegal(document: dict[str, Any]) -> str:
    seen, holes = (BOARD_37.from_holes(document[key]) for key in ("seen", "holes"))
    return f"WRONG: {document['reason']} {undo_words(BOARD_37, holes, seen, document['code'])}"


#: Events of the 37-hole game in one line.
SOLITAIRE: dict[str, Callable[[dict[str, Any]], str]] = {
    "solitaire_started": lambda d: f"set up: {d['problem']}, {sum(d['holes'])} pieces",
    "jump_made": lambda d: f"{' '.join(d['jumps'])}   {sum(d['holes'])} pieces left",
    "jump_illegal": _jump_illegal,
    "jump_taken_back": lambda d: f"{d['undone']} taken back" if d["undone"] else "put back",
    "holes_corrected": lambda d: f"position set: {sum(d['holes'])} pieces",
    "solitaire_abandoned": lambda d: "game given up",
    "solitaire_ended": lambda d: (
        f"{'won!' if d['won'] else 'no jump is possible any more,'} {d['remaining']} left"
    ),
}


class TerminalOutput:
    """Fills the window, whatever its size, and redraws at most `fps` times a second; a plain list of lines when stdout is no
    terminal. footer: what is to be seen at any moment besides "Ctrl-C ends"."""

    def __init__(
        self, *, near: Side = "light", home: str = "right", fps: float = 8.0, footer: str = ""
    ) -> None:
        self.near, self.home, self.footer = near, home, footer
        self.recent: deque[str] = deque(maxlen=30)
        self.console = Console()
        self._hint: Hint | None = None
        self._banner = ""
        self._live: Live | None = None
        if sys.stdout.isatty():
            # A screen of its own: a window that is resized leaves no rubbish, and the shell's text comes back afterwards.
            self._live = Live(
                console=self.console, refresh_per_second=fps, screen=True, redirect_stderr=False
            )
            self._live.start()
            self._live.update(self._draw(Moment(0.0, TableView(message="getting ready …"))), refresh=True)

    def show(self, moment: Moment) -> None:
        for event in moment.events:
            if event.type in HINT_IS_OVER:
                self._hint = None
            if line := sentence(event):
                self.recent.append(line)
                if self._live is None:
                    print(line, flush=True)
        if moment.hint is not None:
            self._hint = moment.hint
            if self._live is None:
                print("\n".join(hint_lines(moment.hint)), flush=True)
        if self._live is not None:
            self._live.update(self._draw(moment))
        elif bool(moment.banner) != bool(self._banner):
            print(moment.banner or "all is well again", file=sys.stderr, flush=True)
        self._banner = moment.banner

    def _draw(self, moment: Moment) -> Panel:
        width, height = self.console.size
        if moment.solitaire is not None:
            return render_solitaire(
                moment.view,
                moment.solitaire,
                list(self.recent),
                self.footer,
                moment.banner,
                width=width,
                height=height,
            )
        return render(
            moment.view,
            list(self.recent),
            self.near,
            self.home,
            self.footer,
            hint=self._hint,
            banner=moment.banner,
            width=width,
            height=height,
        )

    def close(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None
            # Leave the last lines in the window when the program ends.
            for line in list(self.recent)[-6:]:
                print(line)
