"""What the small display shows at each moment: one screen, drawn to a picture (pure).

People look sooner than they read: what was played against the rules, what is expected and what is advised is drawn on a board. Such a
screen has several faces (the picture, the words), which the button `next` turns.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from PIL import Image

from pi_board.output import CoachNote, Hint, Moment, SolitaireView
from pi_board.panel import board_picture as board
from pi_board.panel.board_picture import Seat, Way, draw_board, own_point, ways_between, ways_of, ways_to_mend
from pi_board.panel.canvas import AMBER, BLACK, GREEN, GREY, RED, WHITE, DisplayCanvas, wrap
from pi_board.panel.language import Language
from pi_board.panel.lettering import LETTER, Ink
from pi_board.panel.solitaire_screen import draw_solitaire
from pi_board.table import ClockView, Phase, TableView, VerdictColour, clock_words

#: Seconds that a hint, a coach's note and a menu page stay before the game comes back by itself.
HINT_SECONDS, COACH_SECONDS, MENU_SECONDS = 30.0, 6.0, 20.0
#: Pages that the button `next` turns through; 0 is the game itself.
PAGES = ("game", "score", "plays", "address")
#: Messages of amber that are about checkers, which a drawn board shows.
ON_THE_BOARD = ("put_back", "checker_missing", "checker_added", "unclear_position")
#: More arrows than these are no help.
MOST_WAYS = 6
#: What the title of a turn says already, so that no sentence repeats it.
PLAIN = ("to_roll", "to_play", "doubled", "resigned")


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
        _address(c, showing.address, language)
    elif view.question:
        _question(c, view, language)
    elif blocked(view):
        _cannot_see(c, view, language, showing.fault)
    elif view.verdict is VerdictColour.RED or view.verdict is VerdictColour.AMBER:
        order = faces(showing, roomy=c.roomy)
        _verdict(c, view, language, order, showing.turned % len(order), seat)
    elif showing.hint is not None:
        order = faces(showing, roomy=c.roomy)
        if order[showing.turned % len(order)] == "play":
            _hint_on_board(c, showing, showing.hint, language, seat)
        else:
            _hint(c, showing.hint, language)
    elif showing.coach is not None:
        _coach(c, showing.coach, language)
    elif PAGES[showing.page] == "score":
        _score(c, view, language)
    elif PAGES[showing.page] == "plays":
        _plays(c, view, language)
    elif PAGES[showing.page] == "address":
        _address(c, showing.address, language)
    elif view.phase in (Phase.WAITING, Phase.OPENING, Phase.OVER, Phase.PAUSED):
        _set_up(c, view, language, showing.fault)
    elif view.verdict is VerdictColour.GREEN:
        _legal(c, view, language)
    else:
        _turn(c, view, language, showing.fault)
    return c


def reason_of(view: TableView, language: Language, *, brief: bool) -> str:
    """The sentence below a verdict. Of an illegal play the reason alone, since its word stands above it; brief: the rule in few words."""
    code = str(view.message_args.get("code", ""))
    if view.message_code != "illegal" or code not in language.reasons:
        return language.sentence(view)
    full = str(view.message_args.get("reason", "")) if language.code == "en" else ""
    reason = language.brief[code] if brief else full or language.reasons[code]
    return reason[0].upper() + reason[1:]


# ------------------------------------------------------------------------------------------- what several screens share


def _score_words(view: TableView, language: Language) -> tuple[str, str]:
    """The score with the length of the match: in words, and as short as can be."""
    score = f"{view.score[0]}-{view.score[1]}"
    if not view.match_length:
        return score, score
    return (
        f"{score} {language.screens['match'].format(length=view.match_length)}",
        f"{score}/{view.match_length}",
    )


def _bottom(c: DisplayCanvas, view: TableView, language: Language) -> None:
    """Pips of both sides and the score on the lowest line."""
    s, y = c.scale, c.height - c.pitch
    x, mark = 0, c.pitch * 3 // 5
    if view.pips is not None:
        for side, pips in zip(("light", "dark"), view.pips, strict=True):
            c.checker(x, y + (c.pitch - mark) // 2, side, mark)
            x = c.text(x + mark + 2 * s, y, str(pips)) + 4 * s
    words, short = _score_words(view, language)
    fits = c.body.width(words) <= c.width - x
    c.text(x, y, words if fits else short, right=c.width)


def _named(
    c: DisplayCanvas, x: int, y: int, side: str, act: str, view: TableView, language: Language
) -> None:
    """ "Anna to play"; a name too long for the line is shortened, its verb is not."""
    name = language.side(side, view.names)
    letters = c.best(f"{name} {act}", c.width - x, c.body, c.small)
    while len(name) > 2 and letters.width(f"{name} {act}") > c.width - x:
        name = name[:-2].rstrip(" .") + "."
    c.text(x, y, f"{name} {act}", letters=letters)


def _fault(language: Language, fault: str) -> str:
    """A sentence about the program itself, in the players' language; the page and the terminal have the technical one."""
    return language.screens.get(f"fault_{fault}", language.screens["fault_other"]) if fault else ""


