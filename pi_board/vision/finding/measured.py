"""What a fit tells of this board: its registration, with the sizes that were measured."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidError, InvalidSettingsError
from pi_board.vision.board.registration import How, Registration
from pi_board.vision.board.through_lens import geometry_through
from pi_board.vision.finding.pattern_fit import PatternFit
from pi_board.vision.finding.pattern_numbers import PRIORS
from pi_board.vision.profile import BoardProfile, load_profile

Image = npt.NDArray[np.uint8]


def registered(
    image: Image, fit: PatternFit, profile: BoardProfile, confidence: float, how: How
) -> Registration:
    size = (image.shape[1], image.shape[0])
    sizes = refine_profile(profile, fit, size)
    found = Registration(fit.corners, fit.bar_edges, sizes, size, confidence, how, fit.lens)
    try:
        found.geometry()
    except InvalidError:  # What was taken for the bar's edges makes no bar.
        found = replace(found, bar_edges=None)
    return found


def refine_profile(profile: BoardProfile, fit: PatternFit, image_size: tuple[int, int]) -> BoardProfile:
    """The profile with what the picture tells about this board. Sizes marked `measured` are trusted as they are."""
    if profile.measured:
        return profile
    geometry = geometry_through(fit.lens, profile, fit.corners, image_size)
    width = profile.field_width
    height = profile.field_height * geometry.pose.height_scale
    bar = fit.pattern.bar * width
    pitch = (width - bar) / 12
    # Checkers fill a point's width on all sets that are sold, whatever the bar.
    diameter = profile.checker_diameter * pitch / profile.point_width
    shrink = diameter / profile.checker_diameter
    return profile.with_sizes(
        field_height=height,
        bar_width=bar,
        point_length=float(np.clip(fit.pattern.length, *PRIORS.usable_length)) * height,
        checker_diameter=diameter,
        checker_height=profile.checker_height * shrink,
    )


def backgammon_profile(profile: BoardProfile | str) -> BoardProfile:
    chosen = load_profile(profile) if isinstance(profile, str) else profile
    if chosen.kind != "backgammon":
        raise InvalidSettingsError(
            f"profile: expected a backgammon board, {chosen.name} is a {chosen.kind} board"
        )
    return chosen
