"""A picture made smaller, as JPEG: for evidence and for the club."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def smaller_jpeg(image: npt.NDArray[np.uint8], width: int, quality: int) -> bytes:
    """(H, W, 3) BGR as JPEG, no more than `width` px wide. quality: 0-100."""
    # Loaded where a picture is made: the record itself needs no OpenCV.
    import cv2

    picture: Any = image
    if image.shape[1] > width:
        size = (width, round(image.shape[0] * width / image.shape[1]))
        picture = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes())
