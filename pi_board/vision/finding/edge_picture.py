"""A picture with what every search and every fit in it needs, each worked out once, when it is first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.finding.lines import segments, turns
from pi_board.vision.finding.pattern import Floats, edge_tensor
from pi_board.vision.finding.pattern_numbers import EDGES

Image = npt.NDArray[np.uint8]

#: The search runs on pictures of this width; the fit afterwards on the full ones.
SEARCH_WIDTH = 640


class EdgePicture:
    """image: (H, W, 3) uint8 BGR. scale: of the search's picture, SEARCH_WIDTH / W. roughly: as of `edge_tensor`."""

    def __init__(self, image: Image, *, roughly: bool = False) -> None:
        self.image, self.scale = image, SEARCH_WIDTH / image.shape[1]
        self._roughly = roughly

    @cached_property
    def small(self) -> Image:
        """The picture SEARCH_WIDTH wide, uint8 BGR."""
        how = cv2.INTER_AREA if self.scale < 1 else cv2.INTER_LINEAR
        small = cv2.resize(self.image, None, fx=self.scale, fy=self.scale, interpolation=how)
        return np.asarray(small, np.uint8)

    @cached_property
    def tensor(self) -> Floats:
        """`edge_tensor` of `small`."""
        return edge_tensor(self.small, roughly=self._roughly)

    @cached_property
    def pieces(self) -> Floats:
        """`segments` of `small`."""
        return segments(self.small)

    @cached_property
    def smooth(self) -> Floats:
        """(H, W, 3) float32, levels: the picture as edges are looked for in it, to a fraction of a pixel."""
        blur = max(EDGES.least_blur, EDGES.blur * self.image.shape[1] / 800)
        return cv2.GaussianBlur(self.image, (0, 0), blur).astype(np.float32)

    @cached_property
    def turned(self) -> list[tuple[EdgePicture, Floats]]:
        """The picture turned so that most of its straight edges lie level or plumb, if they do not: (picture, (2, 3) affine map from its
        px to those of `image`)."""
        height, width = self.image.shape[:2]
        out: list[tuple[EdgePicture, Floats]] = []
        for angle in turns(self.pieces):
            back = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1.0)
            grown = np.abs(back[:, :2]) @ np.array([width, height])
            back[:, 2] += (grown - (width, height)) / 2
            upright: Any = cv2.warpAffine(
                self.image,
                back,
                (int(grown[0]), int(grown[1])),
                flags=cv2.INTER_AREA,
                borderMode=cv2.BORDER_REPLICATE,
            )
            out.append((EdgePicture(upright), cv2.invertAffineTransform(back)))
        return out
