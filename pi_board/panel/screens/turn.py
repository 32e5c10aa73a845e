"""Whose turn it is, with dice and clocks; the set-up before a game, and a play that is legal."""

from __future__ import annotations

from pi_board.panel.canvas import AMBER, BLACK, GREY, RED, WHITE, DisplayCanvas, wrap
from pi_board.panel.language import Language
from pi_board.panel.screens.parts import bottom_line, fault_words, named, score_words, verdict_bar
from pi_board.table import ClockView, Phase, TableView, clock_words

#: What the title of a turn says already, so that no sentence repeats it.
PLAIN = ("to_roll", "to_play", "doubled", "resigned")


def draw_set_up(c: DisplayCanvas, view: TableView, language: Language, fault: str) -> None:
    words = language.screens
    title = words["waiting"] if view.phase is Phase.PAUSED else words["set_up"]
    if view.phase is Phase.OPENING:
        title = words["opening"]
    long, short = score_words(view, language)
    bar = c.width - 6 * c.scale
    y = c.title(title, right=long if c.body.width(title) + c.body.width(f" {long}") <= bar else short)
    foot = c.height - c.pitch
    y = c.paragraph(y, language.sentence(view), bottom=foot if c.roomy else c.height, large=not fault)
    if y > foot + 1:
        return
    if fault:
        # The sentence comes first; what is wrong with the program may be said where the rules stand.
        lines = wrap(fault_words(language, fault), c.width, c.body.width)
        y = max(y, c.height - len(lines) * c.pitch)
        if y + len(lines) * c.pitch <= c.height + 2:
            c.paragraph(y, fault_words(language, fault), ink=AMBER, bottom=c.height + 2)
        return
    text = view.rules
    if view.match_length and view.crawford_game:
        both = f"{text} {words['crawford']}"
        text = both if c.small.width(both) <= c.width else words["crawford"]
    c.text(0, foot, text, ink=GREY, letters=c.best(text, c.width, c.body, c.small))


