import cv2
import numpy as np
import pytest

from pi_board.errors import InvalidError
from pi_board.vision.board.canvas import Canvas
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import Row
from pi_board.vision.profile import load_profile

SIZE = (1280, 720)
PROFILE = load_profile("classic-wood")


def camera(tilt_deg, azimuth_deg=0.0, roll_deg=0.0, height=50.0, focal=1000.0):
    """A pinhole camera that looks at the board's centre: (rotation, translation, intrinsics)."""
    t, a, r = np.radians([tilt_deg, azimuth_deg, roll_deg])
    position = height * np.array([np.sin(t) * np.sin(a), -np.sin(t) * np.cos(a), np.cos(t)])
    forward = -position / np.linalg.norm(position)
    right = np.cross(forward, [0.0, 1.0, 0.0] if tilt_deg < 60 else [0, 0, 1.0])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    spin = np.array([[np.cos(r), -np.sin(r), 0], [np.sin(r), np.cos(r), 0], [0, 0, 1]])
    rotation = spin @ np.array([right, down, forward])
    k = np.array([[focal, 0, (SIZE[0] - 1) / 2], [0, focal, (SIZE[1] - 1) / 2], [0, 0, 1.0]])
    return rotation, -rotation @ position, k


def see(points, view, distortion=None):
    rotation, translation, k = view
    out, _ = cv2.projectPoints(
        np.asarray(points, float), cv2.Rodrigues(rotation)[0], translation, k, distortion
    )
    return out.reshape(-1, 2)


def field_corners(profile=PROFILE, width=None):
    w, h = (profile.field_width if width is None else width) / 2, profile.field_height / 2
    return np.array([[-w, h, 0], [w, h, 0], [w, -h, 0], [-w, -h, 0]])


def test_a_picture_that_is_cut_along_the_field_has_a_camera_above_it():
    w, h = SIZE[0] - 1.0, SIZE[1] - 1.0
    g = BoardGeometry(PROFILE, [[0, 0], [w, 0], [w, h], [0, h]], SIZE)
    x, y, z = g.camera_position
    assert abs(x) < 0.1 and abs(y) < 0.1 and 10 < z < 100


VIEWS = [(0, 0, 0), (8, 30, 3), (20, -60, 5), (33, 20, -10), (25, 200, 2)]


@pytest.mark.parametrize("view", VIEWS)
def test_checker_tops_project_right_with_unknown_focal_length(view):
    cam = camera(*view)
    g = BoardGeometry(PROFILE, see(field_corners(), cam), SIZE)
    tops = np.array(
        [
            g.checker_place(c, r, i, layer)
            for c in (0, 5, 6, 11)
            for r in (Row.NEAR, Row.FAR)
            for i in (0, 4)
            for layer in (0, 1)
        ]
    )
    diameter = PROFILE.checker_diameter * g.px_per_cm
    error = np.linalg.norm(g.project(tops) - see(tops, cam), axis=1) / diameter
    unlifted = np.linalg.norm(g.project(tops * [1, 1, 0]) - see(tops, cam), axis=1) / diameter
    assert error.max() < 0.1
    assert error.mean() < 0.4 * unlifted.mean()


@pytest.mark.parametrize("view", VIEWS)
def test_known_camera_with_lens_distortion_is_exact(view):
    cam, lens = camera(*view), np.array([-0.12, 0.03, 0.001, -0.001, 0.0])
    g = BoardGeometry(PROFILE, see(field_corners(), cam, lens), SIZE, intrinsics=cam[2], distortion=lens)
    points = np.array([[x, y, z] for x in (-15, 0, 18) for y in (-12, 0, 16) for z in (0, 0.9, 1.8)], float)
    assert np.allclose(g.project(points), see(points, cam, lens), atol=0.05)
    assert g.tilt == pytest.approx(view[0], abs=0.1)


@pytest.mark.parametrize("z", [0.0, 0.9])
@pytest.mark.parametrize("bar", [False, True])
def test_unproject_is_the_inverse(z, bar):
    cam = camera(25, 20, 3)
    b = PROFILE.bar_width / 2 + 0.4
    edges = see(field_corners(width=2 * b), cam) if bar else None
    g = BoardGeometry(PROFILE, see(field_corners(), cam), SIZE, bar_edges=edges)
    xy = np.array([[x, y] for x in (-20.0, -10, -1, 0, 1.5, 9, 20) for y in (-16.0, 0, 15)])
    px = g.project(np.column_stack([xy, np.full(len(xy), z)]))
    assert np.allclose(g.unproject(px, z), xy, atol=0.02)


def test_bar_edges_correct_a_wrong_bar_width():
    cam, true_bar = camera(15, 10), PROFILE.bar_width + 1.2
    edges = see(field_corners(width=true_bar), cam)
    g = BoardGeometry(PROFILE, see(field_corners(), cam), SIZE, bar_edges=edges)
    pitch = (PROFILE.field_width - true_bar) / 12
    truth = [-true_bar / 2 - 0.5 * pitch, true_bar / 2 + 0.5 * pitch]  # the points next to the bar
    seen = g.project([[g.column_x(5), 5.0, 0], [g.column_x(6), 5.0, 0]])
    assert np.allclose(seen, see([[truth[0], 5, 0], [truth[1], 5, 0]], cam), atol=0.6)


