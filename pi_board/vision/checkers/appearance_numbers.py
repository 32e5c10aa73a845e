"""The tuned numbers of `appearance` and of what it explains, by role."""

from __future__ import annotations

from dataclasses import dataclass

#: Noise until it is measured in the first picture that is learned from, 8-bit levels. Chosen by eye; no reading uses it.
FIRST_NOISE = 4.0
#: A new measurement of the noise within this share of the old one is ignored, so that everything derived from it can be reused.
SAME_NOISE = 0.05
#: So many pixels tell the noise.
NOISE_SAMPLE = 12000


@dataclass(frozen=True, slots=True)
class Learning:
    """Tuned numbers of what one accepted picture teaches. Lengths are in checker radii unless named px, levels are 8-bit.

    Source: chosen by eye on rendered boards (travel, wood, felt) and kept because the looks of
    `tests/bench/bench_vision.py` stay right with them. No sweep is recorded. Derived numbers say from what.
    """

    #: A pixel within `on` of a checker's middle is that checker; up to `beside` it is its edge and says nothing; from
    #: `in_shadow` on the board is bare and unshaded. 1 < beside < in_shadow.
    on: float = 0.96
    beside: float = 1.22
    in_shadow: float = 1.6
    #: Half side of the window in which a checker's distances are drawn, px: covers `in_shadow` checker radii (12.8 px).
    window: int = 14
    #: Share (0..1) of a new picture in what is remembered: of the bare board, and of a side's look.
    board_rate: float = 0.4
    side_rate: float = 0.3
    #: A patch teaches when at least this share (0..1) of it within `patch_radius` (share of CHECKER_PX) is the checker.
    clear: float = 0.97
    patch_radius: float = 0.44
    #: Part of a top that tells its brightness, share of CHECKER_PX.
    level_radius: float = 0.4
    #: Fewer checkers than this do not tell a side's colour, unless no more of its stand on the board and nothing is known of it yet. (Of
    #: 5,184 points in 36 drawn ends of games with 1 to 6 checkers a side, learned from and played on, .1 % then speak against the truth, by
    #: 2.4 nats at most.)
    least_checkers: int = 3
    #: Checkers that are off the brightness plane by more than this (levels, and in medians of the error) do not count.
    off_plane: float = 8.0
    off_plane_medians: float = 3.0
    #: Levels below which a mean brightness is not divided by.
    dark: float = 4.0
    #: Largest relative change of brightness in 100 canvas px, and the least gain that such a slope may give.
    steepest: float = 0.35
    least_gain: float = 0.3
    #: How much brighter or darker than its side one checker may be (factors).
    own_low: float = 0.6
    own_high: float = 1.6
    #: Standard deviation per median absolute deviation (1 / 0.6745) and per mean absolute deviation (√(π/2)) of a Gaussian.
    sd_per_mad: float = 1.48
    sd_per_mean: float = 1.25
    #: Bounds of the spread of a side's colour, the least one of its pattern, and the part of the plain standard deviation below which
    #: the robust one is not trusted (levels; share).
    least_spread: float = 2.0
    least_top_spread: float = 1.0
    most_spread: float = 30.0
    plain_share: float = 0.6
    #: Weight of the Laplacian in the board's roughness: what half a pixel of misplacement shows.
    edge_share: float = 0.15
    #: Noise: the calmest fifth (percentile 20) of the field against its neighbours' mean. A fifth of a Gaussian lies within
    #: 0.253 standard deviations. Widened by 1.3 and by one level, within bounds (levels). The mean is a Gaussian blur, canvas px.
    calm_percentile: float = 20
    calm_sd: float = 0.253
    noise_blur: float = 1.2
    noise_gain: float = 1.3
    noise_floor: float = 1.0
    least_noise: float = 1.8
    most_noise: float = 12.0
    #: The same from the change since the reference: its calmest 30 % lie within 0.385 standard deviations. Only pixels without
    #: edges (roughness in levels) count, and at least so many.
    change_share: float = 0.3
    change_sd: float = 0.385
    change_floor: float = 0.8
    smooth: float = 6.0
    least_calm: int = 500
    #: Side (canvas px, odd) of the square around what lies on the board in which its shadow may fall: under a window's sun a cube's is as long
    #: as a checker is wide (1520001: the bar was learned in the cube's shadow, and read as a dark checker when the cube was offered).
    shadow: int = 33
    #: And how much the board's brightness there is in doubt (standard deviation, levels): as of a guessed bar.
    shadow_doubt: float = 4.0
    #: The sharpness is told by the roughest fifth of the picture.
    edges_percentile: float = 80


