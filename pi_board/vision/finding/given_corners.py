"""The board in given corners: its bar and its sizes, from the picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidError
from pi_board.vision.board.geometry import check_corners
from pi_board.vision.board.registration import Registration
from pi_board.vision.finding.edge_picture import EdgePicture
from pi_board.vision.finding.find_numbers import FIND
from pi_board.vision.finding.measured import backgammon_profile, registered
from pi_board.vision.finding.pattern_fit import fit_given_corners
from pi_board.vision.picture import checked_picture
from pi_board.vision.profile import BoardProfile

Image = npt.NDArray[np.uint8]


def fit_bar(bgr: Image, corners: npt.ArrayLike, profile: BoardProfile | str = "generic") -> Registration:
    """Bar edges and sizes from the picture when the field's corners (4, 2) px TL TR BR BL are given.

    The corners are kept as given. Raises InvalidError for corners that are no convex quadrilateral.
    """
    image = checked_picture(bgr, least=FIND.least_side)
    profile = backgammon_profile(profile)
    size = (image.shape[1], image.shape[0])
    quad = check_corners(corners, size)
    try:
        fit = fit_given_corners(EdgePicture(image, roughly=True), quad, profile)
    except (InvalidError, np.linalg.LinAlgError):
        fit = None
    if fit is None or fit.support < FIND.least_support:
        return Registration(quad, None, profile, size, FIND.unmeasured, "corners")
    return registered(
        image,
        replace(fit, corners=quad),
        profile,
        float(np.clip(fit.support + FIND.support_more, FIND.given_least, 1)),
        "corners",
    )
