"""Which points have been touched since before a roll, by how they look: whoever moves a checker changes the picture of the point.

What a stack reads as is one thing, whether it looks as before is another: errors of reading stay as long as nobody touches what they are
made of. Each point is seen as a few blocks (`Sighting.strips`), and the same blocks are compared.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Strips = npt.NDArray[np.number]


@dataclass(frozen=True, slots=True)
class TouchModel:
    """A point's change: by how many levels of 255 (the most of three channels, without what is common to all points) its blocks have become
    brighter or darker; of the means of two by two neighbours the second most, which no speck reaches. untouched: below it nobody has
    touched the point; touched: from it on somebody has, though he may have left as many checkers. most: of half of the points none may
    have changed so much for this to be told of any: else the light has changed, or the camera.

    Source: 16 rendered games (690000-690015), the mean pictures between two rolls and the next two. Of 1,957 points with another number
    or another side's checkers none had changed by less than 2, .4 % by less than 4 (dark stacks of six in a dark room, 640 x 480), 1.0 % by
    less than 6. Of 6,200 stacks that held as many as before 98 % had changed by less than 2, 1.4 % by 6 and more: nudged, or lifted and
    put back.
    """

    spared: int = 1
    untouched: float = 2.0
    touched: float = 6.0
    most: float = 2.0


TOUCH = TouchModel()


def changes(before: Strips, now: Strips) -> npt.NDArray[np.float64] | None:
    """(24,) each point's change, as in `TouchModel`, between two (24, L, W, 3) pictures of the points; None where it tells nothing."""
    difference = now.astype(np.float32) - before
    # (A third of the blocks tells what is common; and numpy's own median takes 25 calls.)
    common = difference.reshape(-1, 3)[::3].copy()
    common.sort(axis=0)
    difference -= common[len(common) // 2]
    four = difference[:, :-1, :-1] + difference[:, 1:, :-1] + difference[:, :-1, 1:] + difference[:, 1:, 1:]
    levels = np.abs(four).max(axis=3).reshape(len(four), -1) / 4
    place = levels.shape[1] - 1 - TOUCH.spared
    levels.partition(place, axis=1)
    found = levels[:, place].astype(np.float64)
    return found if sorted(found.tolist())[len(found) // 2] < TOUCH.most else None