@dataclass(frozen=True, slots=True)
class Guessing:
    """Tuned numbers of the guess what the board looks like under the checkers of the first picture. Levels are 8-bit.

    Source: as of `Learning`.
    """

    #: Doubt (standard deviation, levels) where nothing like it is seen, and on a bar that is seen elsewhere.
    doubt: float = 14.0
    bar_doubt: float = 4.0
    #: A point of which this share (0..1) is seen needs no guess.
    seen: float = 0.98
    #: The gain between two points is pulled to 1 as if so many more pixels of this level agreed, and bounded.
    firm: float = 200 * 50.0**2
    least_gain: float = 0.75
    most_gain: float = 1.33
    #: Weight of a like point: falls by this factor (log) for each like point on the way, and to `across_bar` beyond the bar,
    #: where the places are less certain.
    distance: float = 0.5
    across_bar: float = 0.03
    #: Sum of weights below which there is no guess.
    least_weight: float = 0.005
    #: A change of light that like points show is carried to what checkers cover when it is more than so many times the noise, and
    #: more than this share of the brightness; this share of the change is doubt. (A dusk after glare, seed 350004 of the campaign:
    #: bare points that had been covered since before were expected 40 % too bright and read as checkers.)
    change_noise: float = 1.5
    change_share: float = 0.06
    change_doubt: float = 0.5
    #: Doubt of a guess: a floor, a share of the spread of the like points, a share of the brightness, and the most (levels).
    least_doubt: float = 1.5
    spread_share: float = 0.5
    level_share: float = 0.03
    most_doubt: float = 9.0


@dataclass(frozen=True, slots=True)
class Shading:
    """Tuned standard deviations of `Appearance.mahalanobis`: floors in levels, the others as shares.

    Source: as of `Learning`; the gate's threshold on the distance was chosen with them.
    """

    #: Noise (levels) from which neighbourhoods are 5 px wide instead of 3, and the width at which noise counts in full.
    noisy: float = 4.0
    noise_width: float = 2.0
    #: Against the reference and the bare board: floors of brightness and colour, shares of roughness, of the brightness and of doubt.
    level: float = 3.0
    colour: float = 2.5
    rough: float = 0.3
    rough_colour: float = 0.2
    bright_reference: float = 0.05
    bright_bare: float = 0.06
    doubt_colour: float = 0.7
    #: Colour floor (levels) and gain bounds of the board in a checker's shadow; levels added before the quotient.
    shadow_colour: float = 3.5
    shadow_low: float = 0.3
    shadow_high: float = 1.05
    shadow_black: float = 2.0
    #: The same of a checker in other light than where its like was learned.
    checker_level: float = 4.0
    checker_colour: float = 3.0
    checker_bright: float = 0.05
    checker_low: float = 0.6
    checker_high: float = 1.4
    checker_black: float = 4.0
    #: Radii (checker diameters) within which a checker is tried, and within which the board may lie in its shadow.
    top: float = 0.62
    around: float = 1.1


@dataclass(frozen=True, slots=True)
class Density:
    """Tuned standard deviations of the log densities of `Appearance.explain` and `Appearance.top_ratio`.

    Shares are of roughness, noise, doubt or brightness as named; floors in 8-bit levels. Source: as of `Learning`.
    """

    #: 1.5 · ln 2π = 2.757: the norm of a Gaussian of three features, as it was rounded when the thresholds were chosen.
    log_norm: float = 2.76
    #: An outlier's log density: so much below OUTLIER, where a Gaussian stops falling.
    below_outlier: float = 3.0
    #: The bare board: brightness varies with shading, colour differences less so.
    shade: float = 0.05
    rough: float = 0.8
    colour: float = 0.7
    colour_floor: float = 1.0
    #: A bright bare point known exactly: shares of doubt, roughness and shade, of them all for the colours, and their floor.
    exact_doubt: float = 0.4
    exact_rough: float = 0.35
    exact_shade: float = 0.4
    exact_colour: float = 0.6
    exact_colour_floor: float = 0.8
    #: Prior of the exact look.
    exact_prior: float = 0.5
    #: A guessed board may lie so many px beside the true one (nats for each), and gets back this share of what doubt costs.
    shift: float = 0.2
    eased: float = 0.8
    #: As in the reference: shares of brightness and roughness.
    same_bright: float = 0.03
    same_rough: float = 0.7
    #: A side's plain colour: shares of brightness and noise.
    flat_bright: float = 0.06
    flat_noise: float = 0.7
    #: A learned top: its spread is widened, a share of the side's brightness and of the noise is added.
    top_spread: float = 1.3
    top_bright: float = 0.03
    top_noise: float = 1.2
    top_colour: float = 1.0
    #: Brightness of one checker against what its place suggests: a factor within bounds (in a hard shadow half as bright),
    #: levels added before the quotient, and what it costs (nats per squared log factor).
    free_low: float = 0.5
    free_high: float = 1.4
    free_black: float = 6
    free_cost: float = 4.0
    #: The gain that a side's slope of brightness may give at a place.
    slope_low: float = 0.6
    slope_high: float = 1.6
    #: Nats by which a side's plain colour is worse than its learned top.
    plain_cost: float = 0.3


LEARNING, GUESSING, SHADING, DENSITY = Learning(), Guessing(), Shading(), Density()
