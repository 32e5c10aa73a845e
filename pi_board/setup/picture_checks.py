"""What one picture says of a board that was found: light and focus, the starting position, the dice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.rules import STARTING_POSITION
from pi_board.sighting import ZERO, DieSeen
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import Orientation

Image = npt.NDArray[np.uint8]

#: A point is ticked when the expected count is at most this many nats behind the best one.
TICK_SLACK = 1.0
#: `blur_of` below which a picture counts as sharp: sharp ones give 0.25 to 0.4, a blur of 2 pixels about 0.6.
SHARP = 0.55


@dataclass(frozen=True, slots=True)
class DeskCheck:
    """One thing that was looked at. words: what is so, and what to do about it when it is not `good`."""

    name: str
    good: bool
    words: str

    def to_document(self) -> dict[str, Any]:
        return {"name": self.name, "good": self.good, "words": self.words}


def blur_of(gray: Image) -> float:
    """0 (crisp) to 1 (blurred), whatever the content: how little of the picture's contrast a further blur takes away.

    Source: Crete, Dolmiere, Ladret, Nicolas, "The blur effect: perception and estimation with a new no-reference
    perceptual blur metric", 2007.
    """
    f = gray.astype(np.float32)
    worst = 0.0
    for axis, kernel in ((1, (9, 1)), (0, (1, 9))):
        blurred = cv2.blur(f, kernel)
        before, after = np.abs(np.diff(f, axis=axis)), np.abs(np.diff(blurred, axis=axis))
        kept = np.maximum(0.0, before - after).sum()
        total = float(before.sum())
        worst = max(worst, (total - float(kept)) / total if total else 1.0)
    return worst


def picture_checks(image: Image, geometry: BoardGeometry) -> list[DeskCheck]:
    """Light, reflections, focus, size and view of a (H, W, 3) uint8 BGR picture of the board, with plain advice."""
    flat = geometry.rectify(image, px_per_cm=6.0)
    gray = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY)
    mean = float(gray.mean())
    checks = []
    if mean < 45:
        checks.append(
            DeskCheck("light", False, "The board is too dark. Switch on a lamp or move one closer.")
        )
    elif mean > 205:
        checks.append(DeskCheck("light", False, "The picture is too bright. Dim the lamp or move it away."))
    else:
        checks.append(DeskCheck("light", True, "Enough light."))
    middle, third = gray.shape[0] // 2, gray.shape[1] // 3
    quarters = [
        float(np.percentile(part, 70))
        for half in (gray[:middle], gray[middle:])
        for part in (half[:, :third], half[:, -third:])
    ]
    uneven = max(quarters) / max(1.0, min(quarters))
    names = ("far left", "far right", "near left", "near right")
    checks.append(
        DeskCheck("evenness", True, "The light is even.")
        if uneven < 1.9
        else DeskCheck(
            "evenness",
            False,
            f"The {names[int(np.argmin(quarters))]} corner is much darker than the rest. Put a lamp on that side.",
        )
    )
    glare = float((flat.min(axis=2) >= 250).mean())
    checks.append(
        DeskCheck("reflections", True, "No strong reflections.")
        if glare < 0.03
        else DeskCheck(
            "reflections",
            False,
            "A lamp is mirrored in the board. Move it to the side, or soften it with a shade or paper.",
        )
    )
    x0, y0 = np.maximum(0, np.floor(geometry.corners.min(axis=0))).astype(int)
    x1, y1 = np.ceil(geometry.corners.max(axis=0)).astype(int)
    crop = cv2.cvtColor(image[y0:y1, x0:x1], cv2.COLOR_BGR2GRAY) if y1 > y0 and x1 > x0 else gray
    blur = blur_of(cast(Image, crop))
    checks.append(
        DeskCheck("focus", True, "The picture is sharp.")
        if blur < SHARP
        else DeskCheck(
            "focus",
            False,
            "The picture is not sharp. Clean the lens, focus the camera on the board, and see that nothing shakes it.",
        )
    )
    across = geometry.px_per_cm * geometry.profile.checker_diameter
    checks.append(
        DeskCheck("size", True, f"A checker is {across:.0f} pixels wide.")
        if across >= 18
        else DeskCheck(
            "size",
            False,
            f"A checker is only {across:.0f} pixels wide; 18 or more are needed. Bring the camera closer or choose a larger picture.",
        )
    )
    height, width = image.shape[:2]
    edge = geometry.outline(margin=0.3)
    inside = bool((edge > 0).all() and (edge[:, 0] < width - 1).all() and (edge[:, 1] < height - 1).all())
    if not inside:
        checks.append(
            DeskCheck(
                "view", False, "A part of the board is outside the picture. Move the camera back or aside."
            )
        )
    elif geometry.tilt > 40:
        checks.append(
            DeskCheck(
                "view",
                False,
                f"The camera looks from the side ({geometry.tilt:.0f}°). Hang it more above the board.",
            )
        )
    else:
        checks.append(DeskCheck("view", True, "The whole board is in view."))
    return checks


def start_ticks(image: Image, geometry: BoardGeometry, orientation: Orientation) -> list[dict[str, Any]]:
    """For each point 1-24: what the starting position has there, what a stranger sees, and whether they agree."""
    from pi_board.vision.checkers.blind import BlindReader

    evidence = BlindReader(geometry, orientation).read(image).evidence()[:24]
    ticks = []
    for point, (row, expected) in enumerate(zip(evidence, STARTING_POSITION.points, strict=True), 1):
        seen = int(np.argmax(row)) - ZERO
        good = bool(row[expected + ZERO] >= row.max() - TICK_SLACK)
        ticks.append({"point": point, "expected": expected, "seen": expected if good else seen, "good": good})
    return ticks


def dice_in(image: Image, geometry: BoardGeometry, orientation: Orientation) -> list[DieSeen]:
    """The dice that lie on the board now."""
    from pi_board.vision.dice.reading import find_dice

    return [d for d in find_dice(image, geometry, orientation) if d.confidence >= 0.4 or d.value is None]
