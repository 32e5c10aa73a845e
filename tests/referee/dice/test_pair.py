"""Two dice that lie still."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pi_board.referee.dice.pair import Pair
from pi_board.referee.dice.tracked_die import TrackedDie
from pi_board.sighting import DieSeen

DIE = DieSeen(4, 0.95, 100.0, 100.0, 24.0, "light")
SPOT = replace(DIE, value=None, confidence=0.6)


@pytest.mark.parametrize(("one", "other", "same"), [((4, 2), (2, 4), True), ((4, 2), (4, 3), False)])
def test_two_pairs_show_the_same_in_either_order(
    one: tuple[int, int], other: tuple[int, int], same: bool
) -> None:
    def pair(values: tuple[int, int]) -> Pair:
        return Pair([TrackedDie.first(replace(DIE, value=v), 0) for v in values])

    assert pair(one).shows(pair(other).values) == same


def test_a_pair_that_cannot_be_read_shows_as_none() -> None:
    unread = Pair([TrackedDie.first(d, 0) for d in (DIE, SPOT)])
    assert not unread.shows(unread.values) and not unread.shows((4, 4))
