"""How large the dice of this game are: what is far from it, by itself, is none."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pi_board.sighting import DieSeen
from pi_board.vision.dice.marks import is_plain
from pi_board.vision.dice.place_numbers import PLACE

Floats = npt.NDArray[np.float64]
#: Rolls that are remembered, and so many of which the size is known. Two dice are of one size up to this ratio. Set. (Of 86_02, one traced
#: game, tops were 0.91 to 1.14 of their median, and grain that read as a six in every look was 0.60.)
REMEMBERED, KNOWN, ALIKE = 8, 2, 1.25


@dataclass(slots=True)
class DiceSizes:
    """Edges in cm, as they seem. `observe` each look, then `without` leaves out what is no die by its size."""

    _rolls: deque[float] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    _roll: tuple[int, ...] = ()

    def observe(self, dice: Sequence[DieSeen], edges: Floats) -> None:
        """edges: (len(dice),) cm."""
        plain = np.array([is_plain(d) for d in dice], dtype=bool)
        if plain.sum() != 2:
            return
        values = tuple(d.value or 0 for d in dice if is_plain(d))
        one, other = edges[plain]
        # (A roll lies there for many looks.)
        if values != self._roll and _alike(one, other, ALIKE):
            self._rolls.append(float(one + other) / 2)
        self._roll = values

    def without(self, dice: Sequence[DieSeen], edges: Floats) -> list[DieSeen]:
        """Those of `dice` that are as large as the ones before, or as another plain one (it may be another pair)."""
        if len(self._rolls) < KNOWN:
            return list(dice)
        return [d for k, d in enumerate(dice) if self._may_be_one(k, dice, edges)]

    def _may_be_one(self, k: int, dice: Sequence[DieSeen], edges: Floats) -> bool:
        if any(PLACE.least_edge <= edges[k] / known <= PLACE.most_edge for known in self._rolls):
            return True
        return any(is_plain(d) and i != k and _alike(edges[i], edges[k], ALIKE) for i, d in enumerate(dice))


def _alike(one: float, other: float, ratio: float) -> bool:
    return bool(max(one, other) <= ratio * min(one, other))
