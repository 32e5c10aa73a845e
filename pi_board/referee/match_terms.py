"""What the players agree on before the first roll of a match: how it is refereed, and whether hints may be asked for."""

from __future__ import annotations

from dataclasses import replace

from pi_board import events as ev
from pi_board.events import Event
from pi_board.referee.match_options import MODES, Mode
from pi_board.referee.match_part import MatchInterface, MatchPart
from pi_board.referee.table_view import saying
from pi_board.rules import SIDES
from pi_board.table import Phase, TableView, VerdictColour

#: Phases before the first roll.
BEFORE_THE_ROLL = (Phase.WAITING, Phase.OPENING)


class MatchTerms(MatchPart):
    """hints: they may be asked for. The way to referee is the announcer's `mode`."""

    def __init__(self, match_play: MatchInterface) -> None:
        super().__init__(match_play)
        self.hints = True
        self._agreed = True
        #: What the table is still asked: "mode", "light", "dark".
        self._steps: list[str] = []
        self._offered: Mode = "legal"

    def begin(self, event: ev.MatchStarted) -> None:
        """A match begins, with an announcer of its own."""
        options = self.match_play.options
        self._steps, self.hints = [], True
        if options is None:
            return
        self._offered = options.mode
        self.announcer.mode = options.mode
        if event.match_length:
            self.hints = options.hints == "free"
            if options.ask:
                self._steps = ["mode", *(SIDES if options.hints == "agreed" else ())]
        self._agreed = False

    def restore(self, event: Event) -> None:
        """One event of a journal."""
        if isinstance(event, ev.MatchStarted):
            self.begin(event)
        elif isinstance(event, ev.MatchAgreed):
            self.announcer.mode, self.hints = event.mode, event.hints
            self._agreed, self._steps = True, []
        elif isinstance(event, ev.OpeningThrown | ev.DiceRolled):
            self._steps = []

    @property
    def asks(self) -> bool:
        """The next yes or no answers what the table is asked."""
        state = self.state
        return bool(self._steps) and state.phase in BEFORE_THE_ROLL and not state.question

    def answer(self, yes: bool) -> None:
        """What the table says to the question that it is asked."""
        step = self._steps[0]
        if step == "mode":
            if not yes:
                self._offered = MODES[(MODES.index(self._offered) + 1) % len(MODES)]
                return
            self.announcer.mode = self._offered
            self._steps.pop(0)
        elif yes and len(self._steps) > 1:
            self._steps.pop(0)
        else:
            # One refusal ends it.
            self.hints, self._steps = yes, []
        if not self._steps:
            self.close()

    def close(self) -> None:
        """What holds from the first roll on; said once."""
        if self.match_play.options is not None and not self._agreed:
            self._agreed = True
            self.match_play.add(ev.MatchAgreed(time=self.now, mode=self.announcer.mode, hints=self.hints))
        self._steps = []

    def shown(self, view: TableView) -> TableView | None:
        """`view` with the question; None where nothing is asked."""
        if not self._steps or view.phase not in BEFORE_THE_ROLL:
            return None
        step = self._steps[0]
        view = (
            saying(view, f"ask_{self._offered}", {})
            if step == "mode"
            else saying(view, "ask_hints", {"side": step})
        )
        return replace(view, question=view.message, verdict=VerdictColour.NONE)
