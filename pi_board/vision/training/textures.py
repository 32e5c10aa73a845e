"""What drawn boards are made of, as textures about 1: wood, felt, speckles and marble."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[Any]
Rng = np.random.Generator


def smooth_noise(rng: Rng, shape: tuple[int, int], cell: tuple[float, float]) -> Floats:
    """Noise of unit spread whose grain is `cell` (x, y) px."""
    h, w = shape
    small = rng.standard_normal((max(2, int(h / cell[1]) + 2), max(2, int(w / cell[0]) + 2))).astype(
        np.float32
    )
    return np.asarray(cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC), np.float32)


def grain(rng: Rng, shape: tuple[int, int], kind: str, strength: float) -> Floats:
    """(h, w) multiplicative texture about 1."""
    if kind == "wood":
        long, fine = rng.uniform(60, 220), rng.uniform(1.5, 6)
        cell = (long, fine) if rng.random() < 0.5 else (fine, long)
        g = smooth_noise(rng, shape, cell) + 0.5 * smooth_noise(rng, shape, (cell[0] * 2, cell[1] * 3))
        g += 0.4 * np.sin(smooth_noise(rng, shape, (cell[0] * 1.5, cell[1] * 8)) * 6).astype(np.float32)
    elif kind == "speckle":
        g = smooth_noise(rng, shape, (1.5, 1.5))
        g = np.where(g > 1.0, g * 1.5, g * 0.3).astype(np.float32)
    elif kind == "felt":
        g = smooth_noise(rng, shape, (1.6, 1.6)) + 0.6 * smooth_noise(rng, shape, (9, 9))
    else:
        g = 0.4 * smooth_noise(rng, shape, (40, 40))
    return 1 + strength * g


def marble(rng: Rng, shape: tuple[int, int], pitch: float) -> Floats:
    """(h, w) multiplicative texture about 1: clouds with bright or dark veins, as wide as a checker's rim; pitch: of the points, px."""
    cell = pitch * rng.uniform(0.5, 4)
    vein = np.exp(-np.square(smooth_noise(rng, shape, (cell, cell)) / np.float32(rng.uniform(0.04, 0.2))))
    cloud = smooth_noise(rng, shape, (cell / 2, cell / 2))
    strength = rng.uniform(0.1, 0.7) * (1 if rng.random() < 0.75 else -0.8)
    return np.asarray(np.clip(1 + strength * vein + rng.uniform(0, 0.12) * cloud, 0.1, 2), np.float32)
