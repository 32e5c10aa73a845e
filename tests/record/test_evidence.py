"""Evidence of an illegal verdict: before, after, clip and verdict; bounded, and never in the way of the game."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from pi_board.events import GameStarted, PlayIllegal
from pi_board.frame import Frame
from pi_board.output import Moment
from pi_board.record.evidence import Evidence
from pi_board.record.options import RecordOptions
from pi_board.rules import STARTING_POSITION
from pi_board.sighting import Gate, Sighting
from pi_board.table import TableView

ILLEGAL = PlayIllegal(
    side="light",
    dice=(3, 1),
    code="wrong_number",
    reason="…",
    position=STARTING_POSITION,
    seen=STARTING_POSITION,
    seq=9,
)


def moment(time: float, grey: int, *events) -> Moment:  # type: ignore[no-untyped-def]
    image = np.full((120, 160, 3), grey, np.uint8)
    sighting = Sighting(int(time * 10), time, Gate.SETTLED, np.zeros((28, 31)))
    return Moment(time, TableView(), events, Frame(image, time, 0), sighting)


def test_an_illegal_play_leaves_pictures_and_a_clip(tmp_path: Path) -> None:
    linked = []
    evidence = Evidence(
        tmp_path, "session-1", RecordOptions(), linked=lambda seq, name: linked.append((seq, name))
    )
    evidence.show(moment(0.0, 40))
    evidence.show(moment(0.5, 40, GameStarted(game=1, position=STARTING_POSITION)))
    for i in range(10):
        evidence.show(moment(1 + i / 5, 90))
    evidence.show(moment(4.0, 200, ILLEGAL))
    evidence.close()
    (folder,) = tmp_path.iterdir()
    assert folder.name == "session-1-001-wrong_number" and linked == [(9, folder.name)]
    before, after = (cv2.imread(str(folder / f"{n}.jpg")) for n in ("before", "after"))
    assert abs(int(before.mean()) - 40) < 4 and abs(int(after.mean()) - 200) < 4
    assert json.loads((folder / "verdict.json").read_text())["code"] == "wrong_number"
    clip = cv2.VideoCapture(str(folder / "clip.avi"))
    assert clip.isOpened() and clip.get(cv2.CAP_PROP_FRAME_COUNT) >= 5


def test_the_oldest_goes_first(tmp_path: Path) -> None:
    for n in range(4):
        evidence = Evidence(tmp_path, f"session-{n}", RecordOptions(evidence_count=2))
        evidence.show(moment(0.0, 50))
        evidence.show(moment(1.0, 60, ILLEGAL))
        evidence.close()
    assert len(list(tmp_path.iterdir())) == 2


def test_a_folder_that_cannot_be_written_costs_only_the_evidence(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    evidence = Evidence(blocked, "session", RecordOptions())
    evidence.show(moment(0.0, 50))
    evidence.show(moment(1.0, 60, ILLEGAL))
    evidence.close()
    assert "cannot be written" in evidence.failing
