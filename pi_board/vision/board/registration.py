"""Where is the board? From the picture alone, from given corners, or from printed markers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Literal

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import AmbiguousError, InvalidError, InvalidSettingsError
from pi_board.vision.board.by_checkers import places_by_checkers
from pi_board.vision.board.geometry import BoardGeometry, check_corners
from pi_board.vision.board.markers import MarkerLayout, field_by_markers
from pi_board.vision.board.outline import find_by_outline
from pi_board.vision.board.pattern import (
    POWERS,
    Floats,
    PointPattern,
    apply,
    edge_tensor,
    unit_homographies,
)
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


@dataclass(frozen=True, slots=True)
class FindModel:
    """When a board counts as found. A "worth" is `_worth` of a fit; a "certainty" is of `PlacementRating`, nats, 0 at best.

    Source, where no other is named: chosen by eye on the pictures of `tests/bench/bench_finding.py` (drawn sets, rooms, stills);
    that bench shows what a change does. "Swept" (2026-11-22, 24 of the rooms and 24 of the stills, one number at a time, no
    picture without a board among them): over the whole range named the answer is the same for all 48: 46 boards within 2 % of the
    width, one wrong, one refused.

    least_side: px a side below which the points of a board are narrower than the edges' blur.
    least_worth, least_ends: below these (0..1) no board is called found. Swept 0.40..0.53 and 0.30..0.60; with 0.57..0.61 the wrong
    one is refused, and two right ones with it.
    noise_ends, noise_alternation: how far pure noise gets by chance: it has edges everywhere, but neither ends of points nor two
    colours in turn; noise_ends swept 0.40..0.64. noise_certainty: nats, swept -16..-7; of noise the network makes nothing, while
    boards it has never seen reach -7 and more.
    least_borne_out: worth that is enough where the ends of the points (seen_ends) and the network both show a board: seen from low
    down, checkers cover many sides.
    cloth_checkers: checkers (0..30) that must be seen on a board whose points have curved sides, as many a cloth looks like one;
    swept 4..16.
    half_as_good: places of a view are fitted that score at least this share of the best.
    rival: a second, different reading makes the first doubtful if it is worth no more than this less, swept 0..0.03 (0.06
    refuses one more). apart: share of the width
    from which it is a different one; same: share up to which two fits are one.

    again: repetitions of a fit whose lens's k1 is farther than `bent` from the usual one, if it is worth `worth_again`; they go on
    as long as a fit moves by more than `settles` (share of the width), and end when it runs away by `most_again`.

    open_ends: ends (0..1) below which points that look straight may be lancets; bulging: power of those.

    clear_worth, clear_alternation: from here on nobody would look for a second board; or from seen_worth, seen_ends and
    seen_checkers (of 30) of the network with seen_certainty (nats) on, for boards with three colours.
    rated, far_behind: so many fits are shown to the network, none that is worth so much less than the best. aside: unless all_checkers are seen, places a
    column aside are fitted where the network's word is worth hardly less there; asides: so many times one after the other,
    asides_fitted: of them, the likeliest first. ends_moved: how far outwards either end is tried (shares of the height) where open_ends
    are in doubt; ends_better: by so much more must the network see.
    loose: worth below which a board that the network sees is fitted again with a corner moved by `shaken` (share of an edge), shakes: at
    most so many times; shaken_better: worth by which that must be better.

    marked_worth, marked_apart: a pattern must be worth so much where markers say that the board is, and lie no farther from there
    (share of the width): less than a column (about 0.07), as one aside looks much the same.
    marked_least: confidence of such a pattern at least. markers_many, markers_two: confidence in markers alone, of three or more
    and of two. start: worth of the starting position at a place, swept 0..0.25.
    starts, like_start: so many places are looked at again a column aside, and the first starts_far two columns aside, where the starting position explains them by no more than
    so many nats worse than each point by itself: a half that is a column off costs it 25 to 50, other positions 60 and more
    (`bench_finding.py --start`). trusted_certainty, lost_certainty: unless the starting position shows, a place is no surer than what
    the network makes of it: certainty (nats) down to which it may be quite sure, and nats over which that is lost; least_sure: not
    below this; sure_ends: nor is a place surer than its ends, of which so much is enough.
    sure_from, sure_over: a worth of sure_from is confidence 0, and 1 sure_over higher.

    alike_across, alike_along: middles of two quads' sides within these shares of the width are one candidate: the search places
    the ends of points worse than their sides.
    usual_ends, usual_alternation: what boards reach; ends_weight, alternation_weight: worth of one unit more.
    most_k1, least_k1, odd_lens: k1 beyond these costs odd_lens a unit; wide lenses bend by as much as that.
    least_certainty, most_certainty: confidence (0..1) of a board found by its outline.
    least_support: support from which the bar is measured in given corners; support_more, given_least: of its confidence.
    unmeasured: confidence in given corners whose points cannot be seen.
    """

    least_side: int = 120
    least_worth: float = 0.53
    least_borne_out: float = 0.42
    least_ends: float = 0.45
    noise_ends: float = 0.52
    noise_alternation: float = 0.4
    noise_certainty: float = -11.0
    cloth_checkers: int = 8
    half_as_good: float = 0.55
    rival: float = 0.015
    apart: float = 0.05
    same: float = 0.02
    again: int = 3
    bent: float = 0.1
    open_ends: float = 0.7
    bulging: float = POWERS[1]
    worth_again: float = 0.4
    settles: float = 0.003
    most_again: float = 0.06
    clear_worth: float = 0.78
    clear_alternation: float = 0.6
    seen_worth: float = 0.62
    seen_ends: float = 0.7
    seen_checkers: int = 24
    all_checkers: int = 30
    seen_certainty: float = -2.0
    rated: int = 4
    far_behind: float = 0.25
    aside: float = 0.02
    asides: int = 3
    asides_fitted: int = 2
    ends_moved: tuple[float, ...] = (-0.15, -0.12, -0.09, -0.06, -0.03, 0.0, 0.03, 0.06, 0.09)
    ends_better: float = 0.04
    loose: float = 0.6
    shaken: float = 0.05
    shaken_better: float = 0.04
    shakes: int = 20
    marked_worth: float = 0.6
    marked_apart: float = 0.055
    marked_least: float = 0.6
    markers_many: float = 0.6
    markers_two: float = 0.4
    start: float = 0.15
    starts: int = 6
    starts_far: int = 2
    like_start: float = -75.0
    trusted_certainty: float = -3.0
    lost_certainty: float = 8.0
    least_sure: float = 0.3
    sure_ends: float = 0.6
    sure_from: float = 0.42
    sure_over: float = 0.24
    alike_across: float = 0.02
    alike_along: float = 0.08
    usual_ends: float = 0.8
    usual_alternation: float = 0.5
    ends_weight: float = 0.25
    alternation_weight: float = 0.15
    most_k1: float = 0.02
    least_k1: float = -0.4
    odd_lens: float = 0.3
    least_certainty: float = 0.1
    most_certainty: float = 0.9
    least_support: float = 0.25
    support_more: float = 0.3
    given_least: float = 0.5
    unmeasured: float = 0.5


FIND = FindModel()


@dataclass(frozen=True, slots=True)
class DimModel:
    """When a picture is brightened before a board is searched in it.

    share: percentile of all values that tells its brightest things (the white of checkers and points). dim: level (8-bit) below which
    they are brightened, bright: to this one, most_gain: by no more than this factor, for noise grows too.
    Source: pictures of 67 drawn rooms of the campaign, of which 13 are dim (109 to 117; others have 200 and more): five of seven dim travel boards
    were found only after seconds or not at all, then all at once; the others as before.
    """

    share: float = 99.5
    dim: float = 190.0
    bright: float = 235.0
    most_gain: float = 4.0


DIM = DimModel()


class _Ratings:
    """`rate_fit` of the fits in one picture, each rated once: the network's word costs as much as a fit."""

    def __init__(self, image: Image, profile: BoardProfile) -> None:
        self.image, self.profile = image, profile
        # The fits are kept too, so that no other gets the identity of one that is gone.
        self._known: dict[int, tuple[PatternFit, PlacementRating]] = {}

    def of(self, fit: PatternFit) -> PlacementRating:
        if id(fit) not in self._known:
            self._known[id(fit)] = fit, rate_fit(self.image, fit, self.profile)
        return self._known[id(fit)][1]


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


