"""The live view fits every window; the reason, the log folder and "Ctrl-C ends" are always to be seen."""

from __future__ import annotations

import dataclasses

import pytest
from rich.cells import cell_len
from rich.console import Console

from pi_board.output import Hint, HintLine, SolitaireView
from pi_board.rules import STARTING_POSITION, Position
from pi_board.table import Phase, TableView, VerdictColour
from pi_board.terminal.layout import render, render_solitaire

REASON = (
    "The roll 4-3 does not allow 13/7 (6 points). Put the checkers back as they lay before the roll and play again, "
    "or press stands when both of you agree that it stands."
)
ILLEGAL = TableView(
    Phase.ILLEGAL,
    STARTING_POSITION,
    "dark",
    (4, 3),
    (167, 167),
    game=1,
    verdict=VerdictColour.RED,
    message=REASON,
)
HINT = Hint(
    "light",
    (6, 6),
    tuple(
        HintLine(play, 0.1, 0.5, 0.1 * i)
        for i, play in enumerate(("24/18(2) 13/7(2)", "13/7(4)", "24/12(2)", "x", "y"))
    ),
)
PAST = ["○ 42: 8/4 6/4", "● 43: ILLEGAL, The roll 4-3 does not allow 13/7 (6 points).", "● 43: 13/6"] * 6
FOOTER = "logs: /home/anna/pi-board/games"


def shown(panel: object, width: int, height: int) -> list[str]:
    console = Console(width=width, height=height, color_system=None)
    with console.capture() as capture:
        console.print(panel)
    return capture.get().rstrip("\n").split("\n")


def words(lines: list[str]) -> str:
    return " ".join(" ".join(line.strip("│╭╮╰╯─ ").split()) for line in lines)


@pytest.mark.parametrize("width", [40, 62, 80, 110, 200])
@pytest.mark.parametrize("height", [14, 20, 24, 30, 40, 60])
@pytest.mark.parametrize("hint", [None, HINT], ids=["", "hint"])
def test_every_window(width: int, height: int, hint: Hint | None) -> None:
    view = dataclasses.replace(ILLEGAL, question="Does it stand as it is?")
    lines = shown(render(view, PAST, footer=FOOTER, hint=hint, width=width, height=height), width, height)
    assert len(lines) == height
    assert max(map(cell_len, lines)) <= width
    for needed in (REASON, view.question, "Ctrl-C ends", FOOTER):
        assert needed in words(lines)


def test_at_80_by_24_the_whole_board_is_there() -> None:
    lines = shown(
        render(
            ILLEGAL, PAST, footer=FOOTER, hint=HINT, banner="the log cannot be written", width=80, height=24
        ),
        80,
        24,
    )
    text = words(lines)
    assert "13 14 15 16 17 18 19 20 21 22 23 24" in text and "12 11 10 9 8 7 6 5 4 3 2 1" in text
    assert "24/18(2) 13/7(2)" in text and "the log cannot be written" in text and "Dark" in text


def test_borne_off_checkers_and_the_cube_are_told() -> None:
    document = STARTING_POSITION.to_document()
    document["points"][5], document["off"]["light"] = 2, 3
    view = dataclasses.replace(ILLEGAL, position=Position.from_document(document), cube=4, cube_owner="dark")
    for width in (62, 80):
        text = words(shown(render(view, [], width=width, height=24), width, 24))
        assert "3 off" in text and "[4]" in text


@pytest.mark.parametrize(("width", "height"), [(40, 14), (80, 24), (110, 40)])
def test_solitaire_fits(width: int, height: int) -> None:
    view = SolitaireView(holes=(1,) * 37, name="Free set-up")
    panel = render_solitaire(ILLEGAL, view, PAST, FOOTER, width=width, height=height)
    lines = shown(panel, width, height)
    assert len(lines) == height and "Ctrl-C ends" in words(lines) and REASON in words(lines)
