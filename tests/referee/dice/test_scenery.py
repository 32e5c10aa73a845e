"""What looks like a die and is none of the pair."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pi_board.referee.dice.model import PAIR
from pi_board.referee.dice.scenery import FORGET, Scenery
from pi_board.referee.dice.tracked_die import TrackedDie
from pi_board.sighting import DieSeen

SPOT = DieSeen(None, 0.6, 100.0, 100.0, 24.0, "light")
DIE = DieSeen(4, 0.95, 100.0, 100.0, 24.0, "light")


@pytest.mark.parametrize(
    ("came", "seen", "looks_since", "is_scenery"),
    [
        (SPOT, SPOT, 1, True),
        (SPOT, SPOT, FORGET, True),
        (SPOT, SPOT, FORGET + 1, False),
        (SPOT, DIE, 1, False),  # it was still rolling
        (DIE, DIE, PAIR.scenery_looks, True),
        (DIE, DIE, PAIR.scenery_looks + 1, False),  # a well-read die only if it was there just before
        (DIE, replace(DIE, x=130.0), 1, False),
    ],
    ids=["a spot", "long ago", "too long ago", "rolling", "a die", "a die that was away", "elsewhere"],
)
def test_what_was_there_is_scenery_for_a_while(
    came: DieSeen, seen: DieSeen, looks_since: int, is_scenery: bool
) -> None:
    scenery = Scenery()
    scenery.remember([came], 10)
    assert scenery.has(seen, 10 + looks_since) == is_scenery


def test_it_knows_how_long_something_has_lain_there_and_whether_it_can_be_read() -> None:
    scenery = Scenery()
    for look in range(5):
        scenery.remember([SPOT], look)
    assert scenery.age(SPOT, 7) == 7 and scenery.age(replace(SPOT, y=300.0), 7) == 0
    assert not scenery.came_alone(SPOT)
    scenery.forget()
    scenery.remember([DIE], 8)
    assert scenery.came_alone(DIE) and scenery.age(DIE, 8) == 0


def test_a_die_of_the_roll_before_is_no_new_one() -> None:
    scenery = Scenery()
    scenery.add_die(TrackedDie.first(DIE, 3), 3)
    assert scenery.has(DIE, 4)
