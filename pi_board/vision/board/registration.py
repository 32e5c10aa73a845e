"""Where is the board? From the picture alone, from given corners, or from printed markers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import AmbiguousError, InvalidError, InvalidSettingsError
from pi_board.vision.board.geometry import BoardGeometry, check_corners
from pi_board.vision.board.markers import MarkerLayout, field_by_markers
from pi_board.vision.board.outline import find_by_outline
from pi_board.vision.board.pattern import Floats, apply, edge_tensor, unit_homographies
from pi_board.vision.board.pattern_fit import (
    CURVED,
    PRIORS,
    USUAL_K1,
    PatternFit,
    RadialDistortion,
    fit_given_corners,
    fit_pattern,
)
from pi_board.vision.board.rating import PlacementRating, rate, rate_fit
from pi_board.vision.board.search import (
    SEARCH_WIDTH,
    search_near,
    search_views,
)
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
#: And of noise the network makes nothing (nats; -7 and more on boards that it has never seen).
_NOISE_CERTAINTY = -11.0
#: Checkers that must be seen on a board whose points have curved sides.
_CLOTH_CHECKERS = 8
#: Places of a view are fitted as far as they score at least this share of the best.
_HALF_AS_GOOD = 0.55
#: A second, different reading of the board that is worth as much but for this makes the first doubtful.
_RIVAL = 0.015
#: A fit is repeated so often where the lens's k1 is farther from the usual one, if it is worth so much; as long as it moves by more than
#: the last (share of the width), and unless it runs away.
_AGAIN, _BENT, _WORTH_AGAIN, _SETTLES, _MOST_AGAIN = 3, 0.1, 0.4, 0.003, 0.06
#: From here on a board is seen so clearly that nothing else is looked for.
_CLEAR_WORTH, _CLEAR_ALTERNATION = 0.78, 0.6
_SEEN_WORTH, _SEEN_ENDS, _SEEN_CHECKERS, _SEEN_CERTAINTY = 0.62, 0.7, 24, -2.0
#: So many fits are shown to the network, none that is worth so much less than the best; a place a column aside is looked at where
#: the network's word is worth so much more there.
_RATED, _FAR_BEHIND, _ASIDE = 4, 0.25, 0.02
#: A pattern must be worth so much where markers say that the board is, and lie no farther from there (share of the width): less
#: than a column, as one aside looks much the same.
_MARKED_WORTH, _MARKED_APART = 0.6, 0.055
#: The starting position at a place is worth so much of a pattern.
_START = 0.15


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
    lens: RadialDistortion | None = None

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


def _fits(
    image: Image,
    candidates: list[tuple[Floats, float]],
    profile: BoardProfile,
    at: tuple[Floats, float],
    tried: list[Floats],
) -> list[PatternFit]:
    """The candidates fitted, but for those that are like one that was tried before; `tried` grows. at: `_tensor` of the picture."""
    tensor, scale = at
    fits: list[PatternFit] = []
    for quad, _ in candidates:
        # Candidates that differ only in where the points end are brought to the same place by the fit.
        if any(_alike(quad, other) for other in tried):
            continue
        tried.append(quad)
        try:
            fit = fit_pattern(image, quad, tensor, scale, profile)
        except (InvalidError, np.linalg.LinAlgError):
            continue
        fits.append(_straightened(image, fit, tensor, scale, profile))
    return fits


def _straightened(
    image: Image, fit: PatternFit, tensor: Floats, scale: float, profile: BoardProfile
) -> PatternFit:
    """`fit`, again from where it came to lie if the lens bends much: the search knows straight lines only, so the way was long."""
    for _ in range(_AGAIN):
        if abs(fit.lens.k1 - USUAL_K1) < _BENT or _worth(fit) < _WORTH_AGAIN:
            break
        try:
            again = fit_pattern(image, fit.corners, tensor, scale, profile, settle=False)
        except (InvalidError, np.linalg.LinAlgError):
            break
        moved = _apart(again, fit)
        if moved > _MOST_AGAIN:
            break
        fit = again
        if moved < _SETTLES:
            break
    return fit


def _alike(quad: Floats, other: Floats) -> bool:
    middles = (
        quad + np.roll(quad, -1, axis=0) - other - np.roll(other, -1, axis=0)
    ) / 2  # top right bottom left
    width = float(np.linalg.norm(quad[1] - quad[0]))
    far, right, near, left = np.linalg.norm(middles, axis=1) / width
    return max(left, right) < 0.02 and max(far, near) < 0.08


def _worth(fit: PatternFit) -> float:
    """How well a fit is borne out by the picture, about 0.45 by chance and 0.6 to 1 on a board."""
    odd_lens = max(0.0, fit.lens.k1 - 0.02, -0.4 - fit.lens.k1)  # Wide lenses bend straight edges this much.
    return fit.support + 0.25 * (fit.ends - 0.8) + 0.15 * (fit.alternation - 0.5) - 0.3 * odd_lens


def find_board(
    bgr: Image,
    profile: BoardProfile | str = "generic",
    *,
    hints: npt.ArrayLike | None = None,
    thorough: bool = False,
) -> Registration:
    """Finds the playing field of any set without history: by the markers around it, if there are any, else by itself.

    hints: (N, 4, 2) px, quads where it may be (from a former registration). thorough: if its points are of no usual
    shape, look for its outline too, which takes some seconds.
    Raises AmbiguousError, with a reason in plain words, when there is no board, more than one explanation, or too
    little of it in view; InvalidError for something that is no picture.
    """
    image = checked_picture(bgr, least=_LEAST_SIDE)
    profile = _profile(profile)
    try:
        return register_by_markers(image, profile)
    except AmbiguousError:
        return _find(image, profile, hints, thorough)


def register_by_markers(
    bgr: Image, profile: BoardProfile, layout: MarkerLayout | None = None, *, refine: bool = True
) -> Registration:
    """The board's place from the markers in view (two are enough), then refined on the board itself.

    layout: `standard_layout` of the profile when None. refine: the cards lie only about right and sizes are rarely
    exact, so the points of the board have the last word where they can be seen; markers alone otherwise.
    Raises AmbiguousError when fewer than two known markers are seen or they contradict their layout, or when the board cannot be
    refined and its sizes are nobody's (the profile "generic"), so that the markers' word says nothing about where its field ends.
    """
    quad, count = field_by_markers(bgr, profile, layout)
    size = (bgr.shape[1], bgr.shape[0])
    if refine:
        tensor, scale = _tensor(bgr)
        try:
            fit = fit_pattern(bgr, search_near(tensor, quad * scale) / scale, tensor, scale, profile)
        except (InvalidError, np.linalg.LinAlgError):
            fit = None
        if fit is not None and _worth(fit) >= _MARKED_WORTH and fit.ends >= _LEAST_ENDS:
            apart = np.linalg.norm(fit.corners - quad, axis=1).max() / np.linalg.norm(quad[1] - quad[0])
            if apart < _MARKED_APART:
                sure = float(np.clip((_worth(fit) - 0.42) / 0.24, 0.6, 1.0))
                return _registration(bgr, fit, profile, sure, "markers")
        if profile.name == "generic":
            raise AmbiguousError("markers: the points of the board are not where they say")
    return Registration(quad, None, profile, size, 0.6 if count > 2 else 0.4, "markers")


def _find(image: Image, profile: BoardProfile, hints: npt.ArrayLike | None, thorough: bool) -> Registration:
    """`find_board` without markers."""
    given = None if hints is None else np.asarray(hints, dtype=np.float64)
    fits: list[PatternFit] = []
    tried: list[Floats] = []
    tensor = _tensor(image)
    # All candidates compete, in any order. Once a board is seen clearly, the search for others stops.
    for places in search_views(image, given):
        good = _HALF_AS_GOOD * max((score for _, score in places), default=0.0)
        for place in sorted(places, key=lambda place: -place[1]):
            here = _fits(image, [place], profile, tensor, tried) if place[1] > good else []
            fits += here
            if any(_clear(image, fit, profile) for fit in here):
                break
        else:
            continue
        break
    try:
        best, confidence = _choose(image, fits, profile)
    except AmbiguousError as first:
        found = find_by_outline(image, profile) if thorough else None
        if found is None:
            raise first from None
        corners, certainty = found
        size = (image.shape[1], image.shape[0])
        return Registration(
            corners, None, profile, size, float(np.clip(np.exp(certainty), 0.1, 0.9)), "found"
        )
    return _registration(image, best, profile, confidence, "found")


def _clear(image: Image, fit: PatternFit, profile: BoardProfile) -> bool:
    """Nobody would look for a second board: two colours take turns, or (on boards with three) the network sees all that lies there."""
    if _worth(fit) >= _CLEAR_WORTH and fit.alternation >= _CLEAR_ALTERNATION:
        return True
    if _worth(fit) < _SEEN_WORTH or fit.ends < _SEEN_ENDS:
        return False
    rating = rate_fit(image, fit, profile)
    return rating.start or (rating.checkers >= _SEEN_CHECKERS and rating.certainty > _SEEN_CERTAINTY)


def _choose(image: Image, fits: list[PatternFit], profile: BoardProfile) -> tuple[PatternFit, float]:
    """The best fit and how sure it is, 0..1. Raises AmbiguousError when it is not good enough, or not the only one."""
    if not fits:
        raise AmbiguousError("no board found: nothing in the picture has the points of a backgammon board")
    fits = _distinct(sorted(fits, key=lambda fit: -_worth(fit)))
    rated = [
        (fit, rate_fit(image, fit, profile))
        for fit in fits[:_RATED]
        if _worth(fit) > _worth(fits[0]) - _FAR_BEHIND
    ]
    best, rating = max(rated, key=lambda r: _worth(r[0]) + r[1].value)
    if not rating.start and (rating.checkers < _SEEN_CHECKERS or rating.certainty < _SEEN_CERTAINTY):
        rated += _a_point_aside(image, (best, rating), profile)
    rated.sort(key=lambda r: -(_worth(r[0]) + r[1].value))
    best, rating = rated[0]
    worth = _worth(best) + (_START if rating.start else 0.0)
    if worth < _LEAST_WORTH:
        raise AmbiguousError(
            "no board found: too few points are in view; the whole board must be in the picture, lit and not covered"
        )
    by_chance = best.ends < _NOISE_ENDS and best.alternation < _NOISE_ALTERNATION and not rating.board
    # Many tablecloths have blocks of two colours, so without a checker only triangles prove a board.
    cloth = best.pattern.power > CURVED and rating.checkers < _CLOTH_CHECKERS
    if by_chance or cloth or (best.ends < _NOISE_ENDS and rating.certainty < _NOISE_CERTAINTY):
        raise AmbiguousError("no board found: nothing in the picture has the points of a backgammon board")
    if best.ends < _LEAST_ENDS and not rating.board:
        raise AmbiguousError(
            "board found, but not where its far and near edges are; give --corners or clear the view"
        )
    for other, its in rated[1:]:
        if _apart(other, best) > 0.05 and _worth(other) + its.value > _worth(best) + rating.value - _RIVAL:
            raise AmbiguousError(
                "two ways to see the board fit equally well; set up the starting position, give --corners or change the view"
            )
    return best, float(np.clip((worth - 0.42) / 0.24, 0.0, 1.0))


def _distinct(fits: list[PatternFit]) -> list[PatternFit]:
    """Without those that are where a better one (an earlier one) is."""
    kept: list[PatternFit] = []
    for fit in fits:
        if all(_apart(fit, other) > 0.02 for other in kept):
            kept.append(fit)
    return kept


def _apart(fit: PatternFit, other: PatternFit) -> float:
    """How far the farthest corners are apart, as a share of the width."""
    width = float(np.linalg.norm(other.corners[1] - other.corners[0]))
    return float(np.linalg.norm(fit.corners - other.corners, axis=1).max()) / width


def _a_point_aside(
    image: Image, best: tuple[PatternFit, PlacementRating], profile: BoardProfile
) -> list[tuple[PatternFit, PlacementRating]]:
    """Where the board would be if a half, or both, lay a column further out or in: the likeliest such place, if the network rather
    sees a board there."""
    fit, rating = best
    pitch, bar = fit.pattern.pitch, fit.pattern.bar
    beside: list[tuple[float, Floats]] = []
    for left, right in product((0, 1, -1), repeat=2):
        grown = (left + right) * pitch
        other = (bar + grown) / (1 + grown)
        if (left, right) == (0, 0) or not PRIORS.least_bar <= other <= PRIORS.most_bar:
            continue
        low, high = -0.5 - left * pitch, 0.5 + right * pitch
        unit = np.array([[low, 0.0], [high, 0.0], [high, 1.0], [low, 1.0]])
        moved = apply(unit_homographies(fit.corners[None]), unit)[0]
        value = rate(image, moved, profile, float(np.clip(other, 0.03, 0.14))).value
        if value > rating.value + _ASIDE:
            beside.append((value, moved))
    if not beside:
        return []
    try:
        again = fit_pattern(image, max(beside, key=lambda b: b[0])[1], *_tensor(image), profile, settle=False)
    except (InvalidError, np.linalg.LinAlgError):
        return []
    return [(again, rate_fit(image, again, profile))]


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
