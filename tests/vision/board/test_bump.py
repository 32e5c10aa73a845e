import cv2
import numpy as np
import pytest

from pi_board.errors import InvalidError
from pi_board.vision.board.bump import BumpWatch
from pi_board.vision.board.geometry import BoardGeometry, transform
from pi_board.vision.board.orientation import Row
from pi_board.vision.changes import ChangeWatch
from tests.vision.drawn_board import FELT, PROFILE, START, flat_board, photograph

SIZE = (960, 720)
LATER = {**START, (0, Row.NEAR): 3, (6, Row.NEAR): 4, (9, Row.NEAR): 2, (3, Row.FAR): 1, (11, Row.FAR): 1}


def play_pictures():
    before, corners = photograph(flat_board(colours=FELT), size=SIZE)
    after, _ = photograph(flat_board(colours=FELT, checkers=LATER), size=SIZE, seed=2)
    return before, after, BoardGeometry(PROFILE, corners, SIZE)


BEFORE, AFTER, GEOMETRY = play_pictures()


def bumped(image, dx=0.0, dy=0.0, degrees=0.0):
    h = np.vstack([cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), degrees, 1.0), [0, 0, 1]])
    h = np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1]]) @ h
    return cv2.warpPerspective(image, h, SIZE, borderMode=cv2.BORDER_REFLECT), h


@pytest.mark.parametrize(
    ("dx", "dy", "degrees"),
    [(2, 0, 0), (0, -2, 0), (5, 4, 0), (-14, 14, 0), (20, 0, 0), (0, 0, 1), (0, 0, -3), (-9, 12, 2.5)],
)
def test_a_bump_is_noticed_and_followed_at_once(dx, dy, degrees):
    watch = BumpWatch(GEOMETRY, BEFORE)
    picture, h = bumped(AFTER, dx, dy, degrees)
    look = watch.compare(picture)
    assert look.state == "moved"
    error = np.linalg.norm(look.geometry.corners - transform(h, GEOMETRY.corners), axis=1).max()
    assert error < 0.1 * PROFILE.checker_diameter * GEOMETRY.px_per_cm
    assert watch.compare(picture).state == "steady"  # and the watch goes on from there


def change_to(picture, still=False):
    watch = ChangeWatch()
    watch.see(BEFORE, None)
    watch.note(still=False)
    watch.see(picture, None)
    return watch.note(still=still)


@pytest.mark.parametrize(
    ("change", "may"),
    [
        (None, True),
        (change_to(BEFORE, still=True), True),
        (change_to(AFTER), False),
        (change_to(bumped(BEFORE, 0.6)[0]), True),
        (change_to(bumped(AFTER, 0, 1.2)[0]), True),
        (change_to(bumped(BEFORE, degrees=0.3)[0]), True),
    ],
    ids=["nothing is known", "nothing to compare", "a play", "half a pixel", "down", "turned"],
)
def test_a_board_may_have_moved_where_its_edges_are_new(change, may):
    assert BumpWatch(GEOMETRY, BEFORE).may_have_moved(change) is may


@pytest.mark.parametrize(
    ("tilt", "azimuth", "roll"),
    [(30, 24, 0.5), (43, 24, 0.0), (38, 12, 4.0), (41.5, 27, 3.5), (38.5, 14, 3.0)],
)
def test_a_bump_seen_at_an_angle_is_followed(tilt, azimuth, roll):
    """The camera stands at 40 degrees (one case at 28): no similarity explains how the board moved in its picture."""
    from_tilt = 28.0 if tilt == 30 else 40.0
    before, corners = photograph(flat_board(colours=FELT), size=SIZE, tilt=from_tilt)
    after, moved = photograph(
        flat_board(colours=FELT, checkers=LATER), size=SIZE, tilt=tilt, azimuth=azimuth, roll=roll, seed=2
    )
    look = BumpWatch(BoardGeometry(PROFILE, corners, SIZE), before).compare(after)
    assert look.state == "moved"
    error = np.linalg.norm(look.geometry.corners - moved, axis=1).max()
    assert error < 0.1 * PROFILE.checker_diameter * GEOMETRY.px_per_cm


def dimmer(image):
    return np.clip(image * np.array([0.55, 0.6, 0.7]) + 4, 0, 255).astype(np.uint8)


def shadowed(image):
    mask = np.ones(image.shape[:2], np.float32)
    cv2.fillPoly(mask, [np.array([[0, 200], [960, 420], [960, 620], [0, 380]], np.int32)], 0.45)
    return (image * mask[..., None]).astype(np.uint8)


def with_hand(image):
    out = image.copy()
    cv2.fillPoly(
        out,
        [np.array([[560, 720], [520, 330], [600, 260], [690, 330], [760, 720]], np.int32)],
        (120, 150, 200),
    )
    return out


