"""The empty board in the light of the first picture, and a guess of it where checkers stand."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.board.canvas import Canvas, features
from pi_board.vision.board.orientation import Row
from pi_board.vision.checkers.appearance_numbers import FIRST_NOISE, GUESSING, LEARNING
from pi_board.vision.checkers.patches import put

Floats = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]


class BareBoard:
    """What the board looks like without checkers, on one canvas."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        shape = (canvas.height, canvas.width)
        self.board = np.zeros((*shape, 3), np.float32)  # features of the empty board
        self.doubt = np.zeros(shape, np.float32)  # its standard deviation beyond noise
        self.seen = np.zeros(shape, bool)  # where the empty board has really been seen
        self.beneath = np.zeros(shape, bool)  # where checkers, their sides or shadows lay when it was learned
        self.noise = FIRST_NOISE

    @property
    def never_bare(self) -> Mask:
        """(H, W) where checkers stood whenever the board was looked at to be learned: what is known of it there is a guess."""
        return self.beneath & ~self.seen

    def guess_covered(self, f: Floats, columns: Floats, ignore: Mask) -> None:
        """Under the checkers of the first picture the board is taken from like points of the same row.

        columns: (12, 2) canvas x of each column's middle, by `Row`. ignore: (H, W) where the picture shows neither board nor checkers.
        """
        c = self.canvas
        hidden = ~self.seen
        put(f, hidden, self.board)
        clear = cv2.erode(self.seen.astype(np.uint8), np.ones((7, 7), np.uint8)).astype(bool)
        self.doubt = np.where(self.seen, 0.0, GUESSING.doubt).astype(np.float32)
        # The bar is much the same all along.
        bar = c.bar
        strip, bare = f[bar], self.seen[bar]
        if bare.any(axis=0).all():
            along = np.ma.median(
                np.ma.masked_array(strip, ~np.repeat(bare[..., None], 3, axis=2)), axis=0
            ).filled(0.0)
            self.board[bar][~bare] = np.broadcast_to(along[None], strip.shape)[~bare]
            self.doubt[bar][~bare] = GUESSING.bar_doubt
        for like in self._like_points(columns):
            self._guess_points(f, clear, like)
        # Where no like point is visible, assume the colours around it; and on the rim where something stands, which would be
        # taken for the rim itself.
        nowhere = hidden & (c.field | (ignore & c.inside)) & (self.doubt == GUESSING.doubt)
        if nowhere.any():
            bare = np.clip(to_bgr(self.board), 0, 255).astype(np.uint8)
            around = cv2.inpaint(bare, nowhere.astype(np.uint8), 3, cv2.INPAINT_TELEA)
            put(features(around.astype(np.float32)), nowhere, self.board)

    def carry_change(self, f: Floats, bare: Mask, columns: Floats) -> None:
        """The light on the board has changed: what checkers cover has changed as the same places of like points have.

        f: (H, W, 3) features of the picture; bare: (H, W) where it shows board that has been seen before.
        """
        shown = bare.astype(np.float32)
        change = cv2.blur((f - self.board) * shown[..., None], (3, 3))
        share = cv2.blur(shown, (3, 3))
        change = np.where(bare[..., None], change / np.maximum(share, 1e-3)[..., None], 0.0).astype(
            np.float32
        )
        for like in self._like_points(columns):
            changes = np.stack([change[b] for b in like]).reshape(len(like), -1, 3)
            known = np.stack([shown[b] for b in like]).reshape(len(like), -1)
            shape = change[like[0]].shape[:2]
            # (No mean of changes is larger than the largest of them, and most are small.)
            enough = np.abs(changes[..., 0]).max(axis=0) > GUESSING.change_noise * self.noise
            for i, b in enumerate(like):
                covered = np.flatnonzero((known[i] == 0) & enough)
                weight = known[:, covered] * _alike(i, len(like))[:, None]
                total, mean, spread = _mean_of_like(weight, changes[:, covered])
                rows, places = np.unravel_index(covered, shape)
                level = np.abs(self.board[b][rows, places, 0])
                size = np.abs(mean[:, 0])
                use = (total > GUESSING.least_weight) & (size > GUESSING.change_noise * self.noise)
                use &= size > GUESSING.change_share * level
                at = rows[use], places[use]
                self.board[b][at] += LEARNING.board_rate * mean[use]
                doubt = GUESSING.least_doubt + GUESSING.spread_share * spread[use]
                doubt += GUESSING.change_doubt * size[use]
                self.doubt[b][at] = np.maximum(self.doubt[b][at], np.minimum(doubt, GUESSING.most_doubt))

    def _guess_points(self, f: Floats, clear: Mask, like: list[tuple[slice, slice]]) -> None:
        """Hidden pixels of points that are alike, from one another. clear: (H, W) bare board away from all shadows."""
        colour = np.stack([f[b] for b in like]).reshape(len(like), -1, 3)
        known, deep = (
            np.stack([mask[b] for b in like]).reshape(len(like), -1).astype(np.float32)
            for mask in (self.seen, clear)
        )
        # Both points show some bare board away from shadows. Use it to match the light of one to the other.
        y = colour[..., 0] * deep
        firm = np.float32(GUESSING.firm)
        gains = (y @ y.T + firm) / (deep @ np.square(y).T + firm)
        gains = np.clip(gains, GUESSING.least_gain, GUESSING.most_gain)
        shape = f[like[0]].shape[:2]
        for i, b in enumerate(like):
            if known[i].mean() > GUESSING.seen:
                continue
            missing = np.flatnonzero(known[i] == 0)
            weight = known[:, missing] * _alike(i, len(like))[:, None]
            theirs = colour[:, missing] * gains[i][:, None, None]
            total, mean, spread = _mean_of_like(weight, theirs)
            use = total > GUESSING.least_weight
            doubt = GUESSING.least_doubt + GUESSING.spread_share * spread[use]
            doubt += GUESSING.level_share * np.abs(mean[use, 0])
            rows, columns = np.unravel_index(missing[use], shape)
            self.board[b][rows, columns] = mean[use]
            self.doubt[b][rows, columns] = np.minimum(doubt, GUESSING.most_doubt)

    def _like_points(self, columns: Floats) -> list[list[tuple[slice, slice]]]:
        """The points' windows on the canvas, every second one of a row together: those look alike. columns: as in `learn`."""
        c = self.canvas
        half = int(0.5 * c.profile.point_width * c.px_per_cm) + 1
        middle = c.place([[0.0, 0.0]])[0][1]
        top = c.place([[0.0, c.profile.field_height / 2]])[0][1]
        bottom = 2 * middle - top
        out = []
        for row, low, high in ((Row.NEAR, middle, bottom), (Row.FAR, top, middle)):
            rows = slice(max(0, round(low)), min(c.height, round(high) + 1))
            windows = [(rows, slice(round(x) - half, round(x) + half + 1)) for x in columns[:, row]]
            out += [windows[parity::2] for parity in (0, 1)]
        return out


