"""The tuned numbers by which a board counts as found."""

from __future__ import annotations

from dataclasses import dataclass

from pi_board.vision.finding.pattern import POWERS


@dataclass(frozen=True, slots=True)
class FindModel:
    """When a board counts as found. A "worth" is `worth_of` of a fit; a "certainty" is of `PlacementRating`, nats, 0 at best.

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
    from which it is a different one; same: share up to which two fits are one. near_rival: where a second place, be it the same columns
    with other ends, is worth no more than this less, neither is surer than sure_cut (of 198 boards of `trace_rooms.py --seed 1`, 2 and
    6300 three have such a rival, of which two were 3 and 8 % off and would have been sure; the same for 0.03 to 0.06).

    again: repetitions of a fit whose lens's k1 is farther than `bent` from the usual one, if it is worth `worth_again`; they go on
    as long as a fit moves by more than `settles` (share of the width), and end when it runs away by `most_again`.

    open_ends: ends (0..1) below which points that look straight may be lancets; bulging: power of those.

    clear_worth, clear_alternation: from here on nobody would look for a second board; or from seen_worth, seen_ends and
    seen_checkers (of 30) of the network with seen_certainty (nats) on, for boards with three colours; where all_ends of the points are
    seen, ends_certainty is enough (-4.5 on sets with odd colours; `bench_finding.py --drawn 40 --seed 9100`, 60 drawn rooms).
    rated, far_behind: so many fits are shown to the network, none that is worth so much less than the best. aside: unless all_checkers are seen, places a
    column aside are fitted where the network's word is worth hardly less there; asides: so many times one after the other,
    asides_fitted: of them, the likeliest first. outlines_climbed: so many of the clearest outlines are moved to points near them.
    ends_moved: how far outwards either end is tried (shares of the height) where open_ends are in doubt; ends_better: by so much more
    must the network see.
    loose: worth below which quads with an outline are fitted as well, and a board that the network sees again with a corner moved by `shaken` (share of an edge), shakes: at
    most so many times; shaken_better: worth by which that must be better.

    glimpsed: worth below which what was seen at a glance is not made out any better: that costs ten glances. (Five of 70 rooms with cameras that hang
    anyhow were not seen at a glance, which took 2 to 4.7 s of them, a minute on a Zero 2 W, now .3 to .9 s: all were worth .37 at most, those
    seen .7 and more.)

    marked_worth, marked_apart: a pattern must be worth so much where markers say that the board is, and lie no farther from there
    (share of the width): less than a column (about 0.07), as one aside looks much the same.
    marked_least: confidence of such a pattern at least. markers_many, markers_two: confidence in markers alone, of three or more
    and of two. start: worth of the starting position at a place, swept 0..0.25; start_sure: of that, what counts in the confidence (with 0.15
    two places that were 3 and 5 % off were sure, with this no place below 0.63 is; seeds 8801, 8803 and 8807).
    starts, like_start: so many places are looked at again a column aside, and the first starts_far two columns aside, where the starting position explains them by no more than
    so many nats worse than each point by itself: a half that is a column off costs it 25 to 50, other positions 60 and more
    (`bench_finding.py --start`). trusted_certainty, lost_certainty: unless the starting position shows, a place is no surer than what
    the network makes of it: certainty (nats) down to which it may be quite sure, and nats over which that is lost; least_sure: not
    below this; sure_ends: nor is a place surer than its ends, of which so much is enough.
    beyond: share of the height by which checkers must reach beyond an end to move it: right ends were off by 0.016 at most, wrong ones by
    0.018 and more (80 sets of `bench_finding.py --start`); beyond_worse: worth that may be lost by it; beyond_less: by so much less
    may the network see, whose word varies by 3 nats from one per cent to the next; sure_cut: a place whose ends cut
    checkers, or lie far outside all of them, is no surer.
    short: share of the height by which the outermost checkers must end inside an end for another edge to be looked for, beside: so far from them it
    may lie; far_short: so much at both ends together is believed without an edge (same source, with seed 8807: right ends showed up to 0.019, at one end
    only, wrong ones 0.025 and more).
    sure_from, sure_over: a worth of sure_from is confidence 0, and 1 sure_over higher.

    alike_across, alike_along: middles of two quads' sides within these shares of the width are one candidate: the search places
    the ends of points worse than their sides.
    usual_ends, usual_alternation: what boards reach; ends_weight, alternation_weight: worth of one unit more.
    no_point: so much of a point (0..1, `PatternFit.beside`) may be seen beside a board that lies right; point_beside: worth of one unit
    more. Of 110 boards that lie right (rooms; `trace_rooms.py`, 40 of seed 1 and 60 of 1700) 98 of 100 ends have less than 0.4, and of
    the outermost points themselves, which lie beside a fit that is a column off, five of six have more. sure_beside: no place
    beside which more is seen is surer (a half that lay a column aside was, .94: `bench_finding.py --drawn 24 --seed 9400`). taken_in:
    the network may see so much less in a place a column aside that takes in such a point, and it is fitted all the same (seen 0.04
    less, in trays that hold men).
    most_k1, least_k1, odd_lens: k1 beyond these costs odd_lens a unit; wide lenses bend by as much as that.
    least_certainty, most_certainty: confidence (0..1) of a board found by its outline, which says little about a column aside.
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
    near_rival: float = 0.05
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
    all_ends: float = 0.95
    ends_certainty: float = -6.0
    rated: int = 4
    far_behind: float = 0.25
    aside: float = 0.02
    asides: int = 3
    outlines_climbed: int = 10
    asides_fitted: int = 2
    ends_moved: tuple[float, ...] = (-0.15, -0.12, -0.09, -0.06, -0.03, 0.0, 0.03, 0.06, 0.09)
    ends_better: float = 0.04
    loose: float = 0.6
    glimpsed: float = 0.4
    shaken: float = 0.05
    shaken_better: float = 0.04
    shakes: int = 20
    beyond: float = 0.017
    beyond_worse: float = 0.15
    beyond_less: float = 0.1
    sure_cut: float = 0.8
    short: float = 0.011
    beside: float = 0.016
    far_short: float = 0.022
    marked_worth: float = 0.6
    marked_apart: float = 0.055
    marked_least: float = 0.6
    markers_many: float = 0.6
    markers_two: float = 0.4
    start: float = 0.15
    start_sure: float = 0.03
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
    no_point: float = 0.4
    point_beside: float = 0.6
    sure_beside: float = 0.6
    taken_in: float = 0.2
    most_k1: float = 0.02
    least_k1: float = -0.4
    odd_lens: float = 0.3
    least_certainty: float = 0.1
    most_certainty: float = 0.85
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
