"""Light between two pictures, and what is learned from a known position."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from pi_board.rules import STARTING_POSITION
from pi_board.vision.board.canvas import CHECKER_PX, features
from pi_board.vision.checkers.appearance import Appearance
from pi_board.vision.checkers.appearance_numbers import GUESSING, LEARNING, SHADING
from pi_board.vision.checkers.disc import BOARD, DARK, LIGHT, Disc
from pi_board.vision.checkers.distance import AROUND_AT, mahalanobis
from pi_board.vision.checkers.known_position import farthest_moved
from pi_board.vision.checkers.light_fit import LightFit
from pi_board.vision.checkers.likelihood import CheckerFinder
from pi_board.vision.checkers.patches import fill_discs
from tests.vision.simulated_board import SimulatedBoard


def scene(seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return cv2.resize(
        rng.uniform(30, 160, (24, 28, 3)).astype(np.float32), (280, 240), interpolation=cv2.INTER_NEAREST
    )


@pytest.mark.parametrize("gain", [(1.0, 1.0, 1.0), (0.6, 0.6, 0.6), (1.3, 1.0, 0.8), (0.45, 0.5, 0.55)])
def test_light_is_found_although_a_third_has_changed(gain: tuple[float, float, float]) -> None:
    reference = scene()
    picture = reference * np.array(gain, np.float32)
    picture[60:200, 80:230] = (90, 120, 180)  # a hand
    found, agree = LightFit(reference, np.ones(reference.shape[:2], bool)).between(picture)
    outside = np.ones(reference.shape[:2], bool)
    outside[60:200, 80:230] = False
    assert np.abs(found[outside] / np.array(gain) - 1).max() < 0.08
    assert 0.5 < agree < 0.95


def test_light_that_falls_off_over_the_board() -> None:
    reference = scene(2)
    fall = np.exp(np.linspace(-0.3, 0.3, 280, dtype=np.float32))[None, :, None]
    found, agree = LightFit(reference, np.ones(reference.shape[:2], bool)).between(reference * fall)
    assert np.abs(found / fall - 1).max() < 0.06
    assert agree > 0.9


def test_a_strange_picture_does_not_agree() -> None:
    _, agree = LightFit(scene(6), np.ones((240, 280), bool)).between(scene(5))
    assert agree < 0.4


def without_cube(style: str) -> tuple[Appearance, CheckerFinder]:
    """What one picture of the starting position has taught, and who finds the checkers; no cube lies on the board."""
    board = SimulatedBoard(style)
    board.scene.cube = None
    reader = board.reader()
    reader.look(board.frame())
    assert reader.appearance is not None
    return reader.appearance, reader.finder


def test_what_the_starting_position_teaches() -> None:
    board = SimulatedBoard("travel")
    reader = board.reader()
    assert reader.look(board.frame()).settled
    look = reader.appearance
    light, dark = look.sides
    assert light.mean[0] > dark.mean[0] + 50
    assert {(d.side, d.slot) for d in look.discs} == {
        (0 if n > 0 else 1, i) for i, n in enumerate(STARTING_POSITION.points) if n
    }
    assert len(look.discs) == 30
    # The labels lie where the checkers are: their own colours say so.
    brightness = features(look.reference)[..., 0]
    assert np.median(brightness[look.label == LIGHT]) > np.median(brightness[look.label == DARK]) + 50
    # Under the checkers the board is guessed from like points: no checker colour remains there.
    hidden = (look.label == LIGHT) & ~look.seen
    assert np.abs(look.board[hidden][:, 0] - light.mean[0]).mean() > 30
    assert (look.label == BOARD).mean() > 0.4


def test_a_hidden_point_is_guessed_from_its_like_and_otherwise_from_what_is_around() -> None:
    look, finder = without_cube("travel")
    bare = np.full((*look.label.shape, 3), (90.0, 4.0, -6.0), np.float32)
    half = round(0.3 * 16)
    x, y = (round(float(v)) for v in finder.feet[5])
    hidden = np.zeros(look.label.shape, bool)
    step = -1 if y > look.label.shape[0] / 2 else 1
    rows = slice(*sorted((y + 10 * step, y + 60 * step)))
    hidden[rows, x - half : x + half] = True
    seen = bare.copy()
    seen[hidden] = (200.0, 0.0, 0.0)
    look.board[:], look.seen = bare, ~hidden
    nothing = np.zeros(look.label.shape, bool)
    look.guess_covered(seen, finder.columns, nothing)
    assert np.abs(look.board[hidden] - bare[hidden]).max() < 1.5
    assert 0 < look.doubt[hidden].max() < GUESSING.doubt
    # All points of one kind in this row are hidden: nothing like it is seen.
    for column in range(12):
        x = round(float(finder.columns[column, 0 if step < 0 else 1]))
        hidden[rows, x - half : x + half] = True
    seen[hidden] = (200.0, 0.0, 0.0)
    look.board[:], look.seen = bare, ~hidden
    look.guess_covered(seen, finder.columns, nothing)
    assert np.abs(look.board[hidden] - bare[hidden]).max() < 4.0
    assert look.doubt[hidden].max() == GUESSING.doubt


def test_what_stands_on_the_rim_is_not_taken_for_the_rim() -> None:
    look, finder = without_cube("travel")
    x = round(float(look.canvas.place([[-look.canvas.profile.field_width / 2 - 0.6, 0.0]])[0][0]))
    cup = np.zeros(look.label.shape, bool)
    cup[80:110, max(0, x - 6) : x + 6] = True
    picture = look.reference.copy()
    picture[cup] = (255.0, 255.0, 255.0)
    look.learn(picture, look.discs, cup, columns=finder.columns, fresh=True)
    look.forget(cup)
    assert look.reference[cup & look.canvas.inside].max() < 200.0


def test_beside_the_cube_the_board_is_doubtful_until_it_is_seen_without_it() -> None:
    """A window's sun throws its shadow there."""
    look, finder = without_cube("travel")
    x, y = (round(float(v)) for v in look.centre)
    cube = np.zeros(look.label.shape, bool)
    cube[y - 8 : y + 9, x - 8 : x + 9] = True
    beside = (slice(y - 3, y + 4), slice(x + 12, x + 20))
    for fresh, ignore, doubt in (
        (True, cube, LEARNING.shadow_doubt),
        (False, cube, LEARNING.shadow_doubt),
        (False, np.zeros_like(cube), 0.0),
        # What has been seen bare goes on to be known.
        (False, cube, 0.0),
    ):
        look.learn(look.reference.copy(), look.discs, ignore, columns=finder.columns, fresh=fresh)
        assert (look.doubt[beside] == doubt).all(), (fresh, doubt)


