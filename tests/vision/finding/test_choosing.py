"""Which of the fits is the board."""

import numpy as np
import pytest

from pi_board.errors import AmbiguousError
from pi_board.vision.finding.choosing import choose
from pi_board.vision.finding.edge_picture import EdgePicture
from pi_board.vision.finding.pattern import PointPattern
from pi_board.vision.finding.pattern_fit import PatternFit
from pi_board.vision.finding.rating import PlacementRating
from pi_board.vision.finding.worth import Ratings
from tests.vision.drawn_board import PROFILE

CORNERS = np.array([[100.0, 100], [500, 100], [500, 400], [100, 400]])


class Shown(Ratings):
    """Ratings of an empty picture: every place in it is rated the same."""

    def __init__(self, rating):
        super().__init__(EdgePicture(np.zeros((480, 640, 3), np.uint8)), PROFILE)
        self._rating = rating

    def of(self, fit):
        return self._rating


@pytest.mark.parametrize(
    ("support", "ends", "alternation", "sure"),
    [
        (0.66, 0.9, 0.6, True),
        pytest.param(0.66, 0.9, 0.0, False, id="colours do not take turns"),
        pytest.param(0.55, 0.9, 0.6, False, id="many sides lie on no edge"),
        pytest.param(0.8, 0.5, 0.6, False, id="ends are hardly seen"),
    ],
)
def test_the_starting_position_makes_no_place_surer_than_its_points_do(support, ends, alternation, sure):
    shown = Shown(PlacementRating(-0.5, 30, start=True, like_start=-5.0))
    fit = PatternFit(CORNERS.copy(), PointPattern(), support, ends, 0.03, alternation)
    best, confidence = choose([fit], shown)
    assert best is fit
    assert (confidence > 0.9) == sure


@pytest.mark.parametrize(
    ("support", "alternation", "certainty", "checkers", "found", "beside"),
    [
        pytest.param(0.7, 0.5, -10.0, 2, False, 0.0, id="noise"),
        pytest.param(0.7, 0.5, -20.0, 9, False, 0.0, id="noise in which checkers are seen"),
        pytest.param(0.9, 0.3, -12.0, 0, False, 0.0, id="a cloth"),
        pytest.param(0.7, 0.2, -26.0, 28, False, 0.0, id="a cloth in which checkers are seen"),
        pytest.param(0.9, 0.2, -12.0, 25, False, 0.6, id="a cloth whose stripes go on on either side"),
        pytest.param(0.9, 0.2, -2.0, 25, True, 0.6, id="a board on such a cloth"),
        pytest.param(0.7, 0.5, -0.2, 0, True, 0.0, id="a bare board"),
        pytest.param(0.7, 0.5, -10.0, 25, True, 0.0, id="a board of which the network makes little"),
        pytest.param(0.9, 0.8, -10.0, 2, True, 0.0, id="points that nobody could overlook"),
    ],
)
def test_points_and_no_board_there_are_noise(support, alternation, certainty, checkers, found, beside):
    shown = Shown(PlacementRating(certainty, checkers, start=False))
    fit = PatternFit(
        CORNERS.copy(), PointPattern(), support, 0.68, 0.03, alternation, beside=(beside, 0.0, 0.0, beside)
    )
    if found:
        assert choose([fit], shown)[0] is fit
    else:
        with pytest.raises(AmbiguousError, match="no board found"):
            choose([fit], shown)


@pytest.mark.parametrize(
    ("beside", "start", "sure"), [(0.2, False, True), (0.6, False, False), (0.6, True, True)]
)
def test_beside_a_point_no_place_is_sure_unless_the_starting_position_shows(beside, start, sure):
    shown = Shown(PlacementRating(-0.5, 30, start=start, like_start=-5.0 if start else -144.0))
    fit = PatternFit(CORNERS.copy(), PointPattern(), 0.9, 0.9, 0.03, 0.6, beside=(0.0, 0.0, 0.0, beside))
    _, confidence = choose([fit], shown)
    assert (confidence > 0.9) == sure


@pytest.mark.parametrize(("worse", "sure"), [(0.03, False), (0.1, True)])
def test_beside_a_place_that_is_seen_nearly_as_well_none_is_sure(worse, sure):
    shown = Shown(PlacementRating(-0.5, 30, start=True, like_start=-5.0))
    fit = PatternFit(CORNERS.copy(), PointPattern(), 0.9, 0.9, 0.03, 0.6)
    # The same columns, but another far end.
    other = PatternFit(
        CORNERS - [[0, 15], [0, 15], [0, 0], [0, 0]], PointPattern(), 0.9 - worse, 0.9, 0.03, 0.6
    )
    best, confidence = choose([fit, other], shown)
    assert best is fit
    assert (confidence > 0.9) == sure
