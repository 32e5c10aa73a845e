"""What shows again on the other side of a board is no die."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from pi_board.sighting import DieSeen
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.dice.fixtures import MODEL, twin_likeness, without_fixtures
from pi_board.vision.profile import load_profile

CORNERS = np.array([[100.0, 80], [700, 70], [720, 520], [90, 530]])
GEOMETRY = BoardGeometry(load_profile("generic"), CORNERS, (800, 600))
PLACE = (9.0, 3.0)
SHIFT = (GEOMETRY.profile.field_width + GEOMETRY.profile.bar_width) / 2


def drawn(*places: tuple[float, float, int, int]) -> np.ndarray:
    """A field with noise on which a lopsided sign stands at each (x, y) cm, mirrored by the two signs."""
    size = GEOMETRY.profile.field_width, GEOMETRY.profile.field_height
    rng = np.random.default_rng(1)
    scale = 20
    flat = np.full((round(size[1] * scale), round(size[0] * scale), 3), (70, 110, 90), np.uint8)
    for x, y, sx, sy in places:
        sign = np.full((44, 44, 3), (70, 110, 90), np.uint8)
        cv2.rectangle(sign, (8, 8), (36, 36), (230, 230, 230), -1)
        cv2.rectangle(sign, (8, 8), (22, 36), (20, 20, 20), -1)
        cv2.circle(sign, (28, 29), 5, (40, 40, 200), -1)
        sign = sign[::sy, ::sx]
        u, v = round((x + size[0] / 2) * scale), round((size[1] / 2 - y) * scale)
        flat[v - 22 : v + 22, u - 22 : u + 22] = sign
    height, width = flat.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    to_picture = cv2.getPerspectiveTransform(corners, CORNERS.astype(np.float32))
    image = cv2.warpPerspective(flat, to_picture, (800, 600), flags=cv2.INTER_AREA)
    return np.clip(image + rng.normal(0, 3, image.shape), 0, 255).astype(np.uint8)


def die() -> DieSeen:
    ((x, y),) = GEOMETRY.project(np.array([[*PLACE, 0.0]]))
    return DieSeen(2, 0.97, float(x), float(y), size=18.0)


@pytest.mark.parametrize(
    "twin",
    [(-PLACE[0], PLACE[1], -1, 1), (PLACE[0], -PLACE[1], 1, -1), (-PLACE[0], -PLACE[1], -1, -1), (PLACE[0] - SHIFT, PLACE[1], 1, 1)],
    ids=["left to right", "top to bottom", "turned by half", "the same in both halves"],
)  # fmt: skip
def test_what_has_a_twin_is_a_fixture(twin: tuple[float, float, int, int]) -> None:
    image = drawn((*PLACE, 1, 1), twin)
    assert without_fixtures(image, [die()], GEOMETRY) == ()


def test_a_die_by_itself_is_kept() -> None:
    image = drawn((*PLACE, 1, 1))
    assert without_fixtures(image, [die()], GEOMETRY) == (die(),)
    assert twin_likeness(image, die(), GEOMETRY) < MODEL.alike - 0.2


def test_a_die_in_the_middle_of_the_board_is_not_its_own_twin() -> None:
    ((x, y),) = GEOMETRY.project(np.array([[0.1, 0.1, 0.0]]))
    here = DieSeen(2, 0.97, float(x), float(y), size=18.0)
    assert without_fixtures(drawn((0.1, 0.1, 1, 1)), [here], GEOMETRY) == (here,)
