"""What every reader asks of a picture before it looks at it."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidError


def checked_picture(picture: Any, *, what: str = "image", least: int = 1) -> npt.NDArray[np.uint8]:
    """`picture` as (H, W, 3) uint8 BGR; grey (H, W) and BGRA (H, W, 4) are converted.

    what: its name in the message. least: pixels that each side must have. Raises InvalidError.
    """
    found = np.asarray(picture)
    if (
        found.dtype != np.uint8
        or found.ndim not in (2, 3)
        or (found.ndim == 3 and found.shape[2] not in (3, 4))
    ):
        raise InvalidError(f"{what}: expected (height, width, 3) uint8 BGR, got {found.dtype} {found.shape}")
    if min(found.shape[:2]) < least:
        raise InvalidError(
            f"{what}: expected at least {least} pixels a side, got {found.shape[1]}x{found.shape[0]}"
        )
    if found.ndim == 2:
        return np.asarray(cv2.cvtColor(found, cv2.COLOR_GRAY2BGR), np.uint8)
    return found if found.shape[2] == 3 else np.ascontiguousarray(found[..., :3])
