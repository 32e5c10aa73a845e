"""Write training samples to shards: `python -m pi_board.vision.training.samples DIR --shards 12 [--first 0]`.

Shard k holds SHARD samples from the seeds k × SHARD …, so that any shard can be made again anywhere.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from pi_board.vision.training.pictures import make_sample

SHARD = 1000


def drawn(first: int, count: int) -> dict[str, Any]:
    """`count` samples from the seeds `first` …, as a shard keeps them."""
    samples = [make_sample(np.random.default_rng(first + i)) for i in range(count)]
    return {
        "canvas": np.stack([s.canvas for s in samples]),
        "points": np.stack([s.points for s in samples]).astype(np.int8),
        "bar": np.array([s.bar for s in samples], np.int8),
        "hidden": np.stack([s.hidden for s in samples]).astype(np.float16),
        "cells": np.stack([s.cells for s in samples]),
    }


def write_shard(folder: Path, index: int) -> None:
    temporary = folder / f"part-{index:03d}.npz"
    np.savez(temporary, **drawn(index * SHARD, SHARD))
    temporary.rename(folder / f"shard-{index:03d}.npz")


def write_shards(write: Callable[[Path, int], None], description: str | None, shards: int) -> None:
    """The command line of a module that writes shards. shards: how many by default."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--shards", type=int, default=shards)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    for index in range(args.first, args.first + args.shards):
        write(args.folder, index)
        print(f"shard {index}", flush=True)


if __name__ == "__main__":
    write_shards(write_shard, __doc__, 12)
