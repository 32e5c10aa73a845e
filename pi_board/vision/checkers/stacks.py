"""How many checkers stand on a long point: a second small network that looks closely.

A checker on top of another hides it. Only its height gives it away: the slanted view displaces it, it looks a little larger,
casts a shadow and covers its neighbour's edge. The slot network's canvas is too coarse for that. So a point with four or more
checkers is resampled on a *strip* of twice the resolution (row 0 is the board's edge). Two more planes tell the network how far, and
which way, a second layer is displaced there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from pi_board.sighting import ZERO
from pi_board.vision.checkers.slot_network import (
    DIAMETER_PER_PITCH,
    HEIGHT_PER_DIAMETER,
    Floats,
    Project,
    Sampling,
    moments,
    patchwork,
    sampled,
)
from pi_board.vision.convolutions import SPREAD_FLOOR, Layer, Network
from pi_board.vision.layers import log_softmax, named_weights, relu, slide
from pi_board.vision.patchwork import Patchwork

#: Strip: px per column width, size in px, and what of it lies outside the field.
STRIP_PITCH, STRIP_W, STRIP_H, OUTSIDE = 48, 72, 312, 24
#: Counts that this network decides. Fewer than LEAST stay with the slot network, which sees them well.
LEAST, MOST = 4, 15
#: Places in a row, counted in checkers from the board's edge, at which `lift` is asked: the first checker's middle, and the sixth's.
PLACES = (0.5, 5.5)
#: The step of the numeric derivative in `lift`, in columns' widths: small against a checker, large against rounding.
DERIVATIVE_STEP = 0.05
STRIDE = 8
#: Log probability of a count from which its strip need not be seen in the mirror too. Of 812 long points in photos (scenes and drawn
#: boards) 513 are so plain at .97, and none of them is counted otherwise with the mirror; so it is at .9 (636).
PLAIN = float(np.log(0.97))


def long_columns(sign: int) -> npt.NDArray[np.intp]:
    """(12,) columns of LEAST..MOST checkers of light (1) or of dark (-1) in a row of signed counts."""
    return ZERO + sign * np.arange(LEAST, MOST + 1)


@dataclass(frozen=True, slots=True)
class BoardView:
    """Sizes in the units of `project`: field width and height, bar width, a checker's height."""

    project: Project
    width: float
    height: float
    bar_width: float
    thickness: float

    @property
    def pitch(self) -> float:
        return (self.width - self.bar_width) / 12

    def column_x(self, column: int) -> float:
        return (1 if column >= 6 else -1) * self.bar_width / 2 + (column - 5.5) * self.pitch


def usual_thickness(pitch: float) -> float:
    """A checker's height on the sets that are sold, from a column's width."""
    return pitch * DIAMETER_PER_PITCH * HEIGHT_PER_DIAMETER


def strip_map(board: BoardView, column: int, far: bool) -> tuple[Floats, Floats]:
    """Maps for `cv2.remap` (312, 72) of one point, edge of the board first, x to the right as in the picture."""
    u = ((np.arange(STRIP_W) + 0.5) / STRIP_W - 0.5) * STRIP_W / STRIP_PITCH * board.pitch + board.column_x(
        column
    )
    rows = np.append(np.arange(0, STRIP_H, 8), STRIP_H)
    v = (rows + 0.5 - OUTSIDE) / STRIP_PITCH * board.pitch
    y = (board.height / 2 - v) * (1 if far else -1)
    gx, gy = np.meshgrid(u, y)
    px = board.project(
        np.stack([gx.ravel(), gy.ravel(), np.full(gx.size, board.thickness)], 1).astype(np.float64)
    )
    grid = px.astype(np.float32).reshape(*gx.shape, 2)
    at = np.arange(STRIP_H, dtype=np.float32) / 8
    top = np.minimum(at.astype(int), len(rows) - 2)
    share = (at - top).astype(np.float32)[:, None, None]
    full = grid[top] * (1 - share) + grid[top + 1] * share
    return np.ascontiguousarray(full[..., 0]), np.ascontiguousarray(full[..., 1])


def lift(board: BoardView, column: int, far: bool) -> npt.NDArray[np.float64]:
    """(2, 2) px on the strip (x, along the row away from the edge) by which the next layer is displaced at each of `PLACES`."""
    out = []
    side = 1 if far else -1
    x, z, step = board.column_x(column), board.thickness, DERIVATIVE_STEP * board.pitch
    for places in PLACES:
        y = (board.height / 2 - places * board.pitch) * side
        p = board.project(
            np.array([[x, y, z], [x + step, y, z], [x, y - side * step, z], [x, y, 2 * z]], np.float64)
        )
        jacobian = np.stack([p[1] - p[0], p[2] - p[0]], 1) / step
        out.append(np.linalg.solve(jacobian, p[3] - p[0]) / board.pitch * STRIP_PITCH)
    return np.array(out)


def cut_strip(bgr: npt.NDArray[np.uint8], board: BoardView, column: int, far: bool) -> npt.NDArray[np.uint8]:
    """(312, 72, 3) uint8; a picture with more pixels than the strip is smoothed first."""
    maps = strip_map(board, column, far)
    return sampled(bgr, maps, _shrinking(maps))


