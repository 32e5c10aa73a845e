"""The shadow of a thing that stands on the board: the board and its checkers show through it, only darker.

What is found in the way of the board is a thing with its shadow, and the shadow of a cup under one lamp is larger than the cup. Where
the picture is the known one times one factor, nothing stands; it is brought back to the light that it had without the thing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ShadeModel:
    """Where a picture counts as the known one in shadow. Sizes are canvas px.

    window: side of the windows in which both are compared (odd). black: levels added to both, so that noise in the dark is none.
    structure: side of the windows in which their structure is compared (odd); contrast: share of its brightness by which the known one
    varies in one that has any; same: correlation (-1..1) from which both show the same. grey: where there is no structure, a shadow is
    told only on colours of which the least is smaller than the greatest by more than this share of it, or where it goes on from what was told,
    darker by nearly the same factor, of which as_dark is the greatest difference, and differing from it by no more than `tinted`.
    darkest, brightest: least and greatest factor of a shadow; unchanged: so near to 1 nothing has changed. unlike: share of its brightness
    by which a window may differ from the known one times its factor (root mean square over pixels and colours).
    reach: around the thing, where its shadow's soft edge lies; beyond: where the rest of it may stand, if only a part has been found;
    edge: along it, left out of its shadow. least: pixels of a piece of shadow. thin: below which (odd) a part of a thing is none, but a
    piece of shadow that is not told. main: share of the greatest piece from which another one is a thing too.
    Source: chosen by eye on the looks at which a cup came to be known in five games with two cups (`tests/bench/bench_cups.py --cups 2`,
    seeds 404 to 410), no sweep: cups differ by .5 and more from felt, by .25 and more from wood, shadows by .05, .15 to .25 in
    their soft edge.
    """

    window: int = 5
    black: float = 6.0
    structure: int = 11
    contrast: float = 0.12
    same: float = 0.6
    grey: float = 0.3
    as_dark: float = 0.12
    tinted: float = 0.12
    darkest: float = 0.25
    brightest: float = 1.03
    unchanged: float = 0.1
    unlike: float = 0.22
    reach: int = 15
    beyond: int = 40
    edge: int = 3
    least: int = 60
    thin: int = 9
    main: float = 0.2


SHADE = ShadeModel()


def shade_of(known: Floats, now: Floats, thing: Mask, others: Mask) -> tuple[Mask, Floats]:
    """((H, W) what stands in the way, (H, W) float32 factor by which the picture is darker around it, 1 where it is not).

    known, now: (H, W, 3) BGR of the board without the thing and with it, 0..255. thing: (H, W) what was found of it, with its shadow.
    others: (H, W) dice, the cube and other things, which do not belong to it.
    """
    factor = np.ones(thing.shape, np.float32)
    around = box_around(thing, SHADE.beyond + SHADE.window)
    part, a, b = thing[around], known[around] + SHADE.black, now[around] + SHADE.black
    fits, darker, just_so = _darker(a, b)
    as_before = fits & (np.abs(darker - 1.0) < SHADE.unchanged)
    some, same = _structure(a[..., 1], b[..., 1])
    # (In one colour and one brightness all things are alike, and grey is the colour of most.)
    plain = fits & ~some & ~_coloured(a)
    fits &= ~plain & (~some | same)
    fits |= just_so & _goes_on(plain, fits & ~as_before, darker)
    shaded = fits & grown(part, SHADE.reach) & (part | (darker < 1.0))
    stands = part & ~_pieces(shaded & part, SHADE.least) & ~others[around]
    # What is seen of a thing may be a part of it, where the rest has the colour of checkers.
    rest = _opened(~fits & ~as_before & grown(part, SHADE.beyond) & ~others[around])
    stands = _hulls(_touching(rest, stands) | stands)
    # Windows on its edge hold some of both.
    stands = grown(stands, SHADE.edge)
    shaded &= ~stands
    factor[around][shaded] = np.minimum(darker[shaded], 1.0)
    out = np.zeros_like(thing)
    out[around] = stands
    return out, factor


def _darker(a: Floats, b: Floats) -> tuple[Mask, Floats, Mask]:
    """((H, W) where `b` is `a` times one factor in a window, (H, W) that factor, (H, W) where it is so in each colour). a, b: (H, W, 3)."""

    def mean(x: Floats) -> Floats:
        return np.asarray(cv2.blur(x.sum(axis=2).astype(np.float32), (SHADE.window, SHADE.window)))

    both, first, second = mean(a * b), mean(a * a), mean(b * b)
    factor = both / np.maximum(first, 1e-3)
    off = second - factor * both
    fits = off < SHADE.unlike**2 * second
    fits &= (factor > SHADE.darkest) & (factor < SHADE.brightest)
    return fits, factor, off < SHADE.tinted**2 * second


def _goes_on(plain: Mask, shadow: Mask, factor: Floats) -> Mask:
    """(H, W) what of `plain`, pixels that show no structure in one grey, is as dark as the told `shadow` that it touches: a shadow falls on
    points and on the plain field between them alike. factor: (H, W) by which the picture is darker."""
    out = np.zeros_like(plain)
    _, labels = cv2.connectedComponents(plain.astype(np.uint8), connectivity=4)
    near = grown(shadow, SHADE.edge)
    for i in np.unique(labels[near & plain]).tolist():
        piece = labels == i
        told = factor[grown(piece, SHADE.edge) & shadow]
        if told.size >= SHADE.least:
            out |= piece & (np.abs(factor - np.median(told)) < SHADE.as_dark)
    return out


def _pieces(mask: Mask, least: int) -> Mask:
    """The connected pieces of (H, W) `mask` with at least so many pixels."""
    n, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
    large = stats[:n, cv2.CC_STAT_AREA] >= least
    large[0] = False
    return np.asarray(large[labels])


def _structure(a: Floats, b: Floats) -> tuple[Mask, Mask]:
    """((H, W) where brightness `a` has some structure, (H, W) where `b` has the same)."""

    def mean(x: Floats) -> Floats:
        return np.asarray(cv2.blur(x, (SHADE.structure, SHADE.structure)))

    a, b = a.astype(np.float32), b.astype(np.float32)
    level_a, level_b = mean(a), mean(b)
    power_a, power_b = (np.maximum(mean(y * y) - m * m, 0.0) for y, m in ((a, level_a), (b, level_b)))
    together = mean(a * b) - level_a * level_b
    some = power_a > (SHADE.contrast * level_a) ** 2
    return some, together >= SHADE.same * np.sqrt(power_a * power_b)


def _coloured(a: Floats) -> Mask:
    """(H, W) where `a` (H, W, 3) is not grey."""
    least, most = a.min(axis=2), a.max(axis=2)
    return np.asarray(most - least > SHADE.grey * most)


def _opened(mask: Mask) -> Mask:
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (SHADE.thin, SHADE.thin))
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, kernel)).astype(bool)


def _touching(mask: Mask, other: Mask) -> Mask:
    """The connected pieces of (H, W) `mask` that `other` touches."""
    _, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=4)
    return np.asarray(mask & np.isin(labels, np.unique(labels[mask & other])))


def _hulls(mask: Mask) -> Mask:
    """(H, W) the convex hulls of the main pieces of `mask` that are not thin. (What has dents is two things.)"""
    out = np.zeros(mask.shape, np.uint8)
    outlines, _ = cv2.findContours(_opened(mask).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    areas = [cv2.contourArea(outline) for outline in outlines]
    for outline, area in zip(outlines, areas, strict=True):
        if area >= SHADE.main * max(areas):
            cv2.fillConvexPoly(out, cv2.convexHull(outline), 1)
    return out.astype(bool)


def grown(mask: Mask, px: int) -> Mask:
    """(H, W) `mask` and what lies within `px` of it."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * px + 1, 2 * px + 1))
    return np.asarray(cv2.dilate(mask.astype(np.uint8), kernel)).astype(bool)


def box_around(mask: Mask, margin: int) -> tuple[slice, slice]:
    """Rows and columns that hold all of (H, W) `mask` and `margin` px beside it; none where it is empty."""
    rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    if not rows.size:
        return slice(0), slice(0)
    return (
        slice(max(0, int(rows[0]) - margin), int(rows[-1]) + margin + 1),
        slice(max(0, int(columns[0]) - margin), int(columns[-1]) + margin + 1),
    )
