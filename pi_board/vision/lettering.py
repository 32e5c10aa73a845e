"""Letters over a picture.

OpenCV 5 draws its own from an outline font, of which every thread that has written a word keeps 5 MB, and all together 3 MB more. These
are the same ones, drawn beforehand (`training/letters.py`).
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import resources
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]

#: The letters that there are: printable ASCII.
FIRST, LAST = 32, 126
#: Height of the drawn letters and the row on which they stand, px; capitals are 22 px high.
HIGH, BASELINE = 38, 27
#: Px (of the drawn letters) around each letter that are dark, so that it can be read on anything, and of room for that around a line.
_DARK, _ROOM = 2, 4


def write(picture: Image, text: str, x: float, y: float, colour: tuple[int, int, int], scale: float) -> None:
    """One line with a dark edge into `picture` (H, W, 3) BGR; what does not fit is left out. x, y: px, where the text begins and on which
    row it stands. scale: 1 for capitals of 22 px. What is not ASCII becomes "?"."""
    ink, dark = _line(text, scale)
    (high, wide), left, top = ink.shape, round(x - _ROOM * scale), round(y - (_ROOM + BASELINE) * scale)
    rows = slice(max(0, top), min(picture.shape[0], top + high))
    columns = slice(max(0, left), min(picture.shape[1], left + wide))
    if rows.start >= rows.stop or columns.start >= columns.stop:
        return
    part = slice(rows.start - top, rows.stop - top), slice(columns.start - left, columns.stop - left)
    here, ink, dark = picture[rows, columns], ink[part][..., None], dark[part][..., None]
    behind = here.astype(np.uint16) * (255 - dark) // 255
    here[...] = (behind * (255 - ink) + np.array(colour, np.uint16) * ink) // 255


@lru_cache(maxsize=128)
def _line(text: str, scale: float) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint16]]:
    """(H, W) each: how much of each pixel is ink, and how much is ink or dark, 0-255. (Clips show the same words again and again.)"""
    letters, steps = _letters()
    codes = [code - FIRST if FIRST <= code <= LAST else ord("?") - FIRST for code in map(ord, text)]
    widest = letters.shape[2]
    ink: Any = np.zeros((HIGH + 2 * _ROOM, sum(steps[c] for c in codes) + widest + 2 * _ROOM), np.uint8)
    at = _ROOM
    for code in codes:
        place = ink[_ROOM:-_ROOM, at : at + widest]
        np.maximum(place, letters[code], out=place)
        at += steps[code]
    dark: Any = cv2.dilate(ink, np.ones((2 * _DARK + 1, 2 * _DARK + 1), np.uint8))
    size = max(1, round(ink.shape[1] * scale)), max(1, round(ink.shape[0] * scale))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    smaller = [cv2.resize(mask, size, interpolation=how).astype(np.uint16) for mask in (ink, dark)]
    return smaller[0], smaller[1]


@cache
def _letters() -> tuple[Image, list[int]]:
    """(N, HIGH, W) how much of each pixel is ink, and px from one letter's left to the next one's."""
    with (resources.files("pi_board.vision") / "weights" / "letters.npz").open("rb") as file:
        data = np.load(file)
        return data["ink"], data["steps"].tolist()