def _put_board(c: DisplayCanvas, x: int, y: int, size: board.Size, picture: Image.Image) -> None:
    c.place("board", (x, y, x + size.width, y + size.height))
    c.image.paste(picture, (x, y))


def _side_column(c: DisplayCanvas, lines: list[tuple[str, Ink]]) -> None:
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


# ------------------------------------------------------------------------------------------- the game


def _set_up(c: DisplayCanvas, view: TableView, language: Language, fault: str) -> None:
    words = language.screens
    title = words["waiting"] if view.phase is Phase.PAUSED else words["set_up"]
    if view.phase is Phase.OPENING:
        title = words["opening"]
    long, short = _score_words(view, language)
    bar = c.width - 6 * c.scale
    y = c.title(title, right=long if c.body.width(title) + c.body.width(f" {long}") <= bar else short)
    foot = c.height - c.pitch
    y = c.paragraph(y, language.sentence(view), bottom=foot if c.roomy else c.height, large=not fault)
    if y > foot + 1:
        return
    if fault:
        # The sentence comes first; what is wrong with the program may be said where the rules stand.
        lines = wrap(_fault(language, fault), c.width, c.body.width)
        y = max(y, c.height - len(lines) * c.pitch)
        if y + len(lines) * c.pitch <= c.height + 2:
            c.paragraph(y, _fault(language, fault), ink=AMBER, bottom=c.height + 2)
        return
    text = view.rules
    if view.match_length and view.crawford_game:
        both = f"{text} {words['crawford']}"
        text = both if c.small.width(both) <= c.width else words["crawford"]
    c.text(0, foot, text, ink=GREY, letters=c.best(text, c.width, c.body, c.small))


def _turn(c: DisplayCanvas, view: TableView, language: Language, fault: str) -> None:
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
        _named(c, mark + 3 * s, 0, view.side, words[act], view, language)
    top, foot = c.pitch + 3 * s, c.height - c.pitch
    if answer:
        if c.paragraph(top, sentence, bottom=foot if c.roomy else c.height, large=True) <= foot + 1:
            _bottom(c, view, language)
        return
    message = "" if said else sentence
    if view.clock is not None and not message and not fault:
        _dice_and_clocks(c, view, view.clock, top, foot)
        _bottom(c, view, language)
        return
    ink = WHITE
    if fault and (c.roomy or not message):
        message, ink = _fault(language, fault), AMBER
    if not c.roomy and message and ink != AMBER:
        # No room for dice beside a sentence: they are named in it, or lie on the board.
        lines = wrap(message, c.width, c.body.width)
        first = 0 if view.side is None else c.pitch
        foot = foot if first + len(lines) * c.pitch <= foot else c.height
        c.paragraph(first + (2 if first else 0), message, bottom=foot + 2, ink=ink)
        if foot < c.height:
            _bottom(c, view, language)
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
        _bottom(c, view, language)


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


