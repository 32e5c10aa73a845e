"""Hints, and what the coach says of a play."""

from __future__ import annotations

from pi_board.output import CoachNote, Hint
from pi_board.panel import board_picture as board
from pi_board.panel.board_picture import Seat, draw_board, ways_of
from pi_board.panel.canvas import AMBER, GREEN, GREY, RED, WHITE, DisplayCanvas, wrap
from pi_board.panel.language import Language
from pi_board.panel.screens.parts import put_board, side_column
from pi_board.panel.screens.showing import Showing


def draw_hint_on_board(
    c: DisplayCanvas, showing: Showing, hint: Hint, language: Language, seat: Seat
) -> None:
    """The best play as arrows, the player's own side below."""
    best = hint.lines[0]
    size = board.LARGE if c.roomy else board.SMALL
    ways = ways_of(hint.side, best.moves)
    picture = draw_board(showing.hint_on, ways, size, seat.of(hint.side), ink=GREEN, colour=c.colour)
    worth = f"{best.equity:+.2f}"
    if not c.roomy:
        put_board(c, 0, 0, size, picture)
        side_column(c, [*((word, WHITE) for word in best.play.split()), (worth, GREY)])
        return
    dice = "-".join(map(str, hint.dice)) if hint.dice else ""
    c.title(language.screens["hint"], right=dice)
    put_board(c, (c.width - size.width) // 2, 37, size, picture)
    y = 37 + size.height + 2
    room = c.width - c.body.width(worth) - 8
    c.text(0, y, best.play, ink=GREEN, letters=c.best(best.play, room, c.body, c.small, c.tiny), room=room)
    c.text(0, y, worth, right=c.width)


def cube_words(hint: Hint, language: Language) -> str:
    """What to do with the cube, "" when the hint is about a play."""
    if not hint.cube:
        return ""
    key = {"no double": "no_double", "double, take": "double_take", "double, pass": "double_pass"}.get(
        hint.cube, "too_good"
    )
    text = language.screens[key]
    return text[0].upper() + text[1:]


def draw_hint(c: DisplayCanvas, hint: Hint, language: Language) -> None:
    """The best plays with what they are worth; what does not fit on one line takes two."""
    words = language.screens
    dice = "-".join(map(str, hint.dice)) if hint.dice else ""
    y = c.title(words["hint"], right=dice)
    if hint.cube:
        y = c.paragraph(y, cube_words(hint, language), large=True)
    chance = words["win"].format(percent=round(100 * hint.lines[0].win)) if hint.lines and c.roomy else ""
    bottom = c.height - (c.pitch if chance else 0)
    for i, line in enumerate(hint.lines):
        worth = f"{line.equity:+.2f}"
        ink = GREEN if i == 0 else GREY
        room = c.width - c.body.width(f" {worth}")
        letters = c.best(line.play, room, c.body, c.small)
        if letters.width(line.play) <= room:
            if y + c.pitch > bottom:
                break
            c.text(0, y, line.play, letters=letters)
            c.text(0, y, worth, right=c.width, ink=ink)
            y += c.pitch
        else:
            lines = wrap(f"{line.play} {worth}", c.width, c.body.width)
            if y + len(lines) * c.pitch > bottom:
                break
            y = c.paragraph(y, f"{line.play} {worth}", bottom=y + len(lines) * c.pitch)
    if chance:
        c.text(0, bottom, chance, ink=GREY)


def draw_coach(c: DisplayCanvas, note: CoachNote, language: Language) -> None:
    words = language.screens
    ink = RED if note.grade == "blunder" else AMBER
    grade = words.get(note.grade, note.grade)
    grade = grade[0].upper() + grade[1:]
    # Two long plays leave no line for the grade.
    y = c.title(words["coach"] if c.roomy else grade, ink=ink, right=f"-{abs(note.loss):.2f}")
    mark = c.pitch * 3 // 5
    c.checker(0, y + (c.pitch - mark) // 2, note.side, mark)
    y = c.paragraph(y, note.play, x=mark + 3 * c.scale, bottom=y + 2 * c.pitch)
    if c.roomy:
        y = c.paragraph(y, grade, ink=ink, bottom=y + c.pitch)
    c.paragraph(y, f"{words['best']}{language.colon}{note.best}", ink=GREEN)
