"""`BoardGeometry`: where things of the board frame lie in the picture, and back.

Board frame: cm, origin in the centre of the playing field on its surface, x right, y away from the near player
(up in the picture), z up. Pixels: OpenCV convention, pixel centres are integers.

On the board's surface a homography is exact (one per half when the bar's edges are known: bar width is the main
misfit of real boards, and two short homographies also take up some lens distortion). Above the surface a camera
pose gives the displacement: seen at 30° a checker's top is a sixth of a diameter away from its foot.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidError
from pi_board.vision.board.orientation import COLUMNS, Row
from pi_board.vision.board.pose import CameraPose, fit_pose
from pi_board.vision.profile import BoardProfile

Floats = npt.NDArray[Any]  # float64
Image = npt.NDArray[np.uint8]


#: A corner may lie so far outside the picture, share of its width or height; farther, it is taken for an error. Chosen by eye.
OUTSIDE = 0.5


def check_corners(corners: npt.ArrayLike, image_size: tuple[int, int] | None = None) -> Floats:
    """(4, 2) float corners TL, TR, BR, BL. Raises InvalidError unless a convex quadrilateral in that order."""
    quad = np.asarray(corners, dtype=np.float64)
    if quad.shape != (4, 2) or not np.isfinite(quad).all():
        raise InvalidError(
            f"corners: expected 4 points x,y (TL TR BR BL), got an array of shape {quad.shape}"
        )
    edges = np.roll(quad, -1, axis=0) - quad
    following = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    if not (turns > 0).all():
        raise InvalidError(
            "corners: expected a convex quadrilateral in the order TL TR BR BL as seen in the picture"
        )
    if image_size is not None:
        width, height = image_size
        picture = np.array([width, height])
        if (quad < -OUTSIDE * picture).any() or (quad > (1 + OUTSIDE) * picture).any():
            raise InvalidError(f"corners: expected points in or near the {width}x{height} picture")
    return quad


#: Rows of a rectified picture between which its maps are straight.
ROWS_APART = 3
#: Points for which `BoardGeometry.unproject` remembers its answer, and so many answers.
_FEW, _REMEMBERED = 16, 64


def exact_homography(source: Floats, target: Floats) -> Floats:
    """(3, 3) homography that maps four points onto four points, in double precision."""
    rows, right = [], []
    for (x, y), (u, v) in zip(source, target, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    h = np.linalg.solve(np.array(rows), np.array(right))
    return np.append(h, 1.0).reshape(3, 3)


def transform(homography: Floats, points: Floats) -> Floats:
    """(N, 2) points through a (3, 3) homography."""
    mapped = points @ homography[:, :2].T + homography[:, 2]
    return mapped[:, :2] / mapped[:, 2:3]


class BoardGeometry:
    """Both directions between board frame and picture, for one registered board.

    profile: sizes in cm. corners: (4, 2) px, TL TR BR BL of the playing field at board level.
    image_size: (width, height) px. bar_edges: (4, 2) px, the bar's far-left, far-right, near-right, near-left corners
    on the field's edges; without them the bar is where the profile says. intrinsics: (3, 3) camera matrix; without
    it the focal length is estimated from the corner rectangle, held near that of common cameras.
    distortion: OpenCV coefficients (k1 k2 p1 p2 k3), needs intrinsics.
    Instances are not changed after construction; `with_corners` makes another one.
    Raises InvalidError for corners that are no convex quadrilateral.
    """

    def __init__(
        self,
        profile: BoardProfile,
        corners: npt.ArrayLike,
        image_size: tuple[int, int],
        *,
        bar_edges: npt.ArrayLike | None = None,
        intrinsics: npt.ArrayLike | None = None,
        distortion: npt.ArrayLike | None = None,
        pose: CameraPose | None = None,
    ) -> None:
        self.image_size = (int(image_size[0]), int(image_size[1]))
        self.corners = check_corners(corners, self.image_size)
        self.intrinsics = None if intrinsics is None else np.asarray(intrinsics, dtype=np.float64)
        self.distortion = None if distortion is None else np.asarray(distortion, dtype=np.float64).ravel()
        if self.distortion is not None and self.intrinsics is None:
            raise InvalidError("distortion: expected the camera matrix (intrinsics) with it")
        self.profile = profile
        ideal = self._undistort(self.corners)
        half_w, half_h = profile.field_width / 2, profile.field_height / 2
        rectangle = np.array([[-half_w, half_h], [half_w, half_h], [half_w, -half_h], [-half_w, -half_h]])
        self._whole = exact_homography(rectangle, ideal)
        half_bar = profile.bar_width / 2
        bar_rectangle = np.array(
            [[-half_bar, half_h], [half_bar, half_h], [half_bar, -half_h], [-half_bar, -half_h]]
        )
        if bar_edges is None:
            self.bar_edges = self._distort(transform(self._whole, bar_rectangle))
            self._parts: tuple[Floats, Floats, Floats] | None = None
        else:
            self.bar_edges = check_corners(bar_edges, self.image_size)
            bar = self._undistort(self.bar_edges)
            left = exact_homography(
                np.array([rectangle[0], bar_rectangle[0], bar_rectangle[3], rectangle[3]]),
                np.array([ideal[0], bar[0], bar[3], ideal[3]]),
            )
            right = exact_homography(
                np.array([bar_rectangle[1], rectangle[1], rectangle[2], bar_rectangle[2]]),
                np.array([bar[1], ideal[1], ideal[2], bar[2]]),
            )
            self._parts = (left, exact_homography(bar_rectangle, bar), right)
        self._own_bar_edges = bar_edges is not None
        self.pose = pose or fit_pose(rectangle, ideal, self.image_size, self.intrinsics)
        self._maps: dict[tuple[float, float, float], tuple[npt.NDArray, npt.NDArray]] = {}

    # -- lens ---------------------------------------------------------------------------------------------

    def _undistort(self, pixels: Floats) -> Floats:
        if self.distortion is None or not len(pixels):
            return pixels
        assert self.intrinsics is not None
        k = self.intrinsics
        out = cv2.undistortPoints(pixels.reshape(-1, 1, 2), k, self.distortion, P=k)
        return out.reshape(-1, 2).astype(np.float64)

    def _distort(self, pixels: Floats) -> Floats:
        if self.distortion is None or not len(pixels):
            return pixels
        assert self.intrinsics is not None
        k = self.intrinsics
        rays = np.column_stack(
            [(pixels[:, 0] - k[0, 2]) / k[0, 0], (pixels[:, 1] - k[1, 2]) / k[1, 1], np.ones(len(pixels))]
        )
        out, _ = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), k, self.distortion)
        return out.reshape(-1, 2).astype(np.float64)

    # -- both directions ----------------------------------------------------------------------------------

    def _surface(self, xy: Floats) -> Floats:
        """(N, 2) cm on the surface → ideal pixels."""
        if self._parts is None:
            return transform(self._whole, xy)
        half_bar = self.profile.bar_width / 2
        left, bar, right = self._parts
        # At the seams the parts agree only to a fraction of a pixel; far outside, each half continues.
        out = transform(bar, xy)
        side = xy[:, 0] < -half_bar
        out[side] = transform(left, xy[side])
        side = xy[:, 0] > half_bar
        out[side] = transform(right, xy[side])
        return out

    def project(self, xyz: npt.ArrayLike) -> Floats:
        """Board frame (N, 3) or (N, 2, at z = 0) cm → (N, 2) px."""
        points = np.asarray(xyz, dtype=np.float64)
        points = points.reshape(-1, points.shape[-1] if points.ndim else 3)
        ideal = self._surface(points[:, :2])
        if points.shape[1] == 3 and points[:, 2].any():
            foot = points * (1.0, 1.0, 0.0)
            ideal = ideal + self.pose.project(points) - self.pose.project(foot)
        return self._distort(ideal)

    def unproject(self, px: npt.ArrayLike, z: float | tuple[float, ...] = 0.0) -> Floats:
        """(N, 2) px → (N, 2) cm on the plane at height z (cm), or each at its own."""
        asked = np.asarray(px, dtype=np.float64).reshape(-1, 2)
        if asked.shape[0] > _FEW:
            return self._unprojected(asked, z)
        # The same dice and the same cube are asked about several times a look, and in the next one again.
        key = (asked.tobytes(), z)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            known = self._known[key] = self._unprojected(asked, z)
        return known.copy()

    def _unprojected(self, px: Floats, z: float | tuple[float, ...]) -> Floats:
        pixels = px if self.distortion is None else self._undistort(px)
        back, pose = self._surface_back, self.pose
        xy = back(pixels)
        if z:
            height = np.array(z)[:, None] if isinstance(z, tuple) else z
            for _ in range(3):  # the displacement varies slowly, so this settles to a tenth of a micrometre
                xy = back(pixels - pose.lift(xy, height))
        return xy

    @cached_property
    def _known(self) -> dict[tuple[bytes, float | tuple[float, ...]], Floats]:
        """Places that were asked for lately, of a few points each. (Nothing of an instance ever changes.)"""
        return {}

    @cached_property
    def _back(self) -> tuple[Floats, ...]:
        """Picture to surface: of the left half, the bar and the right half. Inverting them costs more than using them."""
        assert self._parts is not None
        return tuple(np.linalg.inv(part) for part in self._parts)

    @cached_property
    def _surface_back(self) -> Callable[[Floats], Floats]:
        """(N, 2) ideal pixels → cm on the surface."""
        return self._parts_back if self._parts is not None else partial(transform, np.linalg.inv(self._whole))

    def _parts_back(self, pixels: Floats) -> Floats:
        half_bar = self.profile.bar_width / 2
        left, bar, right = self._back
        out = transform(bar, pixels)
        on_left, on_right = out[:, 0] < -half_bar, out[:, 0] > half_bar
        if on_left.any():
            out[on_left] = transform(left, pixels[on_left])
        if on_right.any():
            out[on_right] = transform(right, pixels[on_right])
        return out

    # -- pictures -----------------------------------------------------------------------------------------

    def rectified_size(self, px_per_cm: float, margin: float = 0.0) -> tuple[int, int]:
        """(width, height) px of `rectify`."""
        p = self.profile
        return (
            max(1, round((p.field_width + 2 * margin) * px_per_cm)),
            max(1, round((p.field_height + 2 * margin) * px_per_cm)),
        )

    def to_rectified(self, xy: npt.ArrayLike, px_per_cm: float, margin: float = 0.0) -> Floats:
        """(N, 2) cm → (N, 2) px in the picture that `rectify` gives."""
        xy = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
        p = self.profile
        px = np.empty_like(xy)
        px[:, 0] = (xy[:, 0] + p.field_width / 2 + margin) * px_per_cm - 0.5
        px[:, 1] = (p.field_height / 2 + margin - xy[:, 1]) * px_per_cm - 0.5
        return px

    def from_rectified(self, px: npt.ArrayLike, px_per_cm: float, margin: float = 0.0) -> Floats:
        """(N, 2) px of a rectified picture → (N, 2) cm."""
        px = np.asarray(px, dtype=np.float64).reshape(-1, 2)
        p = self.profile
        xy = np.empty_like(px)
        xy[:, 0] = (px[:, 0] + 0.5) / px_per_cm - p.field_width / 2 - margin
        xy[:, 1] = p.field_height / 2 + margin - (px[:, 1] + 0.5) / px_per_cm
        return xy

    def rectify(self, image: Image, px_per_cm: float, z: float = 0.0, margin: float = 0.0) -> Image:
        """The field seen straight from above, `px_per_cm` pixels to the centimetre, on the plane at height z.

        Row 0 is the far edge, column 0 the left edge, moved out by `margin` cm on all sides. Outside the picture: black.
        The pixel maps are kept, so the second call for the same plane costs one remap.
        """
        return cv2.remap(  # type: ignore[return-value]
            image, *self.rectify_maps(px_per_cm, z, margin), cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT
        )

    def rectify_maps(
        self, px_per_cm: float, z: float = 0.0, margin: float = 0.0
    ) -> tuple[npt.NDArray, npt.NDArray]:
        """The two maps for cv2.remap that `rectify` uses (fixed point)."""
        key = (float(px_per_cm), float(z), float(margin))
        if key not in self._maps:
            width, height = self.rectified_size(px_per_cm, margin)
            # Every so many rows, and straight between them: far less than the maps' own step of 1/32 px is lost.
            rows = np.arange(0, height + ROWS_APART, ROWS_APART)
            grid = np.stack(np.meshgrid(np.arange(width), rows), axis=-1).reshape(-1, 2)
            xy = self.from_rectified(grid, px_per_cm, margin)
            coarse = self.project(np.column_stack([xy, np.full(len(xy), float(z))]))
            coarse = coarse.reshape(len(rows), width, 2)
            at = np.arange(height)
            above, share = at // ROWS_APART, (at % ROWS_APART / ROWS_APART)[:, None, None]
            full = coarse[above] * (1 - share) + coarse[above + 1] * share
            pixels = full.astype(np.float32).reshape(-1, 2)
            self._maps[key] = cv2.convertMaps(
                pixels[:, 0].reshape(height, width), pixels[:, 1].reshape(height, width), cv2.CV_16SC2
            )
        return self._maps[key]

    # -- places -------------------------------------------------------------------------------------------

    def column_x(self, column: float) -> float:
        """x (cm) of the middle of point column 0..11, left to right."""
        p = self.profile
        if column < COLUMNS / 2:
            return -p.field_width / 2 + (column + 0.5) * p.point_width
        return p.bar_width / 2 + (column - COLUMNS / 2 + 0.5) * p.point_width

    def checker_place(self, column: int, row: Row, index: int, layer: int = 0) -> tuple[float, float, float]:
        """(x, y, z) cm of the centre of a checker's top face: the index-th from the field's edge, touching the
        one before, on `layer` other checkers."""
        p = self.profile
        y = p.field_height / 2 - p.checker_diameter * (index + 0.5)
        return self.column_x(column), (-y if row is Row.NEAR else y), p.checker_height * (layer + 1)

    def scale_at(self, xyz: npt.ArrayLike) -> Floats:
        """(N,) px per cm at (N, 3) board positions (geometric mean of both directions on the plane there)."""
        points = np.asarray(xyz, dtype=np.float64).reshape(-1, 3)
        step = 0.25
        right, up = points + np.array([step, 0, 0]), points + np.array([0, step, 0])
        base = self.project(points)
        a, b = (self.project(right) - base) / step, (self.project(up) - base) / step
        return np.sqrt(np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]))

    @property
    def px_per_cm(self) -> float:
        """Pixels per cm in the middle of the field."""
        return float(self.scale_at([[0.0, 0.0, 0.0]])[0])

    @property
    def camera_position(self) -> Floats:
        """(3,) cm, where the camera is in the board frame (as well as the picture tells)."""
        return self.pose.position

    @property
    def tilt(self) -> float:
        """Degrees between the view of the field's centre and straight down."""
        x, y, z = self.pose.position
        return float(np.degrees(np.arctan2(np.hypot(x, y), z)))

    def outline(self, z: float = 0.0, margin: float = 0.0, samples: int = 1) -> Floats:
        """(4 × samples, 2) px: the field's edge, moved out by margin cm, from TL clockwise."""
        p = self.profile
        w, h = p.field_width / 2 + margin, p.field_height / 2 + margin
        quad = np.array([[-w, h], [w, h], [w, -h], [-w, -h]])
        t = np.arange(samples)[:, None] / samples
        xy = np.concatenate([quad[i] * (1 - t) + quad[(i + 1) % 4] * t for i in range(4)])
        return self.project(np.column_stack([xy, np.full(len(xy), float(z))]))

    def with_corners(self, corners: npt.ArrayLike, bar_edges: npt.ArrayLike | None = None) -> BoardGeometry:
        """The same board and camera after a bump: other corners (and bar edges), same sizes, same focal length."""
        k = self.intrinsics if self.intrinsics is not None else self.pose.intrinsics
        moved = BoardGeometry.__new__(BoardGeometry)
        BoardGeometry.__init__(
            moved,
            self.profile,
            corners,
            self.image_size,
            bar_edges=bar_edges,
            intrinsics=k,
            distortion=self.distortion,
        )
        moved.intrinsics = k if self.intrinsics is not None else None
        return moved

    def moved(self, homography: npt.ArrayLike) -> BoardGeometry:
        """The same board after the picture moved by a (3, 3) homography (old pixels → new pixels)."""
        h = np.asarray(homography, dtype=np.float64)
        bar = transform(h, self.bar_edges) if self._own_bar_edges else None
        return self.with_corners(transform(h, self.corners), bar)
