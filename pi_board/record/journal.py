"""The journal: one JSON document per line, on disk before anything is announced.

A line is `{"v":1,"seq":N,"at":"…Z","event":{…},"crc":"xxxxxxxx"}` + newline; `crc` is the CRC-32 of the line's
bytes before `,"crc"`. `seq` counts from 0 within a file without gaps. Instead of `"event"` a line may hold
`"gap":{"events":n,"late":m,"seconds":s}`: nothing could be written for s seconds, m events follow late, n are
lost; or `"note":{…}`, which is no part of the game (`{"evidence":"session-…-001-wrong_number","files":[…],"of":seq}`
names the pictures of the last `play_illegal` before it with that `seq`).
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pi_board.errors import InvalidError, InvalidFileError
from pi_board.events import Event, MatchStarted
from pi_board.record.whole_file import sync_folder

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
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
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
    lines: intact lines (events, gaps and notes). notes: the notes among them, in order.
    """

    events: tuple[Event, ...]
    problems: tuple[str, ...]
    good_bytes: int
    torn: bool
    damaged: bool
    after_damage: tuple[Event, ...] = ()
    started: str = ""
    lines: int = 0
    notes: tuple[dict[str, Any], ...] = ()


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
    notes: list[dict[str, Any]] = []
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
        if isinstance(gap := document.get("gap"), dict):
            problems.append(
                f"line {number}: nothing could be written for {gap.get('seconds', '?')} s: "
                f"{gap.get('late', 0)} events follow late, {gap.get('events', 0)} are lost"
            )
        if damaged:
            if event is not None:
                after.append(event)
            continue
        expected += 1
        good = start + len(line) + 1
        if event is not None:
            events.append(event)
        elif isinstance(note := document.get("note"), dict):
            notes.append(note)
    return JournalContent(
        tuple(events), tuple(problems), good, torn, damaged, tuple(after), started, expected, tuple(notes)
    )


class Journal:
    """Append-only; `append` returns when the events are on disk, or after noting that they could not be written.

    clock: wall time for the `at` field only. A full or failing disk never raises: the events wait in memory,
    `failing` holds a sentence for the banner, and every `append`, `note` and `retry` tries again. Any thread may call.
    """

    def __init__(self, path: Path, *, clock: Callable[[], datetime] | None = None) -> None:
        self.path = path
        self.failing = ""
        self._clock = clock or (lambda: datetime.now(UTC))
        self._seq = 0
        #: (when, key of the line, its document): "event" or "note".
        self._waiting: deque[tuple[str, str, dict[str, Any]]] = deque()
        self._lost = 0
        self._failing_since: datetime | None = None
        self._size = 0
        self._fd: int | None = None
        self._lock = threading.RLock()

    @classmethod
    def create(cls, folder: str | Path, *, clock: Callable[[], datetime] | None = None) -> Journal:
        """A new file session-YYYYMMDD-HHMMSS[-n].jsonl in `folder` (made if missing), newer by name than all there.

        Never refuses to start: when the folder cannot be written, the journal begins `failing`.
        """
        journal = cls(_free_name(Path(folder).expanduser(), clock), clock=clock)
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
        self._add([("event", event.to_document()) for event in events])

    def note(self, document: dict[str, Any]) -> None:
        """Write and fsync something that is no part of the game (where evidence lies)."""
        self._add([("note", document)])

    def _add(self, entries: Iterable[tuple[str, dict[str, Any]]]) -> None:
        with self._lock:
            at = self._at()
            self._waiting.extend((at, key, document) for key, document in entries)
            self.retry()
            while len(self._waiting) > BACKLOG:
                _, key, _ = self._waiting.popleft()
                self._lost += key == "event"

    def retry(self) -> bool:
        """Write what waits; True when nothing waits any more."""
        with self._lock:
            if self._fd is None and not self._open():
                return False
            if not self._waiting and not self._lost:
                self._failing_since, self.failing = None, ""
                return True
            entries = list(self._waiting)
            if self._failing_since is not None:
                seconds = (self._clock() - self._failing_since).total_seconds()
                late = sum(key == "event" for _, key, _ in entries)
                gap = {"events": self._lost, "late": late, "seconds": round(max(0.0, seconds), 1)}
                entries.insert(0, (self._at(), "gap", gap))
            data = b"".join(
                encode(seq, at, {key: document}) for seq, (at, key, document) in enumerate(entries, self._seq)
            )
            try:
                self._write(data)
            except OSError as error:
                self._fail(error)
                return False
            self._seq, self._size = self._seq + len(entries), self._size + len(data)
            self._waiting.clear()
            self._lost = 0
            self._failing_since, self.failing = None, ""
            return True

    def close(self) -> None:
        with self._lock:
            if self._fd is not None or self._waiting:
                self.retry()
            if self._fd is not None:
                with contextlib.suppress(OSError):
                    os.close(self._fd)
                self._fd = None

    def _at(self) -> str:
        return self._clock().isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def _open(self) -> bool:
        try:
            _make_folder(self.path.parent)
            self._fd = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
            if os.fstat(self._fd).st_size < self._size:
                # Somebody deleted the file. Its lines are lost, and the new file says so.
                self._lost, self._seq, self._size = self._lost + self._seq, 0, 0
                self._failing_since = self._failing_since or self._clock()
            os.ftruncate(self._fd, self._size)
            # The file's name must survive a power cut too, not only its bytes.
            sync_folder(self.path.parent)
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
        self._failing_since = self._failing_since or self._clock()
        self.failing = (
            f"the log cannot be written ({error.strerror}); {len(self._waiting)} events wait in memory"
        )
        if self._fd is not None:
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, self._size)
            with contextlib.suppress(OSError):
                os.close(self._fd)
            self._fd = None


