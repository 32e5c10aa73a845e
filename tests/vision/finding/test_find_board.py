import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_board.errors import AmbiguousError, InvalidError, InvalidSettingsError
from pi_board.vision.finding import find_board as find_module
from pi_board.vision.finding.find_board import find_board
from pi_board.vision.finding.find_numbers import DIM
from pi_board.vision.finding.given_corners import fit_bar
from tests.vision.drawn_board import FELT, MIDGAME, PROFILE, WOOD, flat_board, photograph, share_of_width
from tests.vision.simulated_board import SimulatedBoard

VIEWS = [
    {"colours": WOOD, "tilt": 3, "azimuth": 0, "roll": 0},
    {"colours": FELT, "tilt": 14, "azimuth": -40, "roll": 4},
    {"colours": WOOD, "tilt": 27, "azimuth": 25, "roll": -5, "distance": 60},
]


@pytest.mark.parametrize("quick", [True, False])
def test_what_a_glance_hardly_shows_is_not_made_out_any_better(quick, monkeypatch):
    """Which of several places is the board takes ten times as long as a glance: a minute on a small processor, in vain."""
    chosen = []
    choose = find_module.choose
    monkeypatch.setattr(find_module, "choose", lambda *a: chosen.append(1) or choose(*a))
    cloth = (
        np.random.default_rng(3).integers(60, 190, (12, 16, 3)).astype(np.uint8).repeat(40, 0).repeat(40, 1)
    )
    with pytest.raises(AmbiguousError, match="at a glance" if quick else "no board found"):
        find_board(cloth, quick=quick)
    assert bool(chosen) != quick


@pytest.mark.parametrize("view", VIEWS)
def test_finds_the_field_of_an_unknown_set(view):
    view = dict(view)
    picture, truth = photograph(flat_board(colours=view.pop("colours")), size=(640, 480), **view)
    found = find_board(picture)
    assert share_of_width(found.corners, truth) < 0.01
    assert found.confidence > 0.6
    assert found.how == "found"


@pytest.mark.parametrize("roll", [38, -41])
def test_a_board_that_is_turned_is_found_at_a_glance(roll):
    picture, truth = photograph(flat_board(colours=FELT), size=(640, 480), tilt=8, azimuth=20, roll=roll)
    found = find_board(picture, quick=True)
    assert share_of_width(found.corners, truth) < 0.01
    assert found.confidence > 0.9


@pytest.mark.parametrize("power", [1.5, 2.2])
def test_points_whose_sides_bulge_end_where_they_end(power):
    # Straight sides fit most of a lancet, and lead to an end far beyond its own.
    picture, truth = photograph(flat_board(power=power), size=(640, 480), tilt=8, azimuth=20, roll=2)
    found = find_board(picture)
    assert share_of_width(found.corners, truth) < 0.015


@pytest.mark.parametrize("width", [0.65, 0.68])
def test_thin_points_end_where_they_end(width):
    # Their sides, made longer, are as far apart as usual ones beyond the rim.
    board = flat_board(colours=FELT, width=width, checkers=MIDGAME)
    picture, truth = photograph(board, size=(640, 480), tilt=8, azimuth=20, roll=2)
    found = find_board(picture)
    assert share_of_width(found.corners, truth) < 0.015


def test_sizes_come_from_the_picture():
    other = PROFILE.with_sizes(field_height=PROFILE.field_height * 0.94, bar_width=2.2)
    picture, truth = photograph(flat_board(other), other, tilt=18)
    found = fit_bar(picture, truth)
    assert np.allclose(found.corners, truth)
    assert found.profile.bar_width == pytest.approx(2.2, abs=0.25)
    assert found.profile.field_height == pytest.approx(other.field_height, rel=0.02)
    g = found.geometry()
    for c in (0, 5, 6, 11):
        side = -1 if c < 6 else 1
        x = side * (other.bar_width / 2 + other.point_width * (0.5 + (5 - c if c < 6 else c - 6)))
        assert g.column_x(c) == pytest.approx(x, abs=0.15)


