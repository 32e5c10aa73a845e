"""`pi-board solitaire …`: the JSON documents of the contract, and one line for every mistake."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_board.cli import main
from pi_board.simulator.solitaire import SolitaireSimulatorOptions, SolitaireTable
from pi_board.solitaire import BOARD_37, vacancy


def answer(capsys: pytest.CaptureFixture[str], *args: str) -> dict:
    assert main(["solitaire", *args, "--json"]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    found: dict = json.loads(said.out)
    return found


def test_new(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "new", "--problem", "cross")
    assert found["holes"] == BOARD_37.to_holes(BOARD_37.from_numbers([6, 12, 17, 18, 19, 20, 21, 26, 32]))
    assert found["pieces"] == 9 and sum(found["finish"]) == 1 and "Traditional" in found["source"]
    assert answer(capsys, "new")["single_finishes"] == [], "the classic can never end with one piece"
    assert answer(capsys, "new", "--vacancy", "1")["single_finishes"] == [3, 17, 20, 37]


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        ("17,18", "19", None),
        ("17,18", "18,19", "not_removed"),
        ("17,18,1", "18,19", "removed_wrong"),
        ("17", "19", "nothing_jumped"),
        ("17,24", "25", "too_far"),
        ("4,11", "19", "diagonal"),
        ("17,18", "17", "piece_removed"),
        ("17", "17,18", "piece_added"),
    ],
)
def test_check(capsys: pytest.CaptureFixture[str], before: str, after: str, code: str | None) -> None:
    found = answer(capsys, "check", "--before", f"only:{before}", "--after", f"only:{after}")
    assert set(found) == {"legal", "jumps", "code", "reason"}
    assert (found["legal"], found["code"]) == (code is None, code)
    assert found["jumps"] == (["17-19"] if code is None else []) and (found["reason"] is None) == (
        code is None
    )


def test_solve_and_hint(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "solve", "--holes", "only:17,18,20")
    assert set(found) >= {"solvable", "proof", "best_remaining", "jumps"}
    assert (found["solvable"], found["best_remaining"], len(found["jumps"])) == (True, 1, 2)
    lost = answer(capsys, "solve", "--problem", "classic", "--after", "17-19")
    assert (lost["solvable"], lost["proof"], lost["best_remaining"]) == (False, "class", 2)
    position = BOARD_37.after(BOARD_37.full ^ 1 << 18, BOARD_37.jump(17, 19))
    for word in lost["jumps"]:
        position = BOARD_37.after(position, BOARD_37.parse_jumps(position, [word])[0])
    assert position.bit_count() == 2
    hint = answer(
        capsys, "hint", "--holes", json.dumps(BOARD_37.to_holes(BOARD_37.from_numbers([17, 18, 20])))
    )
    assert (hint["winnable"], hint["jump"] in ("17-19", "18-16", "20-18")) == (True, True)


def test_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    position = BOARD_37.after(vacancy(1).start, BOARD_37.jump(3, 1))
    board, nothing = tmp_path / "board.png", tmp_path / "nothing.png"
    cv2.imwrite(
        str(board), SolitaireTable(SolitaireSimulatorOptions(width=800, height=600)).picture(position)
    )
    cv2.imwrite(str(nothing), np.full((300, 400, 3), 90, np.uint8))
    found = answer(capsys, "read", str(board))
    assert found["holes"] == BOARD_37.to_holes(position) and found["refusal"] is None
    assert found["confidence"] > 0.5 and len(found["places"]) == 37 and found["file"] == str(board)
    assert main(["solitaire", "read", str(board), str(nothing), "--json"]) == 0
    both = json.loads(capsys.readouterr().out)
    assert both[0] == found and both[1]["holes"] is None and "no board" in both[1]["refusal"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["watch", "--vacancy", "77"], "vacancy-77"),
        (["hint", "--vacancy", "1", "--after", "3-5"], "diagonal"),
        (["check", "--before", "only:17", "--after", "only:40"], "40"),
        (["solve", "--holes", "only:"], "holes"),
        (["solve", "--holes", "0" * 37], "at least one"),
        (["demo", "--games", "0"], "--games"),
        (["demo", "--mistakes", "2"], "--mistakes"),
        (["new", "--problem", "nonsense"], "classic"),
        (["read", __file__], "picture"),
    ],
)
def test_a_mistake_is_one_line(capsys: pytest.CaptureFixture[str], args: list[str], words: str) -> None:
    assert main(["solitaire", *args]) == 2
    said = capsys.readouterr()
    assert (
        said.out == "" and said.err.count("\n") == 1 and said.err.startswith("pi-board") and words in said.err
    )


def test_a_simulated_player_only_with_the_demo(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--solitaire"]) == 2
    assert "--demo" in capsys.readouterr().err
