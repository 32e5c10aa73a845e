"""Camera pose from one rectangle, with a focal length that may be unknown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.board.jacobian import jacobian_at_once

Floats = npt.NDArray[Any]  # float64

#: Focal length / longer side of the picture of common cameras (horizontal views of 50° to 75°), and its spread.
USUAL_FOCAL = 0.88
_FOCAL_SPREAD = 0.22
#: Corners are known to about this many pixels.
_CORNER_SIGMA = 0.7
#: Levenberg-Marquardt: steps of the numeric derivative (turn in rad, shift in cm, log focal length, log proportion), damping at first and at
#: most, its factors after a good and a bad step, and the gain (squared sigmas) below which it has settled.
_STEPS = (1e-5, 1e-5, 1e-5, 1e-4, 1e-4, 1e-4, 1e-5, 1e-5)
_DAMPING, _MOST_DAMPING, _GOOD, _BAD, _SETTLED = 1e-3, 1e6, 5, 8, 1e-9
#: Added to the diagonal, so that a parameter without influence does not make the normal equations singular.
_RIDGE = 1e-9


@dataclass(frozen=True)
class CameraPose:
    """A pinhole camera: rotation (3, 3) and translation (3,) take board cm into the camera frame (z forward).

    height_scale: measured field height / the profile's, when the picture showed another proportion.
    """

    rotation: Floats
    translation: Floats
    intrinsics: Floats
    height_scale: float = 1.0

    def project(self, xyz: Floats) -> Floats:
        """(N, 3) cm → (N, 2) px."""
        turn, shift = self._plain
        seen = xyz @ turn + shift
        px: Floats = seen[:, :2] / seen[:, 2:]
        return px

    def lift(self, xy: Floats, z: float | Floats) -> Floats:
        """(N, 2) px by which points at height z cm (or (N, 1)) are displaced against their feet (N, 2) cm on the board."""
        turn, shift = self._plain
        foot = xy @ turn[:2] + shift
        top = foot + z * turn[2]
        px: Floats = top[:, :2] / top[:, 2:] - foot[:, :2] / foot[:, 2:]
        return px

    @cached_property
    def _plain(self) -> tuple[Floats, Floats]:
        """(3, 3) and (3,): cm to homogeneous px in one product and one sum."""
        turn = self.intrinsics @ self.rotation * [1.0, self.height_scale, 1.0]
        return np.ascontiguousarray(turn.T), self.intrinsics @ self.translation

    @property
    def position(self) -> Floats:
        """(3,) cm: the camera in the board frame."""
        return -self.rotation.T @ self.translation


def fit_pose(
    rectangle: Floats,
    corners: Floats,
    image_size: tuple[int, int],
    intrinsics: Floats | None = None,
    *,
    proportion_spread: float = 0.06,
) -> CameraPose:
    """Pose from (N, 2) places of the plane z = 0 in cm, and where they are in px (distortion removed); N ≥ 4.

    With `intrinsics` unknown, a maximum a posteriori fit: four corners give eight numbers, six go to the pose; the
    rest can tell focal length and field proportion only in a tilted view, so both are held near usual values
    (`USUAL_FOCAL`, the profile's proportion ± proportion_spread). From straight above they hardly matter.
    """
    width, height = image_size
    if intrinsics is None:
        f = USUAL_FOCAL * max(width, height)
        k = np.array([[f, 0, (width - 1) / 2], [0, f, (height - 1) / 2], [0, 0, 1.0]])
    else:
        k = np.asarray(intrinsics, dtype=np.float64).copy()
    object_points = np.column_stack([rectangle, np.zeros(len(rectangle))])
    # Board y points up in the picture and z towards the camera, so the frame is right-handed as OpenCV wants it.
    ok, rvec, tvec = cv2.solvePnP(object_points, corners.reshape(-1, 1, 2), k, None, flags=cv2.SOLVEPNP_IPPE)
    # IPPE divides by zero where the rectangle is the very picture, seen straight from above.
    if not ok or not np.isfinite(np.concatenate([rvec, tvec])).all():
        ok, rvec, tvec = cv2.solvePnP(
            object_points, corners.reshape(-1, 1, 2), k, None, flags=cv2.SOLVEPNP_ITERATIVE
        )
    theta = np.concatenate([rvec.ravel(), tvec.ravel(), [0.0, 0.0]])
    free = 8 if intrinsics is None else 6

    def residuals(many: Floats) -> Floats:
        """(M, 2 N), and the two priors where they count, of parameters (M, 8)."""
        # (The first three are turned otherwise, the rest as the place itself, see `jacobian_at_once`.)
        turned = np.empty((len(many), 3, 3))
        turned[:] = cv2.Rodrigues(many[0, :3])[0]
        for i in range(1, 4):
            turned[i] = cv2.Rodrigues(many[i, :3])[0]
        stretched = np.repeat(object_points[None], len(many), axis=0)
        stretched[..., 1] *= np.exp(many[:, 7])[:, None]
        camera = stretched @ turned.transpose(0, 2, 1)
        camera += many[:, None, 3:6]
        seen = focal * np.exp(many[:, 6])[:, None, None]
        seen = seen * camera[..., :2]
        seen /= camera[..., 2:]
        seen += middle
        seen -= corners
        r = np.empty((len(many), seen[0].size + free - 6))
        np.divide(seen.reshape(len(many), -1), _CORNER_SIGMA, out=r[:, : seen[0].size])
        if free > 6:
            np.divide(many[:, 6:], priors, out=r[:, -2:])
        return r

    focal, middle, priors = k.diagonal()[:2], k[:2, 2], np.array([_FOCAL_SPREAD, proportion_spread])
    steps = np.array(_STEPS)
    damping = _DAMPING
    r, jacobian = jacobian_at_once(residuals, theta, steps, free)
    for _ in range(30):
        normal = jacobian.T @ jacobian
        change = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + _RIDGE), -jacobian.T @ r)
        candidate = theta.copy()
        candidate[:free] += change
        # The derivative at a better place is wanted next: one pass gives both.
        trial, there = jacobian_at_once(residuals, candidate, steps, free)
        if trial @ trial < r @ r:
            gain = r @ r - trial @ trial
            theta, r, jacobian, damping = candidate, trial, there, damping / _GOOD
            if gain < _SETTLED:
                break
        else:
            damping *= _BAD
            if damping > _MOST_DAMPING:
                break
    camera = k.copy()
    camera[0, 0] *= np.exp(theta[6])
    camera[1, 1] *= np.exp(theta[6])
    return CameraPose(cv2.Rodrigues(theta[:3])[0], theta[3:6].copy(), camera, float(np.exp(theta[7])))
