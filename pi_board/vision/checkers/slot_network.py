"""The small network that reads checkers of a set it has never seen.

The picture of the field is resampled onto a fixed *canvas*: columns 24 px wide, the bar 36 px, both rows 144 px
high, at the height of the checkers' tops, so that every checker stands at its nominal place whatever the camera. The
network (trained by `pi_board.vision.training`, on pictures made there) answers for each of the 24 columns with a
distribution over the signed count, for the bar with a count per side, and says what a hand hides.

Canvas: row 0 = far edge, column 0 = left edge; columns are numbered 0..11 from left to right, rows "far", "near".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.changes import Part
from pi_board.vision.convolutions import SPREAD_FLOOR, Layer, Network
from pi_board.vision.layers import log_softmax, named_weights, relu, slide
from pi_board.vision.patchwork import Patchwork, remapped

Floats = npt.NDArray[np.float32]
Project = Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]

PITCH, BAR_PX, ROW_PX = 24, 36, 144
MARGIN_X, MARGIN_Y = 14, 12
CANVAS_W = 2 * MARGIN_X + 12 * PITCH + BAR_PX  # 352
CANVAS_H = 2 * MARGIN_Y + 2 * ROW_PX  # 312
STRIDE = 4
#: Checker diameter and height, as shares of a column's width and of the diameter, on the sets that are sold.
DIAMETER_PER_PITCH, HEIGHT_PER_DIAMETER = 0.92, 0.3
MAX_BAR = 7
#: Feature columns at the middle of canvas columns 0..11, and how far a column's strip reaches to each side.
STRIP_CENTRES = tuple(6 + 6 * c for c in range(6)) + tuple(51 + 6 * c for c in range(6))
STRIP_REACH, STRIP_ROWS = 4, 42
BAR_FIRST, BAR_CELLS = 39, 10
_STRIP_COLUMNS = (np.array(STRIP_CENTRES)[:, None] + np.arange(-STRIP_REACH, STRIP_REACH + 1)).ravel()
#: Where more than so many px of the picture come to lie on one of the canvas it is smoothed first, by this share of them (sigma).
#: Training draws its canvases with the same function, so a change needs new weights.
_SHRUNK, _SMOOTHING = 1.5, 0.4


@dataclass(frozen=True, slots=True)
class ViewPriors:
    """What is usual of cameras and boards, for a view of four corners. Source: chosen by eye, not swept; `bench_stills.py` shows what
    a change does.

    least_focal, most_focal, focals: focal lengths that are tried (longer sides of the picture; 0.45 is a view of 96°, 3 of 19°).
    square: cosine by which the two axes of the field may miss a right angle. focal, focal_spread: the usual focal length (a view of
    60°) and its spread, natural logarithm; aspect, aspect_spread: the same of a field's width over its height.
    """

    least_focal: float = 0.45
    most_focal: float = 3.0
    focals: int = 60
    square: float = 0.006
    focal: float = 0.86
    focal_spread: float = 0.2
    aspect: float = 1.25
    aspect_spread: float = 0.07


VIEW = ViewPriors()


@dataclass(frozen=True, slots=True)
class PinholeView:
    """A pinhole camera over a board whose field is 1 wide and 1/aspect high (frame as in `geometry`).

    focal: px. centre: principal point, px. rotation (3, 3), translation (3,): board to camera, y down, z forward.
    """

    focal: float
    centre: tuple[float, float]
    rotation: npt.NDArray[np.float64]
    translation: npt.NDArray[np.float64]
    aspect: float

    def project(self, xyz: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """(N, 3) board coordinates in field widths -> (N, 2) px."""
        p = xyz @ self.rotation.T + self.translation
        return p[:, :2] / p[:, 2:] * self.focal + np.array(self.centre)


def estimate_view(corners: npt.NDArray[np.float64], image_size: tuple[int, int]) -> PinholeView:
    """The camera that most plausibly sees the field's corners (4, 2) TL TR BR BL px there; image_size = (w, h).

    A rectangle of unknown shape fixes the focal length only when it is seen at an angle; otherwise the usual field
    of view (about 60 degrees) and the usual shape of boards (5:4) decide.
    """
    w, h = image_size
    centre = ((w - 1) / 2, (h - 1) / 2)
    unit = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]], np.float32)
    m = cv2.getPerspectiveTransform(unit, (np.asarray(corners) - centre).astype(np.float32)).astype(
        np.float64
    )
    best: tuple[float, float, float] | None = None
    for focal in max(w, h) * np.geomspace(VIEW.least_focal, VIEW.most_focal, VIEW.focals):
        a, b = m[:, 0] / (focal, focal, 1), m[:, 1] / (focal, focal, 1)
        na, nb = float(np.linalg.norm(a)), float(np.linalg.norm(b))
        aspect = na / nb
        cost = (
            (float(a @ b) / (na * nb) / VIEW.square) ** 2
            + (np.log(focal / (VIEW.focal * max(w, h))) / VIEW.focal_spread) ** 2
            + (np.log(aspect / VIEW.aspect) / VIEW.aspect_spread) ** 2
        )
        if best is None or cost < best[0]:
            best = (cost, float(focal), aspect)
    assert best is not None
    _, focal, aspect = best
    k = np.diag([1 / focal, 1 / focal, 1.0])
    a, b, t = k @ m[:, 0], k @ m[:, 1] * aspect, k @ m[:, 2]
    scale = 2 / (np.linalg.norm(a) + np.linalg.norm(b))
    if t[2] < 0:
        scale = -scale
    a, b, t = a * scale, b * scale, t * scale
    u, _, vt = np.linalg.svd(np.stack([a, b, np.cross(a, b)], axis=1))
    return PinholeView(focal, centre, u @ vt, t, aspect)


def canvas_axes(bar_share: float, beside: int = 0) -> tuple[Floats, Floats]:
    """Field fractions (-0.5..0.5, x right, y up) of the canvas columns (352,) and rows (312,).

    beside: px by which the canvas is wider on the left and on the right.
    """
    pitch = (1 - bar_share) / 12
    width = CANVAS_W + 2 * beside
    u = np.arange(width) + 0.5 - width / 2
    half_bar = BAR_PX / 2
    inside = u / half_bar * bar_share / 2
    outside = np.sign(u) * (bar_share / 2 + (np.abs(u) - half_bar) / PITCH * pitch)
    x = np.where(np.abs(u) < half_bar, inside, outside)
    y = -(np.arange(CANVAS_H) + 0.5 - CANVAS_H / 2) / (2 * ROW_PX)
    return x.astype(np.float32), y.astype(np.float32)


def canvas_map(
    project: Project, width: float, height: float, bar_width: float, z: float, beside: int = 0
) -> tuple[Floats, Floats]:
    """Maps for `cv2.remap` that take a picture to the canvas at height z (board units of `project`); beside: see `canvas_axes`."""
    x, y = canvas_axes(bar_width / width, beside)
    # A plane seen through a pinhole is a homography; a coarse grid would do for lens distortion too.
    gx, gy = np.meshgrid(x[::1] * width, y[::8] * height)
    xyz = np.stack([gx.ravel(), gy.ravel(), np.full(gx.size, z)], axis=1).astype(np.float64)
    px = project(xyz).astype(np.float32).T.reshape(2, *gx.shape)
    rows = (np.arange(CANVAS_H, dtype=np.float32)) / 8
    top = np.minimum(rows.astype(int), px.shape[1] - 2)
    share = (rows - top).astype(np.float32)[:, None]
    above, below = px[:, top], px[:, top + 1]
    above *= 1 - share
    below *= share
    above += below
    return above[0], above[1]


def draw_canvas(bgr: npt.NDArray[np.uint8], maps: tuple[Floats, Floats]) -> npt.NDArray[np.uint8]:
    """(312, 352, 3) uint8 BGR; a picture with more pixels than the canvas is smoothed first."""
    return sampled(bgr, maps, _shrinking(maps))


def _shrinking(maps: tuple[Floats, Floats]) -> float:
    """Pixels of the picture that come to lie on one of the canvas."""
    edge = MARGIN_X + (maps[0].shape[1] - CANVAS_W) // 2
    span = abs(float(maps[0][CANVAS_H // 2, -edge] - maps[0][CANVAS_H // 2, edge]))
    return span / (CANVAS_W - 2 * MARGIN_X)


@dataclass(frozen=True)
class Sampling:
    """`sampled` for one place of pictures of one size, all worked out beforehand. part: rows and columns of the picture that are
    looked at; maps: fixed point, of that part; sigma: of the smoothing, 0 for none."""

    part: tuple[slice, slice]
    maps: tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]
    sigma: float

    @classmethod
    def of(
        cls, maps: tuple[Floats, Floats], image_size: tuple[int, int], shrink: float | None = None
    ) -> Sampling:
        """maps: for `cv2.remap`; image_size: (width, height); shrink: as for `sampled`, that of a canvas by default."""
        shrink = _shrinking(maps) if shrink is None else shrink
        around = _around(shrink)
        u, v = maps
        part = []
        for at, length in ((v, image_size[1]), (u, image_size[0])):
            first = min(length - 1, max(0, int(at.min()) - around))
            part.append(slice(first, min(length, max(first + 1, int(at.max()) + around + 1))))
        fixed = cv2.convertMaps(u - part[1].start, v - part[0].start, cv2.CV_16SC2)
        return cls(
            (part[0], part[1]),
            (np.asarray(fixed[0], np.int16), np.asarray(fixed[1], np.uint16)),
            _SMOOTHING * shrink if shrink > _SHRUNK else 0.0,
        )

    def sample(self, bgr: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """(H, W, 3) uint8."""
        return self.cut(bgr, (slice(None), slice(None)), self.part)

    def cut(self, bgr: npt.NDArray[np.uint8], at: Part, part: Part) -> npt.NDArray[np.uint8]:
        """Rows and columns `at` of `sample`; part: those of the picture that they show, and the smoothing takes in."""
        origin = self.part[1].start, self.part[0].start
        return remapped(
            bgr, self.maps, origin, at, part, self._smoothed if self.sigma else None, cv2.BORDER_REPLICATE
        )

    def _smoothed(self, bgr: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        return np.asarray(cv2.GaussianBlur(bgr, (0, 0), self.sigma), np.uint8)


def _around(shrink: float) -> int:
    """px of the picture that the smoothing takes in, and more."""
    return 2 + round(2 * shrink)


def patchwork(
    maps: tuple[Floats, Floats], image_size: tuple[int, int], shrink: float | None = None
) -> Patchwork:
    """Of `Sampling.of` the same."""
    shrink = _shrinking(maps) if shrink is None else shrink
    return Patchwork.of_maps(*maps, image_size, float(_around(shrink)))


def sampled(bgr: npt.NDArray[np.uint8], maps: tuple[Floats, Floats], shrink: float) -> npt.NDArray[np.uint8]:
    """(H, W, 3) uint8 of `bgr` through `cv2.remap` maps; smoothed first where `shrink` px of the picture come to lie on one, and
    only what the maps see of it, so that large pictures stay cheap."""
    u, v = maps
    if shrink > _SHRUNK:
        around = _around(shrink)
        x1, y1 = max(0, int(u.min()) - around), max(0, int(v.min()) - around)
        part = bgr[y1 : max(y1 + 1, int(v.max()) + around), x1 : max(x1 + 1, int(u.max()) + around)]
        if part.size:
            bgr, u, v = (
                np.asarray(cv2.GaussianBlur(part, (0, 0), _SMOOTHING * shrink), np.uint8),
                u - x1,
                v - y1,
            )
    return np.asarray(cv2.remap(bgr, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def canvas_from_corners(
    bgr: npt.NDArray[np.uint8], corners: npt.NDArray[np.float64], bar_share: float
) -> npt.NDArray[np.uint8]:
    """The canvas of a picture of which only the field's corners and the bar's share of the width are known."""
    view = estimate_view(corners, (bgr.shape[1], bgr.shape[0]))
    z = (1 - bar_share) / 12 * DIAMETER_PER_PITCH * HEIGHT_PER_DIAMETER
    return draw_canvas(bgr, canvas_map(view.project, 1.0, 1 / view.aspect, bar_share, z))


def moments(picture: npt.NDArray[np.uint8]) -> tuple[float, float]:
    """Mean and spread of all values of (H, W, 3) uint8."""
    # (As one plane: of three OpenCV takes eight times as long.)
    mean, spread = cv2.meanStdDev(picture.reshape(len(picture), -1))
    return float(mean[0, 0]), float(spread[0, 0])


def normalised(canvas: npt.NDArray[np.uint8], of: tuple[float, float] | None = None) -> Floats:
    """(H, W, 3) float32, zero mean and unit spread over the whole canvas: exposure drops out, colour stays. of: other `moments` than
    the canvas's own."""
    mean, spread = moments(canvas) if of is None else of
    x = canvas.astype(np.float32)
    x -= np.float32(mean)
    x *= np.float32(1 / (spread + SPREAD_FLOOR))
    return x


