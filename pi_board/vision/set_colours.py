"""Whose checker is it? Told by the colours of this set's other checkers.

The network of `network` knows light from dark in any set, but not this set: a white checker in a hard shadow looks
darker to it than a pale one of the other side in the sun. The points that it is sure of show both sides' colours, and
how far light and shadow spread them; every point is compared with those of the others.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.network import STRIP_CENTRES

Floats = npt.NDArray[np.float64]

#: A point shows a side's colour when the network is so sure whose it is, and so many cells of tops are seen on it.
SURE, LEAST_CELLS = 0.9, 14.0
#: Spread of a side's colour over the board (8-bit Lab) that is taken for granted, and how many points' worth it counts.
SPREAD, SPREAD_POINTS = 7.0, 6
#: Nats that colours may say at most.
CAP = 4.0


def colour_evidence(
    canvas: npt.NDArray[np.uint8], cells: npt.NDArray[np.floating], light: Floats, dark: Floats
) -> Floats:
    """(2, 12) nats for light against dark, zero where nothing can be said.

    canvas (312, 352, 3) and cells (78, 88, 4) as in `network`; light, dark: (2, 12) probability that the point is theirs.
    """
    rows, columns = cells.shape[:2]
    lab = cv2.resize(cv2.cvtColor(canvas, cv2.COLOR_BGR2LAB), (columns, rows), interpolation=cv2.INTER_AREA).astype(np.float64)
    top = np.maximum(cells[..., 1] + cells[..., 2] - 0.3, 0) / 0.7
    area, colour = np.zeros((2, 12)), np.zeros((2, 12, 3))
    for row in range(2):
        here = slice(0, rows // 2) if row == 0 else slice(rows // 2, rows)
        for column, middle in enumerate(STRIP_CENTRES):
            weight = top[here, middle - 2 : middle + 2]
            area[row, column] = weight.sum()
            if weight.sum() > 0:
                part = lab[here, middle - 2 : middle + 2]
                colour[row, column] = (part * weight[..., None]).sum((0, 1)) / weight.sum()
    seen = area >= LEAST_CELLS
    sides = [seen & (p > SURE) for p in (dark, light)]
    out = np.zeros((2, 12))
    if min(side.sum() for side in sides) < 2:
        return out
    off = np.concatenate([colour[side] - colour[side].mean(axis=0) for side in sides])
    spread = (off.T @ off + SPREAD_POINTS * SPREAD**2 * np.eye(3)) / (len(off) + SPREAD_POINTS - 2)
    inverse = np.linalg.inv(spread)
    for row, column in np.argwhere(seen):
        far = []
        for side in sides:
            others = side.copy()
            others[row, column] = False  # no point is its own witness
            away = colour[row, column] - colour[others].mean(axis=0)
            far.append(float(away @ inverse @ away) / (1 + 1 / others.sum()))
        out[row, column] = np.clip((far[0] - far[1]) / 2, -CAP, CAP)
    return out
