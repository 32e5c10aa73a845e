"""From per-pixel log densities to bounded log ratios, and from raw scores to calibrated log-likelihoods."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.vision.checkers.disc import BOARD, DARK, FAR, LIGHT
from pi_board.vision.checkers.row_numbers import FLOOR, IMPOSSIBLE, OUT_OF_THE_QUESTION, PIXEL_CAP

Floats = npt.NDArray[Any]


def ratio(checker: Floats, board: Floats) -> Floats:
    """(H, W) float32 log-ratio of one pixel, bounded so that no single pixel decides."""
    says = np.subtract(checker, board, dtype=np.float32)
    says *= np.float32(0.5)
    return says.clip(-PIXEL_CAP, PIXEL_CAP, out=says)


def labelled(
    light: Floats, dark: Floats, same: Floats, board: Floats, label: npt.NDArray[np.int8]
) -> tuple[Floats, Floats, Floats]:
    """Densities of board, light and dark, each raised to "as in the reference" where the reference had that
    label.
    """

    def helped(density: Floats, what: int) -> Floats:
        elsewhere = (label != what).astype(np.float32)
        elsewhere *= np.float32(-FAR)
        elsewhere += same
        return np.maximum(density, elsewhere, out=elsewhere)

    return helped(board, BOARD), helped(light, LIGHT), helped(dark, DARK)


def calibrated(rows: Floats) -> Floats:
    """Each row relative to its best count, softened by the probability of what the model leaves out."""
    impossible = rows <= IMPOSSIBLE
    soft = np.logaddexp(rows - np.maximum.reduce(rows, axis=1, keepdims=True), FLOOR)
    soft -= np.maximum.reduce(soft, axis=1, keepdims=True)
    return np.where(impossible, FLOOR - OUT_OF_THE_QUESTION, soft)