@dataclass(frozen=True, slots=True)
class Scores:
    """What the network says. Rows: 0 = far, 1 = near; columns from left to right.

    points: (2, 12, 31) log P(signed count | picture) minus the log prior of training, column = count + 15.
    hidden: (2, 12) probability that a hand hides part of the point.
    bar: (2, 8) the same for the number of light, dark checkers on the bar.
    cells: (78, 88, 4) probability of nothing, light checker's top, dark checker's top, hand per 4×4 px.
    """

    points: npt.NDArray[np.float64]
    hidden: npt.NDArray[np.float64]
    bar: npt.NDArray[np.float64]
    cells: Floats


def pooled(x: Floats) -> Floats:
    """(2 C,) mean and largest of features (H, W, C)."""
    high, wide, planes = x.shape
    # (Row after row: numpy takes ten times as long for the largest of each plane at once.)
    flat = x.reshape(high, wide * planes)
    mean = np.add.reduce(flat, axis=0).reshape(wide, planes) / high
    most = np.maximum.reduce(flat, axis=0).reshape(wide, planes)
    return np.concatenate([np.add.reduce(mean, axis=0) / wide, np.maximum.reduce(most, axis=0)])


def load_weights() -> dict[str, Floats]:
    """The shipped weights (`weights/slots.npz`, made by `pi_board.vision.training.train`)."""
    return named_weights("slots")


