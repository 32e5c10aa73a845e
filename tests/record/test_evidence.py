"""Evidence of an illegal verdict: before, after, clip and verdict; named in the journal, bounded, never in the way."""

from __future__ import annotations

import json
import os
import weakref
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from pi_board.events import Event, GameStarted, PlayIllegal, TurnEnded
from pi_board.frame import Frame
from pi_board.output import Moment
from pi_board.record.evidence import SPARED, EvidencePictures
from pi_board.record.journal import Journal, read_journal
from pi_board.record.options import RecordOptions
from pi_board.referee import RefereeOptions
from pi_board.rules import RULE_SETS, STARTING_POSITION
from pi_board.session.app import App
from pi_board.session.finding_reader import FindingReader
from pi_board.session.sitting import Sitting
from pi_board.sighting import Gate, Sighting
from pi_board.table import TableView
from pi_board.vision.profile import load_profile

ILLEGAL = PlayIllegal(
    side="light",
    dice=(3, 1),
    code="wrong_number",
    reason="…",
    position=STARTING_POSITION,
    seen=STARTING_POSITION,
    seq=9,
)


def moment(time: float, grey: int, *events: Event, size: tuple[int, int] = (120, 160)) -> Moment:
    image = np.full((*size, 3), grey, np.uint8)
    sighting = Sighting(int(time * 10), time, Gate.SETTLED, np.zeros((28, 31)))
    return Moment(time, TableView(), events, Frame(image, time, 0), sighting)


