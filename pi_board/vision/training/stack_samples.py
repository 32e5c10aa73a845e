"""Strips for the network of long points: `python -m pi_board.vision.training.stack_samples DIR --shards 4`.

One drawn board gives a strip for each of its rows, since here no side needs to have fifteen checkers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from pi_board.vision.checkers.slot_network import estimate_view
from pi_board.vision.checkers.stacks import (
    LEAST,
    STRIDE,
    STRIP_H,
    STRIP_W,
    BoardView,
    cut_strip,
    lift,
    usual_thickness,
)
from pi_board.vision.training.boards import Rng
from pi_board.vision.training.pictures import OWNED, shoot, upper_layer
from pi_board.vision.training.samples import write_shards

BOARDS = 400
COUNTS = {0: 0.25, 2: 0.03, 4: 0.11, 5: 0.2, 6: 0.14, 7: 0.1, 8: 0.07, 9: 0.05, 10: 0.03, 11: 0.01, 12: 0.01}


def long_rows(rng: Rng) -> np.ndarray:
    """(2, 12) signed counts with many long rows."""
    n = rng.choice(list(COUNTS), (2, 12), p=list(COUNTS.values()))
    return np.asarray(n * rng.choice([-1, 1], n.shape))


def seen_board(corners: np.ndarray, size: tuple[int, int], bar_share: float) -> BoardView:
    """A board of width 1 as a reader takes it to lie: corners (4, 2) px, size (width, height) of the picture, the bar's share of the width."""
    view = estimate_view(corners, size)
    return BoardView(view.project, 1.0, 1 / view.aspect, bar_share, usual_thickness((1 - bar_share) / 12))


def strip_of(
    image: np.ndarray, upper: np.ndarray, board: BoardView, column: int, far: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(strip, lift, upper layer at stride 8) of one point. upper: (H, W, 3) picture of what lies on other checkers, white."""
    truth = cut_strip(upper, board, column, far)[..., 0]
    small = cv2.resize(truth, (STRIP_W // STRIDE, STRIP_H // STRIDE), interpolation=cv2.INTER_AREA)
    return cut_strip(image, board, column, far), lift(board, column, far), small


def packed(rows: list[tuple[np.ndarray, np.ndarray, int, np.ndarray]]) -> dict[str, Any]:
    """Rows as of `strips_of`, as a shard keeps them."""
    strips, lifts, counts, upper = (np.array(part) for part in zip(*rows, strict=True))
    return {
        "strips": strips,
        "lifts": lifts.astype(np.float32),
        "counts": counts.astype(np.int8),
        "upper": upper,
    }


def strips_of(rng: Rng) -> list[tuple[np.ndarray, np.ndarray, int, np.ndarray]]:
    """(strip, lift, count, upper layer at stride 4) of every long row on one board."""
    hardness = float(rng.choice([0.0, 0.4, 1.0]) * rng.random())
    shot = shoot(rng, hardness, 0.1, long_rows(rng), (960, 720), 40, owned=OWNED)
    scene, corners = shot.scene, shot.corners
    span = float(np.linalg.norm(corners[1] - corners[0]))
    corners = corners + rng.normal(0, rng.choice([0.0005, 0.002, 0.005]) * span, (4, 2))
    share = float(np.clip(scene.bar_width / scene.width + rng.normal(0, 0.003), 0.01, 0.16))
    board = seen_board(corners, (shot.image.shape[1], shot.image.shape[0]), share)
    upper = upper_layer(shot)
    out = []
    for row in range(2):
        for column in range(12):
            n = abs(int(scene.points[row, column]))
            if n < LEAST:
                continue
            strip, lifted, small = strip_of(shot.image, upper, board, column, row == 0)
            out.append((strip, lifted, n, small))
    return out


def drawn(first: int, count: int) -> dict[str, Any]:
    """The strips of `count` boards from the seeds `first` …, as a shard keeps them."""
    rows = [r for i in range(count) for r in strips_of(np.random.default_rng(first + i))]
    return packed(rows)


def write_shard(folder: Path, index: int) -> None:
    temporary = folder / f"part-{index:03d}.npz"
    np.savez(temporary, **drawn(7_000_000 + index * BOARDS, BOARDS))
    temporary.rename(folder / f"stacks-{index:03d}.npz")


if __name__ == "__main__":
    write_shards(write_shard, __doc__, 4)
