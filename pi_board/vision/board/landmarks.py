"""`Landmarks`: small grey pictures of places that do not move in play, found again in other pictures."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.board.bump_numbers import BUMP

Floats = npt.NDArray[Any]
Image = npt.NDArray[np.uint8]


class Landmarks:
    """Small grey pictures and where they belong."""

    def __init__(self, places: npt.NDArray[np.int64], pictures: list[Image]) -> None:
        self.places, self.pictures = places, pictures
        #: Of each place, px x, y of the first pixel of its picture.
        self.corners: list[list[int]] = (places - BUMP.half).tolist()

    @classmethod
    def cut(cls, grey: Any, places: npt.NDArray[Any]) -> Landmarks:
        whole = np.asarray(places).astype(np.int64)
        return cls(whole, [cls._at(grey, p) for p in whole])

    @staticmethod
    def _at(grey: Any, place: npt.NDArray[np.int64]) -> Any:
        x, y = int(place[0]), int(place[1])
        return grey[y - BUMP.half : y + BUMP.half + 1, x - BUMP.half : x + BUMP.half + 1].copy()

    def renew(self, grey: Any, which: int) -> None:
        """Take this one from `grey`."""
        self.pictures[which] = self._at(grey, self.places[which])

    def match(
        self, grey: Any, reach: int, which: npt.NDArray[np.intp] | None = None
    ) -> tuple[Floats, Floats]:
        """((N, 2) px, (N,) correlation): how far each patch (of `which`, or all) lies from its place in `grey`."""
        chosen: list[int] = list(range(len(self.pictures))) if which is None else which.tolist()
        side = 2 * reach + 1
        results = np.full((len(chosen), side, side), -np.inf, np.float32)
        height, width = grey.shape
        # Of each result's first row and column, and of the ones after the last: less where the picture ends.
        first, end = np.zeros((len(chosen), 2), np.intp), np.full((len(chosen), 2), side)
        half = BUMP.half + reach
        for i, k in enumerate(chosen):
            x, y = self.corners[k]
            x, y = x - reach, y - reach
            if x < 0 or y < 0 or x + 2 * half + 1 > width or y + 2 * half + 1 > height:
                first[i] = max(0, -y), max(0, -x)
                end[i] = min(side, height - 2 * BUMP.half - y), min(side, width - 2 * BUMP.half - x)
            (top, left), (bottom, right) = first[i], end[i]
            window = grey[y + top : y + bottom + 2 * BUMP.half, x + left : x + right + 2 * BUMP.half]
            results[i, top:bottom, left:right] = cv2.matchTemplate(
                window, self.pictures[k], cv2.TM_CCOEFF_NORMED
            )
        return peaks(results, first, end, reach)


def peaks(
    results: Floats, first: npt.NDArray[np.intp], end: npt.NDArray[np.intp], reach: int
) -> tuple[Floats, Floats]:
    """((N, 2) px x, y off the middle, (N,) its value; 0 where it is at the edge and may lie further out): the maximum of each of
    (N, side, side) results, to a part of a pixel (parabola in each direction). first, end: (N, 2), as in `match`."""
    n, side = len(results), results.shape[1]
    flat = results.reshape(n, -1)
    best = flat.argmax(axis=1)
    each = np.arange(n)
    at = np.stack([best // side, best % side], axis=1)
    inner = (at > first) & (at < end - 1)
    offset = at.astype(np.float64) - reach
    middle = flat[each, best].astype(np.float64)
    for axis, step in ((0, side), (1, 1)):
        there = np.flatnonzero(inner[:, axis])
        here = best[there]
        before, after = (flat[there, here + d].astype(np.float64) for d in (-step, step))
        curve = before - 2 * middle[there] + after
        with np.errstate(divide="ignore", invalid="ignore"):
            offset[there, axis] += np.where(curve < -1e-9, 0.5 * (before - after) / curve, 0.0)
    return offset[:, ::-1], np.where(inner.all(axis=1), middle, 0.0)
