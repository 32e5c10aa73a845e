"""When a picture of a live camera is worth a search for the board."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from pi_board.vision.changes import STILL, blocks, differences

Image = npt.NDArray[np.uint8]
#: Not at all, at a glance, or in the whole.
HowToFind = Literal["", "glance", "search"]
#: Blocks that are compared, px; share of them (0 to 1) that may differ in a scene that rests: somebody's sleeve may be in the picture.
BLOCK, STIRS = 16, 0.03
#: Seconds after which a scene is searched although it does not rest; after which one that was searched in vain is searched again, doubled
#: each time, and at most so many. Nor is it sooner than after so many times as long as the search took. Chosen, not swept.
NEVER_RESTS, IN_VAIN, AT_MOST, REST = 6.0, 3.0, 80.0, 3.0


class SearchPace:
    """A glance shows most boards; the whole search takes ten times as long, half a minute on a Pi 4. So it begins when the scene rests, not
    while somebody is still laying the board there, and not again and again where it was in vain.
    """

    def __init__(self) -> None:
        self._before: Image | None = None
        #: The scene that rests has had its glance.
        self._glanced = False
        self._stirs_since: float | None = None
        #: When it may be searched in the whole, and how long after that again.
        self._next, self._pause = float("-inf"), IN_VAIN
        #: When the search began of which it is not known yet how long it took.
        self._searched: float | None = None

    def ask(self, image: Image, now: float) -> HowToFind:
        """How to look for the board in (H, W, 3) `image`, taken at `now` (seconds)."""
        cells, before = blocks(image, BLOCK), self._before
        self._before = cells
        if self._searched is not None:
            # (Until this picture nobody looked.)
            self._next = max(self._next, self._searched + REST * (now - self._searched))
            self._searched = None
        if before is None:
            self._glanced = True
            return "glance"
        if not _rests(before, cells):
            self._glanced = False
            self._stirs_since = now if self._stirs_since is None else self._stirs_since
            if now - self._stirs_since < NEVER_RESTS:
                return ""
        else:
            self._stirs_since = None
            if not self._glanced:
                self._glanced, self._next, self._pause = True, float("-inf"), IN_VAIN
                return "glance"
        if now < self._next:
            return ""
        self._searched = now
        self._next, self._pause = now + self._pause, min(AT_MOST, 2 * self._pause)
        return "search"


def _rests(before: Image, now: Image) -> bool:
    """Whether two pictures, as `blocks`, show the same but for little of it."""
    return before.shape == now.shape and float((differences(before, now) >= STILL).mean()) < STIRS
