"""The arm that holds the camera: stiff, or one of those that sway when a die hits the table and sink through the evening, drawn from a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, exp, pi, radians, sin, tau
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.simulator.drawn_name import number_or_plain
from pi_board.simulator.things import Checker, Die

Image = npt.NDArray[np.uint8]
#: As good as screwed to the wall.
STIFF = "stiff"


@dataclass(frozen=True)
class ArmModel:
    """How arms sway and sink. px of a picture 1280 wide; all set, none measured.

    knock: what a throw moves the picture by at most, drawn evenly between the logarithms. lightly: of that when a checker is set down.
    hertz, dies: of the swaying, seconds until a third of it is left. exposure: seconds in which it smears the picture.
    sinks: px by which the picture creeps in all, median, spread (natural logarithm) and most; within: seconds until two thirds of it are
    done. turns: sigma of the degrees that it turns by meanwhile, and most of them.
    """

    knock: tuple[float, float] = (0.3, 6.0)
    lightly: float = 0.4
    hertz: tuple[float, float] = (1.5, 5.0)
    dies: tuple[float, float] = (0.2, 1.0)
    exposure: float = 1 / 60
    sinks: tuple[float, float, float] = (5.0, 0.8, 15.0)
    within: tuple[float, float] = (200.0, 1500.0)
    turns: tuple[float, float] = (0.3, 0.8)


MODEL = ArmModel()
#: Knocks that are still felt.
_FELT = 8


def arm_number(name: str) -> int | None:
    """As `number_or_plain`, of an arm."""
    return number_or_plain("arm", name, STIFF)


@dataclass(frozen=True, slots=True)
class Sway:
    """Where the picture is for the moment: px to the right and down, degrees that it is turned by; smear: px."""

    dx: float = 0.0
    dy: float = 0.0
    degrees: float = 0.0
    smear: float = 0.0

    def moved(self, image: Image) -> Image:
        """(H, W, 3) `image` as the moved camera sees it: the same one where it has hardly moved."""
        h, w = image.shape[:2]
        if abs(self.dx) + abs(self.dy) + abs(radians(self.degrees)) * w / 2 > 0.02:
            matrix = cv2.getRotationMatrix2D((w / 2, h / 2), self.degrees, 1.0)
            matrix[:, 2] += np.array([self.dx, self.dy])
            image = np.asarray(cv2.warpAffine(image, matrix, (w, h), borderMode=cv2.BORDER_REFLECT), np.uint8)
        if self.smear >= 2:
            image = np.asarray(cv2.blur(image, (int(self.smear), 1)), np.uint8)
        return image


class Arm:
    """One arm, from its first second on. px_scale: of the picture, as wide as 1280 = 1."""

    def __init__(self, number: int, px_scale: float, model: ArmModel = MODEL) -> None:
        self._rng = rng = np.random.default_rng((number, 43))
        self._model, self._px = model, px_scale
        self._knock = exp(rng.uniform(*np.log(model.knock)))
        self._hertz, self._dies = rng.uniform(*model.hertz), rng.uniform(*model.dies)
        middle, spread, most = model.sinks
        self._sinks = min(most, middle * exp(rng.normal(0, spread)))
        self._direction = rng.uniform(0, tau)
        self._within = rng.uniform(*model.within)
        self._turns = float(np.clip(rng.normal(0, model.turns[0]), -model.turns[1], model.turns[1]))
        #: (second, px, direction) of the last knocks.
        self._knocks: list[tuple[float, float, float]] = []
        self._lay: tuple[Any, ...] | None = None

    def feel(
        self, dice: Sequence[Die], places: Mapping[tuple[str, Any], Sequence[Checker]], time: float
    ) -> None:
        """What has been thrown or set down since it was asked last, by `time`, knocks the table."""
        lies = (
            tuple((die.x, die.y) for die in dice),
            tuple((place, len(stack)) for place, stack in places.items()),
        )
        if self._lay is not None and lies != self._lay:
            hard = 1.0 if lies[0] != self._lay[0] else self._model.lightly
            by = hard * self._knock * self._rng.uniform(0.2, 1.0)
            self._knocks = [*self._knocks, (time, by, self._rng.uniform(0, tau))][-_FELT:]
        self._lay = lies

    def sway(self, time: float) -> Sway:
        """Where the picture is at `time`, seconds."""
        sunk = 1.0 - exp(-time / self._within)
        dx, dy = (self._sinks * sunk * part for part in (cos(self._direction), sin(self._direction)))
        speed = 0.0
        for start, by, direction in self._knocks:
            left = by * exp((start - time) / self._dies)
            angle = 2 * pi * self._hertz * (time - start)
            dx += left * sin(angle) * cos(direction)
            dy += left * sin(angle) * sin(direction)
            speed += abs(left * 2 * pi * self._hertz * cos(angle))
        px = self._px
        return Sway(px * dx, px * dy, self._turns * sunk, px * speed * self._model.exposure)
