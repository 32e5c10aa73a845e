"""What is written down when the opponent rolls although nobody could tell what was played."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.referee.explanations import Evidence, turn_of
from pi_board.referee.questions import _with_all_dice
from pi_board.rules import RULE_SETS, STARTING_POSITION, Position
from pi_board.sighting import ZERO
from tests.referee.synthetic import Noise, Story, Table

BEFORE = Position((2, 7, 3, -1, 0, 2, *(0,) * 5, -1, *(0,) * 8, -1, -2, -4, -6), (0, 0), (1, 0))
#: Light has played his 1, and perhaps his 2 as well: his pile on the two-point can hardly be counted.
ONE, BOTH = ((3, 6), 1), ((3, 5), 2)


@pytest.mark.parametrize(("six", "chosen"), [(0.0, BOTH), (3.0, ONE)])
def test_a_player_who_may_stop_early_is_taken_to_have_used_all_dice_where_the_picture_shows_either(
    six: float, chosen: tuple[tuple[int, int], int]
) -> None:
    """By the classic leaflet nobody has to bear off (680038)."""
    points, off = ONE
    played = Position((*points, *BEFORE.points[2:]), (0, 0), (off, 0))
    rows = Table(position=played, noise=Noise(sigma=0.0, trays=False)).log_likelihood()
    rows[1, 6 + ZERO] = rows[1].max() + six
    rows[1, 5 + ZERO] = rows[1, 6 + ZERO] - six
    evidence = Evidence.from_log_likelihood(np.asarray(rows))
    turn = turn_of(BEFORE, (2, 1), "light", RULE_SETS["classique"])
    assert turn.play_to(played) is not None, "the leaflet lets him stop"
    found = _with_all_dice(evidence, turn, played)
    assert (found.points[:2], found.off[0]) == chosen


@pytest.mark.parametrize(("gone", "seen"), [(None, True), (24, False)])
def test_a_checker_that_cannot_be_seen_was_not_borne_off_while_others_are_not_at_home(
    gone: int | None, seen: bool
) -> None:
    """Even where the whole board is asked for, with a checker too few."""
    story = Story(Table(noise=Noise(sigma=0.0, trays=False)))
    story.see()
    story.throw(3, 1, halves=("light", "dark"))
    if gone is not None:
        story.table.lift(gone, "light")
    evidence = Evidence.from_log_likelihood(story.table.log_likelihood())
    found, _ = story.referee.looks.read_board(evidence, STARTING_POSITION, whole=True)
    assert found == (STARTING_POSITION if seen else None)
