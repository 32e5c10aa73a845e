"""`OpenCVCamera`: webcam, video file or stream through OpenCV's VideoCapture."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from pi_board.camera.base import FrameSource
from pi_board.camera.options import is_live
from pi_board.camera.pacing import Metronome
from pi_board.camera.turned import turned
from pi_board.errors import CameraError, InvalidFileError
from pi_board.frame import Frame

_END = object()


def _silence() -> None:
    """OpenCV's own log off; it moved between versions 4 and 5."""
    logging = getattr(getattr(cv2, "utils", None), "logging", None)
    if logging is not None:
        logging.setLogLevel(logging.LOG_LEVEL_SILENT)
    elif hasattr(cv2, "setLogLevel"):
        cv2.setLogLevel(0)


class OpenCVCamera(FrameSource):
    """`source`: webcam index ("0"), /dev/videoN, a video file, or a stream's URL.

    VideoCapture may block for ever on a device or stream; it is therefore read in a thread of its own, which a
    wait never outlives. A live source drops frames that nobody fetched in time; a file never does. Webcams mostly deliver 30
    frames/s whatever they are asked for: of a live source only `fps` a second are decoded and handed on.
    """

    def __init__(
        self,
        source: str,
        *,
        size: tuple[int, int] = (1280, 720),
        fps: float = 10.0,
        timeout: float = 2.0,
        start_timeout: float = 15.0,
        realtime: bool = False,
        rotate: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._timeout = timeout
        self._clock = clock
        self._due = float("-inf")
        self._rotate = rotate
        self._stop = threading.Event()
        self._live = is_live(source)
        self.finite = not self._live
        self._source = source
        if not self._live:
            path = Path(source).expanduser()
            if not path.is_file():
                raise InvalidFileError(f"{source}: no such video file")
            if path.stat().st_size == 0:
                raise InvalidFileError(f"{source}: the video file is empty")
            self._source = str(path)
        self._fps = fps
        self._beat = Metronome(fps, realtime and not self._live)
        # A live source keeps only its newest frame.
        self._queue: queue.Queue[object] = queue.Queue(maxsize=1 if self._live else 4)
        self._opened: queue.Queue[str | None] = queue.Queue(maxsize=1)
        self._ended: str | None = None
        self.description = source
        self._thread = threading.Thread(target=self._run, args=(size,), name=f"camera {source}", daemon=True)
        self._thread.start()
        try:
            problem = self._opened.get(timeout=start_timeout)
        except queue.Empty:
            self._stop.set()
            raise CameraError(f"camera {source}: did not open within {start_timeout:g} s") from None
        if problem is not None:
            kind = CameraError if self._live else InvalidFileError
            raise kind(problem)

    # ---------------------------------------------------------------------------------- the reading thread

    def _open(self, size: tuple[int, int]) -> cv2.VideoCapture | None:
        # OpenCV tries backend after backend and complains of each; the one line that counts is ours.
        _silence()
        target: int | str = int(self._source) if self._source.isdigit() else self._source
        if isinstance(target, int) and hasattr(cv2, "CAP_V4L2") and Path("/dev").is_dir():
            capture = cv2.VideoCapture(target, cv2.CAP_V4L2)
            if not capture.isOpened():
                capture = cv2.VideoCapture(target)
        else:
            capture = cv2.VideoCapture(target)
        if not capture.isOpened():
            return None
        if self._source.isdigit() or self._source.startswith("/dev/"):
            # MJPEG first: uncompressed YUYV at 720p does not fit through USB 2 at ten frames a second.
            for key, value in (
                (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),
                (cv2.CAP_PROP_FRAME_WIDTH, size[0]),
                (cv2.CAP_PROP_FRAME_HEIGHT, size[1]),
                (cv2.CAP_PROP_BUFFERSIZE, 1),
            ):
                capture.set(key, value)
        return capture

    def _run(self, size: tuple[int, int]) -> None:
        capture = None
        try:
            capture = self._open(size)
            if capture is None:
                self._opened.put(
                    f"camera {self._source}: cannot be opened (not connected, in use, or no permission)"
                    if self._live
                    else f"{self._source}: not a video that can be decoded"
                )
                return
            ok, image = capture.read()
            if not ok or image is None:
                self._opened.put(
                    f"camera {self._source}: opened, but delivers no picture"
                    if self._live
                    else f"{self._source}: not a video that can be decoded"
                )
                return
            rate = capture.get(cv2.CAP_PROP_FPS)
            if not self._live and 0 < rate < 1000:
                self._fps = float(rate)
            what = "webcam" if self._source.isdigit() else "stream" if self._live else "video"
            self.description = f"{what} {self._source}, {image.shape[1]}×{image.shape[0]}"
            self._opened.put(None)
            seq = 0
            while not self._stop.is_set():
                if not self._deliver(self._frame(image, seq)):
                    return
                ok, image = self._next(capture)
                seq += 1
                if not ok or image is None:
                    self._ended = (
                        f"camera {self._source}: stopped delivering pictures (unplugged?)"
                        if self._live
                        else ""
                    )
                    return
        except cv2.error as error:
            self._ended = f"camera {self._source}: {str(error).splitlines()[0]}"
            if self._opened.empty():
                self._opened.put(self._ended)
        finally:
            if self._ended is None:
                self._ended = ""
            self._deliver(_END)
            if capture is not None:
                capture.release()

    def _next(self, capture: cv2.VideoCapture) -> tuple[bool, Any]:
        """The next picture that is wanted; those of a live source that come too soon are not even decoded."""
        if not self._live:
            return capture.read()
        while not self._stop.is_set():
            if not capture.grab():
                return False, None
            now, beat = self._clock(), 1.0 / self._fps
            # A frame up to a quarter of a period early counts as in time, because a camera's own rate jitters.
            if now >= self._due - 0.25 * beat:
                self._due = max(self._due + beat, now)
                return capture.retrieve()
        return False, None

    def _frame(self, image: np.ndarray, seq: int) -> Frame:
        if image.ndim == 2:
            image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
        image = turned(image, self._rotate)
        when = time.monotonic() if self._live else seq / self._fps
        return Frame(np.asarray(image, np.uint8), when, seq)

    def _deliver(self, item: object) -> bool:
        """Into the queue; a live source throws the stale frame away, a file waits until there is room."""
        while not self._stop.is_set():
            try:
                self._queue.put(item, timeout=0.0 if self._live else 0.1)
                return True
            except queue.Full:
                if self._live:
                    try:
                        self._queue.get_nowait()
                    except queue.Empty:
                        continue
        return False

    # ------------------------------------------------------------------------------------------- reading

    def read(self, timeout: float | None = None) -> Frame | None:
        if self._stop.is_set():
            return None
        wait = self._timeout if timeout is None else timeout
        try:
            item = self._queue.get(timeout=wait)
        except queue.Empty:
            raise CameraError(f"camera {self._source}: no picture for {wait:g} s") from None
        if item is _END:
            # Let a second read see the end too.
            self._stop.set()
            if self._ended:
                raise CameraError(self._ended)
            return None
        assert isinstance(item, Frame)
        self._beat.wait()
        return item

    def close(self) -> None:
        self._stop.set()
        # A hanging driver keeps its daemon thread busy, but the process can still exit.
        self._thread.join(timeout=1.0)
