"""`HolesReader`: frames of one 37-hole board in play; the lattice is found once, hands and motion are waited out."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import AmbiguousError
from pi_board.frame import Frame
from pi_board.vision import holes as still
from pi_board.vision.holes import Floats

#: Mean absolute grey difference between two small pictures from which something moves.
MOVING = 2.0
#: Likeness (-1..1) to the nearest known look of a hole below which something else lies there: a hand, a sleeve.
STRANGE = 0.25


class HolesReader:
    """`look` gives 37 x 0/1, or None while nothing can be read. corners: of the field, when known.

    learn: the position of the last readable look is known (the set-up, an accepted jump): its holes teach what a piece and
    an empty hole look like on this board in this light.
    """

    def __init__(self, *, corners: npt.ArrayLike | None = None) -> None:
        self._corners = corners
        self.lattice: Floats | None = None
        self.refusal = ""
        self._small: npt.NDArray[Any] | None = None
        self._patches: Floats | None = None
        self._empty: Floats | None = None
        self._filled: Floats | None = None
        self._next_try = float("-inf")

    def look(self, frame: Frame) -> tuple[int, ...] | None:
        if self._moves(frame.image):
            return None
        if self.lattice is None:
            if frame.time < self._next_try:
                return None
            self._next_try = frame.time + 1.0
            try:
                self.lattice = still.find_lattice(frame.image, corners=self._corners)
            except AmbiguousError as error:
                self.refusal = str(error)
                return None
            reading = still.occupancy(frame.image, self.lattice)
            self.lattice = reading.to_picture
        logs = still.rectify(frame.image, self.lattice)
        self._patches = still.hole_patches(logs)
        if self._empty is None or self._filled is None:
            reading = still.occupancy(frame.image, self.lattice)
            return reading.holes if reading.confidence > 0.5 else None
        like_empty = (self._patches * self._empty).sum(axis=1)
        like_filled = (self._patches * self._filled).sum(axis=1)
        if (np.maximum(like_empty, like_filled) < STRANGE).any():
            return None
        return tuple(int(v) for v in like_filled > like_empty)

    def learn(self, holes: tuple[int, ...]) -> None:
        """`holes` is what the last look showed. Holes never seen empty (or filled) borrow from the others."""
        if self._patches is None:
            return
        filled = np.array(holes, bool)
        for name, mask in (("_empty", ~filled), ("_filled", filled)):
            if not mask.any():
                continue
            known: Floats | None = getattr(self, name)
            typical = np.median(self._patches[mask], axis=0)
            typical /= max(float(np.linalg.norm(typical)), 1e-6)
            if known is None:
                known = np.repeat(typical[None], len(holes), axis=0)
            known = known.copy()
            fresh = 0.5 * known[mask] + 0.5 * self._patches[mask]
            known[mask] = fresh / np.maximum(np.linalg.norm(fresh, axis=1, keepdims=True), 1e-6)
            setattr(self, name, known)

    def _moves(self, image: npt.NDArray[np.uint8]) -> bool:
        small = cv2.resize(image, (96, 72), interpolation=cv2.INTER_AREA).astype(np.int16)
        before, self._small = self._small, small
        return before is None or float(np.abs(small - before).mean()) > MOVING
