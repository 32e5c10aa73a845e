"""The pattern fitted at the places that a search has come up with."""

from __future__ import annotations

from typing import Any

import numpy as np

from pi_board.errors import InvalidError
from pi_board.vision.board.distortion import USUAL_K1, RadialDistortion
from pi_board.vision.finding.by_checkers import places_by_checkers
from pi_board.vision.finding.columns_aside import (
    place_aside,
    point_beside,
    takes_in_a_point,
    ways_aside,
)
from pi_board.vision.finding.edge_picture import EdgePicture
from pi_board.vision.finding.find_numbers import FIND
from pi_board.vision.finding.pattern import Floats, PointPattern
from pi_board.vision.finding.pattern_fit import PatternFit, fit_given_corners, fit_pattern
from pi_board.vision.finding.pattern_numbers import CURVED
from pi_board.vision.finding.worth import far_apart, worth_of
from pi_board.vision.profile import BoardProfile


def fits_of(
    picture: EdgePicture,
    candidates: list[tuple[Floats, float]],
    profile: BoardProfile,
    tried: list[Floats],
    known: dict[bytes, PatternFit],
) -> list[PatternFit]:
    """The candidates fitted, but for those that are like one that was tried before; `tried` grows.
    known: the fits from these very corners, grows too."""
    fits: list[PatternFit] = []
    for quad, _ in candidates:
        # Candidates that differ only in where the points end are brought to the same place by the fit.
        if any(_alike(quad, other) for other in tried):
            continue
        tried.append(quad)
        if quad.tobytes() not in known:
            fit = _fitted(picture, quad, profile)
            if fit is None:
                continue
            fit = _straightened(picture, fit, profile)
            known[quad.tobytes()] = _with_points_beside(picture, fit, profile)
        fits.append(known[quad.tobytes()])
        curved = _curved(picture, fits[-1], profile, known)
        if curved is not None:
            fits.append(curved)
    return fits


def _curved(
    picture: EdgePicture, fit: PatternFit, profile: BoardProfile, known: dict[bytes, PatternFit]
) -> PatternFit | None:
    """The same place with points whose sides bulge, if straight ones fit and yet their ends are not seen: most of a lancet's side is
    nearly straight, but it leads to an end that lies far beyond the real one. None where the ends leave no doubt, or where it runs away."""
    if fit.pattern.power >= CURVED or fit.ends >= FIND.open_ends or fit.support < FIND.least_support:
        return None
    if fit.corners.tobytes() not in known:
        again = _fitted(picture, fit.corners, profile, settle=False, power=FIND.bulging)
        if again is None:
            return None
        known[fit.corners.tobytes()] = _with_points_beside(picture, again, profile)
    return known[fit.corners.tobytes()]


def _with_points_beside(picture: EdgePicture, fit: PatternFit, profile: BoardProfile) -> PatternFit:
    """`fit`, or the fits from where it takes in the points that are seen beside it, as long as they are better: a tray beside the field, or
    a bar as wide as a point, has edges like a column, so that one of the real ones was left out."""
    for _ in range(FIND.asides):
        if not point_beside(fit):
            break
        places = [place_aside(fit, way)[0] for way in ways_aside(fit) if takes_in_a_point(fit, way)]
        fits = [_fitted(picture, corners, profile, settle=False) for corners in places]
        best = max((its for its in fits if its is not None), key=worth_of, default=fit)
        if worth_of(best) <= worth_of(fit):
            break
        fit = best
    return fit


def _straightened(picture: EdgePicture, fit: PatternFit, profile: BoardProfile) -> PatternFit:
    """`fit`, again from where it came to lie if the lens bends much: the search knows straight lines only, so the way was long."""
    for _ in range(FIND.again):
        if abs(fit.lens.k1 - USUAL_K1) < FIND.bent or worth_of(fit) < FIND.worth_again:
            break
        again = _fitted(picture, fit.corners, profile, settle=False)
        if again is None:
            break
        moved = far_apart(again, fit)
        if moved > FIND.most_again:
            break
        fit = again
        if moved < FIND.settles:
            break
    return fit


def _alike(quad: Floats, other: Floats) -> bool:
    middles = (
        quad + np.roll(quad, -1, axis=0) - other - np.roll(other, -1, axis=0)
    ) / 2  # top right bottom left
    width = float(np.linalg.norm(quad[1] - quad[0]))
    far, right, near, left = np.linalg.norm(middles, axis=1) / width
    return max(left, right) < FIND.alike_across and max(far, near) < FIND.alike_along


def fits_by_checkers(picture: EdgePicture, glances: list[Floats], profile: BoardProfile) -> list[PatternFit]:
    """What is fitted where the network sees a board, if the search by edges has left doubt."""
    fits: list[PatternFit] = []
    for quad in places_by_checkers(picture.image, glances, profile):
        as_seen = [_fitted(picture, quad, profile, settle=False, ends_known=known) for known in (False, True)]
        fits += [fit for fit in as_seen if fit is not None]
        # Where the points are hardly seen, edges lead away from what the checkers tell.
        try:
            fits.append(fit_given_corners(picture, quad, profile))
        except (InvalidError, np.linalg.LinAlgError):
            continue
    return fits


def fit_again(
    picture: EdgePicture,
    corners: Floats,
    profile: BoardProfile,
    *,
    ends_known: bool = False,
    begin: tuple[PointPattern, RadialDistortion] | None = None,
) -> PatternFit | None:
    """The pattern fitted from a place that was found by what lies on it; None when it runs away. begin: as of `fit_pattern`."""
    return _fitted(picture, corners, profile, settle=False, ends_known=ends_known, begin=begin)


def _fitted(picture: EdgePicture, corners: Floats, profile: BoardProfile, **how: Any) -> PatternFit | None:
    """`fit_pattern` from there; None when it runs away. how: as of `fit_pattern`."""
    try:
        return fit_pattern(picture, corners, profile, **how)
    except (InvalidError, np.linalg.LinAlgError):
        return None
