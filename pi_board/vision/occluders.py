"""What stands on the board and is no hand: a cup, a glass, a phone that has come to rest.

The gate finds something that nothing explains. A hand comes and goes; something that looks the same for several looks is a thing.
Its pixels are then left out, and the rest of the board is read as usual, its shadow too (`shade`). When its pixels change, it has been
moved or taken away, and the places under it are read again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.board.canvas import CHECKER_AREA, CHECKER_PX
from pi_board.vision.checkers.disc import Disc
from pi_board.vision.gate import Obstacle
from pi_board.vision.shade import box_around, grown, shade_of

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
    window, grain: sides of the windows in which two pictures are compared for their structure, and over which their noise is averaged
    before, canvas px (odd). contrast: share of its brightness by which a window must vary, in one of the pictures, to show any.
    black: levels added to that brightness, so that noise in the dark is none. same: correlation (-1..1) in a window from which it
    shows the same structure in both.
    shows_through: share of the windows with structure in which it is the same before and now, from which nothing stands there, only
    the light has changed. Windows count alike, for the shadow of a cup shows the points beneath it in high contrast, and the cup none.
    beside_light: the same for what came within `together` seconds of a piece of new light: a lamp makes all its pieces at once, some of
    them too even to tell.
    bare: the same share with the board as it was seen first, from which the place of a thing is bare; least_bare: share of the thing
    that must be told by it. Source of these four: rendered games with two cups (`tests/bench/bench_cups.py --cups 2`, seeds 1-4, and eight
    with lamps and shadows of a window): things that stood there at most .52, new light and most lifted cups .84 to 1, half of them at
    least; two cups that had partly been learned as board .4 and .6 when they were lifted.
    whole_checker: what the uncalibrated reader takes for a checker is one if it is so wide, in checker diameters. too_big: a piece in
    which there is none so wide is no checker. wider, mostly: where a disc of so many checker diameters fits into what is not the board,
    and that reader takes less than this share of it for checkers, they are none. Source: `tests/bench/bench_cups.py`, seeds 1 and 3
    with two cups and 9 with one: it takes dark insides of cups for a checker in pieces of up to 10 canvas px, once of 14 (.3 to .5 of the
    whole); a lone checker is seen 14 to 16 px wide; four side by side fill nearly all
    of their place (judged by eye).
    least_standing: share of a thing with its shadow that must be no shadow.
    finger: width, in checker diameters, below which what lies within `beside` diameters of a checker's middle is its side and its shadow.
    Source: room 2110025, a window at noon: stripes of .4 beside rows of two to four were things that stayed.
    near: checker diameters from its middle within which a checker, with its side and its shadow, makes the board look otherwise. largest:
    checker areas from which what looks otherwise than the bare board did is light; most: from which all of it is. Source: cups are 6 to 7
    (`tests/bench/bench_cups.py --cups 2`, seeds 801 and 807), shadows of a window's bars that are gone 19 to 55 together.
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
    window: int = 11
    grain: int = 3
    contrast: float = 0.08
    black: float = 8.0
    same: float = 0.6
    shows_through: float = 0.7
    beside_light: float = 0.55
    together: float = 0.5
    bare: float = 0.7
    least_bare: float = 0.4
    whole_checker: float = 0.8
    too_big: float = 1.15
    wider: float = 1.6
    mostly: float = 0.6
    least_standing: float = 0.2
    finger: float = 0.6
    beside: float = 1.0
    near: float = 0.75
    largest: float = 12.0
    most: float = 24.0


MODEL = OccluderModel()
_EDGE = 3
#: px of the widest gaps that are closed between the pixels of a thing.
_GAP = 5
#: 8-bit level below which a pixel of the canvas lies outside the picture.
_UNSEEN = 1.0
#: Canvas px (odd) by which the core of a thing without its shadow is smaller than its mask: twice the mask's margin.
_CORE = 7


@dataclass(eq=False)
class Occluder:
    """mask: (H, W) canvas pixels that it may cover. core: those that it surely covers. look: (H, W, 3) BGR of the picture in
    which it was seen first, smoothed, reference light. since: its time. looks: how often it has looked the same. unseen: in how many
    looks in a row nothing was found in its place. factor: (H, W) by which the picture is darker in its shadow, 1 elsewhere; None while
    nothing is known of it, and its shadow is part of the mask. shadow: (H, W) where that was seen first."""

    mask: Mask
    core: Mask
    look: Floats
    since: float
    looks: int = 1
    unseen: int = 0
    factor: Floats | None = None
    shadow: Mask | None = None

    def still_there(self, bgr: Floats) -> bool:
        """Whether `bgr` (H, W, 3, smoothed, reference light) still shows it."""
        return bool(self.core.any() and self._differs(bgr, self.core).mean() < MODEL.gone)

    def changed(self, bgr: Floats) -> Mask:
        """(H, W) where it may stand, but `bgr` (as above) does not show what was seen there with it."""
        out = np.zeros_like(self.mask)
        out[self.mask] = self._differs(bgr, self.mask)
        return out

    def _differs(self, bgr: Floats, where: Mask) -> Mask:
        return _differ(self.look[where], bgr[where])

    def leave_its_shadow(self, known: Floats, now: Floats, others: Mask) -> None:
        """From now on it is without its shadow. known, now, others: as in `shade_of`, reference light."""
        stands, factor = shade_of(known, now, self.mask, others)
        core = self.core & stands
        if core.sum() < MODEL.least_standing * self.core.sum():
            # It is nearly all shadow: of another thing, or of a lamp.
            return
        core = cv2.erode(stands.astype(np.uint8), np.ones((_CORE, _CORE), np.uint8)).astype(bool)
        self.shadow, self.factor = self.mask & ~stands, factor
        self.mask, self.core = stands, core

    def with_its_shadow(self) -> Occluder:
        """The same, with its shadow as part of it again."""
        if self.factor is None or self.shadow is None:
            return self
        return replace(self, mask=self.mask | self.shadow, factor=None)

    def is_light(self, before: Floats, now: Floats, *, beside: bool = False) -> bool:
        """Whether the structure of the board shows through it, so that it is new light and no thing. before, now: (H, W) brightness
        of the board before it came, and with it. beside: it came together with a piece of new light."""
        return _alike(before, now, self.core) >= (MODEL.beside_light if beside else MODEL.shows_through)

    def came_with(self, others: list[Occluder]) -> bool:
        """Whether it was seen first when one of `others` was."""
        return any(abs(self.since - other.since) <= MODEL.together for other in others)

    @property
    def at_the_edge(self) -> bool:
        """Whether it reaches the edge of the canvas, or of the picture on it, as an arm does."""
        m = self.mask
        on_canvas = m[:_EDGE].any() or m[-_EDGE:].any() or m[:, :_EDGE].any() or m[:, -_EDGE:].any()
        return bool(on_canvas or (self.look[m].max(axis=1) < _UNSEEN).any())


class Occluders:
    """The things that stand on one board. pictures: each look is a picture of its own (a folder), not one of many of a scene."""

    def __init__(self, *, pictures: bool = False) -> None:
        self.known: list[Occluder] = []
        self._perhaps: list[Occluder] = []
        # What has become known in this look.
        self._come: list[Occluder] = []
        self._pictures = pictures

    @property
    def waiting(self) -> bool:
        """Whether something may soon become a known thing, so that further looks are needed."""
        return bool(self._perhaps)

    @property
    def perhaps_light(self) -> list[Occluder]:
        """What is in the way and has looked the same again, if it is too much to be a thing: a lamp changes much of the board at once, and
        it need not be waited for, as for an arm."""
        again = [thing for thing in self._perhaps if thing.looks > 1]
        area = sum(np.count_nonzero(thing.core) for thing in again) / CHECKER_AREA
        return again if area > MODEL.largest else []

    def forget(self) -> None:
        """Forget all things."""
        self.known, self._perhaps = [], []

    def relit(self, bgr: Floats) -> Floats:
        """`bgr` (H, W, 3) without the shadows of known things."""
        for thing in self.known:
            if thing.factor is not None:
                bgr = np.minimum(bgr / thing.factor[..., None], 255.0)
        return bgr

    def shadows(self, shape: tuple[int, ...]) -> Mask:
        """(H, W) where the shadows of known things are taken away."""
        out = np.zeros(shape[:2], bool)
        for thing in self.known:
            if thing.factor is not None:
                out |= thing.factor < 1.0
        return out

    def take_shadows(self) -> None:
        """What is learned next is learned from a picture with their shadows: known things cover them until they are moved."""
        self.known = [thing.with_its_shadow() for thing in self.known]

    def take_shadow_again(self, strange: Mask) -> bool:
        """What is `strange` (H, W) where the shadow of something was thought to lie that has just come to be known is a part of it. True when
        there is such a thing."""
        again = [t for t in self._come if t.shadow is not None and (t.shadow & strange).any()]
        self._come = [t for t in self._come if t not in again]
        self.known = [t.with_its_shadow() if t in again else t for t in self.known]
        return bool(again)

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

    def changed(self, bgr: Floats) -> Mask:
        """(H, W) where known things may stand, but `bgr` ((H, W, 3), reference light) shows something else: what is put down beside a cup
        may stand in its shadow, or behind what is seen of it."""
        smooth = _smooth(bgr)
        stands, changed = (np.zeros(bgr.shape[:2], bool) for _ in range(2))
        for thing in self.known:
            differs = thing.changed(smooth)
            changed |= differs
            stands |= thing.mask & ~differs
        return changed & ~stands

    def review(self, bgr: Floats) -> bool:
        """Forgets what no longer looks as it did. bgr: (H, W, 3), reference light. True when a known thing has gone."""
        self._come = []
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

    def see(
        self,
        found: Obstacle,
        bgr: Floats,
        time: float,
        known: Floats | None = None,
        covered: Mask | None = None,
        *,
        at_once: bool = False,
    ) -> bool:
        """Something unexplained is in view. True when it is a thing from now on. known: (H, W, 3) the board without it, as far as that
        is known. covered: (H, W) where dice and the cube lie. at_once: it need not look the same for some looks, for it is no hand."""
        mask, core = core_of(found)
        for thing in self._perhaps:
            both = thing.core & mask
            if both.sum() > 0.5 * min(thing.core.sum(), mask.sum()):
                # Noise hides a different pixel of the thing in each look, so its mask is the union of all looks.
                thing.mask |= grown(mask, MODEL.margin)
                thing.unseen = 0
                break
        else:
            thing = Occluder(grown(mask, MODEL.margin), core, _smooth(bgr), time)
            self._perhaps.append(thing)
        enough = 2 if self._pictures else MODEL.looks
        seconds = MODEL.edge_seconds if thing.at_the_edge else MODEL.seconds
        rests = thing.looks >= enough and (self._pictures or time - thing.since >= seconds)
        if not rests and not at_once:
            return False
        self._perhaps.remove(thing)
        if known is not None:
            others = self.mask(bgr.shape) if covered is None else self.mask(bgr.shape) | covered
            thing.leave_its_shadow(known, bgr, others)
        self.known.append(thing)
        self._come.append(thing)
        return True


def is_bare(place: Mask, first: Floats, now: Floats, board: Mask) -> bool:
    """Whether the bare board is seen in (H, W) `place`, as it was seen `first`. first, now: (H, W, 3) BGR in one light. board: (H, W) where
    both show no checker. (What has stood there unnoticed was learned as board, and lifted it leaves a place that looks strange.)
    """
    told = place & board
    if told.sum() < max(1.0, MODEL.least_bare * place.sum()):
        return False
    if _alike(first[..., 1], now[..., 1], told) >= MODEL.bare:
        return True
    # (Felt has no structure.)
    box = box_around(told, MODEL.smooth)
    told = told[box]
    return bool((~_differ(_smooth(first[box])[told], _smooth(now[box])[told])).mean() >= MODEL.bare)


def core_of(found: Obstacle) -> tuple[Mask, Mask]:
    """((H, W) pixels that what was found may cover, those of them that it surely covers)."""
    mask = _filled(found.whole)
    return mask, cv2.erode(mask.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)


def no_checkers(there: Mask, perhaps: Mask) -> tuple[Mask, Mask]:
    """(H, W) what of `there`, pixels that are not the board, is no checker that the uncalibrated reader sees, and what lies in pieces too
    big for one. perhaps: where it sees checkers. The dark inside of a cup has their colour, and it sees one here and there in it."""
    odd = there & ~whole_checkers(perhaps)
    if not may_be_too_big(there):
        return odd, np.zeros_like(odd)
    # (Where the rim of a cup has the board's brightness a line of its pixels is not odd.)
    big = _opened(_closed(odd, 3), MODEL.too_big)
    # Of a cup it may take the middle for a whole checker; where many stand it sees them all.
    side = round(MODEL.wider * CHECKER_PX)
    share = cv2.blur(perhaps.astype(np.float32), (side, side))
    return odd, big | _discs(_fits(_closed(there, _GAP), MODEL.wider) & (share < MODEL.mostly), MODEL.wider)


def beside_checkers(strange: Mask, discs: Sequence[Disc]) -> Mask:
    """(H, W) what of `strange`, pixels that nothing explains, is thin and lies beside the checkers `discs`: their sides and shadows."""
    thin = strange & ~_opened(strange, MODEL.finger)
    if not thin.any():
        return thin
    return thin & around_discs(discs, MODEL.beside, strange.shape)


def around_discs(discs: Sequence[Disc], reach: float, shape: tuple[int, ...]) -> Mask:
    """(H, W) what lies within `reach` checker diameters of the middles of `discs`."""
    out = np.zeros(shape[:2], np.uint8)
    for disc in discs:
        cv2.circle(out, (round(disc.x), round(disc.y)), round(reach * CHECKER_PX), 1, -1)
    return out.astype(bool)


def may_be_too_big(there: Mask) -> bool:
    """Whether a piece of (H, W) `there` may be too big for a checker: it is asked of every picture, and hardly ever so."""
    if np.count_nonzero(there) < np.pi / 4 * (MODEL.too_big * CHECKER_PX) ** 2:
        return False
    # (Whatever `no_checkers` leaves of it, and with smaller gaps closed, lies in this.)
    return bool(_fits(_closed(there[box_around(there, _GAP)], _GAP), MODEL.too_big).any())


def _fits(mask: Mask, size: float) -> Mask:
    """The places of (H, W) `mask` around which a disc of `size` checker diameters lies in it."""
    inside = cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, 3)
    return np.asarray(inside > size * CHECKER_PX / 2)


def _discs(middles: Mask, size: float) -> Mask:
    """(H, W) what discs of `size` checker diameters around `middles` cover."""
    if not middles.any():
        return middles
    away = cv2.distanceTransform((~middles).astype(np.uint8), cv2.DIST_L2, 3)
    return np.asarray(away < size * CHECKER_PX / 2)


def _opened(mask: Mask, size: float) -> Mask:
    """What of (H, W) `mask` lies in a disc of `size` checker diameters that fits into it."""
    return _discs(_fits(mask, size), size)


def _closed(mask: Mask, side: int) -> Mask:
    """(H, W) `mask` without gaps of less than `side` px, `_GAP` at most."""
    kernel = np.ones((side, side), np.uint8)
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, kernel)).astype(bool)


def _differ(before: Floats, now: Floats) -> Mask:
    """(N,) which of (N, 3) smoothed BGR pixels have changed."""
    off = np.abs(now - before).max(axis=1)
    return np.asarray(off > MODEL.changed + MODEL.changed_share * before.max(axis=1))


def _smooth(bgr: Floats) -> Floats:
    return np.asarray(cv2.blur(bgr, (MODEL.smooth, MODEL.smooth)))


def unlike(before: Floats, now: Floats, where: Mask) -> Mask:
    """(H, W) what of `where` two (H, W, 3) BGR pictures in one light show neither alike nor with the same structure."""
    out = np.zeros_like(where)
    out[where] = _differ(_smooth(before)[where], _smooth(now)[where])
    structure, same = _structures(before[..., 1], now[..., 1])
    return out & ~(structure & same)


def whole_checkers(perhaps: Mask) -> Mask:
    """(H, W) what of `perhaps`, where the uncalibrated reader sees checkers, is wide enough to be one."""
    return _opened(perhaps, MODEL.whole_checker)


def _alike(before: Floats, now: Floats, where: Mask) -> float:
    """Share (0..1) of the places in `where` at which two (H, W) pictures show the same structure, of those at which either shows any;
    0 where none does."""
    around = box_around(where, (MODEL.window + MODEL.grain) // 2)
    where = where[around]
    if not where.size:
        return 0.0
    structure, same = _structures(before[around], now[around])
    structure &= where
    return float(same[structure].mean()) if structure.any() else 0.0


def _structures(before: Floats, now: Floats) -> tuple[Mask, Mask]:
    """((H, W) where either of two (H, W) pictures shows any structure, (H, W) where both show the same)."""

    def mean(y: Floats) -> Floats:
        return np.asarray(cv2.blur(y, (MODEL.window, MODEL.window)))

    a, b = (np.asarray(cv2.blur(y, (MODEL.grain, MODEL.grain)), np.float64) for y in (before, now))
    level_a, level_b = mean(a), mean(b)
    power_a, power_b = (
        np.maximum(mean(y * y) - level * level, 0.0) for y, level in ((a, level_a), (b, level_b))
    )
    structure = (np.sqrt(power_a) > MODEL.contrast * (level_a + MODEL.black)) | (
        np.sqrt(power_b) > MODEL.contrast * (level_b + MODEL.black)
    )
    return structure, mean(a * b) - level_a * level_b > MODEL.same * np.sqrt(power_a * power_b)


def _filled(mask: Mask) -> Mask:
    """The convex hull of a mask. Cups, glasses and phones have no dents, so board-coloured parts inside belong
    to them too.
    """
    points = np.argwhere(mask)[:, ::-1].astype(np.int32)
    out = np.zeros(mask.shape, np.uint8)
    cv2.fillConvexPoly(out, cv2.convexHull(points), 1)
    return out.astype(bool)


#: Share of a checker's top that must be covered for its place to count as hidden.
HIDDEN = 0.4
