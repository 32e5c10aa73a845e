"""Patches of the canvas in which a checker's top lies, and other quick steps over many pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.board.canvas import CHECKER_PX
from pi_board.vision.checkers.disc import Disc

Floats = npt.NDArray[Any]
Planes = Sequence[npt.NDArray[Any]]
#: Radius of a top, and of its inner part that tells its brightness, as shares of CHECKER_PX (a top's own radius is 0.5).
TOP_SHARE, INNER_SHARE = 0.48, 0.42
#: Side of a checker's patch on the canvas, px, and the part of it that is checker.
PATCH = 19
_rows, _columns = np.mgrid[:PATCH, :PATCH] - PATCH // 2
RADII = np.hypot(_rows, _columns).astype(np.float32)
_HALF = PATCH // 2
_SPAN = np.arange(PATCH) - _HALF
TOP = np.clip(CHECKER_PX * TOP_SHARE + 0.5 - RADII, 0.0, 1.0).astype(np.float32)
#: The pixels of a patch that are checker, in part at least, and how much of each.
TOP_PIXELS = np.flatnonzero(TOP)
TOP_WEIGHTS = TOP.ravel()[TOP_PIXELS]
_TOP_OFFSETS = np.stack([TOP_PIXELS // PATCH, TOP_PIXELS % PATCH], axis=1) - _HALF
#: The inner part of a top, by which its brightness is told, and which of those pixels it is.
_INNER = RADII < CHECKER_PX * INNER_SHARE
INNER_AT = np.flatnonzero(_INNER.ravel()[TOP_PIXELS])


def cut(image: Floats, places: list[Disc]) -> Floats:
    """(N, PATCH, PATCH[, C]) patches of a (H, W[, C]) image around places rounded to whole px; edge pixels repeat."""
    return patches_at(
        image, patch_index(image.shape[:2], np.array([(d.x, d.y) for d in places]).reshape(-1, 2))
    )


def patch_index(shape: Sequence[int], places: Floats) -> npt.NDArray[np.intp]:
    """(N, PATCH, PATCH) flat indices of the patches around (N, 2) places x, y of an image of this (H, W)."""
    h, w = shape[0], shape[1]
    at = np.rint(places).astype(np.intp)
    if _reaches_out(at, w, h):
        rows, columns = np.clip(at[:, 1:] + _SPAN, 0, h - 1), np.clip(at[:, :1] + _SPAN, 0, w - 1)
        return rows[:, :, None] * w + columns[:, None, :]
    return (at[:, 1] * w + at[:, 0])[:, None, None] + (_SPAN[:, None] * w + _SPAN)


def top_index(shape: Sequence[int], places: Floats) -> npt.NDArray[np.intp]:
    """(N, M) flat indices of the pixels of a checker's top at (N, 2) places x, y of an image of this (H, W); weights: `TOP_WEIGHTS`."""
    h, w = shape[0], shape[1]
    at = np.rint(places).astype(np.intp)
    if _reaches_out(at, w, h):
        return patch_index(shape, places).reshape(len(places), -1)[:, TOP_PIXELS]
    index: npt.NDArray[np.intp] = (at @ (1, w))[:, None] + _TOP_OFFSETS @ (w, 1)
    return index


def _reaches_out(at: npt.NDArray[np.intp], wide: int, high: int) -> bool:
    """Whether a patch around one of (N, 2) px x, y does not lie in an image of this size."""
    if not len(at):
        return False
    right, bottom = np.maximum.reduce(at, axis=0).tolist()
    least = int(np.minimum.reduce(at, axis=None))
    return bool(least < _HALF or bottom >= high - _HALF or right >= wide - _HALF)


def patches_at(image: Floats, index: npt.NDArray[np.intp]) -> Floats:
    """Patches of a (H, W[, C]) image at a `patch_index`."""
    if image.ndim == 2:
        return image.take(index)
    cut: Floats = image.reshape(-1, *image.shape[2:]).take(index, axis=0)
    return cut


def disc_pixels(diameters: float) -> npt.NDArray[np.intp]:
    """(N, 2) px x, y from its middle of a filled circle with this radius in checker diameters."""
    radius = round(diameters * CHECKER_PX)
    side = 2 * radius + 1
    drawn = np.zeros((side, side), np.uint8)
    cv2.circle(drawn, (radius, radius), radius, 1, -1)
    return np.argwhere(drawn)[:, ::-1] - radius


def fill_discs(plane: Floats, middles: npt.NDArray[np.intp], disc: npt.NDArray[np.intp]) -> None:
    """`plane` (H, W) becomes 0 on a `disc_pixels` around each of (N, 2) px x, y; what lies outside is left out."""
    h, w = plane.shape
    if len(middles):
        left, top = np.minimum.reduce(middles, axis=0).tolist()
        right, bottom = np.maximum.reduce(middles, axis=0).tolist()
        reach = -int(disc[0, 1])  # the first pixel is one of the uppermost
        if left >= reach and top >= reach and right < w - reach and bottom < h - reach:
            plane.reshape(-1)[(middles @ (1, w))[:, None] + disc @ (1, w)] = 0.0
            return
    x, y = middles[:, :1] + disc[:, 0], middles[:, 1:] + disc[:, 1]
    inside = (x >= 0) & (y >= 0) & (x < w) & (y < h)
    plane.reshape(-1)[(y * w + x)[inside]] = 0.0


def medians(rows: Floats) -> Floats:
    """(N,) median of each row of (N, M), which are put out of order."""
    middle = rows.shape[1] // 2
    if rows.shape[1] % 2:
        rows.partition(middle, axis=1)
        return rows[:, middle]
    rows.partition((middle - 1, middle), axis=1)
    return 0.5 * (rows[:, middle - 1] + rows[:, middle])


def at_least(plane: Floats, least: float) -> None:
    """Raises what lies below `least` in a (H, W) float32 plane, in place. (numpy's own maximum of an array and one number takes five
    times as long as that of two arrays.)"""
    if plane.size:
        cv2.max(plane, float(least), dst=plane)  # type: ignore[call-overload]


def put(values: Floats, where: npt.NDArray[np.bool_], into: Floats) -> None:
    """`into` (H, W, C) gets the `values` (H, W, C) at the pixels `where`. (numpy's own takes five times as long.)"""
    cv2.copyTo(values, where.view(np.uint8), into)


def planes_of(image: Floats) -> Planes:
    """The three planes (H, W) of (H, W, 3). (Into arrays of its own OpenCV takes three times as long.)"""
    first, second, third = cv2.split(image, [*np.empty((3, *image.shape[:2]), image.dtype)])
    return first, second, third


def largest(planes: Floats) -> Floats:
    """(H, W) the largest of each pixel's three values. (numpy's own maximum over neighbours takes ten times as long.)"""
    a, b, c = planes_of(planes)
    return np.asarray(cv2.max(cv2.max(a, b), c))
