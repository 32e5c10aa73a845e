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
#: (SINGLE_LAYER, 1) how many checkers each row has.
_LENGTHS = np.arange(1, SINGLE_LAYER + 1)[:, None]


@dataclass
class Rows:
    """Rows of checkers that the 24 strips may hold, of light and then of dark: strip 24 is the first one again, looked at for dark.

    at: (N, 2) canvas px, the places; strip: (N,) of which strip, in order; says: (N + 1,) nats, the last for no place. which:
    (SINGLE_LAYER, 48, SINGLE_LAYER) places of the row of 1, 2, … checkers, N beyond its end. hopeful: (SINGLE_LAYER, 48) worth a look.
    prior: (SINGLE_LAYER, 48) nats; if_all_seen: the same for a row of which each checker is seen. covered: as `which`, how much of each
    place something known covers, None when nothing does.
    """

    at: Floats
    strip: npt.NDArray[np.intp]
    says: Floats
    which: npt.NDArray[np.intp]
    hopeful: npt.NDArray[np.bool_]
    prior: Floats
    if_all_seen: Floats
    covered: Floats | None

    def worth(self) -> Floats:
        """(SINGLE_LAYER, 48) nats for each row."""
        seen: Floats = _LENGTHS
        sixth: Floats = ROWS.sixth * (_LENGTHS == SINGLE_LAYER)
        if self.covered is not None:
            # A checker in a covered place costs nothing, seen or not.
            seen = _LENGTHS - self.covered.sum(axis=2)
            sixth = sixth * (1.0 - self.covered[..., -1])
        each = self.says.take(self.which)
        # (Beyond a row's end nothing says anything.)
        all_seen = np.logical_and.reduce(each >= 0.0, axis=2)
        prior = np.where(all_seen, self.if_all_seen, self.prior)
        return np.asarray(np.add.reduce(each, axis=2) + prior - ROWS.per_checker * seen - sixth)

    @property
    def sides(self) -> tuple[slice, slice]:
        """Places of light, and of dark."""
        first = int(self.strip.searchsorted(24))
        return slice(0, first), slice(first, len(self.strip))
