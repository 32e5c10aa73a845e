"""A picture of a board, read, and a hint for what was seen: the two commands joined as at the shell."""

import io
import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_board.cli import main
from pi_board.rules import Position, legal_plays
from pi_board.vision.training.pictures import make_photo


def test_a_hint_for_a_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    photo = make_photo(np.random.default_rng(9_000_003), hardness=0.0, hand=False)
    cv2.imwrite(str(tmp_path / "board.png"), photo.image)
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in photo.corners)
    assert main(["read", str(tmp_path / "board.png"), "--corners", corners, "--json"]) == 0
    seen = capsys.readouterr().out
    position = Position.from_document(json.loads(seen)["position"])

    monkeypatch.setattr("sys.stdin", io.StringIO(seen))
    assert main(["hint", "--position", "-", "--dice", "6", "1", "--level", "fast", "--json"]) == 0
    plays = json.loads(capsys.readouterr().out)["plays"]
    shown = {json.dumps(p["position"], sort_keys=True) for p in plays}
    legal = {json.dumps(p.result.to_document(), sort_keys=True) for p in legal_plays(position, (6, 1))}
    assert shown == legal

    monkeypatch.setattr("sys.stdin", io.StringIO(seen))
    assert (
        main(
            [
                "hint",
                "--position",
                "-",
                "--cube",
                "--cube-value",
                "1",
                "--cube-owner",
                "centre",
                "--level",
                "fast",
                "--json",
            ]
        )
        == 0
    )
    cube = json.loads(capsys.readouterr().out)["cube"]
    assert cube["may_double"] and cube["action"] in ("no_double", "double_take", "double_pass", "too_good")
