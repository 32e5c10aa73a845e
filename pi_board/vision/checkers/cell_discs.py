"""How clearly a checker's top lies at each of the slot network's cells."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

#: A top is a disc of this radius, cells of the slot network.
RADIUS = 2.6


def tops_in_cells(chances: npt.NDArray[np.floating]) -> npt.NDArray[np.float32]:
    """(H, W) share of a disc around each cell that is a top. chances: (H, W) probability of a top; none beyond."""
    return np.asarray(
        cv2.filter2D(chances.astype(np.float32), -1, _disc(), borderType=cv2.BORDER_CONSTANT), np.float32
    )


@cache
def _disc() -> npt.NDArray[np.float32]:
    n = int(np.ceil(RADIUS))
    y, x = np.mgrid[-n : n + 1, -n : n + 1]
    disc = (x * x + y * y <= RADIUS**2).astype(np.float32)
    return np.asarray(disc / disc.sum(), np.float32)
