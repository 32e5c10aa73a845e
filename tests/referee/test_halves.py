"""What the place of the dice tells about who rolled them."""

from __future__ import annotations

import pytest

from pi_board.referee.halves import Halves
from pi_board.rules import Side

OWN, OTHER, BOTH = ("light", "light"), ("dark", "dark"), ("light", "dark")


@pytest.mark.parametrize(
    ("rolls", "played", "nothing"),
    [
        ([], True, False),
        ([OTHER], True, False),
        ([OTHER] * 2, True, True),
        ([OTHER, BOTH], True, True),
        ([OTHER] * 2, False, False),
        ([OWN] * 11 + [OTHER] * 2, True, True),
        ([OWN] * 12 + [OTHER] * 2, True, False),
        ([OWN] * 40 + [OTHER] * 2, True, False),
    ],
)
def test_a_habit_is_learnt_from_lawful_plays(
    rolls: list[tuple[str, str]], played: bool, nothing: bool
) -> None:
    halves = Halves()
    for roll in rolls:
        halves.rolled(roll, "light")
        if played:
            halves.played("light")
    assert halves.tell_nothing_of("light") is nothing
    assert not halves.tell_nothing_of("dark")


def test_a_roll_is_played_once() -> None:
    halves = Halves()
    halves.rolled(OTHER, "light")
    for _ in range(3):
        halves.played("light")
    assert not halves.tell_nothing_of("light")


@pytest.mark.parametrize(
    ("own", "elsewhere", "custom"), [(5, 0, False), (6, 0, True), (6, 1, True), (11, 2, False), (12, 2, True)]
)
def test_a_custom_of_the_table(own: int, elsewhere: int, custom: bool) -> None:
    halves = Halves()
    sides: tuple[Side, Side] = ("light", "dark")
    for i in range(own):
        halves.rolled((sides[i % 2],) * 2, sides[i % 2])
    for _ in range(elsewhere):
        halves.rolled(OTHER, "light")
    halves.rolled(OTHER, None)
    halves.rolled(BOTH, "light")
    assert halves.are_custom is custom
    assert halves.last == ""
