"""`PairModel`: when dice belong together, and how surely they must be read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PairModel:
    """When dice belong together, and how surely they must be read. Confidences are vision's, 0..1; sizes and distances are
    those of `DieSeen`, px. Source: chosen by eye, not swept; `pi-board bench campaign` shows what a change does.

    number: confidence from which a number counts as read. otherwise: from which it contradicts what a die has shown.
    well_read: from which a die belongs to the scenery only if it was there just before, for `scenery_looks` looks.
    alone: confidence of the second die beside a readable one. vague: of two dice that cannot be read, if they are all.
    least_alike, most_alike: ratio of the sizes of a pair. least_beside, most_beside: the same where one cannot be read.
    same_place: of the size, within which a die is the one that was there. together: sizes within which two dice that came to
    rest at the same time lie. apart: sizes; two finds closer than this are faces of one die (of flat dice the middles are an edge
    apart, in a slanted view a little less). one_of_more: the most confidence in a pair that was chosen among more than two dice.
    before_the_play: seconds for which dice must have lain still beside hands that moved to be older than what those hands played. A
    thrower's own hand leaves in .2 to .5 s; a hasty play takes .9 s or more (`bench campaign --seed 500025`, 500036, 500089, 500104).
    lost: seconds after which a die that an arm hides is no longer the one that lay there. in_shadow: factor by which one die of a pair may be
    darker in the shadow of what stands there (`bench_cups.py --cups 2 --seeds 404`: white dice, 192 and 136).
    """

    number: float = 0.5
    otherwise: float = 0.8
    well_read: float = 0.85
    scenery_looks: int = 3
    alone: float = 0.4
    vague: float = 0.6
    least_alike: float = 0.65
    most_alike: float = 1.5
    least_beside: float = 0.6
    most_beside: float = 1.6
    same_place: float = 0.6
    together: float = 14
    apart: float = 0.8
    one_of_more: float = 0.8
    before_the_play: float = 0.75
    lost: float = 1.0
    in_shadow: float = 1.6


PAIR = PairModel()
