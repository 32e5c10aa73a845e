"""Red and amber: what lies on the board, what is expected, the words; a board that cannot be seen, and questions."""

from __future__ import annotations

from typing import Any

from pi_board.panel import board_picture as board
from pi_board.panel.board_picture import Seat, Way, draw_board, own_point, ways_between, ways_of, ways_to_mend
from pi_board.panel.canvas import AMBER, GREEN, GREY, RED, WHITE, DisplayCanvas, wrap
from pi_board.panel.language import Language
from pi_board.panel.screens.parts import fault_words, put_board, side_column, verdict_bar
from pi_board.table import TableView, VerdictColour

#: More arrows than these are no help.
MOST_WAYS = 6


def reason_of(view: TableView, language: Language, *, brief: bool) -> str:
    """The sentence below a verdict. Of an illegal play the reason alone, since its word stands above it; brief: the rule in few words."""
    code = str(view.message_args.get("code", ""))
    if view.message_code != "illegal" or code not in language.reasons:
        return language.sentence(view)
    full = str(view.message_args.get("reason", "")) if language.code == "en" else ""
    reason = language.brief[code] if brief else full or language.reasons[code]
    return reason[0].upper() + reason[1:]


def draw_verdict(
    c: DisplayCanvas, view: TableView, language: Language, order: tuple[str, ...], at: int, seat: Seat
) -> None:
    """Red or amber: what lies there, what is expected, or the words."""
    face = order[at]
    if face != "words":
        _verdict_on_board(c, view, language, face, len(order), at, seat)
    elif c.roomy:
        verdict_bar(c, view, language, 18 * c.scale, len(order), at)
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
    verdict_bar(c, view, language, bar, dots, at)
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
    if red and face == "fault" and view.expected is not None and view.seen is not None:
        position, ink, made = view.seen, RED, True
        ways = ways_between(view.expected, view.seen, side, view.dice)
    elif red:
        ink, made = GREEN, False
        ways = ways_of(side, view.message_args["example"])
    else:
        ink, made = AMBER, False
        ways = ways_to_mend(view.message_args.get("changes") or ())
        if view.seen is not None and ways:
            position = view.seen
        elif view.seen is not None and view.expected is not None:
            ways = ways_between(view.seen, view.expected, side)
            position = view.seen if len(ways) <= MOST_WAYS else view.expected
    if len(ways) > MOST_WAYS:
        ways = ()
    size = board.LARGE if c.roomy else board.SMALL
    picture = draw_board(position, ways, size, seat.of(side), ink=ink, made=made, colour=c.colour)
    example = _example(view, language).removeprefix(language.screens["for_example"]).strip()
    if not c.roomy:
        put_board(c, 0, 0, size, picture)
        words = [language.screens["for_example"], *example.split()] if red and face == "expected" else []
        x, icon = size.width + 4, c.cross if red and face == "fault" else c.tick if red else c.mark
        if words:
            side_column(c, [(word, WHITE) for word in words])
            return
        icon(x + 15, 1, 12, WHITE)
        c.place("icon", (x + 15, 1, x + 27, 13))
        y = 16
        for way in ways[:4]:
            c.checker(x, y + 2, way.side, 7)
            c.text(x + 9, y, _played_word(way) if red else _way_word(way, ">"))
            y += c.pitch
        return
    verdict_bar(c, view, language, 34, dots, at)
    put_board(c, (c.width - size.width) // 2, 37, size, picture)
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


def draw_cannot_see(c: DisplayCanvas, view: TableView, language: Language, fault: str) -> None:
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
        text = fault_words(language, fault)
        if y + len(wrap(text, c.width, c.body.width)) * c.pitch <= c.height:
            c.paragraph(y, text, ink=GREY)


def draw_question(c: DisplayCanvas, view: TableView, language: Language) -> None:
    y = c.title(language.screens["question"], ink=AMBER)
    keys = language.screens["yes_no"]
    foot = c.height - c.pitch
    text = language.sentence(view)
    if not c.roomy and len(wrap(text, c.width, c.body.width)) > (foot - y) // c.pitch:
        # Show the question alone, without its history.
        text = language.fill(view.message_code, {**view.message_args, "reason": ""}, view.names) or text
    c.paragraph(y, text, bottom=foot, large=True)
    c.text(0, foot, keys, ink=GREY, letters=c.best(keys, c.width, c.body, c.small))
