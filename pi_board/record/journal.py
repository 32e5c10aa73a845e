"""The journal: one JSON document per line, on disk before anything is announced.

A line is `{"v":1,"seq":N,"at":"…Z","event":{…},"crc":"xxxxxxxx"}` + newline; `crc` is the CRC-32 of the line's
bytes before `,"crc"`. `seq` counts from 0 within a file without gaps. Events lost while the disk was full
leave a line with `"gap":{"events":n,"seconds":s}` instead of `"event"`.
"""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pi_board.errors import InvalidError, InvalidFileError
from pi_board.events import Event

VERSION = 1
SUFFIX = ".jsonl"
_MARK = b',"crc":"'
#: Events kept in memory while nothing can be written; older ones are dropped and stated as a gap.
BACKLOG = 10_000


def encode(seq: int, at: str, body: dict[str, Any]) -> bytes:
    """One journal line. body: {"event": document} or {"gap": …} or {"note": …}."""
    text = json.dumps({"v": VERSION, "seq": seq, "at": at, **body}, separators=(",", ":"), ensure_ascii=False)
    head = text[:-1].encode("utf-8", "replace")
    return b'%s%s%08x"}\n' % (head, _MARK, zlib.crc32(head))


def decode(line: bytes) -> dict[str, Any]:
    """The document of one line (without its newline). Raises InvalidFileError: torn, altered, or another version."""
    head, mark, tail = line.rpartition(_MARK)
    if not mark or len(tail) != 10 or tail[8:] != b'"}':
        raise InvalidFileError("torn or not a journal line")
    if tail[:8] != b"%08x" % zlib.crc32(head):
        raise InvalidFileError("checksum differs: the line was altered")
    try:
        document = json.loads(head.decode("utf-8") + "}")
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise InvalidFileError(f"not JSON ({error})") from None
    if not isinstance(document, dict) or document.get("v") != VERSION:
        raise InvalidFileError(
            f"expected journal version {VERSION}, got {document.get('v') if isinstance(document, dict) else document!r}"
        )
    return document


@dataclass(frozen=True, slots=True)
class JournalContent:
    """What a journal file holds. events: all readable, in order, up to the first damage; problems: what was wrong.

    good_bytes: length of the intact beginning. torn: only the last line is incomplete (a power cut: nothing that
    was announced is missing). damaged: a line before the last is wrong. after_damage: readable events after it.
    lines: intact lines (events, gaps and notes).
    """

    events: tuple[Event, ...]
    problems: tuple[str, ...]
    good_bytes: int
    torn: bool
    damaged: bool
    after_damage: tuple[Event, ...] = ()
    started: str = ""
    lines: int = 0


