"""A lens: measured from views of the printed chessboard (calibration/lens.pdf), then taken out of every picture.

The method is Zhang's (2000) as OpenCV has it, with k1, k2, p1, p2 of the Brown-Conrady model; k3 stays 0, which a sheet that seldom
reaches the very corners could not settle.
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.camera.base import Camera, FrameSource
from pi_board.errors import AmbiguousError, CameraError, InvalidFileError
from pi_board.frame import Frame

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

#: Inner corners of the sheet (columns, rows) and the edge of its squares, cm.
SHEET, SQUARE = (9, 6), 2.5
#: Views that are needed, and that are enough.
LEAST_VIEWS, ENOUGH_VIEWS = 8, 15
#: How far, in shares of the picture's diagonal, the corners of a new view must lie from those of every other.
ANOTHER = 0.02
#: Share of the picture that the views together must cover.
COVERED = 0.4
#: Largest root mean square error, in thousandths of the picture's width.
LARGEST_ERROR = 1.5
#: Width at which the chessboard is looked for, px: larger pictures take long and gain little.
_SEARCH_WIDTH = 1280


@dataclass(frozen=True, eq=False)
class Lens:
    """size: (width, height) of the pictures it was measured on. matrix: (3, 3) camera matrix, px. distortion: (5,) OpenCV's
    k1 k2 p1 p2 k3. error: root mean square of what is left, px."""

    size: tuple[int, int]
    matrix: Floats
    distortion: Floats
    error: float = 0.0

    def scaled(self, size: tuple[int, int]) -> Lens:
        """The same lens for pictures of another size. Raises CameraError when their shape is another."""
        x, y = size[0] / self.size[0], size[1] / self.size[1]
        if abs(x / y - 1) > 0.01:
            raise CameraError(
                f"the lens was measured on pictures of {self.size[0]}×{self.size[1]}, these are {size[0]}×{size[1]}; measure it again: "
                "pi-board calibrate --lens"
            )
        return replace(self, size=size, matrix=np.diag([x, y, 1.0]) @ self.matrix)


class LensViews:
    """Collects views of the sheet. size: of their pictures, None before the first."""

    def __init__(self) -> None:
        self.size: tuple[int, int] | None = None
        self._views: list[npt.NDArray[np.float32]] = []

    def __len__(self) -> int:
        return len(self._views)

    def add(self, image: Image) -> bool:
        """Whether `image`, (H, W, 3), shows the whole sheet, and otherwise than every picture before. Raises CameraError when the
        pictures change their size."""
        size = (image.shape[1], image.shape[0])
        if self.size not in (None, size):
            assert self.size is not None
            raise CameraError(
                f"a picture of {size[0]}×{size[1]} among pictures of {self.size[0]}×{self.size[1]}"
            )
        self.size = size
        corners = find_sheet(image)
        if corners is None:
            return False
        # The sheet looks the same after half a turn, so compare the view both ways round.
        far = ANOTHER * math.hypot(*size)
        for other in self._views:
            if min(float(np.abs(c - other).mean()) for c in (corners, corners[::-1])) < far:
                return False
        self._views.append(corners)
        return True

    def measure(self) -> Lens:
        """The lens. Raises AmbiguousError with what is missing."""
        if len(self) < LEAST_VIEWS:
            raise AmbiguousError(
                f"the sheet was seen in {len(self)} different places, expected {LEAST_VIEWS} or more: move and tilt it"
            )
        assert self.size is not None
        hull = cv2.convexHull(np.concatenate(self._views))
        covered = cv2.contourArea(hull) / (self.size[0] * self.size[1])
        if covered < COVERED:
            raise AmbiguousError(
                f"the views cover {covered:.0%} of the picture, expected {COVERED:.0%} or more: hold the sheet into the corners, too"
            )
        grid = np.zeros((SHEET[0] * SHEET[1], 3), np.float32)
        grid[:, :2] = SQUARE * np.mgrid[: SHEET[0], : SHEET[1]].T.reshape(-1, 2)
        error, matrix, distortion, *_ = cv2.calibrateCamera(
            [grid] * len(self),
            [v.reshape(-1, 1, 2) for v in self._views],
            self.size,
            None,
            None,
            flags=cv2.CALIB_FIX_K3,
        )  # type: ignore[call-overload]
        if error > LARGEST_ERROR * self.size[0] / 1000 or not 0.2 < matrix[0, 0] / self.size[0] < 10:
            raise AmbiguousError(
                f"the views do not fit one lens ({error:.1f} px): is the sheet flat, the camera's focus held, every picture sharp?"
            )
        return Lens(
            self.size,
            np.asarray(matrix, np.float64),
            np.asarray(distortion, np.float64).ravel()[:5],
            float(error),
        )


def find_sheet(image: Image) -> npt.NDArray[np.float32] | None:
    """(54, 2) px: the sheet's inner corners row by row, None unless all of them are in view."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image
    factor = min(1.0, _SEARCH_WIDTH / grey.shape[1])
    small = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA) if factor < 1 else grey
    found, corners = cv2.findChessboardCornersSB(
        small, SHEET, flags=cv2.CALIB_CB_NORMALIZE_IMAGE | cv2.CALIB_CB_ACCURACY
    )
    return np.asarray(corners, np.float32).reshape(-1, 2) / np.float32(factor) if found else None


