"""One score for every place where the board might lie. It adds up three things: the edges of the points, how sure the slot network
is of what it sees there, and whether checkers stand as in a game (the starting position counts most)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidError
from pi_board.vision.board.distortion import RadialDistortion
from pi_board.vision.board.orientation import Row
from pi_board.vision.board.seating import SEATINGS, seating_of
from pi_board.vision.board.through_lens import geometry_through
from pi_board.vision.checkers import slot_network as network
from pi_board.vision.checkers.blind import COUNT_PRIOR, BlindReader
from pi_board.vision.finding.pattern_fit import PRIORS, PatternFit
from pi_board.vision.profile import BoardProfile

Floats = npt.NDArray[Any]
Image = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class RatingModel:
    """What a place is worth besides its pattern (0.45 by chance, 1 on a clear board).

    odd, most_odd: nats against each checker of a side more or less than fifteen, and at most. per_nat: worth of a nat of the
    network's certainty. least: certainty below which it counts no more; said too of places with fewer than `few` checkers, for that
    nothing lies there is soon sure. strange: certainty that boards exceed (-11.3 and more on 180 boards), few_strange: that boards with
    few checkers do (-3.3 and more); of noise and cloths it is -6 to -26 (`bench_finding.py --nothing`). surely: checkers from which on
    the network's word alone makes a board. per_checker: worth of every checker seen, for none are seen where no board is;
    most_checkers: a board has no more. start: worth of the starting position, which nothing shows by chance; start_within: nats of
    `like_start` within which a place begins to look like it.
    Source: judgement on a few drawn sets of `bench_finding.py`; no sweep is recorded."""

    odd: float = 0.3
    most_odd: float = 1.2
    per_nat: float = 0.03
    least: float = -6.0
    few: int = 8
    strange: float = -14.0
    few_strange: float = -4.0
    surely: int = 12
    per_checker: float = 0.006
    most_checkers: int = 30
    start: float = 0.25
    start_within: float = 40.0


MODEL = RatingModel()


@dataclass(frozen=True, slots=True)
class PlacementRating:
    """certainty: log probability of the likeliest counts of all points together, less what is odd about their sum. checkers: how many are
    in them. start: they show the starting position, one way round.
    like_start: `Seating.fit` of the counts, nats. filled: (2, 12) bool, the columns of the far and the near row with a checker; None: not known.
    """

    certainty: float
    checkers: int
    start: bool
    like_start: float = -144.0
    filled: npt.NDArray[np.bool_] | None = field(default=None, compare=False, repr=False)

    @property
    def value(self) -> float:
        """To be added to the worth of a pattern."""
        certainty = max(self.certainty, MODEL.least) if self.checkers >= MODEL.few else MODEL.least
        seen = MODEL.per_checker * min(self.checkers, MODEL.most_checkers)
        return MODEL.per_nat * certainty + seen + (MODEL.start if self.start else 0.0)

    @property
    def promise(self) -> float:
        """`value` in which a place that resembles the starting position more and more counts for more and more: a way to it."""
        near = max(0.0, 1.0 + self.like_start / MODEL.start_within)
        return self.value + MODEL.start * (near - (1.0 if self.start else 0.0))

    @property
    def board(self) -> bool:
        """There is a board, by the network's word alone."""
        return self.start or (self.checkers >= MODEL.surely and self.certainty > MODEL.least)

    @property
    def strange(self) -> bool:
        """The network is sure of next to nothing there, or sees few checkers, and yet no bare points either, of which it would be sure."""
        few = self.checkers < MODEL.surely and self.certainty < MODEL.few_strange
        return few or self.certainty < MODEL.strange


#: The rating of a quadrilateral that cannot be a board.
NONE = PlacementRating(-100.0, 0, False)


def rate(
    image: Image, corners: Floats, profile: BoardProfile, bar: float, lens: RadialDistortion | None = None
) -> PlacementRating:
    """What the network makes of the field if it lay at `corners` (4, 2) px, its bar `bar` of its width, seen through this lens."""
    size = (image.shape[1], image.shape[0])
    try:
        sizes = profile.with_sizes(bar_width=bar * profile.field_width)
        geometry = geometry_through(lens, sizes, corners, size)
        raw = network.point_scores(BlindReader(geometry).canvas(image))
    except (InvalidError, np.linalg.LinAlgError, cv2.error):
        return NONE
    points = raw + COUNT_PRIOR
    points = points - np.logaddexp.reduce(points, axis=2, keepdims=True)
    counts = points.argmax(axis=2) - points.shape[2] // 2
    light, dark = int(counts[counts > 0].sum()), -int(counts[counts < 0].sum())
    # Each side has fifteen checkers, most of them on the board. A quad that is a point aside shows other numbers.
    odd = sum(min(MODEL.most_odd, MODEL.odd * abs(n - 15)) for n in (light, dark))
    numbered = np.zeros((24, points.shape[2]))
    for r, row in enumerate(Row):
        for column in range(points.shape[1]):
            numbered[SEATINGS[0].point_at(column, row) - 1] = raw[r, column]
    seating = seating_of(numbered)
    certainty = float(points.max(axis=2).sum()) - odd
    return PlacementRating(certainty, light + dark, seating.sure, seating.fit, counts != 0)


def rate_fit(image: Image, fit: PatternFit, profile: BoardProfile) -> PlacementRating:
    """`rate` of a place that was fitted."""
    bar = float(np.clip(fit.pattern.bar, *PRIORS.rated_bar))
    return rate(image, fit.corners, profile, bar, fit.lens)
