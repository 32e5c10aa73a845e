"""Numbers of `BumpWatch`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BumpModel:
    """How patches are chosen, found again and made to agree. Pixels are those of the picture that is searched.

    Source, where no other is named: chosen by eye on the two recorded games of `tests/bench/bench_registration.py` (its table of
    bumps), which also shows what a change does. "Swept" (2026-11-22, that table's 130 pictures and 49 bumps, one number at a
    time): over the whole range named nothing changes there, which is no false bump, no doubt, every bump followed, and corners
    that are off by 0.05 to 0.07 px in the median and 0.5 px at worst.

    width: of the grey picture for the wide search, px, 400 or more; the glance at every frame uses the frame itself, because
    resizing it would cost more than the glance. half: half side of a patch, px, 5..15. near, wide: reach of the glance and of
    the wide search, px. most: patches watched, 20..100. parts: a glance looks for one patch in so many, 1..5.
    like: correlation (0..1) from which a patch counts as found again, swept 0.5..0.9. turned: how much less is enough in the wide search,
    because a turned patch looks less like itself. unlike: correlation below which a patch is lost.
    enough: patches that must agree, 4 (a similarity has four degrees of freedom: two patches fix it) or more,
    swept 4..16.

    at_rest, astray: px within which a patch has not moved (swept 0.3..1.2), and from which it is lost. resting: share of the found patches that
    must be at rest, swept 0.5..0.9. in_view: share of the patches that must be found for a glance to say so.
    reprojection: px that a patch may be off the common movement in the wide search, in the second pass, and for a homography.
    agreeing: share of the found patches that must follow the common movement, in the wide search and at the end;
    swept together, 0.25..0.65 and 0.3..0.7.
    most_turn: degrees, least_scale, most_scale: the largest movement of a side of the field that is believed; a larger one is a board
    set up anew. most_turn_at_an_angle: the same of a movement that no similarity explains: at 45 degrees a side that runs away from the
    camera turns by up to 1.4 times as much in the picture as on the table.
    for_homography, homography_share: patches, and share of those that agree, from which eight parameters are fitted instead of
    four: places in one corner would let the rest run away. most_perspective: per px; least_square, most_square: squared
    stretch of the second pass, which only has a small rest left to explain.

    corners, corner_quality, corner_scale: of `cv2.goodFeaturesToTrack` beyond the places that the board's sizes give: how many,
    share of the best corner's strength, Gaussian blur before (px). tip, edge: weight of the points' tips and of other known
    places against such a corner. around: px around a known place in which the sharpest one is taken. apart: distance of two
    patches, in halves. bar_mark: where the bar's edges are watched besides their ends, share of half the field's height. margin: what is watched beyond the rim, rim widths. renew_after: glances for which a patch stays lost
    before it is taken anew.
    touched: share of the patches in which something must be new for the board to have moved since it was at rest. Source: five drawn
    and simulated boards, shifted by .6 px: .98 and more; after a play .14 at most.
    blurred: share of the learned picture's sharpness below which a picture is out of focus. Source: three simulated rooms, blurred by a
    Gaussian of 3 px: .19 to .41; the smaller, the larger their pictures. least_contrast: share of the learned picture's contrast, smoothed over
    `smooth` px so that noise has none, below which nothing can be seen. Source: five drawn rooms, of which the lamps were switched off: .05 to
    .17; at dusk .45.
    """

    width: int = 800
    half: int = 9
    near: int = 3
    wide: int = 34
    most: int = 56
    parts: int = 3
    like: float = 0.72
    turned: float = 0.12
    unlike: float = 0.5
    enough: int = 8
    at_rest: float = 0.6
    astray: float = 1.0
    resting: float = 0.75
    in_view: float = 0.3
    reprojection: tuple[float, float, float] = (2.5, 2.0, 1.2)
    agreeing: tuple[float, float] = (0.45, 0.5)
    most_turn: float = 8.0
    most_turn_at_an_angle: float = 11.0
    least_scale: float = 0.9
    most_scale: float = 1.1
    for_homography: int = 14
    homography_share: float = 0.8
    most_perspective: float = 2e-4
    least_square: float = 0.85
    most_square: float = 1.15
    corners: int = 60
    corner_quality: float = 0.02
    corner_scale: float = 1.0
    tip: float = 4.0
    edge: float = 2.0
    around: int = 3
    apart: float = 1.2
    bar_mark: float = 0.75
    margin: float = 1.5
    renew_after: int = 3
    touched: float = 0.5
    blurred: float = 0.6
    least_contrast: float = 0.2
    smooth: int = 9


BUMP = BumpModel()
