"""`pi-board hint` from the outside."""

import io
import json
from pathlib import Path

import pytest

from pi_board.cli import main
from pi_board.rules import STARTING_POSITION

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
DOCUMENT = json.dumps(STARTING_POSITION.to_document())
READING = {
    "file": "board.jpg",
    "position": STARTING_POSITION.to_document(),
    "cube": {"value": 64, "place": "center"},
    "dice": [{"value": 3, "cocked": False, "x": 1, "y": 2}, {"value": 1, "cocked": False, "x": 1, "y": 2}],
    "xgid": XGID,
}


def ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    assert main(["hint", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    "arguments", [("--xgid", XGID), ("--position", XGID), ("--position", DOCUMENT, "--dice", "3", "1")]
)
def test_plays(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    found = ask(capsys, *arguments, "--level", "fast")
    assert found["plays"][0]["notation"] in ("8/5 6/5", "6/5 8/5")
    keys = {"notation", "equity", "win", "gammon", "backgammon", "lose_gammon", "lose_backgammon"}
    assert keys <= set(found["plays"][0]) and len(found["plays"]) == 16


@pytest.mark.parametrize("level", ["fast", "normal"])
@pytest.mark.parametrize("dice", ["42", "21", "65"])
def test_what_is_listed_is_looked_at_equally_deeply(
    capsys: pytest.CaptureFixture[str], level: str, dice: str
) -> None:
    plays = ask(capsys, "--position", DOCUMENT, "--dice", dice, "--level", level, "--count", "6")["plays"]
    listed = plays[:6]
    assert len({p["plies"] for p in listed}) == 1 and listed[0]["plies"] == max(p["plies"] for p in plays) > 0
    assert [p["equity"] for p in listed] == sorted((p["equity"] for p in listed), reverse=True)


def test_cube(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (("--position", DOCUMENT, "--cube"), ("--xgid", XGID.replace(":31:", ":00:"))):
        cube = ask(capsys, *arguments, "--level", "fast")["cube"]
        assert (
            cube["action"] == "no_double"
            and cube["response"] == "take"
            and cube["equities"]["double_pass"] == 1
        )


def test_what_read_prints(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = json.dumps([READING])
    (tmp_path / "seen.json").write_text(text)
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(READING)))
    for argument in (text, f"@{tmp_path / 'seen.json'}", "-"):
        found = ask(capsys, "--position", argument, "--level", "fast")
        assert found["plays"][0]["notation"] in ("8/5 6/5", "6/5 8/5")


def test_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hint", "--xgid", XGID, "--count", "3", "--level", "fast"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert (
        lines[0] == "light to play 3-1 (own engine, 1 ply ahead)"
        and "equity" in lines[1]
        and "win%" in lines[1]
    )
    assert [line[:3] for line in lines[2:5]] == [" 1.", " 2.", " 3."] and len(lines) == 6
    assert max(map(len, lines)) <= 80
    assert (
        main(
            [
                "hint",
                "--xgid",
                XGID,
                "--cube",
                "--match",
                "5",
                "--score",
                "4-1",
                "--crawford",
                "--level",
                "fast",
            ]
        )
        == 0
    )
    assert "may not double" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((), "one of the arguments"),
        (("--position", "nonsense", "--dice", "3", "1"), "--position: expected a JSON document or an XGID"),
        (("--position", DOCUMENT), "--dice: expected two numbers"),
        (("--position", DOCUMENT, "--dice", "3", "9"), "--dice: expected two numbers"),
        (("--xgid", "-b:0"), "--xgid: "),
        (("--position", "@/nowhere.json", "--dice", "31"), "/nowhere.json"),
        (
            ("--position", json.dumps({"position": None, "refusal": "no board found"}), "--dice", "31"),
            "no board found",
        ),
        (("--position", json.dumps({"points": [0] * 24}), "--dice", "31"), "--position: "),
        (("--position", "[]", "--dice", "31"), "--position: "),
        (("--position", "[1, 2]", "--dice", "31"), "--position: "),
        (("--xgid", XGID, "--cube-value", "3"), "--cube-value: expected a power of two"),
        (("--xgid", XGID, "--score", "3-1"), "expected --match"),
        (("--xgid", XGID, "--match", "5", "--score", "7-1"), "score: expected"),
        (("--xgid", XGID, "--count", "0"), "--count"),
        (("--xgid", XGID, "--level", "slow"), "--level"),
    ],
)
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], text: str
) -> None:
    assert main(["hint", *arguments]) == 2
    captured = capsys.readouterr()
    assert text in captured.err and captured.err.count("\n") == 1 and not captured.out


def test_a_finished_game_has_no_hints(capsys: pytest.CaptureFixture[str]) -> None:
    over = {
        "points": [0] * 18 + [-15] + [0] * 5,
        "bar": {"light": 0, "dark": 0},
        "off": {"light": 15, "dark": 0},
    }
    assert main(["hint", "--position", json.dumps(over), "--dice", "31"]) == 2
    assert "the game is over" in capsys.readouterr().err
