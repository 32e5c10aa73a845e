"""What a look costs decides how often it is taken, and never what is said."""

from __future__ import annotations

import pytest

from pi_board.vision.budget import MODEL, LookBudget, smallest_size


def budget(first: float, again: float) -> LookBudget:
    out = LookBudget()
    for _ in range(MODEL.remembered):
        out.note("first", first)
        out.note("again", again)
    return out


@pytest.mark.parametrize(
    ("again", "least", "pause"),
    [
        (0.0, 1.0, 1.0),  # nothing timed yet
        (0.03, 1.0, 1.0),  # a desktop: as ever
        (0.3, 1.0, 2.0),  # a small processor: a seventh of the time
        (0.3, 4.0, 4.0),
        (30.0, 1.0, MODEL.longest),  # a lamp must be noticed all the same
    ],
)
def test_pauses_grow_with_what_a_look_costs(again: float, least: float, pause: float) -> None:
    assert budget(1.0, again).pause(least) == pytest.approx(pause)


def test_two_looks_must_agree_however_slow_the_machine_is() -> None:
    assert budget(0.1, 0.03).full_looks(3) == 3
    assert budget(9.0, 5.0).full_looks(3) == 2
    assert budget(9.0, 5.0).to_a_word == pytest.approx(14.0)


def test_a_search_costs_as_many_looks_everywhere() -> None:
    assert LookBudget().search == 0.0, "nothing timed yet"
    assert budget(0.7, 0.3).search == pytest.approx(0.7 * MODEL.search)


def test_one_look_that_waited_for_something_else_changes_nothing() -> None:
    steady = budget(0.1, 0.03)
    steady.note("again", 5.0)
    assert steady.pause(1.0) == 1.0 and steady.full_looks(3) == 3


@pytest.mark.parametrize(
    ("share", "die", "size"),
    [
        (0.75, 0.03, (640, 480)),  # big dice on a board that fills the picture
        (0.75, 0.022, (960, 540)),
        (0.75, 0.017, (1280, 720)),
        (0.3, 0.017, (1280, 720)),  # too small in any picture: the largest
    ],
)
def test_the_smallest_picture_in_which_dice_can_be_read(
    share: float, die: float, size: tuple[int, int]
) -> None:
    assert smallest_size(share, die, 0.075) == size
