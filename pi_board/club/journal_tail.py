"""What of a folder's journals has not been sent: the journals themselves are the queue, a small file says how far it is.

Nothing is copied: a line that stands on the board's disk is sent from there, in a minute or after a winter.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pi_board.errors import InvalidFileError
from pi_board.record.journal import SUFFIX, decode, journals
from pi_board.record.whole_file import write_whole

#: Sessions whose length a board states, newest last: what a hub that was away can ask for.
STATED = 50
MARK_FILE, JOINED_FILE = "club-sent.json", "club-joined.json"


@dataclass(slots=True)
class JournalTail:
    """One file, line by line. next: the sequence of the line that is read next; offset: where it begins, bytes."""

    path: Path
    next: int = 0
    offset: int = 0

    @property
    def session(self) -> str:
        return self.path.name.removesuffix(SUFFIX)

    def read(self, most: int) -> list[tuple[int, bytes]]:
        """Up to `most` further whole lines as (sequence, line without its end). A line that is damaged is passed over."""
        try:
            size = self.path.stat().st_size
            if size == self.offset:
                # A winter's files are polled once a second, so files that have not grown are not opened.
                return []
            if size < self.offset:
                # The file was replaced, so read the new one from its beginning.
                self.offset = self.next = 0
            with self.path.open("rb") as file:
                file.seek(self.offset)
                found: list[tuple[int, bytes]] = []
                while len(found) < most:
                    line = file.readline()
                    if not line.endswith(b"\n"):
                        break
                    self.offset += len(line)
                    line = line[:-1]
                    try:
                        seq = int(decode(line)["seq"])
                    except (InvalidFileError, KeyError, TypeError, ValueError):
                        continue
                    self.next = seq + 1
                    found.append((seq, line))
                return found
        except OSError:
            return []

    def rewind(self, seq: int) -> None:
        """The next line that is read is the first with at least this sequence."""
        self.offset = self.next = 0
        while True:
            offset, before = self.offset, self.next
            lines = self.read(1)
            if not lines or lines[0][0] >= seq:
                self.offset, self.next = offset, before
                return


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a broker has acknowledged. first: the first session that is the club's; sent: lines by session."""

    broker: str
    first: str
    sent: Mapping[str, int]


def load_mark(folder: Path, broker: str) -> Mark | None:
    """None: nothing was ever sent to this broker, or the note of it is lost."""
    document = _document(folder / MARK_FILE, "broker", "first", "sent")
    if not document or document["broker"] != broker:
        return None
    try:
        return Mark(broker, str(document["first"]), {str(k): int(v) for k, v in document["sent"].items()})
    except (AttributeError, TypeError, ValueError):
        return None


def save_mark(folder: Path, mark: Mark) -> None:
    """Whole and on disk; raises OSError."""
    document = {"broker": mark.broker, "first": mark.first, "sent": dict(mark.sent)}
    write_whole(folder / MARK_FILE, json.dumps(document).encode())


def beginning(folder: Path, broker: str, *, history: bool) -> Mark:
    """Where sending to `broker` starts when the program does.

    With the mark: where it ended. A mark that is lost costs time and no line: every journal since the board joined is sent
    once more, and the hub keeps each line once. When that was stands in a file of its own, written once. A board that joins
    sends what is played from now on, and with `history` everything.
    """
    mark = load_mark(folder, broker)
    if mark is not None:
        return mark
    joined = _document(folder / JOINED_FILE, "broker", "first")
    if joined and joined["broker"] == broker:
        return Mark(broker, str(joined["first"]), {})
    if joined == {} or _document(folder / MARK_FILE, "broker", "first", "sent") == {}:
        # The board was in a club, and nobody knows since when.
        return Mark(broker, "", {})
    there = [path.stem for path in session_files(folder)]
    first = "" if history or not there else there[-1]
    with contextlib.suppress(OSError):
        write_whole(folder / JOINED_FILE, json.dumps({"broker": broker, "first": first}).encode())
    return Mark(broker, first, {})


def _document(file: Path, *keys: str) -> dict[str, Any] | None:
    """None without the file, {} when it cannot be read as what it should be."""
    try:
        document: Any = json.loads(file.read_text(encoding="utf-8"))
        return {key: document[key] for key in keys} if isinstance(document["broker"], str) else {}
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def session_files(folder: Path, first: str = "") -> Iterator[Path]:
    """The journals of a folder in the order played, from the session `first` on."""
    try:
        files = journals(folder)
    except OSError:
        return
    begun = not first or all(path.stem != first for path in files)
    for path in files:
        begun = begun or path.stem == first
        if begun:
            yield path
