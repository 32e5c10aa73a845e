"""What one look says, slot by slot."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.referee.explanations import SLOT_CAP, Evidence, vector
from pi_board.rules import STARTING_POSITION, Position
from pi_board.sighting import SLOTS, ZERO
from tests.referee.explanations.looks import BEARING_OFF, FOUR_OUTSIDE
from tests.referee.synthetic import Noise, Table


def test_evidence_is_bounded_and_forgives_what_is_no_number() -> None:
    raw = np.full((SLOTS, 31), -1e9)
    raw[:, ZERO] = 5.0
    raw[3, 2], raw[4, 3] = np.nan, np.inf
    evidence = Evidence.from_log_likelihood(raw)
    assert (
        evidence.rows.max() == 0.0 and evidence.rows.min() >= -SLOT_CAP and np.isfinite(evidence.rows).all()
    )
    with pytest.raises(ValueError, match="shape"):
        Evidence.from_log_likelihood(np.zeros((24, 31)))


@pytest.mark.parametrize(
    ("position", "wrong", "certain"),
    [
        (STARTING_POSITION, [], True),
        (STARTING_POSITION, [(5, 4, 2.0)], True),
        # One slot that may hold one more is no other board: the checker would have to be missing elsewhere.
        (STARTING_POSITION, [(5, 6, -2.0)], True),
        (STARTING_POSITION, [(5, 6, -2.0), (7, 2, -2.0)], False),
        # At home one less may have been borne off.
        (BEARING_OFF, [(2, 2, -2.0)], False),
        (FOUR_OUTSIDE, [(0, 5, -2.0)], True),
    ],
)
def test_a_board_is_certain_when_no_checker_may_lie_elsewhere(
    position: Position, wrong: list[tuple[int, int, float]], certain: bool
) -> None:
    """wrong: (slot, other count, nats by which it is likelier than what lies there)."""
    rows = Table(position=position, noise=Noise(sigma=0.0, sharp=12.0)).log_likelihood()
    for slot, count, nats in wrong:
        rows[slot, count + ZERO] = rows[slot, vector(position)[slot] + ZERO] + nats
    assert (Evidence.from_log_likelihood(rows).certainty(position) >= 6.0) is certain
