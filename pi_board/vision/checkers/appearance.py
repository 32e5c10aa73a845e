"""What this board, these checkers and this light look like: learned from a known position, refreshed by others.

No colour picker: the starting position says where 15 + 15 checkers stand, so their colours, the empty board and
the fall of light over it can be read off. All of it is kept in the light of the first picture ("reference
light"); every later picture is brought to that light before it is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import AmbiguousError
from pi_board.vision.board.canvas import CHECKER_PX, Canvas, features

Floats = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]
Planes = Sequence[npt.NDArray[Any]]
What = TypeVar("What")

#: Labels of reference pixels: what lay there when the position was accepted.
UNKNOWN, BOARD, LIGHT, DARK = -1, 0, 1, 2
#: Density of a pixel that nothing explains (three features, 8-bit levels), as a log.
OUTLIER = -13.0
#: Added to a squared distance or a log density, it says "not here".
FAR = 1e9
#: Brightness (8-bit levels) above which the bare board is also known exactly.
BRIGHT = 110.0
LIGHT_STEP = 4
#: The last picture's light is where the fit of the next one begins when this share of the picture's zones (so many a side) differ from
#: it by less (log brightness); so many steps then do.
ZONES, NEAR_LIGHT, NEAR_ZONES, STEPS_ON = 4, 0.05, 0.8, 2
#: The noise is taken to be as it was while it is measured within this share of it: what follows from it need not be worked out anew.
SAME_NOISE = 0.05
#: So many pixels tell the noise.
NOISE_SAMPLE = 12000
#: Side of a checker's patch on the canvas, px, and the part of it that is checker.
PATCH = 19
_rows, _columns = np.mgrid[:PATCH, :PATCH] - PATCH // 2
RADII = np.hypot(_rows, _columns).astype(np.float32)
_HALF = PATCH // 2
_SPAN = np.arange(PATCH) - _HALF
TOP = np.clip(CHECKER_PX * 0.48 + 0.5 - RADII, 0.0, 1.0).astype(np.float32)
#: The inner part of a top, by which its brightness is told.
_INNER = RADII < CHECKER_PX * 0.42
_INNER_AT = np.flatnonzero(_INNER)


@dataclass(frozen=True, slots=True)
class Disc:
    """A checker's top on the canvas. x, y: px; side 0 light, 1 dark; point: slot 0-23, 24/25 = bar."""

    x: float
    y: float
    side: int
    slot: int
    layer: int = 0


