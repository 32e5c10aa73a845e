"""What several checkers show on their tops is no die."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from pi_board.sighting import CubeSeen, DieSeen
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import Row
from pi_board.vision.dice.faces import Faces, cube_but_a_face, without_faces
from pi_board.vision.profile import load_profile

CORNERS = np.array([[100.0, 80], [700, 80], [700, 520], [100, 520]])
GEOMETRY = BoardGeometry(load_profile("generic"), CORNERS, (800, 600))
PLACES = np.array([GEOMETRY.checker_place(column, Row.NEAR, i)[:2] for column in (0, 3, 8) for i in range(3)])


def picture(*, odd: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Red checkers with a white dot each, and their places in it (N, 2) px; checker `odd` has a white die on it instead."""
    at = GEOMETRY.project(np.column_stack([PLACES, np.full(len(PLACES), GEOMETRY.profile.checker_height)]))
    image = np.full((600, 800, 3), (60, 110, 70), np.uint8)
    size = float(np.linalg.norm(at[1] - at[0]))
    for i, (x, y) in enumerate(at):
        cv2.circle(image, (round(x), round(y)), round(0.48 * size), (40, 40, 180), -1)
        cv2.circle(image, (round(x), round(y)), round(0.1 * size), (240, 240, 240), -1)
        if i == odd:
            half = round(0.25 * size)
            cv2.rectangle(
                image,
                (round(x) - half, round(y) - half),
                (round(x) + half, round(y) + half),
                (240, 240, 240),
                -1,
            )
            cv2.circle(image, (round(x), round(y)), round(0.08 * size), (20, 20, 20), -1)
    return image, at


@pytest.mark.parametrize(("odd", "kept"), [(None, 0), (4, 1)])
def test_a_die_on_a_checker_is_kept_and_a_checkers_face_is_not(odd: int | None, kept: int) -> None:
    image, at = picture(odd=odd)
    die = DieSeen(1, 0.95, float(at[4][0]), float(at[4][1]), size=20.0)
    assert len(without_faces(image, [die], GEOMETRY, PLACES)) == kept


def test_a_die_beside_the_checkers_is_kept() -> None:
    image, _ = picture()
    die = DieSeen(1, 0.95, 400.0, 300.0, size=20.0)
    assert without_faces(image, [die], GEOMETRY, PLACES) == (die,)


def test_few_checkers_say_nothing() -> None:
    image, at = picture()
    die = DieSeen(1, 0.95, float(at[0][0]), float(at[0][1]), size=20.0)
    assert without_faces(image, [die], GEOMETRY, PLACES[:3]) == (die,)


@pytest.mark.parametrize(
    ("odd", "place", "kept"), [(None, "offered", False), (4, "offered", True), (None, "light", True)]
)
def test_a_cube_on_offer_that_looks_like_the_checkers_is_a_checkers_face(
    odd: int | None, place: str, kept: bool
) -> None:
    image, at = picture(odd=odd)
    cube = CubeSeen(4, place, 0.8, *at[4])  # type: ignore[arg-type]
    assert cube_but_a_face(image, cube, GEOMETRY, PLACES) == (cube if kept else None)
    assert cube_but_a_face(image, cube, GEOMETRY, None) == cube


@pytest.mark.parametrize(
    ("known", "odd", "place", "face"),
    [
        pytest.param(9, None, 4, True, id="one of the checkers"),
        pytest.param(8, None, 8, True, id="a checker that nobody knows of"),
        pytest.param(9, 4, 4, False, id="a die on a checker"),
        pytest.param(9, None, None, False, id="the bare board"),
        pytest.param(3, None, 8, False, id="few checkers"),
    ],
)
def test_a_top_looks_like_the_others_wherever_it_lies(
    known: int, odd: int | None, place: int | None, face: bool
) -> None:
    image, at = picture(odd=odd)
    x, y = (400.0, 300.0) if place is None else at[place]
    assert Faces(image, GEOMETRY, PLACES[:known]).look_like(float(x), float(y)) == face
