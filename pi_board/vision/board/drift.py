"""`Drift`: how far the board has crept in the picture since its landmarks were taken: a camera's arm sinks all evening.

A bump is there from one picture to the next. Creeping, no picture differs from the one before, and all that is learned and taken anew on
the way would forget it: so each landmark keeps how far the board had crept when it was taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.vision.board.geometry import BoardGeometry, transform

Floats = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class DriftModel:
    """rate: share (0..1) of what the landmarks of one picture say more that is believed at once. stiff: so many landmarks' worth of weight
    says that the board neither turns nor grows, for a few in one corner tell little of that.
    every: seconds from one glance at the landmarks to the next in which nothing else asks for one. Set.
    follow: share of a checker's diameter by which a corner may be off before the board is taken to lie elsewhere; least, most: of it, px.
    (An arm that sinks by 20 px in ten minutes was off by 2.5 % of the board's width after these, a third of a checker, and is by .3 %. Source:
    one campaign room, 4160004; not swept.)
    """

    rate: float = 0.5
    stiff: float = 1.0
    every: float = 5.0
    follow: float = 0.03
    least: float = 1.0
    most: float = 2.0


DRIFT = DriftModel()
_STIFF = np.diag([0.0, 0.0, DRIFT.stiff, DRIFT.stiff])


class Drift:
    """What `geometry` has to be moved by now. All places are px of the picture."""

    def __init__(self, geometry: BoardGeometry) -> None:
        self._corners = geometry.corners
        self._middle = geometry.corners.mean(axis=0)
        self._reach = float(np.linalg.norm(geometry.corners - self._middle, axis=1).mean())
        self._limit = float(
            np.clip(
                DRIFT.follow * geometry.profile.checker_diameter * geometry.px_per_cm, DRIFT.least, DRIFT.most
            )
        )
        #: Whether a corner of the board lies further off than may be.
        self.is_much = False
        #: px to the right and down; px by which it has grown and turned, `_reach` px from its middle.
        self._by = np.zeros(4)
        self._at_corners = self._shape(self._corners)

    def at(self, places: npt.ArrayLike) -> Floats:
        """(N, 2) px by which the (N, 2) places of the board have crept."""
        return np.asarray(self._shape(np.asarray(places, np.float64)) @ self._by).reshape(-1, 2)

    def note(self, places: npt.ArrayLike, off: Floats, rate: float = DRIFT.rate) -> None:
        """The (N, 2) places are seen (N, 2) px `off` where `at` has them. rate: how much of that is believed."""
        shape = self._shape(np.asarray(places, np.float64))
        # (What it is believed to have turned by is as stiff as what is new.)
        step = np.linalg.solve(shape.T @ shape + _STIFF, shape.T @ off.reshape(-1) - _STIFF @ self._by)
        self._by += rate * step
        off = np.square(self._at_corners @ self._by)
        self.is_much = bool((off[::2] + off[1::2]).max() >= self._limit**2)

    @property
    def movement(self) -> Floats:
        """(3, 3) px to px."""
        dx, dy, grown, turned = self._by
        here = np.array([[grown, -turned], [turned, grown]]) / self._reach
        out = np.eye(3)
        out[:2, :2] += here
        out[:2, 2] = (dx, dy) - here @ self._middle
        return out

    def take(self, movement: Floats) -> None:
        """The board has moved by (3, 3) `movement` in all."""
        there = transform(movement, self._corners)
        self.note(self._corners, there - self._corners - self.at(self._corners), rate=1.0)

    def _shape(self, places: Floats) -> Floats:
        """(2 N, 4) px to the right and down at each place for each of `_by`."""
        u = (places.reshape(-1, 2) - self._middle) / self._reach
        out = np.zeros((len(u), 2, 4))
        out[:, 0, 0] = out[:, 1, 1] = 1.0
        out[:, :, 2] = u
        out[:, 0, 3], out[:, 1, 3] = -u[:, 1], u[:, 0]
        return out.reshape(-1, 4)