def _tensor(image: Image, *, roughly: bool = False) -> tuple[Floats, float]:
    scale = SEARCH_WIDTH / image.shape[1]
    interpolation = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small: Any = cv2.resize(image, None, fx=scale, fy=scale, interpolation=interpolation)
    return edge_tensor(small, roughly=roughly), scale


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
    known: dict[bytes, PatternFit],
) -> list[PatternFit]:
    """The candidates fitted, but for those that are like one that was tried before; `tried` grows. at: `_tensor` of the picture.
    known: the fits from these very corners, grows too."""
    tensor, scale = at
    fits: list[PatternFit] = []
    for quad, _ in candidates:
        # Candidates that differ only in where the points end are brought to the same place by the fit.
        if any(_alike(quad, other) for other in tried):
            continue
        tried.append(quad)
        if quad.tobytes() not in known:
            try:
                fit = fit_pattern(image, quad, tensor, scale, profile)
            except (InvalidError, np.linalg.LinAlgError):
                continue
            known[quad.tobytes()] = _straightened(image, fit, tensor, scale, profile)
        fits.append(known[quad.tobytes()])
        curved = _curved(image, fits[-1], tensor, scale, profile, known)
        if curved is not None:
            fits.append(curved)
    return fits


def _curved(
    image: Image,
    fit: PatternFit,
    tensor: Floats,
    scale: float,
    profile: BoardProfile,
    known: dict[bytes, PatternFit],
) -> PatternFit | None:
    """The same place with points whose sides bulge, if straight ones fit and yet their ends are not seen: most of a lancet's side is
    nearly straight, but it leads to an end that lies far beyond the real one. None where the ends leave no doubt, or where it runs away."""
    if fit.pattern.power >= CURVED or fit.ends >= FIND.open_ends or fit.support < FIND.least_support:
        return None
    if fit.corners.tobytes() not in known:
        try:
            again = fit_pattern(image, fit.corners, tensor, scale, profile, settle=False, power=FIND.bulging)
        except (InvalidError, np.linalg.LinAlgError):
            return None
        known[fit.corners.tobytes()] = again
    return known[fit.corners.tobytes()]


