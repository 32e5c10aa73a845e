"""Why what lies there is no play of the roll."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.referee.explanations import Evidence, Reconciled, turn_of
from pi_board.referee.reasons import in_no_hand
from pi_board.rules import RULE_SETS, Position
from pi_board.sighting import ZERO
from tests.referee.synthetic import Noise, Table

LAW = RULE_SETS["international"]
#: Dark is not all home, and a checker is gone from its two point.
BEFORE = Position((0,) * 12 + (-1, 0, 0, 0, 0, 0, -2, -2, -2, -5, -2, -1), (0, 0), (15, 0))
OFF = Position((0,) * 12 + (-1, 0, 0, 0, 0, 0, -2, -2, -2, -5, -1, -1), (0, 0), (15, 1))
BACK = Position((0,) * 12 + (-1, 0, 0, 0, 0, 0, -2, -2, -2, -6, -1, -1), (0, 0), (15, 0))


@pytest.mark.parametrize(("sixth", "there"), [(-2.0, OFF), (0.0, BACK)])
def test_a_checker_that_is_gone_was_borne_off_or_lies_on_a_full_point_whichever_is_seen_rather(
    sixth: float, there: Position
) -> None:
    """sixth: nats for a sixth checker on the three point against five."""
    rows = Table(position=OFF, noise=Noise(sigma=0.0, trays=False)).log_likelihood()
    rows[21] = -9.0
    rows[21, [-5 + ZERO, -6 + ZERO]] = (-2.0 - sixth, sixth)
    found = Reconciled("partial", None, 0.0, -5.0, in_hand=True, borne_off=OFF, unlawful=BACK)
    turn = turn_of(BEFORE, (5, 2), "dark", LAW)
    assert in_no_hand(turn, found, LAW, Evidence.from_log_likelihood(np.array(rows))) == there
    assert in_no_hand(turn, found, LAW) == BACK
