"""Draws the letters of `vision/lettering.py` once, with OpenCV's: `python -m pi_board.vision.training.letters`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.lettering import BASELINE, FIRST, HIGH, LAST

#: Room beside a letter while it is drawn, px.
_ROOM = 40


def drawn_letters() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """((N, HIGH, W) uint8 how much of each pixel is ink, (N,) px from one letter's left to the next one's), of `FIRST` to `LAST`."""

    def drawn(text: str) -> npt.NDArray[np.uint8]:
        mask: Any = np.zeros((HIGH, 4 * _ROOM), np.uint8)
        cv2.putText(mask, text, (0, BASELINE), cv2.FONT_HERSHEY_SIMPLEX, 1.0, 255, 2, cv2.LINE_AA)
        return np.asarray(mask, np.uint8)

    def wide(text: str) -> int:
        return int(np.flatnonzero(drawn(text).any(axis=0))[-1])

    letters = [chr(code) for code in range(FIRST, LAST + 1)]
    # (Between two bars, for a space has no ink.)
    steps = np.array([wide(f"|{letter}|") - wide("||") for letter in letters], np.uint8)
    return np.stack([drawn(letter)[:, :_ROOM] for letter in letters]), steps


def main() -> None:
    ink, steps = drawn_letters()
    ink = ink[:, :, : 1 + int(np.flatnonzero(ink.any(axis=(0, 1)))[-1])]
    path = Path(__file__).parent.parent / "weights" / "letters.npz"
    np.savez_compressed(path, ink=ink, steps=steps)
    print(
        f"{path.name}: {len(steps)} letters of up to {ink.shape[2]} px, {path.stat().st_size / 1000:.0f} kB"
    )


if __name__ == "__main__":
    main()
