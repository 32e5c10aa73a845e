"""The light between two pictures of the same board: a smooth gain per channel, fitted while checkers move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class LightModel:
    """Tuned numbers of the light's fit. Levels are 8-bit, gains are natural logs of brightness.

    Source: chosen by eye on rendered boards under the simulator's lamps, and kept because the looks of
    `tests/bench/bench_vision.py` stay right with them. No sweep is recorded. Derived numbers say from what.
    """

    #: Canvas px per sample, each way.
    step: int = 4
    #: Levels added before the log, so that noise in black pixels weighs little. Above 0.
    black: float = 5.0
    #: Level from which a pixel is taken to be saturated. Up to 255.
    saturated: float = 250
    #: Level at which a pixel has its full weight, and the least weight (0..1): dark pixels say little about the light.
    full_weight: float = 60.0
    least_weight: float = 0.05
    #: A sample agrees with the fit within this log ratio (12 % of brightness).
    agrees: float = 0.12
    #: The coefficients of the last picture are the start of this fit when this share (0..1) of the zones, `zones` a side,
    #: are within `near_light` (log ratio) of them, and half of all zones have at least `zone_weight` agreeing samples.
    zones: int = 4
    near_light: float = 0.05
    near_zones: float = 0.8
    zone_weight: float = 5.0
    lit_zones: float = 0.5
    #: Where all lit zones are within `steady` (log ratio), the light is as it was and the last fit stands. In rendered games under
    #: lamps that are left alone zones are within .004, and a new fit differs from the last by .001 at most.
    steady: float = 0.005
    #: Iterations from such a start; from nothing the terms come in turns, `turns` terms at a time.
    steps_on: int = 2
    turns: tuple[int, ...] = (1, 1, 3, 3, 6, 6, 6)
    #: Samples below which a channel is not fitted.
    least_samples: int = 50
    #: Standard deviation (log ratio) of a sample: at first, and never below.
    first_scale: float = 0.35
    least_scale: float = 0.03
    #: Standard deviations at which Tukey's biweight reaches 0 (4.7 is the usual choice; moved checkers are many).
    outlier_at: float = 3.0
    #: From the median of the absolute errors to a standard deviation: 1.48 for a Gaussian, and a little slack.
    sd_per_median: float = 1.6
    #: Pull towards 0 of constant, slopes and curvatures, and its weight per sample: curvature only where the picture asks for it.
    ridge: tuple[float, ...] = (1e-6, 1e-3, 1e-3, 0.02, 0.02, 0.02)
    ridge_weight: float = 0.05
    #: Largest log gain (a factor of 12) and largest log ratio that the search of the densest gain considers.
    most: float = 2.5
    widest: float = 2
    #: Bins of that search: 0.05 log units each.
    bins: int = 80


MODEL = LightModel()


class LightFit:
    """The light between pictures and one reference: fitted when it has changed, kept while it has not.

    reference: (H, W, 3) float32 BGR. use: (H, W) where the pictures say something. before: of another reference in the same light.
    """

    def __init__(self, reference: Floats, use: Mask, before: LightFit | None = None) -> None:
        h, w = reference.shape[:2]
        self._size = size = (w // MODEL.step, h // MODEL.step)
        r = cv2.resize(reference, size, interpolation=cv2.INTER_AREA).reshape(-1, 3)
        ok = cv2.resize(use.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST).ravel() > 0
        gx, gy = np.meshgrid(np.linspace(-1, 1, size[0]), np.linspace(-1, 1, size[1]))
        x, y = gx.ravel(), gy.ravel()
        self._basis = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
        self._log = np.log(r + MODEL.black)
        # Bright pixels carry the most about the light; saturated ones nothing.
        self._base = (
            np.clip(r / MODEL.full_weight, MODEL.least_weight, 1.0) * (r < MODEL.saturated) * ok[:, None]
        )
        zones = MODEL.zones
        column = np.minimum((gx + 1) / 2 * zones, zones - 1).astype(int)
        row = np.minimum((gy + 1) / 2 * zones, zones - 1).astype(int)
        zone = column + zones * row
        self._zones = (np.arange(zones * zones)[:, None] == zone.ravel()).astype(np.float32)
        self._zones_in_double = self._zones.astype(np.float64)
        self._shape = (w, h)
        self._coefs: Floats | None = (
            before._coefs if before is not None and before._shape == self._shape else None
        )
        #: The gain that these coefficients give, once it has been asked for.
        self._gain: Floats | None = None

    def without(self, picture: Floats) -> tuple[Floats, float]:
        """(H, W, 3) the picture in the reference's light, and the share of its pixels that agree with it. picture: as for `between`.

        The gain is one of levels above `-black`, so it is taken away from those. (A plain quotient comes out brighter than the
        reference where the light is weaker, the more the darker the place: every lesson makes such a picture the reference, and sixty
        of them after a lamp was switched changed what was known of the board by a sixth.)
        """
        gain, agree = self.between(picture)
        levels = picture + MODEL.black
        levels /= gain
        levels -= MODEL.black
        return levels, agree

    def between(self, picture: Floats) -> tuple[Floats, float]:
        """(H, W, 3) gain that turns the reference's light into the picture's, of levels above `-black`, and the share of pixels that
        agree with it.

        A quadratic surface in log brightness per channel, fitted robustly: moved checkers, dice and hands are
        outliers; lamps, dusk and a hunting white balance are the fit. picture: (H, W, 3) float32 BGR.
        """
        p = cv2.resize(picture, self._size, interpolation=cv2.INTER_AREA).reshape(-1, 3)
        ratio = np.log(p + MODEL.black) - self._log
        base = self._base * (p < MODEL.saturated)
        start = self._coefs
        if start is not None:
            e = ratio - self._basis @ start
            agreeing = (np.abs(e) < MODEL.agrees) * base
            weight = self._zones @ agreeing
            lit = weight > MODEL.zone_weight
            off = (self._zones_in_double @ (agreeing * e)) / np.maximum(weight, 1e-6)
            lit_off = np.abs(off[lit])
            near = np.count_nonzero(lit_off < MODEL.near_light) / lit_off.size if lit_off.size else 0.0
            if lit_off.size < MODEL.lit_zones * lit.size or near < MODEL.near_zones:
                start = None
            elif self._gain is not None and np.maximum.reduce(lit_off) < MODEL.steady:
                # (numpy takes ten times as long to add the rows up.)
                ones = np.ones(len(base), np.float32)
                blue, green, red = (ones @ agreeing / np.maximum(ones @ base, 1e-6)).tolist()
                return self._gain, (blue + green + red) / 3.0
        self._coefs, agree = _light(ratio, base, self._basis, start)
        small = (self._basis @ self._coefs).reshape(self._size[1], self._size[0], 3).astype(np.float32)
        full = cv2.resize(small, self._shape, interpolation=cv2.INTER_LINEAR)
        self._gain = np.exp(np.clip(full, -MODEL.most, MODEL.most))
        return self._gain, agree


def _light(ratio: Floats, base: Floats, basis: Floats, start: Floats | None = None) -> tuple[Floats, float]:
    """((6, 3) coefficients of `basis` (N, 6), share that agrees) of log ratios (N, 3) with weights `base` (N, 3). start: coefficients
    that are nearly right already."""
    coefs = np.zeros((6, 3))
    agree = []
    ridge = np.diag(MODEL.ridge) * len(basis) * MODEL.ridge_weight
    for c in range(3):
        v, b = ratio[:, c], base[:, c]
        known = b > 0
        if known.sum() < MODEL.least_samples:
            agree.append(0.0)
            continue
        v, b, at = v[known], b[known], basis[known]
        if start is None:
            fit, scale = np.zeros(6), MODEL.first_scale
            fit[0] = _mode(v, b)
            steps = list(MODEL.turns)
        else:
            fit, steps = start[:, c].copy(), [6] * MODEL.steps_on
        e = v - at @ fit
        if start is not None:
            scale = _scale(e, MODEL.first_scale)
        for n in steps:
            wgt = b * np.square(np.maximum(1 - np.square(e / (MODEL.outlier_at * scale)), 0))
            part = at[:, :n]
            weighted = part.T * wgt
            fit = np.zeros(6) if n == 1 else fit
            # (For so few numbers numpy's own solver takes longer to be called than to solve.)
            fit[:n] = cv2.solve(weighted @ part + ridge[:n, :n], (weighted @ v)[:, None])[1][:, 0]
            e = v - part @ fit[:n]
            scale = _scale(e, scale)
        coefs[:, c] = fit
        agree.append(float((np.abs(e) < MODEL.agrees) @ b / b.sum()))
    return coefs, sum(agree) / 3


def _scale(errors: Floats, most: float) -> float:
    """Standard deviation of log ratios (N,), robust, at most `most`."""
    return min(max(MODEL.sd_per_median * _median(np.abs(errors)), MODEL.least_scale), most)


def _median(values: Floats) -> float:
    """The middle one of `values` (N,), which are put out of order (the upper one of two)."""
    values.partition(len(values) // 2)
    return float(values[len(values) // 2])


def _mode(values: Floats, weights: Floats) -> float:
    """The densest place of a weighted sample: the light of what has not changed, even if much has."""
    span = MODEL.widest
    hist, edges = np.histogram(
        np.clip(values, -span, span), bins=MODEL.bins, range=(-span, span), weights=weights
    )
    hist = np.convolve(hist, [1, 2, 3, 2, 1], mode="same")
    return float(edges[int(hist.argmax())] + 0.5 * (edges[1] - edges[0]))
