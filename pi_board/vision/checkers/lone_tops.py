"""A lone checker stands at the rim: what looks like one further in is a thing that stands on the board.

From above the inside of a dice cup looks like a checker's top. The network of all points counts it by its look alone. But a row begins at
the board's edge, so a point that holds one checker shows its top there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pi_board.sighting import ZERO
from pi_board.vision.checkers.cell_discs import tops_in_cells
from pi_board.vision.checkers.slot_network import (
    DIAMETER_PER_PITCH,
    MARGIN_Y,
    PITCH,
    ROW_PX,
    STRIDE,
    STRIP_CENTRES,
    Scores,
)

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LoneTopNumbers:
    """When a lone top is too far from the rim to be a checker's.

    reach: a lone checker's middle lies at most so many diameters from the board's edge (0.5 where it touches it). Range 1.0-1.3.
    clear: share of a disc that the network must take for a top. Range 0.4-0.65 (`trays.FAINT`, `trays.CLEAR`).
    hand: probability of a hand on the point from which nothing is concluded. Range 0.1-0.5.
    bonus: nats by which nothing is then likelier than the lone checker. Range 0-3; a whole board that holds fifteen only with it weighs more.
    Source: `bench_stills.py --folder` on 279 traced rooms (seeds 7000, 7200, 7300) and all shared stills. 14 points that were read as one
    checker had their only top 1.3 to 2.9 diameters from the edge, and all 14 were cups or marks; no true lone checker was among them.
    """

    reach: float = 1.2
    clear: float = 0.45
    hand: float = 0.3
    bonus: float = 1.5


NUMBERS = LoneTopNumbers()


def against_lone_tops_inside(
    scores: Scores, points: Floats, diameter: float, numbers: LoneTopNumbers = NUMBERS
) -> Floats:
    """(2, 12, 31) `points` in which no checker is likelier than one where the only top lies away from the rim.

    diameter: of a checker along a row, px of the canvas. points: log-likelihoods, rows and columns as in `Scores.points`.
    """
    lone = np.abs(points.argmax(axis=2) - ZERO) == 1
    lone &= scores.hidden < numbers.hand
    if not lone.any():
        return points
    tops = tops_in_cells(scores.cells[..., 1] + scores.cells[..., 2])
    out = points
    for row, column in np.argwhere(lone).tolist():
        along = _along_the_row(tops, row, column)
        middles = ((np.arange(len(along)) + 0.5) * STRIDE - MARGIN_Y) / diameter
        if along[middles <= numbers.reach].max() < numbers.clear <= along.max():
            if out is points:
                out = points.copy()
            of_one = max(points[row, column, ZERO - 1], points[row, column, ZERO + 1])
            out[row, column, ZERO] = max(points[row, column, ZERO], of_one + numbers.bonus)
    return out


def _along_the_row(tops: npt.NDArray[np.float32], row: int, column: int) -> npt.NDArray[np.float32]:
    """(39,) how clear a top is at each cell of a point, the board's edge first. tops: (78, 88) cells."""
    middle, reach = STRIP_CENTRES[column], PITCH // STRIDE // 2
    strip = tops[:, middle - reach : middle + reach + 1].max(axis=1)
    half = len(strip) // 2
    return strip[:half] if row == 0 else strip[half:][::-1]


def diameter_px(pitch: float, height: float) -> float:
    """A checker's diameter along a row, px of the canvas. pitch: a column's width, height: the field's, in one unit."""
    return DIAMETER_PER_PITCH * pitch / (height / 2) * ROW_PX
