"""Four corners as the settings and the command line write them."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidError


def parse_corners(text: str) -> npt.NDArray[np.float64]:
    """(4, 2) pixels from "x,y x,y x,y x,y". Raises InvalidError."""
    numbers = re.findall(r"[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?", text)
    if len(numbers) != 8 or re.sub(r"[-+\d.,;eE\s]", "", text):
        raise InvalidError(
            f'corners: expected "x,y x,y x,y x,y" (top left, top right, bottom right, bottom left), got {text!r}'
        )
    return np.array([float(n) for n in numbers]).reshape(4, 2)
