"""Pictures of a camera that hangs upside down, or stands beside the board."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]

#: What OpenCV calls a turn by so many degrees clockwise.
TURNS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}


def turned(image: Image, degrees: int) -> Image:
    """(H, W, 3) `image` turned clockwise by 0, 90, 180 or 270 `degrees`."""
    return image if not degrees else np.ascontiguousarray(cv2.rotate(image, TURNS[degrees]))
