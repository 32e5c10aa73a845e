"""Where a fit would lie with a half of it, or both, whole columns further out or in, and whether a point that is seen beside it says so."""

from __future__ import annotations

from itertools import product

import numpy as np

from pi_board.vision.finding.find_numbers import FIND
from pi_board.vision.finding.pattern import Floats, apply, unit_homographies
from pi_board.vision.finding.pattern_fit import PatternFit
from pi_board.vision.finding.pattern_numbers import PRIORS

#: By how many columns the left and the right half lie further out.
Way = tuple[int, int]


def ways_aside(fit: PatternFit, most: int = 1) -> list[Way]:
    """Those of at most `most` columns that leave a bar between the halves of `fit`."""
    steps = range(-most, most + 1)
    ways: list[Way] = [way for way in product(steps, steps) if way != (0, 0)]
    return [way for way in ways if PRIORS.least_bar <= fit.pattern.aside(*way)[1] <= PRIORS.most_bar]


def place_aside(fit: PatternFit, way: Way) -> tuple[Floats, float]:
    """Corners (4, 2) px and bar (share of the width) of the place that lies so from `fit`."""
    unit, bar = fit.pattern.aside(*way)
    to_ideal = unit_homographies(fit.lens.straighten(fit.corners)[None])
    return fit.lens.bend(apply(to_ideal, unit)[0]), float(np.clip(bar, *PRIORS.rated_bar))


def point_beside(fit: PatternFit) -> bool:
    """Whether a point is seen a column beside `fit`, where no board has one."""
    return max(fit.beside) > FIND.no_point


def goes_on(fit: PatternFit) -> bool:
    """Whether points are seen beyond either side of `fit`, as on a striped cloth."""
    outer_left, _, _, outer_right = fit.beside
    return min(outer_left, outer_right) > FIND.no_point


def takes_in_a_point(fit: PatternFit, way: Way) -> bool:
    """Whether a point that is seen beside `fit` would belong to the board that lies so from it."""
    outer_left, inner_left, inner_right, outer_right = (seen > FIND.no_point for seen in fit.beside)
    left, right = way
    return (
        (outer_left and left > 0)
        or (inner_left and left < 0)
        or (inner_right and right < 0)
        or (outer_right and right > 0)
    )
