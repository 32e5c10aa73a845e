"""The plug pulled at every point of the journal's own operations: readable, and no announced event is lost."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from pi_board.events import DiceRolled, Event, GameStarted, MatchStarted
from pi_board.record import journal as journal_module
from pi_board.record import whole_file
from pi_board.record.formats import load, save
from pi_board.record.journal import Journal, read_journal, resume
from pi_board.rules import STARTING_POSITION
from tests.record.crash_disk import OperationLog
from tests.record.random_match import random_match
from tests.record.test_journal import clock


def story(n: int) -> list[Event]:
    start = [MatchStarted(rules="international"), GameStarted(game=1, position=STARTING_POSITION)]
    return [*start, *(DiceRolled(side="light", dice=(1 + i % 6, 3), time=float(i)) for i in range(n))][:n]


def check(log: OperationLog, events: list[Event], folder: Path, scratch: Path, *, step: int) -> int:
    """Every state: `resume` finds all announced events, in order, and can go on. Returns how many states."""
    count = 0
    with pytest.MonkeyPatch.context() as patch:
        # Reopening here need not reach a disk; thousands of fsyncs would only cost time.
        patch.setattr(journal_module.os, "fsync", lambda fd: None)
        for done, announced, disk in log.crashes(step=step):
            count += 1
            where = f"after {done} operations: {log.log[max(0, done - 3) : done]}"[:300]
            _look(events, folder, scratch / "again", announced, disk, where)
    return count


def _look(
    events: list[Event], folder: Path, home: Path, announced: int, disk: dict[str, bytes], where: str
) -> None:
    for name, content in disk.items():
        path = home / Path(name).relative_to(folder)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    found = resume(home, clock=clock)
    found.journal.close()
    kept = list(read_journal(found.journal.path).events)
    assert kept == events[: len(kept)], where
    if announced > 1:
        assert len(kept) >= announced, where
        assert list(found.events) == kept, where
    for path in sorted(home.rglob("*"), reverse=True):
        path.unlink()
    if home.exists():
        home.rmdir()


#: Bytes between two places at which a write is torn: every byte in the slow run.
STEPS = [pytest.param(1, marks=pytest.mark.slow), 37]


@pytest.mark.parametrize("step", STEPS)
def test_a_new_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    """The folder itself is new too; events come one by one and several at once."""
    folder, events = tmp_path / "a" / "games", story(6)
    log = OperationLog(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(journal_module, "os", log)
        patch.setattr(whole_file, "os", log)
        journal = Journal.create(folder, clock=clock)
        for first, last in ((0, 1), (1, 2), (2, 3), (3, 6)):
            journal.append(events[first:last])
            log.announced(last)
        journal.close()
    kinds = [entry[0] for entry in log.log]
    assert kinds.count("write") == 4 and kinds.count("fsync") == 4 and kinds.count("mkdir") == 2
    assert check(log, events, folder, tmp_path / "scratch", step=step) > 40


@pytest.mark.parametrize("step", STEPS)
def test_going_on_behind_a_torn_tail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    folder, events = tmp_path / "games", story(5)
    journal = Journal.create(folder, clock=clock)
    journal.append(events[:3])
    journal.close()
    with journal.path.open("ab") as file:
        file.write(b'{"v":1,"seq":3,"at":"2026-11-20T20:00:00.000Z","event":{"type":"dice_rol' * 9)
    log = OperationLog(tmp_path)
    log.knows(journal.path)
    log.announced(3)
    with monkeypatch.context() as patch:
        patch.setattr(journal_module, "os", log)
        patch.setattr(whole_file, "os", log)
        found = resume(folder, clock=clock)
        found.journal.append(events[3:4])
        log.announced(4)
        found.journal.append(events[4:])
        log.announced(5)
        found.journal.close()
    assert check(log, events, folder, tmp_path / "scratch", step=step) > 20


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("part", [0, 30, 250])
def test_a_disk_that_was_full_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int, part: int
) -> None:
    """Events that wait in memory are no promise; what was on disk before stays, and afterwards all is there."""
    folder, events = tmp_path / "games", story(6)
    log = OperationLog(tmp_path)
    budget = [part]

    def full(data: bytes) -> bytes:
        n, budget[0] = min(budget[0], len(data)), 0
        if not n:
            raise OSError(errno.ENOSPC, "No space left on device")
        return data[:n]

    with monkeypatch.context() as patch:
        patch.setattr(journal_module, "os", log)
        patch.setattr(whole_file, "os", log)
        journal = Journal.create(folder, clock=clock)
        journal.append(events[:3])
        log.announced(3)
        log.fault = full
        journal.append(events[3:5])
        assert journal.failing
        log.fault = None
        journal.append(events[5:])
        assert not journal.failing
        log.announced(6)
        journal.close()
    assert check(log, events, folder, tmp_path / "scratch", step=step) > 20


@pytest.mark.parametrize("step", STEPS)
def test_a_damaged_journal_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    """Write, fsync, rename, rename: at every point the readable beginning is found again."""
    folder, events = tmp_path / "games", story(5)
    journal = Journal.create(folder, clock=clock)
    journal.append(events[:4])
    journal.close()
    with journal.path.open("ab") as file:
        file.write(b"a line that a bad card made up\nand another\n")
    log = OperationLog(tmp_path)
    log.knows(journal.path)
    log.announced(4)
    with monkeypatch.context() as patch:
        patch.setattr(journal_module, "os", log)
        patch.setattr(whole_file, "os", log)
        found = resume(folder, clock=clock)
        assert "moved aside" in found.notices[0]
        found.journal.append(events[4:])
        log.announced(5)
        found.journal.close()
    kinds = [entry[0] for entry in log.log]
    assert kinds.count("rename") == 2
    assert check(log, events, folder, tmp_path / "scratch", step=step) > 20


def test_without_fsync_the_test_would_notice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The enumeration is no rubber stamp: a journal that forgets to fsync loses announced events."""
    folder, events = tmp_path / "games", story(4)
    log = OperationLog(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(journal_module, "os", log)
        patch.setattr(whole_file, "os", log)
        journal = Journal.create(folder, clock=clock)
        for i, event in enumerate(events):
            journal.append([event])
            log.announced(i + 1)
        journal.close()
    log.log = [entry for entry in log.log if entry[0] != "fsync"]
    with pytest.raises(AssertionError):
        check(log, events, folder, tmp_path / "scratch", step=37)


@pytest.mark.parametrize("step", [pytest.param(7, marks=pytest.mark.slow), 211])
def test_a_game_file_is_the_old_one_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    path, old, new = tmp_path / "games" / "x.mat", random_match(1), random_match(2)
    save(old, path, "mat")
    before = path.read_bytes()
    log = OperationLog(tmp_path)
    log.knows(path)
    log.announced(1)
    with monkeypatch.context() as patch:
        patch.setattr(journal_module, "os", log)
        patch.setattr(whole_file, "os", log)
        save(new, path, "mat")
        log.announced(2)
    after = path.read_bytes()
    assert load(path).match.games and before != after
    for _, announced, disk in log.crashes(step=step):
        if announced == 1:
            assert disk[str(path)] in (before, after)
        elif announced == 2:
            assert disk[str(path)] == after
