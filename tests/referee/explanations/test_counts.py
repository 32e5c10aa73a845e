"""Counts and positions."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.referee.explanations import position_of, vector
from pi_board.rules import STARTING_POSITION, Position
from pi_board.sighting import BAR_DARK, BAR_LIGHT, OFF_DARK, OFF_LIGHT, SLOTS
from tests.referee.explanations.looks import random_positions


@pytest.mark.parametrize("position", random_positions(40, seed=3))
def test_counts_and_position_are_two_forms_of_one_thing(position: Position) -> None:
    assert position_of(vector(position)) == position
    assert position_of(vector(position) + np.eye(SLOTS, dtype=np.int64)[4]) is None


@pytest.mark.parametrize(
    ("slot", "count"),
    [(BAR_LIGHT, -1), (OFF_LIGHT, -1), (BAR_DARK, 1), (OFF_DARK, 1)],
    ids=["light's bar", "light's tray", "dark's bar", "dark's tray"],
)
def test_no_bar_and_no_tray_holds_the_others_checkers(slot: int, count: int) -> None:
    counts = vector(STARTING_POSITION)
    point = int(np.flatnonzero(np.sign(counts[:24]) == np.sign(count))[0])
    counts[point] -= count
    counts[slot] += count
    assert position_of(counts) is None