def _straightened(
    image: Image, fit: PatternFit, tensor: Floats, scale: float, profile: BoardProfile
) -> PatternFit:
    """`fit`, again from where it came to lie if the lens bends much: the search knows straight lines only, so the way was long."""
    for _ in range(FIND.again):
        if abs(fit.lens.k1 - USUAL_K1) < FIND.bent or _worth(fit) < FIND.worth_again:
            break
        try:
            again = fit_pattern(image, fit.corners, tensor, scale, profile, settle=False)
        except (InvalidError, np.linalg.LinAlgError):
            break
        moved = _apart(again, fit)
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


def _worth(fit: PatternFit) -> float:
    """How well a fit is borne out by the picture, about 0.45 by chance and 0.6 to 1 on a board."""
    odd_lens = max(0.0, fit.lens.k1 - FIND.most_k1, FIND.least_k1 - fit.lens.k1)
    ends = FIND.ends_weight * (fit.ends - FIND.usual_ends)
    alternation = FIND.alternation_weight * (fit.alternation - FIND.usual_alternation)
    return fit.support + ends + alternation - FIND.odd_lens * odd_lens


def _sure(worth: float) -> float:
    """Confidence, not yet limited to 0..1."""
    return (worth - FIND.sure_from) / FIND.sure_over


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
    image = checked_picture(bgr, least=FIND.least_side)
    profile = _profile(profile)
    try:
        return register_by_markers(image, profile)
    except AmbiguousError:
        return _find(_lit(image), profile, hints, thorough)


