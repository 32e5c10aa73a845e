"""How a lens bends straight lines: one coefficient of radial distortion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.vision.board.pose import USUAL_FOCAL

Floats = npt.NDArray[Any]
Image = npt.NDArray[np.uint8]
#: Wide lenses of cheap cameras show mild barrel distortion.
USUAL_K1 = -0.03
K1_SPREAD = 0.1
#: Square of a ray's distance from the optical axis (1 = 45 degrees) from which distortion is held: far outside the picture a polynomial
#: turns back on itself.
_MOST_R2 = 1.5


@dataclass(frozen=True, slots=True)
class RadialDistortion:
    """One coefficient of radial distortion around the picture's centre (OpenCV's k1 at focal length `focal`)."""

    k1: float = 0.0
    focal: float = 1.0
    centre: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def for_picture(cls, image: Image) -> RadialDistortion:
        height, width = image.shape[:2]
        return cls(USUAL_K1, USUAL_FOCAL * max(width, height), ((width - 1) / 2, (height - 1) / 2))

    def bend(self, px: Floats, k1: float | Floats | None = None) -> Floats:
        """Ideal (..., 2) px → px as the lens shows them."""
        # (Plane by plane and in place: arrays with a last axis of two take twice as long.)
        x, y = ((px[..., i] - middle) / self.focal for i, middle in enumerate(self.centre))
        r2 = x * x
        r2 += y * y
        np.minimum(r2, _MOST_R2, out=r2)
        r2 *= self.k1 if k1 is None else k1
        r2 += 1
        out = np.empty((*r2.shape, 2))
        for i, (ray, middle) in enumerate(zip((x, y), self.centre, strict=True)):
            ray *= r2
            ray *= self.focal
            np.add(ray, middle, out=out[..., i])
        return out

    def straighten(self, px: Floats) -> Floats:
        """The inverse of `bend`."""
        out = np.asarray(px, dtype=np.float64)
        for _ in range(6):
            out = out + (px - self.bend(out))
        return out

    @property
    def intrinsics(self) -> Floats:
        return np.array([[self.focal, 0, self.centre[0]], [0, self.focal, self.centre[1]], [0, 0, 1.0]])


#: A lens that bends nothing.
STRAIGHT = RadialDistortion()