@dataclass(frozen=True)
class Trunk:
    """The convolutions, in three chains between which the board as a whole has its say."""

    parts: tuple[Network, Network, Network]
    weights: dict[str, Floats]

    @classmethod
    def of(cls, w: dict[str, Floats]) -> Trunk:
        stem = [Layer.of(w, "stem1", stride=2), Layer.of(w, "stem2", stride=2)]
        blocks = [
            Layer.of(w, f"block{i}", dilation=dilation, added=True) for i, dilation in enumerate((1, 2, 4))
        ]
        return cls((Network.of(*stem, blocks[0]), Network.of(blocks[1]), Network.of(blocks[2])), w)

    def features(self, x: Floats, beside: int = 0) -> Floats:
        """(78, columns, C) from a normalised picture (H, W, 3); what lies up to `beside` columns outside has no say in the context."""
        for i, part in enumerate(self.parts):
            if i:
                inside = np.ascontiguousarray(x[:, beside : x.shape[1] - beside])
                x += self.context(i - 1, inside)
            x = part.of_picture(x)
        return relu(x)

    def context(self, i: int, x: Floats) -> Floats:
        """(C,) what the board as a whole adds to features (H, W, C) before the next chain but `i`."""
        w = self.weights
        g = relu(pooled(x) @ w[f"context{i}.w1"] + w[f"context{i}.b1"])
        return np.asarray(g @ w[f"context{i}.w2"] + w[f"context{i}.b2"], np.float32)