def red_corner(image: np.ndarray, sighting: Sighting) -> Any:
    """An overlay for the tests: a red square where the sighting's pixels say, in the picture's own size."""
    out = image.copy()
    out[: image.shape[0] // 4, : image.shape[1] // 4] = (0, 0, 255)
    return out


def is_red(image: np.ndarray) -> bool:
    corner = image[2 : image.shape[0] // 4 - 2, 2 : image.shape[1] // 4 - 2].reshape(-1, 3).mean(axis=0)
    return bool(corner[2] > 180 and corner[0] < 70)


def frames(path: Path) -> list[np.ndarray]:
    clip, found = cv2.VideoCapture(str(path)), []
    while (more := clip.read())[0]:
        found.append(more[1])
    return found


def test_an_illegal_play_leaves_pictures_and_a_clip(tmp_path: Path) -> None:
    notes: list[dict[str, Any]] = []
    evidence = EvidencePictures(tmp_path, "session-1", RecordOptions(), note=notes.append)
    evidence.show(moment(0.0, 40))
    evidence.show(moment(0.5, 40, GameStarted(game=1, position=STARTING_POSITION)))
    for i in range(10):
        evidence.show(moment(1 + i / 5, 90))
    evidence.show(moment(4.0, 200, ILLEGAL))
    evidence.close()
    (folder,) = tmp_path.iterdir()
    assert folder.name == "session-1-001-wrong_number"
    files = ["after.jpg", "before.jpg", "clip.avi", "verdict.json"]
    assert notes == [{"evidence": folder.name, "files": files, "code": "wrong_number", "of": 9}]
    before, after = (cv2.imread(str(folder / f"{n}.jpg")) for n in ("before", "after"))
    assert abs(int(before.mean()) - 40) < 4 and abs(int(after.mean()) - 200) < 4
    assert json.loads((folder / "verdict.json").read_text())["code"] == "wrong_number"
    assert len(frames(folder / "clip.avi")) >= 5


def test_what_was_seen_is_drawn_on_after_and_clip_and_not_on_before(tmp_path: Path) -> None:
    """Large pictures too: the ring keeps them small, the drawing still fits."""
    evidence = EvidencePictures(tmp_path, "session-1", RecordOptions(), draw=red_corner)
    for i in range(8):
        evidence.show(moment(i / 5, 100, size=(720, 1280)))
    evidence.show(moment(2.0, 100, ILLEGAL, size=(720, 1280)))
    evidence.close()
    (folder,) = tmp_path.iterdir()
    clip = frames(folder / "clip.avi")
    assert len(clip) >= 8 and all(f.shape == (360, 640, 3) and is_red(f) for f in clip)
    assert is_red(cv2.imread(str(folder / "after.jpg")))
    assert not is_red(cv2.imread(str(folder / "before.jpg")))


def test_before_is_the_last_settled_picture_of_the_turn_before(tmp_path: Path) -> None:
    evidence = EvidencePictures(tmp_path, "session-1", RecordOptions())
    evidence.show(moment(0.0, 30))
    evidence.show(moment(1.0, 60))
    evidence.show(moment(2.0, 90, TurnEnded(side="dark", position=STARTING_POSITION)))
    evidence.show(moment(3.0, 120))
    evidence.show(moment(4.0, 150, ILLEGAL))
    evidence.close()
    (folder,) = tmp_path.iterdir()
    assert abs(int(cv2.imread(str(folder / "before.jpg")).mean()) - 60) < 4


def test_a_drawing_that_fails_costs_no_picture(tmp_path: Path) -> None:
    def broken(image: np.ndarray, sighting: Sighting) -> Any:
        raise ValueError("no geometry")

    evidence = EvidencePictures(tmp_path, "session-1", RecordOptions(), draw=broken)
    for i in range(4):
        evidence.show(moment(i / 5, 100))
    evidence.show(moment(2.0, 100, ILLEGAL))
    evidence.close()
    (folder,) = tmp_path.iterdir()
    assert len(frames(folder / "clip.avi")) >= 4 and (folder / "after.jpg").exists()


def test_the_ring_holds_the_last_seconds_only(tmp_path: Path) -> None:
    evidence = EvidencePictures(tmp_path, "session-1", RecordOptions(evidence_seconds=2.0))
    for i in range(600):
        evidence.show(moment(i / 10, 100))
    evidence.show(moment(60.0, 100, ILLEGAL))
    evidence.close()
    (folder,) = tmp_path.iterdir()
    assert 8 <= len(frames(folder / "clip.avi")) <= 11


def test_the_oldest_goes_first(tmp_path: Path) -> None:
    for n in range(4):
        evidence = EvidencePictures(tmp_path, f"session-{n}", RecordOptions(evidence_count=2))
        evidence.show(moment(0.0, 50))
        evidence.show(moment(1.0, 60, ILLEGAL))
        evidence.close()
    assert sorted(p.name[:9] for p in tmp_path.iterdir()) == ["session-2", "session-3"]


def test_megabytes_are_bounded_and_other_folders_are_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / "holiday pictures"
    mine.mkdir()
    (mine / "x.jpg").write_bytes(bytes(3_000_000))
    for n in range(3):
        old = tmp_path / f"session-2020010{n}-000000-001-wrong_number"
        old.mkdir()
        (old / "clip.avi").write_bytes(bytes(600_000))
        os.utime(old, (n, n))
    evidence = EvidencePictures(tmp_path, "session-9", RecordOptions(evidence_megabytes=1))
    evidence.show(moment(0.0, 50))
    evidence.show(moment(1.0, 60, ILLEGAL))
    evidence.close()
    kept = sorted(p.name for p in tmp_path.iterdir())
    assert kept == [
        "holiday pictures",
        "session-20200102-000000-001-wrong_number",
        "session-9-001-wrong_number",
    ]


def test_numbers_go_on_after_a_power_cut(tmp_path: Path) -> None:
    for _ in range(2):
        evidence = EvidencePictures(tmp_path, "session-1", RecordOptions())
        evidence.show(moment(0.0, 50))
        evidence.show(moment(1.0, 60, ILLEGAL))
        evidence.close()
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "session-1-001-wrong_number",
        "session-1-002-wrong_number",
    ]


def test_a_folder_that_cannot_be_written_costs_only_the_evidence(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    notes: list[dict[str, Any]] = []
    evidence = EvidencePictures(blocked, "session", RecordOptions(), note=notes.append)
    evidence.show(moment(0.0, 50))
    evidence.show(moment(1.0, 60, ILLEGAL))
    evidence.close()
    assert "cannot be written" in evidence.failing and not notes


def test_the_journal_names_the_pictures_behind_the_verdict(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path)
    evidence = EvidencePictures(tmp_path / "evidence", journal.path.stem, RecordOptions(), note=journal.note)
    evidence.show(moment(0.0, 50))
    journal.append([ILLEGAL])
    evidence.show(moment(1.0, 60, ILLEGAL))
    evidence.close()
    journal.append([TurnEnded(side="light", position=STARTING_POSITION)])
    journal.close()
    content = read_journal(journal.path)
    assert [e.type for e in content.events] == ["play_illegal", "turn_ended"] and content.lines == 3
    (note,) = content.notes
    assert note["of"] == ILLEGAL.seq
    for name in note["files"]:
        assert (tmp_path / "evidence" / note["evidence"] / name).stat().st_size > 0


def test_on_demand_by_the_button(tmp_path: Path) -> None:
    """The word of the page's button reaches the evidence of a sitting."""
    sitting = Sitting.at_the_table(
        FindingReader(load_profile("jumbo-travel")),
        rules=RULE_SETS["international"],
        options=RefereeOptions(),
        match_length=0,
        names=("A", "B"),
        folder=tmp_path,
    )
    evidence = sitting.evidence(RecordOptions())
    assert evidence is not None and sitting.evidence(RecordOptions(evidence=False)) is None

    class OneFrame:
        def __init__(self) -> None:
            self.n = 0

        def read(self) -> Frame | None:
            self.n += 1
            if self.n == 8:
                app.submit("evidence")
            return None if self.n > 9 else Frame(np.full((240, 320, 3), 80, np.uint8), self.n / 2, self.n)

        def close(self) -> None: ...

    app = App(OneFrame, sitting, [evidence])  # type: ignore[arg-type]
    app.keep_evidence = evidence.request
    app.run()
    (folder,) = (tmp_path / "evidence").iterdir()
    assert folder.name.endswith("-001-on_demand")
    assert sitting.journal is not None
    (note,) = read_journal(sitting.journal.path).notes
    assert note["code"] == "on_demand" and "clip.avi" in note["files"]


def test_pictures_leave_the_rest_of_the_disk_to_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=SPARED - 1))
    kept = EvidencePictures(tmp_path, "session-x", RecordOptions())
    kept.show(moment(1.0, 90, ILLEGAL))
    kept.close()
    assert "nearly full" in kept.failing and list(tmp_path.iterdir()) == []


def test_a_clip_is_made_of_one_picture_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of twelve seconds at once are 40 MB."""
    overlaid, pictures, at_once = EvidencePictures._overlaid, [], []

    def counted(self: EvidencePictures, kept: Any) -> Any:
        image = overlaid(self, kept)
        pictures.append(weakref.ref(image))
        at_once.append(sum(picture() is not None for picture in pictures))
        return image

    monkeypatch.setattr(EvidencePictures, "_overlaid", counted)
    evidence = EvidencePictures(tmp_path, "session-1", RecordOptions())
    for i in range(20):
        evidence.show(moment(i / 5, 100))
    evidence.show(moment(4.0, 100, ILLEGAL))
    evidence.close()
    (folder,) = tmp_path.iterdir()
    assert len(frames(folder / "clip.avi")) >= 20 and max(at_once) <= 3
