"""`FolderCamera`: a folder of pictures in name order."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np

from pi_board.camera.base import FrameSource
from pi_board.camera.pacing import Metronome
from pi_board.camera.turned import turned
from pi_board.errors import CameraError, InvalidFileError
from pi_board.frame import Frame

#: What counts as a picture, by suffix.
SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp", ".ppm", ".pgm"})


def natural_key(path: Path) -> tuple[tuple[int, int | str], ...]:
    """Name order as people count: frame_2 before frame_10."""
    parts = re.split(r"(\d+)", path.name.lower())
    return tuple((0, int(p)) if p.isdigit() else (1, p) for p in parts if p)


def picture_files(folder: Path) -> list[Path]:
    """The pictures in `folder` in name order. Raises InvalidFileError when there is no folder or no picture."""
    if not folder.exists():
        raise InvalidFileError(f"{folder}: no such folder")
    if not folder.is_dir():
        raise InvalidFileError(f"{folder}: expected a folder of pictures, got a file")
    try:
        files = [p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES and not p.name.startswith(".")]
    except OSError as error:
        raise InvalidFileError(f"{folder}: cannot be listed ({error.strerror})") from None
    if not files:
        raise InvalidFileError(f"{folder}: no pictures in it (expected {', '.join(sorted(SUFFIXES))})")
    return sorted(files, key=natural_key)


def load_picture(path: Path) -> np.ndarray:
    """(H, W, 3) uint8 BGR. Raises InvalidFileError."""
    try:
        data = np.fromfile(path, np.uint8)
    except OSError as error:
        raise InvalidFileError(f"{path}: cannot be read ({error.strerror or error})") from None
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    except cv2.error:
        image = None
    if image is None:
        raise InvalidFileError(f"{path}: not a picture that can be decoded")
    return image


class FolderCamera(FrameSource):
    """Each picture once, `1 / fps` seconds apart; unreadable ones are skipped unless all are.

    skipped: one line for each picture that could not be read.
    """

    finite = True

    def __init__(
        self,
        folder: str | Path,
        *,
        fps: float = 10.0,
        repeat: bool = False,
        realtime: bool = False,
        rotate: int = 0,
    ) -> None:
        self._folder = Path(folder).expanduser()
        self._files = picture_files(self._folder)
        self._fps = fps
        self._repeat = repeat
        self._rotate = rotate
        self._beat = Metronome(fps, realtime)
        self._next = 0
        self._seq = -1
        self.skipped: list[str] = []
        self.finite = not repeat
        self.description = f"{self._folder}: {len(self._files)} pictures"

    def read(self, timeout: float | None = None) -> Frame | None:
        for _ in range(len(self._files) + 1):
            if self._next >= len(self._files):
                if self._seq < 0:
                    raise CameraError(
                        f"{self._folder}: none of its {len(self._files)} pictures can be decoded"
                    )
                if not self._repeat:
                    return None
                self._next = 0
            path = self._files[self._next]
            self._next += 1
            try:
                image = load_picture(path)
            except InvalidFileError as error:
                if str(error) not in self.skipped:
                    self.skipped.append(str(error))
                continue
            self._beat.wait()
            self._seq += 1
            image = turned(image, self._rotate)
            return Frame(image, self._seq / self._fps, self._seq, name=path.name)
        return None

    def close(self) -> None:
        self._next = len(self._files)
        self._repeat = False
        self._seq = max(0, self._seq)
