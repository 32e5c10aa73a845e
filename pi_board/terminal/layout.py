"""How the live view is laid out in a window of any size (pure: a view goes in, a rich panel comes out).

From the top: one line about the game, the board with the facts beside it, the verdict, the footer. What does not fit is
left out in this order: plays of the past, the hint's lesser plays, the facts beside the board, rows of the board, the board.
The verdict with its reason and the footer are always there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pi_board.output import Hint, SolitaireView
from pi_board.rules import Side
from pi_board.solitaire import BOARD_37
from pi_board.table import TableView, VerdictColour, clock_words
from pi_board.terminal.diagram import DARK, DIE, LIGHT, ROWS, text_diagram

STYLES = {
    VerdictColour.NONE: "dim",
    VerdictColour.GREEN: "bold green",
    VerdictColour.AMBER: "bold yellow",
    VerdictColour.RED: "bold red",
}
# Words beside the colours: a colour alone tells nothing to some players.
WORDS = {
    VerdictColour.NONE: "…",
    VerdictColour.GREEN: "OK",
    VerdictColour.AMBER: "LOOK",
    VerdictColour.RED: "ILLEGAL",
}

#: Columns of the board alone (the facts tell cube and borne-off checkers), and the least that the facts beside it need.
BOARD_WIDTH, FACTS_WIDTH = 43, 30
#: Lines of a board besides its rows of checkers, and the fewest rows that still tell a position.
BOARD_FRAME, FEWEST_ROWS = 5, 2
#: Lines that the verdict has at least, so that the picture does not jump when it speaks.
VERDICT_LINES = 3
#: Lines of past plays below the board when the window is high enough for them.
PAST_BELOW = 4
#: Columns beyond which a wider window is only left blank.
WIDEST = 120
ENDS = "Ctrl-C ends"

#: Lays text out; its size plays no part.
_RULER = Console(width=200, color_system=None)


def verdict_text(view: TableView) -> Text:
    # The sentence for the small displays begins with the word that stands before it here.
    message = view.message.removeprefix("Illegal: ") if view.verdict is VerdictColour.RED else view.message
    return Text(f"{WORDS[view.verdict]:<8}{message}", style=STYLES[view.verdict])


def wrapped(texts: Iterable[Text], width: int) -> list[Text]:
    """Single lines of at most `width` columns; a continued line is set in."""
    lines: list[Text] = []
    for text in texts:
        first, *more = text.wrap(_RULER, width, overflow="fold")
        lines.append(first)
        if more:
            # Wrap the rest of the text again, now to the width beside the indent.
            rest = text[len(first.plain) :]
            rest = rest[len(rest.plain) - len(rest.plain.lstrip()) :]
            lines += [Text("  ") + line for line in rest.wrap(_RULER, max(4, width - 2), overflow="fold")]
    return lines


def hint_lines(hint: Hint, most: int = 5) -> list[str]:
    """The answer to a player's question, for a list: a heading, then the plays with equity and what they lose."""
    mark = LIGHT if hint.side == "light" else DARK
    dice = "".join(map(str, hint.dice or ()))
    lines = [f"hint for {mark} {dice}".rstrip() + (f": {hint.cube}" if hint.cube else "")]
    width = max((len(line.play) for line in hint.lines), default=0)
    for i, line in enumerate(hint.lines[:most]):
        lines.append(f"{i + 1} {line.play:<{width}} {line.equity if i == 0 else -line.loss:+.3f}")
    return lines


def _head(view: TableView) -> Text:
    length = f"match to {view.match_length}" if view.match_length else "money game"
    dice = f" {DIE[view.dice[0]]} {DIE[view.dice[1]]}  {view.dice[0]}-{view.dice[1]}" if view.dice else ""
    crawford = " · Crawford" if view.crawford_game else ""
    return Text(
        f"game {view.game} · {length}{crawford} · {view.phase.value}{dice}",
        style="bold",
        no_wrap=True,
        overflow="ellipsis",
    )


def _facts(view: TableView) -> list[Text]:
    """Two lines for each side: name (marked when it is its turn) and cube; score, pips, checkers borne off."""
    lines = []
    for i, side in enumerate(("light", "dark")):
        turn = view.side == side
        mark = LIGHT if side == "light" else DARK
        cube = f"  [{view.cube}]" if view.cube_owner == side else ""
        lines.append(
            Text(f"{'▶' if turn else ' '} {mark} {view.names[i]}{cube}", style="bold" if turn else "")
        )
        facts = [f"{view.score[i]} point{'' if view.score[i] == 1 else 's'}"]
        if view.clock is not None:
            left = view.clock.light if side == "light" else view.clock.dark
            running = view.clock.running and view.clock.side == side
            facts.insert(0, f"{clock_words(left)}{' ⏱' if running else ''}")
        facts += [f"{view.pips[i]} pips"] if view.pips else []
        facts += [f"{view.position.off[i]} off"] if view.position and view.position.off[i] else []
        lines.append(Text("    " + ", ".join(facts)))
    return lines


def _facts_in_a_row(view: TableView) -> Text:
    halves = [f"{a.plain.rstrip()} {b.plain.strip()}" for a, b in zip(*[iter(_facts(view))] * 2, strict=True)]
    return Text("   ".join(halves), no_wrap=True, overflow="ellipsis")


