"""Points that are seen beside a fit."""

from dataclasses import replace

import numpy as np
import pytest

from pi_board.vision.board.distortion import RadialDistortion
from pi_board.vision.finding.columns_aside import place_aside, point_beside, takes_in_a_point, ways_aside
from pi_board.vision.finding.edge_fit import points_beside
from pi_board.vision.finding.edge_picture import EdgePicture
from pi_board.vision.finding.pattern import PointPattern
from pi_board.vision.finding.pattern_fit import PatternFit, fit_pattern
from pi_board.vision.finding.places import fits_of
from pi_board.vision.finding.worth import worth_of
from tests.vision.drawn_board import MIDGAME, PROFILE, flat_board, photograph, share_of_width


@pytest.fixture(scope="module", params=[1.0, 7.0], ids=["triangles", "bullets"])
def seen(request):
    """(picture, true corners, its fit there)."""
    board = flat_board(power=request.param, checkers=MIDGAME)
    picture, truth = photograph(board, size=(800, 600), tilt=12, azimuth=20, roll=2)
    return picture, truth, fit_pattern(EdgePicture(picture), truth, PROFILE, settle=False)


def test_no_point_is_seen_beside_a_board_that_lies_right(seen):
    assert not point_beside(seen[2])


@pytest.mark.parametrize("way", [(-1, 1), (1, -1), (-1, 0), (0, -1)])
def test_a_half_that_lies_a_column_further_in_leaves_a_point_out(seen, way):
    picture, _, fit = seen
    corners, bar = place_aside(fit, way)
    pattern = replace(fit.pattern, bar=bar)
    blurred = picture.astype(np.float32)
    beside = points_beside(blurred, fit.lens.straighten(corners), pattern, fit.lens)
    off = replace(fit, corners=corners, pattern=pattern, beside=tuple(beside))
    assert point_beside(off)
    assert worth_of(off) < worth_of(fit)
    back = [its for its in ways_aside(off) if takes_in_a_point(off, its)]
    assert (-way[0], -way[1]) in back


def test_a_fit_takes_in_the_point_beside_it(seen):
    picture, truth, fit = seen
    corners, _ = place_aside(fit, (-1, 1))
    fits = fits_of(EdgePicture(picture), [(corners, 1.0)], PROFILE, [], {})
    assert share_of_width(max(fits, key=worth_of).corners, truth) < 0.015


@pytest.mark.parametrize(
    ("beside", "way", "taken"),
    [
        ((0.8, 0, 0, 0), (1, 0), True),
        ((0.8, 0, 0, 0), (-1, 1), False),
        ((0, 0.8, 0, 0), (-1, 0), True),
        ((0, 0, 0.8, 0), (1, -1), True),
        ((0, 0, 0, 0.8), (0, -1), False),
        ((0, 0, 0, 0.8), (-1, 1), True),
        ((0.1, 0.1, 0.1, 0.1), (1, 1), False),
    ],
)
def test_a_half_goes_where_its_point_is(beside, way, taken):
    square = np.array([[100.0, 100], [500, 100], [500, 400], [100, 400]])
    fit = PatternFit(square, PointPattern(), 0.7, 1.0, 0.02, 0.8, RadialDistortion(0.0, 600.0, (320, 240)))
    assert takes_in_a_point(replace(fit, beside=beside), way) == taken
