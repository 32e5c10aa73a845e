"""`pi-board replay` of the 37-hole game: a folder of key pictures, and a video as if live."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from pi_board.cli import main
from pi_board.simulator.solitaire import SolitaireSimulatorOptions, SolitaireTable
from pi_board.solitaire import BOARD_37, bit, vacancy

START = vacancy(1).start
FIRST = BOARD_37.after(START, BOARD_37.jump(3, 1))
#: 12-2 with the jumped piece left lying, and done.
HALF = FIRST ^ bit(12) ^ bit(2)
SECOND = BOARD_37.after(FIRST, BOARD_37.jump(12, 2))


def replayed(capsys: pytest.CaptureFixture[str], *args: str) -> dict:
    assert main(["replay", *args, "--profile", "jumbo-solitaire", "--json"]) == 0
    found: dict = json.loads(capsys.readouterr().out)
    return found


def test_a_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table = SolitaireTable(SolitaireSimulatorOptions(width=800, height=600))
    for i, position in enumerate((START, FIRST, HALF, SECOND, FIRST)):
        cv2.imwrite(str(tmp_path / f"{i}.png"), table.picture(position))
    found = replayed(capsys, str(tmp_path), "--log-dir", str(tmp_path / "log"))
    assert [(e["frame"], e["type"]) for e in found["events"]] == [
        ("0.png", "started"), ("1.png", "jump"), ("2.png", "illegal"), ("3.png", "jump"), ("4.png", "taken_back"),
    ]  # fmt: skip
    events = found["events"]
    assert (
        events[0]["problem"] == "vacancy-1"
        and events[1]["jumps"] == ["3-1"]
        and events[3]["jumps"] == ["12-2"]
    )
    assert events[2]["code"] == "not_removed" and events[2]["seen"] == BOARD_37.to_holes(HALF)
    assert events[4]["undone"] == 1
    assert found["final"] == {"holes": BOARD_37.to_holes(FIRST)}
    assert len(list((tmp_path / "log").glob("session-*.jsonl"))) == 1


@pytest.mark.slow
def test_a_video_from_the_middle_of_a_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table = SolitaireTable(SolitaireSimulatorOptions(seed=4, jumps=2, start=SECOND, width=800, height=600))
    file = tmp_path / "game.avi"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 10, (800, 600))
    for frame in iter(table.next_frame, None):
        writer.write(frame.image)
    writer.release()
    found = replayed(capsys, str(file))
    assert [e["type"] for e in found["events"]] == ["started", "jump", "jump"]
    assert [j for e in found["events"][1:] for j in e["jumps"]] == [str(j) for j in table.truth.jumps]
    assert all(isinstance(e["frame"], int) for e in found["events"])


@pytest.mark.parametrize(
    ("args", "words"),
    [(["--position", "0110"], "37"), (["--position", "only:99"], "99"), (["--position", "[2"], "JSON")],
)
def test_a_wrong_position_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, args: list[str], words: str
) -> None:
    cv2.imwrite(
        str(tmp_path / "0.png"),
        SolitaireTable(SolitaireSimulatorOptions(width=320, height=240)).picture(START),
    )
    assert main(["replay", str(tmp_path), "--profile", "jumbo-solitaire", *args]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and words in said.err
