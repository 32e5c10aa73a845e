"""One way to replace a file: whole, on disk, and never readable by more people than it should be."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from pi_board.record import whole_file
from pi_board.record.whole_file import write_whole
from tests.record.crash_disk import OperationLog


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_permissions_are_those_asked_for_whatever_the_umask_and_the_old_file_say(
    tmp_path: Path, mode: int
) -> None:
    path = tmp_path / "token"
    path.write_bytes(b"old")
    path.chmod(0o644)
    before = os.umask(0o077)
    try:
        write_whole(path, b"new", mode=mode)
    finally:
        os.umask(before)
    assert path.read_bytes() == b"new" and stat.S_IMODE(path.stat().st_mode) == mode
    assert [p.name for p in tmp_path.iterdir()] == ["token"]


def test_a_secret_is_never_in_a_file_that_others_may_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    def write(fd: int, data: memoryview) -> int:
        seen.append(stat.S_IMODE(os.fstat(fd).st_mode))
        return os.write(fd, data[:2])

    log = OperationLog(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(log, "write", write, raising=False)
        patch.setattr(whole_file, "os", log)
        write_whole(tmp_path / "token", b"secret", mode=0o600)
    assert seen == [0o600] * 3 and (tmp_path / "token").read_bytes() == b"secret"


def test_the_plug_pulled_at_any_operation_leaves_the_old_file_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "devices.json"
    path.write_bytes(b"old")
    log = OperationLog(tmp_path)
    log.knows(path)
    with monkeypatch.context() as patch:
        patch.setattr(whole_file, "os", log)
        write_whole(path, b"new and longer", mode=0o600)
        log.announced(1)
    for _, announced, disk in log.crashes(step=1):
        assert disk[str(path)] in ((b"new and longer",) if announced else (b"old", b"new and longer"))


def test_a_full_disk_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(b"old")

    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old" and [p.name for p in tmp_path.iterdir()] == ["settings.toml"]
