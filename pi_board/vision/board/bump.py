"""`BumpWatch`: notices that board or camera was bumped, and finds the board's new place from the old picture.

Small patches that do not move in play (tips and feet of points, rim, bar) are looked for again in every settled
frame. Each is compared after removing its own brightness and contrast, so a lamp changes nothing; a hand or a
checker spoils the few patches that it covers but cannot make many of them agree on one and the same movement.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidError
from pi_board.vision.board.bump_numbers import BUMP
from pi_board.vision.board.drift import DRIFT, Drift
from pi_board.vision.board.geometry import BoardGeometry, transform
from pi_board.vision.board.landmarks import Landmarks
from pi_board.vision.changes import COARSE, Change, corners_of

Floats = npt.NDArray[Any]
Image = npt.NDArray[np.uint8]
State = Literal["steady", "moved", "blurred", "nothing", "unsure"]


#: Reach of the second pass, px: the wide search leaves no more than its reprojection error.
_REST = 5


@dataclass(frozen=True)
class Bump:
    """What one settled frame says.

    state: "steady" (the board is where it was), "moved" (`geometry` is its new place), "blurred" (out of focus: it may be
    where it was), "nothing" (to be seen: the light is off, or a hand lies on the lens), "unsure" (too little of the board is in view to tell). shift: largest movement of a field corner, px. agreeing: share
    of the patches in view that support the statement. geometry: valid for "steady" and "moved".
    """

    state: State
    shift: float
    agreeing: float
    geometry: BoardGeometry | None


class BumpWatch:
    """Watches one registered board.

    geometry: where it is. image: a settled picture of it (BGR), better without a hand. least_shift: px from which a
    movement counts. Raises InvalidError when the picture's size is not the geometry's.
    """

    def __init__(self, geometry: BoardGeometry, image: Image, *, least_shift: float = 1.2) -> None:
        self.least_shift = least_shift
        self._turn = 0
        self.restart(geometry, image)

    def restart(self, geometry: BoardGeometry, image: Image) -> None:
        """Take this picture, with the board here, as the new reference."""
        if (image.shape[1], image.shape[0]) != geometry.image_size:
            raise InvalidError(
                f"image: expected {geometry.image_size[0]}x{geometry.image_size[1]}, got {image.shape[1]}x{image.shape[0]}"
            )
        self.geometry = geometry
        self._scale = min(1.0, BUMP.width / image.shape[1])
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        small = self._small(grey)
        self._take(grey, small, self._choose(small).astype(np.float64))

    def _take(self, grey: Any, small: Any, where: Floats) -> None:
        """The landmarks at `where` (N, 2; px of the small picture) of the board that lies at `geometry`."""
        self._where, self._places = where, np.rint(where).astype(np.int64).reshape(-1, 2)
        self._drift = Drift(self.geometry)
        self._cut(grey, small)
        corners = np.array(self._fine.corners, np.int64).reshape(-1, 2)[:, ::-1].T
        limit = np.array([[grey.shape[0]], [grey.shape[1]]]) // COARSE
        blocks = np.concatenate(
            [np.minimum(corners // COARSE, limit), np.minimum((corners + 2 * BUMP.half) // COARSE + 1, limit)]
        )
        #: (4, N) of the patches, for `Change.touches`.
        self._corners = corners_of(blocks, (grey.shape[0] // COARSE, grey.shape[1] // COARSE))

    def _cut(self, grey: Any, small: Any) -> None:
        """Take the patches from this picture. small: `_small` of it."""
        self._sharp, self._contrast = _sharpness(small), _contrast(small)
        self._patches = Landmarks.cut(small, self._places)
        self._fine = (
            self._patches if small is grey else Landmarks.cut(grey, np.rint(self._places / self._scale))
        )
        self._missed = np.zeros(len(self._places), dtype=np.int64)
        #: (N, 2) px by which the board had crept when each patch was taken.
        self._crept = self._drift.at(self._fine.places)

    def renewed(self, image: Image) -> BumpWatch:
        """A watch of the same places, as a picture in new light shows them. (To choose them costs more than all else here.)"""
        other = copy(self)
        other._drift = copy(self._drift)
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        other._cut(grey, other._small(grey))
        return other

    def may_have_moved(self, change: Change | None) -> bool:
        """Whether a picture in which this is new may show the board elsewhere than the one before it, in which it was at rest: where it
        has moved, most of its edges are new. (Where nothing is known of changes it may.)"""
        if change is None or change.sums is None:
            return True
        touched = change.touches(self._corners)
        return bool(np.count_nonzero(touched) >= BUMP.touched * len(touched))

    def compare(self, image: Image) -> Bump:
        """One settled frame. After "moved" the watch goes on from the new place."""
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        # Nearly all frames end here.
        for which in (self._some(), np.arange(len(self._places))):
            at_rest = self._at_rest(grey, which)
            if at_rest is not None:
                return at_rest
        # Whoever switches off the lamp, or knocks the lens out of focus, has moved no board, and smeared patches resemble each other.
        small = self._small(grey)
        if _contrast(small) < BUMP.least_contrast * self._contrast:
            return Bump("nothing", 0.0, 0.0, None)
        if _sharpness(small) < BUMP.blurred * self._sharp:
            return Bump("blurred", 0.0, 0.0, None)
        return self._wide(image, grey)

    def glance(self, image: Image) -> None:
        """Notes how far the board of a settled picture has crept, if it is at rest."""
        self._at_rest(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), self._some())

    def _some(self) -> npt.NDArray[np.intp]:
        """Of the patches a few, chosen in turn: they are usually enough."""
        self._turn += 1
        return np.arange(self._turn % BUMP.parts, len(self._places), BUMP.parts)

    def _at_rest(self, grey: Any, which: npt.NDArray[np.intp], rate: float = DRIFT.rate) -> Bump | None:
        """What the patches `which` (N,) say if far more of them are at rest than moved, so that nothing has happened."""
        offset, like = self._fine.match(grey, BUMP.near, which)
        found = like > BUMP.like
        # As far as the board has crept, it is at rest.
        places = self._fine.places[which]
        off = offset + self._crept[which] - self._drift.at(places)
        distance = np.linalg.norm(off, axis=1)
        still = found & (distance < BUMP.at_rest)
        if not (
            still.sum() >= BUMP.enough
            and still.sum() >= BUMP.resting * found.sum()
            and found.mean() > BUMP.in_view
        ):
            return None
        self._drift.note(places[still], off[still], rate)
        lost = np.zeros(len(self._places), bool)
        lost[which] = (like < BUMP.unlike) | (distance > BUMP.astray)
        self._refresh(grey, lost, which)
        return Bump("steady", 0.0, float(still.sum() / found.sum()), self.geometry)

    def follow(self, image: Image) -> BoardGeometry | None:
        """Where the board lies in a settled picture, if it has crept further than may be since it was registered; None when it has not.
        The watch goes on from there."""
        if not self._drift.is_much:
            return None
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        # (What is not believed of this picture would be forgotten with the landmarks.)
        if self._at_rest(grey, np.arange(len(self._places)), rate=1.0) is None:
            return None
        movement = self._drift.movement
        try:
            self.geometry = self.geometry.moved(movement)
        except (InvalidError, np.linalg.LinAlgError, cv2.error):
            return None
        small = self._small(grey)
        where = transform(movement, self._where / self._scale) * self._scale
        edge, size = BUMP.half + 1, (small.shape[1], small.shape[0])
        inside = ((where > edge) & (where < np.array(size) - 1 - edge)).all(axis=1)
        self._take(grey, small, where[inside])
        return self.geometry

    def compare_near(self, image: Image, there: BoardGeometry) -> Bump:
        """The same where the board seems to lie `there`, as something else has found it."""
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        full = cv2.getPerspectiveTransform(
            self.geometry.corners.astype(np.float32), there.corners.astype(np.float32)
        )
        s = np.diag([self._scale, self._scale, 1.0])
        return self._exactly(image, grey, s @ full @ np.linalg.inv(s))

    # -- finding again ------------------------------------------------------------------------------------

    def _small(self, grey: Any) -> Any:
        if self._scale == 1.0:
            return grey
        return cv2.resize(grey, None, fx=self._scale, fy=self._scale, interpolation=cv2.INTER_AREA)

    def _choose(self, grey: Image) -> npt.NDArray[np.int64]:
        """(N, 2) px: places of the board that look the same all game and can be told from their surroundings."""
        g, p = self.geometry, self.geometry.profile
        h, w = p.field_height / 2, p.field_width / 2
        tips = [(g.column_x(c), s * (h - p.point_length)) for c in range(12) for s in (1, -1)]
        feet = [
            (g.column_x(c) + d * p.point_width / 2, s * h)
            for c in range(12)
            for s in (1, -1)
            for d in (-1, 1)
        ]
        bar = [
            (d * p.bar_width / 2, y) for d in (-1, 1) for y in (-h, -BUMP.bar_mark * h, BUMP.bar_mark * h, h)
        ]
        rim = p.rim_width
        frame = [(x, s * (h + rim)) for x in (-w - rim, -w / 2, 0.0, w / 2, w + rim) for s in (1, -1)]
        model = self.geometry.project(np.array(tips + feet + bar + frame)) * self._scale
        outline = np.round(g.outline(margin=BUMP.margin * rim) * self._scale).astype(np.int32)
        mask: Any = np.zeros(grey.shape, np.uint8)
        cv2.fillConvexPoly(mask, outline, 255)
        sharp = cv2.cornerMinEigenVal(cv2.GaussianBlur(grey, (0, 0), BUMP.corner_scale), 2 * BUMP.around + 1)
        sharp[mask == 0] = 0
        extra = cv2.goodFeaturesToTrack(grey, BUMP.corners, BUMP.corner_quality, 2.0 * BUMP.half, mask=mask)
        extra = np.zeros((0, 2)) if extra is None else extra.reshape(-1, 2)
        height, width = grey.shape
        weight = np.concatenate(
            [
                np.full(len(tips), BUMP.tip),
                np.full(len(model) - len(tips), BUMP.edge),
                np.full(len(extra), 1.0),
            ]
        )
        chosen: list[tuple[float, int, int]] = []
        for (x, y), prefer in zip(np.concatenate([model, extra]), weight, strict=True):
            # The sharpest place nearby; model sizes are not exact.
            x0, y0 = round(float(x)) - BUMP.around, round(float(y)) - BUMP.around
            edge = BUMP.half + BUMP.around + 1
            side = 2 * BUMP.around + 1
            if x0 < edge or y0 < edge or x0 + side >= width - edge or y0 + side >= height - edge:
                continue
            window = sharp[y0 : y0 + side, x0 : x0 + side]
            dy, dx = np.unravel_index(int(window.argmax()), window.shape)
            chosen.append((prefer * float(window.max()) ** 0.5, x0 + int(dx), y0 + int(dy)))
        chosen.sort(reverse=True)
        kept: list[tuple[int, int]] = []
        for _, x, y in chosen:
            if all((x - a) ** 2 + (y - b) ** 2 > (BUMP.apart * BUMP.half) ** 2 for a, b in kept):
                kept.append((x, y))
            if len(kept) == BUMP.most:
                break
        return np.array(kept, dtype=np.int64).reshape(-1, 2)

    def _wide(self, image: Image, frame: Any) -> Bump:
        grey = self._small(frame)
        offset, like = self._patches.match(grey, BUMP.wide)
        # A turned patch looks less like itself; the wide search is only to find the way.
        found = like > BUMP.like - BUMP.turned
        if found.sum() < BUMP.enough:
            return Bump("unsure", 0.0, 0.0, None)
        here = self._places[found].astype(np.float64)
        there = here + offset[found] + self._crept[found] * self._scale
        homography = self._coarse_movement(here, there)
        if homography is None:
            return Bump("unsure", 0.0, 0.0, None)
        return self._exactly(image, frame, homography)

    def _exactly(self, image: Image, frame: Any, homography: Floats) -> Bump:
        """What the picture says where the board has moved by about `homography` (3, 3; px of the small picture)."""
        grey = self._small(frame)
        # Second pass in the picture turned back: patches look like themselves again and match to a part of a pixel.
        agreeing = 0.0
        for _ in range(2):
            back = cv2.warpPerspective(
                grey,
                homography,
                (grey.shape[1], grey.shape[0]),
                flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            )
            offset, like = self._patches.match(back, _REST)
            offset += self._crept * self._scale
            found = like > BUMP.like
            if found.sum() < BUMP.enough:
                return Bump("unsure", 0.0, 0.0, None)
            here = self._places[found].astype(np.float64)
            step, agreeing = _robust_homography(here, here + offset[found])
            homography = homography @ step
        if agreeing < BUMP.agreeing[1]:
            return Bump("unsure", 0.0, agreeing, None)
        s = np.diag([1 / self._scale, 1 / self._scale, 1.0])
        full = s @ homography @ np.linalg.inv(s)
        shift = float(
            np.linalg.norm(transform(full, self.geometry.corners) - self.geometry.corners, axis=1).max()
        )
        if shift < self.least_shift:
            self._drift.take(full)
            self._refresh(frame, (like < BUMP.unlike) | (np.linalg.norm(offset, axis=1) > BUMP.astray))
            return Bump("steady", shift, agreeing, self.geometry)
        try:
            moved = self.geometry.moved(full)
        except (InvalidError, np.linalg.LinAlgError, cv2.error):
            return Bump("unsure", shift, agreeing, None)
        self.restart(moved, image)
        return Bump("moved", shift, agreeing, moved)

    def _coarse_movement(self, here: Floats, there: Floats) -> Floats | None:
        """(3, 3) homography by which most of the (N, 2) places `here` came to `there`, px of the small picture, None when there is none
        that is believed.

        Seen from straight above, the board moves like a stiff sheet in the picture: a similarity explains it. Seen at an angle, its near
        edge moves further than its far one, which takes a homography.
        """
        model, agree = cv2.estimateAffinePartial2D(
            here, there, method=cv2.RANSAC, ransacReprojThreshold=BUMP.reprojection[0], maxIters=800
        )
        explained = model is not None and agree is not None
        if explained and agree.sum() >= max(BUMP.enough, BUMP.agreeing[0] * len(here)):
            movement = np.vstack([model, [0, 0, 1]])
            return movement if self._is_believed(movement, BUMP.most_turn) else None
        if len(here) < BUMP.for_homography:
            return None
        full, mask = cv2.findHomography(here, there, cv2.RANSAC, BUMP.reprojection[0], maxIters=2000)
        if full is None or mask is None:
            return None
        # Eight parameters fit more by chance than four, so more places must agree.
        if mask.sum() < max(BUMP.for_homography, BUMP.agreeing[1] * len(here)):
            return None
        return full if self._is_believed(full, BUMP.most_turn_at_an_angle) else None

    def _is_believed(self, movement: Floats, most_turn: float) -> bool:
        """Whether `movement` (3, 3; px of the small picture) turns no side of the field by more than `most_turn` degrees, and makes none
        much longer or shorter."""
        corners = self.geometry.corners * self._scale
        before = np.roll(corners, -1, axis=0) - corners
        moved = transform(movement, corners)
        after = np.roll(moved, -1, axis=0) - moved
        scale = np.linalg.norm(after, axis=1) / np.linalg.norm(before, axis=1)
        cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
        turn = np.degrees(np.abs(np.arctan2(cross, (before * after).sum(axis=1))))
        return bool(
            (turn <= most_turn).all() and (scale > BUMP.least_scale).all() and (scale < BUMP.most_scale).all()
        )

    def _refresh(
        self, frame: Any, lost: npt.NDArray[np.bool_], looked_at: npt.NDArray[np.intp] | None = None
    ) -> None:
        """Patches that stayed lost (a checker came or went, the light turned) are taken anew: the board is steady.

        lost (N,): of all patches; looked_at: those that were looked for, all by default."""
        at = slice(None) if looked_at is None else looked_at
        self._missed[at] = np.where(lost[at], self._missed[at] + 1, 0)
        again = np.flatnonzero(self._missed >= BUMP.renew_after)
        if not len(again):
            return
        for i in again.tolist():
            small = self._small_around(frame, self._places[i])
            self._patches.pictures[i] = small
            if self._fine is not self._patches:
                self._fine.renew(frame, i)
        self._missed[again] = 0
        self._crept[again] = self._drift.at(self._fine.places[again])

    def _small_around(self, grey: Any, place: npt.NDArray[np.int64]) -> Any:
        """The patch at `place` (2,) of `_small`, of which only as much is made as is needed."""
        step = Fraction(self._scale).limit_denominator(grey.shape[1])
        small, large = step.numerator, step.denominator
        (left, top), side = (place - BUMP.half).tolist(), 2 * BUMP.half + 1
        # Whole steps of both grids, so that its pixels are made of the same ones.
        x, y = left // small, top // small
        right, bottom = -(-(left + side) // small), -(-(top + side) // small)
        part = self._small(grey[large * y : large * bottom, large * x : large * right])
        return part[top - small * y :, left - small * x :][:side, :side].copy()


def _sharpness(grey: Any) -> float:
    """How much of what a picture shows are edges: of no unit, and the same in dim light."""
    deviation = float(grey.std())
    return float(np.abs(cv2.Laplacian(grey, cv2.CV_32F)).mean()) / deviation if deviation > 0 else 0.0


def _contrast(grey: Any) -> float:
    """How much brighter parts of a picture are than others, 8-bit levels."""
    return float(cv2.blur(grey, (BUMP.smooth, BUMP.smooth)).std())


def _robust_homography(here: Floats, there: Floats) -> tuple[Floats, float]:
    """((3, 3), share agreeing): a homography where many well-spread places speak for it, else a similarity."""
    affine, agree = cv2.estimateAffinePartial2D(
        here, there, method=cv2.RANSAC, ransacReprojThreshold=BUMP.reprojection[1], maxIters=500
    )
    if affine is None or agree is None:
        return np.eye(3), 0.0
    model = np.vstack([affine, [0, 0, 1]])
    share = float(agree.mean())
    if agree.sum() >= BUMP.for_homography:
        full, mask = cv2.findHomography(here, there, cv2.RANSAC, BUMP.reprojection[2], maxIters=800)
        # Eight parameters from places in one corner would run away elsewhere.
        if full is not None and mask is not None and mask.sum() >= BUMP.homography_share * agree.sum():
            shape = full[:2, :2] @ full[:2, :2].T
            stretches = shape[0, 0], shape[1, 1]
            if np.all(np.abs(full[2, :2]) < BUMP.most_perspective) and all(
                BUMP.least_square < square < BUMP.most_square for square in stretches
            ):
                return full / full[2, 2], float(mask.mean())
    return model, share
