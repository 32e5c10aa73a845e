"""Which of the fits is the board, and how sure that is."""

from __future__ import annotations

import numpy as np

from pi_board.errors import AmbiguousError
from pi_board.vision.finding.aside import (
    a_column_aside,
    ends_aside,
    ends_beyond,
    rather_aside,
    shaken,
    start_aside,
)
from pi_board.vision.finding.columns_aside import goes_on, point_beside
from pi_board.vision.finding.find_numbers import FIND
from pi_board.vision.finding.pattern_fit import PatternFit
from pi_board.vision.finding.pattern_numbers import CURVED
from pi_board.vision.finding.rating import PlacementRating
from pi_board.vision.finding.worth import Ratings, distinct_fits, far_apart, sureness, worth_of


def choose(fits: list[PatternFit], ratings: Ratings) -> tuple[PatternFit, float]:
    """The best fit and how sure it is, 0..1. Raises AmbiguousError when it is not good enough, or not the only one."""
    if not fits:
        raise AmbiguousError("no board found: nothing in the picture has the points of a backgammon board")
    fits = distinct_fits(sorted(fits, key=lambda fit: -worth_of(fit)))
    rated = [
        (fit, ratings.of(fit))
        for fit in fits[: FIND.rated]
        if worth_of(fit) > worth_of(fits[0]) - FIND.far_behind
    ]
    best, rating = max(rated, key=lambda r: ratings.standing(r[0]))
    if not rating.start:
        shown = start_aside(fits[: FIND.starts], ratings)
        rated += shown
        in_doubt = rating.checkers < FIND.all_checkers or rating.certainty < FIND.seen_certainty
        if not shown and (in_doubt or point_beside(best) or rather_aside(best, ratings)):
            # If a wide bar was taken for a narrow one, a half is two columns off. Move it one column at a time.
            step = best, rating
            for _ in range(FIND.asides):
                aside = a_column_aside(step, ratings)
                if aside is None:
                    break
                step = aside
                rated.append(step)
            best, rating = max(rated, key=lambda r: ratings.standing(r[0]))
            if best.ends < FIND.open_ends:
                rated += ends_aside((best, rating), ratings)
    rated.sort(key=lambda r: -ratings.standing(r[0]))
    if rated[0][1].board and worth_of(rated[0][0]) < FIND.loose:
        rated[0] = shaken(rated[0], ratings)
    rated[0], cut = ends_beyond(rated[0], ratings)
    best, rating = rated[0]
    worth = worth_of(best) + (FIND.start if rating.start else 0.0)
    borne_out = rating.board and best.ends >= FIND.seen_ends
    if worth < (FIND.least_borne_out if borne_out else FIND.least_worth):
        raise AmbiguousError(
            "no board found: too few points are in view; the whole board must be in the picture, lit and not covered"
        )
    if _is_no_board(best, rating, worth):
        raise AmbiguousError("no board found: nothing in the picture has the points of a backgammon board")
    if best.ends < FIND.least_ends and not rating.board:
        raise AmbiguousError(
            "board found, but not where its far and near edges are; give --corners or clear the view"
        )
    for other, _ in rated[1:]:
        if (
            far_apart(other, best) > FIND.apart
            and ratings.standing(other) > ratings.standing(best) - FIND.rival
        ):
            raise AmbiguousError(
                "two ways to see the board fit equally well; set up the starting position, give --corners or change the view"
            )
    # The starting position proves a board, and shows a little aside as well; how exactly the board lies, the points tell.
    colours_seen = best.alternation >= FIND.noise_alternation
    own = worth_of(best) + (FIND.start_sure if rating.start and colours_seen else 0.0)
    confidence = min(float(np.clip(sureness(own), 0.0, 1.0)), best.ends / FIND.sure_ends)
    if not rating.start:
        lost = max(0.0, FIND.trusted_certainty - rating.certainty) / FIND.lost_certainty
        confidence = min(confidence, max(FIND.least_sure, 1.0 - lost))
        if point_beside(best):
            # A half may lie a column aside, and no place that takes this point in is better: it was looked for.
            confidence = min(confidence, FIND.sure_beside)
    if cut or _has_rival(best, [*(fit for fit, _ in rated[1:]), *ratings.compared], ratings):
        confidence = min(confidence, FIND.sure_cut)
    return best, confidence


def _has_rival(best: PatternFit, others: list[PatternFit], ratings: Ratings) -> bool:
    """Whether another place is borne out nearly as well: then which of them is right is hardly known, be it only where the ends are."""
    least = ratings.standing(best) - FIND.near_rival
    return any(far_apart(other, best) > FIND.same and ratings.standing(other) > least for other in others)


def _is_no_board(fit: PatternFit, rating: PlacementRating, worth: float) -> bool:
    """Whether noise or a cloth shows as much. worth: of the fit, with the starting position's."""
    no_ends = fit.ends < FIND.noise_ends
    if no_ends and (
        rating.certainty < FIND.noise_certainty
        or (fit.alternation < FIND.noise_alternation and not rating.board)
    ):
        return True
    # Many tablecloths have blocks of two colours, so without a checker only triangles prove a board.
    if fit.pattern.power > CURVED and rating.checkers < FIND.cloth_checkers:
        return True
    # Where edges lie everywhere, some lie where points would; what the network makes of them is neither checkers nor bare points.
    clear = worth >= FIND.clear_worth and fit.alternation >= FIND.clear_alternation
    return not clear and (rating.strange or (goes_on(fit) and not rating.board))
