"""Where is the board? From the picture alone, from given corners, or (see `markers`) from printed markers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import AmbiguousError, InvalidError, InvalidSettingsError
from pi_board.vision.board.geometry import BoardGeometry, check_corners
from pi_board.vision.board.outline import find_by_outline
from pi_board.vision.board.pattern import Floats, edge_tensor
from pi_board.vision.board.pattern_fit import USUAL_K1, Lens, PatternFit, fit_given_corners, fit_pattern
from pi_board.vision.board.search import SEARCH_WIDTH, search_board, search_turned_board
from pi_board.vision.picture import checked_picture
from pi_board.vision.profile import BoardProfile, load_profile

Image = npt.NDArray[np.uint8]
How = Literal["found", "markers", "corners", "bump"]

#: Pixels a side below which the points of a board are narrower than the edges' blur.
_LEAST_SIDE = 120
#: Below these a board is not called found.
_LEAST_WORTH, _LEAST_ENDS = 0.53, 0.45
#: Pure noise reaches this far by chance: edges everywhere, but neither ends of points nor two colours in turn.
_NOISE_ENDS, _NOISE_ALTERNATION = 0.52, 0.4
#: A second, different reading of the board that explains nearly as much makes the first doubtful.
_RIVAL = 0.98


@dataclass(frozen=True)
class Registration:
    """Where the board is in a picture.

    corners: (4, 2) px TL TR BR BL of the playing field at board level. bar_edges: (4, 2) px far-left, far-right,
    near-right, near-left corners of the bar, None when unknown. profile: sizes as refined from the picture.
    image_size: (width, height). confidence: 0..1. how: where the corners come from.
    lens: radial distortion as far as the board's own straight lines show it, None when unknown.
    """

    corners: Floats
    bar_edges: Floats | None
    profile: BoardProfile
    image_size: tuple[int, int]
    confidence: float
    how: How
    lens: Lens | None = None

    def geometry(self) -> BoardGeometry:
        """Both directions between board and picture for this registration."""
        return BoardGeometry(self.profile, self.corners, self.image_size, bar_edges=self.bar_edges)


def _tensor(image: Image) -> tuple[Floats, float]:
    scale = SEARCH_WIDTH / image.shape[1]
    interpolation = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return edge_tensor(cv2.resize(image, None, fx=scale, fy=scale, interpolation=interpolation)), scale  # type: ignore[arg-type]


def _profile(profile: BoardProfile | str) -> BoardProfile:
    chosen = load_profile(profile) if isinstance(profile, str) else profile
    if chosen.kind != "backgammon":
        raise InvalidSettingsError(
            f"profile: expected a backgammon board, {chosen.name} is a {chosen.kind} board"
        )
    return chosen


def _fits(image: Image, candidates: list[tuple[Floats, float]], profile: BoardProfile) -> list[PatternFit]:
    tensor, scale = _tensor(image)
    fits: list[PatternFit] = []
    tried: list[Floats] = []
    for quad, _ in candidates:
        # Candidates that differ only in where the points end are brought to the same place by the fit.
        if any(_alike(quad, other) for other in tried):
            continue
        tried.append(quad)
        try:
            fits.append(fit_pattern(image, quad, tensor, scale, profile))
        except (InvalidError, np.linalg.LinAlgError):
            continue
    return sorted(fits, key=lambda fit: -_worth(fit))


def _alike(quad: Floats, other: Floats) -> bool:
    middles = (
        quad + np.roll(quad, -1, axis=0) - other - np.roll(other, -1, axis=0)
    ) / 2  # top right bottom left
    width = float(np.linalg.norm(quad[1] - quad[0]))
    far, right, near, left = np.linalg.norm(middles, axis=1) / width
    return max(left, right) < 0.02 and max(far, near) < 0.08


def _worth(fit: PatternFit) -> float:
    """How well a fit is borne out by the picture, about 0.45 by chance and 0.6 to 1 on a board."""
    odd_lens = max(0.0, abs(fit.lens.k1 - USUAL_K1) - 0.05)
    return fit.support + 0.25 * (fit.ends - 0.8) + 0.15 * (fit.alternation - 0.5) - 0.3 * odd_lens


def find_board(
    bgr: Image,
    profile: BoardProfile | str = "generic",
    *,
    hints: npt.ArrayLike | None = None,
    thorough: bool = False,
) -> Registration:
    """Finds the playing field of any set, without markers and without history.

    hints: (N, 4, 2) px, quads where it may be (from markers, from a former registration). thorough: if its points are of no usual
    shape, look for its outline too, which takes some seconds.
    Raises AmbiguousError, with a reason in plain words, when there is no board, more than one explanation, or too
    little of it in view; InvalidError for something that is no picture.
    """
    image = checked_picture(bgr, least=_LEAST_SIDE)
    profile = _profile(profile)
    try:
        best, confidence = _choose(
            image,
            search_board(image, None if hints is None else np.asarray(hints, dtype=np.float64)),
            profile,
        )
    except AmbiguousError as first:
        try:
            best, confidence = _choose(image, search_turned_board(image), profile)
        except AmbiguousError:
            found = find_by_outline(image, profile) if thorough else None
            if found is None:
                raise first from None
            corners, certainty = found
            size = (image.shape[1], image.shape[0])
            return Registration(
                corners, None, profile, size, float(np.clip(np.exp(certainty), 0.1, 0.9)), "found"
            )
    return _registration(image, best, profile, confidence, "found")


def _choose(
    image: Image, candidates: list[tuple[Floats, float]], profile: BoardProfile
) -> tuple[PatternFit, float]:
    """The best fit and how sure it is, 0..1. Raises AmbiguousError when it is not good enough, or not the only one."""
    if not candidates:
        raise AmbiguousError("no board found: no four edges in the picture that could be a board's")
    fits = _fits(image, candidates, profile)
    if not fits:
        raise AmbiguousError("no board found: nothing in the picture has the points of a backgammon board")
    best = fits[0]
    if _worth(best) < _LEAST_WORTH:
        raise AmbiguousError(
            "no board found: too few points are in view; the whole board must be in the picture, lit and not covered"
        )
    if best.ends < _NOISE_ENDS and best.alternation < _NOISE_ALTERNATION:
        raise AmbiguousError("no board found: nothing in the picture has the points of a backgammon board")
    if best.ends < _LEAST_ENDS:
        raise AmbiguousError(
            "board found, but not where its far and near edges are; give --corners or clear the view"
        )
    width = float(np.linalg.norm(best.corners[1] - best.corners[0]))
    for other in fits[1:]:
        apart = float(np.linalg.norm(other.corners - best.corners, axis=1).max())
        if apart > 0.05 * width and _worth(other) > _RIVAL * _worth(best):
            raise AmbiguousError(
                "two ways to see the board fit equally well; give --corners or change the view"
            )
    return best, float(np.clip((_worth(best) - 0.42) / 0.24, 0.0, 1.0))


def fit_bar(bgr: Image, corners: npt.ArrayLike, profile: BoardProfile | str = "generic") -> Registration:
    """Bar edges and sizes from the picture when the field's corners (4, 2) px TL TR BR BL are given.

    The corners are kept as given. Raises InvalidError for corners that are no convex quadrilateral.
    """
    image = checked_picture(bgr, least=_LEAST_SIDE)
    profile = _profile(profile)
    size = (image.shape[1], image.shape[0])
    quad = check_corners(corners, size)
    try:
        fit = fit_given_corners(image, quad, *_tensor(image), profile)
    except (InvalidError, np.linalg.LinAlgError):
        fit = None
    if fit is None or fit.support < 0.25:
        return Registration(quad, None, profile, size, 0.5, "corners")
    return _registration(
        image, replace(fit, corners=quad), profile, float(np.clip(fit.support + 0.3, 0.5, 1)), "corners"
    )


def _registration(
    image: Image, fit: PatternFit, profile: BoardProfile, confidence: float, how: How
) -> Registration:
    size = (image.shape[1], image.shape[0])
    return Registration(
        fit.corners, fit.bar_edges, refine_profile(profile, fit, size), size, confidence, how, fit.lens
    )


def refine_profile(profile: BoardProfile, fit: PatternFit, image_size: tuple[int, int]) -> BoardProfile:
    """The profile with what the picture tells about this board. Sizes marked `measured` are trusted as they are."""
    if profile.measured:
        return profile
    geometry = BoardGeometry(profile, fit.corners, image_size)
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
        point_length=float(np.clip(fit.pattern.length, 0.2, 0.49)) * height,
        checker_diameter=diameter,
        checker_height=profile.checker_height * shrink,
    )
