"""What this board, these checkers and this light look like: learned from a known position, refreshed by others.

No colour picker: the starting position says where 15 + 15 checkers stand, so their colours, the empty board and
the fall of light over it can be read off. All of it is kept in the light of the first picture ("reference
light"); every later picture is brought to that light before it is compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import AmbiguousError
from pi_board.vision.canvas import CHECKER_PX, Canvas, features

Floats = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

#: Labels of reference pixels: what lay there when the position was accepted.
UNKNOWN, BOARD, LIGHT, DARK = -1, 0, 1, 2
#: Density of a pixel that nothing explains (three features, 8-bit levels), as a log.
OUTLIER = -13.0
#: Brightness (8-bit levels) above which the bare board is also known exactly.
BRIGHT = 110.0
LIGHT_STEP = 4
#: Side of a checker's patch on the canvas, px, and the part of it that is checker.
PATCH = 19
_rows, _columns = np.mgrid[:PATCH, :PATCH] - PATCH // 2
RADII = np.hypot(_rows, _columns).astype(np.float32)
TOP = np.clip(CHECKER_PX * 0.48 + 0.5 - RADII, 0.0, 1.0).astype(np.float32)


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
        v, b, at = v[known], b[known], basis[known]
        fit = np.zeros(6)
        fit[0] = _mode(v, b)
        scale, e = 0.35, v - fit[0]
        for i in range(7):
            wgt = b * np.square(np.maximum(1 - np.square(e / (3.0 * scale)), 0))
            n = 1 if i < 2 else (3 if i < 4 else 6)
            part = at[:, :n]
            weighted = part.T * wgt
            fit = np.zeros(6) if n == 1 else fit
            fit[:n] = np.linalg.solve(weighted @ part + ridge[:n, :n], weighted @ v)
            e = v - part @ fit[:n]
            scale = float(np.clip(1.6 * np.median(np.abs(e)), 0.03, scale))
        coefs[:, c] = fit
        agree.append(float(np.average(np.abs(e) < 0.12, weights=b)))
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
    """One side's checkers. mean, spread: (3,) features; slope: relative change of brightness per canvas px in x, y.

    top, top_spread: (PATCH, PATCH, 3) the same, seen over the whole top: rings, bevels, the lamp's reflection.
    """

    mean: Floats
    spread: Floats
    top: Floats
    top_spread: Floats
    slope: Floats


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
        self.counts = np.zeros(28, np.int64)  # signed, of the reference picture
        self.noise = 4.0
        self._hidden = np.nonzero(np.zeros(shape, bool))
        #: Worked out when first asked for, until something is learned again.
        self._smooth: dict[int, tuple[Floats, Floats, Floats, Floats]] = {}
        self._plain: dict[int, Floats] = {}
        self._centre = np.array([(canvas.width - 1) / 2, (canvas.height - 1) / 2])

    # -- learning -----------------------------------------------------------------------------------------

    def learn(self, bgr: Floats, discs: list[Disc], ignore: Mask, *, columns: Floats, fresh: bool, shy: Mask | None = None) -> None:
        """Take `bgr` ((H, W, 3) float32, reference light) with checkers at `discs` as the truth.

        ignore: (H, W) where dice, the cube or the picture's end make pixels say nothing.
        columns: (12, 2) canvas x of the columns' middles, near and far row.
        fresh: forget what was known (a first picture). shy: (H, W) where checkers may be, though nobody knows
        exactly where: not taken for empty board.
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
        if shy is not None:
            label[shy & (label == BOARD)] = UNKNOWN
        # Beside a checker the board lies in its shadow: fit to be recognised again, not to be learned as bare board.
        free = (label == BOARD) & (near > radius * 1.6)
        if fresh:
            self.noise = _noise(f, self.canvas.field)
            self.board[free] = f[free]
            self.seen = free.copy()
            self._guess_covered(f, columns)
        else:
            new, old = free & ~self.seen, free & self.seen
            self.board[new] = f[new]
            self.board[old] += 0.4 * (f[old] - self.board[old])
            self.seen |= free
            self.doubt[free] = 0.0
        self._hidden = np.nonzero((self.doubt > 0) & self.canvas.field)
        self._learn_sides(f, label, discs, fresh)
        self.reference, self.label, self.discs = bgr.copy(), label, discs
        smooth = cv2.blur(self.board, (3, 3))
        # Half a pixel of misplacement shows wherever the board has edges.
        self.rough = np.abs(self.board - smooth).max(axis=2) + np.abs(cv2.Laplacian(self.board[:, :, 0], cv2.CV_32F)) * 0.15
        self.rough = cv2.dilate(self.rough, np.ones((2, 2), np.uint8))
        rf = features(self.reference)
        self.reference_features = rf
        self.reference_rough = cv2.dilate(np.abs(rf - cv2.blur(rf, (3, 3))).max(axis=2), np.ones((2, 2), np.uint8))
        self._smooth, self._plain = {}, {}

    def known(self) -> dict[str, Any]:
        """All that is known now, for `restore`."""
        mine = dict(self.__dict__)
        return mine | {name: mine[name].copy() for name in ("board", "doubt", "seen")}

    def restore(self, known: dict[str, Any]) -> None:
        """What has been learned since `known` was taken is forgotten."""
        self.__dict__.update(known)

    def _learn_sides(self, f: Floats, label: npt.NDArray[np.int8], discs: list[Disc], fresh: bool) -> None:
        sides = []
        for side in (0, 1):
            mine = [d for d in discs if d.side == side]
            known = cut(label.astype(np.float32), mine)
            patches = cut(f, mine)
            clear = ((known == LIGHT + side) | (RADII > CHECKER_PX * 0.44)).mean(axis=(1, 2)) > 0.97
            mine = [d for d, ok in zip(mine, clear, strict=True) if ok]
            patches = patches[clear]
            if len(mine) < 3:
                if fresh or not self.sides:
                    raise AmbiguousError("too few checkers are seen clearly to learn a side's colour")
                sides.append(self.sides[side])
                continue
            inner = RADII < CHECKER_PX * 0.4
            level = np.median(patches[:, inner, 0], axis=1)
            spots = np.array([(d.x, d.y) for d in mine]) - self._centre
            basis = np.column_stack([np.ones(len(level)), spots / 100.0])
            keep = np.ones(len(level), bool)
            for _ in range(2):
                a = basis[keep].T @ basis[keep] + np.diag([0.0, 1.0, 1.0])
                fit = np.linalg.solve(a, basis[keep].T @ level[keep])
                e = np.abs(level - basis @ fit)
                keep = e <= max(8.0, 3.0 * float(np.median(e)))
            mid = max(float(fit[0]), 4.0)
            slope = np.clip(fit[1:] / mid, -0.35, 0.35) / 100.0
            flat = patches / np.maximum(0.3, 1 + spots @ slope)[:, None, None, None]
            inside = flat[:, inner].reshape(-1, 3)
            mean = np.median(inside, axis=0)
            spread = np.clip(1.48 * np.median(np.abs(inside - mean), axis=0), 2.0, 30.0)
            spread = np.maximum(spread, 0.6 * np.minimum(inside.std(axis=0), 30.0))
            # For the pattern each checker is first brought to the common brightness.
            own = np.clip(np.median(flat[:, inner, 0], axis=1) / max(float(mean[0]), 4.0), 0.6, 1.6)
            flat = flat / own[:, None, None, None]
            top = np.median(flat, axis=0)
            top_spread = np.clip(1.25 * np.abs(flat - top).mean(axis=0), 1.0, 30.0)
            if not fresh and self.sides:
                old = self.sides[side]
                mean = 0.7 * old.mean + 0.3 * mean
                spread = 0.7 * old.spread + 0.3 * spread
                slope = 0.7 * old.slope + 0.3 * slope
                top = 0.7 * old.top + 0.3 * top
                top_spread = 0.7 * old.top_spread + 0.3 * top_spread
            sides.append(SideLook(mean, spread, top, top_spread, slope))
        self.sides = sides

    def _guess_covered(self, f: Floats, columns: Floats) -> None:
        """Under the checkers of the first picture the board is taken from like points of the same row.

        columns: (12, 2) canvas x of each column's middle in the near and the far row.
        """
        c = self.canvas
        half = int(0.5 * c.profile.point_width * c.px_per_cm) + 1
        middle = self.canvas.place([[0.0, 0.0]])[0][1]
        top = self.canvas.place([[0.0, c.profile.field_height / 2]])[0][1]
        bottom = 2 * middle - top
        guess = cv2.inpaint(
            np.clip(_to_bgr(f), 0, 255).astype(np.uint8), (~self.seen & c.field).astype(np.uint8), 3, cv2.INPAINT_TELEA
        )
        hidden = ~self.seen
        self.board[hidden] = features(guess.astype(np.float32))[hidden]
        clear = cv2.erode(self.seen.astype(np.uint8), np.ones((7, 7), np.uint8)).astype(bool)
        self.doubt = np.where(self.seen, 0.0, 14.0).astype(np.float32)
        # The bar is much the same all along.
        bar = c.rectangle(-c.profile.bar_width / 2, -c.profile.field_height / 2, c.profile.bar_width / 2, c.profile.field_height / 2)
        strip, bare = f[bar], self.seen[bar]
        if bare.any(axis=0).all():
            along = np.ma.median(np.ma.masked_array(strip, ~np.repeat(bare[..., None], 3, axis=2)), axis=0).filled(0.0)
            self.board[bar][~bare] = np.broadcast_to(along[None], strip.shape)[~bare]
            self.doubt[bar][~bare] = 4.0
        for row, (low, high) in enumerate(((middle, bottom), (top, middle))):
            rows = slice(max(0, round(low)), min(c.height, round(high) + 1))
            blocks = [(rows, slice(round(x) - half, round(x) + half + 1)) for x in columns[:, row]]
            for parity in (0, 1):
                like = blocks[parity::2]
                colour = [f[b] for b in like]
                known = [self.seen[b] for b in like]
                deep = [clear[b] for b in like]
                for i, b in enumerate(like):
                    if known[i].mean() > 0.98:
                        continue
                    total = np.zeros((*known[i].shape, 1), np.float32)
                    first, second = np.zeros_like(colour[i]), np.zeros_like(colour[i])
                    for j in range(len(like)):
                        if j == i:
                            continue
                        # Bring one point's light to the other's by what both show, away from shadows of checkers.
                        m = deep[i] & deep[j]
                        mine, other = colour[i][m][:, 0], colour[j][m][:, 0]
                        firm = 200 * 50.0**2
                        gain = float(np.clip((mine @ other + firm) / (other @ other + firm), 0.75, 1.33))
                        # Across the bar the points' places are less certain.
                        share = np.exp(-0.5 * abs(j - i)) * (1.0 if i // 3 == j // 3 else 0.03)
                        weight = (known[j] * share)[..., None].astype(np.float32)
                        total += weight
                        first += weight * gain * colour[j]
                        second += weight * np.square(gain * colour[j])
                    use = (total[..., 0] > 0.005) & ~known[i]
                    mean = first / np.maximum(total, 1e-6)
                    spread = np.sqrt(np.maximum(second / np.maximum(total, 1e-6) - np.square(mean), 0.0))[..., 0]
                    self.board[b][use] = mean[use]
                    self.doubt[b][use] = np.minimum(1.5 + 0.5 * spread[use] + 0.03 * np.abs(mean[..., 0][use]), 9.0)

    # -- explaining ---------------------------------------------------------------------------------------

    def to_reference(self, bgr: Floats, use: Mask) -> tuple[Floats, float]:
        """The picture in reference light, and how much of it agrees with the reference (0..1)."""
        gain, agree = light_between(bgr, self.reference, use)
        bgr = bgr / gain
        calm = (self.reference_rough < 6.0) & self.canvas.field
        if calm.sum() > 500:
            error = np.abs(bgr[..., 1] - self.reference[..., 1])[calm]
            self.noise = float(np.clip(1.3 * np.percentile(error, 30) / 0.385 + 0.8, 1.8, 12.0))
        return bgr, agree

    def side_features(self, side: int) -> Floats:
        """(H, W, 3) features of a checker of that side, wherever it stands."""
        if side not in self._plain:
            look = self.sides[side]
            h, w = self.label.shape
            gx = (np.arange(w, dtype=np.float32) - self._centre[0]) * look.slope[0]
            gy = (np.arange(h, dtype=np.float32) - self._centre[1]) * look.slope[1]
            gain = np.clip(1.0 + gx[None, :] + gy[:, None], 0.6, 1.6).astype(np.float32)
            self._plain[side] = gain[..., None] * look.mean.astype(np.float32)
        return self._plain[side]

    def strangeness(self, f: Floats, field: Mask, seen: list[Disc]) -> Floats:
        """(H, W) how many standard deviations each pixel's neighbourhood is away from the best of all it could be:
        as before, the bare board, or a checker where one was seen. f: features, reference light.

        Neighbourhoods, because noise averages out and a hand does not.
        """
        k = 3 if self.noise < 4.0 else 5
        noise = self.noise * (2.0 / k)
        smooth = cv2.blur(f, (k, k))
        if k not in self._smooth:
            self._smooth[k] = (
                cv2.blur(self.reference_features, (k, k)), cv2.blur(self.reference_rough, (k, k)),
                cv2.blur(self.board, (k, k)), cv2.blur(self.rough, (k, k)),
            )  # fmt: skip
        reference, reference_rough, bare_board, rough = self._smooth[k]
        best = _distance(smooth - reference, 3.0 + noise + 0.3 * reference_rough + 0.05 * smooth[..., 0], 2.5 + noise + 0.2 * reference_rough)
        sd = 3.0 + noise + 0.3 * rough + 0.06 * smooth[..., 0] + self.doubt
        board = _distance(smooth - bare_board, sd, 2.5 + noise + 0.2 * rough + 0.7 * self.doubt)
        best = np.where(field, np.minimum(best, board), best)
        around = np.zeros(best.shape, np.uint8)
        for side in (0, 1):
            tops = np.zeros(best.shape, np.uint8)
            for d in seen:
                if d.side == side:
                    cv2.circle(tops, (round(d.x), round(d.y)), round(0.62 * CHECKER_PX), 1, -1)
                    cv2.circle(around, (round(d.x), round(d.y)), round(1.1 * CHECKER_PX), 1, -1)
            at = np.nonzero(tops)
            look, here = self.sides[side], smooth[at]
            expected = self.side_features(side)[at]
            # A checker may stand in other light than where its like was learned: brightness is free within bounds.
            free = np.clip((here[:, 0] + 4.0) / (expected[:, 0] + 4.0), 0.6, 1.4)[:, None]
            y, c = float(look.spread[0]) + noise + 4.0, float(look.spread[1:].max()) + noise + 3.0
            e = here - free * expected
            checker = np.square(e[:, 0] / (y + 0.05 * expected[:, 0])) + np.square(e[:, 1:]).sum(axis=1) / c**2
            best[at] = np.minimum(best[at], checker)
        # Beside a checker lie its own side and its shadow: the board, only darker.
        at = np.nonzero(around)
        here, bare = smooth[at], bare_board[at]
        free = np.clip((here[:, 0] + 2.0) / (bare[:, 0] + 2.0), 0.3, 1.05)[:, None]
        e = here - free * bare
        shadow = np.square(e[:, 0] / sd[at]) + np.square(e[:, 1:]).sum(axis=1) / np.square(3.5 + noise + 0.3 * rough[at])
        best[at] = np.minimum(best[at], shadow)
        return np.sqrt(best)

    def _flat_spread(self, side: int) -> tuple[float, float]:
        """Standard deviations (brightness, colour) about a side's plain colour."""
        look = self.sides[side]
        y = float(look.spread[0] + 0.06 * abs(look.mean[0]) + self.noise)
        return y, float(look.spread[1:].max()) + 0.7 * self.noise + 1.0

    def top_ratio(self, f: Floats, board: Floats, plain: Floats, side: int, places: list[Disc]) -> Floats:
        """(N, PATCH, PATCH) log-ratio of each pixel: a checker of `side` with its top there, against `board`.

        f: (H, W, 3) features; board: (H, W) log densities of what the picture shows if no checker is there.
        plain: (H, W) log densities of the side's plain colour or its unchanged look, the second opinion where glare
        or a hard shadow moves the pattern about. Each checker may be somewhat brighter or darker than its place suggests.
        """
        look = self.sides[side]
        patches = cut(f, places)
        spots = np.array([(d.x, d.y) for d in places]).reshape(-1, 2) - self._centre
        gain = np.clip(1 + spots @ look.slope, 0.6, 1.6)
        inner = RADII < CHECKER_PX * 0.42
        seen = np.median(patches[:, inner, 0], axis=1)
        expected = gain * np.median(look.top[inner, 0])
        free = np.clip((seen + 6) / (expected + 6), 0.5, 1.4)
        gain = (gain * free).astype(np.float32)[:, None, None]
        sd_y = np.hypot(look.top_spread[..., 0] * 1.3 + 0.03 * abs(float(look.mean[0])), 1.2 * self.noise)
        sd_c = np.hypot(look.top_spread[..., 1:].max(axis=-1) * 1.3 + 1.0, self.noise)
        q = np.square((patches[..., 0] - gain * look.top[..., 0]) / sd_y)
        q += np.square((patches[..., 1] - gain * look.top[..., 1]) / sd_c)
        q += np.square((patches[..., 2] - gain * look.top[..., 2]) / sd_c)
        density = np.maximum(-0.5 * q - np.log(sd_y) - 2 * np.log(sd_c) - 2.76, OUTLIER - 3.0)
        density = np.maximum(density, cut(plain, places) - 0.3)
        density -= 4.0 * np.square(np.log(free))[:, None, None]
        return density - cut(board, places)

    def explain(self, bgr: Floats) -> Explanation:
        """Log densities of every pixel of `bgr` (reference light) under each thing it could be."""
        f = features(bgr)
        noise = self.noise
        # Brightness varies with shading, colour differences less so.
        shade = 0.05 * np.abs(self.board[..., 0])
        sd = noise + self.doubt + 0.8 * self.rough + shade
        board = _density(f - self.board, sd, 0.7 * (noise + self.doubt + 0.8 * self.rough) + 1.0)
        # A bare point looks as it was learned or (other light, a pixel aside) nearly so. The brighter it is, the wider is what
        # "nearly" means: without the first, a white checker's narrow look would explain a white point better than the point itself.
        grain = noise + 0.4 * self.doubt + 0.35 * self.rough
        exact = _density(f - self.board, grain + 0.4 * shade, 0.6 * grain + 0.8)
        board = np.where(self.board[..., 0] > BRIGHT, np.maximum(board, exact + np.float32(np.log(0.5))), board)
        if len(self._hidden[0]):
            # A guessed board may lie a pixel or two beside the true one.
            rows, columns = self._hidden
            here, most = f[rows, columns][:, None], board[rows, columns]
            sd, colour_sd = sd[rows, columns], (0.7 * (noise + self.doubt + 0.8 * self.rough) + 1.0)[rows, columns]
            for shift in (-2, -1, 1, 2):
                there = self.board[rows, np.clip(columns + shift, 0, f.shape[1] - 1)][:, None]
                moved = _density(here - there, sd[:, None], colour_sd[:, None])[:, 0]
                most = np.maximum(most, moved - 0.2 * abs(shift))
            # Not to know the board well is no evidence for a checker: most of what doubt costs is given back.
            doubt = self.doubt[rows, columns]
            ease = np.log(sd / (sd - doubt)) + 2.0 * np.log(colour_sd / (colour_sd - 0.7 * doubt))
            board[rows, columns] = most + 0.8 * ease
        sides = []
        for side in (0, 1):
            y, chroma = self._flat_spread(side)
            sides.append(_density(f - self.side_features(side), y, chroma))
        rsd = noise + 0.03 * self.reference[..., 1] + 0.7 * self.reference_rough
        same = _density(f - self.reference_features, rsd, 0.7 * (noise + 0.7 * self.reference_rough) + 1.0)
        return Explanation(f, board, sides[0], sides[1], same)


def cut(image: Floats, places: list[Disc]) -> Floats:
    """(N, PATCH, PATCH[, C]) patches of a (H, W[, C]) image around places rounded to whole px; edge pixels repeat."""
    h, w = image.shape[:2]
    span = np.arange(PATCH) - PATCH // 2
    rows = np.array([round(d.y) for d in places], dtype=np.intp)
    columns = np.array([round(d.x) for d in places], dtype=np.intp)
    rows = np.clip(rows[:, None] + span, 0, h - 1)
    columns = np.clip(columns[:, None] + span, 0, w - 1)
    return image[rows[:, :, None], columns[:, None, :]]


def _noise(f: Floats, where: Mask) -> float:
    """Standard deviation of brightness noise (8-bit levels), from pixels against their neighbours' mean."""
    y = f[..., 0]
    rough = np.abs(y - cv2.GaussianBlur(y, (5, 5), 1.2))[where]
    # The calmest fifth of the board: grain and edges are not noise.
    return float(np.clip(1.3 * np.percentile(rough, 20) / 0.253 + 1.0, 1.8, 12.0))


def _to_bgr(f: Floats) -> Floats:
    """BGR of features (the inverse of `features`)."""
    y, rg, bg = f[..., 0], f[..., 1], f[..., 2]
    green = y - 0.25 * (rg + bg)
    return np.stack([green + bg, green, green + rg], axis=-1)


def _density(e: Floats, sd_y: Floats | float, sd_c: Floats | float) -> Floats:
    """(H, W) float32 log density of feature errors (H, W, 3): a Gaussian with a floor for outliers."""
    y, r, b = cv2.split(e)
    inv_y, inv_c = np.float32(1.0) / np.float32(sd_y), np.float32(1.0) / np.float32(sd_c)
    y *= inv_y
    r *= inv_c
    b *= inv_c
    y *= y
    r *= r
    b *= b
    y += r
    y += b
    y *= np.float32(-0.5)
    y += np.log(inv_y) + np.float32(2.0) * np.log(inv_c) - np.float32(2.76)
    return np.maximum(y, np.float32(OUTLIER - 3.0))


def _distance(e: Floats, sd_y: Floats, sd_c: Floats | float) -> Floats:
    """(H, W) squared distance of feature errors (H, W, 3), in standard deviations."""
    y, r, b = cv2.split(e)
    y = np.square(y / sd_y)
    y += (np.square(r) + np.square(b)) / np.square(sd_c)
    return y


@dataclass
class Explanation:
    """(H, W) log densities: empty board, light checker, dark checker, same as in the reference picture."""

    features: Floats
    board: Floats
    light: Floats
    dark: Floats
    same: Floats
