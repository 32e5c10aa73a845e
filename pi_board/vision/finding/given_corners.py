"""The board in given corners: its bar and its sizes, from the picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidError
from pi_board.vision.board.geometry import check_corners
from pi_board.vision.board.registration import Registration
from pi_board.vision.finding.edge_picture import EdgePicture
from pi_board.vision.finding.find_numbers import FIND
from pi_board.vision.finding.measured import backgammon_profile, registered
from pi_board.vision.finding.pattern_fit import PatternFit, fit_given_corners
from pi_board.vision.picture import checked_picture
from pi_board.vision.profile import BoardProfile

Floats = npt.NDArray[Any]
Image = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class OtherLenses:
    """When the points are looked for through a lens that bends more than most, though the corners are known.

    The sides of the points lie too far from where a usual lens shows them then. little: support (0..1) of a fit through the usual lens
    below which others are tried; k1: where these fits begin; more: support by which one of them must be better.
    Source: every second of the shared `rooms`, as they are and bent by k1 = -.2 and -.3 besides (12 each): fits with the usual lens have
    .44 to .88 (one, of a wide lens, .29), .19 to .79 and .05 to .59; begun with the right k1 .56 to .89. Whole boards right with
    corners given 12, 9 and 7 of 12 before; found by itself, which tries lenses too, 12, 12 and 11.
    """

    little: float = 0.45
    k1: tuple[float, ...] = (-0.12, -0.24, -0.36, -0.48)
    more: float = 0.05


LENSES = OtherLenses()


def fit_bar(bgr: Image, corners: npt.ArrayLike, profile: BoardProfile | str = "generic") -> Registration:
    """Bar edges and sizes from the picture when the field's corners (4, 2) px TL TR BR BL are given.

    The corners are kept as given. Raises InvalidError for corners that are no convex quadrilateral.
    """
    image = checked_picture(bgr, least=FIND.least_side)
    profile = backgammon_profile(profile)
    size = (image.shape[1], image.shape[0])
    quad = check_corners(corners, size)
    fit = _fitted(EdgePicture(image, roughly=True), quad, profile)
    if fit is None or fit.support < FIND.least_support:
        return Registration(quad, None, profile, size, FIND.unmeasured, "corners")
    return registered(
        image,
        replace(fit, corners=quad),
        profile,
        float(np.clip(fit.support + FIND.support_more, FIND.given_least, 1)),
        "corners",
    )


def _fitted(picture: EdgePicture, quad: Floats, profile: BoardProfile) -> PatternFit | None:
    """The points in these corners, through the usual lens or another one; None where none are seen."""
    best = _fitted_through(picture, quad, profile)
    if best is not None and best.support >= LENSES.little:
        return best
    for k1 in LENSES.k1:
        other = _fitted_through(picture, quad, profile, k1)
        if other is not None and (best is None or other.support > best.support + LENSES.more):
            best = other
    return best


def _fitted_through(
    picture: EdgePicture, quad: Floats, profile: BoardProfile, k1: float | None = None
) -> PatternFit | None:
    try:
        return fit_given_corners(picture, quad, profile, k1)
    except (InvalidError, np.linalg.LinAlgError):
        return None
