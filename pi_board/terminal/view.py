"""The live view in a terminal: board, dice, turn, pips, verdict and the last plays (rich)."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pi_board.events import Event, GameWon, PlayIllegal
from pi_board.output import Moment, SolitaireView
from pi_board.referee.solitaire import undo_words
from pi_board.rules import Side
from pi_board.solitaire import BOARD_37
from pi_board.table import TableView, Verdict
from pi_board.terminal.diagram import DARK, DIE, LIGHT, text_diagram

STYLES = {
    Verdict.NONE: "dim",
    Verdict.GREEN: "bold green",
    Verdict.AMBER: "bold yellow",
    Verdict.RED: "bold red",
}
# Words beside the colours: a colour alone tells nothing to some players.
WORDS = {Verdict.NONE: "…", Verdict.GREEN: "OK", Verdict.AMBER: "LOOK", Verdict.RED: "ILLEGAL"}


def verdict_text(view: TableView) -> Text:
    return Text(f"{WORDS[view.verdict]:<8}{view.message}", style=STYLES[view.verdict])


def render(
    view: TableView, recent: list[str], near: Side = "light", home: str = "right", footer: str = ""
) -> Panel:
    """The whole screen as one rich panel."""
    facts = Table.grid(padding=(0, 2))
    for i, side in enumerate(("light", "dark")):
        mark = LIGHT if side == "light" else DARK
        turn = "▶" if view.side == side else " "
        pips = f"{view.pips[i]} pips" if view.pips else ""
        owner = f"cube {view.cube}" if view.cube_owner == side else ""
        facts.add_row(f"{turn} {mark} {view.names[i]}", f"{view.score[i]} points", pips, owner)
    dice = f"{DIE[view.dice[0]]} {DIE[view.dice[1]]}  {view.dice[0]}-{view.dice[1]}" if view.dice else ""
    length = f"match to {view.match_length}" if view.match_length else "money game"
    head = Text(
        f"game {view.game} · {length}{' · Crawford' if view.crawford_game else ''} · {view.phase.value} {dice}"
    )
    parts: list[Text | Table] = [head, facts, Text()]
    if view.position is not None:
        board = text_diagram(
            view.position,
            near=near,
            home=home,
            dice=view.dice,
            side=view.side,
            cube=view.cube,
            cube_owner=view.cube_owner,
        )
        parts += [Text(line, no_wrap=True) for line in board]
    parts += [Text(), verdict_text(view)]
    if view.question:
        parts.append(Text(view.question, style="yellow"))
    parts += [Text(line, style="dim") for line in recent]
    if footer:
        parts.append(Text(footer, style="dim"))
    return Panel(Group(*parts), title="pi_board", width=72)


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
    "solitaire_ended": lambda d: f"{'won!' if d['won'] else 'no jump is possible any more,'} {d['remaining']} left",
}


def render_solitaire(view: TableView, solitaire: SolitaireView, recent: list[str]) -> Panel:
    """The 37-hole game as one rich panel."""
    head = f"{solitaire.name or 'solitaire'} · {solitaire.pieces} pieces · {solitaire.jumps} jumps"
    parts = [Text(head), Text(), *(Text(line) for line in BOARD_37.text(BOARD_37.from_holes(solitaire.holes)))]
    parts += [Text(), verdict_text(view)]
    if solitaire.hint:
        parts.append(Text(f"next jump: {solitaire.hint} (down to {solitaire.best})"))
    return Panel(Group(*parts, *(Text(line, style="dim") for line in recent)), title="pi_board", width=72)


class TerminalOutput:
    """Redraws at most `fps` times a second; a plain list of lines when stdout is no terminal."""

    def __init__(self, *, near: Side = "light", home: str = "right", fps: float = 8.0) -> None:
        self.near, self.home = near, home
        self.recent: deque[str] = deque(maxlen=6)
        self.console = Console()
        self.footer = ""
        self._live: Live | None = None
        self._plain = not sys.stdout.isatty()
        if not self._plain:
            self._live = Live(console=self.console, refresh_per_second=fps, transient=False)
            self._live.start()

    def show(self, moment: Moment) -> None:
        for event in moment.events:
            line = sentence(event)
            if line:
                self.recent.append(line)
                if self._plain:
                    print(line, flush=True)
        if self._live is not None and moment.solitaire is not None:
            self._live.update(render_solitaire(moment.view, moment.solitaire, list(self.recent)))
        elif self._live is not None:
            self._live.update(render(moment.view, list(self.recent), self.near, self.home, self.footer))

    def close(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None
