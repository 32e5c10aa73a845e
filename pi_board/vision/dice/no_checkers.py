"""Checkers that are not there: a die that lies on the board is taken for a checker's top, and one that lies on a checker is seen to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pi_board.sighting import COUNTS, ZERO, DieSeen
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import Orientation

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class NoCheckerModel:
    """near: checker diameters (0 to .5) between the middles of a die and of a checker, below which the die would lie on it; so near the
    network for leaning dice need hardly say so (`leaning.least_leaning`). against: nats (0 up) against such a checker where it does not.
    row: places in a row; a checker beyond lies on others.
    Source: 649 pictures with corners given (traced rooms, many with 14 dice, drawn boards, shared stills and rooms): six such dice, of
    which three lie on no checker, though the reader has one by 2 nats at most, and three on one that it has by .4, 11 and 13. No other
    number of nats was tried.
    """

    near: float = 0.4
    against: float = 3.0
    row: int = 5


MODEL = NoCheckerModel()


def against_checkers_under(
    dice: Sequence[DieSeen], points: Sequence[int], geometry: BoardGeometry, orientation: Orientation
) -> Floats:
    """(24, 31) nats, none or less, for each signed count of points 1-24: against the checkers that would lie under dice which lie on none.
    points: (24,) signed counts that were assumed when the `dice` were read."""
    out = np.zeros((len(points), COUNTS))
    flat = [d for d in dice if d.value is not None and not d.on_checker]
    if not flat:
        return out
    profile = geometry.profile
    at = geometry.unproject([(d.x, d.y) for d in flat], profile.die_size)
    many = np.abs(np.arange(COUNTS) - ZERO)
    for point, count in enumerate(points):
        column, row = orientation.column_of(point + 1)
        for place in range(min(MODEL.row, abs(count))):
            there = geometry.checker_place(column, row, place)[:2]
            if np.hypot(*(at - there).T).min() < MODEL.near * profile.checker_diameter:
                out[point, many > place] = -MODEL.against
                break
    return out