def _latest(recent: Sequence[str], width: int, lines: int) -> list[Text]:
    """As many whole entries as fit, newest last."""
    kept: list[Text] = []
    for text in reversed(recent):
        entry = wrapped([Text(text, style="red" if "ILLEGAL" in text else "dim")], width)
        if len(entry) + len(kept) > lines:
            break
        kept = entry + kept
    return kept


def _footer(footer: str, width: int) -> list[Text]:
    return wrapped([Text(" · ".join(t for t in (ENDS, footer) if t), style="dim")], width)


def render(
    view: TableView,
    recent: Sequence[str],
    near: Side = "light",
    home: str = "right",
    footer: str = "",
    *,
    hint: Hint | None = None,
    banner: str = "",
    width: int = 80,
    height: int = 24,
) -> Panel:
    """The whole window of `width` columns and `height` lines as one rich panel.

    recent: past plays, newest last. banner: a sentence about the program itself. hint: shown until it is None.
    """
    width = min(width, WIDEST)
    inner, room = max(8, width - 4), max(3, height - 2)
    foot = _footer(footer, inner)
    said = wrapped([Text(banner, style="bold yellow")] if banner else [], inner)
    said += wrapped([verdict_text(view)], inner)
    said += wrapped([Text(view.question, style="yellow")] if view.question else [], inner)
    room -= len(foot)
    said = said[: max(1, room)]
    room -= len(said)

    board: list[Text] = []
    beside = inner >= BOARD_WIDTH + 2 + FACTS_WIDTH
    # Lines that the board must leave: the head, the facts where they are no column, and room for a longer verdict.
    spared = 1 + (0 if beside else 1) + max(0, VERDICT_LINES - len(said))
    rows = min(ROWS, (room - spared - BOARD_FRAME) // 2)
    if rows < FEWEST_ROWS:
        rows = min(FEWEST_ROWS, (room - 1 - BOARD_FRAME) // 2)
    if view.position is not None and rows >= 1 and inner >= BOARD_WIDTH:
        lines = text_diagram(
            view.position,
            near=near,
            home=home,
            dice=view.dice,
            side=view.side,
            cube=view.cube,
            cube_owner=view.cube_owner,
            rows=rows,
        )
        board = [Text(line[:BOARD_WIDTH], no_wrap=True) for line in lines]

    top: list[Text | Table] = []
    if room:
        top.append(_head(view))
        room -= 1
    below: list[Text] = []
    if board and beside:
        room -= len(board)
        side_width = inner - BOARD_WIDTH - 2
        column = _facts(view)
        if hint is not None:
            answer = [Text(line, style="cyan") for line in hint_lines(hint, 3 if rows < ROWS else 5)]
            column += [Text(), *wrapped(answer, side_width)]
        if room - max(0, VERDICT_LINES - len(said)) < PAST_BELOW and len(column) + 1 < len(board):
            column += [Text(), *_latest(recent, side_width, len(board) - len(column) - 1)]
        else:
            below = _latest(recent, inner, room - 1 - max(0, VERDICT_LINES - len(said)))
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(width=BOARD_WIDTH, no_wrap=True)
        grid.add_column(width=side_width, no_wrap=True)
        grid.add_row(Group(*board), Group(*column[: len(board)]))
        top.append(grid)
    else:
        if room:
            top.append(_facts_in_a_row(view))
            room -= 1
        top += board
        room -= len(board)
        if hint is not None and room > 1:
            answer = wrapped([Text(line, style="cyan") for line in hint_lines(hint)], inner)[:room]
            top += answer
            room -= len(answer)
        below = _latest(recent, inner, room - 1)
    if below:
        below = [Text(), *below]
        room -= len(below)
    blank = [Text()] * max(0, room)
    # The verdict stays close under the board; blank lines keep the footer at the window's last line.
    gap, rest = (blank[:1], blank[1:]) if len(blank) > 1 else ([], blank)
    return Panel(Group(*top, *gap, *said, *below, *rest, *foot), title="pi_board", width=width, height=height)


def render_solitaire(
    view: TableView,
    solitaire: SolitaireView,
    recent: Sequence[str],
    footer: str = "",
    banner: str = "",
    *,
    width: int = 80,
    height: int = 24,
) -> Panel:
    """The 37-hole game as one rich panel of `width` columns and `height` lines."""
    width = min(width, WIDEST)
    inner, room = max(8, width - 4), max(3, height - 2)
    foot = _footer(footer, inner)
    said = wrapped([Text(banner, style="bold yellow")] if banner else [], inner)
    said += wrapped([verdict_text(view)], inner)
    if solitaire.hint:
        said.append(Text(f"next jump: {solitaire.hint} (down to {solitaire.best})", style="cyan"))
    room -= len(foot)
    said = said[: max(1, room)]
    room -= len(said)
    words = f"{solitaire.name or 'solitaire'} · {solitaire.pieces} pieces · {solitaire.jumps} jumps"
    head = Text(words, no_wrap=True, overflow="ellipsis")
    board = [Text(line, no_wrap=True) for line in BOARD_37.text(BOARD_37.from_holes(solitaire.holes))]
    top = [head, *board][: max(0, room)]
    room -= len(top)
    below = [Text(), *_latest(recent, inner, room - 1)] if room > 1 else []
    room -= len(below)
    return Panel(
        Group(*top, *said, *below, *[Text()] * room, *foot), title="pi_board", width=width, height=height
    )
