"""What the small display shows at each moment: one of eight screens, drawn to a picture (pure)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PIL import Image

from pi_board.output import CoachNote, Hint, Moment, SolitaireView
from pi_board.panel.canvas import AMBER, GREEN, GREY, LETTER, RED, Canvas, fit, wrap
from pi_board.panel.language import Language
from pi_board.panel.solitaire_screen import draw_solitaire
from pi_board.table import Phase, TableView, Verdict

#: Seconds that a hint, a coach's note and a menu page stay before the game comes back by itself.
HINT_SECONDS, COACH_SECONDS, MENU_SECONDS = 30.0, 6.0, 20.0
#: Pages that the button `next` turns through; 0 is the game itself.
PAGES = ("game", "score", "plays", "address")


@dataclass(frozen=True, slots=True)
class Showing:
    """All that a screen is drawn from. Times are those of the moments (monotonic seconds)."""

    view: TableView
    banner: str = ""
    hint: Hint | None = None
    hint_until: float = 0.0
    coach: CoachNote | None = None
    coach_until: float = 0.0
    page: int = 0
    page_until: float = 0.0
    presses: int = 0
    address: str = ""
    now: float = 0.0
    solitaire: SolitaireView | None = None

    def after(self, moment: Moment) -> Showing:
        """What is to be shown after a moment."""
        next_ = replace(
            self, view=moment.view, banner=moment.banner, now=moment.time, solitaire=moment.solitaire
        )
        acted = any(e.type in ("dice_rolled", "turn_ended", "game_won") for e in moment.events)
        if moment.hint is not None:
            next_ = replace(next_, hint=moment.hint, hint_until=moment.time + HINT_SECONDS, coach=None, page=0)
        elif acted or moment.time >= self.hint_until:
            next_ = replace(next_, hint=None)
        if moment.coach is not None and moment.coach.grade != "fine":
            next_ = replace(next_, coach=moment.coach, coach_until=moment.time + COACH_SECONDS)
        elif moment.time >= self.coach_until:
            next_ = replace(next_, coach=None)
        if moment.page != self.presses:
            # A press first puts away what lies on top.
            on_top = next_.hint is not None or next_.coach is not None
            page = 0 if on_top else (self.page + moment.page - self.presses) % len(PAGES)
            next_ = replace(next_, page=page, page_until=moment.time + MENU_SECONDS, presses=moment.page)
            next_ = replace(next_, hint=None, coach=None)
        elif moment.time >= self.page_until:
            next_ = replace(next_, page=0)
        return next_


def draw(showing: Showing, language: Language, size: tuple[int, int], *, colour: bool) -> Image.Image:
    """The screen for `showing`: "RGB" of `size`, or "1" without colour."""
    # Of the menu's pages only the address belongs to both games.
    asked = PAGES[showing.page] == "address"
    if showing.solitaire is not None and not showing.view.view_blocked and not asked:
        return draw_solitaire(showing.solitaire, language, size, colour=colour)
    canvas = Canvas(size, colour=colour)
    view = showing.view
    if showing.solitaire is not None and asked:
        _address(canvas, showing.address, language)
    elif view.question:
        _question(canvas, view, language)
    elif view.view_blocked or view.message_code.startswith("view_") or view.message_code == "board_moved":
        _cannot_see(canvas, view, language, showing.banner)
    elif view.verdict is Verdict.RED or view.verdict is Verdict.AMBER:
        _verdict(canvas, view, language)
    elif showing.hint is not None:
        _hint(canvas, showing.hint, language)
    elif showing.coach is not None:
        _coach(canvas, showing.coach, language)
    elif PAGES[showing.page] == "score":
        _score(canvas, view, language)
    elif PAGES[showing.page] == "plays":
        _plays(canvas, view, language)
    elif PAGES[showing.page] == "address":
        _address(canvas, showing.address, language)
    elif view.phase in (Phase.WAITING, Phase.OPENING, Phase.OVER, Phase.PAUSED):
        _set_up(canvas, view, language, showing.banner)
    elif view.verdict is Verdict.GREEN:
        _verdict(canvas, view, language)
    else:
        _turn(canvas, view, language, showing.banner)
    return canvas.finished()


def short_reason(view: TableView, language: Language, *, narrow: bool) -> str:
    """The sentence of a verdict; on a narrow display the rule in few words instead of the whole sentence."""
    reason = language.reasons.get(str(view.message_args.get("code", "")))
    if view.message_code == "illegal" and reason and (narrow or language.code != "en"):
        return reason[0].upper() + reason[1:]
    return language.sentence(view)


# ------------------------------------------------------------------------------------------- the screens


def _score_line(view: TableView, language: Language) -> str:
    length = language.screens["match"].format(length=view.match_length) if view.match_length else ""
    return f"{view.score[0]}-{view.score[1]} {length}".strip()


def _set_up(c: Canvas, view: TableView, language: Language, banner: str) -> None:
    words = language.screens
    title = words["waiting"] if view.phase is Phase.PAUSED else words["set_up"]
    if view.phase is Phase.OPENING:
        title = words["roll"][0].upper() + words["roll"][1:]
    y = c.title(title, right=_score_line(view, language))
    y = c.paragraph(y, language.sentence(view), bottom=c.height - c.pitch, large=not banner)
    if banner:
        c.paragraph(y, banner, ink=AMBER)
    elif not view.match_length:
        c.text(0, c.height - c.pitch, fit(view.rules, c.columns), ink=GREY)
    else:
        crawford = f" {words['crawford']}" if view.crawford_game else ""
        c.text(0, c.height - c.pitch, fit(view.rules + crawford, c.columns), ink=GREY)


def _turn(c: Canvas, view: TableView, language: Language, banner: str) -> None:
    """Whose turn it is, the dice as large as they go, pips and score."""
    s, words = c.scale, language.screens
    side = view.side or "light"
    act = {Phase.ROLL: "roll", Phase.DOUBLED: "answer", Phase.RESIGNED: "answer"}.get(view.phase, "play")
    size = 9 * s
    if view.side is not None:
        c.checker(0, s, side, size)
        c.text(size + 3 * s, s, fit(f"{language.side(side, view.names)} {words[act]}", c.columns - 2))
    else:
        c.text(0, s, fit(language.sentence(view), c.columns))
    top, bottom = c.pitch + 4 * s, c.height - c.pitch - 3 * s
    if view.phase in (Phase.DOUBLED, Phase.RESIGNED):
        c.paragraph(top, language.sentence(view), bottom=bottom + 3 * s, large=True)
    else:
        edge = min(bottom - top, (c.width - 12 * s) * 2 // 5 if c.height > 100 else 30 * s)
        if view.dice is not None:
            for i, value in enumerate(view.dice):
                c.die(2 * s + i * (edge + 5 * s), top, value, edge)
        else:
            for i in range(2):
                x = 2 * s + i * (edge + 5 * s)
                c.draw.rounded_rectangle((x, top, x + edge - 1, top + edge - 1), radius=edge // 6, outline=GREY)
        if view.cube > 1 or view.cube_owner is not None:
            cube = 20 * s
            x, y = c.width - cube - s, top
            c.cube(x, y, view.cube, cube)
            if view.cube_owner is not None:
                mark = 7 * s
                c.checker(x + (cube - mark) // 2, y + cube + s, view.cube_owner, mark)
        if c.height > 100:
            message = banner or language.sentence(view)
            c.paragraph(top + edge + 5 * s, message, bottom=bottom, large=True)
        elif banner:
            c.text(0, bottom - c.pitch + 3 * s, fit(banner, c.columns), ink=AMBER)
    _bottom(c, view, language)


def _bottom(c: Canvas, view: TableView, language: Language) -> None:
    """Pips of both sides and the score."""
    s, y = c.scale, c.height - c.pitch
    x, mark = 0, 7 * s
    if view.pips is not None:
        for side, pips in zip(("light", "dark"), view.pips, strict=True):
            c.checker(x, y + 2 * s, side, mark)
            x = c.text(x + mark + 2 * s, y, f"{pips:<4}")
    c.text(0, y, _score_line(view, language), right=c.width)


def _verdict(c: Canvas, view: TableView, language: Language) -> None:
    words, s = language.screens, c.scale
    word, ink = {
        Verdict.GREEN: (words["legal"], GREEN),
        Verdict.AMBER: (words["attention"], AMBER),
        Verdict.RED: (words["illegal"], RED),
    }[view.verdict]
    sentence = short_reason(view, language, narrow=c.height < 100)
    lines = len(wrap(sentence, c.columns))
    # A long sentence matters more than large letters above it.
    bar = 18 * s if c.height > 100 else 24 if 24 + 2 + lines * c.pitch <= c.height else 13
    icon_size = min(12 * s, bar - 3)
    c.draw.rectangle((0, 0, c.width - 1, bar - 1), fill=ink)
    icon = {Verdict.GREEN: c.tick, Verdict.AMBER: c.mark, Verdict.RED: c.cross}[view.verdict]
    icon(3 * s, (bar - icon_size) // 2, icon_size, (0, 0, 0))
    room = c.width - 19 * s
    scale = max(1, min(room // (LETTER * len(word)), bar // 11))
    c.text(18 * s, (bar - 11 * scale) // 2, word, ink=(0, 0, 0), scale=scale)
    y = bar + (2 * s if bar > 13 else 1)
    if view.verdict is Verdict.GREEN and view.play:
        side = language.side(view.side, view.names) if view.side else ""
        y = c.paragraph(y, f"{side}: {view.play}" if side else view.play, bottom=c.height - c.pitch, large=True)
        _bottom(c, view, language)
        return
    y = c.paragraph(y, sentence, bottom=c.height - c.pitch if c.height > 100 else c.height, large=True)
    nearest = view.message_args.get("nearest") or ()
    if view.verdict is Verdict.RED and nearest and y + c.pitch <= c.height:
        c.text(0, c.height - c.pitch, fit(f"{words['for_example']} {nearest[0]}", c.columns), ink=GREY)


def _cannot_see(c: Canvas, view: TableView, language: Language, banner: str) -> None:
    s = c.scale
    y = c.title(language.screens["cannot_see"], ink=AMBER)
    # A crossed eye, so that it is understood from across the table.
    w, h = 22 * s, 12 * s
    c.draw.ellipse((2 * s, y + s, 2 * s + w, y + s + h), outline=AMBER, width=s)
    c.draw.ellipse((2 * s + w // 2 - 3 * s, y + s + h // 2 - 3 * s, 2 * s + w // 2 + 3 * s, y + s + h // 2 + 3 * s), fill=AMBER)
    c.draw.line((2 * s, y + s + h, 2 * s + w, y + s), fill=AMBER, width=2 * s)
    sentence = language.sentence(view)
    first = fit(_bottom_text(view, language), (c.width - w - 8 * s) // (LETTER * s))
    c.text(w + 8 * s, y + 2 * s, first)
    y = c.paragraph(y + h + 5 * s, sentence, large=not banner)
    if banner and y + c.pitch <= c.height:
        c.paragraph(y, banner, ink=GREY)


def _bottom_text(view: TableView, language: Language) -> str:
    return f"{view.score[0]}-{view.score[1]}" if view.game else ""


def _question(c: Canvas, view: TableView, language: Language) -> None:
    y = c.title(language.screens["question"], ink=AMBER)
    c.paragraph(y, language.sentence(view), bottom=c.height - c.pitch, large=True)
    c.text(0, c.height - c.pitch, fit(language.screens["yes_no"], c.columns), ink=GREY)


def _hint(c: Canvas, hint: Hint, language: Language) -> None:
    """The best plays with what they are worth; what does not fit on one line takes two."""
    words = language.screens
    dice = "-".join(map(str, hint.dice)) if hint.dice else ""
    y = c.title(words["hint"], right=dice)
    if hint.cube:
        key = {"no double": "no_double", "double, take": "double_take", "double, pass": "double_pass"}.get(
            hint.cube, "too_good"
        )
        y = c.paragraph(y, words[key])
    for i, line in enumerate(hint.lines):
        if y + c.pitch > c.height:
            break
        worth = f"{line.equity:+.2f}"
        if len(line.play) + 1 + len(worth) <= c.columns:
            c.text(0, y, line.play)
            c.text(0, y, worth, right=c.width, ink=GREEN if i == 0 else GREY)
            y += c.pitch
        else:
            y = c.paragraph(y, f"{line.play} {worth}", bottom=min(c.height, y + 2 * c.pitch))
    if hint.lines and y + c.pitch <= c.height and c.height > 100:
        c.text(0, c.height - c.pitch, f"{100 * hint.lines[0].win:.0f} %", ink=GREY)


def _coach(c: Canvas, note: CoachNote, language: Language) -> None:
    words = language.screens
    ink = RED if note.grade == "blunder" else AMBER
    y = c.title(words["coach"], ink=ink, right=f"-{abs(note.loss):.2f}")
    s = c.scale
    c.checker(0, y + s, note.side, 8 * s)
    c.text(11 * s, y, fit(f"{note.play}", c.columns - 2))
    y += c.pitch
    grade = words.get(note.grade, note.grade)
    c.text(0, y, fit(grade[0].upper() + grade[1:], c.columns), ink=ink)
    c.paragraph(y + c.pitch, f"{words['best']}: {note.best}", ink=GREEN)


def _score(c: Canvas, view: TableView, language: Language) -> None:
    words, s = language.screens, c.scale
    length = words["match"].format(length=view.match_length) if view.match_length else words["money"]
    y = c.title(words["page_score"], right=fit(length, 12))
    for i, side in enumerate(("light", "dark")):
        c.checker(0, y + s, side, 9 * s)
        c.text(13 * s, y, fit(language.side(side, view.names), c.columns - 6))
        c.text(0, y, str(view.score[i]), right=c.width)
        y += c.pitch
    if view.pips is not None:
        c.text(0, y, fit(f"{words['pips']} {view.pips[0]} : {view.pips[1]}", c.columns), ink=GREY)
    crawford = f", {words['crawford']}" if view.crawford_game else ""
    game = f"{words['page_game']} {view.game}{crawford}, x{view.cube}"
    if c.height > 100:
        c.text(0, y + c.pitch, fit(game, c.columns), ink=GREY)
        _turn_page(c, language)
    else:
        c.text(0, c.height - c.pitch, fit(game, c.columns), ink=GREY)


def _turn_page(c: Canvas, language: Language) -> None:
    """What the button does, where there is room for it."""
    c.text(0, c.height - c.pitch, fit(language.screens["next_page"], c.columns), ink=GREY)


def _plays(c: Canvas, view: TableView, language: Language) -> None:
    s = c.scale
    y = c.title(language.screens["page_plays"])
    bottom = c.height
    if c.height > 100:
        bottom -= c.pitch
        _turn_page(c, language)
    room = max(1, (bottom - y) // c.pitch)
    for side, dice, play in view.last_plays[-room:]:
        text, columns = f"{dice} {play or '-'}", c.columns - 2
        c.checker(0, y + 2 * s, side, 7 * s)
        # A square display has room for the second line of a long play.
        for line in wrap(text, columns) if c.height > 100 else [fit(text, columns)]:
            if y + c.pitch <= bottom:
                c.text(10 * s, y, line)
            y += c.pitch


def _address(c: Canvas, address: str, language: Language) -> None:
    words, s = language.screens, c.scale
    if not address:
        y = c.title(words["page_address"])
        c.paragraph(y, words["no_page"])
        return
    if c.height < 100:
        # The code takes the whole height; the address stands beside it, broken where it must be.
        if not c.code(0, 0, c.height, address):
            # Too long for a code of this size: to be typed, with all that belongs to it.
            c.paragraph(c.title(words["page_address"]), address.removeprefix("http://"))
            return
        left = c.height + 4
        columns = (c.width - left) // (LETTER * s)
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
    lines = [name, f":{port}{slash}{folder}/", word] if name and folder else wrap(f"{host} {slash}{path}", c.columns)[:3]
    room = c.height - len(lines) * c.pitch - 2 * s
    c.code((c.width - room) // 2, 0, room, address)
    for i, line in enumerate(lines):
        c.text(0, room + 2 * s + i * c.pitch, line)
