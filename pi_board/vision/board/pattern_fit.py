"""The pattern of points fitted to the picture, to a fraction of a pixel: corners, bar width, shape of the points.

The sides of the points fix everything across the field, and the perspective. Where the points *end* is told by the
straight edge between them and the rim. The rim stands above the field: from a tilted view the near one hides
the last millimetres of the field, which the camera's pose accounts for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidError
from pi_board.vision.board.geometry import BoardGeometry, exact_homography, transform
from pi_board.vision.board.jacobian import jacobian_at_once
from pi_board.vision.board.orientation import Row
from pi_board.vision.board.pattern import (
    POWERS,
    UNUSUAL,
    Floats,
    PointPattern,
    Template,
    TemplateRow,
    apply,
    score_quads,
    score_templates,
    unit_homographies,
)
from pi_board.vision.board.pose import USUAL_FOCAL
from pi_board.vision.profile import BoardProfile

Image = npt.NDArray[np.uint8]

_UNIT = np.array([[-0.5, 0.0], [0.5, 0.0], [0.5, 1.0], [-0.5, 1.0]])
#: Parameters besides the eight of the corners: bar, length, base, tip, power.
_SHAPE = ("bar", "length", "base", "tip", "power")
#: Where the lens's k1 stands among the parameters.
_LENS = 8 + len(_SHAPE)
#: From this power on the sides run so nearly parallel at the base that their distance does not tell where they end.
CURVED = 1.3
#: Where a column is looked at across its width, share of a column from its middle.
_ACROSS = (-0.38, -0.13, 0.13, 0.38)
#: A Gaussian prior of a parameter: mean and standard deviation.
Prior = tuple[float, float]


@dataclass(frozen=True, slots=True)
class ShapePriors:
    """What boards of any make look like. bar: share of the field's width; length: of its height; base, tip: of a column.

    Source: chosen by eye on pictures of travel, wooden and felt boards, no sweep is recorded. What a change does is shown
    by `tests/bench/bench_registration.py`, which finds its boards with them.
    """

    #: While the sides are fitted, the width of a base is held: "the end" is where the sides are that far apart.
    sides: tuple[Prior, Prior, Prior] = ((0.41, 0.06), (0.93, 1e-4), (0.06, 0.04))
    #: When the corners are given, the ends are too.
    given: tuple[Prior, Prior, Prior] = ((0.41, 0.05), (0.95, 0.05), (0.06, 0.04))
    #: Spread of the bar about the first estimate, and once the columns have settled.
    bar_spread: float = 0.03
    settled_bar_spread: float = 0.02
    #: Spreads of length, base and tip about what the ends have told.
    settled: tuple[float, float, float] = (0.03, 0.02, 0.04)
    #: Spread of the base while the sides are fitted, where they are curved; of their power, share of it; and how far such a quad, whose
    #: ends are open, moves from where it was (share of the width).
    curved_base: float = 0.05
    power_spread: float = 0.35
    curved_near: float = 0.03
    #: Bounds of bar, length, base, tip, power and k1 in the least squares. Lenses of 100 degrees reach k1 = -0.5 at the usual focal length.
    low: tuple[float, ...] = (0.0, 0.25, 0.6, 0.0, 1.0, -0.6)
    high: tuple[float, ...] = (0.2, 0.5, 1.05, 0.5, 12.0, 0.1)
    #: Bars, lengths of the first search and the heights at which it looks, share of a point's length.
    first_bars: tuple[float, float, float] = (0.0, 0.15, 0.015)
    first_lengths: tuple[float, ...] = (0.35, 0.41, 0.47)
    first_heights: tuple[float, ...] = (0.15, 0.4, 0.65, 0.85)
    #: Usual width of a bar and its spread, when a half may be one column off, and the narrowest and widest one that is tried.
    usual_bar: Prior = (0.09, 0.03)
    least_bar: float = -0.02
    most_bar: float = 0.17
    #: Bars and point lengths that are passed on to be rated and read, share of the field's width and height: a fit that ran a little
    #: too far is brought back to boards that are sold.
    rated_bar: tuple[float, float] = (0.03, 0.14)
    usable_length: tuple[float, float] = (0.2, 0.49)


@dataclass(frozen=True, slots=True)
class EdgeFit:
    """Tuned numbers of the least squares on edges. Reaches are in columns' widths.

    Source: as of `ShapePriors`.
    """

    #: Heights on the sides of the points, share of their length.
    heights: tuple[float, ...] = (0.06, 0.18, 0.3, 0.42, 0.54, 0.66, 0.78, 0.9)
    #: How far an edge is looked for, turn by turn: on the first fit, when the columns have settled, with the ends, and
    #: when the corners are given.
    reaches: tuple[float, ...] = (0.25, 0.22, 0.18, 0.14)
    settled_reaches: tuple[float, ...] = (0.16, 0.14, 0.12, 0.1)
    ends_reaches: tuple[float, ...] = (0.12, 0.1, 0.08, 0.08)
    given_reaches: tuple[float, ...] = (0.2, 0.16, 0.12, 0.1)
    #: Blur of the picture (standard deviation in px): at 800 px of width, and at least.
    blur: float = 0.9
    least_blur: float = 0.6
    #: px: an edge is looked for at least so far, in steps of at least `step`.
    least_reach: float = 2.0
    step: float = 0.5
    #: Near edges are preferred: spread of the weight, share of the reach; largest part of a step by which the peak is refined.
    nearness: float = 0.6
    refined: float = 0.7
    #: A residual has its full weight up to this share of the reach, or so many px.
    scale: float = 0.3
    least_scale: float = 0.7
    #: Edge strength (levels per px) that has half the weight: a floor and a share of the median one.
    quiet: float = 1.5
    quiet_share: float = 0.25
    #: The ends of the points: the reach as a share of the sides' (beside them runs the rim's upper edge, often the stronger one),
    #: and their weight.
    ends_reach: float = 0.5
    ends_weight: float = 1.5
    #: Given corners are held to this share of the field's width.
    corner_hold: float = 0.0005
    #: Finite differences: px of a corner, units of the shape; damping of the normal equations.
    corner_step: float = 0.05
    shape_step: float = 1e-4
    damping: float = 1e-4
    #: A corner that has moved by more than this share of the field's width has left the board.
    runaway: float = 0.25
    #: Support: a side counts when the clearest edge within `support_reach` lies within `near` (columns) and has at least this
    #: strength (levels per px).
    support_reach: float = 0.25
    near: float = 0.08
    strong: float = 1.5

    @property
    def chance(self) -> float:
        """Share of places that would be supported if edges lay anywhere."""
        return self.near / self.support_reach


@dataclass(frozen=True, slots=True)
class ColumnCheck:
    """Tuned numbers of the check whether a half is one column off. Source: as of `ShapePriors`."""

    #: Heights on the points at which the sides, and the two colours in turn, are looked at (share of a point's length).
    side_heights: tuple[float, ...] = (0.1, 0.25, 0.4, 0.65, 0.85)
    colour_heights: tuple[float, ...] = (0.45, 0.52, 0.59, 0.66)
    #: Weight of the colours' alternation, of a usual bar, and of what is there already, against the mean edge score (0..1).
    alternation: float = 0.05
    usual_bar: float = 0.006
    stays: float = 0.01


@dataclass(frozen=True, slots=True)
class EndSearch:
    """Tuned numbers of the search where the points end. Lengths are shares of the field's height unless named otherwise.

    Source: as of `ShapePriors`.
    """

    #: Rectified px for the field's height, and for one column; blur of the rectified picture, px.
    rows: int = 400
    band: int = 36
    blur: float = 0.8
    #: How far beyond the presumed ends is searched, and how far inside them the colours are looked at.
    reach: float = 0.16
    inner: float = 0.25
    #: Weights of the evidence for an end beside the straight edge: the colours' alternation that ends there, and the rim's upper
    #: edge beyond it.
    drop: float = 0.8
    pair: float = 0.9
    #: How far the ends of the two rows may differ from what the points' common shape says, and the weight of that.
    even: float = 0.004
    even_weight: float = 0.35
    #: Widths of a base that are tried (columns), the usual one with its spread, and the weight of that.
    bases: tuple[float, float, float] = (0.76, 1.031, 0.01)
    usual_base: Prior = (0.94, 0.12)
    base_weight: float = 0.15
    #: Curved sides: by how much both ends are moved out or in (range and step), the usual spread of that, and how much wider `even` is.
    moves: tuple[float, float, float] = (-0.14, 0.141, 0.005)
    usual_move: float = 0.07
    #: Spread of ends that are known from elsewhere.
    expected: float = 0.02
    curved_even: float = 2.0
    #: Bounds of the length that comes out.
    least_length: float = 0.25
    most_length: float = 0.5
    #: The rim's upper edge lies between so many widths of its wall further out; walls narrower than so many px are not seen.
    wall_low: float = 0.6
    wall_high: float = 1.5
    least_wall: float = 2.0
    #: Noise of a slope (levels per px): a floor and a share of the median; a slope of so many noises has half a vote.
    noise: float = 0.8
    noise_share: float = 0.5
    noises: float = 3
    #: Blur of the votes (px), and what brings the peak of one back to about 1 (√(2π) · 1.3 = 3.26).
    vote_blur: float = 1.3
    vote_gain: float = 3.3
    #: px by which an end may lean from one side of the board to the other, each way.
    lean: int = 5
    #: Depth of the strips inside and outside an end whose colours are compared; the rim's wall, seen from above, may be as narrow.
    depth: float = 0.0125
    #: Least evidence that the colours may give.
    least_drop: float = -0.5


PRIORS, EDGES, COLUMNS, ENDS = ShapePriors(), EdgeFit(), ColumnCheck(), EndSearch()
#: The outermost points stand a little off the rim, share of the field's width.
_SIDE_GAP = 0.001


@dataclass(frozen=True, slots=True)
class RadialDistortion:
    """One coefficient of radial distortion around the picture's centre (OpenCV's k1 at focal length `focal`)."""

    k1: float = 0.0
    focal: float = 1.0
    centre: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def for_picture(cls, image: Image) -> RadialDistortion:
        height, width = image.shape[:2]
        return cls(USUAL_K1, USUAL_FOCAL * max(width, height), ((width - 1) / 2, (height - 1) / 2))

    def bend(self, px: Floats, k1: float | Floats | None = None) -> Floats:
        """Ideal (..., 2) px → px as the lens shows them."""
        ray = (px - np.array(self.centre)) / self.focal
        r2 = np.minimum(ray[..., :1] ** 2 + ray[..., 1:] ** 2, _MOST_R2)
        return np.array(self.centre) + ray * (1 + (self.k1 if k1 is None else k1) * r2) * self.focal

    def straighten(self, px: Floats) -> Floats:
        """The inverse of `bend`."""
        out = np.asarray(px, dtype=np.float64)
        for _ in range(6):
            out = out + (px - self.bend(out))
        return out

    @property
    def intrinsics(self) -> Floats:
        return np.array([[self.focal, 0, self.centre[0]], [0, self.focal, self.centre[1]], [0, 0, 1.0]])


#: Wide lenses of cheap cameras show mild barrel distortion.
USUAL_K1 = -0.03
_K1_SPREAD = 0.1
#: Square of a ray's distance from the optical axis (1 = 45 degrees) from which distortion is held: far outside the picture a polynomial
#: turns back on itself.
_MOST_R2 = 1.5


@dataclass(frozen=True, slots=True)
class PatternFit:
    """corners: (4, 2) px TL TR BR BL of the field at board level, as the lens shows them; bar_edges: (4, 2) px, the
    bar's far-left, far-right, near-right, near-left corners. pattern: the field's proportions. lens: as it was fitted.

    support: 0..1, share of the points' sides that lie on an edge of the picture within a tenth of a column.
    ends: 0..1, how surely the far and near ends of the points were seen. residual: median distance of
    supported sides to their edges, in column widths.
    """

    corners: Floats
    pattern: PointPattern
    support: float
    ends: float
    residual: float
    alternation: float
    lens: RadialDistortion = RadialDistortion()
    bar_edges: Floats | None = None


def fit_pattern(
    image: Image,
    quad: Floats,
    tensor: Floats,
    tensor_scale: float,
    profile: BoardProfile,
    *,
    settle: bool = True,
    power: float | None = None,
    ends_known: bool = False,
    begin: tuple[PointPattern, RadialDistortion] | None = None,
) -> PatternFit:
    """Refines a quad of `search_board`. tensor: `edge_tensor` of the picture scaled by tensor_scale.

    profile: gives the rim's height and the field's usual proportion only. settle: it may be whole columns off. power: of `POWERS`,
    where the fit begins; None = the one that fits best. ends_known: the quad's far and near sides are about where the points end.
    begin: points and lens to begin with instead, where they are known from a fit of the same board elsewhere.
    Raises InvalidError when the fit runs away.
    """
    smooth = _smoothed(image)
    if begin is None:
        pattern, lens = _first_shape(tensor, quad * tensor_scale, power), RadialDistortion.for_picture(image)
    else:
        pattern, lens = begin
    given = quad
    quad = lens.straighten(quad)  # from here on the quad is ideal, and the lens bends what is looked up
    # Only the sides: the width of a base is held, so "the end" is for now where the sides are that far apart.
    # Parallel sides leave open how far they run: such a quad stays about where it is until its ends have been seen.
    near = 0.0 if pattern.power < CURVED else PRIORS.curved_near
    held = _priors(pattern, PRIORS.sides)
    quad, pattern, lens = _least_squares(
        smooth, quad, pattern, lens, held, EDGES.reaches, None, near_start=near
    )
    if settle:
        quad, pattern = _settle_columns(smooth, tensor, tensor_scale, quad, pattern, lens)
    held = held | {"bar": (pattern.bar, PRIORS.bar_spread)}
    quad, pattern, lens = _least_squares(
        smooth, quad, pattern, lens, held, EDGES.settled_reaches, None, near_start=near
    )
    expected = _ends_of(lens.straighten(given), quad) if ends_known else None
    quad, pattern, ends = _find_ends(image, quad, pattern, lens, rim_wall(image, quad, profile), expected)
    length, base, tip = PRIORS.settled
    loose = {
        "bar": (pattern.bar, PRIORS.settled_bar_spread),
        "length": (pattern.length, length),
        "base": (pattern.base, base),
        "tip": (pattern.tip, tip),
        "power": _power_prior(pattern),
    }
    hidden = np.maximum(0.0, -rim_wall(image, quad, profile))
    quad, pattern, lens = _least_squares(smooth, quad, pattern, lens, loose, EDGES.ends_reaches, hidden)
    support, residual = _support(smooth, quad, pattern, lens)
    edges = np.array(
        [[-0.5 - _SIDE_GAP, 0], [0.5 + _SIDE_GAP, 0], [0.5 + _SIDE_GAP, 1], [-0.5 - _SIDE_GAP, 1]]
    )
    corners = lens.bend(transform(exact_homography(_UNIT, quad), edges))
    return PatternFit(
        corners,
        pattern,
        support,
        ends,
        residual,
        alternation(smooth, quad, pattern, lens),
        lens,
        _bar_edges(quad, pattern, lens),
    )


def fit_given_corners(
    image: Image, corners: Floats, tensor: Floats, tensor_scale: float, profile: BoardProfile
) -> PatternFit:
    """Bar and shape of the points when the corners are known. See `fit_pattern`."""
    smooth = _smoothed(image)
    pattern = _first_shape(tensor, corners * tensor_scale)
    lens = RadialDistortion.for_picture(image)
    free = _priors(pattern, PRIORS.given)
    quad = lens.straighten(corners)
    hidden = np.maximum(0.0, -rim_wall(image, quad, profile))
    quad, pattern, lens = _least_squares(
        smooth, quad, pattern, lens, free, EDGES.given_reaches, hidden, keep=corners
    )
    support, residual = _support(smooth, quad, pattern, lens)
    return PatternFit(
        corners,
        pattern,
        support,
        1.0,
        residual,
        alternation(smooth, quad, pattern, lens),
        lens,
        _bar_edges(quad, pattern, lens),
    )


def _smoothed(image: Image) -> Floats:
    blur = max(EDGES.least_blur, EDGES.blur * image.shape[1] / 800)
    return cv2.GaussianBlur(image, (0, 0), blur).astype(np.float32)


def _priors(pattern: PointPattern, others: tuple[Prior, Prior, Prior]) -> dict[str, Prior]:
    length, base, tip = others
    if pattern.power >= CURVED:
        base = (base[0], max(base[1], PRIORS.curved_base))
    bar = (pattern.bar, PRIORS.bar_spread)
    return dict(zip(_SHAPE, (bar, length, base, tip, _power_prior(pattern)), strict=True))


#: Spread of a triangle's power: next to none, yet positive, as least squares need it.
_STRAIGHT = 1e-3


def _power_prior(pattern: PointPattern) -> Prior:
    """Straight sides stay straight; the picture decides how far curved sides bulge."""
    return pattern.power, _STRAIGHT if pattern.power < CURVED else PRIORS.power_spread * pattern.power


def _bar_edges(quad: Floats, pattern: PointPattern, lens: RadialDistortion) -> Floats:
    half = pattern.bar / 2
    bar = np.array([[-half, 0.0], [half, 0.0], [half, 1.0], [-half, 1.0]])
    return lens.bend(transform(exact_homography(_UNIT, quad), bar))


def _settle_columns(
    smooth: Floats, tensor: Floats, scale: float, quad: Floats, pattern: PointPattern, lens: RadialDistortion
) -> tuple[Floats, PointPattern]:
    """Moves one half, or both, by whole columns where the pattern fits better so.

    Six columns look like the six beside them but for the outermost, so a fit may settle one column off.
    """
    best, best_value = (quad, pattern), -1.0
    for left in (0, 1, -1):
        for right in (0, 1, -1):
            grown = (left + right) * pattern.pitch
            bar = (pattern.bar + grown) / (1 + grown)
            if not PRIORS.least_bar <= bar <= PRIORS.most_bar:
                continue
            other = pattern.with_(bar=max(bar, 0.0))
            low, high = -0.5 - left * pattern.pitch, 0.5 + right * pattern.pitch
            unit = np.array([[low, 0.0], [high, 0.0], [high, 1.0], [low, 1.0]])
            moved = transform(exact_homography(_UNIT, quad), unit)
            template = Template.of(other, COLUMNS.side_heights)
            value = float(score_quads(tensor, lens.bend(moved)[None] * scale, [template])[0])
            # One column off, a half has its colours the wrong way round; and bars have usual widths.
            usual, spread = PRIORS.usual_bar
            in_turn = COLUMNS.alternation * alternation(smooth, moved, other, lens)
            value += in_turn - COLUMNS.usual_bar * ((bar - usual) / spread) ** 2
            if (left, right) == (0, 0):
                value += COLUMNS.stays
            if value > best_value:
                best, best_value = (moved, other), value
    return best


@cache
def _first_shapes() -> tuple[list[PointPattern], TemplateRow]:
    """The shapes that are tried first."""
    every = product(np.arange(*PRIORS.first_bars), PRIORS.first_lengths, POWERS)
    shapes = [PointPattern(bar=float(bar), length=length, power=power) for bar, length, power in every]
    return shapes, TemplateRow.of([Template.of(shape, PRIORS.first_heights) for shape in shapes])


def _first_shape(tensor: Floats, quad: Floats, power: float | None = None) -> PointPattern:
    shapes, row = _first_shapes()
    scores = score_templates(tensor, quad, row)
    scores -= [0.0 if shape.power == 1.0 else UNUSUAL for shape in shapes]
    if power is not None:
        scores[[shape.power != power for shape in shapes]] = -np.inf
    return shapes[int(scores.argmax())]


# ---------------------------------------------------------------------------------------------- least squares


def _edge_offsets(smooth: Floats, places: Floats, normals: Floats, reach: float) -> tuple[Floats, Floats]:
    """((N,) px, (N,) strength): along every normal the offset of the strongest edge within reach, near ones preferred."""
    step = max(EDGES.step, reach / 16)
    offsets = np.arange(-reach - step, reach + 2 * step, step)
    sample = (places[:, None, :] + offsets[None, :, None] * normals[:, None, :]).astype(np.float32)
    seen = cv2.remap(
        smooth, sample[..., 0], sample[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    seen = seen.reshape(len(places), len(offsets), -1)
    slope = np.linalg.norm(seen[:, 2:] - seen[:, :-2], axis=2) / (2 * step)
    centre = offsets[1:-1]
    weighed = slope * np.exp(-0.5 * (centre / (EDGES.nearness * reach)) ** 2)
    at = weighed[:, 1:-1].argmax(1) + 1
    row = np.arange(len(places))
    a, b, c = slope[row, at - 1], slope[row, at], slope[row, at + 1]
    curve = a - 2 * b + c
    fine = np.where(curve < -1e-6, 0.5 * (a - c) / np.where(curve < -1e-6, curve, 1.0), 0.0)
    return centre[at] + np.clip(fine, -EDGES.refined, EDGES.refined) * step, b


def _normals(homography: Floats, lens: RadialDistortion, on: Floats, along: Floats) -> tuple[Floats, Floats]:
    place = lens.bend(transform(homography, on))
    way = lens.bend(transform(homography, along)) - place
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    return place, np.column_stack([-way[:, 1], way[:, 0]])


def _places(pattern: PointPattern, hidden: Floats | None) -> tuple[Floats, Floats]:
    """Places on the sides of the points (and on their ends, with `hidden`), and further places along them."""
    on, along = pattern.sides(EDGES.heights)
    if hidden is not None:
        end_on, end_along = pattern.ends(float(hidden[0]), float(hidden[1]))
        on, along = np.concatenate([on, end_on]), np.concatenate([along, end_along])
    return on, along


def _mapped_places(quads: Floats, shapes: Floats, hidden: Floats | None) -> Floats:
    """(M, N, 2) px of the pattern's places in quads (M, 4, 2) with shapes (M, 5); few of the shapes differ."""
    known: dict[bytes, Floats] = {}
    for shape in shapes:
        if shape.tobytes() not in known:
            pattern = PointPattern(*shape)
            sides = pattern.on_sides(EDGES.heights)
            known[shape.tobytes()] = (
                sides
                if hidden is None
                else np.concatenate([sides, pattern.on_ends(float(hidden[0]), float(hidden[1]))])
            )
    on = np.stack([known[shape.tobytes()] for shape in shapes])
    h = unit_homographies(quads)
    mapped = on @ h[:, :, :2].transpose(0, 2, 1) + h[:, None, :, 2]
    return np.asarray(mapped[..., :2] / mapped[..., 2:])


