"""The tuned numbers of the fit of the points' pattern, by role."""

from __future__ import annotations

from dataclasses import dataclass

#: A Gaussian prior of a parameter: mean and standard deviation.
Prior = tuple[float, float]
#: From this power on the sides run so nearly parallel at the base that their distance does not tell where they end.
CURVED = 1.3


@dataclass(frozen=True, slots=True)
class ShapePriors:
    """What boards of any make look like. bar: share of the field's width; length: of its height; base, tip: of a column.

    Source: chosen by eye on pictures of travel, wooden and felt boards, no sweep is recorded. What a change does is shown
    by `tests/bench/bench_registration.py`, which finds its boards with them.
    """

    #: While the sides are fitted, the width of a base is held: "the end" is where the sides are that far apart.
    sides: tuple[Prior, Prior, Prior] = ((0.41, 0.06), (0.93, 1e-4), (0.06, 0.04))
    #: When the corners are given, the ends are too.
    given: tuple[Prior, Prior, Prior] = ((0.41, 0.05), (0.95, 0.05), (0.06, 0.04))
    #: Spread of the bar about the first estimate, and once the columns have settled.
    bar_spread: float = 0.03
    settled_bar_spread: float = 0.02
    #: Spreads of length, base and tip about what the ends have told.
    settled: tuple[float, float, float] = (0.03, 0.02, 0.04)
    #: Spread of the base while the sides are fitted, where they are curved; of their power, share of it; and how far such a quad, whose
    #: ends are open, moves from where it was (share of the width).
    curved_base: float = 0.05
    power_spread: float = 0.35
    curved_near: float = 0.03
    #: Bounds of bar, length, base, tip, power and k1 in the least squares. Lenses of 100 degrees reach k1 = -0.5 at the usual focal length.
    low: tuple[float, ...] = (0.0, 0.25, 0.6, 0.0, 1.0, -0.6)
    high: tuple[float, ...] = (0.2, 0.5, 1.05, 0.5, 12.0, 0.1)
    #: Bars, lengths of the first search and the heights at which it looks, share of a point's length.
    first_bars: tuple[float, float, float] = (0.0, 0.15, 0.015)
    first_lengths: tuple[float, ...] = (0.35, 0.41, 0.47)
    first_heights: tuple[float, ...] = (0.15, 0.4, 0.65, 0.85)
    #: Usual width of a bar and its spread, when a half may be one column off, and the narrowest and widest one that is tried.
    usual_bar: Prior = (0.09, 0.03)
    least_bar: float = -0.02
    most_bar: float = 0.17
    #: Bars and point lengths that are passed on to be rated and read, share of the field's width and height: a fit that ran a little
    #: too far is brought back to boards that are sold.
    rated_bar: tuple[float, float] = (0.03, 0.14)
    usable_length: tuple[float, float] = (0.2, 0.49)


@dataclass(frozen=True, slots=True)
class EdgeFit:
    """Tuned numbers of the least squares on edges. Reaches are in columns' widths.

    Source: as of `ShapePriors`.
    """

    #: Heights on the sides of the points, share of their length.
    heights: tuple[float, ...] = (0.06, 0.18, 0.3, 0.42, 0.54, 0.66, 0.78, 0.9)
    #: How far an edge is looked for, turn by turn: on the first fit, when the columns have settled, with the ends, and
    #: when the corners are given.
    reaches: tuple[float, ...] = (0.25, 0.22, 0.18, 0.14)
    settled_reaches: tuple[float, ...] = (0.16, 0.14, 0.12, 0.1)
    ends_reaches: tuple[float, ...] = (0.12, 0.1, 0.08, 0.08)
    given_reaches: tuple[float, ...] = (0.2, 0.16, 0.12, 0.1)
    #: Blur of the picture (standard deviation in px): at 800 px of width, and at least.
    blur: float = 0.9
    least_blur: float = 0.6
    #: px: an edge is looked for at least so far, in steps of at least `step`.
    least_reach: float = 2.0
    step: float = 0.5
    #: Near edges are preferred: spread of the weight, share of the reach; largest part of a step by which the peak is refined.
    nearness: float = 0.6
    refined: float = 0.7
    #: A residual has its full weight up to this share of the reach, or so many px.
    scale: float = 0.3
    least_scale: float = 0.7
    #: Edge strength (levels per px) that has half the weight: a floor and a share of the median one.
    quiet: float = 1.5
    quiet_share: float = 0.25
    #: The ends of the points: the reach as a share of the sides' (beside them runs the rim's upper edge, often the stronger one),
    #: and their weight.
    ends_reach: float = 0.5
    ends_weight: float = 1.5
    #: Given corners are held to this share of the field's width.
    corner_hold: float = 0.0005
    #: Finite differences: px of a corner, units of the shape; damping of the normal equations.
    corner_step: float = 0.05
    shape_step: float = 1e-4
    damping: float = 1e-4
    #: A corner that has moved by more than this share of the field's width has left the board.
    runaway: float = 0.25
    #: A field is a rectangle. Spread of the cosine between its edges where a camera's focal length (spread of its logarithm; lenses of 100
    #: degrees have half the usual one) and centre (spread, share of the focal length) do not matter, and how many spreads' weight it has:
    #: while only the sides are fitted, which hardly tell how the ends lean, and with the ends. Source: 198 traced boards (`trace_rooms.py
    #: --seed 1`, 2, 6300); nine of their fits leaned by 2 to 9 spreads, seed 1 has centres 8 % off. With it, `EndSearch.leaning`,
    #: `most_uneven` and `FindModel.near_rival` 179 are found within 1 % of the width (were 165), 190 within 2 % (179), and of the 11 that
    #: were surely 2 % off and more 3 still are. Of 133 pictures of traced games (seeds 77 to 85, not used for choosing but for the spread
    #: of the focal length, seen too small in one game of a lens of 90 degrees) within 1 % 113 (98).
    skew: float = 0.003
    focal_spread: float = 0.65
    centre_spread: float = 0.03
    square_weights: tuple[float, float] = (3.0, 1.0)
    #: Support: a side counts when the clearest edge within `support_reach` lies within `near` (columns) and has at least this
    #: strength (levels per px).
    support_reach: float = 0.25
    near: float = 0.08
    strong: float = 1.5
    #: A bar is looked at for points from so many columns' widths on: the edges of a narrower one look like a point's parallel sides.
    wide_bar: float = 1.4

    @property
    def chance(self) -> float:
        """Share of places that would be supported if edges lay anywhere."""
        return self.near / self.support_reach


