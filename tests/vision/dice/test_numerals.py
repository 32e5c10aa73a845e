"""The numeral's reader by itself: what it is shown when the finder is in doubt between a die and the cube."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from pi_board.simulator.still import render_still
from pi_board.vision.dice.numerals import FACES, numeral_patches, read_closely


def scene(number: int) -> tuple[np.ndarray, dict]:
    return render_still(np.random.default_rng(700000 + number))


def read_at(picture: np.ndarray, thing: dict) -> np.ndarray:
    """(7,) of the place of a die or cube of a truth, cut as if it were the cube."""
    corners = np.array(thing["corner_px"], np.float64)
    edge = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
    return read_closely(numeral_patches(picture, np.eye(3), tuple(thing["center_px"]), edge))


#: The scenes, of the first forty, in which a die shows a single pip plainly.
WITH_ONE_PIP = (7, 8, 11, 14, 15, 16, 17, 26, 37)


@pytest.mark.slow
def test_one_pip_is_no_numeral() -> None:
    """Large single pips look like a 4 or an 8 from afar: read as the cube, they made dice vanish from a game."""
    seen = []
    for number in WITH_ONE_PIP:
        picture, truth = scene(number)
        seen += [
            read_at(picture, die)
            for die in truth["dice"]
            if die["value"] == 1 and die["visible"] > 0.9 and not die["cocked"]
        ]
    assert len(seen) >= 8
    assert max(float(p[1:].max()) for p in seen) < 0.6


@pytest.mark.parametrize("number", [53, 54, 67, 100])
def test_a_numeral_at_a_slant_is_read(number: int) -> None:
    picture, truth = scene(number)
    cube = truth["cube"]
    size = 1.3 * np.linalg.norm(np.subtract(*truth["dice"][0]["corner_px"][:2])) if truth["dice"] else 30.0
    p = read_closely(numeral_patches(picture, np.eye(3), tuple(cube["center_px"]), float(size)))
    assert FACES[int(p[1:].argmax())] == cube["face"]


def test_an_empty_board_shows_none() -> None:
    flat = cv2.GaussianBlur(
        np.random.default_rng(1).integers(60, 120, (200, 200, 3)).astype(np.uint8), (0, 0), 3
    )
    assert read_closely(numeral_patches(flat, np.eye(3), (100.0, 100.0), 30.0))[1:].max() < 0.5