def _lit(image: Image) -> Image:
    """A picture of a dim room (H, W, 3) as bright as others: edges are searched by their strength in levels."""
    brightest = float(np.percentile(image[::4, ::4], DIM.share))
    if brightest >= DIM.dim:
        return image
    gain = min(DIM.bright / max(brightest, 1.0), DIM.most_gain)
    return np.asarray(cv2.convertScaleAbs(image, alpha=gain), np.uint8)


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
        if fit is not None and _worth(fit) >= FIND.marked_worth and fit.ends >= FIND.least_ends:
            apart = np.linalg.norm(fit.corners - quad, axis=1).max() / np.linalg.norm(quad[1] - quad[0])
            if apart < FIND.marked_apart:
                sure = float(np.clip(_sure(_worth(fit)), FIND.marked_least, 1.0))
                return _registration(bgr, fit, profile, sure, "markers")
        if profile.name == "generic":
            raise AmbiguousError("markers: the points of the board are not where they say")
    return Registration(
        quad, None, profile, size, FIND.markers_many if count > 2 else FIND.markers_two, "markers"
    )


def _find(image: Image, profile: BoardProfile, hints: npt.ArrayLike | None, thorough: bool) -> Registration:
    """`find_board` without markers."""
    given = None if hints is None else np.asarray(hints, dtype=np.float64)
    fits: list[PatternFit] = []
    tried: list[Floats] = []
    tensor = _tensor(image)
    ratings = _Ratings(image, profile)
    known: dict[bytes, PatternFit] = {}
    glances: list[Floats] = []
    views = search_views(image, given, tensor[0], glances)
    # Most boards have triangles and are seen clearly at once: the search for others, most of the work, is not begun then.
    at_once = _fits(image, next(views), profile, tensor, [], known)
    if any(_clear(fit, ratings) for fit in at_once):
        fits, views = at_once, iter(())
    # All candidates compete, in any order. Once a board is seen clearly, the search for others stops.
    for places in views:
        good = FIND.half_as_good * max((score for _, score in places), default=0.0)
        for place in sorted(places, key=lambda place: -place[1]):
            here = _fits(image, [place], profile, tensor, tried, known) if place[1] > good else []
            fits += here
            if any(_clear(fit, ratings) for fit in here):
                break
        else:
            continue
        break
    else:
        if fits is not at_once and not _start_seen(fits, ratings):
            fits += _fits_by_checkers(image, glances, profile, tensor)
    try:
        best, confidence = _choose(fits, ratings)
    except AmbiguousError as first:
        found = find_by_outline(image, profile) if thorough else None
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
    return _registration(image, best, profile, confidence, "found")


def _start_seen(fits: list[PatternFit], ratings: _Ratings) -> bool:
    """The starting position shows at one of the likeliest places already: no other needs to be looked for."""
    likely = sorted(fits, key=lambda fit: -_worth(fit))[: FIND.rated]
    return any(ratings.of(fit).start for fit in likely if _worth(fit) > FIND.least_borne_out)


def _fits_by_checkers(
    image: Image, glances: list[Floats], profile: BoardProfile, at: tuple[Floats, float]
) -> list[PatternFit]:
    """What is fitted where the network sees a board, if the search by edges has left doubt. at: `_tensor` of the picture."""
    fits: list[PatternFit] = []
    for quad in places_by_checkers(image, glances, profile):
        for ends_known in (False, True):
            try:
                fits.append(fit_pattern(image, quad, *at, profile, settle=False, ends_known=ends_known))
            except (InvalidError, np.linalg.LinAlgError):
                continue
    return fits


def _clear(fit: PatternFit, ratings: _Ratings) -> bool:
    """Nobody would look for a second board: two colours take turns, or (on boards with three) the network sees all that lies there."""
    if (
        _worth(fit) >= FIND.clear_worth
        and fit.alternation >= FIND.clear_alternation
        and fit.ends >= FIND.noise_ends
    ):
        return True
    if _worth(fit) < FIND.seen_worth or fit.ends < FIND.seen_ends:
        return False
    rating = ratings.of(fit)
    return rating.start or (rating.checkers >= FIND.seen_checkers and rating.certainty > FIND.seen_certainty)


