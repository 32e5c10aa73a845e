"""The same board somewhat aside: a half by whole columns, other ends, a corner moved; where the network sees more of it."""

from __future__ import annotations

from itertools import product

import numpy as np

from pi_board.vision.board.distortion import USUAL_K1
from pi_board.vision.finding.between_rows import ground_of
from pi_board.vision.finding.columns_aside import place_aside, takes_in_a_point, ways_aside
from pi_board.vision.finding.ends import ends_of
from pi_board.vision.finding.ends_by_checkers import beyond_ends, with_ends
from pi_board.vision.finding.find_numbers import FIND
from pi_board.vision.finding.pattern import Floats, PointPattern, apply, unit_homographies
from pi_board.vision.finding.pattern_fit import PatternFit
from pi_board.vision.finding.pattern_numbers import CURVED, PRIORS
from pi_board.vision.finding.places import fit_again
from pi_board.vision.finding.rating import PlacementRating, rate
from pi_board.vision.finding.worth import Ratings, far_apart, worth_of


def a_column_aside(
    best: tuple[PatternFit, PlacementRating], ratings: Ratings
) -> tuple[PatternFit, PlacementRating] | None:
    """Where the board would be if a half, or both, lay a column further out or in: the best such place, if the network rather sees a
    board there, or sees hardly less and the points fit better. Where a point is seen beside the fit, a half of it belongs there, whatever
    the network says: checkers in a tray stand in a row as on a point."""
    image, profile = ratings.image, ratings.profile
    fit, rating = best
    ground = ground_of(ratings.picture, fit)
    beside: list[tuple[float, float, Floats, float]] = []
    for way in ways_aside(fit):
        moved, bar = place_aside(fit, way)
        less = ground.worth(way)
        value = rate(image, moved, profile, bar, fit.lens).value - less
        if takes_in_a_point(fit, way):
            value += FIND.taken_in
        if value > rating.value - FIND.aside:
            beside.append((value, less, moved, bar))
    beside.sort(key=lambda b: -b[0])
    others = [
        (again, less)
        for _, less, moved, bar in beside[: FIND.asides_fitted]
        for again in _fits_aside(ratings, fit, moved, bar)
        if far_apart(again, fit) > FIND.apart
    ]
    ratings.compare(fit, others)
    chosen = max((again for again, _ in others), key=ratings.standing, default=fit)
    return None if ratings.standing(chosen) <= ratings.standing(fit) else (chosen, ratings.of(chosen))


def rather_aside(fit: PatternFit, ratings: Ratings) -> bool:
    """Whether some place a column aside shows more of the ground between the rows than `fit` does."""
    ground = ground_of(ratings.picture, fit)
    return any(ground.less(way) < 0 for way in ways_aside(fit))


