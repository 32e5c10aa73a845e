"""What this board, these checkers and this light look like: learned from a known position, refreshed by others.

No colour picker: the starting position says where 15 + 15 checkers stand, so their colours, the empty board and
the fall of light over it can be read off. All of it is kept in the light of the first picture ("reference
light"); every later picture is brought to that light before it is compared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.board.canvas import CHECKER_PX, Canvas, features
from pi_board.vision.checkers.appearance_numbers import DENSITY, LEARNING, NOISE_SAMPLE, SAME_NOISE
from pi_board.vision.checkers.bare_board import BareBoard, noise_of, to_bgr
from pi_board.vision.checkers.disc import BOARD, FAR, LIGHT, UNKNOWN, Disc
from pi_board.vision.checkers.light_fit import LightFit
from pi_board.vision.checkers.patches import Planes, largest, planes_of, put
from pi_board.vision.checkers.side_look import SideLook, learned_sides

Floats = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]
What = TypeVar("What")


class Appearance(BareBoard):
    """The learned look of one board on one canvas."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        shape = (canvas.height, canvas.width)
        self.reference = np.zeros((*shape, 3), np.float32)  # BGR, reference light
        self.label = np.full(shape, UNKNOWN, np.int8)
        self.sides: list[SideLook] = []
        self.discs: list[Disc] = []
        self.counts = np.zeros(28, np.int64)  # signed, of the reference picture
        self.hidden = np.nonzero(np.zeros(shape, bool))
        #: What follows from all that, worked out when first asked for, until something is learned again.
        self._derived: dict[Any, Any] = {}
        #: The part of the picture that says something, the reference and the light on it.
        self._light: tuple[Mask, Floats, LightFit] | None = None
        self.centre = np.array([(canvas.width - 1) / 2, (canvas.height - 1) / 2])

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
        columns: (12, 2) canvas x of the columns' middles, by `Row`.
        fresh: forget what was known (a first picture). shy: (H, W) where checkers may be, though nobody knows
        exactly where: not taken for empty board. guess: guess anew what a first picture's checkers cover.
        """
        radius = CHECKER_PX / 2
        f = features(bgr)
        near = np.full(self.label.shape, 1e3, np.float32)
        label = np.zeros(self.label.shape, np.int8)
        for d in sorted(discs, key=lambda d: d.layer):
            reach = LEARNING.window
            x0, x1 = max(0, int(d.x - reach)), min(self.canvas.width, int(d.x + reach + 1))
            y0, y1 = max(0, int(d.y - reach)), min(self.canvas.height, int(d.y + reach + 1))
            if x0 >= x1 or y0 >= y1:
                continue
            yy, xx = np.mgrid[y0:y1, x0:x1]
            r = np.hypot(xx - d.x, yy - d.y).astype(np.float32)
            window = near[y0:y1, x0:x1]
            label[y0:y1, x0:x1][r < radius * LEARNING.on] = LIGHT + d.side
            np.minimum(window, r, out=window)
        label[(near >= radius * LEARNING.on) & (near < radius * LEARNING.beside)] = UNKNOWN
        label[ignore | ~self.canvas.inside] = UNKNOWN
        if shy is not None:
            label[shy & (label == BOARD)] = UNKNOWN
        # Beside a checker the board lies in shadow: good enough to recognise it again, but not to learn it as bare board.
        stood = near <= radius * LEARNING.in_shadow
        free = (label == BOARD) & ~stood
        # So it may beside a die, the cube or a cup, whose shadow goes where they go: doubtful, until it is seen without them.
        beside = cv2.dilate(
            ignore.astype(np.uint8), np.ones((LEARNING.shadow, LEARNING.shadow), np.uint8)
        ).astype(bool)
        unsure = free & beside if fresh else free & beside & ((self.doubt > 0) | ~self.seen)
        self.beneath = stood if fresh else self.beneath | stood
        if fresh:
            self.noise = noise_of(f, self.canvas.field)
            put(f, free, self.board)
            self.seen = free.copy()
            if guess:
                self.guess_covered(f, columns, ignore)
            else:
                self.doubt[free] = 0.0
        else:
            new, old = free & ~self.seen, free & self.seen
            self.carry_change(f, old, columns)
            put(f, new, self.board)
            blend = cv2.addWeighted(self.board, 1.0 - LEARNING.board_rate, f, LEARNING.board_rate, 0.0)
            put(np.asarray(blend), old, self.board)
            self.seen |= free
            self.doubt[free] = 0.0
        self.doubt[unsure] = LEARNING.shadow_doubt
        self.hidden = np.nonzero((self.doubt > 0) & self.canvas.field)
        self.sides = learned_sides(self.sides, f, label, discs, self.centre, fresh)
        self.reference, self.label, self.discs = bgr.copy(), label, discs
        smooth = cv2.blur(self.board, (3, 3))
        # Half a pixel of misplacement shows wherever the board has edges.
        self.rough: Floats = (
            largest(np.abs(self.board - smooth))
            + np.abs(cv2.Laplacian(self.board[:, :, 0], cv2.CV_32F)) * LEARNING.edge_share
        )
        self.rough = cv2.dilate(self.rough, np.ones((2, 2), np.uint8))
        rf = features(self.reference)
        self.reference_features = rf
        self.reference_rough = cv2.dilate(
            largest(np.abs(rf - cv2.blur(rf, (3, 3)))), np.ones((2, 2), np.uint8)
        )
        self._derived = {}

    def forget(self, where: Mask) -> None:
        """`where` (H, W) the reference shows something that is no part of board and game: the bare board takes its place."""
        # (A guess of what checkers cover may come out darker than black, and light is fitted to logarithms.)
        self.reference[where] = np.clip(to_bgr(self.board[where]), 0.0, 255.0)
        self.reference_features[where] = self.board[where]
        self.label[where] = UNKNOWN
        self._derived = {}

    def take_for_board(self, bgr: Floats, where: Mask) -> None:
        """`where` (H, W) the bare board is what `bgr` ((H, W, 3) float32, reference light) shows, whatever was known of it."""
        f = features(bgr)[where]
        self.reference[where], self.reference_features[where], self.label[where] = bgr[where], f, BOARD
        self.board[where], self.doubt[where], self.seen[where] = f, LEARNING.shadow_doubt, True
        self.hidden = np.nonzero((self.doubt > 0) & self.canvas.field)
        self._derived = {}

    def known(self) -> dict[str, Any]:
        """All that is known now, for `restore`."""
        mine = dict(self.__dict__)
        return mine | {name: mine[name].copy() for name in ("board", "doubt", "seen")}

    def restore(self, known: dict[str, Any]) -> None:
        """What has been learned since `known` was taken is forgotten."""
        self.__dict__.update(known)

    def once(self, what: Any, work: Callable[[], What]) -> What:
        """`work()`, done once until something is learned again."""
        found: What | None = self._derived.get(what)
        if found is None:
            found = self._derived[what] = work()
        return found

    def with_noise(self, what: str, work: Callable[[], What]) -> What:
        """`work()`, done once for the noise of now."""
        found: tuple[float, What] | None = self._derived.get(what)
        if found is None or found[0] != self.noise:
            found = self._derived[what] = (self.noise, work())
        return found[1]

    def to_reference(self, bgr: Floats, use: Mask) -> tuple[Floats, float]:
        """The picture in reference light, and how much of it agrees with the reference (0..1)."""
        # `use` is one array for as long as the same of the board is in view.
        if self._light is None or self._light[0] is not use or self._light[1] is not self.reference:
            self._light = (
                use,
                self.reference,
                LightFit(self.reference, use, self._light[2] if self._light is not None else None),
            )
        bgr, agree = self._light[2].without(bgr)
        calm, reference = self.once("calm", self._calm)
        if len(calm) > LEARNING.least_calm:
            error = np.abs(bgr.reshape(-1, 3)[calm, 1] - reference)
            nth = int(LEARNING.change_share * (len(error) - 1))
            error.partition(nth)
            noise = LEARNING.noise_gain * error[nth] / LEARNING.change_sd + LEARNING.change_floor
            noise = float(np.clip(noise, LEARNING.least_noise, LEARNING.most_noise))
            if abs(noise / self.noise - 1.0) > SAME_NOISE:
                self.noise = noise
        return bgr, agree

    def _calm(self) -> tuple[npt.NDArray[np.intp], Floats]:
        """Pixels of the field without edges, thinned out evenly, and the reference's green there."""
        calm = np.flatnonzero((self.reference_rough < LEARNING.smooth) & self.canvas.field)
        calm = calm[:: max(1, len(calm) // NOISE_SAMPLE)] if len(calm) > LEARNING.least_calm else calm
        return calm, self.reference.reshape(-1, 3)[calm, 1]

    def sharpness(self) -> tuple[npt.NDArray[np.intp], float]:
        """Pixels at which the reference shows the bare board's edges, and how sharp they are there (median of the Laplacian)."""
        return self.once("sharpness", self._sharpness)

    def _sharpness(self) -> tuple[npt.NDArray[np.intp], float]:
        known = (self.label != UNKNOWN) & self.canvas.field
        if not known.any():
            return np.zeros(0, np.intp), 0.0
        edges = np.flatnonzero(
            known
            & (self.reference_rough > np.percentile(self.reference_rough[known], LEARNING.edges_percentile))
        )
        before = np.abs(cv2.Laplacian(self.reference_features[..., 0], cv2.CV_32F)).ravel()[edges]
        return edges, float(np.median(before)) if len(edges) else 0.0

    def side_features(self, side: int) -> Planes:
        """Three (H, W) features of a checker of that side, wherever it stands."""

        def work() -> Planes:
            look = self.sides[side]
            h, w = self.label.shape
            gx = (np.arange(w, dtype=np.float32) - self.centre[0]) * look.slope[0]
            gy = (np.arange(h, dtype=np.float32) - self.centre[1]) * look.slope[1]
            gain = 1.0 + gx[None, :] + gy[:, None]
            gain = np.clip(gain, DENSITY.slope_low, DENSITY.slope_high).astype(np.float32)
            return tuple(gain * np.float32(m) for m in look.mean)  # type: ignore[return-value]

        return self.once(("side", side), work)

    def planes(self, name: str) -> Planes:
        """The three planes of a kept (H, W, 3) array."""
        return self.once(name, lambda: planes_of(getattr(self, name)))

    def outside(self) -> Floats:
        """(H, W) 0 on the field, very large beside it: added, it takes the bare board's word from what lies there."""
        return self.once("outside", lambda: np.where(self.canvas.field, 0.0, FAR).astype(np.float32))
