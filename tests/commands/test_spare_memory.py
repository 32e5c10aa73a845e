"""Spare memory goes back after a game, and at no other time."""

from __future__ import annotations

from pi_board.commands.spare_memory import SpareMemory, give_back
from pi_board.events import DiceRolled, GameWon
from pi_board.output import Moment
from pi_board.table import TableView


def test_after_a_game_only() -> None:
    given: list[int] = []
    spare = SpareMemory(lambda: given.append(1))
    rolled = DiceRolled(side="light", dice=(6, 3), time=1.0)
    won = GameWon(side="light", points=1, kind="single", score=(1, 0), time=2.0)
    found = []
    for events in ((rolled,), (), (won,), (rolled,)):
        spare.show(Moment(1.0, TableView(), events))
        found.append(len(given))
    spare.close()
    assert found == [0, 0, 1, 1]


def test_the_c_library_is_asked() -> None:
    give_back()
