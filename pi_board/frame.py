"""`Frame`: what a camera delivers, and all that vision ever receives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture.

    image: (H, W, 3) uint8, BGR.
    time: seconds on a monotonic clock (never wall-clock time).
    seq: counts up by one per delivered frame; a gap means dropped frames.
    controls: the camera controls in force (exposure, gain, …), empty where unknown.
    name: file name for folders and videos, else "".
    rested: seconds for which its source, which watches the scene all the while, saw it at rest until here (the pictures before it may
        not have been delivered); 0 where nobody watched.
    """

    image: npt.NDArray[np.uint8]
    time: float
    seq: int
    controls: Mapping[str, object] = field(default_factory=dict)
    name: str = ""
    rested: float = 0.0
