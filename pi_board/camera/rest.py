"""The last picture of a scene at rest, kept for whoever was busy while it was there.

A small processor looks at a throw for a second or two, and meanwhile the player's hand is on the board again: nothing could be seen of it
a second time, and of a short rest nothing at all. A hand in view is idle time, though: the picture from just before it is read then.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.frame import Frame

#: Width of the small picture on which motion is judged, px.
SMALL = 160
#: A small pixel moves when it changes by more than this (8-bit levels), and by more than so many times the picture's median change,
#: which is its noise. So many pixels in a thousand must move.
MOVES, MOVES_NOISES, MOVED_PER_MILLE = 9.0, 8.0, 2.0
#: Seconds without motion from which on a scene is at rest; vision reads none that has been still for less.
REST_SECONDS = 0.3


def glance(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """(h, SMALL) green channel of a (H, W, 3) picture, area-averaged."""
    step = max(1, image.shape[1] // (2 * SMALL))
    size = (SMALL, max(4, round(SMALL * image.shape[0] / image.shape[1])))
    green = np.ascontiguousarray(image[::step, ::step, 1])
    return np.asarray(cv2.resize(green, size, interpolation=cv2.INTER_AREA), np.float32)


class RestWatch:
    """`see` every picture of a camera; `take` what was missed."""

    def __init__(self, rest_seconds: float = REST_SECONDS) -> None:
        self._rest = rest_seconds
        self._before: tuple[Frame, npt.NDArray[np.float32]] | None = None
        self._moved_at = float("-inf")
        self._kept: Frame | None = None

    def see(self, frame: Frame) -> Frame | None:
        """The last picture of the rest that has ended with this one, if it ended one."""
        small = glance(frame.image)
        before, self._before = self._before, (frame, small)
        if before is None or before[1].shape != small.shape:
            self._moved_at = frame.time
            return None
        if not _moves(before[1], small):
            return None
        last, since = before[0], self._moved_at
        self._moved_at = frame.time
        if last.time - since < self._rest:
            return None
        self._kept = replace(last, rested=True)
        return self._kept

    def take(self, after: int) -> Frame | None:
        """The last picture of the last rest that has ended, once, when its `seq` is above `after`."""
        kept, self._kept = self._kept, None
        return kept if kept is not None and kept.seq > after else None


def _moves(before: npt.NDArray[np.float32], now: npt.NDArray[np.float32]) -> bool:
    change = now - before
    # (A lamp or the exposure changes all pixels alike.)
    change = np.abs(change - np.median(change))
    level = max(MOVES, MOVES_NOISES * float(np.median(change)))
    return 1000.0 * float((change > level).mean()) > MOVED_PER_MILLE
