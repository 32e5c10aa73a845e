"""A pinhole camera with OpenCV's lens model, and the pose it hangs in."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ViewPose:
    """How the camera hangs. Angles in degrees, lengths in cm.

    hfov: horizontal field of view. fill: share of the picture's narrower side that the framed board takes.
    tilt: away from straight down; azimuth: where it is moved to (0 = towards the near player). roll: of the picture.
    shift_x, shift_y: board centre off the picture's middle, in shares of the width and height.
    k1, k2: OpenCV's radial distortion.
    """

    hfov: float = 62.0
    fill: float = 0.86
    tilt: float = 8.0
    azimuth: float = 15.0
    roll: float = 0.8
    shift_x: float = 0.0
    shift_y: float = 0.0
    k1: float = -0.06
    k2: float = 0.01

    def bumped(self, rng: np.random.Generator, amount: float = 1.0) -> ViewPose:
        """The pose after a knock against the stand or the board."""
        return replace(
            self,
            tilt=max(0.0, self.tilt + amount * rng.uniform(-1.5, 1.5)),
            azimuth=self.azimuth + amount * rng.uniform(-8, 8),
            roll=self.roll + amount * float(rng.choice([-1, 1])) * rng.uniform(0.8, 2.5),
            shift_x=self.shift_x + amount * float(rng.choice([-1, 1])) * rng.uniform(0.008, 0.025),
            shift_y=self.shift_y + amount * rng.uniform(-0.015, 0.015),
        )


@dataclass(frozen=True)
class Projection:
    """Projection of board-frame cm to pixels (OpenCV convention: pixel centres are integers).

    K: (3, 3). distortion: (5,) k1 k2 p1 p2 k3. R, t: world to camera, cm. size: (width, height).
    """

    K: Array
    distortion: Array
    R: Array
    t: Array
    size: tuple[int, int]

    @classmethod
    def looking(cls, pose: ViewPose, size: tuple[int, int], extent: tuple[float, float]) -> Projection:
        """A camera in `pose` above a board of outer `extent` (width, height in cm)."""
        width, height = size
        f = width / 2 / np.tan(np.radians(pose.hfov) / 2)
        K = np.array([[f, 0, (width - 1) / 2], [0, f, (height - 1) / 2], [0, 0, 1]], np.float64)
        distance = f * max(extent[0] / (width * pose.fill), extent[1] / (height * pose.fill))
        tilt, azimuth, roll = np.radians([pose.tilt, pose.azimuth, pose.roll])
        # Camera centre on a sphere around the board's middle; z axis of the camera looks down at it.
        direction = np.array([np.sin(tilt) * np.sin(azimuth), -np.sin(tilt) * np.cos(azimuth), np.cos(tilt)])
        forward = -direction
        up = np.array([0.0, 1.0, 0.0])
        right = np.cross(forward, up)
        right /= np.linalg.norm(right)
        down = np.cross(forward, right)
        R = np.stack([right, down, forward])
        c, s = np.cos(roll), np.sin(roll)
        R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ R
        t = -R @ (direction * distance)
        t = t + np.array([pose.shift_x * width, pose.shift_y * height, 0]) / f * distance
        return cls(K, np.array([pose.k1, pose.k2, 0, 0, 0], np.float64), R, t, size)

    @property
    def center(self) -> Array:
        """The camera's place in the board frame, cm."""
        return -self.R.T @ self.t

    def project(self, xyz: npt.ArrayLike, *, distort: bool = True) -> Array:
        """(N, 3) cm → (N, 2) pixels."""
        p = np.asarray(xyz, np.float64).reshape(-1, 3) @ self.R.T + self.t
        x, y = p[:, 0] / p[:, 2], p[:, 1] / p[:, 2]
        if distort:
            k1, k2 = self.distortion[0], self.distortion[1]
            r2 = x * x + y * y
            factor = 1 + r2 * (k1 + r2 * k2)
            x, y = x * factor, y * factor
        return np.stack([x * self.K[0, 0] + self.K[0, 2], y * self.K[1, 1] + self.K[1, 2]], axis=1)

    def plane_homography(self, z: float) -> Array:
        """(3, 3) from (x, y, 1) cm on the plane at height z to undistorted pixels."""
        A = np.stack([self.R[:, 0], self.R[:, 1], self.R[:, 2] * z + self.t], axis=1)
        return self.K @ A

    def undistorted(self, px: npt.ArrayLike) -> Array:
        """(N, 2) picture pixels → (N, 2) pixels of the same camera with an ideal lens."""
        points = np.asarray(px, np.float64).reshape(-1, 1, 2)
        return np.asarray(cv2.undistortPoints(points, self.K, self.distortion, P=self.K), np.float64).reshape(
            -1, 2
        )

    def on_plane(self, px: npt.ArrayLike, z: float = 0.0) -> Array:
        """(N, 2) picture pixels → (N, 2) cm on the plane at height z."""
        p = self.undistorted(px)
        h = np.linalg.inv(self.plane_homography(z))
        q = np.c_[p, np.ones(len(p))] @ h.T
        return q[:, :2] / q[:, 2:]

    def pixels_per_cm(self, xyz: npt.ArrayLike) -> float:
        """Scale at one place."""
        depth = float(self.R[2] @ np.asarray(xyz, np.float64) + self.t[2])
        return float(self.K[0, 0] / depth)
