"""Which absolute point lies where in the picture: four set-ups, one picture."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

from pi_board.errors import InvalidError
from pi_board.rules import SIDES, Side, opponent

Home = Literal["right", "left"]

#: Point columns across the whole board, left to right in the picture.
COLUMNS = 12


class Row(IntEnum):
    """The two rows of points, in the order of the picture: arrays over both rows are indexed by it."""

    FAR = 0
    NEAR = 1


@dataclass(frozen=True, slots=True)
class Orientation:
    """How the game's numbering lies on the picture.

    near: the side that sits at the bottom of the picture. home: where that side bears off.
    Only the numbering depends on this, never the picture. Columns count 0..11 from left to right. Source: the contract *Numbering* (light moves 24→1, dark 1→24, whatever the set-up).
    """

    near: Side = "light"
    home: Home = "right"

    def __post_init__(self) -> None:
        if self.near not in SIDES:
            raise InvalidError(f"near: expected light or dark, got {self.near!r}")
        if self.home not in ("right", "left"):
            raise InvalidError(f"home: expected right or left, got {self.home!r}")

    @property
    def far(self) -> Side:
        """The side at the top of the picture."""
        return opponent(self.near)

    def point_at(self, column: int, row: Row) -> int:
        """Absolute point 1-24 at `column` 0..11 (left to right) of the near or far row."""
        if not 0 <= column < COLUMNS:
            raise InvalidError(f"column: expected 0 to 11, got {column}")
        from_home = COLUMNS - 1 - column if self.home == "right" else column
        # Seen by the near player: 1 in the corner where he bears off, 24 opposite it on the far side.
        own = 1 + from_home if row is Row.NEAR else 24 - from_home
        return own if self.near == "light" else 25 - own

    def column_of(self, point: int) -> tuple[int, Row]:
        """(column 0..11, row) of an absolute point 1-24."""
        if not 1 <= point <= 24:
            raise InvalidError(f"point: expected 1 to 24, got {point}")
        own = point if self.near == "light" else 25 - point
        row = Row.NEAR if own <= 12 else Row.FAR
        from_home = own - 1 if row is Row.NEAR else 24 - own
        return (COLUMNS - 1 - from_home if self.home == "right" else from_home), row

    def right_hand_half_of(self, x_cm: float) -> Side:
        """The side in whose right-hand half a thing at board x (cm) lies; the players sit face to face."""
        return self.near if x_cm >= 0 else self.far
