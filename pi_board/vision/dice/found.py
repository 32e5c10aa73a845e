"""Places that look like dice or cube, as the finder marks them in one picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.dice.place_numbers import PLACE

Image = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Found:
    """A place that looks like a die or cube: x, y in the finder's picture, edge px there, heat 0..1."""

    kind: Literal["die", "cube"]
    x: float
    y: float
    edge: float
    heat: float


#: (1, 4, 2) corners of a square whose edge is 2, one after the other.
_SQUARE = np.array([[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]])


@dataclass(frozen=True, slots=True)
class Look:
    """One run of the finder. to_picture: (3, 3) homography, the finder's picture → the camera's. rests_on: (H / 2 CELL, W / 2 CELL, 3)
    uint8, blocks of the finder's picture, each as it was when the finder last looked there."""

    found: list[Found]
    to_picture: npt.NDArray
    rests_on: Image

    def places(self, found: Sequence[Found]) -> npt.NDArray:
        """(N, 2) px in the camera's picture."""
        if not found:
            return np.zeros((0, 2))
        points = np.array([[[f.x, f.y]] for f in found], np.float64)
        return cv2.perspectiveTransform(points, self.to_picture).reshape(-1, 2)

    def warmer(self, heat: float) -> Look:
        """The same without what is not hotter."""
        return replace(self, found=[f for f in self.found if f.heat > heat])

    def sizes(self, found: Sequence[Found]) -> npt.NDArray:
        """(N,) edges, px in the camera's picture."""
        if not found:
            return np.zeros(0)
        centres = np.array([[[f.x, f.y]] for f in found], np.float64)
        halves = np.array([[[f.edge / 2]] for f in found], np.float64)
        corners = cv2.perspectiveTransform(centres + halves * _SQUARE, self.to_picture)
        # (The area of a quadrilateral is half the cross product of its diagonals.)
        x, y = (corners[:, 2:] - corners[:, :2]).transpose(2, 1, 0)
        return np.asarray(np.sqrt(np.abs(x[0] * y[1] - y[0] * x[1]) / 2))


def is_one_of(a: Found, there: Sequence[Found]) -> bool:
    """Whether one of these is at the place of `a`, of its kind and about as large."""
    x, y = a.x, a.y
    # (Most are elsewhere, which takes no call to tell.)
    for b in there:
        reach = PLACE.same_place * b.edge
        if -reach < b.x - x < reach and -reach < b.y - y < reach and same_place(a, b):
            return True
    return False


def same_place(a: Found, b: Found) -> bool:
    """Whether both mark one thing; `b` says how far apart they may be."""
    reach, right, down = PLACE.same_place * b.edge, a.x - b.x, a.y - b.y
    return (
        a.kind == b.kind
        and right * right + down * down < reach * reach
        and PLACE.least_edge < a.edge / b.edge < PLACE.most_edge
    )


def cubes_at(die: Found, cubes: Sequence[Found]) -> list[Found]:
    """Those of what looks like a cube that can only be the same thing as what looks like a die."""
    x, y, at = die.x, die.y, []
    # (Most are elsewhere, which takes no call to tell.)
    for cube in cubes:
        reach = 0.5 * cube.edge
        if -reach < cube.x - x < reach and math.hypot(x - cube.x, y - cube.y) < reach:
            at.append(cube)
    return at


def is_cube(die: Found, cubes: Sequence[Found]) -> bool:
    """Whether what looks like a die looks clearly more like the doubling cube, at one of the places that do."""
    least = die.heat + PLACE.cube
    return bool(cubes_at(die, [cube for cube in cubes if cube.heat > least]))
