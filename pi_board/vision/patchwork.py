"""A resampled picture that is made anew only where the camera's picture has changed.

The reader looks at the camera's picture in three other forms: as seen from above (`board.canvas`), as the slot network wants it and as
the dice finder wants it. After a play or a roll one part in fifty has changed, and to smooth and resample the whole for each of them
takes longer than to read what is new.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.changes import COARSE, Change, Part, area_of, corners_of, in_pixels, parts_of

Floats = npt.NDArray[Any]
Image = npt.NDArray[np.uint8]
#: (rows and columns of the resampled picture, rows and columns of the camera's picture that they show) -> (H, W, 3) these.
Cut = Callable[[Part, Part], Image]

#: Side of the squares of which a resampled picture is made anew, px.
CELL = 8
#: Share of it from which on the whole costs no more. Chosen by eye: windows of a tenth take a quarter of the time.
_MOST = 0.5
#: So often only parts are made anew, then the whole: what changes so slowly that nobody notes it gets in.
_MOST_TIMES = 3


class Patchwork:
    """One resampled picture.

    corners: (h + 1, w + 1, 2) px x, y of the camera's picture at the corners of all cells (row by row; at least two each way).
    size: (width, height) px of the resampled picture. image_size: the same of the camera's. around: px of the camera's picture beyond a
    cell that have a say in it (smoothing, interpolation).
    """

    def __init__(
        self, corners: Floats, size: tuple[int, int], image_size: tuple[int, int], around: float
    ) -> None:
        quads = np.stack([corners[:-1, :-1], corners[:-1, 1:], corners[1:, :-1], corners[1:, 1:]])
        first = np.floor(quads.min(axis=0) - around)
        last = np.ceil(quads.max(axis=0) + around) + 1
        self._size = size
        self._cells = corners.shape[0] - 1, corners.shape[1] - 1
        limit = np.array(image_size[::-1])
        #: (h, w, 4): first row and column of px, and the ones after the last.
        self._boxes = np.concatenate(
            [np.clip(first[..., ::-1], 0, limit - 1), np.clip(last[..., ::-1], 1, limit)], axis=2
        ).astype(np.int32)
        watched = limit // COARSE
        blocks = self._boxes.reshape(-1, 4).T.copy()
        blocks[2:] += COARSE - 1
        blocks //= COARSE
        #: Cells that show something beyond the picture's last whole block, where nobody looks for changes.
        self._unwatched = (blocks[2:] > watched[:, None]).any(axis=0)
        blocks = np.minimum(blocks, np.tile(watched, 2)[:, None])
        self._corners = corners_of(blocks, (int(watched[0]), int(watched[1])))
        #: Whether there are such cells; and one box around all that are watched.
        self._some_unwatched = bool(self._unwatched.any())
        self._box: tuple[int, ...] = (
            *blocks[:2].min(axis=1).tolist(),
            *blocks[2:].max(axis=1).tolist(),
        )
        self._picture: Image | None = None
        self._number = -1
        self._times = 0

    @classmethod
    def of_maps(cls, u: Floats, v: Floats, image_size: tuple[int, int], around: float) -> Patchwork:
        """u, v: (H, W) px of the camera's picture, as for `cv2.remap`."""
        high, wide = u.shape
        rows = np.minimum(np.arange(0, high + CELL, CELL), high - 1)
        columns = np.minimum(np.arange(0, wide + CELL, CELL), wide - 1)
        at = np.ix_(rows, columns)
        return cls(np.stack([u[at], v[at]], axis=-1), (wide, high), image_size, around)

    def renewed(self, change: Change | None, cut: Cut) -> Image:
        """The resampled picture (H, W, 3) uint8, not to be written to. change: what is new since the picture that was noted before
        this one; None: this one is not noted."""
        wide, high = self._size
        windows = self._windows(change) if change is not None else None
        if windows is None or self._picture is None:
            picture, times = cut((slice(0, high), slice(0, wide)), self._part(self._boxes)), 0
        else:
            picture, times = self._picture.copy(), self._times + 1
            for at, part in windows:
                picture[at] = cut(at, part)
        if change is not None:
            self._picture, self._number, self._times = picture, change.number, times
        return picture

    def touched(self, change: Change) -> bool:
        """Whether anything in this picture may have changed."""
        if change.sums is None or self._some_unwatched:
            return True
        # (Mostly nothing has changed anywhere near.)
        return change.within(*self._box) and bool(change.touches(self._corners).any())

    def _windows(self, change: Change) -> list[tuple[Part, Part]] | None:
        """(rows and columns to make anew, what they show of the camera's picture); None: everything should be."""
        if change.sums is None or self._number != change.since or self._times >= _MOST_TIMES:
            return None
        new = change.touches(self._corners)
        new |= self._unwatched
        parts = parts_of(new.reshape(self._cells))
        if area_of(parts) > _MOST * new.size:
            return None
        return [(in_pixels(part, CELL, self._size[::-1]), self._part(self._boxes[part])) for part in parts]

    @staticmethod
    def _part(boxes: npt.NDArray[Any]) -> Part:
        """Rows and columns of the camera's picture that (h, w, 4) `boxes` take in."""
        top, left, _, _ = np.minimum.reduce(boxes, axis=(0, 1)).tolist()
        _, _, bottom, right = np.maximum.reduce(boxes, axis=(0, 1)).tolist()
        return slice(top, bottom), slice(left, right)


def remapped(
    image: Image,
    maps: tuple[Any, Any],
    origin: tuple[int, int],
    at: Part,
    part: Part,
    smooth: Callable[[Image], Any] | None,
    border: int,
) -> Image:
    """`at` of what `cv2.remap` makes of the smoothed picture. maps: fixed point, of the whole resampled picture, counted from `origin`
    (x, y) of the camera's; part: rows and columns of that one which are needed for it."""
    where, (top, left) = maps[0][at], (part[0].start, part[1].start)
    if (left, top) != origin:
        where = where + np.array([origin[0] - left, origin[1] - top], np.int16)
    image = image[part]
    if smooth is not None:
        image = smooth(image)
    return np.asarray(cv2.remap(image, where, maps[1][at], cv2.INTER_LINEAR, borderMode=border), np.uint8)
