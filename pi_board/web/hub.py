"""`LiveHub`: the last moment, for any number of pages; slow readers lose updates, never the referee time."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import deque
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.events import Event
from pi_board.output import Moment

#: Moments worth telling that a page may have missed while it reconnected.
KEPT = 200


class LiveHub:
    """An `Output`. `show` only stores references; encoding happens in the server's own thread when somebody looks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._number = 0
        self._view: dict[str, Any] = {}
        self._view_text = ""
        self._image: npt.NDArray[np.uint8] | None = None
        self._image_number = 0
        self._jpeg: tuple[int, int, bytes] = (0, 0, b"")
        self._news: deque[tuple[int, str]] = deque(maxlen=KEPT)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed: asyncio.Event | None = None
        self.sighting: Any = None
        self.extra: dict[str, Any] = {}

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """The server's loop, so that waiting pages can be woken from the referee's thread."""
        self._loop, self._changed = loop, asyncio.Event()

    # ------------------------------------------------------------------------- the referee's side

    def show(self, moment: Moment) -> None:
        document = moment.view.to_document()
        document["banner"] = moment.banner
        document["gate"] = (
            moment.sighting.gate.value if moment.sighting is not None else self._view.get("gate", "")
        )
        wake = False
        with self._lock:
            if moment.frame is not None:
                self._image, self._image_number = moment.frame.image, self._image_number + 1
                self.sighting = moment.sighting
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
            self._wake()

    @staticmethod
    def _items(moment: Moment) -> list[tuple[str, dict[str, Any]]]:
        items: list[tuple[str, dict[str, Any]]] = [("event", _event(e)) for e in moment.events]
        if moment.hint is not None:
            items.append(("hint", {"hint": moment.hint.to_document()}))
        if moment.coach is not None:
            items.append(("coach", {"coach": moment.coach.to_document()}))
        return items

    def close(self) -> None:
        self._wake()

    def _wake(self) -> None:
        loop, changed = self._loop, self._changed
        if loop is not None and changed is not None and not loop.is_closed():
            loop.call_soon_threadsafe(changed.set)

    # ---------------------------------------------------------------------------- the pages' side

    def state(self) -> dict[str, Any]:
        """Everything a page needs to begin: the view and the newest number."""
        with self._lock:
            return {"number": self._number, "view": self._view, **self.extra}

    def news_after(self, number: int) -> tuple[int, dict[str, Any], list[str]]:
        """(newest number, view, items later than `number`)."""
        with self._lock:
            return self._number, self._view, [text for n, text in self._news if n > number]

    async def wait(self, number: int, seconds: float) -> None:
        """Until there is something later than `number`, or `seconds` have passed."""
        changed = self._changed
        if changed is None:
            await asyncio.sleep(seconds)
            return
        changed.clear()
        if self._number > number:
            return
        try:
            await asyncio.wait_for(changed.wait(), seconds)
        except TimeoutError:
            return

    def image(self) -> npt.NDArray[np.uint8] | None:
        with self._lock:
            return self._image

    def jpeg(self, width: int = 960, quality: int = 70) -> tuple[int, bytes]:
        """(number of the picture, JPEG bytes); encoded once per picture and width however many watch."""
        import cv2

        with self._lock:
            image, number = self._image, self._image_number
            if self._jpeg[0] == number and self._jpeg[1] == width:
                return number, self._jpeg[2]
        if image is None:
            return 0, b""
        if image.shape[1] > width:
            height = round(image.shape[0] * width / image.shape[1])
            smaller = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
        else:
            smaller = image
        _, data = cv2.imencode(".jpg", smaller, [cv2.IMWRITE_JPEG_QUALITY, quality])
        encoded = data.tobytes()
        with self._lock:
            self._jpeg = (number, width, encoded)
        return number, encoded


def _event(event: Event) -> dict[str, Any]:
    return {"event": event.to_document()}