@pytest.mark.parametrize(
    "change", [lambda i: i, dimmer, shadowed, with_hand, lambda i: np.roll(i, 1, axis=2)]
)
def test_play_light_and_hands_are_no_bump(change):
    watch = BumpWatch(GEOMETRY, BEFORE)
    for picture in (change(AFTER), change(BEFORE), AFTER):
        look = watch.compare(picture)
        assert look.state != "moved"
        assert np.allclose(watch.geometry.corners, GEOMETRY.corners)


def test_a_bump_under_a_changed_lamp():
    picture, h = bumped(dimmer(AFTER), 7, -6, 1.5)
    look = BumpWatch(GEOMETRY, BEFORE).compare(picture)
    assert look.state == "moved"
    assert np.abs(look.geometry.corners - transform(h, GEOMETRY.corners)).max() < 2.0


@pytest.mark.parametrize(
    ("picture", "state"),
    [
        (np.zeros_like(BEFORE), "nothing"),
        (np.full_like(BEFORE, 200), "nothing"),
        (cv2.resize(BEFORE[:60, :80], BEFORE.shape[1::-1], interpolation=cv2.INTER_NEAREST), "nothing"),
        (BEFORE[::-1, ::-1], "unsure"),
    ],
)
def test_without_a_board_in_view_it_has_not_moved(picture, state):
    assert BumpWatch(GEOMETRY, BEFORE).compare(picture).state == state


def test_slow_drift_does_not_add_up():
    watch = BumpWatch(GEOMETRY, BEFORE)
    for step in range(1, 9):
        picture, h = bumped(AFTER, 0.5 * step)
        watch.compare(picture)
    error = np.linalg.norm(watch.geometry.corners - transform(h, GEOMETRY.corners), axis=1).max()
    assert error < 2.0


def test_another_picture_size_is_named():
    with pytest.raises(InvalidError, match="expected 960x720"):
        BumpWatch(GEOMETRY, BEFORE[:500])


@pytest.mark.parametrize("width", [1280, 1296, 960, 1640, 800])
def test_a_patch_of_the_small_picture_is_made_of_as_much_as_it_needs(width):
    grey = cv2.resize(cv2.cvtColor(BEFORE, cv2.COLOR_BGR2GRAY), (width, width * 3 // 4))
    watch = BumpWatch(GEOMETRY, BEFORE)
    watch._scale = min(1.0, 800 / width)
    small = watch._small(grey)
    assert small.shape[1] == 800
    for x, y in ((9, 9), (101, 333), (790, 590), (790, 250), (402, 590)):
        assert (watch._small_around(grey, np.array([x, y])) == small[y - 9 : y + 10, x - 9 : x + 10]).all()


def test_a_picture_out_of_focus_is_told_from_a_board_that_was_moved() -> None:
    size = (960, 720)
    picture, corners = photograph(flat_board(colours=FELT), size=size)
    watch = BumpWatch(BoardGeometry(PROFILE, corners, size), picture)
    dim = np.asarray(picture * 0.4, np.uint8)
    assert [watch.compare(p).state for p in (picture, dim)] == ["steady"] * 2
    assert watch.compare(np.roll(picture, 60, axis=1)).state not in ("blurred", "nothing")
    for seen in (picture, dim):
        assert watch.compare(cv2.GaussianBlur(seen, (0, 0), 4.0)).state == "blurred"


def test_in_the_dark_nothing_is_seen_but_noise() -> None:
    size = (960, 720)
    picture, corners = photograph(flat_board(colours=FELT), size=size)
    watch = BumpWatch(BoardGeometry(PROFILE, corners, size), picture)
    noise = np.random.default_rng(1).normal(0.0, 15.0, picture.shape)
    for left, state in ((0.4, "steady"), (0.1, "nothing")):
        dark = np.clip(picture * left + noise * (1.0 - left) + 20.0, 0, 255).astype(np.uint8)
        assert watch.compare(dark).state == state


def test_a_watch_of_the_same_places_in_new_light():
    """A shadow that lies over half of the board has come: its patches are those of the board in this light."""
    watch = BumpWatch(GEOMETRY, BEFORE)
    shaded = AFTER.copy()
    shaded[:, : SIZE[0] // 2] //= 4
    renewed = watch.renewed(shaded)
    assert renewed.compare(shaded).state == "steady"
    picture, h = bumped(shaded, 5, -4)
    look = renewed.compare(picture)
    assert look.state == "moved"
    assert np.abs(look.geometry.corners - transform(h, GEOMETRY.corners)).max() < 0.5
    # The one of before goes on from where it was.
    assert watch.geometry is GEOMETRY and watch.compare(BEFORE).state == "steady"
