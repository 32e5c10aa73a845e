"""The pattern of points fitted to the picture, to a fraction of a pixel: corners, bar width, shape of the points.

The sides of the points fix everything across the field, and the perspective (`edge_fit`); where the points end is looked
for afterwards (`ends`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import numpy as np

from pi_board.vision.board.distortion import STRAIGHT, RadialDistortion
from pi_board.vision.board.geometry import exact_homography, transform
from pi_board.vision.finding.columns import alternation, settle_columns
from pi_board.vision.finding.edge_fit import SHAPE, least_squares, points_beside, support_of
from pi_board.vision.finding.edge_picture import EdgePicture
from pi_board.vision.finding.ends import ends_of, find_ends, rim_wall
from pi_board.vision.finding.pattern import (
    POWERS,
    UNIT_FIELD,
    UNUSUAL,
    Floats,
    PointPattern,
    Template,
    TemplateRow,
    score_templates,
)
from pi_board.vision.finding.pattern_numbers import CURVED, EDGES, PRIORS, Prior
from pi_board.vision.profile import BoardProfile

#: The outermost points stand a little off the rim, share of the field's width.
_SIDE_GAP = 0.001
#: Spread of a triangle's power: next to none, yet positive, as least squares need it.
_STRAIGHT = 1e-3


@dataclass(frozen=True, slots=True)
class PatternFit:
    """corners: (4, 2) px TL TR BR BL of the field at board level, as the lens shows them; bar_edges: (4, 2) px, the
    bar's far-left, far-right, near-right, near-left corners. pattern: the field's proportions. lens: as it was fitted.

    support: 0..1, share of the points' sides that lie on an edge of the picture within a tenth of a column.
    ends: 0..1, how surely the far and near ends of the points were seen. residual: median distance of
    supported sides to their edges, in column widths. beside: 0..1 each, how much of a point is seen a column outside the left half, a
    column inside it (over the bar), and so of the right half; about 0 for a board that lies right.
    """

    corners: Floats
    pattern: PointPattern
    support: float
    ends: float
    residual: float
    alternation: float
    lens: RadialDistortion = STRAIGHT
    bar_edges: Floats | None = None
    beside: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)


def fit_pattern(
    picture: EdgePicture,
    quad: Floats,
    profile: BoardProfile,
    *,
    settle: bool = True,
    power: float | None = None,
    ends_known: bool = False,
    begin: tuple[PointPattern, RadialDistortion] | None = None,
) -> PatternFit:
    """Refines a quad (4, 2) px of `search_board`.

    profile: gives the rim's height and the field's usual proportion only. settle: it may be whole columns off. power: of `POWERS`,
    where the fit begins; None = the one that fits best. ends_known: the quad's far and near sides are about where the points end.
    begin: points and lens to begin with instead, where they are known from a fit of the same board elsewhere.
    Raises InvalidError when the fit runs away.
    """
    image, smooth = picture.image, picture.smooth
    if begin is None:
        pattern, lens = _first_shape(picture, quad, power), RadialDistortion.for_picture(image)
    else:
        pattern, lens = begin
    given = quad
    quad = lens.straighten(quad)  # from here on the quad is ideal, and the lens bends what is looked up
    # Only the sides: the width of a base is held, so "the end" is for now where the sides are that far apart.
    # Parallel sides do not show how far they run, so such a quad stays about where it is until its ends have been seen.
    near = 0.0 if pattern.power < CURVED else PRIORS.curved_near
    held = _priors(pattern, PRIORS.sides)
    quad, pattern, lens = least_squares(
        smooth, quad, pattern, lens, held, EDGES.reaches, None, near_start=near
    )
    if settle:
        quad, pattern = settle_columns(picture, quad, pattern, lens)
    held = held | {"bar": (pattern.bar, PRIORS.bar_spread)}
    quad, pattern, lens = least_squares(
        smooth, quad, pattern, lens, held, EDGES.settled_reaches, None, near_start=near
    )
    expected = ends_of(lens.straighten(given), quad) if ends_known else None
    quad, pattern, ends = find_ends(image, quad, pattern, lens, rim_wall(image, quad, profile), expected)
    length, base, tip = PRIORS.settled
    loose = {
        "bar": (pattern.bar, PRIORS.settled_bar_spread),
        "length": (pattern.length, length),
        "base": (pattern.base, base),
        "tip": (pattern.tip, tip),
        "power": _power_prior(pattern),
    }
    hidden = np.maximum(0.0, -rim_wall(image, quad, profile))
    quad, pattern, lens = least_squares(smooth, quad, pattern, lens, loose, EDGES.ends_reaches, hidden)
    support, residual = support_of(smooth, quad, pattern, lens)
    edges = np.array(
        [[-0.5 - _SIDE_GAP, 0], [0.5 + _SIDE_GAP, 0], [0.5 + _SIDE_GAP, 1], [-0.5 - _SIDE_GAP, 1]]
    )
    corners = lens.bend(transform(exact_homography(UNIT_FIELD, quad), edges))
    return PatternFit(
        corners,
        pattern,
        support,
        ends,
        residual,
        alternation(smooth, quad, pattern, lens),
        lens,
        _bar_edges(quad, pattern, lens),
        tuple(float(v) for v in points_beside(smooth, quad, pattern, lens)),
    )


def fit_given_corners(
    picture: EdgePicture, corners: Floats, profile: BoardProfile, k1: float | None = None
) -> PatternFit:
    """Bar and shape of the points when the corners are known. k1: of the lens, where the fit begins; None = the usual one. See
    `fit_pattern`."""
    image, smooth = picture.image, picture.smooth
    pattern = _first_shape(picture, corners)
    lens = RadialDistortion.for_picture(image)
    if k1 is not None:
        lens = replace(lens, k1=k1)
    free = _priors(pattern, PRIORS.given)
    quad = lens.straighten(corners)
    hidden = np.maximum(0.0, -rim_wall(image, quad, profile))
    quad, pattern, lens = least_squares(
        smooth, quad, pattern, lens, free, EDGES.given_reaches, hidden, keep=corners
    )
    support, residual = support_of(smooth, quad, pattern, lens)
    return PatternFit(
        corners,
        pattern,
        support,
        1.0,
        residual,
        alternation(smooth, quad, pattern, lens),
        lens,
        _bar_edges(quad, pattern, lens),
        tuple(float(v) for v in points_beside(smooth, quad, pattern, lens)),
    )


def _priors(pattern: PointPattern, others: tuple[Prior, Prior, Prior]) -> dict[str, Prior]:
    length, base, tip = others
    if pattern.power >= CURVED:
        base = (base[0], max(base[1], PRIORS.curved_base))
    bar = (pattern.bar, PRIORS.bar_spread)
    return dict(zip(SHAPE, (bar, length, base, tip, _power_prior(pattern)), strict=True))


def _power_prior(pattern: PointPattern) -> Prior:
    """Straight sides stay straight; the picture decides how far curved sides bulge."""
    return pattern.power, _STRAIGHT if pattern.power < CURVED else PRIORS.power_spread * pattern.power


def _bar_edges(quad: Floats, pattern: PointPattern, lens: RadialDistortion) -> Floats:
    half = pattern.bar / 2
    bar = np.array([[-half, 0.0], [half, 0.0], [half, 1.0], [-half, 1.0]])
    return lens.bend(transform(exact_homography(UNIT_FIELD, quad), bar))


@cache
def _first_shapes() -> tuple[list[PointPattern], TemplateRow]:
    """The shapes that are tried first."""
    every = product(np.arange(*PRIORS.first_bars), PRIORS.first_lengths, POWERS)
    shapes = [PointPattern(bar=float(bar), length=length, power=power) for bar, length, power in every]
    return shapes, TemplateRow.of([Template.of(shape, PRIORS.first_heights) for shape in shapes])


def _first_shape(picture: EdgePicture, quad: Floats, power: float | None = None) -> PointPattern:
    shapes, row = _first_shapes()
    scores = score_templates(picture.tensor, quad * picture.scale, row)
    scores -= [0.0 if shape.power == 1.0 else UNUSUAL for shape in shapes]
    if power is not None:
        scores[[shape.power != power for shape in shapes]] = -np.inf
    return shapes[int(scores.argmax())]
