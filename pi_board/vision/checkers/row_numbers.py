"""The tuned numbers of where checkers lie on points and bar, and how much their evidence weighs."""

from __future__ import annotations

from dataclasses import dataclass

#: Effective sample size of a checker's top, 5..30: its pixels err together, so its two hundred pixels count as so many
#: independent ones. Chosen by eye, not swept.
EFFECTIVE_PIXELS = 12.0
#: Floor of a slot's log-likelihood below its best count, nats: the probability of everything that this model leaves out.
FLOOR = -14.0
#: Nats below the floor at which a count stands that is impossible, rather than unlikely; enough to be told apart, no more.
OUT_OF_THE_QUESTION = 6.0
#: Checkers in one layer of a point, and the ends of the search: raw scores (nats) of places that were skipped as hopeless, of
#: counts that are impossible, and of a place where no checker may lie.
SINGLE_LAYER = 6
HOPELESS, IMPOSSIBLE, NOWHERE = -200.0, -1e4, -1e3
#: Checkers of one side, rank of the separable approximation of the disc filter (one more term would add 1e-4 of its sum), and
#: bound of one pixel's word, nats.
ALL, DISC_RANK, PIXEL_CAP = 15, 5, 3.0
#: Sideways play of a checker on its point, and on the bar, canvas px: half the width of the strips that are sampled.
SIDEWAYS, SIDEWAYS_ON_BAR = 4, 5