def _least_squares(
    smooth: Floats,
    quad: Floats,
    pattern: PointPattern,
    lens: RadialDistortion,
    priors: dict[str, tuple[float, float]],
    reaches: tuple[float, ...],
    hidden: Floats | None,
    keep: Floats | None = None,
    near_start: float = 0.0,
) -> tuple[Floats, PointPattern, RadialDistortion]:
    """Iterated closest edges: model places are moved onto the edges found along their normals.

    keep: (4, 2) px, corners to stay at (to 0.05 % of the width), as the lens shows them. near_start: to this share of the width the
    corners stay where they were; 0: they go anywhere.
    """
    theta = np.concatenate([quad.ravel(), [getattr(pattern, name) for name in _SHAPE], [lens.k1]])
    start = quad.copy()
    width = float(np.linalg.norm(quad[1] - quad[0] + quad[2] - quad[3]) / 2)
    hold = EDGES.corner_hold * width
    mean = np.array([priors[name][0] for name in _SHAPE] + [USUAL_K1])
    spread = np.array([priors[name][1] for name in _SHAPE] + [_K1_SPREAD])
    steps = np.concatenate([np.full(8, EDGES.corner_step), np.full(len(mean), EDGES.shape_step)])
    for reach in reaches:
        pitch_px = width * PointPattern(*theta[8:_LENS]).pitch
        quad, pattern = theta[:8].reshape(4, 2), PointPattern(*theta[8:_LENS])
        on, along = _places(pattern, hidden)
        homography = exact_homography(_UNIT, quad)
        lens = replace(lens, k1=float(theta[_LENS]))
        place, normal = _normals(homography, lens, on, along)
        n_sides = 48 * len(EDGES.heights)
        offset, strength = _edge_offsets(
            smooth, place[:n_sides], normal[:n_sides], max(EDGES.least_reach, reach * pitch_px)
        )
        if hidden is not None:
            # Beside the end of the points runs the rim's upper edge, often the stronger one: stay close.
            near = max(EDGES.least_reach, EDGES.ends_reach * reach * pitch_px)
            ends = _edge_offsets(smooth, place[n_sides:], normal[n_sides:], near)
            offset, strength = np.concatenate([offset, ends[0]]), np.concatenate([strength, ends[1]])
        target = place + offset[:, None] * normal
        scale = max(EDGES.least_scale, EDGES.scale * reach * pitch_px)
        quiet = EDGES.quiet + EDGES.quiet_share * float(np.median(strength))
        weight = (strength / (strength + quiet)) / (1 + (offset / scale) ** 2)
        if hidden is not None:
            weight[n_sides:] *= EDGES.ends_weight
        root = np.sqrt(weight) / scale

        def residuals(t: Floats) -> Floats:
            q, k1 = t[:, :8].reshape(-1, 4, 2), t[:, _LENS, None, None]
            p = lens.bend(_mapped_places(q, t[:, 8:_LENS], hidden), k1)  # noqa: B023 (used within this turn only)
            data = np.einsum("mni,ni->mn", p - target, normal) * root  # noqa: B023 (used within this turn only)
            parts = [data, (t[:, 8:] - mean) / spread]
            if keep is not None:
                parts.append(((lens.bend(q, k1) - keep) / hold).reshape(len(t), -1))  # noqa: B023
            if near_start > 0.0:
                parts.append((t[:, :8] - start.ravel()) / (near_start * width))
            return np.concatenate(parts, axis=1)

        for _ in range(2):
            r, jacobian = jacobian_at_once(residuals, theta, steps)
            normal_matrix = jacobian.T @ jacobian
            normal_matrix[np.diag_indices(len(theta))] *= 1 + EDGES.damping
            theta = theta + np.linalg.solve(normal_matrix, -jacobian.T @ r)
            theta[8:] = np.clip(theta[8:], PRIORS.low, PRIORS.high)
        if (
            np.abs(theta[:8].reshape(4, 2) - start).max() > EDGES.runaway * width
            or not np.isfinite(theta).all()
        ):
            raise InvalidError("corners: expected the points of a board near them, found none")
    return theta[:8].reshape(4, 2), PointPattern(*theta[8:_LENS]), replace(lens, k1=float(theta[_LENS]))


