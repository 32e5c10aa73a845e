"""The height of full points, told by comparison with the last accepted picture.

From above, a checker in the second layer changes too little to be counted. But it changes something, and its neighbours' tops do not
change with it. So a full point is compared top by top with the picture in which its count was last accepted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.sighting import ZERO
from pi_board.vision.checkers.patches import TOP, patch_index, patches_at
from pi_board.vision.checkers.pixels import WeighedPixels

Floats = npt.NDArray[Any]

#: Standard deviations from which a pixel counts as changed.
CHANGED = 2.5
#: Nats that the comparison with the last accepted picture says about the height of a full point.
STACKED = 4.0


@dataclass(frozen=True, slots=True)
class StackModel:
    """When a full point counts as unchanged since the last accepted picture.

    `odd` below is a pixel's change of brightness in its own standard deviations; these grow with the picture's noise, with brightness by
    `gain` (share of it) and with the board's roughness there by `rough` (share of it), for a rough place moves with the camera.

    same_share, same_uneven: below both, no top has changed. other_share, other_uneven: above either, one has. Share: changed pixels
    of the most changed top (0..1). Uneven: that top's mean change less `usual` times the median top's, standard deviations.
    per_checker: nats for every checker more or less than before, if the tops are the same; if one has changed, every checker more than
    one away; if nothing can be told. upon_five: nats against a sixth upon five if a top has changed (0..3). none_against: the sixth place
    in the row scores at least so many nats when nothing there speaks against a checker.
    Source: chosen by eye on rendered games with stacks, no sweep is recorded; but `tests/bench/bench_full_points.py`: of 100 fives that were
    put back and 100 to which a sixth came (980022, 18 rooms) 5 and 1 are wrong with upon_five 0, 3 and 1 with .7 and 1.4; left as they
    are read, 4 of 256 and 8 of 276 (40 rooms). Of 98 piles that were put back 18 are wrong, and 4 if a changed top told against them by
    1 nat instead of `STACKED`; but then a game with a cup (`bench_cups.py --seeds 3`) is lost by a pile that has changed.
    """

    gain: float = 0.05
    rough: float = 0.7
    usual: float = 1.7
    same_share: float = 0.004
    same_uneven: float = 0.05
    other_share: float = 0.012
    other_uneven: float = 0.15
    per_checker: tuple[float, float, float] = (0.7, 1.2, 0.5)
    upon_five: float = 0.7
    none_against: float = -12.0


STACK = StackModel()
#: Counts of a full point, their columns for light and for dark, and the pixels of a checker's top.
_FULL = np.arange(5, 16)
_LIGHT, _DARK = ZERO + _FULL, ZERO - _FULL
_TOP_AREA = float(TOP.sum())


def compare_full_points(
    log_likelihood: Floats, pixels: WeighedPixels, in_row: Mapping[int, Floats]
) -> Floats:
    """(28, 31) `log_likelihood`, changed in place and returned. in_row: (24,) nats of light (1) and dark (-1) for a sixth checker
    in the point's row, as `CheckerFinder.in_row`."""
    look = pixels.look
    same, changed, untold = STACK.per_checker
    said, counts = (log_likelihood.argmax(axis=1) - ZERO).tolist(), look.counts.tolist()
    full = [
        slot
        for slot, (now, then) in enumerate(zip(said[:24], counts[:24], strict=True))
        if (now >= 5 and then >= 5) or (now <= -5 and then <= -5)
    ]
    tops = {slot: [d for d in look.discs if d.slot == slot] for slot in full}
    full_points = {slot: discs for slot, discs in tops.items() if discs}
    if not full_points:
        return log_likelihood
    # All their tops at once, in one gather for each plane.
    index = patch_index(
        pixels.open.shape, np.array([(d.x, d.y) for discs in full_points.values() for d in discs])
    )
    every_open = patches_at(pixels.open, index) * TOP
    y = patches_at(pixels.explanation.planes[0], index)
    before_y, rough = (patches_at(plane, index) for plane in look.brightness_before())
    odd = np.abs(y - before_y) / (look.noise + STACK.gain * before_y + STACK.rough * rough)
    each_open = np.add.reduce(every_open, axis=(1, 2))
    areas = np.maximum(each_open, 1e-3)
    every_share = (np.add.reduce(every_open * (odd > CHANGED), axis=(1, 2)) / areas).tolist()
    every_mean = (np.add.reduce(every_open * odd, axis=(1, 2)) / areas).tolist()
    every_area = each_open.tolist()
    end = 0
    for slot, discs in full_points.items():
        part = slice(end, end + len(discs))
        end += len(discs)
        before = counts[slot]
        row = log_likelihood[slot]
        if sum(every_area[part]) < 0.5 * _TOP_AREA * len(discs):
            continue
        # One checker more or less in the second layer changes one top and no other.
        means = every_mean[part]
        share, uneven = max(every_share[part]), max(means) - STACK.usual * _median(means)
        columns, away = (_LIGHT if before > 0 else _DARK), np.abs(_FULL - abs(before))
        top = float(np.maximum.reduce(row))
        if abs(said[slot]) > 5 and abs(before) == 5:
            # A sixth checker is visible in the row itself, so the five before it need not have changed.
            continue
        if share < STACK.same_share and uneven < STACK.same_uneven:
            if abs(before) == 5 and float(in_row[1 if before > 0 else -1][slot]) > STACK.none_against:
                # Perhaps a sixth in the row. The tops of the other five do not contradict it.
                away, columns = away[away != 1], columns[away != 1]
            least = np.minimum.reduce(row)
            row[columns] = np.where(away == 0, top, np.maximum(top - STACKED - same * away, least))
        elif abs(before) == 5:
            # Whoever takes one and puts it back changes a top as well as who lays a sixth upon it: both may be.
            more = top - STACK.upon_five - changed * (away - 1)
            row[columns] = np.where(away == 0, row[columns], np.maximum(row[columns], more))
        elif share > STACK.other_share or uneven > STACK.other_uneven:
            least = np.minimum.reduce(row)
            row[columns] = np.where(away == 0, top - STACKED, np.maximum(top - changed * (away - 1), least))
        else:
            # The number in a stack cannot be seen from above: keep the last one, or nearly.
            row[columns] = top - untold * away
        row -= np.maximum.reduce(row)
    return log_likelihood


def _median(values: list[float]) -> float:
    """The middle one. (Python's own takes five calls.)"""
    ordered, half = sorted(values), len(values) // 2
    return ordered[half] if len(values) % 2 else (ordered[half - 1] + ordered[half]) / 2