def read_journal(path: str | Path) -> JournalContent:
    """Read a whole file; never raises for its content. Raises InvalidFileError when it cannot be opened."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InvalidFileError(f"{path}: cannot be read ({error.strerror})") from None
    return parse_journal(data)


def parse_journal(data: bytes) -> JournalContent:
    """`read_journal` on bytes."""
    events: list[Event] = []
    after: list[Event] = []
    problems: list[str] = []
    good, position, expected, started = 0, 0, 0, ""
    damaged = torn = False
    lines = data.split(b"\n")
    for number, line in enumerate(lines, 1):
        last = number == len(lines)
        start, position = position, position + len(line) + 1
        if last and not line:
            break
        try:
            if last:
                raise InvalidFileError("torn: no end of line")
            document = decode(line)
            if not damaged and document.get("seq") != expected:
                raise InvalidFileError(f"sequence {document.get('seq')} where {expected} was expected")
            event = Event.from_document(document["event"]) if "event" in document else None
        except InvalidError as error:
            problems.append(f"line {number}: {error}")
            # Only a last, unterminated line can be the work of a power cut.
            if last and not damaged:
                torn = True
            else:
                damaged = True
            continue
        started = started or str(document.get("at", ""))
        if "gap" in document:
            problems.append(f"line {number}: {document['gap']} events could not be written")
        if damaged:
            if event is not None:
                after.append(event)
            continue
        expected += 1
        good = start + len(line) + 1
        if event is not None:
            events.append(event)
    return JournalContent(
        tuple(events), tuple(problems), good, torn, damaged, tuple(after), started, expected
    )


class Journal:
    """Append-only; `append` returns when the events are on disk, or after noting that they could not be written.

    clock: wall time for the `at` field only. A full or failing disk never raises: the events wait in memory,
    `failing` holds a sentence for the banner, and every `append` and `retry` tries again.
    """

    def __init__(self, path: Path, *, clock: Callable[[], datetime] | None = None) -> None:
        self.path = path
        self.failing = ""
        self._clock = clock or (lambda: datetime.now(UTC))
        self._seq = 0
        self._waiting: deque[tuple[str, Event]] = deque()
        self._lost = 0
        self._size = 0
        self._fd: int | None = None

    @classmethod
    def create(cls, folder: str | Path, *, clock: Callable[[], datetime] | None = None) -> Journal:
        """A new file session-YYYYMMDD-HHMMSS[-n].jsonl in `folder` (made if missing).

        Never refuses to start: when the folder cannot be written, the journal begins `failing`.
        """
        now = (clock or (lambda: datetime.now(UTC)))()
        folder = Path(folder).expanduser()
        stem = f"session-{now:%Y%m%d-%H%M%S}"
        path, n = folder / f"{stem}{SUFFIX}", 1
        while path.exists():
            n += 1
            path = folder / f"{stem}-{n}{SUFFIX}"
        journal = cls(path, clock=clock)
        journal._open()
        return journal

    @classmethod
    def reopen(
        cls, path: str | Path, content: JournalContent, *, clock: Callable[[], datetime] | None = None
    ) -> Journal:
        """Go on in an existing file after its `content` was read: a torn tail is cut off, nothing else changes."""
        journal = cls(Path(path), clock=clock)
        journal._size = content.good_bytes
        journal._seq = content.lines
        journal._open()
        return journal

    def append(self, events: Sequence[Event]) -> None:
        """Write and fsync `events`."""
        at = self._at()
        self._waiting.extend((at, event) for event in events)
        self.retry()
        while len(self._waiting) > BACKLOG:
            self._waiting.popleft()
            self._lost += 1

    def retry(self) -> bool:
        """Write what waits; True when nothing waits any more."""
        if not self._waiting and not self._lost:
            if self._fd is None:
                self._open()
            return self._fd is not None
        if self._fd is None and not self._open():
            return False
        lines, seq = [], self._seq
        if self._lost:
            lines.append(encode(seq, self._at(), {"gap": {"events": self._lost}}))
            seq += 1
        for at, event in self._waiting:
            lines.append(encode(seq, at, {"event": event.to_document()}))
            seq += 1
        data = b"".join(lines)
        try:
            self._write(data)
        except OSError as error:
            self._fail(error)
            return False
        self._seq, self._size = seq, self._size + len(data)
        self._waiting.clear()
        self._lost = 0
        self.failing = ""
        return True

    def close(self) -> None:
        self.retry()
        if self._fd is not None:
            with contextlib.suppress(OSError):
                os.close(self._fd)
            self._fd = None

    def _at(self) -> str:
        return self._clock().isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def _open(self) -> bool:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._fd = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
            os.ftruncate(self._fd, self._size)
            os.lseek(self._fd, self._size, os.SEEK_SET)
            # The file's name must survive a power cut too, not only its bytes.
            folder = os.open(self.path.parent, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            self._fail(error)
            return False
        return True

    def _write(self, data: bytes) -> None:
        assert self._fd is not None
        # A retry after a partial write starts again at the last good byte.
        os.lseek(self._fd, self._size, os.SEEK_SET)
        view = memoryview(data)
        while view:
            view = view[os.write(self._fd, view) :]
        os.fsync(self._fd)

    def _fail(self, error: OSError) -> None:
        self.failing = (
            f"the log cannot be written ({error.strerror}); {len(self._waiting)} events wait in memory"
        )
        if self._fd is not None:
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, self._size)
            with contextlib.suppress(OSError):
                os.close(self._fd)
            self._fd = None


@dataclass(frozen=True, slots=True)
class Resumed:
    """What `resume` found. events: to rebuild the referee from (empty: begin anew); notices: for the table."""

    journal: Journal
    events: tuple[Event, ...]
    notices: tuple[str, ...]


def journals(folder: str | Path) -> list[Path]:
    """The journal files of a folder, oldest first."""
    return sorted(
        Path(folder).expanduser().glob(f"session-*{SUFFIX}"),
        key=lambda p: (p.name.replace(SUFFIX, "").split("-")[:3], len(p.name), p.name),
    )


def resume(folder: str | Path, *, clock: Callable[[], datetime] | None = None) -> Resumed:
    """Go on where the newest journal of `folder` stopped, if its game is unfinished; else begin a new one.

    A file with damage before its last line is moved aside (`….damaged`) with a notice; what stands before the
    damage is kept in the new journal. Never raises for what is in the folder.
    """
    try:
        files = journals(folder)
    except OSError:
        files = []
    if not files:
        return Resumed(Journal.create(folder, clock=clock), (), ())
    newest = files[-1]
    try:
        content = read_journal(newest)
    except InvalidFileError as error:
        return Resumed(Journal.create(folder, clock=clock), (), (str(error),))
    notices: list[str] = []
    if content.torn:
        notices.append(f"{newest.name}: the last line was cut off; everything before it is kept")
    if content.damaged:
        aside = newest.with_suffix(SUFFIX + ".damaged")
        with contextlib.suppress(OSError):
            newest.rename(aside)
        notices.append(f"{newest.name}: damaged ({content.problems[0]}); moved aside as {aside.name}")
        journal = Journal.create(folder, clock=clock)
        journal.append(content.events)
        return Resumed(journal, content.events if unfinished(content.events) else (), tuple(notices))
    if not unfinished(content.events):
        return Resumed(Journal.create(folder, clock=clock), (), tuple(notices))
    return Resumed(Journal.reopen(newest, content, clock=clock), content.events, tuple(notices))


def unfinished(events: Iterable[Event]) -> bool:
    """Whether a game, or a match with games to come, is in hand after `events`."""
    state = False
    length = 0
    for event in events:
        if event.type == "match_started":
            length, state = event.match_length, False  # type: ignore[attr-defined]
        elif event.type == "game_started":
            state = True
        elif event.type in ("match_won", "game_abandoned"):
            state = False
        elif event.type == "game_won":
            state = length > 0
    return state
