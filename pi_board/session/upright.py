"""Pictures of a board that lies on its side or upside down in them, turned by quarters until the board is found."""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.rules import Position, Side
from pi_board.vision.profile import BoardProfile
from pi_board.vision.still import Reading, read_image

Image = npt.NDArray[np.uint8]

#: What OpenCV calls a turn by so many quarters clockwise.
TURNS = {1: cv2.ROTATE_90_CLOCKWISE, 2: cv2.ROTATE_180, 3: cv2.ROTATE_90_COUNTERCLOCKWISE}
WORDS = {1: "90° clockwise", 2: "180°", 3: "90° counterclockwise"}
#: Seconds of the recording between two tries while no board is found; doubled each time up to the second number.
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 16.0
#: The picture is upright if at most so many of 24 points are misread in the known position, and the other way round misreads so many
#: more.
MISREAD, CLEARER = 6, 8


class Upright:
    """Finds the turn from the first picture that shows the board in `start`.

    quarters: turns clockwise, 0-3; `decided` once it is known. A board that lies in the picture as it should is never turned.
    """

    def __init__(
        self, profile: BoardProfile, start: Position, near: Side, home: Literal["right", "left"]
    ) -> None:
        self._profile, self._start, self._near, self._home = profile, start, near, home
        self.quarters, self.decided = 0, False
        self._next, self._pause = float("-inf"), FIRST_PAUSE

    def turn(self, image: Image, now: float) -> Image:
        """`image` as it is to be read. now: seconds of the recording."""
        if not self.decided and now >= self._next:
            self._next, self._pause = now + self._pause, min(2 * self._pause, LONGEST_PAUSE)
            self._decide(image)
        return turned(image, self.quarters)

    @property
    def words(self) -> str:
        """What was done, for the person who asked; "" when nothing was."""
        if not self.quarters:
            return ""
        why = "the board stands upside down in them" if self.quarters == 2 else "no board was found otherwise"
        return f"the pictures are turned by {WORDS[self.quarters]}: {why}"

    def _decide(self, image: Image) -> None:
        for quarters in (0, 1, 3):
            reading = self._read(image, quarters)
            if reading.corners is None:
                continue
            self.decided = True
            self.quarters = (quarters + (2 if self._upside_down(reading) else 0)) % 4
            return

    def _read(self, image: Image, quarters: int) -> Reading:
        picture = turned(image, quarters)
        return read_image(picture, profile=self._profile, near=self._near, home=self._home)

    def _upside_down(self, reading: Reading) -> bool:
        """The position that is known to lie there fits only when the picture is turned by half."""
        if reading.position is None:
            return False
        seen, start = np.array(reading.position.points), np.array(self._start.points)
        upright = int((seen != start).sum())
        # Half a turn takes the point at the bottom right to the top left: twelve on.
        over = int((np.roll(seen, 12) != start).sum())
        return over <= MISREAD and upright >= over + CLEARER


def turned(image: Image, quarters: int) -> Image:
    """`image` turned clockwise."""
    return image if not quarters else np.ascontiguousarray(cv2.rotate(image, TURNS[quarters]))
