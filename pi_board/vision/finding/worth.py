"""How well a fit is borne out by the picture, and what the slot network makes of it."""

from __future__ import annotations

import numpy as np

from pi_board.vision.finding.edge_picture import EdgePicture
from pi_board.vision.finding.find_numbers import FIND
from pi_board.vision.finding.pattern_fit import PatternFit
from pi_board.vision.finding.rating import PlacementRating, rate_fit
from pi_board.vision.profile import BoardProfile


class Ratings:
    """`rate_fit` of the fits in one picture, each rated once: the network's word costs as much as a fit."""

    def __init__(self, picture: EdgePicture, profile: BoardProfile) -> None:
        self.picture, self.image, self.profile = picture, picture.image, profile
        # Keep the fits as well: the id() of a fit that was freed could be given to another.
        self._known: dict[int, tuple[PatternFit, PlacementRating]] = {}
        self._against: list[tuple[PatternFit, float]] = []
        #: Fits of other places that were compared with the best one.
        self.compared: list[PatternFit] = []

    def of(self, fit: PatternFit) -> PlacementRating:
        if id(fit) not in self._known:
            self._known[id(fit)] = fit, rate_fit(self.image, fit, self.profile)
        return self._known[id(fit)][1]

    def standing(self, fit: PatternFit) -> float:
        """What speaks for a fit beside the others: its worth, what the network makes of it, and what the ground between the rows says."""
        return worth_of(fit) + self.of(fit).value - self.against(fit)

    def against(self, fit: PatternFit) -> float:
        """Worth that a place loses, because some place aside of it lies rather on the ground between the rows."""
        near = [(far_apart(fit, place), lost) for place, lost in self._against]
        apart, lost = min(near, default=(1.0, 0.0))
        return lost if apart < FIND.apart else 0.0

    def compare(self, fit: PatternFit, others: list[tuple[PatternFit, float]]) -> None:
        """Keeps what the `others` lose, each with how much less it is worth than `fit` (less than nothing: more), whatever points and
        checkers say. The best of them loses as much as `fit` had lost before, or nothing."""
        self.compared += [other for other, _ in others]
        before = self.against(fit)
        least = min((less for _, less in others), default=0.0)
        raised = max(0.0, -least - before)
        self._against += [(other, before + less + raised) for other, less in others]
        if raised:
            self._against.append((fit, before + raised))


def worth_of(fit: PatternFit) -> float:
    """How well a fit is borne out by the picture, about 0.45 by chance and 0.6 to 1 on a board."""
    odd_lens = max(0.0, fit.lens.k1 - FIND.most_k1, FIND.least_k1 - fit.lens.k1)
    beside = max(0.0, max(fit.beside) - FIND.no_point)
    ends = FIND.ends_weight * (fit.ends - FIND.usual_ends)
    alternation = FIND.alternation_weight * (fit.alternation - FIND.usual_alternation)
    return fit.support + ends + alternation - FIND.odd_lens * odd_lens - FIND.point_beside * beside


def sureness(worth: float) -> float:
    """Confidence, not yet limited to 0..1."""
    return (worth - FIND.sure_from) / FIND.sure_over


def far_apart(fit: PatternFit, other: PatternFit) -> float:
    """How far the farthest corners are apart, as a share of the width."""
    width = float(np.linalg.norm(other.corners[1] - other.corners[0]))
    return float(np.linalg.norm(fit.corners - other.corners, axis=1).max()) / width


def distinct_fits(fits: list[PatternFit]) -> list[PatternFit]:
    """Without those that are where a better one (an earlier one) is."""
    kept: list[PatternFit] = []
    for fit in fits:
        if all(far_apart(fit, other) > FIND.same for other in kept):
            kept.append(fit)
    return kept


def start_seen(fits: list[PatternFit], ratings: Ratings) -> bool:
    """The starting position shows at one of the likeliest places already: no other needs to be looked for."""
    likely = sorted(fits, key=lambda fit: -worth_of(fit))[: FIND.rated]
    return any(ratings.of(fit).start for fit in likely if worth_of(fit) > FIND.least_borne_out)


def seen_clearly(fit: PatternFit, ratings: Ratings) -> bool:
    """Nobody would look for a second board: two colours take turns, or (on boards with three) the network sees all that lies there."""
    if (
        worth_of(fit) >= FIND.clear_worth
        and fit.alternation >= FIND.clear_alternation
        and fit.ends >= FIND.noise_ends
    ):
        return True
    if worth_of(fit) < FIND.seen_worth or fit.ends < FIND.seen_ends:
        return False
    rating = ratings.of(fit)
    enough = FIND.seen_certainty if fit.ends < FIND.all_ends else FIND.ends_certainty
    return rating.start or (rating.checkers >= FIND.seen_checkers and rating.certainty > enough)
