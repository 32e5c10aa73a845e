"""`pi-board calibrate` and the addresses that `serve` prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pi_board.cli import main
from pi_board.commands.page import qr_text
from pi_board.setup.settings import load_settings
from pi_board.web.access import Gatekeeper


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    file = tmp_path / "settings.toml"
    file.write_text('# kept\n[camera]\nbackend = "simulated"\n[web]\nhost = "0.0.0.0"\n')
    return file


def test_a_board_is_found_judged_and_saved(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "--config", str(file), "--profile", "jumbo-travel", "--home", "right"]) == 0
    out = capsys.readouterr().out
    assert "board found" in out and "every point is as it should be" in out and "NOT" not in out
    token = (file.parent / ".config/pi-board/token").read_text().strip()
    assert Gatekeeper(token, ()).short_path in out and "█" in out
    assert load_settings(file).board.profile == "jumbo-travel" and file.read_text().startswith("# kept\n")


def test_json_and_corners_by_hand(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corners = "301,86 983,81 1009,658 275,655"
    before = file.read_text()
    assert main(["calibrate", "--config", str(file), "--corners", corners, "--json", "--dry-run"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["saved"] is None and file.read_text() == before and len(document["checks"]) == 6
    assert main(["calibrate", "--config", str(file), "--corners", corners, "--json"]) == 0
    assert load_settings(file).board.corners.startswith("301.0,86.0 983.0,81.0")


def test_no_board_is_one_line(file: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    import cv2
    import numpy as np

    (tmp_path / "pictures").mkdir()
    cv2.imwrite(str(tmp_path / "pictures" / "a.png"), np.full((240, 320, 3), 90, np.uint8))
    file.write_text(f'[camera]\nbackend = "folder"\nsource = "{tmp_path / "pictures"}"\n')
    assert main(["calibrate", "--config", str(file), "--json"]) == 2
    out, err = capsys.readouterr()
    assert not out and err.count("\n") == 1 and "board" in err
    assert main(["calibrate", "--config", str(tmp_path / "none.toml")]) == 2


def test_qr_code_holds_in_a_terminal() -> None:
    lines = qr_text("http://192.168.1.9:8064/enter?token=abcdefghijklmnopqrstuvwx").splitlines()
    assert 10 < len(lines) < 30 and all(len(line) <= 79 for line in lines)