def _alike(i: int, n: int) -> Floats:
    """(n,) how much each of `n` like points of a row tells about the `i`-th."""
    others = np.arange(n)
    share = np.exp(-GUESSING.distance * np.abs(others - i))
    share[others // 3 != i // 3] *= GUESSING.across_bar
    share[i] = 0.0
    return share.astype(np.float32)


def _mean_of_like(weight: Floats, values: Floats) -> tuple[Floats, Floats, Floats]:
    """What like points say of M pixels: (M,) sum of their weights, (M, 3) weighted mean, (M,) standard deviation of its brightness.
    weight: (N, M). values: (N, M, 3) features."""
    total = weight.sum(axis=0)
    least = np.maximum(total, 1e-6)
    mean = np.einsum("jm,jmc->mc", weight, values) / least[:, None]
    square = np.einsum("jm,jm->m", weight, np.square(values[..., 0])) / least
    return total, mean, np.sqrt(np.maximum(square - np.square(mean[:, 0]), 0.0))


def noise_of(f: Floats, where: Mask) -> float:
    """Standard deviation of brightness noise (8-bit levels), from pixels against their neighbours' mean."""
    y = f[..., 0]
    rough = np.abs(y - cv2.GaussianBlur(y, (5, 5), LEARNING.noise_blur))[where]
    # Use the calmest fifth of the board only: grain and edges are not noise.
    m = LEARNING
    noise = m.noise_gain * np.percentile(rough, m.calm_percentile) / m.calm_sd + m.noise_floor
    return float(np.clip(noise, m.least_noise, m.most_noise))


def to_bgr(f: Floats) -> Floats:
    """BGR of features (the inverse of `features`)."""
    y, rg, bg = f[..., 0], f[..., 1], f[..., 2]
    green = y - 0.25 * (rg + bg)
    return np.stack([green + bg, green, green + rg], axis=-1)
