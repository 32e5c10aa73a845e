"""The value of one die in a crop around it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pi_board.vision.dice import pips
from pi_board.vision.dice.place_numbers import PLACE, TEMPERATURE
from pi_board.vision.picture import checked_picture

#: Edge of the die as a share of the crop's sides: boxes are tight, or leave room around the die.
_SHARES = (0.9, 0.76, 0.64, 0.54, 0.45, 0.38, 0.31)
#: Exponent of (die probability x confidence) by which the better crops outweigh the worse ones.
_TRUST = 8.0


@dataclass(frozen=True, slots=True)
class DieReading:
    """value: 1-6, or None when unsure. confidence: 0..1 that `value` (or the best guess behind None) is right.
    probabilities: of 1 to 6."""

    value: int | None
    confidence: float
    probabilities: tuple[float, ...] = ()


def read_die(bgr_crop: npt.NDArray, *, least_confidence: float = 0.4) -> DieReading:
    """Value of the top face of the one die that a crop (H, W, 3) uint8 BGR shows; any view, colours, angle.

    The die should be in the middle and fill at least a third of the crop. It is looked at in several sizes, as it is
    and with the contrast of its middle spread, and an oblong crop also made square (a stretched picture); the
    clearest of these decide. Raises InvalidError for what is no picture.
    """
    crop = checked_picture(bgr_crop, what="crop", least=4)
    height, width = crop.shape[:2]
    short = min(width, height)
    shapes = [(short, short)]
    if max(width, height) > PLACE.oblong * short:
        shapes.append((width, height))
    patches = []
    for wide, high in shapes:
        for share in _SHARES:
            to_image = np.array(
                [[wide * share, 0, (width - 1) / 2], [0, high * share, (height - 1) / 2], [0, 0, 1.0]]
            )
            patch = pips.cut_patch(crop, to_image, (0.0, 0.0), 1.0)
            patches += [patch, pips.stretched(patch)]
    readings = pips.read_pips(np.stack(patches), turns=4, temperature=TEMPERATURE)
    given = np.stack([r.probabilities[1:] / max(1e-9, r.die) for r in readings])
    die = np.array([r.die for r in readings])
    weights = (die * given.max(1)) ** _TRUST + 1e-12
    # Geometric mean, so that one crop that rules a value out is enough.
    p = np.exp((weights / weights.sum()) @ np.log(given + PLACE.ruled_out[1]))
    p /= p.sum()
    best = int(np.argmax(p)) + 1
    confidence = float(p[best - 1] * die.max())
    return DieReading(
        best if confidence >= least_confidence else None, confidence, tuple(float(v) for v in p)
    )