@dataclass(frozen=True, slots=True)
class ColumnCheck:
    """Tuned numbers of the check whether a half is one column off. Source: as of `ShapePriors`."""

    #: Heights on the points at which the sides, and the two colours in turn, are looked at (share of a point's length).
    side_heights: tuple[float, ...] = (0.1, 0.25, 0.4, 0.65, 0.85)
    colour_heights: tuple[float, ...] = (0.45, 0.52, 0.59, 0.66)
    #: Weight of the colours' alternation, of a point beside the field (against it), of a usual bar, and of what is there already, against
    #: the mean edge score (0..1). A point beside: of 448 fits that began a column aside or not at all (64 boards: rooms, and 40 of
    #: `trace_rooms.py --seed 1`) 348 came to the board's columns without it, 375 with 0.05, 379 with 0.1 and 375 with 0.2.
    alternation: float = 0.05
    beside: float = 0.1
    usual_bar: float = 0.006
    stays: float = 0.01


@dataclass(frozen=True, slots=True)
class EndSearch:
    """Tuned numbers of the search where the points end. Lengths are shares of the field's height unless named otherwise.

    Source: as of `ShapePriors`.
    """

    #: Rectified px for the field's height, and for one column; blur of the rectified picture, px.
    rows: int = 400
    band: int = 36
    blur: float = 0.8
    #: How far beyond the presumed ends is searched (parallel sides put them up to 0.2 off), and how far inside them the colours are
    #: looked at.
    reach: float = 0.21
    inner: float = 0.25
    #: Weights of the evidence for an end beside the straight edge: the colours' alternation that ends there, and the rim's upper
    #: edge beyond it.
    drop: float = 0.8
    pair: float = 0.9
    #: How far the ends of the two rows may differ from what the points' common shape says, the weight of that, and evidence that counts
    #: against it at most: one row's is often told a column wrong by its sides, and then the edge is right.
    even: float = 0.004
    even_weight: float = 0.35
    most_uneven: float = 0.4
    #: Widths of a base that are tried (columns), the usual one with its spread, and the weight of that. There are sets with thin points,
    #: two thirds of a column wide: from 0.76 on, two of 100 boards of `trace_rooms.py` (seeds 1, 1700) were 3 and 5 % of the width off, one refused.
    bases: tuple[float, float, float] = (0.62, 1.031, 0.01)
    usual_base: Prior = (0.94, 0.12)
    base_weight: float = 0.15
    #: Curved sides: by how much both ends are moved out or in (range and step), the usual spread of that, and how much wider `even` is.
    moves: tuple[float, float, float] = (-0.14, 0.141, 0.005)
    usual_move: float = 0.07
    #: Spread of ends that are known from elsewhere.
    expected: float = 0.02
    curved_even: float = 2.0
    #: Bounds of the length that comes out.
    least_length: float = 0.25
    most_length: float = 0.5
    #: The rim's upper edge lies between so many widths of its wall further out; walls narrower than so many px are not seen.
    wall_low: float = 0.6
    wall_high: float = 1.5
    least_wall: float = 2.0
    #: Noise of a slope (levels per px): a floor and a share of the median; a slope of so many noises has half a vote.
    noise: float = 0.8
    noise_share: float = 0.5
    noises: float = 3
    #: Blur of the votes (px), and what brings the peak of one back to about 1 (√(2π) · 1.3 = 3.26).
    vote_blur: float = 1.3
    vote_gain: float = 3.3
    #: px by which an end may lean from one side of the board to the other, each way; evidence that is lost by each.
    lean: int = 5
    leaning: float = 0.02
    #: Depth of the strips inside and outside an end whose colours are compared; the rim's wall, seen from above, may be as narrow.
    depth: float = 0.0125
    #: Least evidence that the colours may give.
    least_drop: float = -0.5


PRIORS, EDGES, COLUMNS, ENDS = ShapePriors(), EdgeFit(), ColumnCheck(), EndSearch()