def test_a_guess_darker_than_black_leaves_the_light_alone() -> None:
    """What is covered follows the changes beside it and may come out below 0, of which there is no logarithm."""
    look, _ = without_cube("travel")
    cup = np.zeros(look.label.shape, bool)
    cup[80:110, 80:110] = True
    picture = look.reference.copy()
    look.board[cup] = (-20.0, 0.0, 0.0)
    look.forget(cup)
    found, agree = look.to_reference(picture, look.canvas.inside.copy())
    assert np.isfinite(found).all() and agree > 0.9


def test_new_light_on_like_points_is_expected_under_the_checkers_too() -> None:
    """A lamp whose reflection lay on the points goes out: what checkers cover has darkened as the points beside them have."""
    look, finder = without_cube("felt")
    covered = (look.label > BOARD) & look.canvas.field
    before, nothing = look.board.copy(), np.zeros(look.label.shape, bool)
    picture = look.reference.copy()
    look.learn(picture, look.discs, nothing, columns=finder.columns, fresh=False)
    assert np.abs(look.board - before)[covered].max() < 1e-3
    picture[look.label <= BOARD] *= 0.6
    for _ in range(6):
        look.learn(picture, look.discs, nothing, columns=finder.columns, fresh=False)
    bright = covered & (before[..., 0] > 60)
    share = look.board[..., 0][bright] / before[..., 0][bright]
    assert np.percentile(share, [5, 95]) == pytest.approx(0.6, abs=0.1)
    assert look.doubt[bright].min() > 0


def test_a_round_of_fitting_that_moves_nothing_is_the_last() -> None:
    before = [Disc(10.0, 20.0, 0, 3), Disc(40.0, 20.0, 1, 5)]
    assert farthest_moved(before, [Disc(10.0, 20.5, 0, 3), Disc(41.0, 20.0, 1, 5)]) == 1.0
    assert farthest_moved(before, before[:1]) == np.inf
    assert farthest_moved(before, [before[0], Disc(40.0, 20.0, 1, 6)]) == np.inf


def test_discs_are_filled_as_opencv_draws_them() -> None:
    middles = np.array([(40, 30), (43, 36), (2, 58)])
    drawn, filled = np.ones((60, 80), np.float32), np.ones((60, 80), np.float32)
    for x, y in middles:
        cv2.circle(drawn, (int(x), int(y)), round(SHADING.around * CHECKER_PX), 0.0, -1)
    fill_discs(filled, middles, AROUND_AT)
    assert np.array_equal(filled, drawn)


def test_what_is_as_before_need_not_be_compared_with_all_else() -> None:
    board = SimulatedBoard("wood")
    reader = board.reader()
    reader.look(board.frame())
    look, discs = reader.appearance, reader.finder.seen
    picture = look.reference.copy()
    picture[60:90, 40:75] = (60.0, 230.0, 60.0)  # no colour of this set
    whole, far = (mahalanobis(look, features(picture), discs, least) for least in (0.0, 3.2))
    for all_of_it, some in zip(whole, far, strict=True):
        assert ((all_of_it > 3.2) == (some > 3.2)).all()
        assert np.allclose(all_of_it[all_of_it > 3.2], some[some > 3.2])
    assert (whole[0] > 3.2)[65:85, 45:70].all()
