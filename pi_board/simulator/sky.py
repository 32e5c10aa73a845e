"""Daylight that comes and goes: a steady sky, or clouds drawn from a number."""

from __future__ import annotations

from dataclasses import dataclass
from math import sin, tau

import numpy as np

from pi_board.simulator.drawn_name import number_or_plain

STEADY = "steady"


@dataclass(frozen=True)
class SkyModel:
    """depth: share (0..1) of the light that clouds take and give, drawn evenly. seconds: of one coming and going, drawn evenly between
    the logarithms. Two of them pass at once. Set: what a person at the window does not remark on."""

    depth: tuple[float, float] = (0.02, 0.25)
    seconds: tuple[float, float] = (6.0, 240.0)


MODEL = SkyModel()


def sky_number(name: str) -> int | None:
    """As `number_or_plain`, of a sky."""
    return number_or_plain("sky", name, STEADY)


class Sky:
    """One afternoon's clouds."""

    def __init__(self, number: int, model: SkyModel = MODEL) -> None:
        rng = np.random.default_rng((number, 47))
        low, high = np.log(model.seconds)
        self._clouds = [
            (
                float(rng.uniform(*model.depth)),
                float(np.exp(rng.uniform(low, high))),
                float(rng.uniform(0, tau)),
            )
            for _ in range(2)
        ]

    def gain(self, time: float) -> float:
        """The factor on linear light at `time`, seconds."""
        return 1.0 + sum(depth * sin(tau * time / seconds + since) for depth, seconds, since in self._clouds)
