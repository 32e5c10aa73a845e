"""Where checkers are looked for: a strip along each point, and one along the bar."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.sighting import BAR_LIGHT
from pi_board.vision.board.canvas import CHECKER_PX, Canvas
from pi_board.vision.board.orientation import COLUMNS, Orientation, Row
from pi_board.vision.checkers.disc_sums import DiscSums
from pi_board.vision.checkers.patches import TOP, patch_index, patches_at
from pi_board.vision.checkers.row_numbers import (
    DISC_RANK,
    EFFECTIVE_PIXELS,
    ROWS,
    SIDEWAYS,
    SIDEWAYS_ON_BAR,
    SINGLE_LAYER,
)

Floats = npt.NDArray[Any]

#: Points at a glance: blocks of so many px, of which so many from the edge on and so many across.
GLANCE, GLANCE_LENGTH, GLANCE_WIDTH = 4, 25, 3


@dataclass(frozen=True)
class Strips:
    """Sampling places: 24 point strips (index = absolute point - 1), then the bar.

    maps: (26 × width, length) float32 map x and y; rows are grouped by strip. first: px from the edge of the first
    sample. Steps are one canvas pixel.
    """

    map_x: npt.NDArray[np.float32]
    map_y: npt.NDArray[np.float32]
    bar_x: npt.NDArray[np.float32]
    bar_y: npt.NDArray[np.float32]
    length: int


@dataclass
class PointLayout:
    """Where checkers of each point are expected on the canvas: learned from the starting position.

    offset: (12, 2, 2): for column and `Row`, canvas px added to the profile's place.
    pitch: distance of touching neighbours, canvas px. bar_shift: (2,) px of the bar's middle line.
    """

    offset: Floats
    pitch: float
    bar_shift: Floats


def plain_layout() -> PointLayout:
    """The layout that the profile gives."""
    return PointLayout(np.zeros((COLUMNS, 2, 2)), CHECKER_PX, np.zeros(2))


def loudness(noise: float) -> int:
    """Noise (8-bit levels) in steps of a tenth, within which what depends on it is much the same."""
    return round(10 * math.log(noise))


class PointStrips:
    """The strips of the 24 points and of the bar, in which checkers are looked for, on one canvas."""

    def __init__(self, canvas: Canvas, orientation: Orientation, layout: PointLayout | None = None) -> None:
        self.canvas = canvas
        self.orientation = orientation
        self.disc = separated(disc_kernel(CHECKER_PX * ROWS.disc) * EFFECTIVE_PIXELS)
        self._sums = DiscSums(self.disc), DiscSums(self.disc)
        #: (H, W) canvas pixels that something known covers (`occluders`), None when there is no such thing.
        self.hidden: npt.NDArray[np.bool_] | None = None
        self.told_on_bar((ROWS.bar_most, ROWS.bar_most))
        self.set_layout(layout or plain_layout())

    def set_layout(self, layout: PointLayout) -> None:
        self.layout = layout
        canvas, geometry = self.canvas, self.canvas.geometry
        height = canvas.profile.field_height
        scale = canvas.px_per_cm
        length = int(height / 2 * scale + ROWS.beyond_middle * CHECKER_PX)
        length = max(length, int(ROWS.shortest * CHECKER_PX))
        start = ROWS.first * CHECKER_PX
        along = start + np.arange(length - int(start))
        across = np.arange(-SIDEWAYS, SIDEWAYS + 1)
        self.columns = np.zeros((COLUMNS, 2))
        self.feet = np.zeros((24, 2))
        #: (24,) rows of the canvas by which a px along each point leads away from its edge, 1 or -1.
        self._steps = np.zeros(24)
        xs, ys = [], []
        for point in range(1, 25):
            column, row = self.orientation.column_of(point)
            foot = canvas.place(
                [[geometry.column_x(column), -height / 2 if row is Row.NEAR else height / 2]]
            )[0]
            self.columns[column, row] = foot[0]
            foot = foot + layout.offset[column, row]
            self.feet[point - 1] = foot
            step = self._steps[point - 1] = -1.0 if row is Row.NEAR else 1.0
            xs.append(np.repeat(foot[0] + across[:, None], len(along), axis=1))
            ys.append(np.repeat((foot[1] + step * along)[None, :], len(across), axis=0))
        top = canvas.place([[0.0, height / 2]])[0] + layout.bar_shift
        bottom = canvas.place([[0.0, -height / 2]])[0] + layout.bar_shift
        bar_along = np.arange(top[1] + start, bottom[1] - start)
        bar_across = np.arange(-SIDEWAYS_ON_BAR, SIDEWAYS_ON_BAR + 1)
        self.strips = Strips(
            np.concatenate(xs).astype(np.float32),
            np.concatenate(ys).astype(np.float32),
            np.repeat(top[0] + bar_across[:, None], len(bar_along), axis=1).astype(np.float32),
            np.repeat(bar_along[None, :], len(bar_across), axis=0).astype(np.float32),
            len(along),
        )
        #: (N, 2) canvas px of checkers that lie along the middle of the bar.
        self.on_bar = np.stack(
            [(line[SIDEWAYS_ON_BAR, :: int(CHECKER_PX)]) for line in (self.strips.bar_x, self.strips.bar_y)],
            axis=1,
        ).astype(np.float64)
        #: Rows and columns of the first pixels that are sampled, and of those after the last.
        rows, columns = (
            np.concatenate([a.ravel(), b.ravel()])
            for a, b in (
                (self.strips.map_y, self.strips.bar_y),
                (self.strips.map_x, self.strips.bar_x),
            )
        )
        self._sampled = np.array(
            [[int(rows.min()), int(columns.min())], [int(rows.max()) + 2, int(columns.max()) + 2]]
        )
        self.first = start
        # Expected distance from the edge of the i-th checker; later ones have more play.
        index = np.arange(SINGLE_LAYER + 1)
        expected = (index + 0.5) * layout.pitch + ROWS.edge * CHECKER_PX
        play = CHECKER_PX * (ROWS.play + ROWS.more_play * index)
        off = (along[None, :] - expected[:, None]) / play[:, None]
        self.prior = -np.minimum(0.5 * off**2, ROWS.far_slope * np.abs(off) + ROWS.far_cost)
        # Only a sixth checker fits beyond the first five. Anything further belongs to the opposite point, if the row begins at the rim.
        self.room = ROWS.room * max(layout.pitch, CHECKER_PX)
        self.prior[:5, along > self.room] -= ROWS.beyond
        self.prior[5, along > self.room + layout.pitch] -= ROWS.beyond
        away = (np.arange(GLANCE_LENGTH) + 0.5) * GLANCE
        beside = (np.arange(GLANCE_WIDTH) - (GLANCE_WIDTH - 1) / 2) * GLANCE
        # (The bar's halves after the points: each from its rim to the middle.)
        y = (
            np.append(self.feet[:, 1], [top[1], bottom[1]])[:, None]
            + np.append(self._steps, [1.0, -1.0])[:, None] * away
        )
        x = np.append(self.feet[:, 0], [top[0], top[0]])[:, None] + beside
        y = np.clip(np.rint(y), 0, canvas.height - 1).astype(np.intp)
        x = np.clip(np.rint(x), 0, canvas.width - 1).astype(np.intp)
        self._glances = y[:, :, None] * canvas.width + x[:, None, :]
        self._sideways = -0.5 * (across / ROWS.sideways) ** 2 * ROWS.sideways_weight

    def at_a_glance(self, bgr: Floats) -> npt.NDArray[np.uint8]:
        """(26, GLANCE_LENGTH, GLANCE_WIDTH, 3) uint8: the points and the bar's halves (the far one first) on a canvas (H, W, 3), from
        their edge to the middle, in blocks of `GLANCE` px."""
        small = cv2.blur(bgr, (GLANCE, GLANCE))
        seen = cv2.convertScaleAbs(small.reshape(-1, 3).take(self._glances.reshape(-1), axis=0))
        return np.asarray(seen, np.uint8).reshape(*self._glances.shape, 3)

    def disc_scores(self, side: int, ratio: Floats) -> Floats:
        """(H, W) effective sum of the (H, W) log-ratio of `side` over the disc centred at each pixel, right where strips are sampled."""
        # Pixels within a disc's radius of a strip count too.
        half = len(self.disc[0][0]) // 2
        first = np.maximum(self._sampled[0] - half, 0).tolist()
        end = np.minimum(self._sampled[1] + half, ratio.shape).tolist()
        return self._sums[side].of(ratio, (slice(first[0], end[0]), slice(first[1], end[1])))

    def profiles(self, scores: Floats) -> tuple[Floats, npt.NDArray[np.intp]]:
        """(24, L) best score across each strip at each distance from the edge, and (24, L) the px across at
        which it is reached.
        """
        s = cv2.remap(
            scores, self.strips.map_x, self.strips.map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        s = s.reshape(24, 2 * SIDEWAYS + 1, -1) + self._sideways[None, :, None]
        return np.maximum.reduce(s, axis=1), s.argmax(axis=1)

    def first_places(self, count: int) -> Floats:
        """(24, count, 2) canvas px of the first so many checkers of each point, numbered as the points are; first the one at the edge."""
        along = (np.arange(count) + 0.5) * self.layout.pitch + ROWS.edge * CHECKER_PX
        y = self.feet[:, 1, None] + self._steps[:, None] * along
        return np.stack([np.repeat(self.feet[:, 0, None], count, axis=1), y], axis=2)

    def told_on_bar(self, told: tuple[float, float]) -> None:
        """told: what a checker of light and one of dark on the bar would say for themselves in the light of now, nats."""
        self.bar_told = told
        light, dark = (min(ROWS.bar_prior, ROWS.bar_told * max(0.0, t)) for t in told)
        #: What a checker there costs, light's and dark's, nats.
        self.bar_priors = light, dark
        #: The halves of it whose checkers say nothing at all for themselves.
        self.untold = [BAR_LIGHT + side for side, t in enumerate(told) if t < ROWS.bar_untold]
        #: The half of the bar whose checkers the uncalibrated reader cannot tell either.
        self.hardly_told = [BAR_LIGHT + side for side, t in enumerate(told) if t < ROWS.hardly_told]

    def bar_scores(self, scores: Floats) -> Floats:
        return cv2.remap(
            scores, self.strips.bar_x, self.strips.bar_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )

    def hidden_shares(self, at: Floats) -> Floats:
        """(N,) share (0..1) of a checker at (N, 2) canvas px that known things cover."""
        if self.hidden is None or not len(at):
            return np.zeros(len(at))
        open_ = patches_at(self.hidden.astype(np.float32), patch_index(self.hidden.shape, at))
        return np.asarray((open_ * TOP).sum(axis=(1, 2)) / TOP.sum())

    def hidden_places(self) -> Floats:
        """(26, 6) how much of each checker's place on each point is covered (first the one at the edge), then, the same in all six,
        how much of the bar's middle half is."""
        out = np.zeros((26, SINGLE_LAYER))
        if self.hidden is None:
            return out
        places = self.first_places(SINGLE_LAYER)
        out[:24] = self.hidden_shares(places.reshape(-1, 2)).reshape(24, SINGLE_LAYER)
        seen = cv2.remap(
            self.hidden.astype(np.float32), self.strips.bar_x, self.strips.bar_y, cv2.INTER_NEAREST
        )
        quarter = seen.shape[1] // 4
        out[24:] = float(seen[:, quarter:-quarter].mean())
        return out


def disc_kernel(radius: float) -> npt.NDArray[np.float32]:
    half = int(np.ceil(radius))
    yy, xx = np.mgrid[-half : half + 1, -half : half + 1]
    kernel = np.clip(radius + 0.5 - np.hypot(xx, yy), 0, 1).astype(np.float32)
    return kernel / kernel.sum()


def separated(kernel: npt.NDArray[np.float32]) -> list[tuple[Floats, Floats]]:
    """A kernel as a sum of products of a row and a column, which cost a fraction of it: DISC_RANK of them, to 3e-4 of its sum."""
    u, s, v = np.linalg.svd(kernel.astype(np.float64))
    return [((v[i] * s[i]).astype(np.float32), u[:, i].astype(np.float32)) for i in range(DISC_RANK)]
