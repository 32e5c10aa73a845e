"""Rows of checkers that the strips may hold, and what each is worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.vision.checkers.row_numbers import ROWS, SINGLE_LAYER

Floats = npt.NDArray[Any]
#: (side, (N, 2) canvas px) → (N,) nats that a checker's top there says for itself.
Judge = Callable[[int, Floats], Floats]


@dataclass
class Rows:
    """Rows of checkers of one side that the 24 strips may hold.

    at: (N, 2) canvas px, the places; strip: (N,) of which strip; says: (N + 1,) nats, the last for no place. which: (SINGLE_LAYER, 24,
    SINGLE_LAYER) places of the row of 1, 2, … checkers, N beyond its end. hopeful: (SINGLE_LAYER, 24) worth a look. prior:
    (SINGLE_LAYER, 24) nats. covered: as `which`, how much of each place something known covers.
    """

    at: Floats
    strip: npt.NDArray[np.intp]
    says: Floats
    which: npt.NDArray[np.intp]
    hopeful: npt.NDArray[np.bool_]
    prior: Floats
    covered: Floats

    def worth(self) -> Floats:
        """(SINGLE_LAYER, 24) nats for each row."""
        n = np.arange(1, SINGLE_LAYER + 1)[:, None]
        # A checker in a covered place costs nothing, seen or not.
        seen = n - self.covered.sum(axis=2)
        sixth = ROWS.sixth * (n == SINGLE_LAYER) * (1.0 - self.covered[..., -1])
        return np.asarray(self.says[self.which].sum(axis=2) + self.prior - ROWS.per_checker * seen - sixth)
