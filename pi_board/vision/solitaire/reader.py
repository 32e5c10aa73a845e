"""`HolesReader`: frames of one 37-hole board in play; the lattice is found once, hands and motion are waited out."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import AmbiguousError
from pi_board.frame import Frame
from pi_board.sighting import Gate, Sighting
from pi_board.vision.solitaire.lattice import PLACES, Floats, find_lattice
from pi_board.vision.solitaire.occupancy import PITCH, holes_at, rectify

Holes = tuple[int, ...]

#: Mean absolute grey difference between two small pictures from which something moves.
MOVING = 2.0
#: Standard deviation of the blur over the log picture before holes are compared, px of the rectified picture: noise goes, a piece's edge
#: stays. Chosen by eye.
SMOOTH = 1.2
#: Likeness (-1..1) to the nearest known look of a hole below which something else lies there: a hand, a sleeve.
STRANGE = 0.25
#: Half sizes, in pixels of the rectified picture, of a look and of the window in which it is searched: pieces are
#: put down a little beside their hole, and a lattice fitted to the tops of pieces is a little off at the board.
LOOK, WINDOW = 19, 26
#: Seconds of a still but unreadable board after which the board is looked for again: it was pushed.
PUSHED = 2.5
#: Confidence from which a reading without history is taken when the known looks no longer fit.
SURE = 0.9
#: The same while nothing is known yet: a set-up must be recognised hole by hole besides.
READABLE = 0.05


class HolesReader:
    """`look` gives a sighting whose `holes` say what each hole has, None in them while nothing can be read.

    corners: of the field, when known. motion: False for pictures that stand for themselves. learn: the position of the last readable look is known (the set-up, an accepted jump): its holes teach what a piece and
    an empty hole look like on this board in this light.
    """

    def __init__(self, *, corners: npt.ArrayLike | None = None, motion: bool = True) -> None:
        self._corners, self._motion = corners, motion
        self.lattice: Floats | None = None
        self.refusal = ""
        self._small: npt.NDArray[Any] | None = None
        self._windows: Floats | None = None
        #: (37, 2 LOOK + 1, 2 LOOK + 1, 3) float32: how each hole looks empty and filled.
        self._looks: dict[bool, Floats] = {}
        self._next_try = float("-inf")
        self._strange_since: float | None = None

    def look(self, frame: Frame) -> Sighting:
        gate, holes = self._look(frame)
        return Sighting(
            frame.seq,
            frame.time,
            gate,
            registered=self.lattice is not None,
            name=frame.name,
            note=self.refusal if holes is None else "",
            holes=holes,
        )

    def _look(self, frame: Frame) -> tuple[Gate, Holes | None]:
        if self._motion and self._moves(frame.image):
            self._strange_since = None
            return Gate.MOVING, None
        if self.lattice is None and not self._find(frame):
            return Gate.NO_BOARD, None
        assert self.lattice is not None
        self._windows = _windows(rectify(frame.image, self.lattice))
        if len(self._looks) == 2:
            like = {filled: self._likeness(filled)[0] for filled in self._looks}
            if (np.maximum(like[False], like[True]) >= STRANGE).all():
                self._strange_since = None
                self.refusal = ""
                return Gate.SETTLED, tuple(int(v) for v in like[True] > like[False])
            holes = self._strange(frame)
            return (Gate.HAND if holes is None else Gate.SETTLED), holes
        reading = holes_at(frame.image, self.lattice)
        if reading.confidence > READABLE:
            self.refusal = ""
            return Gate.SETTLED, reading.holes
        self.refusal = "the holes cannot be told apart well enough"
        if frame.time >= self._next_try:
            # The lattice may have been fitted to something else, or to half a board: search again now and then.
            self.lattice = None
        return Gate.HAND, None

    def learn(self, holes: Holes) -> None:
        """`holes` is what the last look showed. Holes never seen empty (or filled) borrow from the others."""
        if self._windows is None:
            return
        for filled in (False, True):
            mask = np.array(holes, bool) == filled
            if not mask.any():
                continue
            if filled in self._looks:
                moved = self._aligned(filled)
                known = self._looks[filled].copy()
                known[mask] = 0.5 * known[mask] + 0.5 * moved[mask]
            else:
                centre = slice(WINDOW - LOOK, WINDOW + LOOK + 1)
                here = self._windows[:, centre, centre]
                typical = np.median(here[mask], axis=0)
                known = np.repeat(typical[None], len(holes), axis=0)
                known[mask] = here[mask]
            self._looks[filled] = known.astype(np.float32)

    # ------------------------------------------------------------------------------------------ inside

    def _find(self, frame: Frame) -> bool:
        if frame.time < self._next_try:
            return False
        self._next_try = frame.time + 1.0
        try:
            self.lattice = find_lattice(frame.image, corners=self._corners)
        except AmbiguousError as error:
            self.refusal = str(error)
            return False
        self.lattice = holes_at(frame.image, self.lattice).to_picture
        return True

    def _strange(self, frame: Frame) -> Holes | None:
        """Nothing moves, and yet a hole looks like nothing known: a resting hand, or the board was pushed."""
        self.refusal = "something covers the board, or it was moved"
        if self._strange_since is None:
            self._strange_since = frame.time
        if frame.time - self._strange_since < PUSHED or frame.time < self._next_try:
            return None
        before = self.lattice
        if not self._find(frame):
            return None
        assert self.lattice is not None
        reading = holes_at(frame.image, self.lattice)
        if reading.confidence < SURE:
            self.lattice = before
            return None
        return reading.holes

    def _likeness(self, filled: bool) -> tuple[Floats, list[tuple[int, int]]]:
        """(37,) best likeness of each hole to its look, and where in the window (x, y) it was found."""
        assert self._windows is not None
        best = np.empty(len(PLACES))
        places = []
        for i, (window, look) in enumerate(zip(self._windows, self._looks[filled], strict=True)):
            _, best[i], _, place = cv2.minMaxLoc(cv2.matchTemplate(window, look, cv2.TM_CCOEFF_NORMED))
            places.append((int(place[0]), int(place[1])))
        return best, places

    def _aligned(self, filled: bool) -> Floats:
        """The look of every hole now, cut out where it is most like what it was."""
        assert self._windows is not None
        size = 2 * LOOK + 1
        _, places = self._likeness(filled)
        cut = [w[y : y + size, x : x + size] for w, (x, y) in zip(self._windows, places, strict=True)]
        return np.array(cut)

    def _moves(self, image: npt.NDArray[np.uint8]) -> bool:
        small = cv2.resize(image, (96, 72), interpolation=cv2.INTER_AREA).astype(np.int16)
        before, self._small = self._small, small
        return before is None or float(np.abs(small - before).mean()) > MOVING


def _windows(logs: npt.NDArray[np.float32]) -> Floats:
    """(37, 2 WINDOW + 1, 2 WINDOW + 1, 3) float32 around every hole of the rectified log picture."""
    found = []
    smooth = cv2.GaussianBlur(logs, (0, 0), SMOOTH)
    for row, column in PLACES:
        x, y = PITCH * (1 + column), PITCH * (1 + row)
        found.append(smooth[y - WINDOW : y + WINDOW + 1, x - WINDOW : x + WINDOW + 1])
    return np.array(found, np.float32)
