"""The solitaire demo from frames to journal."""

from __future__ import annotations

import json

import pytest

from pi_board.cli import main


@pytest.mark.parametrize("games", [1, pytest.param(12, marks=pytest.mark.slow)])
def test_wrong_jumps_are_flagged_and_nothing_else(
    games: int, capsys: pytest.CaptureFixture[str], tmp_path
) -> None:  # type: ignore[no-untyped-def]
    jumps = "4" if games == 1 else "10"
    code = main(
        [
            "solitaire",
            "demo",
            "--games",
            str(games),
            "--jumps",
            jumps,
            "--mistakes",
            "0.3",
            "--seed",
            "5",
            "--log-dir",
            str(tmp_path),
            "--json",
        ]
    )
    assert code == 0
    found = json.loads(capsys.readouterr().out)["games"]
    assert len(found) == games
    for game in found:
        assert game["transcript_exact"] and game["false_alarms"] == 0
        assert game["wrong_flagged"] == game["wrong_shown"]
