"""How much of the picture's width the board takes, in words: said by the running service, read again by `pi-board doctor`."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt

#: Of the picture's width; below it a die of a travel set is smaller than 14 pixels at 1280, which cannot always be read.
LEAST_SHARE = 0.4


def share_of(corners: npt.NDArray[np.float64], width: int) -> float:
    """corners: (4, 2) pixels of the field, or of the solitaire board. width: of the picture."""
    return float(np.ptp(corners[:, 0])) / width


def share_words(share: float) -> str:
    return f"the board takes {share:.0%} of the picture's width"


def share_in(words: str) -> float | None:
    """The share that `share_words` wrote somewhere in `words`, None when there is none."""
    found = re.search(r"the board takes (\d+)% of", words)
    return int(found[1]) / 100 if found else None


def board_in_use(sitting: Any) -> str:
    """`share_words` of the board that a sitting is reading, "" while it has none (and for the solitaire board)."""
    reader = getattr(getattr(sitting, "reader", None), "reader", None)
    geometry = getattr(reader, "geometry", None)
    return "" if geometry is None else share_words(share_of(geometry.corners, geometry.image_size[0]))
