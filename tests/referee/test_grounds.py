"""Doubts: what raises them, what dispels them, and which of them outlast a turn."""

from __future__ import annotations

import pytest

from pi_board.referee.grounds import LASTING, OTHER_ACCOUNT, PREMISE, Doubt, Grounds


@pytest.mark.parametrize("doubt", sorted(PREMISE))
def test_a_doubt_outlasts_the_turn_only_where_it_is_said(doubt: Doubt) -> None:
    grounds = Grounds()
    grounds.doubt(doubt)
    assert grounds.premise == PREMISE[doubt]
    grounds.new_roll()
    lasts = doubt in LASTING or doubt == "guessed_dice"
    assert (grounds.premise is not None) == lasts


@pytest.mark.parametrize(
    ("doubts", "shown", "left"),
    [
        (("guessed_start",), True, None),
        (("guessed_start",), False, "position"),  # a play of other checkers says nothing of the rest
        (("guessed_turn",), False, None),
        (("guessed_dice",), True, "dice"),  # a play of guessed dice proves nothing
        (("guessed_start", "guessed_turn"), False, "position"),
        ((), False, None),
    ],
)
def test_a_lawful_play_dispels(doubts: tuple[Doubt, ...], shown: bool, left: str | None) -> None:
    grounds = Grounds()
    for doubt in doubts:
        grounds.doubt(doubt)
    grounds.played(shown=shown)
    assert grounds.premise == left


def test_what_a_person_tells_dispels_everything() -> None:
    grounds = Grounds()
    for doubt in PREMISE:
        grounds.doubt(doubt)
    grounds.told()
    assert grounds.premise is None


def test_another_account_differs_in_the_premise_that_its_doubt_is_about() -> None:
    assert {PREMISE[doubt] for doubt in OTHER_ACCOUNT.values()} == set(OTHER_ACCOUNT)
