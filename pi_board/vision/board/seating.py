"""Who sits where: read from the starting position, instead of asked.

The starting position looks different in all four seatings. Where the stacks stand shows on which side `near` bears off, and their
colours show who sits near.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from pi_board.rules import STARTING_POSITION, Position
from pi_board.sighting import ZERO
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.checkers.blind import BlindReader

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

#: The four seatings.
SEATINGS: tuple[Orientation, ...] = (
    Orientation("light", "right"), Orientation("light", "left"), Orientation("dark", "right"), Orientation("dark", "left"),
)  # fmt: skip
#: The most that one point may count against a seating, nats: a single misread point must not outvote the others.
_FLOOR = -6.0
#: A seating is sure when it is ahead of the next one by so many nats, and its fit over all 24 points is no worse than this.
_CLEAR, _WORST = 12.0, -15.0


@dataclass(frozen=True, slots=True)
class Seating:
    """orientation: the likeliest. margin: nats by which it is ahead of the next. fit: nats that it explains the picture worse than
    the counts that every point shows by itself. named: nats for the side that is called light being the light one (`Sides.named`)."""

    orientation: Orientation
    margin: float
    fit: float
    named: float = np.inf

    def differs_in_names_only(self, told: Orientation) -> bool:
        """Whether the checkers lie as `told`, but for which of the two sides is called light."""
        return self.orientation == Orientation(told.far, told.home)

    @property
    def sure(self) -> bool:
        """The picture shows the starting position, and only this way round."""
        return self.margin >= _CLEAR and self.fit >= _WORST


def seating_of(points: Floats, start: Position = STARTING_POSITION) -> Seating:
    """The seating in which (24, 31) `points` (log-likelihood as `blind.Seen`, numbered for the first of `SEATINGS`) show `start`."""
    rows = np.maximum(points - points.max(axis=1, keepdims=True), _FLOOR)
    says = []
    for seating in SEATINGS:
        at = [SEATINGS[0].point_at(*seating.column_of(point)) - 1 for point in range(1, 25)]
        says.append(float(rows[at, np.array(start.points) + ZERO].sum()))
    order = np.argsort(says)[::-1]
    return Seating(SEATINGS[int(order[0])], says[int(order[0])] - says[int(order[1])], says[int(order[0])])


def find_seating(
    bgr: Image,
    geometry: BoardGeometry,
    start: Position = STARTING_POSITION,
    *,
    reader: BlindReader | None = None,
) -> Seating:
    """The seating of a board in a picture (H, W, 3) uint8 BGR that shows `start`. reader: of the same geometry; it may have seen the
    picture already."""
    reader = BlindReader(geometry) if reader is None else reader
    seen, sides = reader.seated(SEATINGS[0]).read_photo(bgr, mirrored=False)
    return replace(seating_of(seen.points, start), named=sides.named)