@dataclass(frozen=True, slots=True)
class RowModel:
    """What is known of where checkers lie, and how much their evidence weighs. Diameters are those of a checker on the canvas.

    Source, where no other is named: chosen by eye on the shared stills and rendered games of `tests/bench/bench_vision.py`, no sweep
    is recorded; that bench shows what a change does.

    disc: radius over which pixels are summed, diameters: less than half, to stay off the edge.
    touch: least distance of two checkers in one layer, diameters; learned_touch: the same for the starting position, whose rows
    are known. first: where the strips begin, diameters from the edge; beyond_middle: how far they reach over the middle, for where the
    first checkers of a row have left its last ones reach so far (`tests/bench/bench_rows.py`, 12 rooms from 79000: with .35 157 of 707
    rows are read wrong, 77 surely, with 2.0 98 and 21). shortest: and how long they are at least.

    edge: how far the first checker stands off the edge, diameters. play, more_play: standard deviation of a checker's distance
    from its place, diameters, and what each further checker adds. far_slope, far_cost: nats a standard deviation far out, where
    the prior is no longer a normal one: there the row was laid carelessly. sideways, sideways_weight: standard deviation across,
    canvas px, and the weight of that prior.
    room: pitches within which only five checkers have room. beyond: nats that one of the first five costs where only a sixth
    fits. begins_at_rim, plainly_off, begins_at_most: pitches from the edge within which the first checker of a row lies at the rim,
    from which it plainly does not, and within which it lies at all where the others touch it (then none of them costs more for lying
    further in). row_score, bare_rim: score (nats) that a strip needs for a row off the rim to be looked for, and the share of it that
    its rim shows at most. long: checkers from which the uncalibrated reader counts such a row wrongly. Source of these six:
    `tests/bench/bench_rows.py`, 12 rooms (990000-990011); bare_rim .6 leaves 5 of 31 fives wrong that .9 reads; begins_at_most 2.75 leaves
    82 of 451 rows wrong, most of those that begin three checkers off, 3.75 leaves 29 (1730100-1730109).
    overlap_cost, overlap_free: nats for a whole diameter of overlap, and the share that costs nothing. touching: share of a
    pitch by which neighbours may be apart and still touch.

    per_checker: prior cost of each, nats: without evidence, fewer checkers are likelier. sixth: of a sixth in the row, because
    players mostly stack the sixth and the shadow of five resembles one. stacked_sixth: of a sixth on top of five.
    seventh, on_six, on_five: nats for each checker more than can be counted from above, and once, on top of six or of five.
    hopeless: nats behind the best at which a row is not looked at.
    mixed: nats that a checker of the other colour needs before the point is called mixed. free, touching_row: diameters
    (pitches) from checkers of the point, and of its own side's row opposite, from which such a checker stands apart;
    over_row: pitches beyond a row in which one is looked for; of_row: pitches across within which a row is the same; beside: pitches
    across within which others may reach into a strip.
    overlap, better, taken: px to which two strips agree on a checker that both see, nats by which one must be the better, and
    what the other loses. flank: diameters beside a checker where nothing of it is left: less of what it says the nearer a place is
    (measured on dark and light checkers at dusk: half at .3, a tenth at .5).

    bar_covered, unseen_on_bar: covered share of the bar's middle half from which unseen checkers may stand there, and the cost
    of each, nats. most_on_bar, bar_prior: most that are searched there, and prior cost of each, nats: the bar is mostly empty.
    bar_told: the prior costs no more than this share of what a checker there would say: who could hardly be told from the bar is not
    told to be away. bar_untold: below so many nats a checker there says nothing at all for itself, and the learned look no more than these
    against each. (Dark brown ones on a dark brown bar, path-traced: -3.5; five nats were against each that lay there.)
    hardly_told: nats below which the prior is less, and only the share hardly_heard of what the uncalibrated reader says is believed. (30 rooms
    of `bench_on_the_bar.py --room style=travel --seed 4190000 --boards 6`, 48 dark halves told by less: 33 wrong and 1.2 nats of loss without it, 14 and .7 with .6 of it; with all of it four are
    wrong by more than 2 nats, with .6 none.) Source of bar_told and of this:
    `tests/bench/bench_on_the_bar.py`: in six rooms a dark checker on a dark bar says half of what it would, an empty place a fifth; in
    24 none of 280 halves is surely read wrong with 6 nats, two are with 5.
    bar_piled: nats that each checker costs which lies upon another one on the bar: it is hardly seen from above, and mostly there is
    room beside (2050003: the fifth).
    bar_least: score below which no further place is searched. bar_lost, bar_most, bar_none: nats of a place that the other
    colour explains better, most that one place may say, and of a checker without a place.
    """

    disc: float = 0.47
    touch: float = 0.94
    learned_touch: float = 0.96
    first: float = 0.3
    beyond_middle: float = 2.0
    shortest: float = 5.6
    edge: float = 0.06
    play: float = 0.28
    more_play: float = 0.08
    far_slope: float = 1.2
    far_cost: float = 1.0
    sideways: float = 2.2
    sideways_weight: float = 0.6
    room: float = 5.3
    beyond: float = 40.0
    begins_at_rim: float = 0.9
    begins_at_most: float = 3.75
    plainly_off: float = 1.25
    row_score: float = 4.0
    bare_rim: float = 0.9
    long: int = 4
    overlap_cost: float = 70.0
    overlap_free: float = 0.06
    touching: float = 0.35
    per_checker: float = 1.5
    sixth: float = 9.0
    stacked_sixth: float = 2.7
    seventh: float = 0.7
    on_six: float = 1.0
    on_five: float = 2.0
    hopeless: float = 30.0
    mixed: float = 9.0
    free: float = 0.85
    touching_row: float = 1.25
    over_row: float = 1.6
    of_row: float = 0.7
    beside: float = 2.0
    overlap: float = 2.0
    better: float = 2.0
    taken: float = 6.0
    flank: float = 0.65
    bar_covered: float = 0.15
    unseen_on_bar: float = 1.5
    most_on_bar: int = 6
    bar_prior: float = 4.5
    bar_told: float = 0.4
    bar_untold: float = 1.0
    hardly_told: float = 6.0
    hardly_heard: float = 0.6
    bar_piled: float = 2.5
    bar_least: float = -25.0
    bar_lost: float = -4.0
    bar_most: float = 30.0
    bar_none: float = -8.0


ROWS = RowModel()
