"""`BoardReader`: frames of one board in, `Sighting`s out."""

from __future__ import annotations

from typing import Any, Literal

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidError
from pi_board.frame import Frame
from pi_board.rules import Position, Side
from pi_board.rules.position import STARTING_POSITION
from pi_board.sighting import Gate, Sighting
from pi_board.vision.appearance import TOP, UNKNOWN, Appearance, Disc, cut
from pi_board.vision.canvas import CHECKER_PX, Canvas, features
from pi_board.vision.checkers import PIXEL_CAP, WITNESSES, CheckerFinder, Layout, labelled, plain_layout, ratio, row_index
from pi_board.vision.geometry import BoardGeometry
from pi_board.vision.options import VisionOptions
from pi_board.vision.orientation import Orientation
from pi_board.vision.profile import BoardProfile

Floats = npt.NDArray[Any]


def signed_counts(position: Position) -> npt.NDArray[np.int64]:
    """(28,) signed counts in `Sighting`'s slot order."""
    return np.array(
        (*position.points, position.bar[0], -position.bar[1], position.off[0], -position.off[1]), dtype=np.int64
    )


class BoardReader:
    def __init__(
        self,
        profile: BoardProfile,
        *,
        near: Side = "light",
        home: Literal["right", "left"] = "right",
        geometry: BoardGeometry | None = None,
        registration: Any = None,
        options: VisionOptions | None = None,
    ) -> None:
        self.profile = profile
        self.orientation = Orientation(near, home)
        self.options = options or VisionOptions()
        self.geometry = geometry
        self.appearance: Appearance | None = None
        self._start = STARTING_POSITION

    def look(self, frame: Frame) -> Sighting:
        image = frame.image
        if self.appearance is None:
            self._begin(image)
        look = self.appearance
        bgr = self.canvas.warp(image)
        bgr, self.agree = look.to_reference(bgr, self.canvas.inside)
        self._bgr = bgr
        self.dice, self.cube = self._find(image)
        self._mask = self._ignore(self.dice, self.cube)
        scores = self._scores(bgr, self._mask)
        self._last = scores
        ll = self.finder.read(scores, self._judge)
        return Sighting(frame.seq, frame.time, Gate.SETTLED, ll, name=frame.name)

    def _scores(self, bgr: Floats, ignore: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
        look = self.appearance
        e = look.explain(bgr)
        self._explanation = e
        board, light, dark = labelled(e.light, e.dark, e.same, e.board, look.label)
        self._rest = (np.maximum(board, dark), np.maximum(board, light))
        self._plain = (light, dark)
        self._open = (~ignore).astype(np.float32)
        lr = ratio(light, np.maximum(board, dark))
        dr = ratio(dark, np.maximum(board, light))
        lr[ignore] = 0.0
        dr[ignore] = 0.0
        return self.finder.disc_scores(lr), self.finder.disc_scores(dr)

    def _judge(self, side: int, places: list[Disc]) -> Floats:
        """(N,) nats that the checkers' own look says for them standing there."""
        if not places:
            return np.zeros(0)
        each = self.appearance.top_ratio(self._explanation.features, self._rest[side], self._plain[side], side, places)
        each = np.clip(0.5 * each, -PIXEL_CAP, PIXEL_CAP) * TOP * cut(self._open, places)
        return each.sum(axis=(1, 2)) * (WITNESSES / TOP.sum())

    def _ignore(self, dice, cube) -> npt.NDArray[np.bool_]:
        """(H, W) canvas pixels that dice and cube cover."""
        mask = np.zeros((self.canvas.height, self.canvas.width), np.uint8)
        things = [((d.x, d.y), self.profile.die_size) for d in dice]
        if cube is not None and cube.place != "none":
            things.append(((cube.x, cube.y), self.profile.cube_size))
        for px, size in things:
            u, v = self.canvas.from_picture([px])[0]
            cv2.circle(mask, (round(u), round(v)), round(0.8 * size * self.canvas.px_per_cm), 1, -1)
        return mask.astype(bool)

    def learn(self, position: Position) -> None:
        counts = signed_counts(position)
        discs = self.finder.fit(self._last, counts, self._judge)
        self.appearance.learn(self._bgr, discs, self._mask, columns=self.finder.columns, fresh=False)

    def _begin(self, image) -> None:
        self.canvas = Canvas(self.geometry)
        self.finder = CheckerFinder(self.canvas, self.orientation)
        self.appearance = look = Appearance(self.canvas)
        bgr = self.canvas.warp(image)
        counts = signed_counts(self._start)
        discs = self.ideal_discs(counts)
        ignore = self._ignore(*self._find(image))
        shy = self._neighbourhood(counts)
        look.learn(bgr, discs, ignore, columns=self.finder.columns, fresh=True, shy=shy)
        for i in range(3):
            # The labels of a rough fit must not defend themselves: only colours and the empty board speak here.
            look.label[:] = UNKNOWN
            scores = self._scores(bgr, ignore)
            discs = self.finder.fit(scores, counts, self._judge if i else None)
            self.finder.set_layout(self.learn_layout(discs))
            look.learn(bgr, discs, ignore, columns=self.finder.columns, fresh=True, shy=shy)
        look.label[:] = UNKNOWN
        scores = self._scores(bgr, ignore)
        discs = self.finder.fit(scores, counts, self._judge)
        look.learn(bgr, discs, ignore, columns=self.finder.columns, fresh=True)
        self._last = scores
        self._bgr = bgr

    def _neighbourhood(self, counts) -> npt.NDArray[np.bool_]:
        """(H, W) where the checkers of `counts` may stand, generously."""
        mask = np.zeros((self.canvas.height, self.canvas.width), bool)
        half = self.profile.field_height / 2
        d = self.profile.checker_diameter
        for p in range(24):
            n = min(5, abs(int(counts[p])))
            if n:
                column, row = self.orientation.column_of(p + 1)
                x = self.geometry.column_x(column)
                y = half - (n + 0.9) * 1.04 * d
                sign = -1 if row == "near" else 1
                mask[self.canvas.rectangle(x - 0.75 * d, sign * (half + 0.1 * d), x + 0.75 * d, sign * y)] = True
        return mask

    def _find(self, image):
        from pi_board.vision import cube, dice

        return dice.find_dice(image, self.geometry, self.orientation), cube.find_cube(image, self.geometry, self.orientation)

    def ideal_discs(self, counts) -> list[Disc]:
        out = []
        for p in range(24):
            n = int(counts[p])
            column, row = self.orientation.column_of(p + 1)
            for i in range(abs(n)):
                x, y, _ = self.geometry.checker_place(column, row, i)
                u, v = self.canvas.place([[x, y]])[0]
                out.append(Disc(u, v, 0 if n > 0 else 1, p))
        return out

    def learn_layout(self, discs: list[Disc]) -> Layout:
        """Columns: a line through what was found, per half of the board; rows likewise by the first checkers."""
        layout = plain_layout()
        pitch = []
        by_slot: dict[int, list[Disc]] = {}
        for d in discs:
            by_slot.setdefault(d.slot, []).append(d)
        for half in (0, 1):
            for row in ("near", "far"):
                xs, dx = [], []
                for slot, ds in by_slot.items():
                    if slot >= 24:
                        continue
                    column, r = self.orientation.column_of(slot + 1)
                    if r != row or column // 6 != half:
                        continue
                    expected = self.canvas.place([[self.geometry.column_x(column), 0.0]])[0]
                    xs.append(column)
                    dx.append(np.median([d.x for d in ds]) - expected[0])
                    ys = sorted(d.y for d in ds)
                    pitch += list(np.diff(ys))
                if len(xs) >= 2:
                    slope = (dx[-1] - dx[0]) / (xs[-1] - xs[0])
                    for k in range(6):
                        layout.offset[half * 6 + k, row_index(row), 0] = dx[0] + slope * (half * 6 + k - xs[0])
        layout.pitch = float(np.clip(np.median(pitch), 0.85 * CHECKER_PX, 1.2 * CHECKER_PX)) if pitch else CHECKER_PX
        return layout
