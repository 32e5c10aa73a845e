"""What this board, these checkers and this light look like: learned from a known position, refreshed by others.

No colour picker: the starting position says where 15 + 15 checkers stand, so their colours, the empty board and
the fall of light over it can be read off. All of it is kept in the light of the first picture ("reference
light"); every later picture is brought to that light before it is compared.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.canvas import CHECKER_PX, Canvas, features

Floats = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

#: Labels of reference pixels: what lay there when the position was accepted.
UNKNOWN, BOARD, LIGHT, DARK = -1, 0, 1, 2
#: Density of a pixel that nothing explains (three features, 8-bit levels), as a log.
OUTLIER = -13.0
LIGHT_STEP = 4


@dataclass(frozen=True, slots=True)
class Disc:
    """A checker's top on the canvas. x, y: px; side 0 light, 1 dark; point: slot 0-23, 24/25 = bar."""

    x: float
    y: float
    side: int
    slot: int
    layer: int = 0


def light_between(picture: Floats, reference: Floats, use: Mask) -> tuple[Floats, float]:
    """(H, W, 3) gain that turns `reference` light into the picture's, and the share of pixels that agree with it.

    A quadratic surface in log brightness per channel, fitted robustly: moved checkers, dice and hands are
    outliers; lamps, dusk and a hunting white balance are the fit. picture, reference: (H, W, 3) float32 BGR.
    """
    h, w = picture.shape[:2]
    size = (w // LIGHT_STEP, h // LIGHT_STEP)
    p = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).reshape(-1, 3)
    r = cv2.resize(reference, size, interpolation=cv2.INTER_AREA).reshape(-1, 3)
    ok = cv2.resize(use.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST).ravel() > 0
    gx, gy = np.meshgrid(np.linspace(-1, 1, size[0]), np.linspace(-1, 1, size[1]))
    x, y = gx.ravel(), gy.ravel()
    basis = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
    ratio = np.log((p + 5.0) / (r + 5.0))
    # Bright pixels carry the most about the light; saturated ones nothing.
    base = np.clip(r / 60.0, 0.05, 1.0) * (p < 250) * (r < 250) * ok[:, None]
    coefs = np.zeros((6, 3))
    agree = []
    ridge = np.diag([1e-6, 1e-3, 1e-3, 0.02, 0.02, 0.02]) * len(x) * 0.05
    for c in range(3):
        v, b = ratio[:, c], base[:, c]
        known = b > 0
        if known.sum() < 50:
            agree.append(0.0)
            continue
        fit = np.zeros(6)
        fit[0] = _mode(v[known], b[known])
        scale = 0.35
        for i in range(7):
            e = v - basis @ fit
            wgt = b * np.square(np.clip(1 - (e / (3.0 * scale)) ** 2, 0, None))
            n = 1 if i < 2 else (3 if i < 4 else 6)
            part = basis[:, :n]
            a = part.T @ (part * wgt[:, None]) + ridge[:n, :n]
            fit = np.zeros(6) if n == 1 else fit
            fit[:n] = np.linalg.solve(a, part.T @ (wgt * v))
            e = np.abs(v - basis @ fit)[known]
            scale = float(np.clip(1.6 * np.median(e), 0.03, scale))
        coefs[:, c] = fit
        agree.append(float(np.average(np.abs(v - basis @ fit)[known] < 0.12, weights=b[known])))
    small = (basis @ coefs).reshape(size[1], size[0], 3).astype(np.float32)
    gain = np.exp(np.clip(cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR), -2.5, 2.5))
    return gain, float(np.mean(agree))


def _mode(values: Floats, weights: Floats) -> float:
    """The densest place of a weighted sample: the light of what has not changed, even if much has."""
    hist, edges = np.histogram(np.clip(values, -2, 2), bins=80, range=(-2, 2), weights=weights)
    hist = np.convolve(hist, [1, 2, 3, 2, 1], mode="same")
    return float(edges[int(hist.argmax())] + 0.5 * (edges[1] - edges[0]))


@dataclass
class SideLook:
    """One side's checkers. mean, spread: (3,) features; slope: relative change of brightness per canvas px in x, y."""

    mean: Floats
    spread: Floats
    slope: Floats = field(default_factory=lambda: np.zeros(2))


