"""`LiveHub`: the last moment, for any number of pages; slow readers lose updates, never the referee time."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import deque
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pi_board.output import Moment
from pi_board.sighting import Sighting

#: Moments worth telling that a page may have missed while it reconnected.
KEPT = 200
Image = npt.NDArray[np.uint8]
Which = Literal["now", "before", "after"]
#: Events after which the board shows the position from which the next play is made.
SETTLING = frozenset(
    {
        "game_started", "turn_ended", "play_stands", "position_corrected",
        "solitaire_started", "jump_made", "jump_taken_back", "holes_corrected",
    }
)  # fmt: skip
ILLEGAL = frozenset({"play_illegal", "jump_illegal"})


class LiveHub:
    """An `Output`. `show` stores a reference to the picture of now, which is encoded in the server's own threads when somebody looks; what
    may be shown for longer, once a turn, becomes a JPEG at once (2 ms here, and a picture takes 3 MB).

    extra: what pages are told besides the view (seating). closed: nothing more will come.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._encoding = threading.Lock()
        self._number = 0
        self._view: dict[str, Any] = {}
        self._view_text = "{}"
        self._now: tuple[int, Image] | None = None
        self._jpegs: dict[Which, tuple[int, bytes]] = {}
        self._settled: Image | None = None
        self._start = b""
        self._pictures = 0
        #: Of the illegal play whose pictures are shown: their number (0: none yet) and its sighting's.
        self.illegal = (0, -1)
        self._news: deque[tuple[int, str]] = deque(maxlen=KEPT)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed: asyncio.Event | None = None
        self.closed = False
        self.sighting: Sighting | None = None
        self.extra: dict[str, Any] = {}

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """The server's loop, so that waiting pages can be woken from the referee's thread."""
        self._loop, self._changed = loop, asyncio.Event()

    # ------------------------------------------------------------------------- the referee's side

    def show(self, moment: Moment) -> None:
        document = moment.view.to_document()
        document["banner"] = moment.banner
        document["director"] = moment.director
        document["solitaire"] = moment.solitaire.to_document() if moment.solitaire is not None else None
        sighting = moment.sighting
        document["gate"] = sighting.gate.value if sighting is not None else self._view.get("gate", "")
        wake = False
        with self._lock:
            self._keep_pictures(moment)
            document["pictures"] = self._pictures
            text = json.dumps(document)
            if text != self._view_text:
                self._view, self._view_text = document, text
                self._number += 1
                wake = True
            for kind, item in self._items(moment):
                self._number += 1
                self._news.append((self._number, json.dumps({"kind": kind, **item})))
                wake = True
        if wake:
            self.wake()

    def _keep_pictures(self, moment: Moment) -> None:
        """The picture of now, and of the last illegal verdict: before the play and with it on the board."""
        for event in moment.events:
            if event.type in SETTLING:
                self._start = b"" if self._settled is None else _jpeg(self._settled)
            elif event.type in ILLEGAL:
                after = moment.frame.image if moment.frame is not None else self._settled
                if self._start and after is not None:
                    self._pictures += 1
                    self._jpegs["before"] = (self._pictures, self._start)
                    self._jpegs["after"] = (self._pictures, _jpeg(after))
                    self.illegal = (self._pictures, event.seq)
        if moment.frame is None:
            return
        self._now = (1 if self._now is None else self._now[0] + 1, moment.frame.image)
        self.sighting = moment.sighting
        if moment.sighting is not None and moment.sighting.settled:
            self._settled = moment.frame.image

    @staticmethod
    def _items(moment: Moment) -> list[tuple[str, dict[str, Any]]]:
        items: list[tuple[str, dict[str, Any]]] = [
            ("event", {"event": e.to_document()}) for e in moment.events
        ]
        if moment.hint is not None:
            items.append(("hint", {"hint": moment.hint.to_document()}))
        if moment.coach is not None:
            items.append(("coach", {"coach": moment.coach.to_document()}))
        return items

    def close(self) -> None:
        """Pages that wait are let go; their streams end."""
        self.closed = True
        self.wake()

    def wake(self) -> None:
        """Waiting pages look again: whether there is news, and whether they may still see it."""
        loop, changed = self._loop, self._changed
        if loop is not None and changed is not None and not loop.is_closed():
            loop.call_soon_threadsafe(changed.set)

    # ---------------------------------------------------------------------------- the pages' side

    def state(self) -> dict[str, Any]:
        """Everything a page needs to begin: the view and the newest number."""
        with self._lock:
            return {"number": self._number, "view": self._view, **self.extra}

    def news_after(self, number: int) -> tuple[int, str, list[str]]:
        """(newest number, view as JSON text, items later than `number` as JSON texts)."""
        with self._lock:
            return self._number, self._view_text, [text for n, text in self._news if n > number]

    async def wait(self, number: int, seconds: float) -> None:
        """Until there is something later than `number`, or `seconds` have passed."""
        changed = self._changed
        if changed is None:
            await asyncio.sleep(seconds)
            return
        changed.clear()
        if self._number > number or self.closed:
            return
        try:
            await asyncio.wait_for(changed.wait(), seconds)
        except TimeoutError:
            return

    def image(self) -> Image | None:
        """The newest picture, (H, W, 3) uint8 BGR; not to be written into."""
        with self._lock:
            return self._now[1] if self._now is not None else None

    def jpeg(self, which: Which = "now") -> tuple[int, bytes]:
        """(number of the picture, JPEG bytes), (0, b"") when there is none; encoded once however many watch."""
        if which != "now":
            return self._jpegs.get(which, (0, b""))
        with self._encoding:
            with self._lock:
                if self._now is None:
                    return 0, b""
                number, image = self._now
            done = self._jpegs.get(which)
            if done is not None and done[0] == number:
                return done
            encoded = self._jpegs[which] = (number, _jpeg(image))
            return encoded


def _jpeg(image: Image, width: int = 960, quality: int = 70) -> bytes:
    """A picture as pages show it, no more than `width` px wide. quality: 0-100."""
    import cv2

    smaller: Any = image
    if image.shape[1] > width:
        height = round(image.shape[0] * width / image.shape[1])
        # Area averaging costs five times as much; it is only needed when scaling down would skip pixels.
        how = cv2.INTER_LINEAR if image.shape[1] < 2 * width else cv2.INTER_AREA
        smaller = cv2.resize(image, (width, height), interpolation=how)
    return bytes(cv2.imencode(".jpg", smaller, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes())
