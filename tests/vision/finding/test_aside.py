"""The same board somewhat aside."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from pi_board.vision.board.distortion import RadialDistortion
from pi_board.vision.finding import aside
from pi_board.vision.finding.columns_aside import place_aside, ways_aside
from pi_board.vision.finding.edge_picture import EdgePicture
from pi_board.vision.finding.find_numbers import FIND
from pi_board.vision.finding.pattern import PointPattern, apply, unit_homographies
from pi_board.vision.finding.pattern_fit import PatternFit, fit_given_corners
from pi_board.vision.finding.worth import Ratings, worth_of
from pi_board.vision.profile import load_profile
from tests.vision.drawn_board import PROFILE, flat_board, photograph, share_of_width
from tests.vision.simulated_board import PROFILES, SimulatedBoard


@pytest.mark.parametrize(("left", "right"), [(0.0, 1.0), (-1.0, 1.0), (1.0, 0.0)])
def test_the_starting_position_shows_where_a_fit_is_a_column_off(left, right):
    board = SimulatedBoard("wood", seed=7)
    image = board.frame().image
    profile = load_profile(PROFILES["wood"])
    picture = EdgePicture(image)
    fit = fit_given_corners(picture, board.corners(), profile)
    # The field's left and right edge, columns outwards.
    pitch, bar = fit.pattern.pitch, fit.pattern.bar
    wider = (left + right) * pitch
    unit = np.array([[-0.5 - left * pitch, 0], [0.5 + right * pitch, 0]])
    far, near = (
        board.corners()[[0, 3]][k]
        + (unit[:, :1] + 0.5) * (board.corners()[[1, 2]] - board.corners()[[0, 3]])[k]
        for k in (0, 1)
    )
    off = replace(
        fit,
        corners=np.array([far[0], far[1], near[1], near[0]]),
        pattern=fit.pattern.with_(bar=(bar + wider) / (1 + wider)),
    )
    found = aside.start_aside([off], Ratings(picture, profile))
    assert len(found) == 1 and found[0][1].start
    assert share_of_width(found[0][0].corners, board.corners()) < 0.02


def through_lens(picture, corners, lens):
    """The picture and its corners as a lens that bends shows them."""
    height, width = picture.shape[:2]
    at = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).astype(float)
    maps = lens.straighten(at).astype(np.float32)
    bent = cv2.remap(picture, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return bent, lens.bend(corners)


@pytest.mark.parametrize(("left", "right"), [(-1, 1), (1, -1)])
def test_under_a_lens_that_bends_a_column_aside_is_found_and_fitted(left, right):
    straight, truth = photograph(flat_board(power=2.2), size=(960, 720), tilt=12, distance=38)
    lens = replace(RadialDistortion.for_picture(straight), k1=-0.3)
    image, corners = through_lens(straight, truth, lens)
    bar = PROFILE.bar_width / PROFILE.field_width
    pattern = PointPattern(bar=bar, length=0.41, power=2.2)
    # Where the whole pattern lies a column aside, on the straight board.
    unit = np.array([[-0.5 - left * pattern.pitch, 0], [0.5 + right * pattern.pitch, 0]])
    unit = np.array([unit[0], unit[1], unit[1] + [0, 1], unit[0] + [0, 1]])
    moved = lens.bend(apply(unit_homographies(truth[None]), unit)[0])
    off = PatternFit(moved, pattern, 0.7, 1.0, 0.02, 0.8, lens)
    places = [place_aside(off, way) for way in ways_aside(off)]
    back, its_bar = min(places, key=lambda place: np.abs(place[0] - corners).max())
    assert share_of_width(back, corners) < 0.01
    assert its_bar == pytest.approx(bar, abs=0.01)
    fits = aside._fits_aside(Ratings(EdgePicture(image), PROFILE), off, back, its_bar)
    assert share_of_width(max(fits, key=worth_of).corners, corners) < 0.015


@pytest.mark.parametrize(("corner", "along"), [(0, 1), (2, 3)])
def test_a_fit_with_a_corner_half_a_point_off_is_fitted_again(corner, along):
    board = SimulatedBoard("wood", seed=7)
    image, truth = board.frame().image, board.corners()
    profile = load_profile(PROFILES["wood"])
    picture = EdgePicture(image)
    off = truth.copy()
    off[corner] += 0.045 * (truth[corner] - truth[(corner + along) % 4])
    fit = fit_given_corners(picture, off, profile)
    ratings = Ratings(picture, profile)
    assert worth_of(fit) < FIND.loose
    again, rating = aside.shaken((fit, ratings.of(fit)), ratings)
    assert share_of_width(again.corners, truth) < 0.015 and rating.start
    assert worth_of(again) > FIND.loose
