"""The camera model against OpenCV's own, and where the points lie for each seating."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest

from pi_board.simulator.layout import Layout
from pi_board.simulator.lens import Projection, ViewPose
from pi_board.simulator.style import STYLES

SIZE = (1280, 720)


@pytest.mark.parametrize(
    "pose", [ViewPose(), ViewPose(tilt=30, azimuth=140, roll=-4, k1=-0.12, k2=0.02, shift_x=0.03)]
)
def test_projection_is_opencvs(pose: ViewPose) -> None:
    lens = Projection.looking(pose, SIZE, (28, 23))
    rng = np.random.default_rng(1)
    xyz = rng.uniform((-13, -11, -2), (13, 11, 3), (200, 3))
    rotation, _ = cv2.Rodrigues(lens.R)
    expected, _ = cv2.projectPoints(xyz, rotation, lens.t, lens.K, lens.distortion)
    assert np.allclose(lens.project(xyz), expected.reshape(-1, 2), atol=1e-6)
    for z in (0.0, 0.5, -1.8):
        flat = np.c_[xyz[:, :2], np.full(len(xyz), z)]
        assert np.allclose(lens.on_plane(lens.project(flat), z), xyz[:, :2], atol=1e-3)


@pytest.mark.parametrize("tilt", [0, 10, 34])
@pytest.mark.parametrize("style", STYLES)
def test_board_is_in_the_picture(style: str, tilt: float) -> None:
    layout = Layout(STYLES[style])
    s = layout.style
    lens = Projection.looking(
        ViewPose(tilt=tilt), SIZE, (s.field_width + 2 * s.rim_width, s.field_height + 2 * s.rim_width)
    )
    corners = lens.project(layout.corners())
    assert (corners > 0).all() and (corners < SIZE).all()
    (tl, tr, br, bl) = corners
    assert tl[0] < tr[0] and bl[0] < br[0] and tl[1] < bl[1] and tr[1] < br[1]


@pytest.mark.parametrize(
    ("near", "home", "corners"),
    [
        # (bottom right, bottom left, top left, top right)
        ("light", "right", (1, 12, 13, 24)),
        ("light", "left", (12, 1, 24, 13)),
        ("dark", "right", (24, 13, 12, 1)),
        ("dark", "left", (13, 24, 1, 12)),
    ],
)
def test_numbering_of_the_four_seatings(near, home, corners) -> None:
    layout = Layout(STYLES["travel"], near, home)
    signs = [(1, -1), (-1, -1), (-1, 1), (1, 1)]
    for point, (sx, sy) in zip(corners, signs, strict=True):
        x, y, z = layout.point_place(point, 0)
        assert np.sign(x) == sx and np.sign(y) == sy and z == 0
        assert abs(x) > layout.style.field_width / 2 - layout.style.pitch
    assert len({round(layout.point_x(p), 3) for p in range(1, 13)}) == 12
    for p in range(1, 13):
        assert layout.point_x(p) == pytest.approx(layout.point_x(25 - p)), "points face each other"


def test_each_player_throws_to_the_right() -> None:
    layout = Layout(STYLES["travel"], "dark", "left")
    assert layout.dice_area("dark")[0] > 0 and layout.dice_area("light")[1] < 0


@pytest.mark.parametrize("style", STYLES)
def test_five_checkers_fit_on_a_point(style: str) -> None:
    layout = Layout(STYLES[style])
    d = layout.style.checker_diameter
    ys = [abs(layout.point_place(6, i)[1]) for i in range(5)]
    assert ys[0] + d / 2 <= layout.style.field_height / 2 and ys[-1] - d / 2 > 0
    assert min(a - b for a, b in itertools.pairwise(ys)) >= d
    assert layout.point_place(6, 5)[2] == layout.style.checker_height