def edge_bend(lens: Lens) -> float:
    """How far the long edge of a straight picture would bow in the camera's, as a share of the picture's height."""
    width, height = lens.size
    edge = np.array([(x, 0.0) for x in np.linspace(0, width, 33)]).reshape(-1, 1, 2)
    straight = cv2.undistortPoints(edge, lens.matrix, lens.distortion, P=lens.matrix).reshape(-1, 2)
    ends = straight[[0, -1]]
    level = np.interp(straight[:, 0], ends[:, 0], ends[:, 1])
    return float(np.abs(straight[:, 1] - level).max() / height)


def save_lens(lens: Lens, path: Path) -> None:
    """Raises OSError."""
    m = lens.matrix
    values = [m[0, 0], m[1, 1], m[0, 2], m[1, 2]]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "# Made by `pi-board calibrate --lens`. matrix: fx fy cx cy in pixels; distortion: k1 k2 p1 p2 k3; error: pixels.\n"
        f"size = [{lens.size[0]}, {lens.size[1]}]\n"
        f"matrix = [{', '.join(f'{v:.4f}' for v in values)}]\n"
        f"distortion = [{', '.join(f'{v:.8f}' for v in lens.distortion)}]\n"
        f"error = {lens.error:.4f}\n",
        encoding="utf-8",
    )


def load_lens(path: str | Path) -> Lens:
    """Raises InvalidFileError naming file, key and what was expected."""
    file = Path(path).expanduser()
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidFileError(f"{file}: cannot be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidFileError(f"{file}: not valid TOML: {error}") from None
    numbers = {}
    for key, count in (("size", 2), ("matrix", 4), ("distortion", 5)):
        value = document.get(key)
        usable = (
            isinstance(value, list)
            and len(value) == count
            and all(type(v) in (int, float) and math.isfinite(v) for v in value)
        )
        if not usable or (key != "distortion" and min(value) <= 0):  # type: ignore[type-var,arg-type]
            raise InvalidFileError(f"{file}: {key}: expected {count} numbers, got {value!r}")
        numbers[key] = [float(v) for v in value]  # type: ignore[union-attr]
    fx, fy, cx, cy = numbers["matrix"]
    error_px = document.get("error", 0.0)
    width, height = (round(v) for v in numbers["size"])
    return Lens(
        (width, height),
        np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1.0]]),
        np.array(numbers["distortion"]),
        float(error_px) if type(error_px) in (int, float) else 0.0,
    )


class StraightCamera(FrameSource):
    """`camera` with `lens` taken out of its pictures: same size, straight edges are straight; what bends out of the picture is lost."""

    def __init__(self, camera: Camera, lens: Lens) -> None:
        self._camera, self._lens = camera, lens
        self._maps: tuple[Any, Any] | None = None
        self._shape: tuple[int, ...] = ()
        self.description = f"{camera.description}, lens straightened"
        self.finite = camera.finite
        self.recovers = bool(getattr(camera, "recovers", False))
        self.waits_for_reader = bool(getattr(camera, "waits_for_reader", False))

    def read(self, timeout: float | None = None) -> Frame | None:
        frame = self._camera.read(timeout)
        return None if frame is None else replace(frame, image=self._straight(frame.image))

    def _straight(self, image: Image) -> Image:
        if self._maps is None or image.shape[:2] != self._shape:
            size = (image.shape[1], image.shape[0])
            lens = self._lens.scaled(size)
            # Crop to the area without black edges, which would look like a frame around the board.
            seen, _ = cv2.getOptimalNewCameraMatrix(lens.matrix, lens.distortion, size, 0.0, size)
            maps = cv2.initUndistortRectifyMap(lens.matrix, lens.distortion, None, seen, size, cv2.CV_16SC2)  # type: ignore[call-overload]
            self._maps, self._shape = maps, image.shape[:2]
        assert self._maps is not None
        return np.asarray(cv2.remap(image, self._maps[0], self._maps[1], cv2.INTER_LINEAR), np.uint8)

    def close(self) -> None:
        self._camera.close()
