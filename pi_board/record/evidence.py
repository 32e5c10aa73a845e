"""Evidence: the last seconds before an illegal verdict, as pictures and a short clip, bounded in size and count."""

from __future__ import annotations

import contextlib
import errno
import json
import queue
import re
import shutil
import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.events import JumpIllegal, PlayIllegal
from pi_board.output import Moment
from pi_board.record.jpeg import smaller_jpeg
from pi_board.record.motion_jpeg import write_motion_jpeg
from pi_board.record.options import RecordOptions
from pi_board.sighting import Sighting

Image = npt.NDArray[np.uint8]
Draw = Callable[[Image, Sighting], Image]
#: Pictures a second that the ring keeps, and their width: a clip is to be understood, not admired.
RING_FPS, RING_WIDTH = 5.0, 640
#: Of all pictures here, 0-100.
JPEG_QUALITY = 75
#: Bytes of the disk that pictures leave alone: some hundred games' journals, which a disk full of clips would silence.
SPARED = 10_000_000
#: Events after which the board shows the position from which the next play is made, and those that are kept.
SETTLING = frozenset(
    {
        "turn_ended", "game_started", "position_corrected",
        "solitaire_started", "jump_made", "jump_taken_back", "holes_corrected",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Kept:
    """One picture of the ring, what was seen in it, and how wide it was before it was made smaller."""

    time: float
    jpeg: bytes
    sighting: Sighting | None = None
    width: int = 0


class EvidencePictures:
    """An `Output`. Every illegal verdict gets a folder `<session>-<n>-<code>` with before.jpg, after.jpg, clip.avi and
    verdict.json; `request` makes one on demand. Writing happens in a thread; a full disk only costs the evidence.

    folder: the oldest `session-…` folders in it go when there are too many or too much. draw: puts what was seen over
    a picture (None: plain pictures). note: called in that thread when a folder is complete, with a document for the
    journal: {"evidence": folder name, "files": names, "code": why, "of": sequence of the verdict's sighting}.
    """

    def __init__(
        self,
        folder: Path,
        session: str,
        options: RecordOptions,
        *,
        draw: Draw | None = None,
        note: Callable[[dict[str, Any]], None] | None = None,
    ) -> None:
        self.folder, self.session, self.options = folder, session, options
        self._draw, self._note = draw, note
        self._ring: deque[_Kept] = deque(maxlen=max(2, round(options.evidence_seconds * RING_FPS)))
        self._next = 0.0
        self._before: bytes = b""
        self._settled: bytes = b""
        self._last: Moment | None = None
        self._count = self._numbered()
        self.failing = ""
        self._jobs: queue.Queue[tuple[str, dict[str, Any], bytes, bytes, list[_Kept]] | None] = queue.Queue(
            maxsize=16
        )
        self._thread = threading.Thread(target=self._run, name="evidence", daemon=True)
        self._thread.start()

    def show(self, moment: Moment) -> None:
        if any(e.type in SETTLING for e in moment.recorded):
            # The last settled picture of the position from which the next play is made.
            self._before = self._settled or self._before
        if moment.frame is not None:
            self._keep(moment)
        for event in moment.recorded:
            if isinstance(event, PlayIllegal | JumpIllegal):
                self._collect(event.code, event.to_document(), moment)

    def _keep(self, moment: Moment) -> None:
        frame, sighting = moment.frame, moment.sighting
        assert frame is not None
        self._last = moment
        if frame.time >= self._next or moment.recorded:
            self._next = frame.time + 1 / RING_FPS - 1e-3
            jpeg = smaller_jpeg(frame.image, RING_WIDTH, JPEG_QUALITY)
            self._ring.append(_Kept(frame.time, jpeg, sighting, frame.image.shape[1]))
            if sighting is not None and sighting.settled:
                self._settled = jpeg
                # No play has been made since the program started, so the next play starts from this board.
                self._before = self._before or jpeg

    def request(self) -> None:
        """Evidence on demand: the table as it is now and the seconds before."""
        if self._last is not None:
            self._collect("on_demand", {"type": "on_demand", "time": self._last.time}, self._last)

    def _numbered(self) -> int:
        """The highest number that this session's folders have (a session that goes on after a power cut)."""
        pattern = re.compile(rf"{re.escape(self.session)}-(\d{{3,9}})-")
        try:
            found = [pattern.match(p.name) for p in self.folder.iterdir()]
        except OSError:
            return 0
        return max((int(m[1]) for m in found if m), default=0)

    def _collect(self, code: str, document: dict[str, Any], moment: Moment) -> None:
        after = self._settled
        if moment.frame is not None:
            image = moment.frame.image
            after = smaller_jpeg(self._drawn(image, moment.sighting), 1280, JPEG_QUALITY)
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
                if self._note is not None and (self.folder / name).is_dir():
                    self._note(
                        {
                            "evidence": name,
                            "files": sorted(p.name for p in (self.folder / name).iterdir()),
                            "code": document.get("code", document["type"]),
                            "of": document.get("seq", -1),
                        }
                    )
            except OSError as error:
                self.failing = f"evidence cannot be written ({error.strerror})"

    def _write(
        self, name: str, document: dict[str, Any], before: bytes, after: bytes, ring: list[_Kept]
    ) -> None:
        target = self.folder / name
        target.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(target).free < SPARED:
            target.rmdir()
            raise OSError(errno.ENOSPC, "the disk is nearly full, the rest is left to the journal")
        for file, data in (("before.jpg", before), ("after.jpg", after)):
            if data:
                (target / file).write_bytes(data)
        (target / "verdict.json").write_text(
            json.dumps(document, indent=1, ensure_ascii=False), encoding="utf-8"
        )
        if len(ring) > 1:
            # One picture after the other: all at once they are 40 MB.
            _clip(target / "clip.avi", ring[-1].time - ring[0].time, len(ring), map(self._overlaid, ring))

    def _drawn(self, image: Image, sighting: Sighting | None) -> Image:
        if self._draw is not None and sighting is not None:
            with contextlib.suppress(Exception):  # If the drawing fails, keep the picture without it.
                return self._draw(image, sighting)
        return image

    def _overlaid(self, kept: _Kept) -> Image | None:
        """A ring picture as the clip shows it: drawn on at its own width, where the sighting's pixels fit."""
        import cv2

        small = cv2.imdecode(np.frombuffer(kept.jpeg, np.uint8), cv2.IMREAD_COLOR)
        if small is None or self._draw is None or kept.sighting is None:
            return None if small is None else np.asarray(small, np.uint8)
        height, width = small.shape[:2]
        full = cv2.resize(small, (kept.width, round(height * kept.width / width)))
        drawn = self._drawn(np.asarray(full, np.uint8), kept.sighting)
        return np.asarray(cv2.resize(drawn, (width, height), interpolation=cv2.INTER_AREA), np.uint8)

    def _tidy(self) -> None:
        """The oldest folders go when there are too many or too much."""
        folders = sorted(
            (p for p in self.folder.iterdir() if p.is_dir() and p.name.startswith("session-")),
            key=lambda p: (p.stat().st_mtime, p.name),
        )
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


def _clip(path: Path, seconds: float, number: int, pictures: Iterable[Image | None]) -> None:
    """seconds: from the first to the last of the `number` pictures; those that cannot be read are None, and what is not as large as the
    first is left out."""
    readable = (image for image in pictures if image is not None)
    first = next(readable, None)
    if first is None:
        return
    fps = max(1.0, min(30.0, (number - 1) / max(0.2, seconds)))
    jpegs = (
        smaller_jpeg(image, RING_WIDTH, JPEG_QUALITY)
        for image in chain([first], readable)
        if image.shape == first.shape
    )
    write_motion_jpeg(path, (first.shape[1], first.shape[0]), fps, jpegs)
