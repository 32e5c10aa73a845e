"""What several screens share: the lowest line, names, a board on its place."""

from __future__ import annotations

from PIL import Image

from pi_board.panel import board_picture as board
from pi_board.panel.canvas import AMBER, BLACK, GREEN, RED, DisplayCanvas
from pi_board.panel.language import Language
from pi_board.panel.lettering import LETTER, Ink
from pi_board.table import TableView, VerdictColour


def score_words(view: TableView, language: Language) -> tuple[str, str]:
    """The score with the length of the match: in words, and as short as can be."""
    score = f"{view.score[0]}-{view.score[1]}"
    if not view.match_length:
        return score, score
    return (
        f"{score} {language.screens['match'].format(length=view.match_length)}",
        f"{score}/{view.match_length}",
    )


def bottom_line(c: DisplayCanvas, view: TableView, language: Language) -> None:
    """Pips of both sides and the score on the lowest line."""
    s, y = c.scale, c.height - c.pitch
    x, mark = 0, c.pitch * 3 // 5
    if view.pips is not None:
        for side, pips in zip(("light", "dark"), view.pips, strict=True):
            c.checker(x, y + (c.pitch - mark) // 2, side, mark)
            x = c.text(x + mark + 2 * s, y, str(pips)) + 4 * s
    words, short = score_words(view, language)
    fits = c.body.width(words) <= c.width - x
    c.text(x, y, words if fits else short, right=c.width)


def named(c: DisplayCanvas, x: int, y: int, side: str, act: str, view: TableView, language: Language) -> None:
    """ "Anna to play"; a name too long for the line is shortened, its verb is not."""
    name = language.side(side, view.names)
    letters = c.best(f"{name} {act}", c.width - x, c.body, c.small)
    while len(name) > 2 and letters.width(f"{name} {act}") > c.width - x:
        name = name[:-2].rstrip(" .") + "."
    c.text(x, y, f"{name} {act}", letters=letters)


def fault_words(language: Language, fault: str) -> str:
    """A sentence about the program itself, in the players' language; the page and the terminal have the technical one."""
    return language.screens.get(f"fault_{fault}", language.screens["fault_other"]) if fault else ""


def put_board(c: DisplayCanvas, x: int, y: int, size: board.Size, picture: Image.Image) -> None:
    c.place("board", (x, y, x + size.width, y + size.height))
    c.image.paste(picture, (x, y))


def side_column(c: DisplayCanvas, lines: list[tuple[str, Ink]]) -> None:
    """Beside the board of a display without room: seven letters a line, a longer play broken at its stops."""
    x = board.SMALL.width + 3
    columns = (c.width - x) // LETTER
    y = 0
    for text, ink in lines:
        parts = [text] if len(text) <= columns else text.replace("/", " /").replace("(", " (").split()
        joined: list[str] = []
        for part in parts:
            if joined and len(joined[-1]) + len(part) <= columns:
                joined[-1] += part
            else:
                joined.append(part)
        for part in joined:
            if y + c.pitch > c.height + 1:
                return
            c.text(x, y, part, ink=ink)
            y += c.pitch


def verdict_bar(
    c: DisplayCanvas, view: TableView, language: Language, height: int, dots: int = 0, at: int = 0
) -> None:
    """The word of a verdict with its icon, so that it is told without colour; dots: the faces, the one shown filled."""
    s = c.scale
    word, ink = {
        VerdictColour.GREEN: (language.screens["legal"], GREEN),
        VerdictColour.AMBER: (language.screens["attention"], AMBER),
        VerdictColour.RED: (language.screens["illegal"], RED),
    }[view.verdict]
    c.draw.rectangle((0, 0, c.width - 1, height - 1), fill=ink)
    size = min(12 * s, height - 3)
    icon = {VerdictColour.GREEN: c.tick, VerdictColour.AMBER: c.mark, VerdictColour.RED: c.cross}[
        view.verdict
    ]
    icon(3 * s, (height - size) // 2, size, BLACK)
    right = c.width - 2 * s
    if dots > 1:
        # One above the other: the word needs the width.
        r, step = (3, 10) if c.roomy else (1, 4)
        x, first = right - 2 * r - 1, (height - dots * step) // 2 + (step - 2 * r) // 2
        for i in range(dots):
            y = first + i * step
            c.draw.ellipse((x, y, x + 2 * r, y + 2 * r), fill=BLACK if i == at else None, outline=BLACK)
        right = x - 2 * s
    x = 6 * s + size
    for letters in c.heads:
        first, last = letters.rows(word)
        if last - first <= height - 2 and letters.width(word) <= right - x:
            break
    c.text(x, (height - last - first + 1) // 2, word, ink=BLACK, letters=letters, room=right - x)
