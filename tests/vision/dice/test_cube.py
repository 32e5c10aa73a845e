"""The doubling cube: place and value, on the bar, beside the board, offered on a half."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.dice.cube import find_cube, place_of
from pi_board.vision.profile import load_profile

PIL = pytest.importorskip("PIL")


def board(
    cube: tuple[float, float, str, int] | None, body: tuple = (235, 238, 240), ink: tuple = (25, 25, 25)
) -> tuple[np.ndarray, BoardGeometry]:
    """A brown board from straight above with a cube (x cm, y cm, numeral, quarter turns) lying on it."""
    from PIL import Image, ImageDraw, ImageFont

    profile = load_profile("generic")
    scale = 18.0
    w, h = round(profile.field_width * scale), round(profile.field_height * scale)
    around_x, around_y = (1280 - w) // 2, (720 - h) // 2
    picture = np.full((720, 1280, 3), (95, 105, 110), np.uint8)
    picture[around_y : around_y + h, around_x : around_x + w] = (70, 100, 140)
    middle = 640
    picture[
        around_y : around_y + h,
        middle - round(profile.bar_width * scale / 2) : middle + round(profile.bar_width * scale / 2),
    ] = (40, 55, 80)
    corners = (
        np.array(
            [
                [around_x, around_y],
                [around_x + w, around_y],
                [around_x + w, around_y + h],
                [around_x, around_y + h],
            ],
            float,
        )
        - 0.5
    )
    geometry = BoardGeometry(profile, corners, (1280, 720))
    if cube is not None:
        x, y, numeral, turns = cube
        side = round(profile.cube_size * scale)
        face = Image.new("RGB", (side * 4, side * 4), body[::-1])
        pen = ImageDraw.Draw(face)
        font = ImageFont.load_default(side * (2.6 if len(numeral) == 1 else 2.2))
        box = pen.textbbox((0, 0), numeral, font=font, stroke_width=3)
        pen.text(
            ((side * 4 - box[0] - box[2]) / 2, (side * 4 - box[1] - box[3]) / 2),
            numeral,
            ink[::-1],
            font,
            stroke_width=3,
        )
        tile = np.rot90(
            cv2.resize(np.asarray(face)[..., ::-1], (side, side), interpolation=cv2.INTER_AREA), turns
        )
        px, py = geometry.project([[x, y]])[0]
        left, top = round(px - side / 2), round(py - side / 2)
        picture[top + 3 : top + side + 5, left + 3 : left + side + 5] //= 2
        picture[top : top + side, left : left + side] = tile
    picture = cv2.GaussianBlur(picture, (0, 0), 0.6)
    noise = np.random.default_rng(1).normal(0, 3, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8), geometry


@pytest.mark.parametrize("numeral", ["2", "4", "8", "16", "32", "64"])
def test_the_numeral_is_read_at_any_turn(numeral: str) -> None:
    values = []
    for turns in range(4):
        picture, geometry = board((0.0, -9.0, numeral, turns))
        cube = find_cube(picture, geometry)
        assert cube is not None
        assert cube.place == "light"
        values.append(cube.value)
    assert set(values) <= {int(numeral), None}  # unsure is an answer, wrong is none
    assert values.count(int(numeral)) >= 3


def test_sixty_four_in_the_middle_means_one() -> None:
    picture, geometry = board((0.0, 0.2, "64", 1), body=(25, 25, 25), ink=(235, 238, 240))
    cube = find_cube(picture, geometry)
    assert cube is not None
    assert (cube.value, cube.place) == (1, "center")


def test_no_cube_is_none() -> None:
    picture, geometry = board(None)
    assert find_cube(picture, geometry) is None


@pytest.mark.parametrize(
    "x, y, near, place",
    [
        (0.0, 9.0, "light", "dark"), (0.0, -9.0, "dark", "dark"), (0.1, 0.5, "light", "center"), (-21.0, 0.5, "light", "center"),
        (21.5, 9.0, "light", "dark"), (8.0, 0.0, "light", "offered"), (-9.0, 3.0, "dark", "offered"), (0.0, 16.5, "light", "dark"),
    ],
)  # fmt: skip
def test_place(x: float, y: float, near: str, place: str) -> None:
    geometry = board(None)[1]
    assert place_of(x, y, geometry, Orientation(near, "right")) == place  # type: ignore[arg-type]


def test_a_printed_marker_is_no_cube() -> None:
    picture, geometry = board((0.0, -9.0, "4", 0))
    for x, y, number in ((-19.5, 12.0, 0), (19.5, 12.0, 1), (19.5, -12.0, 2), (-19.5, -12.0, 3)):
        marker = cv2.aruco.generateImageMarker(
            cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), number, 42
        )
        marker = cv2.copyMakeBorder(marker, 6, 6, 6, 6, cv2.BORDER_CONSTANT, value=255)
        px, py = (round(float(v)) for v in geometry.project([[x, y]])[0])
        picture[py - 27 : py + 27, px - 27 : px + 27] = marker[..., None]
    cube = find_cube(picture, geometry)
    assert cube is not None
    assert (cube.place, cube.value) == ("light", 4)
    assert (
        find_cube(
            np.where(np.abs(np.arange(1280) - 640)[None, :, None] < 60, np.uint8(60), picture), geometry
        )
        is None
    )


@pytest.mark.slow
def test_cubes_in_the_rendered_stills() -> None:
    import json

    folder = Path(__file__).resolve().parents[4] / "shared" / "data" / "scenes" / "stills"
    if not folder.is_dir():
        pytest.skip("../shared/data/scenes is not here")
    right = wrong = n = 0
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text())
        if truth["cube"]["place"] == "none" or truth["cube"]["visible"] < 0.6:
            continue
        picture = cv2.imread(str(path.with_suffix(".jpg")))
        cube = find_cube(
            picture,
            BoardGeometry(load_profile("generic"), np.array(truth["corners_px"]), picture.shape[1::-1]),
        )
        n += 1
        place = {"near": "light", "far": "dark"}.get(truth["cube"]["place"], truth["cube"]["place"])
        right += cube is not None and cube.place == place
        wrong += cube is not None and cube.value not in (None, truth["cube"]["value"])
    # 63 of 66 were measured: two that are missed are smears of motion, of one the rim hides a third.
    assert right / n >= 0.94
    assert wrong == 0
