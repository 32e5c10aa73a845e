"""The journal: nothing that was announced is lost, whatever happens to the file."""

from __future__ import annotations

import errno
import os
import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pi_board.errors import InvalidFileError
from pi_board.events import DiceRolled, Event, GameStarted, GameWon, MatchStarted, TurnEnded
from pi_board.record import journal as journal_module
from pi_board.record.journal import Journal, decode, encode, parse_journal, read_journal, resume
from pi_board.rules import STARTING_POSITION


def clock() -> datetime:
    return datetime(2026, 11, 20, 20, 0, 0, tzinfo=UTC)


def story(n: int = 12) -> list[Event]:
    events: list[Event] = [
        MatchStarted(rules="international", match_length=3, light_name="Zoë", dark_name='O"Brien'),
        GameStarted(game=1, position=STARTING_POSITION),
    ]
    for i in range(n):
        side = "light" if i % 2 else "dark"
        events.append(DiceRolled(side=side, dice=(1 + i % 6, 1 + (i * 5) % 6), time=float(i)))
        events.append(TurnEnded(side=side, position=STARTING_POSITION, dice=(3, 1), time=i + 0.5))
    return events


def written(folder: Path, events: list[Event]) -> Path:
    journal = Journal.create(folder, clock=clock)
    for event in events:
        journal.append([event])
    journal.close()
    return journal.path


def test_what_was_appended_is_read_back(tmp_path: Path) -> None:
    events = story()
    content = read_journal(written(tmp_path, events))
    assert list(content.events) == events
    assert not content.problems and not content.torn and not content.damaged


def test_append_returns_after_fsync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The order write, fsync, return: at the moment of the fsync the bytes are already in the file."""
    journal = Journal.create(tmp_path, clock=clock)
    seen = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda fd: (seen.append(journal.path.stat().st_size), real(fd)))
    journal.append(story(1))
    assert seen and seen[-1] == journal.path.stat().st_size > 0


def test_cut_at_every_byte_costs_no_earlier_event(tmp_path: Path) -> None:
    events = story(4)
    data = written(tmp_path, events).read_bytes()
    ends = [i + 1 for i, b in enumerate(data) if b == 0x0A]
    for cut in range(len(data) + 1):
        content = parse_journal(data[:cut])
        complete = sum(end <= cut for end in ends)
        assert list(content.events) == events[:complete], cut
        assert not content.damaged
        assert content.torn == (cut not in (0, *ends))


def test_a_flipped_bit_never_becomes_another_event(tmp_path: Path) -> None:
    events = story(6)
    data = written(tmp_path, events).read_bytes()
    rng = random.Random(1)
    for _ in range(400):
        at, bit = rng.randrange(len(data)), rng.randrange(8)
        bad = bytearray(data)
        bad[at] ^= 1 << bit
        content = parse_journal(bytes(bad))
        assert list(content.events) == events[: len(content.events)]
        assert content.problems
        assert all(e in events for e in content.after_damage)


@pytest.mark.parametrize(
    "line", [b"", b"{}", b"\xff\xfe", b'{"v":1}', b'{"v":1,"crc":"00000000"}', b"[" * 5000]
)
def test_nonsense_is_refused_in_one_line(line: bytes) -> None:
    with pytest.raises(InvalidFileError) as error:
        decode(line)
    assert "\n" not in str(error.value)


def test_resume_goes_on_in_the_same_file_after_a_torn_tail(tmp_path: Path) -> None:
    events = story(3)
    path = written(tmp_path, events)
    path.write_bytes(path.read_bytes()[:-7])
    found = resume(tmp_path, clock=clock)
    assert list(found.events) == events[:-1] and found.journal.path == path
    assert "cut off" in found.notices[0]
    found.journal.append(events[-1:])
    found.journal.close()
    assert list(read_journal(path).events) == events


def test_resume_after_damage_moves_the_file_aside_and_keeps_the_beginning(tmp_path: Path) -> None:
    events = story(3)
    path = written(tmp_path, events)
    lines = path.read_bytes().split(b"\n")
    lines[4] = lines[4].replace(b"dice", b"dicE")
    path.write_bytes(b"\n".join(lines))
    found = resume(tmp_path, clock=clock)
    assert list(found.events) == events[:4]
    assert path.with_suffix(".jsonl.damaged").exists() and "moved aside" in " ".join(found.notices)
    found.journal.close()
    assert list(read_journal(found.journal.path).events) == events[:4]


def test_a_finished_game_is_not_resumed(tmp_path: Path) -> None:
    done = [
        MatchStarted(rules="international"),
        GameStarted(game=1, position=STARTING_POSITION),
        GameWon(side="dark", points=1, kind="resigned"),
    ]
    first = written(tmp_path, done)
    found = resume(tmp_path, clock=clock)
    assert found.events == () and found.journal.path != first
    found.journal.close()


@pytest.mark.parametrize("content", [b"", b"\0" * 4096, b"not a journal\n", os.urandom(3000)])
def test_start_is_never_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "session-20260101-000000.jsonl").write_bytes(content)
    found = resume(tmp_path, clock=clock)
    found.journal.append(story(1))
    found.journal.close()
    assert list(read_journal(found.journal.path).events)[-1] == story(1)[-1]


class FullDisk:
    """os.write that fails (or writes only a part) for a while, as a full disk does."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full, self.part = False, 0
        self._write = os.write
        monkeypatch.setattr(journal_module.os, "write", self.write)

    def write(self, fd: int, data: bytes) -> int:
        if not self.full:
            return self._write(fd, data)
        if self.part:
            n, self.part = self.part, 0
            return self._write(fd, bytes(data)[:n])
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("part", [0, 1, 40, 300])
def test_disk_full_loses_nothing_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    events = story(8)
    disk = FullDisk(monkeypatch)
    journal = Journal.create(tmp_path, clock=clock)
    journal.append(events[:5])
    disk.full, disk.part = True, part
    journal.append(events[5:9])
    assert "No space left" in journal.failing
    assert list(read_journal(journal.path).events) == events[:5], "a partial line was left behind"
    journal.append(events[9:10])
    disk.full = False
    assert journal.retry() and not journal.failing
    journal.append(events[10:])
    journal.close()
    assert list(read_journal(journal.path).events) == events


def test_events_that_did_not_fit_in_memory_are_stated_as_a_gap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "BACKLOG", 3)
    disk = FullDisk(monkeypatch)
    journal = Journal.create(tmp_path, clock=clock)
    events = story(6)
    disk.full = True
    journal.append(events[:8])
    disk.full = False
    journal.append(events[8:9])
    journal.close()
    content = read_journal(journal.path)
    assert list(content.events) == events[5:9]
    assert "4 events follow late, 5 are lost" in content.problems[0] and not content.damaged
    again = Journal.reopen(journal.path, content, clock=clock)
    again.append(events[9:])
    again.close()
    assert list(read_journal(journal.path).events) == events[5:]


def test_real_limits_of_the_system(tmp_path: Path) -> None:
    """/dev/full as the file: failing at once, never raising."""
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    journal = Journal(Path("/dev/full"), clock=clock)
    journal.append(story(1))
    assert journal.failing
    journal.close()


def test_lines_carry_version_sequence_and_time(tmp_path: Path) -> None:
    line = encode(7, "2026-11-20T20:00:00.000Z", {"event": story(1)[0].to_document()})
    document = decode(line.rstrip(b"\n"))
    assert (document["v"], document["seq"], document["at"]) == (1, 7, "2026-11-20T20:00:00.000Z")
