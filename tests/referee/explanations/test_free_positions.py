"""The best reading without the rules of play."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.referee.explanations import Evidence, free_positions, vector
from pi_board.referee.explanations.free_positions import PER_CHECKER, PER_MISSING, TAKEN_BACK_IN
from pi_board.rules import Position
from pi_board.sighting import OFF_LIGHT, SLOTS, ZERO
from tests.referee.explanations.looks import random_positions


def worth(evidence: Evidence, position: Position, before: Position) -> float:
    """What `free_positions` maximises, written down once more."""
    counts, was = vector(position), vector(before)
    slots = np.arange(OFF_LIGHT)
    total = float(evidence.rows[slots, counts[slots] + ZERO].sum())
    total -= 0.5 * PER_CHECKER * float(np.abs(counts[slots] - was[slots]).sum())
    for i, slot in enumerate(range(OFF_LIGHT, SLOTS)):
        there, now = abs(int(was[slot])), abs(int(counts[slot]))
        total += float(evidence.trays[i, counts[slot] + ZERO])
        total -= (PER_MISSING + 1.0) * max(now - there, 0) + TAKEN_BACK_IN * max(there - now, 0)
    return total


@pytest.mark.parametrize("seed", range(4))
def test_the_dynamic_programme_finds_what_no_other_position_beats(seed: int) -> None:
    rng = np.random.default_rng(seed)
    evidence = Evidence.from_log_likelihood(rng.normal(0, 3, (SLOTS, 31)))
    bearing_off = Position((3, 2, 2, 1, 0, 0) + (0,) * 12 + (0, 0, -3, -1, -2, -2), (0, 0), (7, 7))
    positions = [*random_positions(60, seed), bearing_off]
    before = positions[7] if seed % 2 else bearing_off
    best, odd = free_positions(evidence, vector(before))
    assert best.position is not None and (best.light, best.dark) == (15, 15)
    assert best.score == pytest.approx(worth(evidence, best.position, before))
    assert best.score >= max(worth(evidence, p, before) for p in positions) - 1e-9
    assert (odd.light, odd.dark) != (15, 15)
