"""What a screen is drawn from, which face of it is shown, and how long hints and menu pages stay."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pi_board.output import CoachNote, Hint, Moment, SolitaireView
from pi_board.table import Phase, TableView, VerdictColour

#: Seconds that a hint, a coach's note and a menu page stay before the game comes back by itself.
HINT_SECONDS, COACH_SECONDS, MENU_SECONDS = 30.0, 6.0, 20.0
#: Pages that the button `next` turns through; 0 is the game itself.
PAGES = ("game", "score", "plays", "address")
#: Messages of amber that are about checkers, which a drawn board shows.
ON_THE_BOARD = ("put_back", "checker_missing", "checker_added", "unclear_position")


@dataclass(frozen=True, slots=True)
class Showing:
    """All that a screen is drawn from. Times are those of the moments (monotonic seconds).

    hint_on: the position that the hint is about. turned: how often `next` was pressed on a screen with several faces.
    """

    view: TableView
    fault: str = ""
    hint: Hint | None = None
    hint_on: Any = None
    hint_until: float = 0.0
    coach: CoachNote | None = None
    coach_until: float = 0.0
    page: int = 0
    page_until: float = 0.0
    presses: int = 0
    turned: int = 0
    address: str = ""
    now: float = 0.0
    solitaire: SolitaireView | None = None

    def after(self, moment: Moment) -> Showing:
        """What is to be shown after a moment."""
        next_ = replace(
            self, view=moment.view, fault=moment.fault, now=moment.time, solitaire=moment.solitaire
        )
        acted = any(e.type in ("dice_rolled", "turn_ended", "game_won") for e in moment.events)
        if moment.hint is not None:
            view = moment.view
            on = view.expected if view.phase is Phase.ILLEGAL and view.expected is not None else view.position
            next_ = replace(
                next_,
                hint=moment.hint,
                hint_on=on,
                hint_until=moment.time + HINT_SECONDS,
                coach=None,
                page=0,
                turned=0,
            )
        elif acted or moment.time >= self.hint_until:
            next_ = replace(next_, hint=None)
        if moment.coach is not None and moment.coach.grade != "fine":
            next_ = replace(next_, coach=moment.coach, coach_until=moment.time + COACH_SECONDS)
        elif moment.time >= self.coach_until:
            next_ = replace(next_, coach=None)
        if next_._subject() != self._subject():
            next_ = replace(next_, turned=0)
        if moment.page != self.presses:
            return next_._pressed(moment.page, moment.time)
        if moment.time >= self.page_until:
            next_ = replace(next_, page=0)
        return next_

    def _pressed(self, presses: int, now: float) -> Showing:
        """After `next`: the other face of what is shown, then away with it, then the pages."""
        more, turned = presses - self.presses, replace(self, presses=presses)
        if self._judging():
            return replace(turned, turned=self.turned + more)
        if self.hint is not None and self.turned + more < len(faces(self)):
            return replace(turned, turned=self.turned + more)
        on_top = self.hint is not None or self.coach is not None
        page = 0 if on_top else (self.page + more) % len(PAGES)
        return replace(turned, page=page, page_until=now + MENU_SECONDS, hint=None, coach=None, turned=0)

    def _judging(self) -> bool:
        """A verdict with several faces lies above everything else."""
        return self.view.verdict in (VerdictColour.RED, VerdictColour.AMBER) and len(faces(self)) > 1

    def _subject(self) -> tuple[Any, ...]:
        """What the faces belong to."""
        v = self.view
        if v.verdict in (VerdictColour.RED, VerdictColour.AMBER):
            return v.verdict, v.message_code, v.message_args
        return (self.hint,)


def faces(showing: Showing, *, roomy: bool = True) -> tuple[str, ...]:
    """The faces of what is shown, in the order of `next`: "fault", "expected", "play" are boards, "words", "list" are text.

    roomy: the display has room for a board and a line of text; on a smaller one a verdict gives its reason first.
    """
    view = showing.view
    if blocked(view) or view.question:
        return ("words",)
    if view.verdict is VerdictColour.RED:
        pictures = (("fault",) if view.seen is not None and view.expected is not None else ()) + (
            ("expected",) if view.expected is not None and view.message_args.get("example") else ()
        )
    elif view.verdict is VerdictColour.AMBER:
        pictures = ("expected",) if view.expected is not None and view.message_code in ON_THE_BOARD else ()
    elif showing.hint is not None:
        if showing.hint_on is not None and showing.hint.lines and showing.hint.lines[0].moves:
            return ("play", "list")
        return ("list",)
    else:
        return ("words",)
    return (*pictures, "words") if roomy else ("words", *pictures)


def blocked(view: TableView) -> bool:
    """The camera can't see the board."""
    return (
        bool(view.view_blocked) or view.message_code.startswith("view_") or view.message_code == "board_moved"
    )
