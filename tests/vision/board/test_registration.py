import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_board.errors import AmbiguousError, InvalidError, InvalidSettingsError
from pi_board.vision.board import registration
from pi_board.vision.board.pattern import apply, unit_homographies
from pi_board.vision.board.pattern_fit import fit_given_corners
from pi_board.vision.board.rating import PlacementRating
from pi_board.vision.board.registration import find_board, fit_bar
from pi_board.vision.profile import load_profile
from tests.vision.drawn_board import FELT, PROFILE, WOOD, flat_board, photograph
from tests.vision.simulated_board import PROFILES, SimulatedBoard

VIEWS = [
    {"colours": WOOD, "tilt": 3, "azimuth": 0, "roll": 0},
    {"colours": FELT, "tilt": 14, "azimuth": -40, "roll": 4},
    {"colours": WOOD, "tilt": 27, "azimuth": 25, "roll": -5, "distance": 60},
]


def share_of_width(found, truth):
    return np.linalg.norm(found - truth, axis=1).max() / np.linalg.norm(truth[1] - truth[0])


@pytest.mark.parametrize("view", VIEWS)
def test_finds_the_field_of_an_unknown_set(view):
    view = dict(view)
    picture, truth = photograph(flat_board(colours=view.pop("colours")), size=(640, 480), **view)
    found = find_board(picture)
    assert share_of_width(found.corners, truth) < 0.01
    assert found.confidence > 0.6
    assert found.how == "found"


@pytest.mark.parametrize("power", [1.5, 2.2])
def test_points_whose_sides_bulge_end_where_they_end(power):
    # Straight sides fit most of a lancet, and lead to an end far beyond its own.
    picture, truth = photograph(flat_board(power=power), size=(640, 480), tilt=8, azimuth=20, roll=2)
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
    from dataclasses import replace

    picture, truth = photograph(flat_board())
    mine = replace(PROFILE, measured=True, bar_width=PROFILE.bar_width + 0.1)
    assert fit_bar(picture, truth, mine).profile == mine


@pytest.mark.parametrize(
    "picture",
    [
        np.full((480, 640, 3), 90, np.uint8),
        np.random.default_rng(0).integers(0, 255, (480, 640, 3), dtype=np.uint8),
        np.tile(np.kron([[60, 200], [200, 60]], np.ones((40, 40))).astype(np.uint8), (6, 8))[
            ..., None
        ].repeat(3, 2),
    ],
    ids=["nothing", "noise", "chess cloth"],
)
def test_refuses_what_is_no_board(picture):
    with pytest.raises(AmbiguousError, match="board"):
        find_board(picture)


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


@pytest.mark.parametrize(("left", "right"), [(0.0, 1.0), (-1.0, 1.0), (1.0, 0.0)])
def test_the_starting_position_shows_where_a_fit_is_a_column_off(left, right):
    board = SimulatedBoard("wood", seed=7)
    image = board.frame().image
    profile = load_profile(PROFILES["wood"])
    tensor, scale = registration._tensor(image)
    fit = fit_given_corners(image, board.corners(), tensor, scale, profile)
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
    found = registration._start_aside([off], registration._Ratings(image, profile))
    assert len(found) == 1 and found[0][1].start
    assert share_of_width(found[0][0].corners, board.corners()) < 0.02


@pytest.mark.parametrize(("alternation", "sure"), [(0.6, True), (0.0, False)])
def test_the_starting_position_alone_makes_no_place_sure_whose_colours_do_not_take_turns(alternation, sure):
    class Shown:
        def of(self, fit):
            return PlacementRating(-0.5, 30, start=True, like_start=-5.0)

    corners = np.array([[100.0, 100], [500, 100], [500, 400], [100, 400]])
    fit = registration.PatternFit(corners, registration.PointPattern(), 0.66, 0.9, 0.03, alternation)
    best, confidence = registration._choose([fit], Shown())
    assert best is fit
    assert (confidence > 0.9) == sure


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
    lens = replace(registration.RadialDistortion.for_picture(straight), k1=-0.3)
    image, corners = through_lens(straight, truth, lens)
    bar = PROFILE.bar_width / PROFILE.field_width
    pattern = registration.PointPattern(bar=bar, length=0.41, power=2.2)
    # Where the whole pattern lies a column aside, on the straight board.
    unit = np.array([[-0.5 - left * pattern.pitch, 0], [0.5 + right * pattern.pitch, 0]])
    unit = np.array([unit[0], unit[1], unit[1] + [0, 1], unit[0] + [0, 1]])
    aside = lens.bend(apply(unit_homographies(truth[None]), unit)[0])
    off = registration.PatternFit(aside, pattern, 0.7, 1.0, 0.02, 0.8, lens)
    places = registration._columns_aside(off)
    back, its_bar = min(places, key=lambda place: np.abs(place[0] - corners).max())
    assert share_of_width(back, corners) < 0.01
    assert its_bar == pytest.approx(bar, abs=0.01)
    fits = registration._fits_aside(image, off, back, its_bar, PROFILE)
    assert share_of_width(max(fits, key=registration._worth).corners, corners) < 0.015


def test_a_dim_room_is_no_other_board():
    board = SimulatedBoard("travel", light="dusk", tilt=27.0, size=(1280, 720), seed=4)
    picture = board.frame().image
    lit = registration._lit(picture)
    assert np.percentile(lit, 99.5) > registration.DIM.dim > np.percentile(picture, 99.5)
    assert share_of_width(find_board(picture).corners, board.corners()) < 0.015


def test_a_picture_with_something_white_in_it_is_searched_as_it_is():
    picture = SimulatedBoard("travel", light="mixed").frame().image
    assert registration._lit(picture) is picture
    black = np.zeros((90, 160, 3), np.uint8)
    assert registration._lit(black).max() == 0


@pytest.mark.parametrize(("corner", "along"), [(0, 1), (2, 3)])
def test_a_fit_with_a_corner_half_a_point_off_is_fitted_again(corner, along):
    board = SimulatedBoard("wood", seed=7)
    image, truth = board.frame().image, board.corners()
    profile = load_profile(PROFILES["wood"])
    tensor, scale = registration._tensor(image)
    off = truth.copy()
    off[corner] += 0.045 * (truth[corner] - truth[(corner + along) % 4])
    fit = fit_given_corners(image, off, tensor, scale, profile)
    ratings = registration._Ratings(image, profile)
    assert registration._worth(fit) < registration.FIND.loose
    again, rating = registration._shaken((fit, ratings.of(fit)), ratings)
    assert share_of_width(again.corners, truth) < 0.015 and rating.start
    assert registration._worth(again) > registration.FIND.loose