def _bar(
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


def _legal(c: DisplayCanvas, view: TableView, language: Language) -> None:
    bar = 18 * c.scale if c.roomy else 24
    _bar(c, view, language, bar)
    foot = c.height - c.pitch
    text = language.sentence(view)
    if view.play:
        side = language.side(view.side, view.names) if view.side else ""
        text = f"{side}{language.colon}{view.play}" if side else view.play
        if len(wrap(text, c.width, c.small.width)) * c.small.pitch > foot - bar:
            text = view.play
    c.paragraph(bar + 2 * c.scale, text, bottom=foot, large=True)
    _bottom(c, view, language)


def _verdict(
    c: DisplayCanvas, view: TableView, language: Language, order: tuple[str, ...], at: int, seat: Seat
) -> None:
    """Red or amber: what lies there, what is expected, or the words."""
    face = order[at]
    if face != "words":
        _verdict_on_board(c, view, language, face, len(order), at, seat)
    elif c.roomy:
        _bar(c, view, language, 18 * c.scale, len(order), at)
        y = 20 * c.scale
        example = _example(view, language)
        bottom = c.height - (c.pitch + 4 if example else 0)
        c.paragraph(y, reason_of(view, language, brief=False), bottom=bottom, large=True)
        if example:
            c.text(0, bottom + 4, example, ink=GREEN, letters=c.best(example, c.width, c.body, c.small))
    else:
        _verdict_words(c, view, language, len(order), at)


def _example(view: TableView, language: Language) -> str:
    nearest = view.message_args.get("nearest") or ()
    if view.verdict is not VerdictColour.RED or not nearest or not view.message_args.get("example"):
        return ""
    return f"{language.screens['for_example']} {nearest[0]}"


def _verdict_words(c: DisplayCanvas, view: TableView, language: Language, dots: int, at: int) -> None:
    """On 128×64: as large a word as leaves room for the reason and a play that would have been right."""
    room = (c.height - 15) // c.pitch
    example = wrap(_example(view, language), c.width, c.body.width)
    reason = wrap(reason_of(view, language, brief=language.code == "en"), c.width, c.body.width)
    if len(reason) + len(example) > room:
        reason = wrap(reason_of(view, language, brief=True), c.width, c.body.width)
    if len(reason) + len(example) > room:
        example = []
    bar = 24 if 25 + (len(reason) + len(example)) * c.pitch <= c.height else 13
    _bar(c, view, language, bar, dots, at)
    y = bar + 2
    for text in (reason, example):
        if text:
            y = c.paragraph(
                y, " ".join(text), bottom=y + min(len(text), (c.height - y + 1) // c.pitch) * c.pitch
            )


def _verdict_on_board(
    c: DisplayCanvas, view: TableView, language: Language, face: str, dots: int, at: int, seat: Seat
) -> None:
    side = view.side or str(view.message_args.get("side") or "") or seat.near
    red = view.verdict is VerdictColour.RED
    position: Any = view.expected
    ways: tuple[Way, ...]
    if red and face == "fault":
        position, ink, made = view.seen, RED, True
        ways = ways_between(view.expected, view.seen, side, view.dice)  # type: ignore[arg-type]
    elif red:
        ink, made = GREEN, False
        ways = ways_of(side, view.message_args["example"])
    else:
        ink, made = AMBER, False
        ways = ways_to_mend(view.message_args.get("changes") or ())
        if view.seen is not None and ways:
            position = view.seen
        elif view.seen is not None:
            ways = ways_between(view.seen, view.expected, side)  # type: ignore[arg-type]
            position = view.seen if len(ways) <= MOST_WAYS else view.expected
    if len(ways) > MOST_WAYS:
        ways = ()
    size = board.LARGE if c.roomy else board.SMALL
    picture = draw_board(position, ways, size, seat.of(side), ink=ink, made=made, colour=c.colour)
    example = _example(view, language).removeprefix(language.screens["for_example"]).strip()
    if not c.roomy:
        _put_board(c, 0, 0, size, picture)
        words = [language.screens["for_example"], *example.split()] if red and face == "expected" else []
        x, icon = size.width + 4, c.cross if red and face == "fault" else c.tick if red else c.mark
        if words:
            _side_column(c, [(word, WHITE) for word in words])
            return
        icon(x + 15, 1, 12, WHITE)
        c.place("icon", (x + 15, 1, x + 27, 13))
        y = 16
        for way in ways[:4]:
            c.checker(x, y + 2, way.side, 7)
            c.text(x + 9, y, _played_word(way) if red else _way_word(way, ">"))
            y += c.pitch
        return
    _bar(c, view, language, 34, dots, at)
    _put_board(c, (c.width - size.width) // 2, 37, size, picture)
    y = 37 + size.height + 2
    if red:
        text = (
            f"{language.screens['for_example']} {example}"
            if face == "expected"
            else reason_of(view, language, brief=True)
        )
        c.text(
            0,
            y,
            text,
            ink=GREEN if face == "expected" else WHITE,
            letters=c.best(text, c.width, c.body, c.small, c.tiny),
        )
    elif view.message_args.get("count") or not ways or not _way_line(c, y, ways):
        text = _brief_amber(view, language)
        c.text(0, y, text, letters=c.best(text, c.width, c.body, c.small))


def _brief_amber(view: TableView, language: Language) -> str:
    key = {"checker_missing": "missing", "checker_added": "too_many"}.get(view.message_code, "expected")
    side, count = view.message_args.get("side"), view.message_args.get("count")
    if key == "expected" or side not in ("light", "dark") or not count:
        return language.brief["expected"]
    return language.brief[key].format(checkers=language.checkers(side, int(count)))


def _way_word(way: Way, arrow: str) -> str:
    """ "9 › 8" in light's numbers, as the referee's sentences have them."""
    start, to = ("" if p is None else str(p) for p in (way.start, way.to))
    return f"{start}{arrow}{to}"


def _played_word(way: Way) -> str:
    """ "13/10" in the numbers of whose checker it is, as plays are written."""
    names = {25: "bar", 0: "off"}
    ends = ("" if p is None else own_point(p, way.side) for p in (way.start, way.to))
    return "/".join(names.get(n, str(n)) if isinstance(n, int) else n for n in ends)


def _way_line(c: DisplayCanvas, y: int, ways: tuple[Way, ...]) -> bool:
    """All ways on one line, each behind a checker of its side; False when there is no room."""
    mark = c.pitch * 3 // 5
    words = [_way_word(way, " › ").strip() for way in ways]
    for letters in (c.body, c.small):
        if sum(mark + 5 + letters.width(word) + 14 for word in words) - 14 <= c.width:
            break
    else:
        return False
    x = 0
    for way, word in zip(ways, words, strict=True):
        c.checker(x, y + (c.pitch - mark) // 2, way.side, mark)
        x = c.text(x + mark + 5, y, word, letters=letters) + 14
    return True


def _cannot_see(c: DisplayCanvas, view: TableView, language: Language, fault: str) -> None:
    s = c.scale
    y = c.title(language.screens["cannot_see"], ink=AMBER)
    if (
        not c.roomy
        and y + (12 + 4) * s + len(wrap(language.sentence(view), c.width, c.body.width)) * c.pitch > c.height
    ):
        c.paragraph(y, language.sentence(view))
        return
    # A crossed eye, so that it is understood from across the table.
    w, h = 22 * s, 12 * s
    c.place("eye", (2 * s, y + s, 2 * s + w, y + s + h))
    c.draw.ellipse((2 * s, y + s, 2 * s + w, y + s + h), outline=AMBER, width=s)
    c.draw.ellipse(
        (2 * s + w // 2 - 3 * s, y + s + h // 2 - 3 * s, 2 * s + w // 2 + 3 * s, y + s + h // 2 + 3 * s),
        fill=AMBER,
    )
    c.draw.line((2 * s, y + s + h, 2 * s + w, y + s), fill=AMBER, width=2 * s)
    if view.game:
        c.text(w + 8 * s, y + 2 * s, f"{view.score[0]}-{view.score[1]}")
    y = c.paragraph(y + h + 4 * s, language.sentence(view), large=True)
    if fault and fault != "camera":
        text = _fault(language, fault)
        if y + len(wrap(text, c.width, c.body.width)) * c.pitch <= c.height:
            c.paragraph(y, text, ink=GREY)


def _question(c: DisplayCanvas, view: TableView, language: Language) -> None:
    y = c.title(language.screens["question"], ink=AMBER)
    keys = language.screens["yes_no"]
    foot = c.height - c.pitch
    text = language.sentence(view)
    if not c.roomy and len(wrap(text, c.width, c.body.width)) > (foot - y) // c.pitch:
        # Show the question alone, without its history.
        text = language.fill(view.message_code, {**view.message_args, "reason": ""}, view.names) or text
    c.paragraph(y, text, bottom=foot, large=True)
    c.text(0, foot, keys, ink=GREY, letters=c.best(keys, c.width, c.body, c.small))


# ------------------------------------------------------------------------------------------- hints and the coach


def _hint_on_board(c: DisplayCanvas, showing: Showing, hint: Hint, language: Language, seat: Seat) -> None:
    """The best play as arrows, the player's own side below."""
    best = hint.lines[0]
    size = board.LARGE if c.roomy else board.SMALL
    ways = ways_of(hint.side, best.moves)
    picture = draw_board(showing.hint_on, ways, size, seat.of(hint.side), ink=GREEN, colour=c.colour)
    worth = f"{best.equity:+.2f}"
    if not c.roomy:
        _put_board(c, 0, 0, size, picture)
        _side_column(c, [*((word, WHITE) for word in best.play.split()), (worth, GREY)])
        return
    dice = "-".join(map(str, hint.dice)) if hint.dice else ""
    c.title(language.screens["hint"], right=dice)
    _put_board(c, (c.width - size.width) // 2, 37, size, picture)
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


def _hint(c: DisplayCanvas, hint: Hint, language: Language) -> None:
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


def _coach(c: DisplayCanvas, note: CoachNote, language: Language) -> None:
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


# ------------------------------------------------------------------------------------------- the menu


def _score(c: DisplayCanvas, view: TableView, language: Language) -> None:
    words, s = language.screens, c.scale
    length = words["match"].format(length=view.match_length) if view.match_length else words["money"]
    y = c.title(words["page_score"], right=length)
    mark = c.pitch * 3 // 4
    for i, side in enumerate(("light", "dark")):
        c.checker(0, y + (c.pitch - mark) // 2, side, mark)
        c.text(0, y, str(view.score[i]), right=c.width)
        room = c.width - mark - 3 * s - c.body.width("00 ")
        name = language.side(side, view.names)
        c.text(mark + 3 * s, y, name, letters=c.best(name, room, c.body, c.small), room=room)
        y += c.pitch
    if view.pips is not None:
        c.text(0, y, f"{words['pips']} {view.pips[0]} : {view.pips[1]}", ink=GREY)
    # There is no cube in the Crawford game.
    game = f"{words['page_game']} {view.game}, " + (
        words["crawford"] if view.crawford_game else f"x{view.cube}"
    )
    y = y + c.pitch if c.roomy else c.height - c.pitch
    c.text(0, y, game, ink=GREY, letters=c.best(game, c.width, c.body, c.small))
    if c.roomy:
        _turn_page(c, language)


def _turn_page(c: DisplayCanvas, language: Language) -> None:
    """What the button does, where there is room for it."""
    text = language.screens["next_page"]
    c.text(0, c.height - c.pitch, text, ink=GREY, letters=c.best(text, c.width, c.body, c.small))


def _plays(c: DisplayCanvas, view: TableView, language: Language) -> None:
    s = c.scale
    y = c.title(language.screens["page_plays"])
    bottom = c.height
    if c.roomy:
        bottom -= c.pitch
        _turn_page(c, language)
    mark = c.pitch * 3 // 5
    x = mark + 3 * s
    room = max(1, (bottom - y) // c.pitch)
    # The newest plays that fit, a long one on two lines.
    shown: list[tuple[str, list[str]]] = []
    for side, dice, play in reversed(view.last_plays):
        lines = wrap(f"{dice} {play or '-'}", c.width - x, c.body.width)
        if sum(len(text) for _, text in shown) + len(lines) > room:
            break
        shown.insert(0, (side, lines))
    for side, lines in shown:
        c.checker(0, y + (c.pitch - mark) // 2, side, mark)
        for line in lines:
            c.text(x, y, line)
            y += c.pitch


def _address(c: DisplayCanvas, address: str, language: Language) -> None:
    words, s = language.screens, c.scale
    if not address:
        y = c.title(words["page_address"])
        c.paragraph(y, words["no_page"])
        return
    if not c.roomy:
        # The code takes the whole height; the address stands beside it, broken where it must be.
        if not c.code(0, 0, c.height, address):
            # The address is too long for a code of this size, so show it in full, to be typed.
            c.paragraph(c.title(words["page_address"]), address.removeprefix("http://"))
            return
        left = c.height + 4
        columns = (c.width - left) // LETTER
        plain, _, path = address.split("?")[0].removeprefix("http://").partition("/")
        host, _, port = plain.partition(":")
        lines: list[str] = []
        for part in [*[f"{p}." for p in host.split(".")[:-1]], host.split(".")[-1]]:
            if lines and len(lines[-1]) + len(part) <= columns:
                lines[-1] += part
            else:
                lines += [part[i : i + columns] for i in range(0, len(part), columns)]
        # The short word of a player's address stands below the port: to be typed where the code cannot be scanned.
        short, _, word = path.rpartition("/")
        lines.append((f":{port}" if port else "") + (f"/{short}/" if short else ""))
        lines += [word[i : i + columns - 2] for i in range(0, len(word), columns - 2)]
        for i, line in enumerate(lines[: c.height // c.pitch]):
            c.text(left, i * c.pitch, line)
        return
    # The code says by itself what it is for; the place of a title is better spent on its size.
    host, slash, path = address.split("?")[0].removeprefix("http://").partition("/")
    folder, _, word = path.rpartition("/")
    name, _, port = host.rpartition(":")
    whole = f"{host} {slash}{path}"
    lines = (
        [name, f":{port}{slash}{folder}/", word]
        if name and folder
        else wrap(whole, c.width, c.body.width)[:3]
    )
    room = c.height - len(lines) * c.pitch - 2 * s
    c.code((c.width - room) // 2, 0, room, address)
    for i, line in enumerate(lines):
        c.text(0, room + 2 * s + i * c.pitch, line, letters=c.best(line, c.width, c.body, c.small, c.tiny))