def _choose(fits: list[PatternFit], ratings: _Ratings) -> tuple[PatternFit, float]:
    """The best fit and how sure it is, 0..1. Raises AmbiguousError when it is not good enough, or not the only one."""
    if not fits:
        raise AmbiguousError("no board found: nothing in the picture has the points of a backgammon board")
    fits = _distinct(sorted(fits, key=lambda fit: -_worth(fit)))
    rated = [
        (fit, ratings.of(fit))
        for fit in fits[: FIND.rated]
        if _worth(fit) > _worth(fits[0]) - FIND.far_behind
    ]
    best, rating = max(rated, key=lambda r: _worth(r[0]) + r[1].value)
    if not rating.start:
        shown = _start_aside(fits[: FIND.starts], ratings)
        rated += shown
        if not shown and (rating.checkers < FIND.all_checkers or rating.certainty < FIND.seen_certainty):
            # A wide bar that was taken for a narrow one leaves a half two columns off: one after the other.
            step = best, rating
            for _ in range(FIND.asides):
                aside = _a_point_aside(step, ratings)
                if aside is None:
                    break
                step = aside
                rated.append(step)
            best, rating = max(rated, key=lambda r: _worth(r[0]) + r[1].value)
            if best.ends < FIND.open_ends:
                rated += _ends_aside((best, rating), ratings)
    rated.sort(key=lambda r: -(_worth(r[0]) + r[1].value))
    if rated[0][1].board and _worth(rated[0][0]) < FIND.loose:
        rated[0] = _shaken(rated[0], ratings)
    best, rating = rated[0]
    worth = _worth(best) + (FIND.start if rating.start else 0.0)
    borne_out = rating.board and best.ends >= FIND.seen_ends
    if worth < (FIND.least_borne_out if borne_out else FIND.least_worth):
        raise AmbiguousError(
            "no board found: too few points are in view; the whole board must be in the picture, lit and not covered"
        )
    by_chance = best.ends < FIND.noise_ends and best.alternation < FIND.noise_alternation and not rating.board
    # Many tablecloths have blocks of two colours, so without a checker only triangles prove a board.
    cloth = best.pattern.power > CURVED and rating.checkers < FIND.cloth_checkers
    if by_chance or cloth or (best.ends < FIND.noise_ends and rating.certainty < FIND.noise_certainty):
        raise AmbiguousError("no board found: nothing in the picture has the points of a backgammon board")
    if best.ends < FIND.least_ends and not rating.board:
        raise AmbiguousError(
            "board found, but not where its far and near edges are; give --corners or clear the view"
        )
    for other, its in rated[1:]:
        if (
            _apart(other, best) > FIND.apart
            and _worth(other) + its.value > _worth(best) + rating.value - FIND.rival
        ):
            raise AmbiguousError(
                "two ways to see the board fit equally well; set up the starting position, give --corners or change the view"
            )
    if best.alternation < FIND.noise_alternation:  # The starting position shows a little aside as well.
        worth = _worth(best)
    confidence = float(np.clip(_sure(worth), 0.0, 1.0))
    if not rating.start:
        lost = max(0.0, FIND.trusted_certainty - rating.certainty) / FIND.lost_certainty
        confidence = min(confidence, max(FIND.least_sure, 1.0 - lost), best.ends / FIND.sure_ends)
    return best, confidence


def _distinct(fits: list[PatternFit]) -> list[PatternFit]:
    """Without those that are where a better one (an earlier one) is."""
    kept: list[PatternFit] = []
    for fit in fits:
        if all(_apart(fit, other) > FIND.same for other in kept):
            kept.append(fit)
    return kept


def _apart(fit: PatternFit, other: PatternFit) -> float:
    """How far the farthest corners are apart, as a share of the width."""
    width = float(np.linalg.norm(other.corners[1] - other.corners[0]))
    return float(np.linalg.norm(fit.corners - other.corners, axis=1).max()) / width


