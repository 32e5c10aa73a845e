"""A checker's place on the canvas, and what a pixel of the reference picture showed."""

from __future__ import annotations

from dataclasses import dataclass

#: Labels of reference pixels: what lay there when the position was accepted.
UNKNOWN, BOARD, LIGHT, DARK = -1, 0, 1, 2
#: Added to a squared distance or a log density, it says "not here".
FAR = 1e9


@dataclass(frozen=True, slots=True)
class Disc:
    """A checker's top on the canvas. x, y: px; side 0 light, 1 dark; point: slot 0-23, 24/25 = bar."""

    x: float
    y: float
    side: int
    slot: int
    layer: int = 0
