"""Photographs of 37-hole boards: what the truth says is what the picture shows."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.simulator.solitaire_still import SolitaireScene, random_occupancy
from pi_board.solitaire import BOARD_37


@pytest.mark.parametrize("seed", range(6))
def test_a_piece_changes_the_picture_where_the_truth_says(seed: int) -> None:
    scene = SolitaireScene(np.random.default_rng(seed), difficulty=0.1, sizes=((480, 360),))
    # Two pictures of the same board, one piece apart; the middle of the board, away from what lies beside it.
    full = np.ones(37, bool)
    without = full.copy()
    without[18] = False
    # The noise, the exposure and the development differ from picture to picture: the strongest change counts.
    one, truth = scene.picture(full, hand=False)
    other, other_truth = scene.picture(without, hand=False)
    assert (truth["holes"], other_truth["holes"]) == ([1] * 37, [1] * 18 + [0] + [1] * 18)
    assert np.allclose(truth["places"], other_truth["places"])
    change = np.abs(one.astype(float) - other).mean(axis=2)
    places = np.array(truth["places"])
    pitch = np.hypot(*(places[1] - places[0]))
    at = [
        change[
            max(0, int(y - pitch / 3)) : int(y + pitch / 3), max(0, int(x - pitch / 3)) : int(x + pitch / 3)
        ].mean()
        for x, y in places
    ]
    assert int(np.argmax(np.array(at) - np.median(at))) == 18


def test_everything_follows_from_the_seed() -> None:
    one, truth = SolitaireScene(np.random.default_rng(3), sizes=((320, 240),)).picture()
    other, again = SolitaireScene(np.random.default_rng(3), sizes=((320, 240),)).picture()
    assert (one == other).all() and truth == again
    assert one.shape == (240, 320, 3) and one.dtype == np.uint8


def test_a_hand_hides_holes() -> None:
    hidden = [
        SolitaireScene(np.random.default_rng(s), sizes=((320, 240),)).picture(hand=True)[1]["hidden"]
        for s in range(5)
    ]
    assert all(0 <= h <= 1.01 for board in hidden for h in board)
    assert sum(max(board) > 0.5 for board in hidden) >= 3
    assert max(SolitaireScene(np.random.default_rng(1)).picture(hand=False)[1]["hidden"]) == 0


def test_places_are_the_game_s() -> None:
    scene = SolitaireScene(np.random.default_rng(2), difficulty=0.0)
    x, y = scene.places.T
    assert (x[:3] < x[1:4]).sum() == 2 and y[0] > y[36], "hole 1 is the far left one"
    assert len(scene.places) == BOARD_37.holes


def test_full_and_nearly_empty_boards_come_too() -> None:
    rng = np.random.default_rng(1)
    pieces = [int(random_occupancy(rng).sum()) for _ in range(200)]
    assert min(pieces) <= 3 and max(pieces) >= 35 and 10 < np.mean(pieces) < 27
