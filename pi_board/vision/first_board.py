"""The bare board as it was seen first: what is learned of it later may hold a cup that nobody noticed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.board.canvas import CHECKER_PX
from pi_board.vision.occluders import MODEL

Floats = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

#: Every so many pixels are taken to bring it to another light.
SAMPLE = 16
#: A quick look takes one of so many pixels in each direction.
QUICK = 4
#: Share of pixels that differ after the gain, from which another light is not the same everywhere. Source: .05 after a lamp was switched
#: (`bench campaign --slow 15 --room style=drawn --seed 2680007`), .34 and more after a window's shadows had gone (tests/vision/test_occluders.py).
UNEVEN = 0.15


@dataclass(frozen=True, eq=False)
class FirstBoard:
    """bgr: (H, W, 3) canvas, 0..255. bare: (H, W) where it was seen without checkers; sure: where it was seen so at the very first, away from
    the sides and shadows of what stood there then (what is seen later may hold a hand as dark as the board). earlier: the same board in another light, with other shadows, None where it was seen in one only."""

    bgr: Floats
    bare: Mask
    sure: Mask
    earlier: FirstBoard | None = None

    @property
    def in_each_light(self) -> tuple[FirstBoard, ...]:
        """This one, and the earlier one if there is any."""
        return (self,) if self.earlier is None else (self, self.earlier)

    def with_more(self, bgr: Floats, bare: Mask, beside: Mask) -> FirstBoard:
        """The same, and (H, W, 3) `bgr` where it is `bare` (H, W) and was never seen before, in the light in which the rest was seen: of two
        lights one part or the other would look strange in each. Where shadows have come or gone no gain tells of them: then all that is
        seen bare now is taken as it is, the rest is brought to its light, and this is the earlier one. beside: (H, W) what lies beside
        checkers, of which nothing is learned (the side of one that stands farther out than it was fitted is no board): there is time to
        see that later. In other shadows nothing is known of it."""
        bare = bare & ~beside
        gain = self._gain_of_one_light(bgr, bare)
        if gain is not None:
            more = np.where(self.bare[..., None], self.bgr, bgr * gain)
            return replace(self, bgr=more, bare=self.bare | bare)
        before = replace(self, earlier=None)
        if self.earlier is not None and self.earlier._gain_of_one_light(bgr, bare) is not None:
            # A lamp that is switched again, the sun behind a cloud.
            return replace(self.earlier.with_more(bgr, bare, beside), earlier=before)
        both = self.bare & bare
        here = self.bgr * _gain(self.bgr[both][::SAMPLE], bgr[both][::SAMPLE])
        known = (self.bare & ~beside) | bare
        return FirstBoard(np.where(bare[..., None], bgr, here), known, self.sure, before)

    def _gain_of_one_light(self, bgr: Floats, bare: Mask) -> Floats | None:
        """(3,) by how much `bgr`, seen `bare` (H, W), is darker than this one; None where that tells nothing, for shadows are others."""
        both = self.bare & bare
        if not both.any():
            return np.ones(3, np.float32)
        before, now = self.bgr[both][::SAMPLE], bgr[both][::SAMPLE]
        gain = _gain(now, before)
        differs = _differs(np.abs(now * gain - before).max(axis=1), before.max(axis=1))
        return gain if differs.mean() < UNEVEN else None

    def in_light_of(self, now: Floats, covered: Mask) -> tuple[Floats, Mask]:
        """((H, W, 3) this board in the light of the picture `now`, (H, W) where it was seen and is not `covered`)."""
        clear = self.bare & ~covered
        if not clear.any():
            return self.bgr, clear
        return self.bgr * _gain(self.bgr[clear][::SAMPLE], now[clear][::SAMPLE]), clear

    def may_hold_a_thing(self, now: Floats, taken: Mask, checkers: Floats) -> bool:
        """Whether what is too big for a checker differs in `now` (H, W, 3), where nothing is `taken` (H, W), and away from the middles of
        `checkers` (N, 2). A quick look: it is asked of every picture, and hardly ever so."""
        before, bright, bare = self._small
        clear = bare & ~taken[::QUICK, ::QUICK] & ~_around(checkers, MODEL.near, bare.shape)
        told = np.flatnonzero(clear)[::QUICK]
        if not told.size:
            return False
        after = _shrunk(now)
        gain = _gain(before.reshape(-1, 3)[told], after.reshape(-1, 3)[told])
        off = _greatest(cv2.absdiff(after, before * gain))
        differs = _differs(off, gain[1] * bright)
        inside = cv2.distanceTransform((differs & clear).astype(np.uint8), cv2.DIST_L2, 3)
        return bool(inside.max() > MODEL.too_big * CHECKER_PX / 2 / QUICK)

    @cached_property
    def _small(self) -> tuple[Floats, Floats, Mask]:
        small = _shrunk(self.bgr)
        return small, _greatest(small), self.bare[::QUICK, ::QUICK]


def _shrunk(bgr: Floats) -> Floats:
    """(H / QUICK, W / QUICK, 3), each the mean of the four pixels in the middle."""
    h, w = bgr.shape[:2]
    size = -(-w // QUICK), -(-h // QUICK)
    return np.asarray(cv2.resize(bgr.astype(np.float32, copy=False), size, interpolation=cv2.INTER_LINEAR))


def _around(checkers: Floats, reach: float, shape: tuple[int, ...]) -> Mask:
    """(H / QUICK, W / QUICK) what lies within `reach` checker diameters of `checkers` (N, 2). (One call, not one for each of them.)"""
    out = np.zeros(shape, np.uint8)
    if len(checkers):
        at = np.rint(checkers / QUICK).astype(np.intp)
        u, v = np.maximum(np.minimum(at, (shape[1] - 1, shape[0] - 1)), 0).T
        out[v, u] = 1
        side = 2 * round(reach * CHECKER_PX / QUICK) + 1
        out = np.asarray(cv2.dilate(out, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))))
    return out.astype(bool)


def _differs(off: Floats, bright: Floats) -> Mask:
    """Where a pixel that was as `bright`, its brightest colour, is `off` by more than noise (likewise)."""
    return np.asarray(off > MODEL.changed + MODEL.changed_share * bright)


def _greatest(bgr: Floats) -> Floats:
    """(H, W) the brightest colour of each pixel."""
    return np.asarray(cv2.max(cv2.max(bgr[..., 0], bgr[..., 1]), bgr[..., 2]))


def _gain(before: Floats, now: Floats) -> Floats:
    """(3,) by how much `now` (N, 3) is brighter than `before`, for each colour: the median. (`np.median` takes 30 calls more.)"""
    ratio = np.asarray(now / np.maximum(before, 1.0), np.float32)
    ratio.sort(axis=0)
    return np.asarray(ratio[len(ratio) // 2])
