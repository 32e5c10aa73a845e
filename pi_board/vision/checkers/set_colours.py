"""Whose checker is it? Told by the colours of this set's other checkers.

The slot network tells light from dark in any set, but it has never seen this one: a white checker in a hard shadow looks
darker to it than the other side's pale checker in the sun. So the points of which it is sure serve as samples. They show each
side's colour and how far light and shadow spread it, and every point is compared with the samples on the other points.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.checkers.slot_network import CANVAS_H, CANVAS_W, STRIDE, STRIP_CENTRES

Floats = npt.NDArray[np.float64]

#: A point shows a side's colour when the network is so sure whose it is, and so many cells of tops are seen on it.
SURE, LEAST_CELLS = 0.9, 14.0
#: Spread of a side's colour over the board (8-bit Lab) that is taken for granted, and how many points' worth it counts.
SPREAD, SPREAD_POINTS = 7.0, 6
#: The most that colours may count, nats.
CAP = 4.0
#: The network's probability of a top (0..1) from which a cell counts as part of one; its weight grows from 0 there to 1 at certainty.
#: Chosen by eye: below it lie the cells on a checker's edge, which mix in the board's colour.
TOP_FROM = 0.3


def _places() -> npt.NDArray[np.intp]:
    columns = np.array(STRIP_CENTRES)[:, None, None] + np.arange(-2, 2)
    rows = np.arange(CANVAS_H // STRIDE).reshape(2, 1, -1, 1)
    return (rows * (CANVAS_W // STRIDE) + columns).reshape(2, len(STRIP_CENTRES), -1)


#: (2, 12, 156) the cells in which each point's tops lie, counted row by row.
_PLACES = _places()

#: Linear sRGB to CIE XYZ over the white of D65; below `_ROOT_FROM` CIE Lab replaces the cube root by a line of this slope, and 8-bit
#: Lab stores L* (0..100) in steps of 100 / 255. All from the CIE and sRGB definitions.
_TO_XYZ = np.array(
    [[0.412453, 0.357580, 0.180423], [0.212671, 0.715160, 0.072169], [0.019334, 0.119193, 0.950227]]
) / np.array([[0.950456], [1.0], [1.088754]])
_ROOT_FROM, _ROOT_SLOPE = 0.008856, 7.787
_STEPS_PER_L = 2.55


def light_of_srgb(values: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
    """Linear light, 0..1, of sRGB values 0..1 of any shape."""
    return np.where(values > 0.04045, ((values + 0.055) / 1.055) ** 2.4, values / 12.92)


#: Linear light of the 256 levels.
_LINEAR = light_of_srgb(np.arange(256) / 255)


def linear(bgr: npt.NDArray[np.uint8]) -> Floats:
    """(..., 3) linear RGB 0..1 of uint8 BGR."""
    return np.asarray(_LINEAR[bgr[..., ::-1]])


def lab(bgr: npt.NDArray[np.uint8]) -> Floats:
    """(..., 3) CIE Lab in 8-bit steps (L 0..255, a and b about 128) of uint8 BGR. OpenCV's conversion is faster on
    large pictures, but it first spends a tenth of a second building tables, which is seconds on a small Pi."""
    xyz = linear(bgr) @ _TO_XYZ.T
    root = np.where(xyz > _ROOT_FROM, np.cbrt(xyz), _ROOT_SLOPE * xyz + 16 / 116)
    x, y, z = root[..., 0], root[..., 1], root[..., 2]
    return np.stack([(116 * y - 16) * _STEPS_PER_L, 500 * (x - y) + 128, 200 * (y - z) + 128], axis=-1)


def colour_evidence(
    canvas: npt.NDArray[np.uint8], cells: npt.NDArray[np.floating], light: Floats, dark: Floats
) -> Floats:
    """(2, 12) nats for light against dark, zero where nothing can be said.

    canvas (312, 352, 3) and cells (78, 88, 4) as in `network`; light, dark: (2, 12) probability that the point is theirs.
    """
    rows, columns = cells.shape[:2]
    small = np.asarray(cv2.resize(canvas, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)
    tops = (cells[..., 1] + cells[..., 2]).take(_PLACES)
    weight = (np.maximum(tops - TOP_FROM, 0) / (1 - TOP_FROM)).astype(np.float64)
    area = np.add.reduce(weight, axis=2)
    # Two cells in three are no checker's: of these the colour has no say.
    colours, some = np.zeros((*weight.shape, 3)), weight > 0
    colours[some] = lab(small.reshape(-1, 3).take(_PLACES[some], axis=0))
    # (As a product: numpy takes three times as long to add up along an axis in the middle.)
    colour = (weight[:, :, None] @ colours)[:, :, 0] / np.maximum(area, 1e-9)[..., None]
    seen = area >= LEAST_CELLS
    sides = [seen & (p > SURE) for p in (dark, light)]
    out = np.zeros((2, 12))
    number = [np.count_nonzero(side) for side in sides]
    if min(number) < 2:
        return out
    sums = [np.add.reduce(colour[side], axis=0) for side in sides]
    off = np.concatenate([colour[side] - s / n for side, s, n in zip(sides, sums, number, strict=True)])
    spread = (off.T @ off + SPREAD_POINTS * SPREAD**2 * np.eye(3)) / (len(off) + SPREAD_POINTS - 2)
    inverse = np.linalg.inv(spread)
    points = colour[seen]
    far = []
    for side, total, n in zip(sides, sums, number, strict=True):
        # Leave the point itself out: it is no evidence for itself.
        own = side[seen]
        others = n - own
        mean = (total - points * own[:, None]) / others[:, None]
        away = points - mean
        far.append(np.add.reduce((away @ inverse) * away, axis=1) / (1 + 1 / others))
    out[seen] = np.clip((far[0] - far[1]) / 2, -CAP, CAP)
    return out
