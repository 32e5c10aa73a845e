"""`pi-board collect`."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from pi_board.cli import main
from pi_board.rules import STARTING_POSITION
from pi_board.terminal.diagram import text_diagram
from tests.record.test_samples import put


def test_list_show_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(tmp_path / "collected", 3)
    there = ["collect", "--folder", str(tmp_path / "collected")]
    assert main([*there, "list"]) == 0
    assert "session-20260101-200000" in capsys.readouterr().out
    assert main([*there, "list", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["samples"] == 3 and document["evenings"][0]["samples"] == 3
    for name in ("2", document["names"][1]):
        assert main([*there, "show", name]) == 0
        out = capsys.readouterr().out
        assert out.startswith("\n".join(text_diagram(STARTING_POSITION))) and "00002.jpg" in out
    assert main([*there, "show", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["position"] == STARTING_POSITION.to_document()
    assert main([*there, "export", "-o", str(tmp_path / "x.zip"), "--licence", "cc-by"]) == 0
    with zipfile.ZipFile(tmp_path / "x.zip") as archive:
        assert b"CC BY 4.0" in archive.read("LICENCE.txt")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["show", "9"], 2, "expected 1 to 3"),
        (["show", "session-x"], 2, "expected 1 to 3"),
        (["export", "-o", "{}/a.zip"], 2, "--licence: expected"),
        (["export", "-o", "{}/a.zip", "--licence", " "], 2, "got nothing"),
        (["export", "-o", "{}/collected", "--licence", "cc0"], 2, "is there already"),
        ([], 2, "required"),
    ],
)
def test_wrong_uses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: int, said: str
) -> None:
    put(tmp_path / "collected", 3)
    assert (
        main(["collect", "--folder", str(tmp_path / "collected"), *(w.format(tmp_path) for w in words)])
        == code
    )
    assert said in capsys.readouterr().err


def test_nothing_collected_yet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["collect", "--folder", str(tmp_path), "list"]) == 0
    assert main(["collect", "--folder", str(tmp_path), "show", "1"]) == 1
    assert "collect = true" in capsys.readouterr().err
    assert main(["collect", "--folder", str(tmp_path / "none"), "list"]) == 2
