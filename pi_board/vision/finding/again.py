"""Finds a board again that was moved further than its landmarks can be followed: it is looked for as at first, not far from its old place.

The players wait meanwhile, so only what is seen clearly at once is found; other pictures follow.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pi_board.errors import AmbiguousError
from pi_board.vision.board.bump import BumpWatch
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.finding.find_board import find_board

#: Share of its longest side within which every corner of a board that was pushed lies from where it was; one that lies further off, or
#: the other way round, was set up anew.
PUSHED = 0.3


def found_again(image: npt.NDArray[np.uint8], watch: BumpWatch) -> BoardGeometry | None:
    """Where the board of `watch` lies in `image` (H, W, 3) BGR, as exactly as its landmarks tell; None when it is not found near its old
    place. The watch goes on from there."""
    old = watch.geometry
    try:
        found = find_board(image, old.profile, quick=True)
    except AmbiguousError:
        return None
    sides = np.linalg.norm(np.roll(old.corners, -1, axis=0) - old.corners, axis=1)
    if np.linalg.norm(found.corners - old.corners, axis=1).max() > PUSHED * sides.max():
        return None
    there = old.with_corners(found.corners, found.bar_edges)
    bump = watch.compare_near(image, there)
    if bump.geometry is not None:
        return bump.geometry
    # Its landmarks look otherwise in the new place, as in other light.
    watch.restart(there, image)
    return there
