"""What a thing on the board hides."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pi_board.referee.explanations import vector
from pi_board.referee.explanations.veiled import veiled_rivals, veiled_slots
from pi_board.rules import STARTING_POSITION
from tests.referee.explanations.looks import TURN, judged, look


def test_what_stands_on_the_board_forbids_to_accuse_beside_it() -> None:
    wrong = look([("move", 8, 2, "light")])
    assert judged(wrong).kind == "illegal"
    covered = replace(wrong, hidden=(1, 4, 5, 7))  # the points 2, 5, 6 and 8
    found = judged(covered)
    assert found.kind == "unclear" and found.veiled and set(found.veiled) <= {1, 4, 5, 7}


def test_only_covered_slots_that_differ_alone_are_named() -> None:
    covered = replace(look(), hidden=(4, 7))
    before = vector(STARTING_POSITION)
    played = before.copy()
    played[7] -= 1
    played[4] += 1
    elsewhere = before.copy()
    elsewhere[5] -= 1
    elsewhere[4] += 1
    assert veiled_slots(covered, np.array([played, elsewhere]), before) == (4, 7)
    assert veiled_slots(covered, np.array([elsewhere]), before) == ()
    assert veiled_slots(look(), np.array([played]), before) == ()


@pytest.mark.parametrize(("behind", "slots"), [(2.0, ()), (9.0, (4, 7))])
def test_a_single_hidden_play_that_is_hardly_contradicted_may_still_be_taken(
    behind: float, slots: tuple[int, ...]
) -> None:
    """Of one play alone the picture may say enough; of one that it contradicts, or of two, the thing must go first."""
    covered = replace(look(), hidden=(4, 7))
    before = vector(STARTING_POSITION)
    played = before.copy()
    played[7] -= 1
    played[4] += 1
    rival = (TURN.legal[0], behind)
    assert veiled_rivals(covered, np.array([played]), before, rival, 6.0) == slots
    assert veiled_rivals(covered, np.array([played]), before, None, 6.0) == ()
