"""`pi-board update` and `rollback` from the command line: what is refused, and when a game is in hand."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from pi_board.cli import main
from pi_board.commands import update as command
from pi_board.events import GameAbandoned, GameStarted
from pi_board.record.journal import Journal
from pi_board.rules import STARTING_POSITION


def run(capsys: pytest.CaptureFixture[str], folder: Path, *args: str) -> tuple[int, str]:
    places = [
        "--prefix",
        str(folder / "opt"),
        "--state",
        str(folder / "state"),
        "--root",
        str(folder / "root"),
    ]
    code = main([*args, *places])
    return code, capsys.readouterr().err.strip()


def test_what_is_no_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nothing = tmp_path / "nothing.deb"
    for path in (nothing, tmp_path):
        code, said = run(capsys, tmp_path, "update", str(path))
        assert code == 2 and said.startswith(f"pi-board update: {path}: expected a checkout")
    # Names of wheels of others, and a package that is none.
    other = tmp_path / "numpy-2.0-py3-none-any.whl"
    other.touch()
    assert run(capsys, tmp_path, "update", str(other))[0] == 2
    nothing.write_text("no package", encoding="utf-8")
    code, said = run(capsys, tmp_path, "update", str(nothing))
    assert code == 1 and "unpacking the package failed" in said and "\n" not in said


def test_without_a_source_or_an_earlier_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = run(capsys, tmp_path, "update")
    assert code == 2 and "name a SOURCE" in said
    code, said = run(capsys, tmp_path, "rollback")
    assert (code, said) == (1, "pi-board rollback: there is no earlier version to go back to")


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_without_rights(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rollback"]) == 2
    assert "sudo" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["nothing", "playing", "over", "left lying"])
def test_a_game_in_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    settings = tmp_path / ".config" / "pi-board" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f'[record]\nfolder = "{tmp_path / "games"}"\n', encoding="utf-8")
    if kind != "nothing":
        journal = Journal.create(tmp_path / "games")
        journal.append([GameStarted(game=1, position=STARTING_POSITION)])
        if kind == "over":
            journal.append([GameAbandoned()])
        journal.close()
        if kind == "left lying":
            yesterday = time.time() - 86400
            os.utime(journal.path, (yesterday, yesterday))
    assert command.game_in_hand() is (kind == "playing")


def test_the_services_home_is_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings without a folder: the games are in the service's home, whoever updates it."""
    monkeypatch.setenv("HOME", str(tmp_path / "root"))
    monkeypatch.setattr(command, "SETTINGS", tmp_path / "settings.toml")
    monkeypatch.setattr(command, "STATE", tmp_path / "service")
    journal = Journal.create(tmp_path / "service" / "pi-board" / "games")
    journal.append([GameStarted(time=1.0, game=1, position=STARTING_POSITION)])
    journal.close()
    assert not command.game_in_hand()
    (tmp_path / "settings.toml").write_text("[web]\nenabled = false\n", encoding="utf-8")
    assert command.game_in_hand()
