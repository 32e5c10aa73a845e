"""`pi-board replay` on the two shared games: what was thrown, played, played wrongly and put right, frame by frame."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

from pi_board.cli import main
from tests.bench.replayed import TOLD, agrees

SCENES = Path(__file__).resolve().parents[3] / "shared" / "data" / "scenes"
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not SCENES.exists(), reason="needs ../shared/data")]


def replayed(folder: Path) -> list[dict[str, Any]]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main(["replay", str(folder), "--json"]) == 0
    return json.loads(out.getvalue())["events"]


@pytest.mark.parametrize("game", ["game_dev", "game_wood"])
def test_every_throw_and_play_is_told_at_its_picture(game: str) -> None:
    told: dict[str, list[dict[str, Any]]] = {}
    for event in replayed(SCENES / game):
        told.setdefault(event["frame"], []).append(event)
    missed, accused = [], []
    for path in sorted((SCENES / game).glob("*.json")):
        truth = json.loads(path.read_text())
        here = told.get(truth["image"]["file"], [])
        # Of a roll that could not be played nothing is to be told at its picture.
        wanted = None if truth["event"] == "play_done" and not truth["play"] else TOLD.get(truth["event"])
        if wanted and not any(e["type"] in wanted and agrees(truth, e) for e in here):
            missed.append((truth["event"], path.stem, [e["type"] for e in here]))
        if truth["event"] != "play_done_illegal" and any(e["type"] == "illegal" for e in here):
            accused.append(path.stem)
    assert (missed, accused) == ([], [])
