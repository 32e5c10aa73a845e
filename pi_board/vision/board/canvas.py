"""The board seen straight from above at the height of the checkers' tops: where all in-play reading happens.

On this plane a checker's top is a circle of known size, wherever the camera stands. The empty board lies below the plane, so it
appears slightly displaced. The displacement never changes, so a learned picture of the board still fits.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.changes import Change, Part
from pi_board.vision.patchwork import Patchwork, remapped

Floats = npt.NDArray[Any]

#: Canvas pixels per checker diameter: enough for a checker's ring, few enough for a Pi.
CHECKER_PX = 16.0
#: A checker's top on it, px.
CHECKER_AREA = np.pi / 4 * CHECKER_PX**2
#: What is shown beyond the field, in checker diameters: rim, tray, the table's edge.
MARGIN = 1.6
#: Picture pixels per canvas pixel from which the picture is blurred over 2 x 2 px before it is resampled, and over 3 x 3 px. The
#: box that fits the step, rounded; both limits were chosen by eye.
BLUR_2_FROM, BLUR_3_FROM = 1.6, 2.6
#: Brightness and two colour differences; the differences are steadier than brightness under shading.
FEATURES = np.array([[0.25, 0.5, 0.25], [0.0, -1.0, 1.0], [1.0, -1.0, 0.0]], dtype=np.float32)


def features(bgr: Floats) -> Floats:
    """(H, W, 3) float32 BGR → brightness, R - G, B - G (8-bit levels)."""
    return cv2.transform(bgr, FEATURES)


class Canvas:
    """Pixel grid on the plane of the checkers' tops. Row 0 is the far edge of the margin."""

    def __init__(self, geometry: BoardGeometry) -> None:
        profile = geometry.profile
        self.geometry = geometry
        self.profile = profile
        self.px_per_cm = CHECKER_PX / profile.checker_diameter
        self.margin = MARGIN * profile.checker_diameter
        self.width, self.height = geometry.rectified_size(self.px_per_cm, self.margin)
        scale = geometry.px_per_cm / self.px_per_cm
        # The canvas has fewer pixels than the picture: blur first, or fine texture aliases into noise.
        self._box = 1 if scale <= BLUR_2_FROM else 2 if scale < BLUR_3_FROM else 3

    def warp(self, image: npt.NDArray[Any], change: Change | None = None) -> Floats:
        """(H, W, 3) float32 BGR of the picture on this canvas; outside the picture 0. change: see `Patchwork.renewed`."""
        maps = self._maps

        def cut(at: Part, part: Part) -> npt.NDArray[np.uint8]:
            return remapped(image, maps, (0, 0), at, part, self._smoothed, cv2.BORDER_CONSTANT)

        return self._patchwork.renewed(change, cut).astype(np.float32)

    def _smoothed(self, image: npt.NDArray[Any]) -> Any:
        return image if self._box == 1 else cv2.blur(image, (self._box, self._box))

    @cached_property
    def _maps(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        return self.geometry.rectify_maps(self.px_per_cm, self.profile.checker_height, self.margin)

    @cached_property
    def _patchwork(self) -> Patchwork:
        at = self._maps[0]
        # Add the reach of the smoothing and of the interpolation, and one pixel for the rounding of the maps.
        return Patchwork.of_maps(at[..., 0], at[..., 1], self.geometry.image_size, 4.0)

    def place(self, xy: npt.ArrayLike) -> Floats:
        """(N, 2) cm on the plane → (N, 2) canvas px (column, row)."""
        return self.geometry.to_rectified(xy, self.px_per_cm, self.margin)

    def cm(self, px: npt.ArrayLike) -> Floats:
        """(N, 2) canvas px → (N, 2) cm on the plane."""
        return self.geometry.from_rectified(px, self.px_per_cm, self.margin)

    def from_picture(self, px: npt.ArrayLike) -> Floats:
        """(N, 2) picture px → (N, 2) canvas px."""
        return self.place(self.geometry.unproject(px, self.profile.checker_height))

    @cached_property
    def inside(self) -> npt.NDArray[np.bool_]:
        """(H, W) bool, where the picture shows the canvas."""
        # (The maps are needed for the first picture all the same; they are right to a 64th of a px.)
        at, _ = self._maps
        w, h = self.geometry.image_size
        x, y = at[..., 0], at[..., 1]
        return (x >= 1) & (y >= 1) & (x < w - 2) & (y < h - 2)

    def rectangle(self, x0: float, y0: float, x1: float, y1: float) -> tuple[slice, slice]:
        """Rows and columns of a rectangle given in cm (any order of its edges), clipped to the canvas."""
        (a, b), (c, d) = self.place([[min(x0, x1), max(y0, y1)], [max(x0, x1), min(y0, y1)]])
        rows = slice(max(0, round(b)), min(self.height, round(d) + 1))
        return rows, slice(max(0, round(a)), min(self.width, round(c) + 1))

    @cached_property
    def bar(self) -> tuple[slice, slice]:
        """Rows and columns of the bar."""
        p = self.profile
        return self.rectangle(-p.bar_width / 2, -p.field_height / 2, p.bar_width / 2, p.field_height / 2)

    @cached_property
    def field(self) -> npt.NDArray[np.bool_]:
        """(H, W) bool, the playing field with the bar."""
        p = self.profile
        mask = np.zeros((self.height, self.width), dtype=bool)
        mask[
            self.rectangle(-p.field_width / 2, -p.field_height / 2, p.field_width / 2, p.field_height / 2)
        ] = True
        return mask
