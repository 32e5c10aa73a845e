"""Many pictures on one, each with its caption."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]


def contact_sheet(pictures: list[tuple[str, Image]], *, columns: int = 3, width: int = 480) -> Any:
    """One picture (H, W, 3) uint8 of many, each with its caption; for looking at failures. Empty list: a blank strip."""
    if not pictures:
        return np.full((40, width, 3), 255, np.uint8)
    tiles = []
    for caption, picture in pictures:
        height = round(picture.shape[0] * width / picture.shape[1])
        tile = np.full((height + 20, width, 3), 255, np.uint8)
        tile[20:] = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
        cv2.putText(tile, caption, (4, 14), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0), 1, cv2.LINE_AA)
        tiles.append(tile)
    tallest = max(t.shape[0] for t in tiles)
    tiles = [
        cv2.copyMakeBorder(t, 0, tallest - t.shape[0], 0, 0, cv2.BORDER_CONSTANT, value=(255, 255, 255))
        for t in tiles
    ]
    blank = np.full_like(tiles[0], 255)
    tiles += [blank] * (-len(tiles) % columns)
    return np.vstack([np.hstack(tiles[i : i + columns]) for i in range(0, len(tiles), columns)])
