"""The ground between the rows tells whether a fit lies whole columns aside."""

from dataclasses import replace

import numpy as np
import pytest

from pi_board.vision.finding.aside import a_column_aside, rather_aside
from pi_board.vision.finding.between_rows import Ground, ground_of
from pi_board.vision.finding.columns_aside import place_aside, ways_aside
from pi_board.vision.finding.edge_picture import EdgePicture
from pi_board.vision.finding.pattern_fit import fit_pattern
from pi_board.vision.finding.worth import Ratings
from tests.vision.drawn_board import MIDGAME, PROFILE, flat_board, photograph, share_of_width


@pytest.fixture(scope="module", params=[1.0, 7.0], ids=["triangles", "bullets"])
def seen(request):
    """(ratings of the picture, true corners, its fit there)."""
    board = flat_board(power=request.param, checkers=MIDGAME)
    picture, truth = photograph(board, size=(800, 600), tilt=12, azimuth=20, roll=2)
    edges = EdgePicture(picture)
    return Ratings(edges, PROFILE), truth, fit_pattern(edges, truth, PROFILE, settle=False)


def aside(fit, way):
    corners, bar = place_aside(fit, way)
    return replace(fit, corners=corners, pattern=replace(fit.pattern, bar=bar))


def test_beside_the_right_place_none_shows_more_of_the_ground(seen):
    ratings, _, fit = seen
    ground = ground_of(ratings.picture, fit)
    says = {way: ground.less(way) for way in ways_aside(fit)}
    assert min(says.values()) >= 0
    assert says[1, -1] > 0
    assert says[-1, 1] > 0
    assert not rather_aside(fit, ratings)


@pytest.mark.parametrize("way", [(-1, 1), (1, -1)])
def test_a_place_a_column_aside_shows_less_of_it_than_the_right_one(seen, way):
    ratings, _, fit = seen
    off = aside(fit, way)
    back = -way[0], -way[1]
    assert ground_of(ratings.picture, off).less(back) < 0
    assert ground_of(ratings.picture, off).worth(back) < 0 < ground_of(ratings.picture, fit).worth(way)
    assert rather_aside(off, ratings)


@pytest.mark.parametrize("way", [(-1, 1), (1, -1)])
def test_a_fit_a_column_aside_goes_back_to_the_ground(seen, way):
    ratings, truth, fit = seen
    off = aside(fit, way)
    found = a_column_aside((off, ratings.of(off)), ratings)
    assert found is not None
    assert share_of_width(found[0].corners, truth) < 0.02
    assert ratings.against(off) > ratings.against(found[0]) == 0.0


@pytest.mark.parametrize(
    ("other", "beside", "way", "less"),
    [
        pytest.param({}, (90, 90, 90, 90), (1, -1), 2, id="frame and bar"),
        pytest.param({}, (90, 0, 0, 0), (1, 0), 1, id="the frame"),
        pytest.param({11: 80}, (0, 0, 90, 0), (0, -1), 0, id="the bar instead of the frame"),
        pytest.param({0: 80, 6: 80}, (0, 0, 0, 0), (-1, 1), -2, id="lies over both already"),
        pytest.param({}, (9, 9, 9, 9), (1, -1), 0, id="too little to tell"),
        pytest.param(dict.fromkeys(range(1, 12), 40), (90, 90, 90, 90), (1, -1), 0, id="no ground is seen"),
    ],
)
def test_columns_that_are_not_the_ground_are_counted(other, beside, way, less):
    middles = np.full(12, 1.0)
    for column, levels in other.items():
        middles[column] = levels
    assert Ground(middles, np.array(beside, float)).less(way) == less


def test_places_lose_beside_each_other_and_not_beside_nothing(seen):
    ratings, _, fit = Ratings(seen[0].picture, PROFILE), *seen[1:]
    one, other = aside(fit, (1, -1)), aside(fit, (-1, 1))
    ratings.compare(fit, [(one, 0.1), (other, -0.25)])
    assert [ratings.against(place) for place in (fit, one, other)] == pytest.approx([0.25, 0.35, 0.0])
    ratings = Ratings(seen[0].picture, PROFILE)
    ratings.compare(fit, [(one, 0.1)])
    assert [ratings.against(place) for place in (fit, one, other)] == pytest.approx([0.0, 0.1, 0.0])
