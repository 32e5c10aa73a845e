"""Where is the board? From the picture alone, or from the markers around it."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import AmbiguousError, InvalidError
from pi_board.vision.board.registration import Registration
from pi_board.vision.finding.choosing import choose
from pi_board.vision.finding.colour_search import places_by_colours
from pi_board.vision.finding.edge_picture import EdgePicture
from pi_board.vision.finding.find_numbers import DIM, FIND
from pi_board.vision.finding.markers import MarkerLayout, field_by_markers
from pi_board.vision.finding.measured import backgammon_profile, registered
from pi_board.vision.finding.outline import find_by_outline, outlined_places
from pi_board.vision.finding.pattern import Floats
from pi_board.vision.finding.pattern_fit import PatternFit, fit_pattern
from pi_board.vision.finding.places import fits_by_checkers, fits_of
from pi_board.vision.finding.search import search_near, search_views
from pi_board.vision.finding.worth import Ratings, seen_clearly, start_seen, sureness, worth_of
from pi_board.vision.picture import checked_picture
from pi_board.vision.profile import BoardProfile

Image = npt.NDArray[np.uint8]


def find_board(
    bgr: Image,
    profile: BoardProfile | str = "generic",
    *,
    hints: npt.ArrayLike | None = None,
    thorough: bool = False,
    quick: bool = False,
) -> Registration:
    """Finds the playing field of any set without history: by the markers around it, if there are any, else by itself.

    hints: (N, 4, 2) px, quads where it may be (from a former registration). thorough: if its points are of no usual
    shape, look for its outline too, which takes some seconds. quick: a board that is not seen clearly at once is not found: the search
    for it takes ten times as long.
    Raises AmbiguousError, with a reason in plain words, when there is no board, more than one explanation, or too
    little of it in view; InvalidError for something that is no picture.
    """
    image = checked_picture(bgr, least=FIND.least_side)
    profile = backgammon_profile(profile)
    try:
        return register_by_markers(image, profile)
    except AmbiguousError:
        return _find(_lit(image), profile, hints, thorough, quick)


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
        picture = EdgePicture(bgr)
        near = quad * picture.scale
        try:
            fit = fit_pattern(picture, search_near(picture.tensor, near) / picture.scale, profile)
        except (InvalidError, np.linalg.LinAlgError):
            fit = None
        if fit is not None and worth_of(fit) >= FIND.marked_worth and fit.ends >= FIND.least_ends:
            apart = np.linalg.norm(fit.corners - quad, axis=1).max() / np.linalg.norm(quad[1] - quad[0])
            if apart < FIND.marked_apart:
                sure = float(np.clip(sureness(worth_of(fit)), FIND.marked_least, 1.0))
                return registered(bgr, fit, profile, sure, "markers")
        if profile.name == "generic":
            raise AmbiguousError("markers: the points of the board are not where they say")
    return Registration(
        quad, None, profile, size, FIND.markers_many if count > 2 else FIND.markers_two, "markers"
    )


def _find(
    image: Image, profile: BoardProfile, hints: npt.ArrayLike | None, thorough: bool, quick: bool
) -> Registration:
    """`find_board` without markers."""
    given = None if hints is None else np.asarray(hints, dtype=np.float64)
    fits: list[PatternFit] = []
    tried: list[Floats] = []
    picture = EdgePicture(image)
    ratings = Ratings(picture, profile)
    known: dict[bytes, PatternFit] = {}
    outlined: list[tuple[Floats, float]] = []
    glances: list[Floats] = []
    at_a_glance, views = search_views(picture, given, glances)
    # Most boards have triangles and are seen clearly at once: the search for others, most of the work, is not begun then.
    at_once: list[PatternFit] = []
    clearly = False
    for places in at_a_glance:
        here = fits_of(picture, places, profile, [], known)
        at_once += here
        clearly = any(seen_clearly(fit, ratings) for fit in here)
        if clearly:
            break
    if quick and not clearly and max(map(worth_of, at_once), default=0.0) < FIND.glimpsed:
        raise AmbiguousError("no board is seen at a glance")
    if quick or clearly:
        fits, views = at_once, iter(())
    # All candidates compete, in any order. Once a board is seen clearly, the search for others stops.
    candidates = (place for places in views for place in _half_as_good(places))
    for place in candidates:
        here = fits_of(picture, [place], profile, tried, known)
        fits += here
        if any(seen_clearly(fit, ratings) for fit in here):
            break
    else:
        loose = max(map(worth_of, fits), default=0.0) < FIND.loose
        if fits is not at_once and loose and not start_seen(fits, ratings):
            # The search by the points' edges misses those that are thin or wear a pattern. Their field has an outline as any other.
            outlined = outlined_places(picture)
            fits += fits_of(picture, outlined, profile, tried, known)
            if not start_seen(fits, ratings):
                fits += fits_of(picture, _climbed(picture, outlined), profile, tried, known)
    try:
        try:
            best, confidence = choose(fits, ratings)
        except AmbiguousError:
            if fits is at_once or start_seen(fits, ratings):
                raise
            # Where the points tell nothing that is sure, the checkers may: the dearest search, and the least exact.
            glances.insert(0, places_by_colours(picture))
            fits += fits_by_checkers(picture, glances, profile)
            best, confidence = choose(fits, ratings)
    except AmbiguousError as first:
        found = find_by_outline(image, outlined or outlined_places(picture), profile) if thorough else None
        if found is None:
            raise first from None
        corners, certainty = found
        size = (image.shape[1], image.shape[0])
        return Registration(
            corners,
            None,
            profile,
            size,
            float(np.clip(np.exp(certainty), FIND.least_certainty, FIND.most_certainty)),
            "found",
        )
    return registered(image, best, profile, confidence, "found")


def _climbed(picture: EdgePicture, outlined: list[tuple[Floats, float]]) -> list[tuple[Floats, float]]:
    """The best of the outlines, moved to where points lie best near them: the clearest outline is often the frame's."""
    near = [(quad * picture.scale, score) for quad, score in outlined[: FIND.outlines_climbed]]
    return [(search_near(picture.tensor, quad) / picture.scale, score) for quad, score in near]


def _half_as_good(places: list[tuple[Floats, float]]) -> list[tuple[Floats, float]]:
    """Those whose score is not far behind the best one's, the best first."""
    good = FIND.half_as_good * max((score for _, score in places), default=0.0)
    return sorted((place for place in places if place[1] > good), key=lambda place: -place[1])


def _lit(image: Image) -> Image:
    """A picture of a dim room (H, W, 3) as bright as others: edges are searched by their strength in levels."""
    brightest = float(np.percentile(image[::4, ::4], DIM.share))
    if brightest >= DIM.dim:
        return image
    gain = min(DIM.bright / max(brightest, 1.0), DIM.most_gain)
    return np.asarray(cv2.convertScaleAbs(image, alpha=gain), np.uint8)