class LightFit:
    """The light between pictures and one reference: fitted when it has changed, kept while it has not.

    reference: (H, W, 3) float32 BGR. use: (H, W) where the pictures say something. before: of another reference in the same light.
    """

    def __init__(self, reference: Floats, use: Mask, before: LightFit | None = None) -> None:
        h, w = reference.shape[:2]
        self._size = size = (w // LIGHT_STEP, h // LIGHT_STEP)
        r = cv2.resize(reference, size, interpolation=cv2.INTER_AREA).reshape(-1, 3)
        ok = cv2.resize(use.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST).ravel() > 0
        gx, gy = np.meshgrid(np.linspace(-1, 1, size[0]), np.linspace(-1, 1, size[1]))
        x, y = gx.ravel(), gy.ravel()
        self._basis = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
        self._log = np.log(r + 5.0)
        # Bright pixels carry the most about the light; saturated ones nothing.
        self._base = np.clip(r / 60.0, 0.05, 1.0) * (r < 250) * ok[:, None]
        zone = np.minimum((gx + 1) / 2 * ZONES, ZONES - 1).astype(int) + ZONES * np.minimum(
            (gy + 1) / 2 * ZONES, ZONES - 1
        ).astype(int)
        self._zones = (np.arange(ZONES * ZONES)[:, None] == zone.ravel()).astype(np.float32)
        self._shape = (w, h)
        self._coefs: Floats | None = (
            before._coefs if before is not None and before._shape == self._shape else None
        )

    def between(self, picture: Floats) -> tuple[Floats, float]:
        """(H, W, 3) gain that turns the reference's light into the picture's, and the share of pixels that agree with it.

        A quadratic surface in log brightness per channel, fitted robustly: moved checkers, dice and hands are
        outliers; lamps, dusk and a hunting white balance are the fit. picture: (H, W, 3) float32 BGR.
        """
        p = cv2.resize(picture, self._size, interpolation=cv2.INTER_AREA).reshape(-1, 3)
        ratio = np.log(p + 5.0) - self._log
        base = self._base * (p < 250)
        start = self._coefs
        if start is not None:
            e = ratio - self._basis @ start
            agreeing = (np.abs(e) < 0.12) * base
            weight = self._zones @ agreeing
            lit = weight > 5.0
            off = (self._zones @ (agreeing * e)) / np.maximum(weight, 1e-6)
            if lit.mean() < 0.5 or (np.abs(off)[lit] < NEAR_LIGHT).mean() < NEAR_ZONES:
                start = None
        self._coefs, agree = _light(ratio, base, self._basis, start)
        small = (self._basis @ self._coefs).reshape(self._size[1], self._size[0], 3).astype(np.float32)
        return np.exp(
            np.clip(cv2.resize(small, self._shape, interpolation=cv2.INTER_LINEAR), -2.5, 2.5)
        ), agree


def light_between(picture: Floats, reference: Floats, use: Mask) -> tuple[Floats, float]:
    """`LightFit.between` for one picture."""
    return LightFit(reference, use).between(picture)


def _light(ratio: Floats, base: Floats, basis: Floats, start: Floats | None = None) -> tuple[Floats, float]:
    """((6, 3) coefficients of `basis` (N, 6), share that agrees) of log ratios (N, 3) with weights `base` (N, 3). start: coefficients
    that are nearly right already."""
    coefs = np.zeros((6, 3))
    agree = []
    ridge = np.diag([1e-6, 1e-3, 1e-3, 0.02, 0.02, 0.02]) * len(basis) * 0.05
    for c in range(3):
        v, b = ratio[:, c], base[:, c]
        known = b > 0
        if known.sum() < 50:
            agree.append(0.0)
            continue
        v, b, at = v[known], b[known], basis[known]
        if start is None:
            fit, scale = np.zeros(6), 0.35
            fit[0] = _mode(v, b)
            steps = [1, 1, 3, 3, 6, 6, 6]
        else:
            fit, steps = start[:, c].copy(), [6] * STEPS_ON
        e = v - at @ fit
        if start is not None:
            scale = float(np.clip(1.6 * _median(np.abs(e)), 0.03, 0.35))
        for n in steps:
            wgt = b * np.square(np.maximum(1 - np.square(e / (3.0 * scale)), 0))
            part = at[:, :n]
            weighted = part.T * wgt
            fit = np.zeros(6) if n == 1 else fit
            fit[:n] = np.linalg.solve(weighted @ part + ridge[:n, :n], weighted @ v)
            e = v - part @ fit[:n]
            scale = float(np.clip(1.6 * _median(np.abs(e)), 0.03, scale))
        coefs[:, c] = fit
        agree.append(float(np.average(np.abs(e) < 0.12, weights=b)))
    return coefs, float(np.mean(agree))


def _median(values: Floats) -> float:
    """The middle one of `values` (N,), which are put out of order (the upper one of two)."""
    values.partition(len(values) // 2)
    return float(values[len(values) // 2])


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
        #: What follows from all that, worked out when first asked for, until something is learned again.
        self._derived: dict[Any, Any] = {}
        #: The part of the picture that says something, the reference and the light on it.
        self._light: tuple[Mask, Floats, LightFit] | None = None
        self._centre = np.array([(canvas.width - 1) / 2, (canvas.height - 1) / 2])

    # -- learning -----------------------------------------------------------------------------------------

    def learn(
        self,
        bgr: Floats,
        discs: list[Disc],
        ignore: Mask,
        *,
        columns: Floats,
        fresh: bool,
        shy: Mask | None = None,
        guess: bool = True,
    ) -> None:
        """Take `bgr` ((H, W, 3) float32, reference light) with checkers at `discs` as the truth.

        ignore: (H, W) where dice, the cube or the picture's end make pixels say nothing.
        columns: (12, 2) canvas x of the columns' middles, near and far row.
        fresh: forget what was known (a first picture). shy: (H, W) where checkers may be, though nobody knows
        exactly where: not taken for empty board. guess: guess anew what a first picture's checkers cover.
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
            if guess:
                self._guess_covered(f, columns)
            else:
                self.doubt[free] = 0.0
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
        self.rough = (
            np.abs(self.board - smooth).max(axis=2)
            + np.abs(cv2.Laplacian(self.board[:, :, 0], cv2.CV_32F)) * 0.15
        )
        self.rough = cv2.dilate(self.rough, np.ones((2, 2), np.uint8))
        rf = features(self.reference)
        self.reference_features = rf
        self.reference_rough = cv2.dilate(
            np.abs(rf - cv2.blur(rf, (3, 3))).max(axis=2), np.ones((2, 2), np.uint8)
        )
        self._derived = {}

    def forget(self, where: Mask) -> None:
        """`where` (H, W) the reference shows something that is no part of board and game: the bare board takes its place."""
        self.reference[where] = _to_bgr(self.board[where])
        self.reference_features[where] = self.board[where]
        self.label[where] = UNKNOWN
        self._derived = {}

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
            np.clip(_to_bgr(f), 0, 255).astype(np.uint8),
            (~self.seen & c.field).astype(np.uint8),
            3,
            cv2.INPAINT_TELEA,
        )
        hidden = ~self.seen
        self.board[hidden] = features(guess.astype(np.float32))[hidden]
        clear = cv2.erode(self.seen.astype(np.uint8), np.ones((7, 7), np.uint8)).astype(bool)
        self.doubt = np.where(self.seen, 0.0, 14.0).astype(np.float32)
        # The bar is much the same all along.
        bar = c.rectangle(
            -c.profile.bar_width / 2,
            -c.profile.field_height / 2,
            c.profile.bar_width / 2,
            c.profile.field_height / 2,
        )
        strip, bare = f[bar], self.seen[bar]
        if bare.any(axis=0).all():
            along = np.ma.median(
                np.ma.masked_array(strip, ~np.repeat(bare[..., None], 3, axis=2)), axis=0
            ).filled(0.0)
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
                    spread = np.sqrt(np.maximum(second / np.maximum(total, 1e-6) - np.square(mean), 0.0))[
                        ..., 0
                    ]
                    self.board[b][use] = mean[use]
                    self.doubt[b][use] = np.minimum(
                        1.5 + 0.5 * spread[use] + 0.03 * np.abs(mean[..., 0][use]), 9.0
                    )

    # -- explaining ---------------------------------------------------------------------------------------

    def _once(self, what: Any, work: Callable[[], What]) -> What:
        """`work()`, done once until something is learned again."""
        found = self._derived.get(what)
        if found is None:
            found = self._derived[what] = work()
        return found  # type: ignore[no-any-return]

    def _with_noise(self, what: str, work: Callable[[], What]) -> What:
        """`work()`, done once for the noise of now."""
        found = self._derived.get(what)
        if found is None or found[0] != self.noise:
            found = self._derived[what] = (self.noise, work())
        return found[1]  # type: ignore[no-any-return]

    def to_reference(self, bgr: Floats, use: Mask) -> tuple[Floats, float]:
        """The picture in reference light, and how much of it agrees with the reference (0..1)."""
        # `use` is one array for as long as the same of the board is in view.
        if self._light is None or self._light[0] is not use or self._light[1] is not self.reference:
            self._light = (
                use,
                self.reference,
                LightFit(self.reference, use, self._light[2] if self._light is not None else None),
            )
        gain, agree = self._light[2].between(bgr)
        bgr = bgr / gain
        calm, reference = self._once("calm", self._calm)
        if len(calm) > 500:
            error = np.abs(bgr.reshape(-1, 3)[calm, 1] - reference)
            error.partition(int(0.3 * (len(error) - 1)))
            noise = float(np.clip(1.3 * error[int(0.3 * (len(error) - 1))] / 0.385 + 0.8, 1.8, 12.0))
            if abs(noise / self.noise - 1.0) > SAME_NOISE:
                self.noise = noise
        return bgr, agree

    def _calm(self) -> tuple[npt.NDArray[np.intp], Floats]:
        """Pixels of the field without edges, thinned out evenly, and the reference's green there."""
        calm = np.flatnonzero((self.reference_rough < 6.0) & self.canvas.field)
        calm = calm[:: max(1, len(calm) // NOISE_SAMPLE)] if len(calm) > 500 else calm
        return calm, self.reference.reshape(-1, 3)[calm, 1]

    def sharpness(self) -> tuple[npt.NDArray[np.intp], float]:
        """Pixels at which the reference shows the bare board's edges, and how sharp they are there (median of the Laplacian)."""
        return self._once("sharpness", self._sharpness)

    def _sharpness(self) -> tuple[npt.NDArray[np.intp], float]:
        known = (self.label != UNKNOWN) & self.canvas.field
        if not known.any():
            return np.zeros(0, np.intp), 0.0
        edges = np.flatnonzero(
            known & (self.reference_rough > np.percentile(self.reference_rough[known], 80))
        )
        before = np.abs(cv2.Laplacian(self.reference_features[..., 0], cv2.CV_32F)).ravel()[edges]
        return edges, float(np.median(before)) if len(edges) else 0.0

    def side_features(self, side: int) -> Planes:
        """Three (H, W) features of a checker of that side, wherever it stands."""

        def work() -> Planes:
            look = self.sides[side]
            h, w = self.label.shape
            gx = (np.arange(w, dtype=np.float32) - self._centre[0]) * look.slope[0]
            gy = (np.arange(h, dtype=np.float32) - self._centre[1]) * look.slope[1]
            gain = np.clip(1.0 + gx[None, :] + gy[:, None], 0.6, 1.6).astype(np.float32)
            return tuple(gain * np.float32(m) for m in look.mean)  # type: ignore[return-value]

        return self._once(("side", side), work)

    def _planes(self, name: str) -> Planes:
        """The three planes of a kept (H, W, 3) array."""
        return self._once(name, lambda: cv2.split(getattr(self, name)))  # type: ignore[arg-type,return-value]

    def _outside(self) -> Floats:
        """(H, W) 0 on the field, very large beside it: added, it takes the bare board's word from what lies there."""
        return self._once("outside", lambda: np.where(self.canvas.field, 0.0, FAR).astype(np.float32))

    def strangeness(self, f: Floats, seen: list[Disc]) -> Floats:
        """(H, W) how many standard deviations each pixel's neighbourhood is away from the best of all it could be:
        as before, the bare board, or a checker where one was seen. f: features, reference light.

        Neighbourhoods, because noise averages out and a hand does not.
        """
        k = 3 if self.noise < 4.0 else 5
        noise = self.noise * (2.0 / k)

        def smoothed() -> tuple[Planes, Planes, Floats, Floats]:
            return (
                cv2.split(cv2.blur(self.reference_features, (k, k))), cv2.split(cv2.blur(self.board, (k, k))),  # type: ignore[return-value]
                cv2.blur(self.reference_rough, (k, k)), cv2.blur(self.rough, (k, k)),
            )  # fmt: skip

        reference, bare, reference_rough, rough = self._once(("smooth", k), smoothed)

        def spreads() -> tuple[Floats, Floats, Floats, Floats, Floats]:
            n = np.float32(noise)
            return (
                3.0 + n + np.float32(0.3) * reference_rough, 1.0 / np.square(2.5 + n + np.float32(0.2) * reference_rough),
                3.0 + n + np.float32(0.3) * rough + self.doubt, 1.0 / np.square(2.5 + n + np.float32(0.2) * rough + np.float32(0.7) * self.doubt),
                1.0 / np.square(3.5 + n + np.float32(0.3) * rough),
            )  # fmt: skip

        ref_sd, ref_colour, bare_sd, bare_colour, shadow_colour = self._with_noise("strangeness", spreads)
        smooth = cv2.split(cv2.blur(f, (k, k)))
        y = smooth[0]
        best = _distance(smooth, reference, ref_sd + np.float32(0.05) * y, ref_colour)
        bare_sd = bare_sd + np.float32(0.06) * y
        np.minimum(best, _distance(smooth, bare, bare_sd, bare_colour) + self._outside(), out=best)
        around = np.full(best.shape, FAR, np.float32)
        for side in (0, 1):
            mine = [d for d in seen if d.side == side]
            if not mine:
                continue
            tops = np.full(best.shape, FAR, np.float32)
            for d in mine:
                cv2.circle(tops, (round(d.x), round(d.y)), round(0.62 * CHECKER_PX), 0.0, -1)
                cv2.circle(around, (round(d.x), round(d.y)), round(1.1 * CHECKER_PX), 0.0, -1)
            look, expected = self.sides[side], self.side_features(side)
            # A checker may stand in other light than where its like was learned: brightness is free within bounds.
            free = np.clip((y + np.float32(4.0)) / (expected[0] + np.float32(4.0)), 0.6, 1.4)
            sd = np.float32(float(look.spread[0]) + noise + 4.0) + np.float32(0.05) * expected[0]
            colour = np.float32(1.0 / (float(look.spread[1:].max()) + noise + 3.0) ** 2)
            np.minimum(best, _distance(smooth, expected, sd, colour, free) + tops, out=best)
        if seen:
            # Beside a checker lie its own side and its shadow: the board, only darker.
            free = np.clip((y + np.float32(2.0)) / (bare[0] + np.float32(2.0)), 0.3, 1.05)
            np.minimum(best, _distance(smooth, bare, bare_sd, shadow_colour, free) + around, out=best)
        return np.sqrt(best, out=best)

    def _flat_spread(self, side: int) -> tuple[float, float]:
        """Standard deviations (brightness, colour) about a side's plain colour."""
        look = self.sides[side]
        y = float(look.spread[0] + 0.06 * abs(look.mean[0]) + self.noise)
        return y, float(look.spread[1:].max()) + 0.7 * self.noise + 1.0

    def top_ratio(
        self, f: Planes, board: Floats, plain: Floats, side: int, places: Floats, index: npt.NDArray[np.intp]
    ) -> Floats:
        """(N, PATCH, PATCH) log-ratio of each pixel: a checker of `side` with its top there, against `board`.

        f: three (H, W) features; board: (H, W) log densities of what the picture shows if no checker is there.
        plain: (H, W) log densities of the side's plain colour or its unchanged look, the second opinion where glare
        or a hard shadow moves the pattern about. Each checker may be somewhat brighter or darker than its place suggests.
        places: (N, 2) canvas px; index: their `patch_index`.
        """
        look = self.sides[side]

        def known() -> tuple[Planes, Floats, Floats, Floats, float]:
            sd_y = np.hypot(look.top_spread[..., 0] * 1.3 + 0.03 * abs(float(look.mean[0])), 1.2 * self.noise)
            sd_c = np.hypot(look.top_spread[..., 1:].max(axis=-1) * 1.3 + 1.0, self.noise)
            level = -np.log(sd_y) - 2 * np.log(sd_c) - 2.76
            top: Planes = tuple(np.ascontiguousarray(look.top[..., i], np.float32) for i in range(3))  # type: ignore[assignment]
            float32 = np.float32
            return (
                top,
                (-0.5 / sd_y**2).astype(float32),
                (-0.5 / sd_c**2).astype(float32),
                level.astype(float32),
                float(np.median(top[0][_INNER])),
            )

        top, inverse, colour_inverse, level, usual = self._with_noise(f"top {side}", known)
        y, r, b = (patches_at(plane, index) for plane in f)
        gain = np.clip(1 + (places - self._centre) @ look.slope, 0.6, 1.6)
        seen = _medians(y.reshape(len(y), -1)[:, _INNER_AT])
        free = np.clip((seen + 6) / (gain * usual + 6), 0.5, 1.4)
        gain = (gain * free).astype(np.float32)[:, None, None]
        y -= gain * top[0]
        r -= gain * top[1]
        b -= gain * top[2]
        y *= y
        y *= inverse
        r *= r
        b *= b
        r += b
        r *= colour_inverse
        y += r
        y += level
        np.maximum(y, np.float32(OUTLIER - 3.0), out=y)
        np.maximum(y, patches_at(plain, index) - np.float32(0.3), out=y)
        y -= (4.0 * np.square(np.log(free))).astype(np.float32)[:, None, None]
        y -= patches_at(board, index)
        return y

    def explain(self, bgr: Floats) -> Explanation:
        """Log densities of every pixel of `bgr` (reference light) under each thing it could be."""
        f = features(bgr)
        planes: Planes = cv2.split(f)  # type: ignore[assignment]
        known = self._with_noise("explain", self._known_densities)
        bare, same = self._planes("board"), self._planes("reference_features")
        board = _density(planes, bare, known.board)
        if known.exact is not None:
            # A bare point looks as it was learned or (other light, a pixel aside) nearly so. The brighter it is, the wider is what
            # "nearly" means: without the first, a white checker's narrow look would explain a white point better than the point itself.
            np.maximum(board, _density(planes, bare, known.exact), out=board)
        if known.guessed is not None:
            # A guessed board may lie a pixel or two beside the true one.
            at, beside, inverse, colour_inverse, ease, shifts = known.guessed
            flat, here = board.reshape(-1), f.reshape(-1, 3)[at].T
            most = flat[at]
            q = np.square(here[0] - beside[0]) * inverse
            q += (np.square(here[1] - beside[1]) + np.square(here[2] - beside[2])) * colour_inverse
            q += shifts
            np.maximum(most, q.max(axis=0), out=most)
            # Not to know the board well is no evidence for a checker: most of what doubt costs is given back.
            flat[at] = most + ease
        sides = [_density(planes, self.side_features(side), known.sides[side]) for side in (0, 1)]
        return Explanation(f, planes, board, sides[0], sides[1], _density(planes, same, known.same))

    def _known_densities(self) -> _Densities:
        """What of the densities does not depend on the picture."""
        noise = np.float32(self.noise)
        ground = np.abs(self.board[..., 0])
        # Brightness varies with shading, colour differences less so.
        shade = np.float32(0.05) * ground
        doubtful = noise + self.doubt + np.float32(0.8) * self.rough
        sd, colour_sd = doubtful + shade, np.float32(0.7) * doubtful + np.float32(1.0)
        board, exact = _Gauss.of(sd, colour_sd), None
        bright = self.board[..., 0] > BRIGHT
        if bright.any():
            grain = noise + np.float32(0.4) * self.doubt + np.float32(0.35) * self.rough
            exact = _Gauss.of(grain + np.float32(0.4) * shade, np.float32(0.6) * grain + np.float32(0.8))
            exact.level[...] = np.where(bright, exact.level + np.float32(np.log(0.5)), -FAR)
        guessed = None
        if len(self._hidden[0]):
            rows, columns = self._hidden
            w = self.label.shape[1]
            at = rows * w + columns
            shifts = np.array((-2, -1, 1, 2))
            there = self.board.reshape(-1, 3)[rows * w + np.clip(columns + shifts[:, None], 0, w - 1)]
            here_sd, here_colour, doubt = (
                sd.reshape(-1)[at],
                colour_sd.reshape(-1)[at],
                self.doubt.reshape(-1)[at],
            )
            ease = np.log(here_sd / (here_sd - doubt)) + 2.0 * np.log(
                here_colour / (here_colour - 0.7 * doubt)
            )
            level = board.level.reshape(-1)[at] - (0.2 * np.abs(shifts))[:, None].astype(np.float32)
            guessed = (
                at, np.ascontiguousarray(there.transpose(2, 0, 1)), board.inverse.reshape(-1)[at], board.colour_inverse.reshape(-1)[at],
                (0.8 * ease).astype(np.float32), level,
            )  # fmt: skip
        sides = []
        for side in (0, 1):
            y, chroma = self._flat_spread(side)
            sides.append(_Gauss.of(np.float32(y), np.float32(chroma)))
        rsd = noise + np.float32(0.03) * self.reference[..., 1] + np.float32(0.7) * self.reference_rough
        same = _Gauss.of(
            rsd, np.float32(0.7) * (noise + np.float32(0.7) * self.reference_rough) + np.float32(1.0)
        )
        return _Densities(board, exact, guessed, (sides[0], sides[1]), same)


def cut(image: Floats, places: list[Disc]) -> Floats:
    """(N, PATCH, PATCH[, C]) patches of a (H, W[, C]) image around places rounded to whole px; edge pixels repeat."""
    return patches_at(
        image, patch_index(image.shape[:2], np.array([(d.x, d.y) for d in places]).reshape(-1, 2))
    )


def patch_index(shape: Sequence[int], places: Floats) -> npt.NDArray[np.intp]:
    """(N, PATCH, PATCH) flat indices of the patches around (N, 2) places x, y of an image of this (H, W)."""
    h, w = shape[0], shape[1]
    at = np.rint(places).astype(np.intp)
    if len(at) and (at.min() < _HALF or at[:, 1].max() >= h - _HALF or at[:, 0].max() >= w - _HALF):
        rows, columns = np.clip(at[:, 1:] + _SPAN, 0, h - 1), np.clip(at[:, :1] + _SPAN, 0, w - 1)
        return rows[:, :, None] * w + columns[:, None, :]
    return (at[:, 1] * w + at[:, 0])[:, None, None] + (_SPAN[:, None] * w + _SPAN)


def patches_at(image: Floats, index: npt.NDArray[np.intp]) -> Floats:
    """Patches of a (H, W[, C]) image at a `patch_index`."""
    return np.take(image.reshape(-1, *image.shape[2:]), index, axis=0)


def _medians(rows: Floats) -> Floats:
    """(N,) median of each row of (N, M), which are put out of order."""
    middle = rows.shape[1] // 2
    if rows.shape[1] % 2:
        rows.partition(middle, axis=1)
        return rows[:, middle]
    rows.partition((middle - 1, middle), axis=1)
    return 0.5 * (rows[:, middle - 1] + rows[:, middle])


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


@dataclass(frozen=True)
class _Gauss:
    """A Gaussian of feature errors, for all pixels: -1 / (2 variance) of brightness and of both colours, and the log of its height."""

    inverse: Floats
    colour_inverse: Floats
    level: Floats

    @classmethod
    def of(cls, sd_y: Any, sd_c: Any) -> _Gauss:
        half = np.float32(-0.5)
        return cls(
            half / np.square(sd_y),
            half / np.square(sd_c),
            -np.log(sd_y) - np.float32(2.0) * np.log(sd_c) - np.float32(2.76),
        )


@dataclass(frozen=True)
class _Densities:
    """`Appearance.explain` before the picture. guessed: flat indices, (3, 4, N) features beside them, both inverses, what is given
    back, and (4, N) heights."""

    board: _Gauss
    exact: _Gauss | None
    guessed: tuple[npt.NDArray[np.intp], Floats, Floats, Floats, Floats, Floats] | None
    sides: tuple[_Gauss, _Gauss]
    same: _Gauss


def _density(f: Planes, mean: Planes, gauss: _Gauss) -> Floats:
    """(H, W) float32 log density of features about `mean`: a Gaussian with a floor for outliers."""
    y, r, b = f[0] - mean[0], f[1] - mean[1], f[2] - mean[2]
    y *= y
    y *= gauss.inverse
    r *= r
    b *= b
    r += b
    r *= gauss.colour_inverse
    y += r
    y += gauss.level
    return np.maximum(y, np.float32(OUTLIER - 3.0), out=y)


def _distance(
    f: Planes, mean: Planes, sd_y: Floats, colour_inverse: Floats | np.float32, free: Floats | None = None
) -> Floats:
    """(H, W) squared distance of features from `mean` (times `free`), in standard deviations; colour_inverse: 1 / variance."""
    if free is not None:
        mean = (free * mean[0], free * mean[1], free * mean[2])
    y, r, b = f[0] - mean[0], f[1] - mean[1], f[2] - mean[2]
    y /= sd_y
    y *= y
    r *= r
    b *= b
    r += b
    r *= colour_inverse
    y += r
    return y


@dataclass
class Explanation:
    """features: (H, W, 3), and the same as three planes; (H, W) log densities: empty board, light checker, dark checker, same as in the reference picture."""

    features: Floats
    planes: Planes
    board: Floats
    light: Floats
    dark: Floats
    same: Floats
