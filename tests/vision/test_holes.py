"""The 37-hole board in a picture."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_board.errors import AmbiguousError, InvalidError
from pi_board.solitaire import BOARD_37
from pi_board.vision.holes import PLACES, read_holes

SCENES = Path(__file__).resolve().parents[3] / "shared" / "data" / "scenes" / "solitaire"


def drawn(
    holes: list[int], *, field: tuple, ring: tuple, piece: tuple, tilt: float = 0.0, seed: int = 0
) -> np.ndarray:
    """A plain picture of the board: rings, round pieces with a highlight, perspective, noise."""
    rng = np.random.default_rng(seed)
    board = np.zeros((900, 900, 3), np.float32)
    board[:] = (90, 110, 130)
    cv2.rectangle(board, (60, 60), (840, 840), field, -1)
    for (row, column), full in zip(PLACES, holes, strict=True):
        x, y = 150 + 100 * column, 150 + 100 * row
        cv2.circle(board, (x, y), 36, ring, 4, cv2.LINE_AA)
        if full:
            x, y = x + int(rng.normal(0, 2)), y - int(60 * tilt)
            cv2.circle(board, (x, y), 36, piece, -1, cv2.LINE_AA)
            cv2.circle(board, (x, y), 22, tuple(min(255, c + 25) for c in piece), 2, cv2.LINE_AA)
    a = 150 * tilt
    source = np.float32([[0, 0], [900, 0], [900, 900], [0, 900]])
    target = np.float32([[190 + a, 40 + a], [830 - a, 60 + a], [860, 690], [150, 680]])
    picture = cv2.warpPerspective(
        board, cv2.getPerspectiveTransform(source, target), (1000, 720), borderValue=(60, 80, 70)
    )
    light = np.linspace(0.75, 1.15, 1000)[None, :, None]
    return np.clip(picture * light + rng.normal(0, 4, picture.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("colours", "tilt"),
    [
        ({"field": (60, 110, 40), "ring": (200, 220, 220), "piece": (25, 25, 28)}, 0.0),
        ({"field": (190, 185, 180), "ring": (70, 70, 70), "piece": (30, 28, 26)}, 0.2),
        ({"field": (60, 45, 40), "ring": (180, 180, 190), "piece": (20, 20, 22)}, 0.1),
    ],
)
@pytest.mark.parametrize(
    "filled",
    ["half", pytest.param("classic", marks=pytest.mark.slow), pytest.param("one", marks=pytest.mark.slow)],
)
def test_drawn_boards(colours: dict, tilt: float, filled: str) -> None:
    rng = np.random.default_rng(5)
    holes = {"classic": [1] * 37, "half": [int(v) for v in rng.integers(0, 2, 37)], "one": [0] * 37}[filled]
    if filled != "half":
        holes[18] = 1 - holes[18]
    reading = read_holes(drawn(holes, **colours, tilt=tilt))
    assert list(reading.holes) == holes
    assert len(reading.places) == 37 and 0 < reading.confidence <= 1


def test_the_shape_is_the_game_s() -> None:
    assert BOARD_37.places == PLACES


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((480, 640, 3), np.uint8),
        np.random.default_rng(1).integers(0, 255, (480, 640, 3)).astype(np.uint8),
    ],
)
def test_no_board_is_refused(picture: np.ndarray) -> None:
    with pytest.raises(AmbiguousError):
        read_holes(picture)


def test_no_picture_is_invalid() -> None:
    with pytest.raises(InvalidError, match="BGR"):
        read_holes(np.zeros((10, 10), np.uint8))


@pytest.mark.slow
@pytest.mark.skipif(not SCENES.is_dir(), reason="../shared/data/scenes/solitaire is not here")
@pytest.mark.parametrize(
    "path", sorted(SCENES.glob("*.json")) if SCENES.is_dir() else [], ids=lambda p: p.stem
)
def test_rendered_scenes(path: Path) -> None:
    truth = [int(h["occupied"]) for h in json.loads(path.read_text())["solitaire"]["holes"]]
    assert list(read_holes(cv2.imread(str(path.with_suffix(".jpg")))).holes) == truth