def test_measured_sizes_are_kept():

    picture, truth = photograph(flat_board())
    mine = replace(PROFILE, measured=True, bar_width=PROFILE.bar_width + 0.1)
    assert fit_bar(picture, truth, mine).profile == mine


@pytest.mark.parametrize(
    "picture",
    [
        np.full((480, 640, 3), 90, np.uint8),
        np.random.default_rng(0).integers(0, 255, (300, 400, 3), dtype=np.uint8),
        pytest.param(
            np.random.default_rng(1).integers(1, 255, (360, 640, 3), np.uint8), marks=pytest.mark.slow
        ),
        np.tile(np.kron([[60, 200], [200, 60]], np.ones((40, 40))).astype(np.uint8), (6, 8))[
            ..., None
        ].repeat(3, 2),
    ],
    ids=["nothing", "noise", "finer noise", "chess cloth"],
)
def test_refuses_what_is_no_board(picture):
    with pytest.raises(AmbiguousError, match="board"):
        find_board(picture)


@pytest.mark.slow
def test_a_board_whose_ends_are_cut_off_is_found():
    picture, truth = photograph(flat_board(), size=(960, 720), tilt=0, azimuth=0, roll=0)
    # Two pixels within the field: no line of the picture runs along either end.
    first, last = round(truth[0, 1]) + 2, round(truth[2, 1]) - 2
    found = find_board(np.ascontiguousarray(picture[first:last]))
    shift = np.array([0, first])
    apart = np.abs(found.corners + shift - truth).max(axis=0) / np.linalg.norm(truth[1] - truth[0])
    assert apart[0] < 0.01 and apart[1] < 0.03


@pytest.mark.slow
def test_refuses_half_a_board():
    picture, _ = photograph(flat_board(), size=(960, 720))
    with pytest.raises(AmbiguousError, match="board"):
        find_board(np.ascontiguousarray(picture[:, 480:]))


@pytest.mark.parametrize(
    "wrong", [np.zeros((480, 640, 2), np.uint8), np.zeros((480, 640, 3)), np.zeros((50, 60, 3), np.uint8)]
)
def test_what_is_no_picture_is_named(wrong):
    with pytest.raises(InvalidError, match="image: expected"):
        find_board(wrong)


def test_a_solitaire_profile_is_refused():
    with pytest.raises(InvalidSettingsError, match="solitaire"):
        find_board(np.zeros((480, 640, 3), np.uint8), "jumbo-solitaire")


SCENES = Path(__file__).resolve().parents[4] / "shared" / "data" / "scenes" / "stills"


@pytest.mark.slow
@pytest.mark.skipif(not SCENES.is_dir(), reason="needs ../shared/data/scenes")
def test_path_traced_stills_of_five_sets():
    errors = []
    for path in sorted(SCENES.glob("*.json"))[::8]:
        picture = cv2.imread(str(path.with_suffix(".jpg")))
        try:
            errors.append(
                share_of_width(
                    find_board(picture).corners, np.array(json.loads(path.read_text())["corners_px"])
                )
            )
        except AmbiguousError:
            errors.append(1.0)
    assert np.mean(np.array(errors) < 0.015) >= 0.9


def test_a_dim_room_is_no_other_board():
    board = SimulatedBoard("travel", light="dusk", tilt=27.0, size=(1280, 720), seed=4)
    picture = board.frame().image
    lit = find_module._lit(picture)
    assert np.percentile(lit, 99.5) > DIM.dim > np.percentile(picture, 99.5)
    assert share_of_width(find_board(picture).corners, board.corners()) < 0.015


def test_a_picture_with_something_white_in_it_is_searched_as_it_is():
    picture = SimulatedBoard("travel", light="mixed").frame().image
    assert find_module._lit(picture) is picture
    black = np.zeros((90, 160, 3), np.uint8)
    assert find_module._lit(black).max() == 0
