"""Which of the fits is the board."""

import numpy as np
import pytest

from pi_board.vision.finding.choosing import choose
from pi_board.vision.finding.pattern import PointPattern
from pi_board.vision.finding.pattern_fit import PatternFit
from pi_board.vision.finding.rating import PlacementRating
from tests.vision.drawn_board import PROFILE


@pytest.mark.parametrize(("alternation", "sure"), [(0.6, True), (0.0, False)])
def test_the_starting_position_alone_makes_no_place_sure_whose_colours_do_not_take_turns(alternation, sure):
    class Shown:
        image, profile = np.zeros((480, 640, 3), np.uint8), PROFILE

        def of(self, fit):
            return PlacementRating(-0.5, 30, start=True, like_start=-5.0)

    corners = np.array([[100.0, 100], [500, 100], [500, 400], [100, 400]])
    fit = PatternFit(corners, PointPattern(), 0.66, 0.9, 0.03, alternation)
    best, confidence = choose([fit], Shown())
    assert best is fit
    assert (confidence > 0.9) == sure
