"""Dice that lie still while hands move."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pi_board.referee.dice.model import PAIR
from pi_board.referee.dice.resting import RestingDice
from pi_board.sighting import DieSeen

DIE = DieSeen(4, 0.95, 100.0, 100.0, 24.0, "light")


def test_dice_rest_from_the_first_picture_that_shows_them_where_they_lie() -> None:
    resting, other = RestingDice(), replace(DIE, value=2, x=200.0)
    resting.note([DIE], 1.0)
    resting.note([DIE, other], 1.4)
    resting.note([DIE, other], 2.0)
    assert resting.seconds([DIE]) == pytest.approx(1.0)
    assert resting.seconds([DIE, other]) == pytest.approx(0.6)
    assert resting.seconds([DIE, replace(other, value=5)]) is None
    # An arm hides them for longer than one would lie there unseen.
    resting.note([], 2.0 + 2 * PAIR.lost)
    assert resting.seconds([DIE]) is None


@pytest.mark.parametrize(("after", "before"), [(1.0, True), (0.5, False), (0.0, False)])
def test_which_of_two_pairs_lay_there_first(after: float, before: bool) -> None:
    resting, first, second = RestingDice(), [DIE], [replace(DIE, value=2, x=200.0)]
    for tenths in range(16):
        resting.note([*first, *(second if tenths / 10 >= after else [])], tenths / 10)
    assert resting.lay_before(first, second) == before
    assert not resting.lay_before(second, first)
