"""The small network that says of each place of a lattice what is there: no hole, an empty one, a piece, or a hand over it.

The picture is resampled onto a fixed *canvas* of 9 x 9 places, one beyond the 7 x 7 square of the 37-hole board on every
side, 24 px per pitch: the middle of place (row, column) lies at pixel 8 + 24 x index. The network (trained by
`pi_board.vision.training.hole_train` on pictures made there) sees the whole board, so that it can tell by comparison
what an empty hole looks like on this board in this light.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.checkers.slot_network import Floats
from pi_board.vision.convolutions import SPREAD_FLOOR, Layer, Network
from pi_board.vision.layers import log_softmax, named_weights, relu

PITCH, PLACES = 24, 9
CANVAS = PITCH * (PLACES - 1) + 17  # 209
#: Answers for a place.
NO_HOLE, EMPTY, PIECE, HIDDEN = range(4)
#: Strides 2, 2, 2: features 8 px apart, place i at feature 1 + 3 i.
STRIDE = 8
#: A picture with so many times the canvas's pixels is blurred first, by so many px (standard deviation) for each time: less than half
#: a canvas pixel, against aliasing.
_SMOOTH_FROM, _SMOOTH = 1.5, 0.4


def canvas_homography(lattice: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """(3, 3) from picture to canvas pixels. lattice: 3x3 from lattice units (0, 0 = top left of the 7 x 7 square) to pixels."""
    to_canvas = np.array([[PITCH, 0, PITCH + 8], [0, PITCH, PITCH + 8], [0, 0, 1.0]])
    return np.asarray(to_canvas @ np.linalg.inv(np.asarray(lattice, float)), float)


def draw_canvas(bgr: npt.NDArray[np.uint8], lattice: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """(209, 209, 3) uint8 BGR; a picture with more pixels than the canvas is smoothed first."""
    corners = cv2.perspectiveTransform(np.array([[[0, 0], [6, 0], [6, 6], [0, 6.0]]]), lattice)[0]
    shrink = float(np.sqrt(max(1.0, cv2.contourArea(corners.astype(np.float32))))) / 6 / PITCH
    if shrink > _SMOOTH_FROM:
        bgr = np.asarray(cv2.GaussianBlur(bgr, (0, 0), _SMOOTH * shrink), np.uint8)
    return np.asarray(
        cv2.warpPerspective(
            bgr,
            canvas_homography(lattice),
            (CANVAS, CANVAS),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.uint8,
    )


def normalised(canvas: npt.NDArray[np.uint8]) -> Floats:
    """(209, 209, 3) float32, zero mean and unit spread over the whole canvas: exposure drops out, colour stays."""
    x = canvas.astype(np.float32)
    return np.asarray((x - x.mean()) / (x.std() + SPREAD_FLOOR), np.float32)


def load_weights() -> dict[str, Floats]:
    """The shipped weights (`weights/holes.npz`, made by `pi_board.vision.training.hole_train`)."""
    return named_weights("holes")


def _trunk(w: dict[str, Floats]) -> Network:
    return Network.of(*(Layer.of(w, name, stride=2) for name in ("stem1", "stem2", "stem3")))


@cache
def _shipped_trunk() -> Network:
    return _trunk(load_weights())


def score(canvas: npt.NDArray[np.uint8], weights: dict[str, Floats] | None = None) -> npt.NDArray[np.float64]:
    """(9, 9, 4) log probability of NO_HOLE, EMPTY, PIECE, HIDDEN at each place of a canvas (209, 209, 3) uint8 BGR."""
    w = load_weights() if weights is None else weights
    trunk = _shipped_trunk() if weights is None else _trunk(w)
    x = trunk(np.ascontiguousarray(normalised(canvas).transpose(2, 0, 1)[None]))[0].transpose(1, 2, 0)
    at = 1 + 3 * np.arange(PLACES)
    around = np.concatenate([x[np.ix_(at + i, at + j)] for i in (-1, 0, 1) for j in (-1, 0, 1)], axis=2)
    look = relu(around @ w["look.w"] + w["look.b"])
    # Give each hole the mean, maximum and minimum over all holes: an empty hole is recognised by comparison.
    inner = look[1:-1, 1:-1]
    board = np.concatenate([inner.mean((0, 1)), inner.max((0, 1)), inner.min((0, 1))])
    compared = np.concatenate([look, np.broadcast_to(board, (PLACES, PLACES, len(board)))], axis=2)
    seen = relu(compared @ w["compare.w"] + w["compare.b"])
    return log_softmax(np.concatenate([look, seen], axis=2) @ w["out.w"] + w["out.b"])


def score_mirrored(
    canvas: npt.NDArray[np.uint8], weights: dict[str, Floats] | None = None
) -> npt.NDArray[np.float64]:
    """`score` of the canvas and three of its images, averaged: the board looks the same mirrored or turned."""
    total = np.zeros((PLACES, PLACES, 4))
    for rows, columns, turned in ((1, 1, False), (-1, 1, True), (1, -1, False), (-1, -1, True)):
        seen = canvas[::rows, ::columns]
        found = score(np.ascontiguousarray(seen.transpose(1, 0, 2) if turned else seen), weights)
        total += (found.transpose(1, 0, 2) if turned else found)[::rows, ::columns]
    return log_softmax(total / 4)
