"""Where the board is in a picture, as far as that is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy.typing as npt

from pi_board.vision.board.distortion import RadialDistortion
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.through_lens import geometry_through
from pi_board.vision.profile import BoardProfile

Floats = npt.NDArray[Any]
How = Literal["found", "markers", "corners", "bump"]


@dataclass(frozen=True)
class Registration:
    """Where the board is in a picture.

    corners: (4, 2) px TL TR BR BL of the playing field at board level. bar_edges: (4, 2) px far-left, far-right,
    near-right, near-left corners of the bar, None when unknown. profile: sizes as refined from the picture.
    image_size: (width, height). confidence: 0..1. how: where the corners come from.
    lens: radial distortion as far as the board's own straight lines show it, None when unknown.
    """

    corners: Floats
    bar_edges: Floats | None
    profile: BoardProfile
    image_size: tuple[int, int]
    confidence: float
    how: How
    lens: RadialDistortion | None = None

    def geometry(self) -> BoardGeometry:
        """Both directions between board and picture for this registration."""
        return geometry_through(
            self.lens, self.profile, self.corners, self.image_size, bar_edges=self.bar_edges
        )
