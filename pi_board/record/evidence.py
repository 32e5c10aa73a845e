"""Evidence: the last seconds before an illegal verdict, as pictures and a short clip, bounded in size and count."""

from __future__ import annotations

import contextlib
import json
import queue
import shutil
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.output import Moment
from pi_board.record.options import RecordOptions
from pi_board.sighting import Sighting

Image = npt.NDArray[np.uint8]
Draw = Callable[[Image, Sighting], Image]
#: Pictures a second that the ring keeps, and their width: a clip is to be understood, not admired.
RING_FPS, RING_WIDTH = 5.0, 640


@dataclass(frozen=True, slots=True)
class _Kept:
    time: float
    jpeg: bytes


class Evidence:
    """An `Output`. Every illegal verdict gets a folder `<session>-<n>-<code>` with before.jpg, after.jpg, clip.avi and
    verdict.json; `request` makes one on demand. Writing happens in a thread; a full disk only costs the evidence.

    draw: puts what was seen over a picture (None: plain pictures). linked: called with (sequence of the verdict's
    sighting, folder name) when a folder is complete.
    """

    def __init__(
        self,
        folder: Path,
        session: str,
        options: RecordOptions,
        *,
        draw: Draw | None = None,
        linked: Callable[[int, str], None] | None = None,
    ) -> None:
        self.folder, self.session, self.options = folder, session, options
        self._draw, self._linked = draw, linked
        self._ring: deque[_Kept] = deque(maxlen=max(2, round(options.evidence_seconds * RING_FPS)))
        self._next = 0.0
        self._before: bytes = b""
        self._settled: bytes = b""
        self._count = 0
        self.failing = ""
        self._jobs: queue.Queue[tuple[str, dict[str, Any], bytes, bytes, list[_Kept]] | None] = queue.Queue(
            maxsize=4
        )
        self._thread = threading.Thread(target=self._run, name="evidence", daemon=True)
        self._thread.start()

    def show(self, moment: Moment) -> None:
        for event in moment.events:
            if event.type in ("turn_ended", "game_started", "position_corrected"):
                # The last settled picture of the position from which the next play is made.
                self._before = self._settled or self._before
            elif event.type == "play_illegal":
                self._collect(event.code, event.to_document(), moment)  # type: ignore[attr-defined]
        frame, sighting = moment.frame, moment.sighting
        if frame is None:
            return
        settled = sighting is not None and sighting.settled
        if frame.time >= self._next or moment.events:
            self._next = frame.time + 1 / RING_FPS
            jpeg = _encode(frame.image, RING_WIDTH)
            self._ring.append(_Kept(frame.time, jpeg))
            if settled:
                self._settled = jpeg

    def request(self, moment: Moment) -> None:
        """Evidence on demand."""
        self._collect("on_demand", {"type": "on_demand"}, moment)

    def _collect(self, code: str, document: dict[str, Any], moment: Moment) -> None:
        after = self._settled
        if moment.frame is not None:
            image = moment.frame.image
            if self._draw is not None and moment.sighting is not None:
                with contextlib.suppress(Exception):  # a drawing that fails must not cost the picture
                    image = self._draw(image, moment.sighting)
            after = _encode(image, 1280)
        self._count += 1
        name = f"{self.session}-{self._count:03d}-{code}"
        with contextlib.suppress(queue.Full):
            self._jobs.put_nowait((name, document, self._before, after, list(self._ring)))

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            name, document, before, after, ring = job
            try:
                self._write(name, document, before, after, ring)
                self._tidy()
                self.failing = ""
                if self._linked is not None:
                    self._linked(int(document.get("seq", -1)), name)
            except OSError as error:
                self.failing = f"evidence cannot be written ({error.strerror})"

    def _write(
        self, name: str, document: dict[str, Any], before: bytes, after: bytes, ring: list[_Kept]
    ) -> None:
        target = self.folder / name
        target.mkdir(parents=True, exist_ok=True)
        for file, data in (("before.jpg", before), ("after.jpg", after)):
            if data:
                (target / file).write_bytes(data)
        (target / "verdict.json").write_text(
            json.dumps(document, indent=1, ensure_ascii=False), encoding="utf-8"
        )
        if len(ring) > 1:
            _clip(target / "clip.avi", ring)

    def _tidy(self) -> None:
        """The oldest folders go when there are too many or too much."""
        folders = sorted((p for p in self.folder.iterdir() if p.is_dir()), key=lambda p: p.stat().st_mtime)
        sizes = {p: sum(f.stat().st_size for f in p.iterdir() if f.is_file()) for p in folders}
        total = sum(sizes.values())
        while folders and (
            len(folders) > self.options.evidence_count or total > self.options.evidence_megabytes * 1_000_000
        ):
            oldest = folders.pop(0)
            total -= sizes[oldest]
            shutil.rmtree(oldest, ignore_errors=True)

    def close(self) -> None:
        self._jobs.put(None)
        self._thread.join(timeout=5)


def _encode(image: Image, width: int) -> bytes:
    import cv2

    picture: Any = image
    if image.shape[1] > width:
        size = (width, round(image.shape[0] * width / image.shape[1]))
        picture = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 75])[1].tobytes())


def _clip(path: Path, ring: list[_Kept]) -> None:
    """A Motion-JPEG AVI: every player opens it, and OpenCV writes it everywhere without a codec."""
    import cv2

    seconds = max(0.2, ring[-1].time - ring[0].time)
    fps = max(1.0, min(30.0, (len(ring) - 1) / seconds))
    first = cv2.imdecode(np.frombuffer(ring[0].jpeg, np.uint8), cv2.IMREAD_COLOR)
    if first is None:
        return
    height, width = first.shape[:2]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (width, height))
    try:
        for kept in ring:
            image = cv2.imdecode(np.frombuffer(kept.jpeg, np.uint8), cv2.IMREAD_COLOR)
            if image is not None and image.shape[:2] == (height, width):
                writer.write(image)
    finally:
        writer.release()
