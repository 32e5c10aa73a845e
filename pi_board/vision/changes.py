"""What has changed between two pictures of one scene, by the means of small blocks: noise averages out, a pip does not."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]

#: Blocks whose mean differs by less (levels of 255) show the same: noise and JPEG stay below, a faint pip does not.
STILL = 6.0
#: The light of all may change by so many levels before the scene counts as another.
MOST_COMMON = 4 * STILL
#: About so many blocks tell what is common to all.
SAMPLE = 600
#: Block of a camera's picture in which `ChangeWatch` looks for changes, px.
BLOCK = 4


def blocks(image: Image, block: int) -> Image:
    """(H / block, W / block, C) uint8, the blocks' means; block: a power of two (halving is much faster than any other shrinking)."""
    while block > 1:
        image = np.asarray(
            cv2.resize(image, (image.shape[1] // 2, image.shape[0] // 2), interpolation=cv2.INTER_AREA),
            np.uint8,
        )
        block //= 2
    return image


def differences(before: Image, now: Image, most_common: float = MOST_COMMON) -> npt.NDArray[np.float32]:
    """(H, W) levels by which the blocks of two pictures (H, W, 3) differ, apart from a common shift; infinite when that is large."""
    difference = cv2.subtract(now, before, dtype=cv2.CV_16S)
    flat = difference.reshape(-1, difference.shape[2])
    common = _middle(flat[:: max(1, len(flat) // SAMPLE)])
    if abs(common).max() >= most_common:
        return np.full(before.shape[:2], np.inf, np.float32)
    if common.any():
        difference = difference - common.astype(np.int16)
    # (numpy's own maximum over three neighbours takes ten times as long.)
    most, *others = cv2.split(np.abs(difference))
    for plane in others:
        cv2.max(most, plane, dst=most)
    return most.astype(np.float32)


def _middle(rows: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """(C,) median of each column of (N, C). (numpy's own takes 25 calls for it.)"""
    ordered = np.sort(rows, axis=0)
    half = len(ordered) // 2
    return (ordered[half] + ordered[(len(ordered) - 1) // 2]) / 2  # type: ignore[no-any-return]


def unchanged(before: Image, now: Image, block: int, least: float = STILL) -> bool:
    """Whether no block (px, a power of two) of two pictures (H, W, 3) uint8 differs in its mean by `least` levels, apart from a
    common shift."""
    return bool(differences(blocks(before, block), blocks(now, block), 4 * least).max() < least)


class ChangeWatch:
    """Whether the camera's picture still shows what it showed when it was last taken note of."""

    def __init__(self) -> None:
        self._noted: Image | None = None
        self._now: Image | None = None

    def see(self, image: Image, box: tuple[slice, slice] | None) -> bool:
        """Whether the picture (H, W, 3) shows the same as the noted one. box: the rows and columns that matter."""
        part: Any = image if box is None else image[box]
        # Whole blocks only: these are halved much faster.
        part = part[: part.shape[0] // BLOCK * BLOCK, : part.shape[1] // BLOCK * BLOCK]
        now = self._now = blocks(part, BLOCK)
        before = self._noted
        if before is None or before.shape != now.shape:
            return False
        change = differences(before, now)
        if float(change.max()) >= 2 * STILL:
            return False
        # A lone block may be noise, the mean of four is not.
        return bool(differences(blocks(before, 2), blocks(now, 2)).max() < STILL)

    def note(self) -> None:
        """What was seen last is what all evidence rests on from now on."""
        self._noted = self._now

    def forget(self) -> None:
        """Whatever comes next is new."""
        self._noted = None
