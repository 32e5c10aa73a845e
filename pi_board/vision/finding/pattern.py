"""The pattern that every board shares: twelve points a row, tips towards the middle, a bar between.

Unit frame: x from -0.5 (left edge) to 0.5 (right edge of the field), y from 0 (far edge) to 1 (near edge). Only the
edges of the points count here, not their colours, so that the pattern fits any set in any light.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[Any]  # float64
Image = npt.NDArray[np.uint8]


#: The field's corners TL TR BR BL in its own frame.
UNIT_FIELD = np.array([[-0.5, 0.0], [0.5, 0.0], [0.5, 1.0], [-0.5, 1.0]])
#: Powers of a point's sides that are tried first; and by how much better a curved one must score, for most points are triangles.
POWERS = (1.0, 2.2, 7.0)
UNUSUAL = 0.012
#: Edges are looked at so far along a straight side (share of the point's length) and along a curved one, which soon turns; and so far
#: along an end (share of the field's width).
_ALONG_STRAIGHT, _ALONG_CURVED, _ALONG_END = 0.1, 0.02, 0.02
#: Places across an end, in columns.
_ACROSS_END = (-0.38, -0.13, 0.13, 0.38)
#: The left and the right side of a point, as `PointPattern.on_sides` numbers them.
_BOTH_SIDES = np.array([[-1.0], [1.0]])
#: Up to this share of its length a point's middle line is wide enough to be free of edges.
_WIDE_ENOUGH = 0.6
#: Edge picture: blur before the gradient (px), share of the strength around and the strength of noise (squared levels a px: 6 squared)
#: by which it is normalised, how many times the picture is wider than "around", and the blur of the tensor (px of a picture 640
#: wide). Chosen by eye, not swept.
_BEFORE, _AROUND_SHARE, _NOISE, _AROUND, _BLUR = 0.8, 0.5, 36.0, 40, 1.6
#: How many times coarser the picture is in which "around" is worked out.
_COARSER = 4
#: So many quads are scored at once: of fewer numpy's calls cost more, more leave a processor's cache. Chosen by timing 50 to 400.
_AT_ONCE = 400
#: Columns in a field, and the middle of the twelve.
_COLUMNS, _MIDDLE = 12.0, 5.5


@dataclass(frozen=True, slots=True)
class PointPattern:
    """Proportions of the points.

    bar: bar width / field width. length: length of a point / field height. base, tip: width of a point at its base
    and at its tip / the width of a column (points may be blunt and need not touch each other). power: how their sides run from
    base to tip, 1 straight (triangles), about 2 bulging (lancets), 6 and more parallel with a round end (bullets).
    """

    bar: float = 0.09
    length: float = 0.41
    base: float = 0.93
    tip: float = 0.05
    power: float = 1.0

    @property
    def pitch(self) -> float:
        return (1.0 - self.bar) / _COLUMNS

    def column_x(self) -> Floats:
        """(12,) x of the columns' middles, left to right."""
        column = np.arange(12)
        side = np.where(column < 6, -1.0, 1.0)
        return side * self.bar / 2 + (column - _MIDDLE) * self.pitch

    def aside(self, left: int, right: int) -> tuple[Floats, float]:
        """((4, 2) unit corners, bar): a field whose left and right half lie so many columns further out, and the bar's share of its width,
        less than nothing where the halves would overlap."""
        grown = (left + right) * self.pitch
        low, high = -0.5 - left * self.pitch, 0.5 + right * self.pitch
        corners = np.array([[low, 0.0], [high, 0.0], [high, 1.0], [low, 1.0]])
        return corners, (self.bar + grown) / (1 + grown)

    def beside_x(self) -> Floats:
        """(4,) x of the middles of columns that no board has, left to right: one column outside the left half, one inside it, over the
        bar, and the same of the right half. A point lies there if that half was placed a column off."""
        left, right = self.column_x()[[0, 5]], self.column_x()[[6, 11]]
        step = np.array([-self.pitch, self.pitch])
        return np.concatenate([left + step, right + step])

    def sides(self, heights: npt.ArrayLike, x: Floats | None = None) -> tuple[Floats, Floats]:
        """((N, 2), (N, 2)): places on all 48 sides of the points at `heights` (0 = base, 1 = tip), and further
        places a little nearer the tip along the same sides. Order: row, column, side, height. x: middles of the columns, of others than
        the field's."""
        h = np.asarray(heights, dtype=np.float64)
        further = h + (_ALONG_STRAIGHT if self.power == 1.0 else _ALONG_CURVED)
        return self.on_sides(h, x), self.on_sides(further, x)

    def on_sides(self, heights: npt.ArrayLike, x: Floats | None = None) -> Floats:
        """(N, 2): the first of `sides` alone."""
        h = np.asarray(heights, dtype=np.float64)
        middles = self.column_x() if x is None else x
        # Beyond the tip a curved side would turn back; there it is not asked for.
        share = np.minimum(h, 1.0) ** self.power
        half = (self.base * (1 - share) + self.tip * share) * self.pitch / 2
        y = h * self.length
        out = np.empty((2, len(middles), 2, len(h), 2))
        out[..., 0] = middles[:, None, None] + _BOTH_SIDES * half
        out[0, ..., 1], out[1, ..., 1] = y, 1 - y
        return out.reshape(-1, 2)

    def ends(self, far: float = 0.0, near: float = 0.0) -> tuple[Floats, Floats]:
        """((96, 2), (96, 2)): places along the far and near ends of the points (bar left out), and further places beside them. far,
        near: how much further in they are looked for, shares of the field's height."""
        on = self.on_ends(far, near)
        return on, on + np.array([_ALONG_END, 0.0])

    def on_ends(self, far: float = 0.0, near: float = 0.0) -> Floats:
        """(96, 2): the first of `ends` alone."""
        out = np.empty((2, 12, len(_ACROSS_END), 2))
        out[..., 0] = self.column_x()[:, None] + self.pitch * np.array(_ACROSS_END)
        out[0, ..., 1], out[1, ..., 1] = far, 1.0 - near
        return out.reshape(-1, 2)

    def insides(self, heights: npt.ArrayLike) -> Floats:
        """(N, 2) places on the middle lines of the points, where no edge is expected."""
        h = np.asarray(heights, dtype=np.float64) * self.length
        x = self.column_x()
        return np.array([(a, b) for y in h for b in (y, 1 - y) for a in x])

    def with_(self, **values: float) -> PointPattern:
        return replace(self, **values)