class Appearance:
    """The learned look of one board on one canvas."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        shape = (canvas.height, canvas.width)
        self.reference = np.zeros((*shape, 3), np.float32)  # BGR, reference light
        self.label = np.full(shape, UNKNOWN, np.int8)
        self.board = np.zeros((*shape, 3), np.float32)  # features of the empty board
        self.doubt = np.zeros(shape, np.float32)  # its standard deviation beyond noise
        self.seen = np.zeros(shape, bool)  # where the empty board has really been seen
        self.sides: list[SideLook] = []
        self.discs: list[Disc] = []
        self.noise = 4.0
        self._centre = np.array([(canvas.width - 1) / 2, (canvas.height - 1) / 2])

    # -- learning -----------------------------------------------------------------------------------------

    def learn(self, bgr: Floats, discs: list[Disc], ignore: Mask, *, fresh: bool) -> None:
        """Take `bgr` ((H, W, 3) float32, reference light) with checkers at `discs` as the truth.

        ignore: (H, W) where dice, the cube or the picture's end make pixels say nothing.
        fresh: forget what was known (a first picture).
        """
        radius = CHECKER_PX / 2
        f = features(bgr)
        near = np.full(self.label.shape, 1e3, np.float32)
        label = np.zeros(self.label.shape, np.int8)
        for d in sorted(discs, key=lambda d: d.layer):
            x0, x1 = max(0, int(d.x - 14)), min(self.canvas.width, int(d.x + 15))
            y0, y1 = max(0, int(d.y - 14)), min(self.canvas.height, int(d.y + 15))
            if x0 >= x1 or y0 >= y1:
                continue
            yy, xx = np.mgrid[y0:y1, x0:x1]
            r = np.hypot(xx - d.x, yy - d.y).astype(np.float32)
            window = near[y0:y1, x0:x1]
            label[y0:y1, x0:x1][r < radius * 0.96] = LIGHT + d.side
            np.minimum(window, r, out=window)
        label[(near >= radius * 0.96) & (near < radius * 1.22)] = UNKNOWN
        label[ignore | ~self.canvas.inside] = UNKNOWN
        free = label == BOARD
        if fresh:
            self.board[free] = f[free]
            self.seen = free.copy()
            self._guess_covered(f)
        else:
            new, old = free & ~self.seen, free & self.seen
            self.board[new] = f[new]
            self.board[old] += 0.4 * (f[old] - self.board[old])
            self.seen |= free
            self.doubt[free] = 0.0
        self._learn_sides(f, label, discs, fresh)
        self.reference, self.label, self.discs = bgr.copy(), label, discs
        smooth = cv2.blur(self.board, (3, 3))
        # Half a pixel of misplacement shows wherever the board has edges.
        self.rough = np.abs(self.board - smooth).max(axis=2) + np.abs(cv2.Laplacian(self.board[:, :, 0], cv2.CV_32F)) * 0.15
        self.rough = cv2.dilate(self.rough, np.ones((2, 2), np.uint8))
        rf = features(self.reference)
        self.reference_features = rf
        self.reference_rough = cv2.dilate(np.abs(rf - cv2.blur(rf, (3, 3))).max(axis=2), np.ones((2, 2), np.uint8))

    def _learn_sides(self, f: Floats, label: npt.NDArray[np.int8], discs: list[Disc], fresh: bool) -> None:
        sides = []
        for side in (0, 1):
            levels, spots, pixels = [], [], []
            for d in discs:
                x0, y0 = int(round(d.x)) - 6, int(round(d.y)) - 6
                if d.side != side or x0 < 0 or y0 < 0:
                    continue
                patch = f[y0 : y0 + 13, x0 : x0 + 13]
                if patch.shape[:2] != (13, 13):
                    continue
                inside = patch[label[y0 : y0 + 13, x0 : x0 + 13] == LIGHT + side]
                if len(inside) < 40:
                    continue
                levels.append(float(np.median(inside[:, 0])))
                spots.append((d.x, d.y))
                pixels.append(inside)
            if len(levels) < 3:
                if fresh or not self.sides:
                    raise ValueError("too few checkers seen to learn a side's colour")
                sides.append(self.sides[side])
                continue
            level, place = np.array(levels), (np.array(spots) - self._centre) / 100.0
            basis = np.column_stack([np.ones(len(level)), place])
            keep = np.ones(len(level), bool)
            for _ in range(2):
                a = basis[keep].T @ basis[keep] + np.diag([0.0, 1.0, 1.0])
                fit = np.linalg.solve(a, basis[keep].T @ level[keep])
                e = np.abs(level - basis @ fit)
                keep = e <= max(8.0, 3.0 * float(np.median(e)))
            mid = max(float(fit[0]), 4.0)
            slope = np.clip(fit[1:] / mid, -0.35, 0.35) / 100.0
            everything = np.concatenate(
                [p / max(0.3, 1 + float((np.array(s) - self._centre) @ slope)) for p, s in zip(pixels, spots, strict=True)]
            )
            mean = np.median(everything, axis=0)
            spread = np.clip(1.48 * np.median(np.abs(everything - mean), axis=0), 2.0, 30.0)
            spread = np.maximum(spread, 0.6 * np.minimum(everything.std(axis=0), 30.0))
            if not fresh and self.sides:
                old = self.sides[side]
                mean = 0.7 * old.mean + 0.3 * mean
                spread = 0.7 * old.spread + 0.3 * spread
                slope = 0.7 * old.slope + 0.3 * slope
            sides.append(SideLook(mean, spread, slope))
        self.sides = sides

    def _guess_covered(self, f: Floats) -> None:
        """Under the checkers of the first picture the board is taken from like points of the same row."""
        c, g = self.canvas, self.canvas.geometry
        half = c.profile.point_width / 2
        height = c.profile.field_height / 2
        total = np.zeros((*self.label.shape, 3), np.float32)
        count = np.zeros(self.label.shape, np.float32)
        for low, high in ((0.0, height), (-height, 0.0)):
            blocks = [c.rectangle(g.column_x(k) - half, low, g.column_x(k) + half, high) for k in range(12)]
            width = min(b[1].stop - b[1].start for b in blocks)
            blocks = [(b[0], slice(b[1].start, b[1].start + width)) for b in blocks]
            for parity in (0, 1):
                like = blocks[parity::2]
                stack = np.stack([f[b] for b in like])
                known = np.stack([self.seen[b] for b in like]).astype(np.float32)
                # Nearer points share the light.
                for i, b in enumerate(like):
                    weight = known * np.exp(-0.7 * np.abs(np.arange(len(like)) - i))[:, None, None]
                    total[b] += (stack * weight[..., None]).sum(axis=0)
                    count[b] += weight.sum(axis=0)
        guess = ~self.seen & (count > 0)
        self.board[guess] = total[guess] / count[guess][:, None]
        rest = ~self.seen & (count <= 0)
        if rest.any():
            filled = cv2.inpaint(
                np.clip(self.reference_or(f), 0, 255).astype(np.uint8), rest.astype(np.uint8), 3, cv2.INPAINT_TELEA
            ).astype(np.float32)
            self.board[rest] = features(filled)[rest]
        self.doubt = np.where(self.seen, 0.0, 9.0).astype(np.float32)

    @staticmethod
    def reference_or(f: Floats) -> Floats:
        """BGR of features (the inverse of `features`)."""
        y, rg, bg = f[..., 0], f[..., 1], f[..., 2]
        green = y - 0.25 * (rg + bg)
        return np.stack([green + bg, green, green + rg], axis=-1)

    # -- explaining ---------------------------------------------------------------------------------------

    def to_reference(self, bgr: Floats, use: Mask) -> tuple[Floats, float]:
        """The picture in reference light, and how much of it agrees with the reference (0..1)."""
        gain, agree = light_between(bgr, self.reference, use)
        return bgr / gain, agree

    def side_features(self, side: int) -> Floats:
        """(H, W, 3) features of a checker of that side, wherever it stands."""
        look = self.sides[side]
        h, w = self.label.shape
        gx = (np.arange(w, dtype=np.float32) - self._centre[0]) * look.slope[0]
        gy = (np.arange(h, dtype=np.float32) - self._centre[1]) * look.slope[1]
        gain = np.clip(1.0 + gx[None, :] + gy[:, None], 0.6, 1.6).astype(np.float32)
        return gain[..., None] * look.mean.astype(np.float32)

    def explain(self, bgr: Floats) -> Explanation:
        """Log densities of every pixel of `bgr` (reference light) under each thing it could be."""
        f = features(bgr)
        noise = self.noise
        weight = np.array([1.0, 1.0, 1.0], np.float32)
        # Brightness varies with shading, colour differences less so.
        shade = 0.05 * np.abs(self.board[..., 0])
        sd = noise + self.doubt + 0.8 * self.rough + shade
        board = _density(f - self.board, sd, 0.7 * (noise + self.doubt + 0.8 * self.rough) + 1.0)
        sides = []
        for side in (0, 1):
            look = self.sides[side]
            y = look.spread[0] + 0.06 * abs(look.mean[0]) + noise
            chroma = float(look.spread[1:].max()) + 0.7 * noise + 1.0
            sides.append(_density(f - self.side_features(side), y, chroma))
        rsd = noise + 0.03 * self.reference[..., 1] + 0.7 * self.reference_rough
        same = _density(f - self.reference_features, rsd, 0.7 * (noise + 0.7 * self.reference_rough) + 1.0)
        del weight
        return Explanation(f, board, sides[0], sides[1], same)


def _density(e: Floats, sd_y: Floats | float, sd_c: Floats | float) -> Floats:
    """(H, W) log density of feature errors (H, W, 3): two-part Gaussian with a floor for outliers."""
    q = np.square(e[..., 0] / sd_y)
    q += np.square(e[..., 1] / sd_c)
    q += np.square(e[..., 2] / sd_c)
    d = -0.5 * q - np.log(sd_y) - 2.0 * np.log(sd_c) - 2.76
    return np.logaddexp(d - 0.05, np.float32(OUTLIER - 3.0))


@dataclass
class Explanation:
    """(H, W) log densities: empty board, light checker, dark checker, same as in the reference picture."""

    features: Floats
    board: Floats
    light: Floats
    dark: Floats
    same: Floats
