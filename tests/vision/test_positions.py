"""Positions that games come to: counted for the prior of stills."""

from __future__ import annotations

import numpy as np

from pi_board.hints import Evaluator
from pi_board.rules import STARTING_POSITION
from pi_board.vision.training.positions import count, played_positions


def test_positions_of_one_game_follow_from_one_another() -> None:
    game = list(played_positions(np.random.default_rng(5), Evaluator()))
    assert len(game) > 20
    assert STARTING_POSITION not in game[:1]
    pips = [sum(n * (i + 1) for i, n in enumerate(p.points) if n > 0) + 25 * p.bar[0] for p in game]
    assert max(pips) > 100 > min(pips)
    assert all(max(p.off) < 15 for p in game)


def test_both_sides_are_counted_alike() -> None:
    table = count(1, seed=3)
    assert table.shape == (2, 2, 24, 31)
    assert table.sum() > 24 * 40
    np.testing.assert_array_equal(table.sum(axis=3), table.sum(axis=3)[..., ::-1])
    np.testing.assert_array_equal(table[0, 1], table[1, 0][::-1, ::-1])
