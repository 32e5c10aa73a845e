"""What is kept of two readers' words about a point of which either may be deceived."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.sighting import COUNTS, SLOTS, ZERO
from pi_board.vision.checkers.opinions import (
    Deceived,
    as_told_by_colours,
    combined,
    for_fewer,
    nobody_is_deceived,
    undecided,
)

SLOT = 7


def said(count: int) -> np.ndarray:
    """(28, 31) nats of a reader that is sure of `count` checkers on `SLOT`, and that the other slots are empty."""
    rows = np.full((SLOTS, COUNTS), -14.0)
    rows[:, ZERO] = 0.0
    rows[SLOT] = -14.0
    rows[SLOT, count + ZERO] = 0.0
    return rows


def of_both(one: int, other: int) -> np.ndarray:
    deceived = nobody_is_deceived()
    deceived[SLOT] = Deceived.BOTH
    return combined(said(one), said(other), deceived)


@pytest.mark.parametrize(
    ("one", "other", "ahead"),
    [(0, 2, 3.0), (2, 0, 3.0), (0, -1, 3.0), (3, 2, 1.0), (-5, -7, 2.0), (5, 9, 3.0), (1, -1, 0.0)],
)
def test_the_lower_of_two_counts_is_the_likelier(one: int, other: int, ahead: float) -> None:
    both = of_both(one, other)
    assert undecided(both, ()) == [SLOT]
    told = for_fewer(both, [SLOT])
    fewer, more = sorted((one, other), key=abs)
    assert told[SLOT, fewer + ZERO] - told[SLOT, more + ZERO] == pytest.approx(ahead, abs=0.01)
    others = np.arange(SLOTS) != SLOT
    assert np.array_equal(told[others], both[others])


def test_what_both_say_and_what_a_thing_hides_is_not_asked_about() -> None:
    assert undecided(of_both(3, 3), ()) == []
    assert undecided(of_both(3, 4), (SLOT,)) == []
    both = of_both(3, 3)
    assert for_fewer(both, []) is both


@pytest.mark.parametrize("others_unsure", [False, True])
def test_a_reader_to_which_a_sets_colours_tell_nothing_does_not_say_whose(others_unsure: bool) -> None:
    """(4005008: blue and brown under a desk lamp. Of a blue checker by itself one reader was sure, the other took it for brown by .7 nats, and
    both together could not tell.)"""
    own, theirs = said(1), said(-1)
    theirs[SLOT, ZERO + 1] = -0.7
    for slot in (0, 5, 11):
        own[slot] = said(3)[SLOT]
        theirs[slot] = said(3)[SLOT]
        theirs[slot, ZERO - 3] = -1.2 if others_unsure else -9.0
    whose = np.zeros(24, bool)
    whose[[0, 5, 11, SLOT] if others_unsure else SLOT] = True
    deceived = nobody_is_deceived()
    deceived[SLOT] = Deceived.BOTH
    both = combined(own, as_told_by_colours(own, theirs, whose), deceived)
    assert bool(undecided(both, ())) != others_unsure
    if others_unsure:
        assert both[SLOT].argmax() - ZERO == 1 and (both[[0, 5, 11]].argmax(axis=1) - ZERO == 3).all()


def test_that_a_point_is_empty_such_a_reader_tells_all_the_same() -> None:
    """(4008006: a dark checker that had left a black point of the board was still seen there by the other one.)"""
    own, theirs = said(-1), said(0)
    for slot in (0, 5):
        own[slot] = theirs[slot] = said(3)[SLOT]
        theirs[slot, ZERO - 3] = -1.0
    whose = np.zeros(24, bool)
    whose[[0, 5, SLOT]] = True
    told = as_told_by_colours(own, theirs, whose)
    assert told[SLOT].argmax() == ZERO and (told[[0, 5]].argmax(axis=1) - ZERO == 3).all()
    deceived = nobody_is_deceived()
    deceived[SLOT] = Deceived.BOTH
    assert undecided(combined(own, told, deceived), ()) == [SLOT]