@dataclass(frozen=True, slots=True)
class Template:
    """Sample places of one pattern for `score_quads`, (P, 2) each: on sides, further along the same sides, inside points. ends: of those on
    sides the last so many lie on the ends of points, as those of any pattern with this bar do."""

    on: Floats
    along: Floats
    inside: Floats
    ends: int = 0

    @classmethod
    def of(cls, pattern: PointPattern, heights: tuple[float, ...]) -> Template:
        (on, along), ends = pattern.sides(heights), 0
        if pattern.power > 1.0:
            # Parallel sides look the same further in or out, so their ends must decide.
            end_on, end_along = pattern.ends()
            on, along, ends = np.concatenate([on, end_on]), np.concatenate([along, end_along]), len(end_on)
        return cls(on, along, pattern.insides([h for h in heights if h < _WIDE_ENOUGH]), ends)


def edge_tensor(image: Image, *, roughly: bool = False) -> Floats:
    """(H, W, 4) float32: xx, xy, yy of the colour structure tensor, normalised so that a faint edge in a quiet place
    counts as much as a strong one in a busy place; and yy again, for numpy looks up 16 bytes in half the time of 12.

    roughly: "around" is worked out in a coarser picture, which takes a third less time and differs in the third digit.
    Source: Di Zenzo, A note on the gradient of a multi-image, CVGIP 1986.
    """
    # (Of few arrays: the system takes as long to give one of some megabytes as all that is worked out in it.)
    smooth = cv2.GaussianBlur(image, (0, 0), _BEFORE)
    gx, gy = (cv2.Scharr(smooth, cv2.CV_32F, *along, scale=1 / 32) for along in ((1, 0), (0, 1)))
    # `transform` sums the channels much faster than numpy does.
    every = np.ones((1, 3), np.float32)
    product = gx * gy
    mixed: Any = cv2.transform(product, every)
    across: Any = cv2.transform(np.multiply(gx, gx, out=product), every)
    along: Any = cv2.transform(np.multiply(gy, gy, out=product), every)
    strength = across + along
    sigma = image.shape[1] / _AROUND
    usual: Any = _around(strength, sigma) if roughly else cv2.GaussianBlur(strength, (0, 0), sigma)
    usual *= _AROUND_SHARE
    usual += strength
    usual += _NOISE
    for plane in (across, mixed, along):
        plane /= usual
    return cv2.GaussianBlur(cv2.merge([across, mixed, along, along]), (0, 0), _BLUR * image.shape[1] / 640)


