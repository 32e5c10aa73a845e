"""What stands on the board and is no hand: a cup, a glass, a phone that has come to rest.

The gate finds something that nothing explains. A hand comes and goes; something that looks the same for several looks is a thing.
Its pixels are then left out, and the rest of the board is read as usual. When its pixels change, it has been moved or taken away, and
the places under it are read again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.gate import Obstacle

Floats = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class OccluderModel:
    """When something becomes a known thing. Source: rendered games with cups (`tests/bench/bench_cups.py`).

    looks, seconds: for which it must have looked the same; edge_seconds: if it reaches the edge of what is watched, as an arm
    does. smooth: side of the window over which pictures are averaged before they are compared, canvas px (odd): noise of single pixels
    is no change. changed: difference there (8-bit levels; and share of its brightness) from which it no longer looks the same. Source:
    at dusk (30 to 90 levels) an arm that had gone differed by 14 to 50 levels in the median, `bench campaign --seed 500016`.
    gone: share of such pixels from which the thing has been moved. misses: looks in a row that may fail to find what is not known yet. margin: canvas px beyond what is seen of it that it may
    cover, its own shadow's edge included.
    texture: side of the window whose mean is taken off before two pictures are compared for their structure, canvas px (odd).
    shows_through: correlation (-1..1) of the structure before and now from which nothing stands there, only the light has changed.
    Source of these two: 27 cups and slabs on rendered boards (at most .31 when they were first seen) and 19 more cups, brown
    ones on wood and their shadows included (at most .39), against window shadows that vanished on 36 (.4 to .95 where their pieces
    held no checker) and a lamp that was moved (.61 and .93).
    beside_light: the same for what came within `together` seconds of a piece of new light: a lamp makes all its pieces at once, some of
    them too even to tell (a lamp beside shadows of a window: .74, .48 and .40).
    bare: the same correlation with the board as it was seen first, from which the place of a thing is bare (lifted cups that had been
    learned as board .73 to .96, standing ones at most .44); least_bare: share of the thing that must be told by it.
    """

    looks: int = 3
    seconds: float = 0.8
    edge_seconds: float = 3.0
    smooth: int = 5
    changed: float = 6.0
    changed_share: float = 0.12
    gone: float = 0.2
    misses: int = 2
    margin: int = 3
    texture: int = 15
    shows_through: float = 0.5
    beside_light: float = 0.3
    together: float = 0.5
    bare: float = 0.6
    least_bare: float = 0.4


MODEL = OccluderModel()
_EDGE = 3


@dataclass(eq=False)
class Occluder:
    """mask: (H, W) canvas pixels that it may cover. core: those that it surely covers. look: (H, W, 3) BGR of the picture in
    which it was seen first, smoothed, reference light. since: its time. looks: how often it has looked the same. unseen: in how many
    looks in a row nothing was found in its place."""

    mask: Mask
    core: Mask
    look: Floats
    since: float
    looks: int = 1
    unseen: int = 0

    def still_there(self, bgr: Floats) -> bool:
        """Whether `bgr` (H, W, 3, smoothed, reference light) still shows it."""
        before, now = self.look[self.core], bgr[self.core]
        if not len(before):
            return False
        off = np.abs(now - before).max(axis=1) > MODEL.changed + MODEL.changed_share * before.max(axis=1)
        return bool(off.mean() < MODEL.gone)

    def is_light(self, before: Floats, now: Floats, *, beside: bool = False) -> bool:
        """Whether the structure of the board shows through it, so that it is new light and no thing. before, now: (H, W) brightness
        of the board before it came, and with it. beside: it came together with a piece of new light."""
        return _alike(before, now, self.core) >= (MODEL.beside_light if beside else MODEL.shows_through)

    def is_bare(self, first: Floats, now: Floats, board: Mask) -> bool:
        """Whether the bare board is seen in its place, as it was seen `first`. first, now: (H, W) brightness. board: (H, W) where both
        show no checker. (What has stood there unnoticed was learned as board, and lifted it leaves a place that looks strange.)
        """
        told = self.core & board
        enough = told.sum() >= MODEL.least_bare * self.core.sum()
        return bool(enough) and _alike(first, now, told) >= MODEL.bare

    def came_with(self, others: list[Occluder]) -> bool:
        """Whether it was seen first when one of `others` was."""
        return any(abs(self.since - other.since) <= MODEL.together for other in others)

    @property
    def at_the_edge(self) -> bool:
        """Whether it reaches the edge of the canvas, as an arm does."""
        m = self.mask
        return bool(m[:_EDGE].any() or m[-_EDGE:].any() or m[:, :_EDGE].any() or m[:, -_EDGE:].any())


class Occluders:
    """The things that stand on one board. pictures: each look is a picture of its own (a folder), not one of many of a scene."""

    def __init__(self, *, pictures: bool = False) -> None:
        self.known: list[Occluder] = []
        self._perhaps: list[Occluder] = []
        self._pictures = pictures

    @property
    def waiting(self) -> bool:
        """Whether something may soon become a known thing, so that further looks are needed."""
        return bool(self._perhaps)

    def forget(self) -> None:
        """Forget all things."""
        self.known, self._perhaps = [], []

    def look_again(self, bgr: Floats) -> None:
        """Take `bgr` (H, W, 3) as the new reference: things are compared in its light from now on."""
        if self.known:
            smooth = _smooth(bgr)
            for thing in self.known:
                thing.look = smooth
        self._perhaps = []

    def mask(self, shape: tuple[int, ...]) -> Mask:
        """(H, W) pixels that known things may cover."""
        out = np.zeros(shape[:2], bool)
        for thing in self.known:
            out |= thing.mask
        return out

    def review(self, bgr: Floats) -> bool:
        """Forgets what no longer looks as it did. bgr: (H, W, 3), reference light. True when a known thing has gone."""
        if not self.known and not self._perhaps:
            return False
        smooth = _smooth(bgr)
        stay = [t for t in self.known if t.still_there(smooth)]
        gone = len(stay) < len(self.known)
        self.known = stay
        # An arm as dark as the board beneath it looks the same when it has gone, but then nothing is found there any more.
        self._perhaps = [t for t in self._perhaps if t.unseen <= MODEL.misses and t.still_there(smooth)]
        for thing in self._perhaps:
            thing.looks += 1
            thing.unseen += 1
        return gone

    def see(self, found: Obstacle, bgr: Floats, time: float) -> bool:
        """Something unexplained is in view. True when it is a thing from now on."""
        mask = _filled(found.whole)
        for thing in self._perhaps:
            both = thing.core & mask
            if both.sum() > 0.5 * min(thing.core.sum(), mask.sum()):
                # Noise hides a different pixel of the thing in each look, so its mask is the union of all looks.
                thing.mask |= _grown(mask)
                thing.unseen = 0
                break
        else:
            core = cv2.erode(mask.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)
            self._perhaps.append(Occluder(_grown(mask), core, _smooth(bgr), time))
            return False
        enough = 2 if self._pictures else MODEL.looks
        seconds = MODEL.edge_seconds if thing.at_the_edge else MODEL.seconds
        if thing.looks < enough or (not self._pictures and time - thing.since < seconds):
            return False
        self._perhaps.remove(thing)
        self.known.append(thing)
        return True


def _smooth(bgr: Floats) -> Floats:
    return np.asarray(cv2.blur(bgr, (MODEL.smooth, MODEL.smooth)))


def _alike(before: Floats, now: Floats, where: Mask) -> float:
    """Correlation (-1..1) of the structure of two (H, W) pictures in `where`; 0 where one has none."""
    a, b = (y - cv2.blur(y, (MODEL.texture, MODEL.texture)) for y in (before, now))
    a, b = a[where], b[where]
    power = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / power if power > 0 else 0.0


def _filled(mask: Mask) -> Mask:
    """The convex hull of a mask. Cups, glasses and phones have no dents, so board-coloured parts inside belong
    to them too.
    """
    points = np.argwhere(mask)[:, ::-1].astype(np.int32)
    out = np.zeros(mask.shape, np.uint8)
    cv2.fillConvexPoly(out, cv2.convexHull(points), 1)
    return out.astype(bool)


def _grown(mask: Mask) -> Mask:
    size = 2 * MODEL.margin + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    return np.asarray(cv2.dilate(mask.astype(np.uint8), kernel), np.uint8).astype(bool)


#: Share of a checker's top that must be covered for its place to count as hidden.
HIDDEN = 0.4