def test_rectified_pixels_agree_with_project():
    cam = camera(20, 40, 4)
    g = BoardGeometry(PROFILE, see(field_corners(), cam), SIZE)
    image = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    place = np.array([[7.0, -9.0, 0.0]])
    cv2.circle(
        image, tuple(int(v) for v in np.round(g.project(place)[0])), 6, (255, 255, 255), -1, cv2.LINE_AA
    )
    flat = g.rectify(image, 12.0, margin=2.0)
    assert flat.shape[1::-1] == g.rectified_size(12.0, 2.0)
    ys, xs = np.nonzero(flat[..., 0] > 128)
    centre = np.array([xs.mean(), ys.mean()])
    assert np.allclose(centre, g.to_rectified(place[:, :2], 12.0, 2.0)[0], atol=0.6)
    assert np.allclose(g.from_rectified([centre], 12.0, 2.0), place[:, :2], atol=0.06)


def test_maps_are_straight_between_rows_that_lie_close_enough():
    g = BoardGeometry(PROFILE, see(field_corners(), camera(35, 40, 4)), SIZE)
    at, part = g.rectify_maps(8.0, 0.9, 2.0)
    width, height = g.rectified_size(8.0, 2.0)
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2)
    xy = g.from_rectified(grid, 8.0, 2.0)
    exact = g.project(np.column_stack([xy, np.full(len(xy), 0.9)])).reshape(height, width, 2)
    mapped = at + np.stack([part % 32, part // 32], axis=-1) / 32
    assert np.abs(mapped - exact).max() < 1 / 32


def test_what_stands_up_is_lifted_by_the_difference_of_two_projections():
    pose = BoardGeometry(PROFILE, see(field_corners(), camera(25, 40, 4)), SIZE).pose
    feet = np.array([[0.0, 0.0], [-20.0, 12.0], [21.0, -15.0]])
    low, high = (np.column_stack([feet, np.full(3, z)]) for z in (0.0, 2.5))
    assert np.allclose(pose.lift(feet, 2.5), pose.project(high) - pose.project(low))
    rotated = high * (1.0, pose.height_scale, 1.0) @ pose.rotation.T + pose.translation
    px = rotated @ pose.intrinsics.T
    assert np.allclose(pose.project(high), px[:, :2] / px[:, 2:])


def test_the_canvas_knows_where_the_picture_ends():
    g = BoardGeometry(PROFILE, see(field_corners(), camera(0)) - (0.0, 60.0), SIZE)
    canvas = Canvas(g)
    grid = np.stack(np.meshgrid(np.arange(canvas.width), np.arange(canvas.height)), axis=-1).reshape(-1, 2)
    top = np.full((len(grid), 1), PROFILE.checker_height)
    px = g.project(np.hstack([canvas.cm(grid), top])).reshape(canvas.height, canvas.width, 2)
    surely = (px > 1.1).all(axis=2) & (px < np.array(SIZE) - 2.1).all(axis=2)
    perhaps = (px > 0.9).all(axis=2) & (px < np.array(SIZE) - 1.9).all(axis=2)
    assert 0 < canvas.inside.sum() < canvas.inside.size
    assert (canvas.inside | ~surely).all()
    assert (perhaps | ~canvas.inside).all()


def test_columns_run_left_to_right_and_leave_the_bar():
    g = BoardGeometry(PROFILE, see(field_corners(), camera(0)), SIZE)
    xs = [g.column_x(c) for c in range(12)]
    assert xs == sorted(xs)
    assert xs[6] - xs[5] == pytest.approx(PROFILE.bar_width + PROFILE.point_width)


def test_with_corners_and_moved_keep_the_camera():
    g = BoardGeometry(PROFILE, see(field_corners(), camera(20, 40)), SIZE)
    shift = np.array([[1, 0, 7.0], [0, 1, -4.0], [0, 0, 1]])
    moved = g.moved(shift)
    assert np.allclose(moved.corners, g.corners + np.array([7, -4]))
    assert moved.pose.intrinsics[0, 0] == pytest.approx(g.pose.intrinsics[0, 0])
    assert np.allclose(g.with_corners(g.corners).project([[3, 4, 0.9]]), g.project([[3, 4, 0.9]]), atol=0.3)


@pytest.mark.parametrize(
    "corners",
    [
        [[0, 0], [10, 0], [10, 10]],
        [[0, 0], [10, 10], [10, 0], [0, 10]],
        [[0, 10], [10, 10], [10, 0], [0, 0]],
        [[0, 0], [10, 0], [np.nan, 10], [0, 10]],
        [[0, 0], [9000, 0], [9000, 10], [0, 10]],
    ],
)
def test_corners_that_are_no_board_are_refused(corners):
    with pytest.raises(InvalidError, match="corners: expected"):
        BoardGeometry(PROFILE, corners, SIZE)
