"""`Sighting`: everything that one look at the board says, with its uncertainty (vision → referee).

Pure types: numpy only, so that the referee needs no cv2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Literal

import numpy as np
import numpy.typing as npt

Side = Literal["light", "dark"]

#: Number of slots: 24 points, light on the bar, dark on the bar, light borne off, dark borne off.
SLOTS = 28
BAR_LIGHT, BAR_DARK, OFF_LIGHT, OFF_DARK = 24, 25, 26, 27
#: Columns of `Sighting.log_likelihood`: signed count -15..15 (light positive) lives at column count + 15.
COUNTS = 31
ZERO = 15


#: `Sighting.note`: one die of a roll is in sight, and the other must lie behind something.
DIE_HIDDEN = "die_hidden"


class Gate(Enum):
    """Why a frame may or may not be read; only `SETTLED` frames carry evidence about checkers."""

    SETTLED = "settled"
    MOVING = "moving"
    HAND = "hand"
    BLURRED = "blurred"
    DARK = "dark"
    OVEREXPOSED = "overexposed"
    BLOCKED = "blocked"
    BOARD_MOVED = "board_moved"
    NO_BOARD = "no_board"


@dataclass(frozen=True, slots=True)
class DieSeen:
    """One die on (or beside) the board.

    value: 1-6, or None when unsure. confidence: 0..1 that `value` is right.
    x, y: centre in picture pixels. size: edge length in pixels.
    half: the side in whose right-hand half it lies, "outside" when it lies on neither half.
    cocked: not flat (leaning, or lying on a checker). body: mean BGR of the body, to tell two pairs apart.
    chances: of 1 to 6, if it is a die; () where nobody asked.
    """

    value: int | None
    confidence: float
    x: float
    y: float
    size: float = 0.0
    half: Literal["light", "dark", "outside"] = "outside"
    cocked: bool = False
    on_checker: bool = False
    body: tuple[int, int, int] = (0, 0, 0)
    chances: tuple[float, ...] = ()

    def at_most(self, confidence: float) -> DieSeen:
        """The same die where something else than its face says that it is read no surer than this."""
        if self.confidence <= confidence:
            return self
        return replace(self, confidence=confidence, chances=())


@dataclass(frozen=True, slots=True)
class CubeSeen:
    """The doubling cube. value: stake it shows (1 when 64 is up in the middle), None when unreadable.

    place: "center", the side that owns it, "offered" (on a playing half), "none" when not in view.
    """

    value: int | None
    place: Literal["center", "light", "dark", "offered", "none"]
    confidence: float
    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True, slots=True)
class Sighting:
    """One look.

    log_likelihood: (28, 31) float, natural log of P(picture of the slot | signed count) up to a constant per
        slot, or None when the gate is not `SETTLED`. Row order: points 1-24 (absolute, from light's side),
        `BAR_LIGHT`, `BAR_DARK`, `OFF_LIGHT`, `OFF_DARK`; column = signed count + 15, light positive. Rows without evidence
        (a tray out of view) are all zero. Impossible columns hold a large negative number, never -inf or NaN.
    dice: of a settled look; of one whose gate is `MOVING`, those that could be read beside what moves (some looks, some dice).
    quality: 0..1, sharpness and light together. registered: the homography is trusted.
    mixed: (slot, nats) of points that seem to hold checkers of both sides, which no row can say: how much better
        that explains the point than any single colour does.
    hidden: slots (0-25) of which something that stands there covers a place where a checker may lie: their rows say only what can be
        seen beside it. dice_hidden: it covers the place where dice lay last, so that nobody can say whether they were lifted.
    strips: (26, L, W, 3) uint8, what points 1-24 and the bar's two halves look like, from their edge to the middle, in the light in
        which the board was learned; None when unknown. Only to be compared with each other.
    holes: of the 37-hole board, which has no other evidence: 37 x 0/1, hole 1 first.
    """

    seq: int
    time: float
    gate: Gate
    log_likelihood: npt.NDArray[np.float64] | None = None
    dice: tuple[DieSeen, ...] = ()
    cube: CubeSeen | None = None
    registered: bool = True
    quality: float = 1.0
    name: str = ""
    note: str = ""
    mixed: tuple[tuple[int, float], ...] = ()
    hidden: tuple[int, ...] = ()
    dice_hidden: bool = False
    holes: tuple[int, ...] | None = None
    strips: npt.NDArray[np.uint8] | None = None

    @property
    def settled(self) -> bool:
        return self.gate is Gate.SETTLED and (self.log_likelihood is not None or self.holes is not None)
