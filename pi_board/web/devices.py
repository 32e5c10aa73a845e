"""The devices that were let in: each has a word of its own, so that one can be forgotten without the others.

Only the words' hashes are kept, in a file beside the token: who reads it learns no word.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import logging
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from pi_board.record.whole_file import write_whole

#: Devices that are remembered; after that the one that was away longest is forgotten.
MOST = 64
#: Seconds after which "last seen" is worth a write (the card wears out).
WORTH_WRITING = 3600.0
#: How browsers and systems call themselves, the special ones before those that they claim to be as well.
BROWSERS = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"), ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"), ("Chromium", "Chromium"), ("Chrome", "Chrome"), ("Safari", "Safari"), ("curl", "curl"),
)  # fmt: skip
SYSTEMS = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
    ("Macintosh", "Mac"), ("Linux", "Linux"),
)  # fmt: skip


def device_name(user_agent: str) -> str:
    """ "Chrome on Android": words of ours only, whatever the device says of itself."""
    browser = next((name for word, name in BROWSERS if word in user_agent), "A browser")
    system = next((name for word, name in SYSTEMS if word in user_agent), "")
    return f"{browser} on {system}" if system else browser


@dataclass(frozen=True, slots=True)
class Device:
    """known: SHA-256 of its word, hexadecimal. created, seen: Unix seconds; seen is exact to about a minute."""

    known: str
    name: str
    created: float
    seen: float

    @property
    def number(self) -> str:
        """By which a page means this device; no way leads from it to the word."""
        return self.known[:16]


def _known(word: str) -> str:
    return hashlib.sha256(word.encode("utf-8", "replace")).hexdigest()


class Devices:
    """path: the file (made when the first device comes); None keeps them in memory. clock: Unix seconds.

    Safe to call from several threads. A file that cannot be written is said once in the log; the devices stay let in
    until the program ends.
    """

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        self.path, self._clock = path, clock
        self._lock = threading.Lock()
        self._read_at: tuple[int, int] | None = None
        self._written: dict[str, float] = {}
        self._complained = False
        self._devices: tuple[Device, ...] = ()
        with self._lock:
            self._refresh()

    def all(self) -> tuple[Device, ...]:
        """The one seen last comes first."""
        with self._lock:
            self._refresh()
            return tuple(sorted(self._devices, key=lambda d: -d.seen))

    def admit(self, user_agent: str = "") -> str:
        """A new device; its word, which is kept nowhere else than there."""
        word, now = secrets.token_urlsafe(24), self._clock()
        with self._lock:
            self._refresh()
            newest = sorted(self._devices, key=lambda d: -d.seen)[: MOST - 1]
            self._devices = (*newest, Device(_known(word), device_name(user_agent), now, now))
            self._write()
        return word

    def find(self, word: str) -> Device | None:
        """The device with this word. Every known one is compared, each in constant time."""
        known, now = _known(word), self._clock()
        with self._lock:
            self._refresh()
            found = None
            for device in self._devices:
                if hmac.compare_digest(device.known, known):
                    found = device
            if found is None:
                return None
            if now - found.seen >= 60:
                self._devices = tuple(replace(d, seen=now) if d is found else d for d in self._devices)
                if now - self._written.get(found.known, 0.0) >= WORTH_WRITING:
                    self._write()
            return found

    def forget(self, number: str) -> bool:
        """That device needs a new way in. False: there is none with this number."""
        with self._lock:
            self._refresh()
            rest = tuple(d for d in self._devices if d.number != number)
            gone = len(rest) < len(self._devices)
            self._devices = rest
            if gone:
                self._write()
            return gone

    def forget_others(self, keep: Device | None) -> None:
        with self._lock:
            self._refresh()
            self._devices = tuple(d for d in self._devices if keep is not None and d.known == keep.known)
            self._write()

    def _refresh(self) -> None:
        # Another program of this machine may serve the same token and have forgotten a device.
        if self.path is None:
            return
        try:
            stat = self.path.stat()
        except OSError:
            return
        if self._read_at == (stat.st_mtime_ns, stat.st_ino):
            return
        self._read_at = (stat.st_mtime_ns, stat.st_ino)
        seen = {d.known: d.seen for d in self._devices}
        self._devices = tuple(
            replace(d, seen=max(d.seen, seen.get(d.known, 0.0))) for d in _parse(_content(self.path))
        )
        self._written = {d.known: d.seen for d in self._devices}

    def _write(self) -> None:
        if self.path is None:
            return
        document = json.dumps({"devices": [asdict(d) for d in self._devices]}, indent=1)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, document.encode("ascii"), mode=0o600)
            stat = self.path.stat()
        except OSError as error:
            if not self._complained:
                self._complained = True
                logging.getLogger(__name__).warning("%s: devices cannot be kept there (%s)", self.path, error)
            return
        self._read_at = (stat.st_mtime_ns, stat.st_ino)
        self._written = {d.known: d.seen for d in self._devices}


def _content(path: Path) -> Any:
    with contextlib.suppress(OSError, ValueError, RecursionError):
        if path.stat().st_size < 100_000:
            return json.loads(path.read_text(encoding="ascii"))
    return None


def _parse(document: Any) -> list[Device]:
    """A file that is no such list lets nobody in: the devices use their way in again."""
    found = []
    listed = document.get("devices") if isinstance(document, dict) else None
    for one in listed if isinstance(listed, list) else []:
        with contextlib.suppress(TypeError, ValueError, KeyError):
            if len(str(one["known"])) == 64 and str(one["known"]).isascii():
                name = str(one["name"])[:60]
                found.append(Device(str(one["known"]), name, float(one["created"]), float(one["seen"])))
    return found[:MOST]
