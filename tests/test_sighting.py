"""What a `Sighting` is made of."""

from __future__ import annotations

from pi_board.sighting import DieSeen

DIE = DieSeen(4, 0.97, 10.0, 20.0, 8.0, chances=(0.0, 0.01, 0.01, 0.97, 0.01, 0.0))


def test_what_casts_doubt_on_a_die_from_outside_says_nothing_of_its_other_numbers() -> None:
    doubted = DIE.at_most(0.8)
    assert (doubted.value, doubted.confidence, doubted.chances) == (4, 0.8, ())
    assert DIE.at_most(0.99) is DIE