@cache
def shipped_trunk() -> Trunk:
    """The convolutions of the shipped network, loaded once."""
    return Trunk.of(load_weights())


def wide_cells(canvas: npt.NDArray[np.uint8], beside: int) -> Floats:
    """(78, columns, 4), as `Scores.cells`, of a canvas that is `beside` px wider to the left and to the right."""
    w = load_weights()
    field = canvas[:, beside : canvas.shape[1] - beside]
    trunk = shipped_trunk()
    return _cells(trunk.features(normalised(canvas, moments(field)), beside // STRIDE), w)


def _cells(x: Floats, w: dict[str, Floats]) -> Floats:
    """(H, W, 4) probabilities, as `Scores.cells`, from features (H, W, C)."""
    # (Plane by plane: numpy's own maximum over four neighbours takes ten times as long.)
    logits = w["cells.w"].T @ x.reshape(-1, x.shape[2]).T + w["cells.b"][:, None]
    logits -= np.maximum.reduce(logits, axis=0)
    chances = np.exp(logits, out=logits)
    chances /= np.add.reduce(chances, axis=0)
    return np.ascontiguousarray(chances.reshape(-1, *x.shape[:2]).transpose(1, 2, 0))


def score(canvas: npt.NDArray[np.uint8], weights: dict[str, Floats] | None = None) -> Scores:
    """Run the network on one canvas (312, 352, 3) uint8 BGR."""
    w = load_weights() if weights is None else weights
    trunk = shipped_trunk() if weights is None else Trunk.of(w)
    return said(trunk.features(normalised(canvas)), w)


def point_scores(canvas: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """(2, 12, 31) `Scores.points` of one canvas (312, 352, 3) uint8 BGR; nothing else is worked out."""
    w, x = load_weights(), shipped_trunk().features(normalised(canvas))
    return _of_points(x, _context(x, w), w)[0]


def said(x: Floats, w: dict[str, Floats]) -> Scores:
    """What the trunk's features (78, 88, C) say."""
    g = _context(x, w)
    points, hidden = _of_points(x, g, w)
    b = x[:, BAR_FIRST : BAR_FIRST + BAR_CELLS].reshape(1, x.shape[0], -1) @ w["bar.w"] + w["bar.b"]
    b = relu(slide(relu(b), w["bar1.w"], w["bar1.b"], 2))
    b = relu(slide(b, w["bar2.w"], w["bar2.b"], 2)).reshape(-1)
    b = relu(np.concatenate([b, g]) @ w["barfc.w"] + w["barfc.b"])
    bar = log_softmax((b @ w["barout.w"] + w["barout.b"]).reshape(2, MAX_BAR + 1)) - w["prior.bar"]
    return Scores(points, hidden, bar, _cells(x, w))


def _context(x: Floats, w: dict[str, Floats]) -> Floats:
    """(24,) what features (78, 88, C) say of the board as a whole."""
    return relu(pooled(x) @ w["context2.w1"] + w["context2.b1"])


def _of_points(
    x: Floats, g: Floats, w: dict[str, Floats]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """`Scores.points` and `Scores.hidden` from features (78, 88, C) and their `_context`."""
    # (2 x 42, 12, 9 x C), the middle of the board first; one product for all, then (24, 42, 32)
    halves = np.concatenate([x[STRIP_ROWS - 1 :: -1], x[-STRIP_ROWS:]]).take(_STRIP_COLUMNS, axis=1)
    strips = halves.reshape(2 * STRIP_ROWS * len(STRIP_CENTRES), -1)
    s = relu(strips @ w["strip.w"] + w["strip.b"])
    s = s.reshape(2, STRIP_ROWS, len(STRIP_CENTRES), -1).transpose(0, 2, 1, 3).reshape(24, STRIP_ROWS, -1)
    s = relu(slide(s, w["strip1.w"], w["strip1.b"], 2))
    s = relu(slide(s, w["strip2.w"], w["strip2.b"], 2)).reshape(len(s), -1)
    s = relu(np.concatenate([s, np.broadcast_to(g, (len(s), len(g)))], axis=1) @ w["fc.w"] + w["fc.b"])
    out = s @ w["out.w"] + w["out.b"]
    points = log_softmax(out[:, :31]) - w["prior.points"]
    return points.reshape(2, 12, 31), 1 / (1 + np.exp(-out[:, 31].astype(np.float64))).reshape(2, 12)


def score_mirrored(
    canvas: npt.NDArray[np.uint8], weights: dict[str, Floats] | None = None, first: Scores | None = None
) -> Scores:
    """`score` of the canvas and its three mirror images, averaged: a mirrored board is a board too. first: `score` of the canvas."""
    all_scores = []
    for rows, columns in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        s = first
        if s is None or (rows, columns) != (1, 1):
            s = score(np.ascontiguousarray(canvas[::rows, ::columns]), weights)
        all_scores.append(
            (s.points[::rows, ::columns], s.hidden[::rows, ::columns], s.bar, s.cells[::rows, ::columns])
        )
    points, hidden, bar, cells = (np.mean(part, axis=0) for part in zip(*all_scores, strict=True))
    return Scores(points, hidden, bar, cells)