def ends_aside(
    best: tuple[PatternFit, PlacementRating], ratings: Ratings
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
            if other != at and (its := rate(image, moved(*other), profile, bar, fit.lens).value) > value:
                at, value = other, its
    if value < rating.value + FIND.ends_better:
        return []
    again = fit_again(ratings.picture, moved(*at), profile, ends_known=True)
    return [] if again is None else [(again, ratings.of(again))]


def ends_beyond(
    best: tuple[PatternFit, PlacementRating], ratings: Ratings
) -> tuple[tuple[PatternFit, PlacementRating], bool]:
    """The same columns with ends where the checkers reach, if they reach beyond or come nowhere near; and whether they still tell of other ends:
    then these are elsewhere, and no edge says where."""
    fit, rating = best
    bent = abs(fit.lens.k1 - USUAL_K1) >= FIND.bent
    reach = beyond_ends(ratings.image, fit, ratings.profile, rating.filled)
    if max(reach) < FIND.beyond:
        return (
            _ends_short(best, reach, ratings, edge_only=bent) if min(reach) < -FIND.short else (best, False)
        )
    if bent:
        return best, False  # What is left of the ends' curve would look like checkers beyond their middle.
    far, near = (out if out >= FIND.beyond else 0.0 for out in reach)
    moved = with_ends(fit, far, near)
    begin = fit.pattern, fit.lens
    edges = fit_again(ratings.picture, moved.corners, ratings.profile, ends_known=True, begin=begin)
    # An edge near there says better where the end is; where none does, the checkers are right to half a per cent.
    for again, least in ((edges, FIND.beyond / 2), (moved, FIND.beyond)):
        if (
            again is None
            or worth_of(again) < worth_of(fit) - FIND.beyond_worse
            or far_apart(again, fit) > FIND.apart
        ):
            continue
        its = ratings.of(again)
        still = beyond_ends(ratings.image, again, ratings.profile, its.filled)
        if its.value >= rating.value - FIND.beyond_less and max(still) < least:
            return (again, its), False
    return best, True


def _ends_short(
    best: tuple[PatternFit, PlacementRating],
    reach: tuple[float, float],
    ratings: Ratings,
    *,
    edge_only: bool,
) -> tuple[tuple[PatternFit, PlacementRating], bool]:
    """`ends_beyond` where the outermost checkers end inside the ends: often the rim's upper edge is clearer than the wall's foot, which is the
    true end. If there is an edge beside the checkers, that is it. Players leave gaps, too, so without one only a wide gap is believed."""
    fit, rating = best
    claimed = np.array([out if out < -FIND.short else 0.0 for out in reach])
    moved = with_ends(fit, *claimed)
    followed = []
    for begin in ((fit.pattern, fit.lens), None):
        again = fit_again(ratings.picture, moved.corners, ratings.profile, ends_known=True, begin=begin)
        if again is None or again.ends < FIND.least_ends or far_apart(again, fit) > FIND.apart:
            continue
        went = np.array(ends_of(again.corners, fit.corners))
        beside = bool(np.abs(went - claimed).max() <= FIND.beside and went.sum() <= claimed.sum() / 2)
        if beside and worth_of(again) >= worth_of(fit) - FIND.beyond_worse:
            followed.append(again)
    for again in sorted(followed, key=lambda other: -worth_of(other)):
        if (its := ratings.of(again)).value >= rating.value - FIND.beyond_less:
            return (again, its), False
    if edge_only or claimed.sum() > -FIND.far_short:
        return best, False
    its = ratings.of(moved)
    return ((moved, its) if its.value >= rating.value - FIND.beyond_less else best), True


def shaken(best: tuple[PatternFit, PlacementRating], ratings: Ratings) -> tuple[PatternFit, PlacementRating]:
    """The same board fitted again with one corner moved, as long as that bears more out: many sides of points that lie on no edge although
    the network sees the checkers on them mean that the fit has stopped half a gap beside the points, at the end that was seen worse."""
    fits, (fit, rating) = 0, best
    better = True
    while better and fits < FIND.shakes and worth_of(fit) < FIND.clear_worth:
        better = False
        for quad in _corners_moved(fit.corners, FIND.shaken):
            fits += 1
            again = fit_again(ratings.picture, quad, ratings.profile)
            if again is None or worth_of(again) < worth_of(fit) + FIND.shaken_better:
                continue
            its = ratings.of(again)
            if worth_of(again) + its.value > worth_of(fit) + rating.value + FIND.shaken_better:
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


def start_aside(fits: list[PatternFit], ratings: Ratings) -> list[tuple[PatternFit, PlacementRating]]:
    """Where the starting position shows if a half of one of the `fits`, or both, lie a column further out or in: the one with the
    best pattern. Wide bars lead there, and boards of which only one colour of points is clearly seen."""
    image, profile = ratings.image, ratings.profile
    shown: list[tuple[PatternFit, PlacementRating]] = []
    for number, fit in enumerate(fits):
        if ratings.of(fit).like_start < FIND.like_start:
            continue
        most = 2 if number < FIND.starts_far else 1
        aside = [
            (rate(image, moved, profile, bar, fit.lens), moved, bar)
            for moved, bar in (place_aside(fit, way) for way in ways_aside(fit, most))
        ]
        aside = [place for place in aside if place[0].start]
        if not aside:
            continue
        _, moved, bar = max(aside, key=lambda place: place[0].like_start)
        for again in _fits_aside(ratings, fit, moved, bar):
            if (rating := ratings.of(again)).start:
                shown.append((again, rating))
    return sorted(shown, key=lambda s: -worth_of(s[0]))[:1]


def _fits_aside(ratings: Ratings, fit: PatternFit, corners: Floats, bar: float) -> list[PatternFit]:
    """The pattern fitted at a `place_aside`: from nothing, and where `fit` has curved points or a lens that bends much, from these
    too, for they are the board's own, and from nothing the fit would run away."""
    fits = [fit_again(ratings.picture, corners, ratings.profile)]
    if fit.pattern.power >= CURVED or abs(fit.lens.k1 - USUAL_K1) >= FIND.bent:
        begin = PointPattern(bar=bar, length=fit.pattern.length, power=fit.pattern.power), fit.lens
        fits.append(fit_again(ratings.picture, corners, ratings.profile, begin=begin))
    return [again for again in fits if again is not None]
