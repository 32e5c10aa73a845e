"""How large the dice of this game are: what is far from it, by itself, is none."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pi_board.sighting import DieSeen
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.dice.place_numbers import PLACE

#: Rolls that are remembered, and so many of which the size is known. Two dice are of one size up to this ratio. Set. (Of 86_02, one traced
#: game, tops were 0.91 to 1.14 of their median, and grain that read as a six in every look was 0.60.)
REMEMBERED, KNOWN, ALIKE = 8, 2, 1.25


@dataclass(slots=True)
class DiceSizes:
    """Edges in cm, as they seem. `observe` each look, then ask `which_are_none`."""

    _rolls: deque[float] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    _roll: tuple[int | None, ...] = ()

    def observe(self, dice: Sequence[DieSeen], plain: Sequence[bool], edges: Sequence[float]) -> None:
        """plain: of each whether it `is_plain`; edges: cm of each."""
        if sum(plain) != 2:
            return
        (one, a), (other, b) = ((e, d.value) for d, e, sure in zip(dice, edges, plain, strict=True) if sure)
        # (A roll lies there for many looks.)
        if (a, b) != self._roll and _alike(one, other):
            self._rolls.append((one + other) / 2)
        self._roll = a, b

    def which_are_none(self, plain: Sequence[bool], edges: Sequence[float]) -> list[bool]:
        """Of each whether it is neither as large as the dice before nor as another plain one (which may be another pair)."""
        if len(self._rolls) < KNOWN:
            return [False] * len(edges)
        smallest, largest = min(self._rolls), max(self._rolls)
        return [
            not PLACE.least_edge * smallest <= edge <= PLACE.most_edge * largest
            and not any(
                sure and i != k and _alike(other, edge)
                for i, (other, sure) in enumerate(zip(edges, plain, strict=True))
            )
            for k, edge in enumerate(edges)
        ]


def edges_of(
    dice: Sequence[DieSeen], places: npt.NDArray[np.float64], geometry: BoardGeometry
) -> list[float]:
    """cm of each, as wide as it looks from left to right. places: (len(dice), 2) cm of the field."""
    ends = np.zeros((2, len(dice), 3))
    ends[..., :2] = places
    ends[..., 0] += np.array([[-0.5], [0.5]])
    (x0, x1), (y0, y1) = geometry.project(ends.reshape(-1, 3)).T.reshape(2, 2, -1)
    scales = np.hypot(x1 - x0, y1 - y0).tolist()
    return [d.size / max(scale, 1e-6) for d, scale in zip(dice, scales, strict=True)]


def _alike(one: float, other: float) -> bool:
    return one <= ALIKE * other and other <= ALIKE * one
