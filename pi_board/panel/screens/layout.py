"""Which screen is drawn for what is to be shown (pure)."""

from __future__ import annotations

from PIL import Image

from pi_board.panel.board_picture import Seat
from pi_board.panel.canvas import DisplayCanvas
from pi_board.panel.language import Language
from pi_board.panel.screens.advice import draw_coach, draw_hint, draw_hint_on_board
from pi_board.panel.screens.menu import draw_address, draw_plays, draw_score
from pi_board.panel.screens.showing import PAGES, Showing, blocked, faces
from pi_board.panel.screens.turn import draw_legal, draw_set_up, draw_turn
from pi_board.panel.screens.verdict import draw_cannot_see, draw_question, draw_verdict
from pi_board.panel.solitaire_screen import draw_solitaire
from pi_board.table import Phase, VerdictColour


def draw(
    showing: Showing, language: Language, size: tuple[int, int], *, colour: bool, seat: Seat | None = None
) -> Image.Image:
    """The screen for `showing`: "RGB" of `size`, or "1" without colour. seat: how the board lies under the camera."""
    return lay_out(showing, language, size, colour=colour, seat=seat).finished()


def lay_out(
    showing: Showing, language: Language, size: tuple[int, int], *, colour: bool, seat: Seat | None = None
) -> DisplayCanvas:
    """The canvas of `draw`, which knows what was placed where."""
    c = DisplayCanvas(size, colour=colour)
    view, seat = showing.view, seat or Seat()
    # The address is the only menu page that solitaire shares with backgammon.
    asked = PAGES[showing.page] == "address"
    if showing.solitaire is not None and not view.view_blocked and not asked:
        draw_solitaire(c, showing.solitaire, language)
    elif showing.solitaire is not None and asked:
        draw_address(c, showing.address, language)
    elif view.question:
        draw_question(c, view, language)
    elif blocked(view):
        draw_cannot_see(c, view, language, showing.fault)
    elif view.verdict is VerdictColour.RED or view.verdict is VerdictColour.AMBER:
        order = faces(showing, roomy=c.roomy)
        draw_verdict(c, view, language, order, showing.turned % len(order), seat)
    elif showing.hint is not None:
        order = faces(showing, roomy=c.roomy)
        if order[showing.turned % len(order)] == "play":
            draw_hint_on_board(c, showing, showing.hint, language, seat)
        else:
            draw_hint(c, showing.hint, language)
    elif showing.coach is not None:
        draw_coach(c, showing.coach, language)
    elif PAGES[showing.page] == "score":
        draw_score(c, view, language)
    elif PAGES[showing.page] == "plays":
        draw_plays(c, view, language)
    elif PAGES[showing.page] == "address":
        draw_address(c, showing.address, language)
    elif view.phase in (Phase.WAITING, Phase.OPENING, Phase.OVER, Phase.PAUSED):
        draw_set_up(c, view, language, showing.fault)
    elif view.verdict is VerdictColour.GREEN:
        draw_legal(c, view, language)
    else:
        draw_turn(c, view, language, showing.fault)
    return c