def _make_folder(folder: Path) -> None:
    """`folder` with its parents, each of their names on disk."""
    missing = [p for p in (folder, *folder.parents) if not p.exists()]
    for path in reversed(missing):
        with contextlib.suppress(FileExistsError):
            os.mkdir(path)  # noqa: PTH102 (the tests follow `os`, operation by operation)
        sync_folder(path.parent)


def _free_name(folder: Path, clock: Callable[[], datetime] | None) -> Path:
    """A journal's name that sorts after all that are there, even when the clock was set back (a Pi has no battery)."""
    now = (clock or (lambda: datetime.now(UTC)))()
    stem, n = f"session-{now:%Y%m%d-%H%M%S}", 1
    try:
        there = journals(folder)
    except OSError:
        there = []
    if there:
        date, time, number = _name_key(there[-1])
        newest = f"session-{date}-{time}"
        if newest >= stem:
            stem, n = newest, number + 1
    return folder / (f"{stem}{SUFFIX}" if n == 1 else f"{stem}-{n}{SUFFIX}")


@dataclass(frozen=True, slots=True)
class Resumed:
    """What `resume` found. events: to rebuild the referee from (empty: begin anew); notices: for the table."""

    journal: Journal
    events: tuple[Event, ...]
    notices: tuple[str, ...]


def journals(folder: str | Path) -> list[Path]:
    """The journal files of a folder, oldest first."""
    return sorted(Path(folder).expanduser().glob(f"session-*{SUFFIX}"), key=_name_key)


def _name_key(path: Path) -> tuple[str, str, int]:
    """(date, time, number) of session-DATE-TIME[-NUMBER].jsonl; strange names sort somewhere."""
    _, date, time, number = (*path.name.removesuffix(SUFFIX).split("-", 3), "", "", "")[:4]
    return date, time, int(number) if number.isascii() and number.isdigit() and len(number) < 9 else 1


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
        journal, aside = _replace_damaged(newest, content, clock)
        moved = f"moved aside as {aside.name}" if aside is not None else "left where it is"
        notices.append(f"{newest.name}: damaged ({content.problems[0]}); {moved}")
        return Resumed(journal, content.events if unfinished(content.events) else (), tuple(notices))
    if not unfinished(content.events):
        return Resumed(Journal.create(folder, clock=clock), (), tuple(notices))
    return Resumed(Journal.reopen(newest, content, clock=clock), content.events, tuple(notices))


def _replace_damaged(
    damaged: Path, content: JournalContent, clock: Callable[[], datetime] | None
) -> tuple[Journal, Path | None]:
    """A new journal with the readable beginning, complete before it gets its name; only then the old one goes aside."""
    path = _free_name(damaged.parent, clock)
    journal = Journal(path.with_name(f".{path.name}.new"), clock=clock)
    with contextlib.suppress(OSError):
        journal.path.unlink(missing_ok=True)
    journal.append(content.events)
    if journal.failing:
        journal.close()
        journal = Journal.create(damaged.parent, clock=clock)
        journal.append(content.events)
        return journal, None
    aside, n = damaged.with_suffix(SUFFIX + ".damaged"), 1
    while aside.exists():
        n += 1
        aside = damaged.with_suffix(f"{SUFFIX}.damaged-{n}")
    try:
        os.replace(journal.path, path)
        journal.path = path
        sync_folder(path.parent)
        os.replace(damaged, aside)
        sync_folder(path.parent)
    except OSError:
        return journal, None
    return journal, aside


def unfinished(events: Iterable[Event]) -> bool:
    """Whether a game, or a match with games to come, is in hand after `events`."""
    state = False
    length = 0
    for event in events:
        if event.type in ("solitaire_started", "jump_made", "jump_taken_back", "holes_corrected"):
            state = True
        elif event.type in ("solitaire_ended", "solitaire_abandoned"):
            state = False
        elif isinstance(event, MatchStarted):
            length, state = event.match_length, False
        elif event.type == "game_started":
            state = True
        elif event.type in ("match_won", "game_abandoned"):
            state = False
        elif event.type == "game_won":
            state = length > 0
    return state