def _support(
    smooth: Floats, quad: Floats, pattern: PointPattern, lens: RadialDistortion
) -> tuple[float, float]:
    on, along = pattern.sides(EDGES.heights)
    place, normal = _normals(exact_homography(_UNIT, quad), lens, on, along)
    pitch_px = float(np.linalg.norm(quad[1] - quad[0] + quad[2] - quad[3]) / 2) * pattern.pitch
    offset, strength = _edge_offsets(smooth, place, normal, EDGES.support_reach * pitch_px)
    good = (np.abs(offset) < EDGES.near * pitch_px) & (strength > EDGES.strong)
    residual = float(np.median(np.abs(offset[good]))) / pitch_px if good.any() else 1.0
    return float(np.clip((good.mean() - EDGES.chance) / (1 - EDGES.chance), 0, 1)), residual


def alternation(smooth: Floats, quad: Floats, pattern: PointPattern, lens: RadialDistortion) -> float:
    """0..1: points take turns in two colours, all around the board; 0 for what any picture would give.

    smooth: (H, W, 3) float32. quad: ideal corners. Compares the colours in the outer thirds of the points, where
    checkers seldom lie, after removing each quarter's own light.
    """
    heights = np.array(COLUMNS.colour_heights)
    x = pattern.column_x()
    places = np.array(
        [
            [(a, h * pattern.length if row == 0 else 1 - h * pattern.length) for h in heights]
            for row in (0, 1)
            for a in x
        ]
    )
    px = lens.bend(transform(exact_homography(_UNIT, quad), places.reshape(-1, 2))).astype(np.float32)
    seen = cv2.remap(
        smooth,
        px[:, 0].reshape(24, -1),
        px[:, 1].reshape(24, -1),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    colour = np.median(seen.reshape(24, len(heights), 3), axis=1)
    turn = np.array([1.0 if (c + row) % 2 else -1.0 for row in (0, 1) for c in range(12)])
    quarter = np.array([2 * row + (c >= 6) for row in (0, 1) for c in range(12)])
    for q in range(4):
        mine = quarter == q
        colour[mine] -= (
            np.median(colour[mine & (turn > 0)], axis=0) + np.median(colour[mine & (turn < 0)], axis=0)
        ) / 2
    # Each quarter is judged by what the other three say the two colours are.
    right = []
    for q in range(4):
        others, mine = quarter != q, quarter == q
        axis = np.median(colour[others & (turn > 0)], axis=0) - np.median(colour[others & (turn < 0)], axis=0)
        right += list(np.sign(colour[mine] @ axis) == turn[mine])
    return float(np.clip(2 * np.mean(right) - 1, 0, 1))


# ---------------------------------------------------------------------------------------------- where points end


def rim_wall(image: Image, quad: Floats, profile: BoardProfile) -> Floats:
    """(2,) how wide the rim's inner wall is seen at the far and at the near end, as a share of the field's height;
    negative: so much of the field the rim hides."""
    try:
        geometry = BoardGeometry(profile, quad, (image.shape[1], image.shape[0]))
    except (InvalidError, np.linalg.LinAlgError, cv2.error):
        return np.zeros(2)
    _, y, z = geometry.camera_position
    half = profile.field_height / 2
    lift = profile.rim_height / max(z - profile.rim_height, 1.0)
    return np.array([half - y, half + y]) * lift / profile.field_height


def _ends_of(given: Floats, quad: Floats) -> tuple[float, float]:
    """How far the far and the near side of the corners `given` (4, 2) lie outside those of `quad`, shares of its height."""
    middles = (given + np.roll(given, -1, axis=0))[[0, 2]] / 2
    far, near = transform(exact_homography(quad, _UNIT), middles)[:, 1]
    return -float(far), float(near) - 1.0


def _find_ends(
    image: Image,
    quad: Floats,
    pattern: PointPattern,
    lens: RadialDistortion,
    wall: Floats,
    expected: tuple[float, float] | None = None,
) -> tuple[Floats, PointPattern, float]:
    """The quad with its far and near side moved to where the points really end. expected: so far outside, about.

    Both ends are judged together: the points of both rows have one length, so wherever one row's end is put, the
    shape of the sides says where the other must be.
    """
    width = round(ENDS.band * 12 / (1 - pattern.bar))
    beyond = int(ENDS.reach * ENDS.rows)
    to_quad = exact_homography(
        np.array(
            [[0, beyond], [width, beyond], [width, beyond + ENDS.rows], [0, beyond + ENDS.rows]], np.float64
        ),
        quad,
    )
    size = (ENDS.rows + 2 * beyond + 1, width)
    grid = (
        np.stack(np.meshgrid(np.arange(size[1]), np.arange(size[0])), axis=-1)
        .reshape(-1, 2)
        .astype(np.float64)
    )
    places = lens.bend(transform(to_quad, grid)).astype(np.float32).reshape(*size, 2)
    flat: Any = cv2.remap(
        image, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    flat = cv2.GaussianBlur(flat, (0, 0), ENDS.blur).astype(np.float32)
    columns = pattern.column_x() * width + width / 2
    hidden = np.maximum(0.0, -wall)
    votes = []
    for row, seen_wall in zip(Row, wall, strict=True):
        evidence, straight = _end_votes(flat, columns, row, beyond)
        votes.append(evidence + ENDS.pair * _edge_beyond(straight, float(seen_wall)))

    position = np.arange(-beyond, beyond + 1) / ENDS.rows  # outwards positive
    if expected is not None:
        votes = [
            v - 0.5 * ((position - at) / ENDS.expected) ** 2 for v, at in zip(votes, expected, strict=True)
        ]
    usual, spread = ENDS.usual_base
    # (outwards, base, log weight): a triangle's width tells where it ends, a bullet's does not.
    if pattern.power < CURVED:
        slope, even = pattern.length / (pattern.base - pattern.tip), ENDS.even
        tried = [
            (slope * (b - pattern.base), b, -0.5 * ((b - usual) / spread) ** 2 * ENDS.base_weight)
            for b in np.arange(*ENDS.bases)
        ]
    else:
        even = ENDS.curved_even * ENDS.even
        tried = [
            (out, pattern.base, -0.5 * (out / ENDS.usual_move) ** 2 * ENDS.base_weight)
            for out in np.arange(*ENDS.moves)
        ]
    best: tuple[float, float, float, float] = (-1.0, pattern.base, 0.0, 0.0)
    for outwards, base, value in tried:
        at = []
        for votes_of_row, cover in zip(votes, hidden, strict=True):
            weighed = votes_of_row - 0.5 * ((position - (outwards - cover)) / even) ** 2 * ENDS.even_weight
            i = int(weighed.argmax())
            value += float(weighed[i])
            at.append(float(position[i] + cover))
        if value > best[0]:
            best = (value, float(base), at[0], at[1])
    _, base, far, near = best
    span = 1.0 + far + near
    unit = np.array([[-0.5, -far], [0.5, -far], [0.5, 1 + near], [-0.5, 1 + near]])
    moved = apply(unit_homographies(quad[None]), unit)[0]
    length = (pattern.length + (far + near) / 2) / span
    ends = float(np.clip(best[0] / (2 + ENDS.pair), 0, 1))
    return (
        moved,
        pattern.with_(base=base, length=float(np.clip(length, ENDS.least_length, ENDS.most_length))),
        ends,
    )


def _edge_beyond(straight: Floats, wall: float) -> Floats:
    """For every place, the straightest edge about a wall's width further out: the upper edge of the rim.

    The wall's foot is where the points end, but its upper edge is often the clearer one; they come as a pair.
    """
    if wall * ENDS.rows < ENDS.least_wall:
        return np.zeros_like(straight)
    n = len(straight)
    steps = range(
        max(2, round(ENDS.wall_low * wall * ENDS.rows)), round(ENDS.wall_high * wall * ENDS.rows) + 1
    )
    out = np.zeros(n)
    for step in steps:
        if step >= n:
            break
        out[: n - step] = np.maximum(out[: n - step], straight[step:])
    return out


def _end_votes(flat: Floats, columns: Floats, row: Row, beyond: int) -> tuple[Floats, Floats]:
    """(2 beyond + 1,) evidence that the points of a row end at that many px outwards of the presumed end, and how
    straight an edge lies there.

    Two things make an end: a straight edge across all columns, and colours that alternate inside it but not outside.
    """
    strip = flat if row is Row.FAR else flat[::-1]
    # Row 0 of `outwards` is well inside the field; indices grow towards the rim and the table.
    inner = int(ENDS.inner * ENDS.rows)
    outwards = strip[: beyond + inner + 1][::-1]  # the presumed end has index `inner`
    bands = []
    for x in columns:
        for part in _ACROSS:
            centre = round(x + part * ENDS.band)
            bands.append(outwards[:, max(0, centre - 2) : centre + 3].mean(1))
    band = np.array(bands)  # (48, n, 3)
    slope = np.linalg.norm(np.gradient(band, axis=1), axis=2)
    peak = (slope >= np.roll(slope, 1, 1)) & (slope >= np.roll(slope, -1, 1))
    noise = ENDS.noise + ENDS.noise_share * float(np.median(slope))
    vote = np.where(peak, slope / (slope + ENDS.noises * noise), 0.0)
    vote = cv2.GaussianBlur(vote.astype(np.float32), (0, 0), sigmaX=ENDS.vote_blur, sigmaY=0.001)
    vote = vote * ENDS.vote_gain
    n = vote.shape[1]
    lean = np.linspace(-1, 1, len(vote))
    straight = np.zeros(n)
    for tilt in range(-ENDS.lean, ENDS.lean + 1):
        shifts = np.rint(tilt * lean).astype(int)
        shifted = np.take_along_axis(vote, (np.arange(n) + shifts[:, None]) % n, axis=1)
        straight = np.maximum(straight, np.mean(np.minimum(shifted, 1.0), axis=0))
    # Alternation: neighbours in a half have different colours on the points, the same on rim and table.
    middle = np.array([outwards[:, max(0, round(x) - 2) : round(x) + 3].mean(1) for x in columns])
    pairs = [(i, i + 1) for i in range(11) if i != 5]
    contrast = np.array([np.linalg.norm(middle[a] - middle[b], axis=1) for a, b in pairs])
    usual = np.median(contrast[:, : inner // 2]) + 1e-3
    alternates = np.minimum(contrast / usual, 1.0).mean(0)
    gap, depth = 2, int(ENDS.depth * ENDS.rows)
    total = np.concatenate([[0.0], np.cumsum(alternates)])
    index = np.arange(n)

    def mean(low: npt.NDArray[np.int64], high: npt.NDArray[np.int64]) -> Floats:
        low, high = np.clip(low, 0, n), np.clip(high, 0, n)
        return (total[high] - total[low]) / np.maximum(high - low, 1)

    drop = mean(index - gap - depth, index - gap) - mean(index + gap, index + gap + depth)
    evidence = straight + ENDS.drop * np.clip(drop, ENDS.least_drop, 1)
    return evidence[inner - beyond : inner + beyond + 1], straight[inner - beyond : inner + beyond + 1]
