"""How do the outermost checkers lie to a field's far and near end? They stand inside the rim and mostly against it, so an end that cuts one lies
too far in (a painted band across the points, or a shadow of the rim, was taken for it), and one that none comes near too far out (the rim's
upper edge was)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidError
from pi_board.vision.board.orientation import COLUMNS, Row
from pi_board.vision.board.through_lens import geometry_through
from pi_board.vision.checkers import slot_network as network
from pi_board.vision.checkers.blind import COUNT_PRIOR, BlindReader
from pi_board.vision.finding.pattern import apply, unit_homographies
from pi_board.vision.finding.pattern_fit import PatternFit
from pi_board.vision.finding.pattern_numbers import PRIORS
from pi_board.vision.profile import BoardProfile

Floats = npt.NDArray[Any]
Image = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class ArcModel:
    """How the outermost checkers' rims are found. Lengths are px of the network's canvas (a column is 24 wide) unless named otherwise.

    beyond: how far outside an end is looked, and inside: how far within it (shares of the field's height); the rim's upper edge lies up to 0.045
    outside.
    radii, aside: sizes of a checker's top and places beside its column's middle that are tried. arc, step: degrees of the rim, to each
    side of its outermost place, and between the places that are looked at.
    blur: of the canvas. noise: edge strengths (medians of the row) that have half a vote.
    outermost: of the rims of one column the outermost counts that has at least this share of the clearest one's votes. clear: votes
    (0..1) less the usual ones from which a rim counts. alike, witnesses: so many columns must agree to within `alike` (share of the
    height).
    Source: 80 drawn sets on the starting position (`bench_finding.py --start`, seeds 8801 and 8803): where an end was 2.2 to 3.2 % off, the
    columns said 1.9 to 3.0; where it was right, -0.6 to 1.0.
    """

    beyond: float = 0.08
    inside: float = 0.06
    radii: tuple[float, ...] = (10.3, 11.0, 11.7)
    aside: tuple[float, ...] = (-1.5, 0.0, 1.5)
    arc: float = 75.0
    step: float = 10.0
    blur: float = 1.0
    noise: float = 3.0
    outermost: float = 0.8
    clear: float = 0.25
    alike: float = 0.006
    witnesses: int = 2


ARCS = ArcModel()
#: Reach of a column in which no rim is clear.
_UNSEEN = -1.0


def beyond_ends(
    image: Image, fit: PatternFit, profile: BoardProfile, filled: npt.NDArray[np.bool_] | None = None
) -> tuple[float, float]:
    """(far, near): how far checkers reach beyond the ends of `fit`, shares of the field's height; negative: so far inside the outermost of them
    end; 0 where too few are seen or do not agree.

    image: (H, W, 3) uint8 BGR. filled: (2, 12) bool, the columns of the far and the near row with a checker, if the network has said so.
    """
    bar = float(np.clip(fit.pattern.bar, *PRIORS.rated_bar))
    sizes = profile.with_sizes(bar_width=bar * profile.field_width)
    try:
        wider = _canvas(image, fit, sizes, ARCS.beyond)
        if filled is None:
            points = network.point_scores(_canvas(image, fit, sizes, 0.0))
            filled = (points + COUNT_PRIOR).argmax(axis=2) != COUNT_PRIOR.size // 2
    except (InvalidError, np.linalg.LinAlgError, cv2.error):
        return 0.0, 0.0
    smooth = cv2.GaussianBlur(wider, (0, 0), ARCS.blur).astype(np.float32)
    right, down = (cv2.Sobel(smooth, cv2.CV_32F, *axes) / 8 for axes in ((1, 0), (0, 1)))
    noise = ARCS.noise * (float(np.median(np.hypot(right, down))) * np.sqrt(3) + 1.0)
    reach = []
    for row in Row:
        across, outwards = (
            (right, -down)
            if row is Row.FAR
            else (np.ascontiguousarray(right[::-1]), np.ascontiguousarray(down[::-1]))
        )
        columns = [c for c in range(COLUMNS) if filled[row, c]]
        reach.append(_agreed([_outermost(across, outwards, noise, c) for c in columns]))
    return reach[0], reach[1]


def with_ends(fit: PatternFit, far: float, near: float) -> PatternFit:
    """The same columns with ends so far outwards, shares of the height; nothing is looked for in the picture."""
    to_ideal = unit_homographies(fit.lens.straighten(fit.corners)[None])

    def moved(half: float) -> Floats:
        unit = np.array([[-half, -far], [half, -far], [half, 1 + near], [-half, 1 + near]])
        return np.asarray(fit.lens.bend(apply(to_ideal, unit)[0]))

    length = (fit.pattern.length + (far + near) / 2) / (1 + far + near)
    bar = None if fit.bar_edges is None else moved(fit.pattern.bar / 2)
    return replace(fit, corners=moved(0.5), bar_edges=bar, pattern=fit.pattern.with_(length=length))


def _canvas(image: Image, fit: PatternFit, profile: BoardProfile, out: float) -> Image:
    """The network's canvas of the fit with both ends moved outwards by `out` of the height."""
    size = (image.shape[1], image.shape[0])
    wider = with_ends(fit, out, out).corners
    return BlindReader(geometry_through(fit.lens, profile, wider, size)).canvas(image)


def _outermost(across: Floats, outwards: Floats, noise: float, column: int) -> float:
    """How far the outermost checker of a column reaches beyond the end, share of the height; `_UNSEEN` where no rim is clear.

    across, outwards: (H, W, 3) gradients of the wider canvas, its row 0 outside the end, in levels a px.
    noise: the strength that has half a vote."""
    high = 2 * network.ROW_PX / (1 + 2 * ARCS.beyond)
    tops = np.arange(round((ARCS.beyond + ARCS.inside) * high) + 1, dtype=np.float32)
    angles = np.radians(np.arange(-ARCS.arc, ARCS.arc + 1, ARCS.step))
    sideways, up = np.sin(angles).astype(np.float32), np.cos(angles).astype(np.float32)
    middle = (
        network.MARGIN_X + network.PITCH * (column + 0.5) + network.BAR_PX * (column >= COLUMNS / 2) - 0.5
    )
    # One row for each size, place aside and top.
    shape = (len(ARCS.radii), len(ARCS.aside), len(tops), len(angles))
    x, y = np.empty(shape, np.float32), np.empty(shape, np.float32)
    for i, radius in enumerate(ARCS.radii):
        y[i] = network.MARGIN_Y + tops[:, None] + radius - radius * up
        for k, aside in enumerate(ARCS.aside):
            x[i, k] = middle + aside + radius * sideways
    a, b = (
        cv2.remap(
            g,
            x.reshape(-1, len(angles)),
            y.reshape(-1, len(angles)),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        for g in (across, outwards)
    )
    radial = np.linalg.norm(a * sideways[:, None] + b * up[:, None], axis=2)
    whole = np.sqrt((a**2 + b**2).sum(axis=2)) + 1e-3
    # A rim's edge is radial all along; points and ends cross it.
    each = (radial / (radial + noise) * (radial / whole) ** 2).mean(axis=1)
    votes = each.reshape(-1, len(tops)).max(axis=0).astype(np.float64)
    peaks = (votes >= np.roll(votes, 1)) & (votes >= np.roll(votes, -1))
    strong = peaks & (votes >= max(ARCS.outermost * votes.max(), float(np.median(votes)) + ARCS.clear))
    return ARCS.beyond - float(tops[int(strong.argmax())]) / high if strong.any() else _UNSEEN


def _agreed(reach: list[float]) -> float:
    """The farthest reach that enough columns agree upon; 0 where none is."""
    reach = [r for r in reach if r > _UNSEEN]
    for first in sorted(reach, reverse=True):
        alike = [r for r in reach if first - 2 * ARCS.alike <= r <= first]
        if len(alike) >= ARCS.witnesses:
            return float(np.mean(alike))
    return 0.0
