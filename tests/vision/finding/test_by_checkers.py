import numpy as np
import pytest

from pi_board.vision.finding.by_checkers import LOOKS, places_by_checkers
from pi_board.vision.finding.rating import PlacementRating
from pi_board.vision.profile import load_profile
from tests.vision.simulated_board import SimulatedBoard


def share_of_width(found, truth):
    return np.linalg.norm(found - truth, axis=1).max() / np.linalg.norm(truth[1] - truth[0])


def elsewhere(truth, rng, count):
    """Quads as the search by edges leaves them: of a board's size, whole columns and more off."""
    width = np.linalg.norm(truth[1] - truth[0])
    shifts = rng.uniform(-0.6, 0.6, (count, 1, 2))
    shifts += np.sign(shifts) * 0.25
    return truth + shifts * width


@pytest.mark.parametrize("off", [(0.03, 0.0), (0.0, -0.07)])
def test_the_network_finds_what_is_part_of_a_column_or_a_row_off(off):
    board = SimulatedBoard("wood", seed=7)
    image, truth = board.frame().image, board.corners()
    width = np.linalg.norm(truth[1] - truth[0])
    rng = np.random.default_rng(1)
    near_truth = truth + np.array(off) * width
    rough = np.concatenate([elsewhere(truth, rng, 12), near_truth[None]])
    found = places_by_checkers(image, [rough], load_profile("generic"))
    assert share_of_width(found[0], truth) < 0.05


def test_nothing_is_seen_where_no_board_lies():
    rng = np.random.default_rng(2)
    image = rng.integers(90, 130, (480, 640, 3)).astype(np.uint8)
    corners = np.array([[150.0, 100], [500, 100], [500, 380], [150, 380]])
    assert places_by_checkers(image, [elsewhere(corners, rng, 8)], load_profile("generic")) == []
    assert places_by_checkers(image, [], load_profile("generic")) == []


def test_what_resembles_the_starting_position_promises_more_the_more_it_does():
    far, near, there = (
        PlacementRating(-3.0, 20, start, like)
        for start, like in ((False, -60.0), (False, -20.0), (True, 0.0))
    )
    assert far.promise == far.value
    assert far.promise < near.promise < there.promise == there.value
    assert far.promise < LOOKS.promising < there.promise
