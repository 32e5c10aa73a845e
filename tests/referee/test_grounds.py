"""Doubts: what raises them, what dispels them, and which of them outlast a turn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pi_board.referee.grounds import LASTING, OTHER_ACCOUNT, PREMISE, Doubt, Grounds
from pi_board.rules import STARTING_POSITION
from pi_board.sighting import BAR_DARK, ZERO
from tests.referee.synthetic import Story


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


@pytest.mark.parametrize(
    ("bar", "stack", "clear"),
    [(-8.0, -8.0, True), (-0.8, -8.0, True), (-0.8, -2.0, False), (-8.0, -2.0, True)],
    ids=["told", "all seen elsewhere", "one may be missing from a stack", "and would be seen on the bar"],
)
def test_what_lies_on_a_bar_that_hardly_tells_it_is_clear_where_all_checkers_are_seen_elsewhere(
    bar: float, stack: float, clear: bool
) -> None:
    """Dark checkers on a dark bar: one was read where none lay, sure enough by all that was remembered (2150002: a false accusation). A cup on
    the bar for half a game is no reason to ask about each illegal play (2350019)."""
    story = Story()
    story.see()
    looks = story.referee.looks
    assert looks.evidence is not None
    rows = looks.evidence.rows.copy()
    rows[11, ZERO - 4] = stack
    looks.evidence = replace(looks.evidence, rows=rows)
    rows = rows.copy()
    rows[BAR_DARK, ZERO - 1] = bar
    looks.raw = replace(looks.evidence, rows=rows)
    assert looks.raw.tells_the_bar == (bar < -1.5)
    assert looks.clearly_shows(looks.evidence, STARTING_POSITION) == clear
