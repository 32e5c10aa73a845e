"""The pages of the menu: the score, the last plays, the address of the page."""

from __future__ import annotations

from pi_board.panel.canvas import GREY, DisplayCanvas, wrap
from pi_board.panel.language import Language
from pi_board.panel.lettering import LETTER
from pi_board.table import TableView


def draw_score(c: DisplayCanvas, view: TableView, language: Language) -> None:
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


def draw_plays(c: DisplayCanvas, view: TableView, language: Language) -> None:
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


def draw_address(c: DisplayCanvas, address: str, language: Language) -> None:
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
