"""`pi-board plays` and `pi-board check`, as people and programs use them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pi_board.cli import main
from pi_board.rules import STARTING_POSITION
from tests.rules.boards import edited

START = json.dumps(STARTING_POSITION.to_document())
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
DARK = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:0:0:0:0:10"
GOOD = json.dumps(edited(STARTING_POSITION, {8: 2, 6: 4, 5: 2}))
SHORT = json.dumps(edited(STARTING_POSITION, {8: 2, 5: 1}))
MISSING = json.dumps(edited(STARTING_POSITION, {8: 2}))


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = main(args)
    out, err = capsys.readouterr()
    return code, out, err


def test_plays_json_is_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "plays", "--position", START, "--dice", "3", "1", "--json")
    document = json.loads(out)
    assert (code, err) == (0, "") and list(document) == ["plays"] and len(document["plays"]) == 16
    point = next(p for p in document["plays"] if p["notation"] == "8/5 6/5")
    assert point == {"notation": "8/5 6/5", "moves": [[8, 5], [6, 5]], "position": json.loads(GOOD)}
    assert len({json.dumps(p["position"]) for p in document["plays"]}) == 16


def test_plays_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "plays", "--xgid", XGID)
    assert code == 0 and "8/5 6/5" in out.splitlines()
    _, dark, _ = run(capsys, "plays", "--xgid", DARK)
    assert sorted(dark.splitlines()) == sorted(out.splitlines())  # the start is the same for both


def test_no_legal_play(capsys: pytest.CaptureFixture[str]) -> None:
    danced = "XGID=----------------G--bbbbbbA:0:0:1:66:0:0:0:0:10"
    code, out, _ = run(capsys, "plays", "--xgid", danced)
    assert code == 0 and out == "light has no legal play with 6-6\n"
    _, out, _ = run(capsys, "plays", "--xgid", danced, "--json")
    (only,) = json.loads(out)["plays"]
    assert only["moves"] == [] and only["notation"] == "no play"


@pytest.mark.parametrize("rules", ["classique", "schmidt", "jumbo", "orange-white"])
def test_plays_by_leaflet(capsys: pytest.CaptureFixture[str], rules: str) -> None:
    code, out, _ = run(
        capsys, "plays", "--position", START, "--dice", "31", "--rules", rules, "--side", "dark"
    )
    assert code == 0 and "8/5 6/5" in out.splitlines()


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (GOOD, {"legal": True, "play": "8/5 6/5", "reason": None, "code": None, "nearest": ["8/5 6/5"]}),
        (SHORT, {"legal": False, "play": None, "code": "must_play_both"}),
        (START, {"legal": False, "play": None, "code": "could_have_moved"}),
        (MISSING, {"legal": False, "play": None, "code": "checker_missing"}),
    ],
)
def test_check_json_is_the_contract(capsys: pytest.CaptureFixture[str], after: str, expected: dict) -> None:
    code, out, err = run(capsys, "check", "--before", START, "--after", after, "--dice", "3", "1", "--json")
    document = json.loads(out)
    assert (code, err) == (0, "") and set(document) == {"legal", "play", "reason", "code", "nearest"}
    assert {name: document[name] for name in expected} == expected
    assert document["legal"] or document["reason"]


def test_check_for_people_from_files_and_xgids(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "before.json").write_text(START)
    (tmp_path / "after.txt").write_text("XGID=-b---BD-B---eE---c-e----B-:0:0:1:00:0:0:0:0:10\n")
    code, out, _ = run(
        capsys, "check", "--before", f"@{tmp_path / 'before.json'}", "--after", f"@{tmp_path / 'after.txt'}",
        "--dice", "3-1",
    )  # fmt: skip
    assert (code, out) == (0, "legal: 8/5 6/5\n")
    _, out, _ = run(capsys, "check", "--before", XGID, "--after", SHORT)
    assert out.startswith("illegal: Both numbers must be played, the 1 too") and "nearest legal: " in out


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["plays", "--position", START, "--dice", "7", "1"], ["--dice", "1 to 6", "7 1"]),
        (["plays", "--position", START, "--dice", "3"], ["--dice", "1 to 6"]),
        (["plays", "--position", START], ["--dice"]),
        (["plays", "--position", "{", "--dice", "3", "1"], ["--position", "JSON"]),
        (["plays", "--position", "[1]", "--dice", "3", "1"], ["--position", "object"]),
        (["plays", "--position", '{"points": [1]}', "--dice", "3", "1"], ["--position", "expected 24"]),
        (["plays", "--position", "@/no/such/file", "--dice", "3", "1"], ["--position", "/no/such/file"]),
        (["plays", "--xgid", "XGID=x", "--dice", "3", "1"], ["--xgid", "26 characters"]),
        (["plays", "--xgid", XGID.replace("E", "F", 1)], ["--xgid", "15 checkers of X"]),
        (["plays", "--position", START, "--xgid", XGID, "--dice", "3", "1"], ["not allowed with"]),
        (["plays", "--dice", "3", "1"], ["--position", "--xgid"]),
        (["plays", "--position", START, "--dice", "3", "1", "--rules", "x"], ["--rules", "classique"]),
        (["plays", "--position", START, "--dice", "3", "1", "--side", "red"], ["--side", "dark"]),
        (["check", "--before", START, "--dice", "3", "1"], ["--after"]),
        (["check", "--before", MISSING, "--after", START, "--dice", "3", "1"], ["--before", "got 14"]),
        (["check", "--before", START, "--after", '{"points": [99]}', "--dice", "3", "1"], ["--after", "24"]),
    ],
)
def test_wrong_use_is_one_line_and_exit_2(
    capsys: pytest.CaptureFixture[str], args: list[str], words: list[str]
) -> None:
    code, out, err = run(capsys, *args)
    assert (code, out) == (2, "") and err.count("\n") == 1 and "Traceback" not in err
    for word in words:
        assert word in err


BARE = "-b----E-C---eE---c-e----B-"


@pytest.mark.parametrize(
    "written",
    [BARE, f"{BARE}:0:0:1:31:0:0:0:0:10", f"XGID={BARE}", f"xgid={BARE}:0:0:1:31", "4HPwATDgc/ABMA",
     "4HPwATDgc/ABMA:cAkAAAAAAAAA", "GNUBGID=4HPwATDgc/ABMA:cAkAAAAAAAAA", "GNU ID: 4HPwATDgc/ABMA:cAkAAAAAAAAA"],
)  # fmt: skip
@pytest.mark.parametrize("command", ["plays", "hint", "show", "check"])
def test_every_way_to_write_a_position(
    command: str, written: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """An XGID without its prefix begins with a dash; GNU Backgammon's IDs are taken wherever an XGID is."""
    (tmp_path / "id").write_text(written + "\n")
    for given in (written, f"@{tmp_path / 'id'}"):
        args = {
            "plays": ["--xgid", given, "--dice", "31"],
            "hint": ["--xgid", given, "--dice", "31", "--level", "fast"],
            "show": ["--position", given],
            "check": ["--before", given, "--after", given, "--dice", "31"],
        }[command]
        code, out, err = run(capsys, command, *args)
        assert (code, err) == (0, "") and out
        if command != "check" and command != "show":
            assert "8/5 6/5" in out


@pytest.mark.parametrize(
    "written", ["4HPwATDgc/ABM?", "4HPwATDgc/AB", "//////////////", "4HPwATDgc/ABMA:cAkAAAAAAAA"]
)
def test_what_is_no_id_is_one_line(written: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "plays", "--xgid", written, "--dice", "31")
    assert code == 2 and not out and err.count("\n") == 1 and "--xgid" in err
