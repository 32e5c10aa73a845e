"""What has changed between two pictures of one scene, by the means of small blocks: noise averages out, a pip does not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
#: Rows and columns.
Part = tuple[slice, slice]

#: Blocks whose mean differs by less (levels of 255) show the same: noise and JPEG stay below, a faint pip does not.
STILL = 6.0
#: The light of all may change by so many levels before the scene counts as another.
MOST_COMMON = 4 * STILL
#: About so many blocks tell what is common to all.
SAMPLE = 600
#: Block of a camera's picture in which `ChangeWatch` looks for changes, px; and in which `Change` says where they are.
BLOCK, COARSE = 4, 8
#: A coarse block has changed when its mean differs by so many levels (steps of one: its means are whole numbers), or one of its four
#: blocks by `STILL`. In pictures of one scene .1 % of the blocks do, after a play 1 to 2 % (three simulated boards).
FAINT = 3.5
#: The common light of two pictures may differ by less than this, levels, for what has not changed to be taken from the older one.
SAME_LIGHT = 1.0


def blocks(image: Image, block: int) -> Image:
    """(H / block, W / block, C) uint8, the blocks' means; block: a power of two (halving is much faster than any other shrinking)."""
    while block > 1:
        high, wide = image.shape[:2]
        image = cv2.resize(image, (wide // 2, high // 2), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
        block //= 2
    return image


def differences(before: Image, now: Image, most_common: float = MOST_COMMON) -> npt.NDArray[np.float32]:
    """(H, W) levels by which the blocks of two pictures (H, W, 3) differ, apart from a common shift; infinite when that is large."""
    difference, common = _difference(before, now)
    if common != [0, 0, 0]:
        if not _within(common, most_common):
            return np.full(before.shape[:2], np.inf, np.float32)
        difference = difference - np.array(common, np.int16)
    # (numpy's own maximum over three neighbours takes ten times as long, and splitting into arrays of OpenCV's own three times.)
    high, wide, channels = difference.shape
    most, *others = cv2.split(np.abs(difference), [*np.empty((channels, high, wide), np.int16)])
    for plane in others:
        cv2.max(most, plane, dst=most)
    return most.astype(np.float32)


def _difference(before: Image, now: Image) -> tuple[npt.NDArray[Any], list[float]]:
    """((H, W, C) int16, the common shift of each channel) of what `now` is brighter."""
    difference = cv2.subtract(now, before, dtype=cv2.CV_16S)
    high, wide, channels = difference.shape
    # (Medians in few calls: numpy's own takes 25.)
    ordered = difference.reshape(-1, channels)[:: high * wide // SAMPLE or 1].copy()
    ordered.sort(axis=0)
    half = ordered.shape[0] // 2
    if ordered.shape[0] % 2:
        return difference, ordered[half].tolist()
    return difference, ((ordered[half] + ordered[half - 1]) / 2).tolist()


def _within(common: list[float], most: float) -> bool:
    """Whether the light of all has changed by less than `most` levels."""
    blue, green, red = common
    return -most < blue < most and -most < green < most and -most < red < most


def parts_of(cells: npt.NDArray[np.bool_], around: int = 0) -> list[Part]:
    """Rows and columns of rectangles that take in all True of (h, w) `cells` and `around` cells beside each. They may overlap."""
    needed: Any = cells.view(np.uint8)
    if around:
        needed = cv2.dilate(needed, _square(2 * around + 1))
    pieces, _, boxes, _ = cv2.connectedComponentsWithStats(needed)
    found = boxes[1:pieces].tolist()
    return [(slice(top, top + high), slice(left, left + wide)) for left, top, wide, high, _ in found]


@cache
def _square(side: int) -> Image:
    return np.ones((side, side), np.uint8)


def area_of(parts: Iterable[Part]) -> int:
    """How many cells, or pixels, the rectangles take up; where they overlap, each counts."""
    area = 0
    for rows, columns in parts:
        area += (rows.stop - rows.start) * (columns.stop - columns.start)
    return area


def in_pixels(part: Part, cell: int, shape: tuple[int, ...]) -> Part:
    """The rows and columns of a picture of `shape` (H, W, ...) that rows and columns of cells take up. cell: side of one, px."""
    rows, columns = part
    high, wide = shape[:2]
    bottom, right = cell * rows.stop, cell * columns.stop
    return (
        slice(cell * rows.start, bottom if bottom < high else high),
        slice(cell * columns.start, right if right < wide else wide),
    )


def unchanged(before: Image, now: Image, block: int, least: float = STILL) -> bool:
    """Whether no block (px, a power of two) of two pictures (H, W, 3) uint8 differs in its mean by `least` levels, apart from a
    common shift."""
    return alike(blocks(before, block), blocks(now, block), least)


def alike(before: Image, now: Image, least: float = STILL) -> bool:
    """Whether no block differs by `least` levels, apart from a common shift. before, now: (H, W, 3) uint8, the `blocks` of two pictures."""
    return float(np.maximum.reduce(differences(before, now, 4 * least), axis=None)) < least


def corners_of(boxes: npt.NDArray[Any], watched: tuple[int, int]) -> npt.NDArray[np.intp]:
    """(4, N) where `Change.sums` tells of (4, N) boxes: first row and column of blocks, and the ones after the last. watched: rows and
    columns of blocks of the whole picture."""
    top, left, bottom, right = boxes.astype(np.intp)
    wide = watched[1] + 1
    return np.stack([top * wide + left, top * wide + right, bottom * wide + left, bottom * wide + right])


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """Where a camera's picture differs from the one that was noted before it.

    number: of this picture, in the order in which they are noted; since: of the other one. sums: (h + 1, w + 1) int32, of the first
    rows and columns of `COARSE` blocks how many have changed; None: everything may have.
    """

    number: int
    since: int
    sums: npt.NDArray[Any] | None

    def within(self, top: int, left: int, bottom: int, right: int) -> bool:
        """Whether anything has changed in one box: first row and column of blocks, and the ones after the last."""
        sums = self.sums
        assert sums is not None
        return bool(sums[bottom, right] - sums[bottom, left] != sums[top, right] - sums[top, left])

    def touches(self, corners: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
        """(N,) whether anything has changed in each of N boxes, given by their `corners_of`."""
        assert self.sums is not None
        first, after, before, last = self.sums.reshape(-1).take(corners)
        touched: npt.NDArray[np.bool_] = first + last != after + before
        return touched


class ChangeWatch:
    """Whether the camera's picture still shows what it showed when it was last taken note of, and where it does not."""

    def __init__(self) -> None:
        self._noted: Image | None = None
        self._now: Image | None = None
        self._number = 0

    def see(self, image: Image, box: tuple[slice, slice] | None) -> bool:
        """Whether the picture (H, W, 3) shows the same as the noted one. box: the rows and columns that matter."""
        # Whole blocks only: these are halved much faster.
        high, wide = (n // COARSE * COARSE for n in image.shape[:2])
        now = self._now = blocks(image[:high, :wide], BLOCK)
        before = self._noted
        if before is None or before.shape != now.shape:
            return False
        rows, columns = (slice(None),) * 2 if box is None else _whole(box)
        before, now = before[rows, columns], now[rows, columns]
        change = differences(before, now)
        if not change.size or float(np.maximum.reduce(change, axis=None)) >= 2 * STILL:
            return False
        # A lone block may be noise, the mean of four is not.
        return alike(blocks(before, 2), blocks(now, 2))

    def note(self, *, still: bool) -> Change:
        """What was seen last is what all evidence rests on from now on. still: what `see` said of it."""
        before, now = self._noted, self._now
        assert now is not None
        self._noted = now
        self._number += 1
        sums = None if still or before is None or before.shape != now.shape else _changed(before, now)
        return Change(self._number, self._number - 1, sums)

    def forget(self) -> None:
        """Whatever comes next is new."""
        self._noted = None


def _whole(box: tuple[slice, slice]) -> tuple[slice, slice]:
    """Rows and columns of blocks (px / `BLOCK`) of the coarse blocks that lie in a box (px)."""
    rows, columns = (
        slice(-(-side.start // COARSE) * (COARSE // BLOCK), side.stop // COARSE * (COARSE // BLOCK))
        for side in box
    )
    return rows, columns


def _changed(before: Image, now: Image) -> npt.NDArray[Any] | None:
    """`Change.sums` of two pictures of `BLOCK` means; None where the light of all has changed."""
    old, new = blocks(before, COARSE // BLOCK), blocks(now, COARSE // BLOCK)
    faint = differences(old, new, SAME_LIGHT) >= FAINT
    if faint.all():
        return None
    plain = differences(before, now) >= STILL
    plain = plain[::2] | plain[1::2]
    faint |= plain[:, ::2] | plain[:, 1::2]
    return np.asarray(cv2.integral(faint.view(np.uint8)))
