"""The 37-hole board in a picture."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_board.errors import AmbiguousError, InvalidError
from pi_board.simulator.solitaire_still import SolitaireScene
from pi_board.solitaire import BOARD_37
from pi_board.vision.solitaire.hole_network import CANVAS, draw_canvas, normalised, score
from pi_board.vision.solitaire.lattice import PLACES
from pi_board.vision.solitaire.occupancy import read_holes

SCENES = Path(__file__).resolve().parents[4] / "shared" / "data" / "scenes" / "solitaire"


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
        # Lattices are seen everywhere in it, and each is tried.
        pytest.param(
            np.random.default_rng(1).integers(0, 255, (480, 640, 3)).astype(np.uint8), marks=pytest.mark.slow
        ),
    ],
)
def test_no_board_is_refused(picture: np.ndarray) -> None:
    with pytest.raises(AmbiguousError):
        read_holes(picture)


def test_no_picture_is_invalid() -> None:
    with pytest.raises(InvalidError, match="BGR"):
        read_holes(np.zeros((10, 10, 2), np.uint8))


@pytest.mark.slow
@pytest.mark.skipif(not SCENES.is_dir(), reason="../shared/data/scenes/solitaire is not here")
@pytest.mark.parametrize(
    "path", sorted(SCENES.glob("*.json")) if SCENES.is_dir() else [], ids=lambda p: p.stem
)
def test_rendered_scenes(path: Path) -> None:
    truth = [int(h["occupied"]) for h in json.loads(path.read_text())["solitaire"]["holes"]]
    assert list(read_holes(cv2.imread(str(path.with_suffix(".jpg")))).holes) == truth


def turned(holes: list[int], times: int) -> list[int]:
    """The same board after np.rot90 of its picture."""
    square = np.full((7, 7), -1)
    for (row, column), h in zip(PLACES, holes, strict=True):
        square[row, column] = h
    square = np.rot90(square, times)
    return [int(square[place]) for place in PLACES]


@pytest.mark.parametrize(
    "times", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)]
)
def test_a_board_lies_any_way_round(times: int) -> None:
    holes = [int(v) for v in np.random.default_rng(8).integers(0, 2, 37)]
    picture = drawn(holes, field=(60, 110, 40), ring=(200, 220, 220), piece=(25, 25, 28), tilt=0.05)
    seen = read_holes(np.ascontiguousarray(np.rot90(picture, times)))
    assert list(seen.holes) == turned(holes, times)


@pytest.mark.slow
def test_a_board_may_lie_askew() -> None:
    holes = [int(v) for v in np.random.default_rng(9).integers(0, 2, 37)]
    picture = drawn(holes, field=(60, 110, 40), ring=(200, 220, 220), piece=(25, 25, 28))
    for angle in (-40, -25, 25, 40):
        turn = cv2.getRotationMatrix2D((505, 365), angle, 0.75)
        askew = cv2.warpAffine(picture, turn, (1000, 720), borderValue=(60, 80, 70))
        assert list(read_holes(askew).holes) == holes, angle


@pytest.mark.slow
def test_boards_of_any_make() -> None:
    """Printed rings and discs, marbles in hollows, pegs: simulated ones that the network was not trained on."""
    right = sure = 0
    for i in range(30):
        image, truth = SolitaireScene(np.random.default_rng((991, i)), difficulty=0.02 * i).picture(
            hand=False
        )
        try:
            reading = read_holes(image)
        except AmbiguousError:
            continue
        good = list(reading.holes) == truth["holes"]
        right += good
        sure += reading.confidence >= 0.9
        assert good or reading.confidence < 0.9, f"board {i}: wrong and sure of it"
    assert right >= 24 and sure >= 12


@pytest.mark.slow
def test_holes_under_a_hand_are_no_reading() -> None:
    told = covered = 0
    for i in range(16):
        image, truth = SolitaireScene(np.random.default_rng((992, i)), difficulty=0.2).picture(hand=True)
        if sum(h > 0.7 for h in truth["hidden"]) < 3:
            continue
        covered += 1
        try:
            reading = read_holes(image)
            told += bool(reading.hidden) or reading.confidence < 0.9
        except AmbiguousError:
            told += 1
    assert covered >= 5 and told >= covered - 1


def test_the_network_is_its_twin() -> None:
    """The numpy network answers as the one that was trained."""
    torch = pytest.importorskip("torch", reason="torch (extra 'train') is not installed")
    from pi_board.vision.training.hole_train import HoleNetwork

    torch.manual_seed(3)
    net = HoleNetwork().eval()
    weights = {k: np.asarray(v, np.float32) for k, v in net.arrays().items()}
    canvas = np.random.default_rng(0).integers(0, 255, (CANVAS, CANVAS, 3)).astype(np.uint8)
    with torch.no_grad():
        logits = net(torch.from_numpy(normalised(canvas)).permute(2, 0, 1)[None])
        wanted = torch.log_softmax(logits, 1)[0].permute(1, 2, 0).numpy()
    assert np.abs(score(canvas, weights) - wanted).max() < 1e-4


def test_the_canvas_puts_places_where_it_says() -> None:
    """Place i of the canvas is at pixel 8 + 24 i, whatever the camera."""
    lattice = np.array([[40.0, 3.0, 120.0], [-2.0, 38.0, 90.0], [0.0002, 0.0001, 1.0]])
    picture = np.zeros((480, 640, 3), np.uint8)
    for row, column in PLACES:
        x, y, w = lattice @ (column, row, 1)
        cv2.circle(picture, (round(x / w), round(y / w)), 4, (255, 255, 255), -1)
    canvas = draw_canvas(picture, lattice)
    for row, column in PLACES:
        assert canvas[8 + 24 * (row + 1), 8 + 24 * (column + 1)].max() > 200
