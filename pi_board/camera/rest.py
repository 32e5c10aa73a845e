"""Two pictures of a scene at rest, kept for whoever was busy while it was there.

A small processor looks at a roll for a second or two, and meanwhile the player's hand is on the board again: nothing could be seen of it
a second time, and of a short rest nothing at all. A hand in view is idle time, though: the pictures from before it are read then.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.frame import Frame

Rest = TypeVar("Rest")

#: Width of the small picture on which motion is judged, px.
SMALL = 160
#: A small pixel moves when it changes by more than this (8-bit levels), and by more than so many times the picture's median change,
#: which is its noise. So many pixels in a thousand must move.
MOVES, MOVES_NOISES, MOVED_PER_MILLE = 9.0, 8.0, 2.0
#: Seconds and pictures in a row without motion from which on a scene is at rest. (Vision reads none that has been still for less, and a
#: hand that takes hold of a checker pauses too.)
REST_SECONDS, REST_PICTURES = 0.3, 2
#: Pictures of rests that have ended and that nobody has read: two of each, since two looks must agree.
MOST_KEPT = 6


def glance(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """(h, SMALL) green channel of a (H, W, 3) picture, area-averaged."""
    step = max(1, image.shape[1] // (2 * SMALL))
    size = (SMALL, max(4, round(SMALL * image.shape[0] / image.shape[1])))
    green = np.ascontiguousarray(image[::step, ::step, 1])
    return np.asarray(cv2.resize(green, size, interpolation=cv2.INTER_AREA), np.float32)


class RestWatch:
    """`see` every picture of a camera; `take` what was missed. keep: pictures that wait to be taken (0: whoever sees them keeps them)."""

    def __init__(self, keep: int = MOST_KEPT) -> None:
        self._before: tuple[Frame, npt.NDArray[np.float32]] | None = None
        self._moved_at = float("-inf")
        self._quiet = 0
        self._first: Frame | None = None
        self._kept: deque[Frame] = deque(maxlen=keep)

    def see(self, frame: Frame) -> list[Frame]:
        """Two pictures of the rest that has ended with this one, the first and the last, if it ended one."""
        small = glance(frame.image)
        before, self._before = self._before, (frame, small)
        if before is not None and before[1].shape == small.shape and not _moves(before[1], small):
            self._quiet += 1
            lasted = frame.time - self._moved_at
            if self._first is None and self._quiet >= REST_PICTURES and lasted >= REST_SECONDS:
                self._first = frame
            return []
        first, since = self._first, self._moved_at
        self._first, self._quiet, self._moved_at = None, 0, frame.time
        if before is None or first is None:
            return []
        lasted = before[0].time - since
        pair = [first, before[0]] if first is not before[0] else [first]
        ended = [replace(picture, rested=lasted) for picture in pair]
        self._kept.extend(ended)
        return ended

    def take(self, after: int) -> Frame | None:
        """The next picture of the rests that were not seen to their end (its `seq` is above `after`) and are worth reading."""
        missed = [frame for frame in self._kept if frame.seq > after]
        worth = worth_reading(missed, [frame.rested for frame in missed])
        self._kept.clear()
        self._kept.extend(worth[1:])
        return worth[0] if worth else None


def worth_reading(rests: Sequence[Rest], seconds: Sequence[float]) -> list[Rest]:
    """Those of several rests, of so many seconds each, that are not much shorter than the longest: hands pause for moments only."""
    return [rest for rest, lasted in zip(rests, seconds, strict=True) if lasted >= 0.5 * max(seconds)]


def _moves(before: npt.NDArray[np.float32], now: npt.NDArray[np.float32]) -> bool:
    change = now - before
    # (A lamp or the exposure changes all pixels alike.)
    change = np.abs(change - np.median(change))
    level = max(MOVES, MOVES_NOISES * float(np.median(change)))
    return 1000.0 * float((change > level).mean()) > MOVED_PER_MILLE
