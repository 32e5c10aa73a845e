"""Write samples of the 37-hole board to shards: `python -m pi_board.vision.training.hole_samples DIR --shards 12`.

Each board is photographed with several fillings, each picture resampled along several lattices, right ones, slightly wrong ones, and ones that are no lattice of this
board at all, so that the network also learns to say that a lattice is wrong.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.simulator.solitaire_still import SolitaireScene
from pi_board.vision.solitaire.hole_network import (
    CANVAS,
    EMPTY,
    HIDDEN,
    NO_HOLE,
    PIECE,
    PITCH,
    PLACES,
    canvas_homography,
    draw_canvas,
)
from pi_board.vision.solitaire.lattice import PLACES as HOLES
from pi_board.vision.training.samples import write_shards

BOARDS, FILLINGS, LATTICES = 80, 4, 2
#: Small pictures are enough for the canvas, and quick.
SIZES = ((400, 300), (480, 360), (560, 420), (640, 360))
#: Places where the answer is left open.
IGNORED = 255
Rng = np.random.Generator


def true_lattice(places: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """3x3 from lattice units to pixels, from the true places (37, 2) px of the holes."""
    h, _ = cv2.findHomography(np.array([(c, r) for r, c in HOLES], float), np.asarray(places, float))
    return np.asarray(h, float)


def varied_lattice(rng: Rng, lattice: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The lattice as a finder might see it: nearly right, moved by whole holes, or nonsense."""
    kind = rng.random()
    corners = np.array([[0, 0], [6, 0], [6, 6], [0, 6.0]])
    spread = 0.05 if kind < 0.5 or kind > 0.75 else 0.12
    moved = corners + rng.normal(0, spread, (4, 2)) + rng.normal(0, 1.3 * spread, 2)
    if 0.75 < kind < 0.9:
        moved = moved + rng.integers(-2, 3, 2)
    elif kind >= 0.9:
        angle, size = rng.uniform(-np.pi / 4, np.pi / 4), float(np.exp(rng.uniform(-0.7, 0.5)))
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * size
        moved = (moved - 3) @ turn.T + 3 + rng.uniform(-1, 1, 2)
    change, _ = cv2.findHomography(corners, moved)
    return np.asarray(lattice @ change, float)


def labels(
    places: npt.ArrayLike, truth: dict[str, Any], lattice: npt.NDArray[np.float64]
) -> npt.NDArray[np.uint8]:
    """(9, 9) what lies at each place of the canvas of `lattice`."""
    px = cv2.perspectiveTransform(np.asarray(places, float)[None], canvas_homography(lattice))[0]
    cells = (px - 8) / PITCH
    rows, columns = np.mgrid[0:PLACES, 0:PLACES]
    distance = np.hypot(cells[:, 0] - columns[..., None], cells[:, 1] - rows[..., None])
    nearest, away = distance.argmin(axis=2), distance.min(axis=2)
    hidden = np.asarray(truth["hidden"])[nearest]
    filled = np.asarray(truth["holes"])[nearest]
    what = np.where(filled == 1, PIECE, EMPTY)
    what = np.where(hidden > 0.4, HIDDEN, np.where(hidden > 0.12, IGNORED, what))
    return np.where(away < 0.3, what, np.where(away > 0.45, NO_HOLE, IGNORED)).astype(np.uint8)


def samples_of(rng: Rng) -> list[tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]]:
    """Canvases (209, 209, 3) and their labels (9, 9) of one board."""
    scene = SolitaireScene(rng, sizes=SIZES)
    found = []
    for _ in range(FILLINGS):
        image, truth = scene.picture()
        lattice = true_lattice(truth["places"])
        for _ in range(LATTICES):
            seen = varied_lattice(rng, lattice)
            found.append((draw_canvas(image, seen), labels(truth["places"], truth, seen)))
    return found


def write_shard(folder: Path, index: int) -> None:
    samples = [s for i in range(BOARDS) for s in samples_of(np.random.default_rng((37, index * BOARDS + i)))]
    assert samples[0][0].shape == (CANVAS, CANVAS, 3)
    temporary = folder / f"part-{index:03d}.npz"
    np.savez(temporary, canvas=np.stack([s[0] for s in samples]), labels=np.stack([s[1] for s in samples]))
    temporary.rename(folder / f"holes-{index:03d}.npz")


if __name__ == "__main__":
    write_shards(write_shard, __doc__, 30)
