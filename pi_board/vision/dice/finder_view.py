"""The rectified picture that the finder looks at."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.changes import Change, Part
from pi_board.vision.dice.finder import CELL
from pi_board.vision.dice.place_numbers import PLACE
from pi_board.vision.patchwork import CELL as PIECE
from pi_board.vision.patchwork import Patchwork

Image = npt.NDArray[np.uint8]
#: Width of the rectified field that the finder looks at, px.
FINDER_WIDTH = 336


class FinderView:
    """The rectified field with `margin` (x, y; shares of the field's width) around it, of pictures of one camera: what the finder looks
    at. to_picture: (3, 3) homography, this picture → the camera's."""

    def __init__(self, geometry: BoardGeometry, margin: tuple[float, float]) -> None:
        self.of = geometry, margin
        profile = geometry.profile
        width, height = float(FINDER_WIDTH), FINDER_WIDTH * profile.field_height / profile.field_width
        mx, my = margin[0] * width, margin[1] * width
        rectangle = (
            np.array([[mx, my], [mx + width, my], [mx + width, my + height], [mx, my + height]], np.float32)
            - 0.5
        )
        corners = geometry.corners.astype(np.float32)
        self.to_picture = cv2.getPerspectiveTransform(rectangle, corners)
        # The rectified field is coarser than the picture. Shrink the picture first, or its grain becomes false
        # pips.
        sides = float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3]))
        self._factor = factor = max(1, round(sides / 2 / width / PLACE.coarser))
        shrink = np.array(
            [[1 / factor, 0, 0.5 / factor - 0.5], [0, 1 / factor, 0.5 / factor - 0.5], [0, 0, 1.0]]
        )
        self._from = shrink @ self.to_picture
        wide, high = (-(-round(n) // (2 * CELL)) * 2 * CELL for n in (width + 2 * mx, height + 2 * my))
        columns, rows = (np.append(np.arange(0, n, PIECE), n - 1) for n in (wide, high))
        grid = np.stack(np.meshgrid(columns, rows), axis=-1).astype(np.float64)
        self._patchwork = Patchwork(
            cv2.perspectiveTransform(grid, self.to_picture), (wide, high), geometry.image_size, 1.0 + factor
        )

    def flat(self, bgr: Image, change: Change | None = None) -> Image:
        """(H, W, 3) uint8. change: see `Patchwork.renewed`."""
        source: npt.NDArray[Any] = bgr
        if self._factor > 1:
            size = bgr.shape[1] // self._factor, bgr.shape[0] // self._factor
            source = cv2.resize(bgr, size, interpolation=cv2.INTER_AREA)

        def cut(at: Part, part: Part) -> Image:
            rows, columns = at
            there = np.array([[1.0, 0.0, columns.start], [0.0, 1.0, rows.start], [0.0, 0.0, 1.0]])
            size = columns.stop - columns.start, rows.stop - rows.start
            how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            return np.asarray(cv2.warpPerspective(source, self._from @ there, size, flags=how), np.uint8)

        return self._patchwork.renewed(change, cut)


def margin_of(geometry: BoardGeometry) -> tuple[float, float]:
    """Margin for `survey` that takes in the rim and the profile's shaker area."""
    profile = geometry.profile
    mx = my = PLACE.margin
    if profile.shaker:
        x0, y0, x1, y1 = profile.shaker
        mx = max(mx, (max(abs(x0), abs(x1)) - profile.field_width / 2) / profile.field_width + PLACE.margin)
        my = max(my, (max(abs(y0), abs(y1)) - profile.field_height / 2) / profile.field_width + PLACE.margin)
    return mx, my
