"""Sums over a disc around each pixel, of plane after plane: only where a plane differs from the one before is it summed anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.changes import Part, area_of, in_pixels, parts_of

Floats = npt.NDArray[Any]

#: Side of the squares in which differences are looked for, px; share of the plane from which on the whole is summed.
_CELL, _MOST = 8, 0.4


class DiscSums:
    """disc: the filter as a sum of products of a row and a column, (N,) each."""

    def __init__(self, disc: Sequence[tuple[Floats, Floats]]) -> None:
        self._disc = disc
        self._half = len(disc[0][0]) // 2
        self._part: Part | None = None
        self._plane: Floats
        self._sums: Floats

    def of(self, plane: Floats, part: Part) -> Floats:
        """(H, W) float32 sums of a plane (H, W) float32 in its rows and columns `part`, whose border pixels go on beyond it; 0 elsewhere."""
        inner = plane[part]
        if self._part == part and self._plane.shape == plane.shape:
            windows = self._windows(inner != self._plane[part])
            area = area_of(windows)
        else:
            windows, area = [], inner.size
        if area > _MOST * inner.size:
            sums = np.zeros(plane.shape, np.float32)
            sums[part] = self._summed(inner)
        else:
            sums = self._sums.copy()
            here = sums[part]
            for window in windows:
                self._sum_again(inner, here, window)
        self._part, self._plane, self._sums = part, plane, sums
        return sums

    def _summed(self, plane: Floats) -> Floats:
        total = np.zeros(plane.shape, np.float32)
        for across, along in self._disc:
            total += cv2.sepFilter2D(plane, cv2.CV_32F, across, along, borderType=cv2.BORDER_REPLICATE)
        return total

    def _sum_again(self, plane: Floats, sums: Floats, window: Part) -> None:
        """`window` of `sums`, from it and what lies as far around as a disc reaches."""
        around, inside = [], []
        for at, length in zip(window, plane.shape, strict=True):
            first = max(0, at.start - self._half)
            around.append(slice(first, min(length, at.stop + self._half)))
            inside.append(slice(at.start - first, at.stop - first))
        sums[window] = self._summed(plane[around[0], around[1]])[inside[0], inside[1]]

    def _windows(self, differs: npt.NDArray[np.bool_]) -> list[Part]:
        """Rows and columns that take in all sums in which a differing pixel has a say."""
        high, wide = differs.shape
        padded = np.zeros((-(-high // _CELL) * _CELL, -(-wide // _CELL) * _CELL), np.uint8)
        np.multiply(differs, np.uint8(255), out=padded[:high, :wide])
        size = padded.shape[1] // _CELL, padded.shape[0] // _CELL
        # One pixel of 64 is left as 4 of 255.
        cells = np.asarray(cv2.resize(padded, size, interpolation=cv2.INTER_AREA)) > 0
        return [in_pixels(part, _CELL, differs.shape) for part in parts_of(cells, -(-self._half // _CELL))]