def _a_point_aside(
    best: tuple[PatternFit, PlacementRating], ratings: _Ratings
) -> tuple[PatternFit, PlacementRating] | None:
    """Where the board would be if a half, or both, lay a column further out or in: the best such place, if the network rather sees a
    board there, or sees hardly less and the points fit better."""
    image, profile = ratings.image, ratings.profile
    fit, rating = best
    beside: list[tuple[float, Floats, float]] = []
    for moved, bar in _columns_aside(fit):
        value = rate(image, moved, profile, bar).value
        if value > rating.value - FIND.aside:
            beside.append((value, moved, bar))
    beside.sort(key=lambda b: -b[0])
    fits = [
        again
        for _, moved, bar in beside[: FIND.asides_fitted]
        for again in _fits_aside(image, fit, moved, bar, profile)
    ]
    rated = [(again, ratings.of(again)) for again in fits]
    better = [
        r
        for r in rated
        if _worth(r[0]) + r[1].value > _worth(fit) + rating.value and _apart(r[0], fit) > FIND.apart
    ]
    return max(better, key=lambda r: _worth(r[0]) + r[1].value, default=None)


def _ends_aside(
    best: tuple[PatternFit, PlacementRating], ratings: _Ratings
) -> list[tuple[PatternFit, PlacementRating]]:
    """The same columns with other far and near ends, where the network sees more checkers so: a checker stands against the rim, and
    one that is cut through or floats inside is none."""
    image, profile = ratings.image, ratings.profile
    fit, rating = best
    bar = float(np.clip(fit.pattern.bar, *PRIORS.rated_bar))
    to_picture = unit_homographies(fit.corners[None])

    def moved(far: float, near: float) -> Floats:
        unit = np.array([[-0.5, -far], [0.5, -far], [0.5, 1 + near], [-0.5, 1 + near]])
        return np.asarray(apply(to_picture, unit)[0])

    at, value = (0.0, 0.0), rating.value
    for side in (0, 1, 0):
        for out in FIND.ends_moved:
            other = (out, at[1]) if side == 0 else (at[0], out)
            if other != at and (its := rate(image, moved(*other), profile, bar).value) > value:
                at, value = other, its
    if value < rating.value + FIND.ends_better:
        return []
    again = _fit_again(image, moved(*at), profile, ends_known=True)
    return [] if again is None else [(again, ratings.of(again))]


def _shaken(
    best: tuple[PatternFit, PlacementRating], ratings: _Ratings
) -> tuple[PatternFit, PlacementRating]:
    """The same board fitted again with one corner moved, as long as that bears more out: many sides of points that lie on no edge although
    the network sees the checkers on them mean that the fit has stopped half a gap beside the points, at the end that was seen worse."""
    image, profile = ratings.image, ratings.profile
    fits, (fit, rating) = 0, best
    better = True
    while better and fits < FIND.shakes and _worth(fit) < FIND.clear_worth:
        better = False
        for quad in _corners_moved(fit.corners, FIND.shaken):
            fits += 1
            again = _fit_again(image, quad, profile)
            if again is None or _worth(again) < _worth(fit) + FIND.shaken_better:
                continue
            its = ratings.of(again)
            if _worth(again) + its.value > _worth(fit) + rating.value + FIND.shaken_better:
                fit, rating, better = again, its, True
                break
    return fit, rating


def _corners_moved(quad: Floats, share: float) -> list[Floats]:
    """(4, 2) px each: one corner of `quad` moved along either edge there, in and out, by this share of the edge."""
    out = []
    for corner, other, sign in product(range(4), (1, 3), (-1.0, 1.0)):
        moved = quad.copy()
        moved[corner] += sign * share * (quad[corner] - quad[(corner + other) % 4])
        out.append(moved)
    return out