def _around(strength: Floats, sigma: float) -> Floats:
    """`strength` (H, W) float32 smoothed widely, sigma px: in a coarser picture, which shows as much of what is left then."""
    height, width = strength.shape
    coarse = cv2.resize(
        strength, (-(-width // _COARSER), -(-height // _COARSER)), interpolation=cv2.INTER_AREA
    )
    smooth = cv2.GaussianBlur(coarse, (0, 0), sigma / _COARSER)
    return cv2.resize(smooth, (width, height), interpolation=cv2.INTER_LINEAR)


def unit_homographies(quads: Floats) -> Floats:
    """(N, 3, 3) from the unit frame to (N, 4, 2) quads TL TR BR BL.

    Source: Heckbert, Fundamentals of texture mapping and image warping, 1989, section 2.2.3.
    """
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = (quads[:, i].T for i in range(4))
    dx1, dx2, sx = x1 - x2, x3 - x2, x0 - x1 + x2 - x3
    dy1, dy2, sy = y1 - y2, y3 - y2, y0 - y1 + y2 - y3
    below = dx1 * dy2 - dx2 * dy1
    g, h = (sx * dy2 - dx2 * sy) / below, (dx1 * sy - sx * dy1) / below
    flat = [
        x1 - x0 + g * x1,
        x3 - x0 + h * x3,
        x0,
        y1 - y0 + g * y1,
        y3 - y0 + h * y3,
        y0,
        g,
        h,
        np.ones_like(g),
    ]
    shift = np.array([[1.0, 0, 0.5], [0, 1, 0], [0, 0, 1]])
    return np.stack(flat, axis=1).reshape(-1, 3, 3) @ shift


def apply(homographies: Floats, points: Floats) -> Floats:
    """(N, 3, 3) and (P, 2) → (N, P, 2)."""
    whole = np.column_stack([points, np.ones(len(points), points.dtype)])
    mapped = np.matmul(whole, homographies.transpose(0, 2, 1))
    return mapped[..., :2] / mapped[..., 2:]


def _look(tensor: Floats, x: Floats, y: Floats) -> Floats:
    """(N, P, 4) of `tensor` (H, W, 4) at the pixels nearest to x, y (N, P)."""
    height, width = tensor.shape[:2]
    # Clip before rounding, since places far outside overflow an integer. (intp: numpy indexes four times slower with other types.)
    at = np.maximum(y + np.float32(0.5), 0.0)
    row = np.minimum(at, height - 1, out=at).astype(np.intp)
    at = np.maximum(x + np.float32(0.5), 0.0)
    row *= width
    row += np.minimum(at, width - 1, out=at).astype(np.intp)
    return np.take(tensor.reshape(-1, tensor.shape[2]), row, axis=0)


def _mapped(homographies: Floats, points: Floats) -> tuple[Floats, Floats, Floats]:
    """x, y (N, P) of the points (P, 2) under (N, 3, 3), and what they were divided by."""
    whole = np.stack([points[:, 0], points[:, 1], np.ones(len(points), points.dtype)])
    x, y, depth = (homographies[:, k] @ whole for k in range(3))
    x /= depth
    y /= depth
    return x, y, depth


#: One edge cannot count for more than this, so that a few strong ones do not outweigh many.
_CAP = 0.35


@dataclass(frozen=True, slots=True)
class TemplateRow:
    """Many templates one after the other. on, step, inside: (P, 2) float32, the places of all of them, and the ways along the sides;
    on_from, inside_from: where each template's begin."""

    on: Floats
    step: Floats
    inside: Floats
    on_from: npt.NDArray[np.intp]
    inside_from: npt.NDArray[np.intp]

    @classmethod
    def of(cls, templates: Sequence[Template]) -> TemplateRow:
        on, along, inside = (
            np.concatenate([np.asarray(getattr(t, name), np.float32) for t in templates])
            for name in ("on", "along", "inside")
        )
        begins = [
            np.cumsum([0, *(len(getattr(t, name)) for t in templates[:-1])]) for name in ("on", "inside")
        ]
        return cls(on, along - on, inside, begins[0], begins[1])


def score_templates(tensor: Floats, quad: Floats, row: TemplateRow) -> Floats:
    """(M,) `score_quads` of one quad (4, 2), for each template of the row by itself."""
    h = unit_homographies(quad[None]).astype(np.float32)

    def means(values: Floats, begins: npt.NDArray[np.intp]) -> Floats:
        return np.asarray(np.add.reduceat(values, begins) / np.diff(begins, append=len(values)))

    edge, quiet = _edges(tensor, h, row.on, row.step.T)[0], _strengths(tensor, h, row.inside)[0]
    return means(edge, row.on_from) - means(quiet, row.inside_from)


def _edges(tensor: Floats, homographies: Floats, on: Floats, step: Floats) -> Floats:
    """(N, P) how much edge lies along the sides at `on` (P, 2) that run along `step` (2, P)."""
    x, y, _ = _mapped(homographies, on)
    # A straight side stays straight: the way along it is the map's derivative there.
    ax, ay, aw = (homographies[:, k, :2] @ step for k in range(3))
    seen = _look(tensor, x, y)
    x *= aw
    y *= aw
    wx, wy = np.subtract(ax, x, out=x), np.subtract(ay, y, out=y)
    # xx wy² - 2 xy wx wy + yy wx², over the length of (wx, wy) squared.
    across = seen[..., 0] * wy
    across *= wy
    mixed = 2 * seen[..., 1]
    mixed *= wx
    mixed *= wy
    across -= mixed
    along = np.multiply(seen[..., 2], wx, out=mixed)
    along *= wx
    across += along
    wx *= wx
    wy *= wy
    wx += wy
    wx += np.float32(1e-12)
    across /= wx
    return np.minimum(across, _CAP, out=across)


def _strengths(tensor: Floats, homographies: Floats, inside: Floats) -> Floats:
    """(N, P) how much edge of any direction there is at `inside` (P, 2)."""
    quiet = _look(tensor, *_mapped(homographies, inside)[:2])
    strength = quiet[..., 0] + quiet[..., 2]
    return np.minimum(strength, _CAP, out=strength)


def score_quads(tensor: Floats, quads: Floats, templates: list[Template]) -> Floats:
    """(N,) how much more edge lies along the sides of the points than inside them, the best of the templates.

    About 0 for anything, 0.1 to 0.3 where the quad is a playing field.
    """
    return score_kinds(tensor, quads, [templates])[0]


def score_kinds(tensor: Floats, quads: Floats, kinds: list[list[Template]]) -> Floats:
    """(K, N) `score_quads` for each list of templates; places that several have in common are looked at once."""
    out = np.full((len(kinds), len(quads)), -1.0)
    if not len(quads):
        return out
    homographies = unit_homographies(quads).astype(np.float32)
    samples = [[_Samples.of(t, apart=len(kinds) > 1) for t in templates] for templates in kinds]
    for first in range(0, len(quads), _AT_ONCE):
        here = slice(first, first + _AT_ONCE)
        known: dict[bytes, Floats] = {}
        for best, templates in zip(out[:, here], samples, strict=True):
            for each in templates:
                np.maximum(best, each.score(tensor, homographies[here], known), out=best)
    return out


@dataclass(frozen=True, slots=True)
class _Samples:
    """A template as `score_kinds` looks at it. sides: ((P, 2) float32 places, (2, P) the ways along the sides there), in one part or two."""

    sides: list[tuple[Floats, Floats]]
    inside: Floats

    @classmethod
    def of(cls, template: Template, *, apart: bool) -> _Samples:
        """apart: the ends of points by themselves, as other templates have the same."""
        on, along, inside = (
            np.asarray(p, np.float32) for p in (template.on, template.along, template.inside)
        )
        step = (along - on).T
        parts = [slice(0, len(on) - template.ends), slice(len(on) - template.ends, len(on))]
        if not (apart and template.ends):
            parts = [slice(0, len(on))]
        return cls([(on[part], step[:, part]) for part in parts], inside)

    def score(self, tensor: Floats, homographies: Floats, known: dict[bytes, Floats]) -> Floats:
        """(N,) for these homographies. known: what was seen under the same ones; grows."""
        edges = []
        for on, step in self.sides:
            key = on.tobytes()
            if key not in known:
                known[key] = _edges(tensor, homographies, on, step)
            edges.append(known[key])
        key = self.inside.tobytes()
        if key not in known:
            known[key] = _strengths(tensor, homographies, self.inside).mean(1)
        edge = edges[0] if len(edges) == 1 else np.concatenate(edges, axis=1)
        return np.asarray(edge.mean(1) - known[key])
