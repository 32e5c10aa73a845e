from functools import cache

import pytest

from pi_board.vision.finding import aside
from pi_board.vision.finding.choosing import choose
from pi_board.vision.finding.edge_picture import EdgePicture
from pi_board.vision.finding.ends_by_checkers import beyond_ends, with_ends
from pi_board.vision.finding.find_numbers import FIND
from pi_board.vision.finding.pattern_fit import fit_given_corners
from pi_board.vision.finding.worth import Ratings
from pi_board.vision.profile import load_profile
from tests.vision.drawn_board import share_of_width
from tests.vision.simulated_board import PROFILES, SimulatedBoard


@cache
def board(style):
    """(picture, the field's corners, their fit, profile) of the starting position."""
    simulated = SimulatedBoard(style, seed=3, tilt=12.0)
    image, profile = simulated.frame().image, load_profile(PROFILES[style])
    corners = simulated.corners()
    return image, corners, fit_given_corners(EdgePicture(image), corners, profile), profile


@pytest.mark.parametrize("style", ["wood", "travel"])
@pytest.mark.parametrize(("far", "near"), [(0.0, 0.0), (0.03, 0.0), (0.0, 0.025), (0.04, 0.03)])
def test_checkers_show_by_how_much_an_end_lies_too_far_in(style, far, near):
    image, _, fit, profile = board(style)
    seen = beyond_ends(image, with_ends(fit, -far, -near), profile)
    # Shares of the height of a field that is lower now.
    assert seen == pytest.approx((far / (1 - far - near), near / (1 - far - near)), abs=0.012)


def test_an_end_beyond_the_checkers_may_be_the_rims_own():
    image, _, fit, profile = board("wood")
    assert max(beyond_ends(image, with_ends(fit, 0.04, 0.04), profile)) < FIND.beyond


def test_ends_that_cut_checkers_are_moved_to_where_they_reach():
    image, corners, fit, profile = board("wood")
    ratings = Ratings(EdgePicture(image), profile)
    off = with_ends(fit, -0.03, -0.03)
    assert share_of_width(off.corners, corners) > 0.02
    (again, _), cut = aside.ends_beyond((off, ratings.of(off)), ratings)
    assert not cut and share_of_width(again.corners, corners) < 0.01


@pytest.mark.parametrize(("far", "near"), [(0.03, 0.0), (0.0, 0.03), (0.025, 0.035)])
def test_ends_on_the_rim_are_moved_back_to_the_edge_beside_the_checkers(far, near):
    image, corners, fit, profile = board("wood")
    ratings = Ratings(EdgePicture(image), profile)
    off = with_ends(fit, far, near)
    assert share_of_width(off.corners, corners) > 0.015
    (again, _), elsewhere = aside.ends_beyond((off, ratings.of(off)), ratings)
    assert not elsewhere and share_of_width(again.corners, corners) < 0.01


def test_checkers_a_little_off_the_rim_move_no_end(monkeypatch):
    image, _, fit, profile = board("wood")
    ratings = Ratings(EdgePicture(image), profile)
    monkeypatch.setattr(aside, "beyond_ends", lambda *_: (-0.018, -0.002))
    (kept, _), elsewhere = aside.ends_beyond((fit, ratings.of(fit)), ratings)
    assert kept is fit and not elsewhere


def test_without_an_edge_beside_them_checkers_far_inside_make_a_place_less_sure(monkeypatch):
    image, _, fit, profile = board("wood")
    ratings = Ratings(EdgePicture(image), profile)
    monkeypatch.setattr(aside, "fit_again", lambda *_, **__: None)
    monkeypatch.setattr(aside, "beyond_ends", lambda *_: (-0.02, -0.02))
    found, confidence = choose([fit], ratings)
    assert found is not fit and confidence <= FIND.sure_cut < choose_sure(fit, ratings, monkeypatch)


def choose_sure(fit, ratings, monkeypatch):
    monkeypatch.setattr(aside, "beyond_ends", lambda *_: (0.0, 0.0))
    return choose([fit], ratings)[1]


def test_ends_that_can_not_be_moved_make_a_place_less_sure(monkeypatch):
    image, _, fit, profile = board("wood")
    ratings = Ratings(EdgePicture(image), profile)
    right = choose([fit], ratings)[1]
    monkeypatch.setattr(aside, "beyond_ends", lambda *_: (0.05, 0.0))
    found, confidence = choose([fit], ratings)
    assert found is fit and confidence <= FIND.sure_cut < right
