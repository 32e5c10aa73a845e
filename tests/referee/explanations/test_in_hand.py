"""A checker in somebody's hand, or a hit one that is not on the bar yet."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.referee.explanations import IN_HAND, Evidence, in_hand_scores, turn_of, vector
from pi_board.referee.explanations.in_hand import borne_off_instead, left_on_point, lifting
from pi_board.rules import Position
from pi_board.sighting import BAR_DARK, ZERO
from tests.referee.explanations.looks import BEARING_OFF, LAW, TURN, look, seen

#: Light's 6-5 hits dark's blot on light's 2 point from 8.
BEFORE = Position((0, -1, 0, 0, 0, 5, 0, 4) + (0,) * 4 + (6,) + (0,) * 6 + (-5, -5, -4, 0, 0), (0, 0), (0, 0))
HIT = turn_of(BEFORE, (6, 5), "light", LAW)


def scored(evidence: Evidence, turn: object = TURN) -> tuple[float, bool]:
    """The best score of the board before with a checker in a hand, and whether it is a hit one."""
    counts = vector(turn.before)[None]  # type: ignore[attr-defined]
    scores, hit = in_hand_scores(evidence, turn, counts, evidence.scores(counts), IN_HAND)  # type: ignore[arg-type]
    return float(scores[0]), bool(hit[0])


def test_a_lifted_checker_of_the_mover_costs_only_what_a_hand_costs() -> None:
    assert scored(look([("lift", 8, "light")])) == (-IN_HAND, False)
    # The opponent has no business with a checker in his hand.
    assert scored(look([("lift", 8, "dark")]))[0] < -IN_HAND - 5.0


def test_only_points_with_a_checker_of_that_side_can_lose_one() -> None:
    gains = lifting(look([("lift", 8, "light")]), vector(TURN.before)[None], "light")[0]
    assert gains.shape == (25,) and int(gains.argmax()) == 7
    assert set(np.flatnonzero(np.isfinite(gains))) == {5, 7, 12, 23}


@pytest.mark.parametrize("on_the_bar", [True, False])
def test_a_hit_checker_may_lie_on_the_bar_or_be_on_its_way(on_the_bar: bool) -> None:
    after = next(p.result for p in HIT.legal if p.result.bar[1] == 1)
    counts = vector(after)[None]
    evidence = seen(after)
    if not on_the_bar:
        evidence.rows[BAR_DARK] = -12.0
        evidence.rows[BAR_DARK, ZERO] = 0.0
    plain = float(evidence.scores(counts)[0])
    scores, hit = in_hand_scores(evidence, HIT, counts, evidence.scores(counts), IN_HAND)
    assert (plain == 0.0) is on_the_bar
    assert bool(hit[0]) is not on_the_bar
    assert float(scores[0]) == (-IN_HAND - 12.0 if on_the_bar else -IN_HAND)


def test_the_point_on_which_a_hit_checker_still_lies_is_named() -> None:
    after = next(p.result for p in HIT.legal if p.result.bar[1] == 1)
    evidence = seen(after)
    assert left_on_point(evidence, HIT, vector(after)) is None
    evidence.mixed[1] = 6.0
    # It cannot lie in both places: the point that seems to hold both is in a shadow (900107).
    assert left_on_point(evidence, HIT, vector(after)) is None
    evidence.rows[BAR_DARK] = -12.0
    evidence.rows[BAR_DARK, ZERO] = 0.0
    assert left_on_point(evidence, HIT, vector(after)) == 1


def test_a_checker_gone_from_home_may_be_off() -> None:
    turn = turn_of(BEARING_OFF, (6, 2), "light", LAW)
    gone = seen(BEARING_OFF, (1, 1, 9.0))
    off = borne_off_instead(gone, turn, vector(BEARING_OFF))
    assert off is not None and off.points[1] == 1 and off.off == (4, 3)
    # From outside his home board nothing is borne off.
    assert borne_off_instead(look([("lift", 13, "light")]), TURN, vector(TURN.before)) is None
