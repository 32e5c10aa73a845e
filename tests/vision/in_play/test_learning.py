"""What is learned from an accepted position."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pi_board.rules import STARTING_POSITION
from pi_board.sighting import ZERO
from pi_board.vision.checkers.known_position import signed_counts
from pi_board.vision.in_play import dice as dice_module
from tests.vision.simulated_board import board_without_cube, random_positions


@pytest.mark.parametrize(("nats", "learned"), [(-4.0, True), (-5.0, False)])
def test_a_picture_is_no_lesson_of_a_position_that_one_place_contradicts(
    monkeypatch: pytest.MonkeyPatch, nats: float, learned: bool
) -> None:
    """Somebody has written down what never lay there. (All places together may say more against it.)"""
    monkeypatch.setattr(dice_module, "find_dice_and_cube", lambda *a, **k: ([], None))
    board = board_without_cube("travel")
    reader = board.reader()
    reader.look(board.frame())
    reader.learn(STARTING_POSITION)
    position = random_positions(1, seed=5, plies=1)[0]
    board.play_to(position)
    assert reader.look(board.frame()).settled
    shown, counts = reader.state.pace.shown, signed_counts(position)
    assert shown is not None and shown.log_likelihood is not None
    table = np.zeros_like(shown.log_likelihood)
    table[5, counts[5] + ZERO] = nats
    reader.state.pace.shown = replace(shown, log_likelihood=table)
    reader.learn(position)
    assert reader.appearance is not None
    assert (reader.appearance.counts == counts).all() == learned
