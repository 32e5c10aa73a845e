"""What lights, buzzer, display and terminal get to know while the 37-hole game is refereed."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

from pi_board.events import Event
from pi_board.output import Moment, Output, SolitaireView
from pi_board.settings import Settings
from pi_board.solitaire import BOARD_37, Problem, Solution, solver
from pi_board.solitaire.solver import PATIENCE_IN_PLAY
from pi_board.table import Phase, TableView, Verdict


@dataclass
class SolitaireOutputs:
    """`heard` for the events of a look, `tick` for a look without any. The question whether the game can still be won is
    answered in a thread of its own, so that no frame waits for it."""

    problem: Problem
    outputs: Sequence[Output] = ()
    view: SolitaireView = field(default_factory=SolitaireView)
    _asked: tuple[tuple[int, ...], Future[Solution]] | None = None
    _worker: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "solitaire"))

    def heard(self, events: Sequence[Event], now: float) -> None:
        for event in events:
            self.view = view_after(self.view, event)
        if self.view.state == "play" and self.view.winnable is None:
            self._ask(self.view.holes)
        self._show(events, now)

    def tick(self, now: float) -> None:
        """Shows the answer when it has come."""
        if self._asked is None or not self._asked[1].done():
            return
        holes, answer = self._asked
        self._asked = None
        if holes == self.view.holes and self.view.state == "play":
            self.view = replace(self.view, winnable=answer.result().solvable)
            self._show((), now)

    def close(self) -> None:
        self._worker.shutdown(wait=False, cancel_futures=True)
        for output in self.outputs:
            output.close()

    def _ask(self, holes: tuple[int, ...]) -> None:
        finish = None if self.problem.finish is None else (self.problem.finish,)
        if self._asked is not None:
            self._asked[1].cancel()
        answer = self._worker.submit(
            solver(BOARD_37, finish).solve,
            BOARD_37.from_holes(holes),
            patience=PATIENCE_IN_PLAY,
            remainder=False,
        )
        self._asked = holes, answer

    def _show(self, events: Sequence[Event], now: float) -> None:
        moment = Moment(now, table_view(self.view), tuple(events), solitaire=self.view)
        for output in self.outputs:
            output.show(moment)


def view_after(view: SolitaireView, event: Event) -> SolitaireView:
    """The view after an event of the solitaire referee."""
    document: dict[str, Any] = event.to_document()
    holes = tuple(document["holes"])
    if event.type == "solitaire_started":
        return SolitaireView("play", holes)
    if event.type == "jump_made":
        last = document["jumps"][0] + "".join("-" + j.split("-")[1] for j in document["jumps"][1:])
        return SolitaireView("play", holes, last=last)
    if event.type == "jump_illegal":
        return replace(view, state="wrong", seen=tuple(document["seen"]), code=document["code"])
    if event.type == "jump_taken_back":
        known = view.winnable if holes == view.holes else None
        return SolitaireView("play", holes, last="" if document["undone"] else view.last, winnable=known)
    return replace(view, state="won" if document["won"] else "over", holes=holes)


def table_view(view: SolitaireView) -> TableView:
    """The lamps: the player's own while it is to jump, green when solved, red for a wrong jump, amber when it is lost."""
    if view.state == "wrong":
        return TableView(phase=Phase.ILLEGAL, side="light", verdict=Verdict.RED)
    if view.state == "won":
        return TableView(phase=Phase.OVER, verdict=Verdict.GREEN)
    if view.state == "over" or view.winnable is False:
        return TableView(phase=Phase.ROLL, side="light", verdict=Verdict.AMBER)
    return TableView(phase=Phase.ROLL if view.state == "play" else Phase.WAITING, side="light")


def solitaire_outputs(settings: Settings) -> list[Output]:
    """Lights, buzzer and small display as the settings say; what is missing is said once."""
    from pi_board.panel.language import load_language
    from pi_board.panel.panel import Panel

    panel = Panel(
        replace(settings.panel, buttons=False), lambda word: None, clock=lambda: time.strftime("%H:%M")
    )
    for notice in panel.notices:
        print(notice, file=sys.stderr)
    outputs: list[Output] = [panel]
    if settings.display.kind != "none":
        from pi_board.panel.display import SmallDisplay, open_device
        from pi_board.panel.pins import load_pins

        pins = load_pins(settings.panel.pins or None)
        language = load_language(settings.panel.language)
        outputs.append(SmallDisplay(settings.display, language, lambda: open_device(settings.display, pins)))
    return outputs
