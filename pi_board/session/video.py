"""A video file as frames with its own clock, and a video that is a slide show as what it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidFileError
from pi_board.frame import Frame

Image = npt.NDArray[np.uint8]

#: Thumbnail in which pictures are compared (width, height px), the grey levels by which one of its pixels must differ and how
#: many must. Camera noise and compression stay below; a die that was turned does not.
THUMBNAIL, GREY_LEVELS, CHANGED_PIXELS = (160, 90), 18, 3
#: A slide stands still for at least so many frames and seconds, and a slide show has at least so many slides.
STILL_FRAMES, STILL_SECONDS, LEAST_SLIDES = 4, 0.4, 4
#: Share of a video's announced pictures that may be missing before it counts as cut short (some containers only estimate).
MISSING = 0.05


class Video:
    """A video file. Raises InvalidFileError when it cannot be decoded at all.

    seconds: its length as the container says, 0 when it doesn't. Turned by the container's metadata (OpenCV does that).
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        # Silence the decoder's own messages about a broken file; ours is one line. OpenCV reads this when it opens a file.
        os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
        capture = self._open()
        self.fps = capture.get(cv2.CAP_PROP_FPS)
        self.fps = self.fps if 0.1 < self.fps < 1000 else 10.0
        announced = capture.get(cv2.CAP_PROP_FRAME_COUNT)
        # Broken files announce absurd numbers.
        self.announced = int(announced) if 0 < announced < 1e8 else 0
        good = capture.read()[0]
        capture.release()
        if not good:
            raise InvalidFileError(f"{path}: no frame of this video can be decoded")
        self.seconds = self.announced / self.fps
        self.decoded, self.reached = 0, 0.0

    def _open(self) -> cv2.VideoCapture:
        capture = cv2.VideoCapture(str(self.path))
        if not capture.isOpened():
            raise InvalidFileError(f"{self.path}: is not a video that can be decoded")
        # On by default, but not in every build.
        capture.set(cv2.CAP_PROP_ORIENTATION_AUTO, 1)
        return capture

    def frames(self) -> Iterator[Frame]:
        """All pictures with the container's time stamps, in seconds from the first one (frame rates may vary)."""
        capture = self._open()
        seq, first, last = 0, 0.0, 0.0
        try:
            while True:
                good, image = capture.read()
                if not good:
                    return
                stamp = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
                if seq == 0:
                    first = stamp
                now = stamp - first
                if seq and not last < now < last + 3600:
                    # There are no time stamps, or two recordings were joined here.
                    now = last + 1 / self.fps
                last = now
                self.decoded, self.reached = seq + 1, now
                yield Frame(np.asarray(image, np.uint8), now, seq, name=str(seq))
                seq += 1
        finally:
            capture.release()

    @property
    def cut_short(self) -> str:
        """A sentence when the file broke off before the length it announces, after `frames` was read to its end; else ""."""
        if self.decoded >= self.announced * (1 - MISSING) or self.announced - self.decoded < 3:
            return ""
        return (
            f"the file ends after {self.decoded} of {self.announced} pictures ({clock(self.reached)} of"
            f" {clock(self.seconds)}): cut off?"
        )

    def slides(self, progress: Callable[[float], None] | None = None) -> dict[int, float] | None:
        """A slide show's pictures as {number of a frame that shows it: its second}; None for a video of a table.

        At a table every change takes time: hands come, carry and go over several frames. In a slide show all frames stand
        still but for single changes. A table gives itself away at its first hand, so that little is read of it.
        """
        slides: dict[int, float] = {}
        before: npt.NDArray[np.int16] | None = None
        run: list[tuple[int, float]] = []
        runs: list[list[tuple[int, float]]] = []
        for frame in self.frames():
            small = cv2.resize(
                cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), THUMBNAIL, interpolation=cv2.INTER_AREA
            )
            now = small.astype(np.int16)
            if before is not None and int((np.abs(now - before) > GREY_LEVELS).sum()) >= CHANGED_PIXELS:
                if len(run) < STILL_FRAMES or run[-1][1] - run[0][1] < STILL_SECONDS:
                    return None
                runs.append(run)
                run = []
            before = now
            run.append((frame.seq, frame.time))
            if progress is not None:
                progress(frame.time)
        runs.append(run)
        if len(runs) < LEAST_SLIDES:
            return None
        for still in runs:
            # Take the middle frame: by then the blur of the change is over.
            number, second = still[len(still) // 2]
            slides[number] = second
        return slides


def clock(seconds: float) -> str:
    """0:12.3, 1:02:05.0."""
    tenths = round(seconds * 10)
    hours, rest = divmod(tenths, 36000)
    minutes, rest = divmod(rest, 600)
    text = f"{rest / 10:04.1f}"
    return f"{hours}:{minutes:02d}:{text}" if hours else f"{minutes}:{text}"
