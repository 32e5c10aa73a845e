"""Has the light of the room really changed, or did only a hand pass? Pure arithmetic on brightness grids."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

#: Cells of the brightness grid: rows, columns.
GRID = (9, 16)


def brightness_grid(luma: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """(9, 16) float32 mean brightness of a (H, W) or (H, W, 3) uint8 picture, every fourth pixel."""
    small = luma[::4, ::4]
    if small.ndim == 3:
        small = small[:, :, 1]
    h, w = small.shape[0] // GRID[0] * GRID[0], small.shape[1] // GRID[1] * GRID[1]
    blocks = small[:h, :w].reshape(GRID[0], h // GRID[0], GRID[1], w // GRID[1])
    return np.asarray(blocks.mean(axis=(1, 3)), np.float32)


class LightWatch:
    """Says when the light has changed for good since `lock`.

    Real changes reach almost every cell in the same direction and last; a hand darkens a few, for a moment.
    ratio: change of brightness that counts. share: of cells that must agree. hold: seconds it must last.
    """

    def __init__(self, ratio: float = 0.18, share: float = 0.8, hold: float = 2.0) -> None:
        self._ratio = ratio
        self._share = share
        self._hold = hold
        self._reference: npt.NDArray[np.float32] | None = None
        self._since: float | None = None

    def lock(self, grid: npt.NDArray[np.float32]) -> None:
        """`grid` is what the light looks like from now on."""
        self._reference = grid
        self._since = None

    def changed(self, grid: npt.NDArray[np.float32], now: float) -> bool:
        """True once the light has differed for `hold` seconds; the first grid ever seen becomes the reference."""
        if self._reference is None:
            self.lock(grid)
            return False
        relative = (grid + 4) / (self._reference + 4) - 1
        up = float((relative > self._ratio).mean())
        down = float((relative < -self._ratio / (1 + self._ratio)).mean())
        if max(up, down) < self._share:
            self._since = None
            return False
        if self._since is None:
            self._since = now
        return now - self._since >= self._hold