def _shrinking(maps: tuple[Floats, Floats]) -> float:
    """Pixels of the picture that come to lie on one of the strip."""
    row = [plane[STRIP_H // 2] for plane in maps]
    return float(np.hypot(row[0][-1] - row[0][0], row[1][-1] - row[1][0])) / (STRIP_W - 1)


@dataclass(frozen=True)
class StripMaps:
    """`cut_strip` of one point again and again, its `lift`, and what it shows of the camera's picture."""

    sampling: Sampling
    lifted: npt.NDArray[np.float64]
    places: Patchwork

    @classmethod
    def of(cls, board: BoardView, column: int, far: bool, image_size: tuple[int, int]) -> StripMaps:
        """image_size: (width, height) of the pictures."""
        maps = strip_map(board, column, far)
        shrink = _shrinking(maps)
        return cls(
            Sampling.of(maps, image_size, shrink),
            lift(board, column, far),
            patchwork(maps, image_size, shrink),
        )

    def cut(self, bgr: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """(312, 72, 3) uint8."""
        return self.sampling.sample(bgr)


def network_input(strip: npt.NDArray[np.uint8], lifted: npt.NDArray[np.float64]) -> Floats:
    """(2, 5, 312, 72), of the strip and of its mirror image: colours of zero mean and unit spread, and the displacement of the next
    layer in tenths of a px."""
    first = _one_view(strip, lifted)
    return np.stack([first, _mirrored(first)])


def _one_view(strip: npt.NDArray[np.uint8], lifted: npt.NDArray[np.float64]) -> Floats:
    """(5, 312, 72) the first of `network_input`."""
    mean, spread = moments(strip)
    out = np.empty((5, STRIP_H, STRIP_W), np.float32)
    np.subtract(strip.transpose(2, 0, 1), np.float32(mean), out=out[:3])
    out[:3] *= np.float32(1 / (spread + SPREAD_FLOOR))
    out[3:] = np.linspace(lifted[0], lifted[1], STRIP_H).T[:, :, None] / 10
    return out


def _mirrored(view: Floats) -> Floats:
    """(5, 312, 72) what the mirror image of a strip would be."""
    out = np.ascontiguousarray(view[:, :, ::-1])
    out[3] *= -1
    return out


def load_weights() -> dict[str, Floats]:
    """The shipped weights (`weights/stacks.npz`, made by `pi_board.vision.training.stack_train`)."""
    return named_weights("stacks")


def _trunk(w: dict[str, Floats]) -> Network:
    stem = [
        Layer.of(w, "stem1", stride=2),
        Layer.of(w, "stem2", stride=2),
        Layer.of(w, "fine", added=True),
        Layer.of(w, "down", stride=2),
    ]
    return Network.of(
        *stem, *(Layer.of(w, f"block{i}", dilation=dilation, added=True) for i, dilation in enumerate((1, 2)))
    )


@cache
def shipped_trunk() -> Network:
    """The convolutions of the shipped network, loaded once."""
    return _trunk(load_weights())


@dataclass(frozen=True, slots=True)
class StripSeen:
    """What the network sees of a strip: features (1, C, 39, 9) of the strip as it is, and says (12,): log-likelihood of LEAST..MOST
    checkers of one colour, where that is not plain the mean of the strip's and its mirror image's."""

    features: Floats
    says: npt.NDArray[np.float64]


def see_strip(
    strip: npt.NDArray[np.uint8], lifted: npt.NDArray[np.float64], weights: dict[str, Floats] | None = None
) -> StripSeen:
    """strip: as `cut_strip` cuts it; lifted: as of `lift`."""
    w = load_weights() if weights is None else weights
    trunk = shipped_trunk() if weights is None else _trunk(w)
    view = _one_view(strip, lifted)
    features = trunk(view[None])
    says = _counts(features, w)
    if says.max() < PLAIN:
        says = (says + _counts(trunk(_mirrored(view)[None]), w)) / 2
    return StripSeen(features, says - w["prior"])


def count_stack(
    strip: npt.NDArray[np.uint8], lifted: npt.NDArray[np.float64], weights: dict[str, Floats] | None = None
) -> npt.NDArray[np.float64]:
    """(16,) log-likelihood of 0..15 checkers of one colour; below LEAST minus infinity (not its business)."""
    out = np.full(MOST + 1, -np.inf)
    out[LEAST:] = see_strip(strip, lifted, weights).says
    return out


def _counts(features: Floats, w: dict[str, Floats]) -> npt.NDArray[np.float64]:
    """(12,) log probability of LEAST..MOST checkers from the trunk's features (1, C, H, W)."""
    x = np.ascontiguousarray(features.transpose(0, 2, 3, 1))
    s = relu(x.reshape(*x.shape[:2], -1) @ w["across.w"] + w["across.b"])
    s = relu(slide(s, w["along1.w"], w["along1.b"], 2))
    s = relu(slide(s, w["along2.w"], w["along2.b"], 2)).reshape(1, -1)
    s = relu(s @ w["fc.w"] + w["fc.b"])
    return log_softmax(s @ w["out.w"] + w["out.b"])[0]