def _start_aside(fits: list[PatternFit], ratings: _Ratings) -> list[tuple[PatternFit, PlacementRating]]:
    """Where the starting position shows if a half of one of the `fits`, or both, lie a column further out or in: the one with the
    best pattern. Wide bars lead there, and boards of which only one colour of points is clearly seen."""
    image, profile = ratings.image, ratings.profile
    shown: list[tuple[PatternFit, PlacementRating]] = []
    for number, fit in enumerate(fits):
        if ratings.of(fit).like_start < FIND.like_start:
            continue
        most = 2 if number < FIND.starts_far else 1
        aside = [(rate(image, moved, profile, bar), moved, bar) for moved, bar in _columns_aside(fit, most)]
        aside = [place for place in aside if place[0].start]
        if not aside:
            continue
        _, moved, bar = max(aside, key=lambda place: place[0].like_start)
        for again in _fits_aside(image, fit, moved, bar, profile):
            if (rating := ratings.of(again)).start:
                shown.append((again, rating))
    return sorted(shown, key=lambda s: -_worth(s[0]))[:1]


def _fit_again(
    image: Image,
    corners: Floats,
    profile: BoardProfile,
    *,
    ends_known: bool = False,
    begin: tuple[PointPattern, RadialDistortion] | None = None,
) -> PatternFit | None:
    """The pattern fitted from a place that was found by what lies on it; None when it runs away. begin: as of `fit_pattern`."""
    try:
        return fit_pattern(
            image, corners, *_tensor(image), profile, settle=False, ends_known=ends_known, begin=begin
        )
    except (InvalidError, np.linalg.LinAlgError):
        return None


def _fits_aside(
    image: Image, fit: PatternFit, corners: Floats, bar: float, profile: BoardProfile
) -> list[PatternFit]:
    """The pattern fitted at one of `_columns_aside`: from nothing, and where `fit` has curved points or a lens that bends much, from these
    too, for they are the board's own, and from nothing the fit would run away."""
    fits = [_fit_again(image, corners, profile)]
    if fit.pattern.power >= CURVED or abs(fit.lens.k1 - USUAL_K1) >= FIND.bent:
        begin = PointPattern(bar=bar, length=fit.pattern.length, power=fit.pattern.power), fit.lens
        fits.append(_fit_again(image, corners, profile, begin=begin))
    return [again for again in fits if again is not None]


def _columns_aside(fit: PatternFit, most: int = 1) -> list[tuple[Floats, float]]:
    """Corners (4, 2) px and bar (share of the width) of the places where a half of `fit`, or both, lie up to `most` columns further
    out or in."""
    pitch, bar = fit.pattern.pitch, fit.pattern.bar
    to_ideal = unit_homographies(fit.lens.straighten(fit.corners)[None])
    out: list[tuple[Floats, float]] = []
    for left, right in product(range(-most, most + 1), repeat=2):
        grown = (left + right) * pitch
        other = (bar + grown) / (1 + grown)
        if (left, right) == (0, 0) or not PRIORS.least_bar <= other <= PRIORS.most_bar:
            continue
        low, high = -0.5 - left * pitch, 0.5 + right * pitch
        unit = np.array([[low, 0.0], [high, 0.0], [high, 1.0], [low, 1.0]])
        moved = fit.lens.bend(apply(to_ideal, unit)[0])
        out.append((moved, float(np.clip(other, *PRIORS.rated_bar))))
    return out


def fit_bar(bgr: Image, corners: npt.ArrayLike, profile: BoardProfile | str = "generic") -> Registration:
    """Bar edges and sizes from the picture when the field's corners (4, 2) px TL TR BR BL are given.

    The corners are kept as given. Raises InvalidError for corners that are no convex quadrilateral.
    """
    image = checked_picture(bgr, least=FIND.least_side)
    profile = _profile(profile)
    size = (image.shape[1], image.shape[0])
    quad = check_corners(corners, size)
    try:
        fit = fit_given_corners(image, quad, *_tensor(image, roughly=True), profile)
    except (InvalidError, np.linalg.LinAlgError):
        fit = None
    if fit is None or fit.support < FIND.least_support:
        return Registration(quad, None, profile, size, FIND.unmeasured, "corners")
    return _registration(
        image,
        replace(fit, corners=quad),
        profile,
        float(np.clip(fit.support + FIND.support_more, FIND.given_least, 1)),
        "corners",
    )


def _registration(
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
        point_length=float(np.clip(fit.pattern.length, *PRIORS.usable_length)) * height,
        checker_diameter=diameter,
        checker_height=profile.checker_height * shrink,
    )
