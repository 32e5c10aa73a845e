"""Pictures of a board that lies on its side or upside down in them, turned by quarters until the board is found."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from pi_board.camera.turned import turned
from pi_board.rules import STARTING_POSITION, Position, Side
from pi_board.vision.profile import BoardProfile
from pi_board.vision.still import Reading, read_image

Image = npt.NDArray[np.uint8]

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
        return turned(image, 90 * self.quarters)

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
            self.quarters = (quarters + (2 if is_upside_down(reading, self._start) else 0)) % 4
            return

    def _read(self, image: Image, quarters: int) -> Reading:
        picture = turned(image, 90 * quarters)
        return read_image(picture, profile=self._profile, near=self._near, home=self._home)


def is_upside_down(reading: Reading, start: Position) -> bool:
    """Whether `start`, which is known to lie there, fits only when the picture is turned by half."""
    if reading.position is None:
        return False
    seen, known = np.array(reading.position.points), np.array(start.points)
    upright = int((seen != known).sum())
    # Half a turn takes the point at the bottom right to the top left: twelve on.
    over = int((np.roll(seen, 12) != known).sum())
    return over <= MISREAD and upright >= over + CLEARER


def read_any_way_up(
    image: Image, *, profile: BoardProfile, near: Side, home: Literal["right", "left"]
) -> Reading:
    """`read_image`; a board that is not found is looked for on its side. Whoever is `near` sits at the right-hand edge of the picture then,
    or, where only so the starting position is seen, at the left-hand one: the note says which. Raises InvalidError as `read_image` does.
    """
    reading = read_image(image, profile=profile, near=near, home=home)
    if reading.corners is not None:
        return reading
    on_side, edge = read_image(turned(image, 90), profile=profile, near=near, home=home), "right"
    if on_side.position is None:
        return reading
    height, width = image.shape[:2]
    if is_upside_down(on_side, STARTING_POSITION):
        on_side, edge = read_image(turned(image, 270), profile=profile, near=near, home=home), "left"

    def back(x: float, y: float) -> tuple[float, float]:
        """The place in the picture as it came, px."""
        return (y, height - 1 - x) if edge == "right" else (width - 1 - y, x)

    cube = on_side.cube
    if cube is not None:
        x, y = back(cube.x, cube.y)
        cube = replace(cube, x=x, y=y)
    note = f"the board lies on its side; {near} is taken to sit at the {edge}-hand edge of the picture"
    return replace(
        on_side,
        corners=None if on_side.corners is None else np.array([back(x, y) for x, y in on_side.corners]),
        dice=tuple(replace(d, x=x, y=y) for d in on_side.dice for x, y in [back(d.x, d.y)]),
        cube=cube,
        note=f"{note}; {on_side.note}" if on_side.note else note,
    )
