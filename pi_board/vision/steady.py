"""`SteadyView`: while the arm of the camera sways, pictures as they were from where it hung when the scene was last at rest.

A die that hits the table makes a thin arm sway for seconds. Nothing on the board moves, but everything in the picture does, by a few
pixels: to whoever waits until nothing moves, such a table is never at rest. What has come to rest again is taken as it is: a board that
was pushed stays pushed, and `BumpWatch` follows it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import floor
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.frame import Frame
from pi_board.vision.checkers.patches import medians

Floats = npt.NDArray[Any]
Image = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class SteadyModel:
    """How it is told by how much the whole picture has moved. Levels are 8-bit; set, on rooms of `bench campaign --room arm=drawn`.

    width: of the small picture, px; soft: Gaussian blur of it, px, which widens the reach of a step. points: of the sharpest places, by
    which it is told. reach: px of the small picture that it may have swayed. rounds: steps towards it; near: px below which
    another one is not worth it. afar: in the first step what differs may say so many times as much as `alike`, in the second half of that, and so
    on; is_near: share (0..1) of the places that agree where nothing lies afar.
    least: px of the picture itself below which it is left as it is.
    alike: levels by which a place may differ and still be the same; agreeing: share (0..1) of the places that must be. (A hand covers some.)
    """

    width: int = 320
    soft: float = 1.2
    points: int = 1200
    reach: float = 4.0
    rounds: int = 8
    afar: float = 4.0
    near: float = 0.03
    is_near: float = 0.8
    alike: float = 14.0
    agreeing: float = 0.55
    least: float = 0.15


STEADY = SteadyModel()


class SteadyView:
    """`rests` says that the camera hangs still; `steadied` undoes its swaying since."""

    def __init__(self) -> None:
        self._places: Floats | None = None
        self._levels: Floats
        self._slopes: Floats
        self._whole: Floats
        self._size: tuple[int, ...] = ()
        self._off = np.zeros(2)

    def rests(self, image: Image) -> None:
        """The scene is at rest as (H, W, 3) `image` shows it."""
        small = _small(image)
        dx, dy = (
            cv2.Sobel(small, cv2.CV_32F, 1, 0, scale=1 / 8),
            cv2.Sobel(small, cv2.CV_32F, 0, 1, scale=1 / 8),
        )
        edge = int(STEADY.reach) + 2
        steep = np.zeros_like(small)
        steep[edge:-edge, edge:-edge] = (dx * dx + dy * dy)[edge:-edge, edge:-edge]
        number = min(STEADY.points, steep.size // 8)
        at = np.argpartition(steep.reshape(-1), -number)[-number:]
        rows, columns = np.unravel_index(at, small.shape)
        self._places = np.stack([columns, rows], axis=1).astype(np.float32)
        self._levels, self._whole = small.reshape(-1)[at], small
        self._slopes = np.stack([dx.reshape(-1)[at], dy.reshape(-1)[at]], axis=1)
        self._size, self._off = image.shape, np.zeros(2)

    def steadied(self, frame: Frame) -> Frame:
        """The frame as it would be if the camera had not moved since the scene was at rest; the same one where nobody can tell."""
        if self._places is None or frame.image.shape != self._size:
            return frame
        off = self._moved_by(_small(frame.image))
        self._off = np.zeros(2) if off is None else off
        if off is None:
            return frame
        high, wide = frame.image.shape[:2]
        dx, dy = (off * (wide / STEADY.width)).tolist()
        if max(abs(dx), abs(dy)) < STEADY.least:
            return frame
        x, y = floor(dx), floor(dy)
        seen = frame.image[max(0, y) : high + min(0, y), max(0, x) : wide + min(0, x)]
        whole: Any = cv2.copyMakeBorder(
            seen, max(0, -y), max(0, y), max(0, -x), max(0, x), cv2.BORDER_REPLICATE
        )
        # (Whole pixels and a filter for the rest cost a fifth of a warp.)
        share = np.outer([1.0 - (dy - y), dy - y], [1.0 - (dx - x), dx - x])
        image: Any = cv2.filter2D(whole, -1, share, anchor=(0, 0), borderType=cv2.BORDER_REPLICATE)
        return replace(frame, image=image)

    def _moved_by(self, small: Floats) -> Floats | None:
        """(2,) px of the small picture to the right and down by which most of its sharp places have moved together, None where not."""
        assert self._places is not None
        off, agreeing = self._climb(small, self._off)
        if agreeing < STEADY.is_near:
            # (A step reaches no further than its edges are wide; the phases of all waves tell of the whole.)
            other, more = self._climb(small, np.array(cv2.phaseCorrelate(self._whole, small)[0]))
            if more > agreeing:
                off, agreeing = other, more
        return off if agreeing >= STEADY.agreeing and np.abs(off).max() <= STEADY.reach else None

    def _climb(self, small: Floats, off: Floats) -> tuple[Floats, float]:
        """(where the sharp places agree best near `off`, the share of them that do): Gauss-Newton, with less weight for what differs."""
        assert self._places is not None
        arrived = False
        for i in range(STEADY.rounds + 1):
            at = self._places + off.astype(np.float32)
            now: Any = cv2.remap(small, at[:, None, 0], at[:, None, 1], cv2.INTER_LINEAR)[:, 0]
            differs = now - self._levels
            # (The light of all may have changed.)
            differs -= medians(differs[None].copy())[0]
            agreeing = np.count_nonzero(np.abs(differs) < STEADY.alike) / len(differs)
            if arrived or i == STEADY.rounds:
                break
            # (From afar every place differs: it is told first which way most of them lie.)
            wide = 1.0 if agreeing >= STEADY.is_near else max(1.0, STEADY.afar / (i + 1))
            weighed = self._slopes / np.square(1.0 + np.square(differs / (wide * STEADY.alike)))[:, None]
            (a, b), (_, c) = (weighed.T @ self._slopes).tolist()
            e, f = (weighed.T @ differs).tolist()
            flat = max(a * c - b * b, 1e-9)
            x, y = (c * e - b * f) / flat, (a * f - b * e) / flat
            off = off - (x, y)
            arrived = wide == 1.0 and max(abs(x), abs(y)) < STEADY.near
        return off, agreeing


def _small(image: Image) -> Floats:
    """(h, w) float32 green of (H, W, 3) `image`, smoothed."""
    step = max(1, image.shape[1] // (2 * STEADY.width))
    size = (STEADY.width, max(8, round(STEADY.width * image.shape[0] / image.shape[1])))
    small: Any = cv2.resize(
        np.ascontiguousarray(image[::step, ::step, 1]), size, interpolation=cv2.INTER_AREA
    )
    return np.asarray(cv2.GaussianBlur(small.astype(np.float32), (0, 0), STEADY.soft), np.float32)