def draw_turn(c: DisplayCanvas, view: TableView, language: Language, fault: str) -> None:
    """Whose turn it is, the dice as large as they go, pips and score; what else is to be said below the dice."""
    s, words = c.scale, language.screens
    act = {Phase.ROLL: "roll", Phase.DOUBLED: "answer", Phase.RESIGNED: "answer"}.get(view.phase, "play")
    mark = c.pitch * 3 // 4
    sentence = language.sentence(view)
    said = view.message_code in PLAIN and view.side is not None
    answer = view.phase in (Phase.DOUBLED, Phase.RESIGNED)
    if (
        answer
        and not c.roomy
        and len(wrap(sentence, c.width, c.body.width)) > (c.height - c.pitch) // c.pitch
    ):
        # Both names are in the sentence, which needs the title's line.
        c.paragraph(0, sentence, bottom=c.height)
        return
    if view.side is not None:
        c.checker(0, (c.pitch - mark) // 2, view.side, mark)
        named(c, mark + 3 * s, 0, view.side, words[act], view, language)
    top, foot = c.pitch + 3 * s, c.height - c.pitch
    if answer:
        if c.paragraph(top, sentence, bottom=foot if c.roomy else c.height, large=True) <= foot + 1:
            bottom_line(c, view, language)
        return
    message = "" if said else sentence
    if view.clock is not None and not message and not fault:
        _dice_and_clocks(c, view, view.clock, top, foot)
        bottom_line(c, view, language)
        return
    ink = WHITE
    if fault and (c.roomy or not message):
        message, ink = fault_words(language, fault), AMBER
    if not c.roomy and message and ink != AMBER:
        # No room for dice beside a sentence: they are named in it, or lie on the board.
        lines = wrap(message, c.width, c.body.width)
        first = 0 if view.side is None else c.pitch
        foot = foot if first + len(lines) * c.pitch <= foot else c.height
        c.paragraph(first + (2 if first else 0), message, bottom=foot + 2, ink=ink)
        if foot < c.height:
            bottom_line(c, view, language)
        return
    if not c.roomy and message and c.body.width(message) > c.width:
        foot = c.height
    cubed = view.cube > 1 or view.cube_owner is not None
    edge = 62 if message else 84 if cubed else 92
    if not c.roomy:
        edge = 22 if message else 30
    for i in range(2):
        x = 2 * s + i * (edge + 5 * s)
        if view.dice is not None:
            c.die(x, top, view.dice[i], edge)
        else:
            c.draw.rounded_rectangle((x, top, x + edge - 1, top + edge - 1), radius=edge // 6, outline=GREY)
    if cubed:
        cube = 18 * s
        x = c.width - cube - s
        c.cube(x, top, view.cube, cube)
        if view.cube_owner is not None:
            mark = 7 * s
            below = x + (cube - mark) // 2, top + cube + s
            c.checker(
                *(below if c.roomy else (x - mark - 2, top + (cube - mark) // 2)), view.cube_owner, mark
            )
    if message:
        c.paragraph(
            top + edge + (4 * s if c.roomy else 1),
            message,
            bottom=foot + (0 if c.roomy else 2),
            large=True,
            ink=ink,
        )
    if foot < c.height:
        bottom_line(c, view, language)


def _dice_and_clocks(c: DisplayCanvas, view: TableView, clock: ClockView, top: int, foot: int) -> None:
    """Both clocks as large as they go, the one that runs on white; the dice above them, or beside them where it is narrow."""
    s = c.scale
    cubed = view.cube > 1 or view.cube_owner is not None
    edge = 62 if c.roomy else 20
    for i in range(2 if view.dice is not None or c.roomy else 0):
        x = 2 * s + i * (edge + 5 * s)
        if view.dice is not None:
            c.die(x, top, view.dice[i], edge)
        else:
            c.draw.rounded_rectangle((x, top, x + edge - 1, top + edge - 1), radius=edge // 6, outline=GREY)
    if cubed and c.roomy:
        c.cube(c.width - 18 * s - s, top, view.cube, 18 * s)
    if c.roomy:
        room, y = (c.width - 4) // 2, top + edge + 8
        boxes = [(0, y, room, foot - y - 6), (room + 4, y, room, foot - y - 6)]
    else:
        left = 2 * (edge + 5) + 4 if view.dice is not None else 10
        room, height = c.width - left, (foot - top) // 2
        boxes = [(left, top, room, height - 1), (left, top + height, room, height - 1)]
    for side, (x, y, room, height) in zip(("light", "dark"), boxes, strict=True):
        word = clock_words(clock.light if side == "light" else clock.dark)
        mark = c.pitch * 3 // 5
        runs = clock.running and clock.side == side
        ink = RED if c.colour and word.startswith("-") else WHITE
        if runs:
            c.draw.rectangle((x, y, x + room - 1, y + height - 1), fill=ink)
        else:
            c.draw.rectangle((x, y, x + room - 1, y + height - 1), outline=GREY if c.roomy else WHITE)
        fits = [f for f in c.clocks if f.width(word) <= room - mark - 6 and f.pitch <= height + 3]
        letters = fits[0] if fits else c.small
        at = x + mark + 3 + max(0, (room - mark - 3 - letters.width(word)) // 2)
        first, last = letters.rows(word)
        c.text(
            at, y + (height - first - last) // 2, word, ink=BLACK if runs else ink, letters=letters, over=True
        )
        if c.roomy:
            c.checker(x + 4, y + (height - mark) // 2, side, mark)
        else:
            # Light's ring would not be seen on white.
            dot = (x + 2, y + (height - mark) // 2)
            box = (*dot, dot[0] + mark - 1, dot[1] + mark - 1)
            front = BLACK if runs else WHITE
            c.draw.ellipse(box, fill=front if side == "light" else None, outline=front)


def draw_legal(c: DisplayCanvas, view: TableView, language: Language) -> None:
    bar = 18 * c.scale if c.roomy else 24
    verdict_bar(c, view, language, bar)
    foot = c.height - c.pitch
    text = language.sentence(view)
    if view.play:
        side = language.side(view.side, view.names) if view.side else ""
        text = f"{side}{language.colon}{view.play}" if side else view.play
        if len(wrap(text, c.width, c.small.width)) * c.small.pitch > foot - bar:
            text = view.play
    c.paragraph(bar + 2 * c.scale, text, bottom=foot, large=True)
    bottom_line(c, view, language)
