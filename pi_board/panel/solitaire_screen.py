"""What the small display shows while the 37-hole game is played (pure)."""

from __future__ import annotations

from pi_board.output import SolitaireView
from pi_board.panel.canvas import AMBER, GREEN, GREY, RED, WHITE, DisplayCanvas, wrap
from pi_board.panel.language import Language
from pi_board.panel.lettering import Ink

#: Holes in each row of the board, and of the widest.
ROWS, WIDTH = (3, 5, 7, 7, 7, 5, 3), 7


def solitaire_sentence(view: SolitaireView, language: Language) -> str:
    """What is to be said now, in the player's language."""
    words = language.solitaire
    if view.state == "wrong":
        return words.get(f"wrong_{view.code}", words["wrong_unclear"])
    if view.state == "over":
        return words["over"].format(pieces=view.pieces)
    if view.state == "play":
        return (
            words["lost"]
            if view.winnable is False
            else words["winnable"]
            if view.winnable
            else words["unknown"]
        )
    return words[view.state]


def draw_solitaire(c: DisplayCanvas, view: SolitaireView, language: Language) -> None:
    """The board on the left (above on a square display); pieces, last jump and what is to be said beside it."""
    ink: Ink = {"wrong": RED, "won": GREEN, "over": AMBER}.get(view.state, WHITE)
    if view.state == "play" and view.winnable is False:
        ink = AMBER
    top = c.title(language.solitaire["title"], ink=ink, right=str(view.pieces)) if c.roomy else 0
    edge = min(c.width, (c.height - top) * 3 // 5) if c.roomy else min(c.height - top, c.width // 2)
    left = (c.width - edge) // 2 if c.roomy else 0
    c.place("board", (left, top, left + edge, top + edge))
    _board(c, view, left, top, edge // WIDTH)
    sentence = solitaire_sentence(view, language)
    # The next jump when it was asked for, else the last one.
    jump = "" if view.state == "wrong" else f"> {view.hint}" if view.hint else view.last
    if c.roomy:
        y = top + edge + 2 * c.scale
        if jump:
            c.text(0, y, jump, ink=GREY)
            y += c.pitch
        c.paragraph(y, sentence, ink=ink)
        return
    # Beside the board a line holds ten letters, so long words are broken but never cut.
    x, room = edge + 2, c.width - edge - 2
    lines = [str(view.pieces)] if view.state != "wrong" else []
    if jump:
        lines.append(jump[-(room // c.body.width("0")) :])
    said = wrap(sentence, room, c.body.width)
    most = c.height // c.pitch
    lines = said if len(lines) + len(said) > most else [*lines, *said]
    for i, line in enumerate(lines[:most]):
        c.text(x, i * c.pitch, line, ink=ink)


def _board(c: DisplayCanvas, view: SolitaireView, left: int, top: int, pitch: int) -> None:
    """Discs for pieces, small rings for empty holes; what differs from the expected position has a thick ring."""
    radius = max(2, pitch * 2 // 5)
    number = 0
    for row, n in enumerate(ROWS):
        for i in range(n):
            x = left + ((WIDTH - n) // 2 + i) * pitch + pitch // 2
            y = top + row * pitch + pitch // 2
            box = (x - radius, y - radius, x + radius, y + radius)
            if view.holes[number]:
                c.draw.ellipse(box, fill=WHITE)
            else:
                small = max(1, radius // 2)
                c.draw.ellipse((x - small, y - small, x + small, y + small), outline=GREY)
            if view.hint and str(number + 1) in view.hint.split("-"):
                c.draw.rectangle(
                    (x - radius - 1, y - radius - 1, x + radius + 1, y + radius + 1), outline=GREEN
                )
            if view.seen and view.seen[number] != view.holes[number]:
                c.draw.rectangle(
                    (x - radius - 1, y - radius - 1, x + radius + 1, y + radius + 1), outline=RED
                )
            number += 1
