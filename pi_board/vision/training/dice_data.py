"""Make and keep the samples that the dice and cube networks learn from.

`python -m pi_board.vision.training.dice_data KIND COUNT FOLDER [SEED]` draws COUNT samples of KIND (board, nothing, cocked, photo,
cube, finder) and adds them to FOLDER as one .npz. Drawing takes about 12 ms a sample (finder 40 ms) on one core.
"""

# mypy: ignore-errors
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from pi_board.vision.training import cocked_samples, dice_samples

#: Side of a finder sample, px, and its scale, px per cm.
FINDER_SIZE, FINDER_SCALE = 128, 10.0
#: Things kept per finder sample.
_MOST_THINGS = 10


def draw(kind: str, count: int, seed: int) -> dict[str, np.ndarray]:
    """Arrays of `count` samples: images (N, S, S, 3) uint8 and labels (N, …) float32."""
    rng = np.random.default_rng(seed)
    fonts = dice_samples.system_fonts()
    images, labels = [], []
    for _ in range(count):
        if kind == "board":
            image, *label = dice_samples.board_die(rng, fonts)
        elif kind == "cocked":
            image, *label = cocked_samples.board_cocked(rng, fonts)
        elif kind == "nothing":
            image, *label = dice_samples.board_nothing(rng, fonts)
        elif kind == "photo":
            image, *label = dice_samples.photo_die(rng, fonts)
        elif kind == "cube":
            image, *label = dice_samples.numeral_sample(rng, fonts)
        elif kind == "finder":
            image, things = dice_samples.finder_sample(rng, fonts, FINDER_SIZE, FINDER_SCALE)
            table = np.zeros((_MOST_THINGS, 5), np.float32)
            for row, (name, x, y, edge, on_checker) in zip(table, things, strict=False):
                row[:] = 1 if name == "die" else 2, x, y, edge, on_checker
            label = [table]
        else:
            raise SystemExit(f"KIND must be board, nothing, cocked, photo, cube or finder, not {kind!r}")
        images.append(image)
        labels.append(np.concatenate([np.asarray(v, np.float32).ravel() for v in label]))
    return {"images": np.stack(images), "labels": np.stack(labels)}


def load(folder: Path, kind: str) -> tuple[list[np.ndarray], np.ndarray]:
    """All samples of a kind in a folder: images and labels (N, L)."""
    images: list[np.ndarray] = []
    labels = []
    for path in sorted(folder.glob(f"{kind}_*.npz")):
        with np.load(path) as part:
            images += list(part["images"])
            rows = part["labels"]
            if kind != "finder" and rows.shape[1] < 7:  # taken already: no camera columns
                rows = np.pad(rows, ((0, 0), (0, 7 - rows.shape[1])))
                rows[:, 6] = 0.6 if kind == "photo" else 0.0
            labels.append(rows)
    return images, np.concatenate(labels)


if __name__ == "__main__":
    _kind, _count, _folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    _seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    _folder.mkdir(parents=True, exist_ok=True)
    np.savez(_folder / f"{_kind}_{_seed:04d}.npz", **draw(_kind, _count, _seed))
