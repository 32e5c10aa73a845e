"""Notation written and read."""

from __future__ import annotations

import pytest

from pi_board.errors import IllegalError, InvalidError
from pi_board.rules import STARTING_POSITION, find_play, format_moves, legal_plays, parse_notation
from tests.rules.boards import board


@pytest.mark.parametrize(
    ("moves", "hits", "text"),
    [
        ([(8, 5), (6, 5)], [], "8/5 6/5"),
        ([(6, 5), (8, 5)], [], "8/5 6/5"),
        ([(24, 18), (18, 13)], [True, False], "24/18*/13"),
        ([(24, 18), (18, 13)], [False, False], "24/13"),
        ([(24, 18), (18, 13)], [False, True], "24/13*"),
        ([(24, 18), (18, 12), (24, 18), (18, 12)], [True, False, False, False], "24/18*/12(2)"),
        ([(24, 18), (24, 18), (13, 7), (13, 7)], [False] * 4, "24/18(2) 13/7(2)"),
        ([(25, 21)], [], "bar/21"),
        ([(25, 21), (25, 21)], [True, False], "bar/21*(2)"),
        ([(25, 21), (21, 17)], [], "bar/17"),
        ([(6, 0), (6, 0)], [], "6/off(2)"),
        ([(6, 5), (6, 5), (5, 4), (5, 4)], [], "6/4(2)"),
        ([(6, 5), (5, 4), (4, 3), (6, 5)], [], "6/5 6/3"),
        ([], [], "no play"),
    ],
)
def test_writing(moves: list, hits: list, text: str) -> None:
    assert format_moves(moves, hits) == text


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        ("24/18*/13(2)", [((24, False), (18, True), (13, False)), ((24, False), (18, False), (13, False))]),
        ("bar/21", [((25, False), (21, False))]),
        ("25/21, 6/0", [((25, False), (21, False)), ((6, False), (0, False))]),
        ("BAR/21 6/OFF", [((25, False), (21, False)), ((6, False), (0, False))]),
        ("Cannot Move", []),
        ("no play", []),
        ("", []),
    ],
)
def test_reading(text: str, ways: list) -> None:
    assert list(parse_notation(text)) == ways


@pytest.mark.parametrize(
    "text", ["8-5", "8/", "8/5(9)", "8/5(0)", "5/8", "26/25", "bar", "8/5/", "8/8", "8*/5", "6/off*", "hello"]
)
def test_what_is_no_notation(text: str) -> None:
    with pytest.raises(InvalidError, match="play: "):
        parse_notation(text)
    with pytest.raises(InvalidError):
        parse_notation(None)  # type: ignore[arg-type]


def test_finding_a_play_among_the_legal_ones() -> None:
    plays = legal_plays(STARTING_POSITION, (3, 1))
    assert str(find_play("6/5 8/5", plays)) == "8/5 6/5"
    assert str(find_play("24/20", plays)) == str(find_play("24/21/20", plays)) == "24/20"
    for wrong in ("8/4 6/5", "8/5*  6/5", "8/5", "no play"):
        with pytest.raises(IllegalError, match="is not a legal play"):
            find_play(wrong, plays)


def test_a_way_that_hits_is_told_from_one_that_does_not() -> None:
    position = board({13: 15}, {12: 1, 24: 14})
    plays = legal_plays(position, (2, 1))
    assert find_play("13/10", plays).hits == (False, False)
    assert find_play("13/12*/10", plays).hits == (True, False)
    assert find_play("13/12/10", plays).hits == (True, False)
