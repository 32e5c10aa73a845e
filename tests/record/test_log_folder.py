"""A log folder that cannot take a game is said before the first picture, with exit code 2."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from pi_board.cli import main
from pi_board.errors import InvalidFileError
from pi_board.record.log_folder import ROOM, require_log_folder


def full(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_good_folder_is_made_and_left_empty(tmp_path: Path) -> None:
    require_log_folder(tmp_path / "a" / "b")
    assert list((tmp_path / "a" / "b").iterdir()) == []


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("file", "is a file"),
        ("file/below", "part of this path is a file"),
        ("/proc/nowhere", "cannot be written"),
    ],
)
def test_no_folder(tmp_path: Path, place: str, words: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InvalidFileError, match=words):
        require_log_folder(tmp_path / place)


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InvalidFileError, match=r"cannot be written \(No space left on device\)"):
        require_log_folder(tmp_path)


def test_a_disk_without_room_for_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_bavail=16, f_frsize=4096, f_blocks=16))
    with pytest.raises(InvalidFileError, match=f"64 KiB free, expected {ROOM // 1024} KiB"):
        require_log_folder(tmp_path)


@pytest.mark.parametrize(
    "command",
    [
        ["demo", "--json"],
        ["replay", "."],
        ["run"],
        ["serve", "--demo"],
        ["solitaire", "watch"],
        ["solitaire", "demo"],
    ],
    ids=" ".join,
)
def test_every_command_says_it_first(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NOTIFY_SOCKET", "INVOCATION_ID"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "settings.toml").write_text('[camera]\nbackend = "simulated"\n')
    monkeypatch.setenv("PI_BOARD_CONFIG", str(tmp_path / "settings.toml"))
    (tmp_path / "file").touch()
    assert main([*command, "--log-dir", str(tmp_path / "file")]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and "is a file, expected a folder" in err
