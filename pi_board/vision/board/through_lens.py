"""The geometry of a board that a bending lens shows: wide cameras curve the field's ends by half a checker."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidError
from pi_board.vision.board.distortion import USUAL_K1, RadialDistortion
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.profile import BoardProfile

#: A lens counts from this difference of its k1 from the usual one on: the networks were trained to bear less. Source: certainty of 63 found
#: boards with and without the lens; beyond it four of six are surer (-3.3 to -0.6 nats and the like), none is much less so.
BENDS = 0.15
#: A lens is usable as far from the picture's middle as the board's farthest corner, and by this share farther.
OUTWARDS = 1.1


def geometry_through(
    lens: RadialDistortion | None,
    profile: BoardProfile,
    corners: npt.ArrayLike,
    image_size: tuple[int, int],
    *,
    bar_edges: npt.ArrayLike | None = None,
) -> BoardGeometry:
    """`BoardGeometry` of corners and bar edges (4, 2) px, as the lens shows them. lens: as a pattern was fitted with it; None, or one that
    hardly bends: a pinhole. Raises InvalidError as `BoardGeometry`."""
    if lens is None or abs(lens.k1 - USUAL_K1) < BENDS:
        return BoardGeometry(profile, corners, image_size, bar_edges=bar_edges)
    # The same bend at the focal length that the corners tell: the fit's own is a guess.
    try:
        seen = BoardGeometry(
            profile, lens.straighten(np.asarray(corners, np.float64)), image_size
        ).pose.intrinsics
    except InvalidError:
        return BoardGeometry(profile, corners, image_size, bar_edges=bar_edges)
    focal = float(seen[0, 0])
    k1 = lens.k1 * (focal / lens.focal) ** 2
    # Beyond its turning point a polynomial folds the picture back: that must lie outside the board.
    farthest = float(np.linalg.norm(np.asarray(corners) - seen[:2, 2], axis=1).max()) / focal
    k1 = max(k1, -4.0 / (27.0 * (OUTWARDS * farthest) ** 2))
    return BoardGeometry(
        profile,
        corners,
        image_size,
        bar_edges=bar_edges,
        intrinsics=seen,
        distortion=(k1, 0.0, 0.0, 0.0, 0.0),
    )
