"""The command line: exit codes, one clear line, no traceback, exactly one JSON document."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from pi_board import __version__
from pi_board.cli import COMMANDS, main

START = '{"points": [-2,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2], "bar": {"light": 0, "dark": 0}, "off": {"light": 0, "dark": 0}}'


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = main(list(args))
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(capsys: pytest.CaptureFixture[str], command: str) -> None:
    code, out, _ = run(capsys, command, "--help")
    assert code == 0 and command in out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_has_a_help_text(command: str) -> None:
    module = import_module(f"pi_board.commands.{command}")
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)

    def silent(parser: argparse.ArgumentParser) -> list[str]:
        found = []
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                for name, below in action.choices.items():
                    found += [f"{name} {option}" for option in silent(below)]
            elif not action.help:
                found.append("/".join(action.option_strings) or action.dest)
        return found

    assert silent(parser) == []


def test_overview_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version") == (0, f"pi-board {__version__}\n", "")
    code, out, _ = run(capsys, "--help")
    assert code == 0 and all(name in out for name in COMMANDS)


#: Wrong use and bad input at every edge: (arguments, words that the one line must hold).
BAD = [
    (["fly"], "no command 'fly'"),
    (["plays"], "required"),
    (["plays", "--position", START, "--dice", "7", "1"], "1 to 6"),
    (["plays", "--position", "{", "--dice", "3", "1"], "JSON"),
    (["plays", "--position", START.replace("-2", "-3"), "--dice", "3", "1"], "15"),
    (["plays", "--position", "@/no/such/file", "--dice", "3", "1"], "/no/such/file"),
    (["plays", "--xgid=XGID=-q", "--dice", "3", "1"], "xgid"),
    (["check", "--before", START, "--after", "[]", "--dice", "3", "1"], "--after"),
    (["convert", "/no/such.mat", "--to", "sgf"], "/no/such.mat"),
    (["convert", "/", "--to", "sgf"], "folder"),
    (["show", "--position", START, "-o", "/tmp/x.gif"], ".svg"),
    (["read", "/no/such.jpg"], "/no/such.jpg"),
    (["read", __file__], "picture"),
    (["replay", "/no/such/folder"], "/no/such/folder"),
    (["replay", __file__], "video"),
    (["replay", str(Path(__file__).parent), "--corners", "1,2 3,4"], "corners"),
    (["run", "--config", "/no/such.toml"], "/no/such.toml"),
    (["stats", "/no/such"], "/no/such"),
    (["demo", "--games", "0"], "--games"),
    (["demo", "--cheat", "2"], "--cheat"),
    (["demo", "--speed", "-1"], "--speed"),
    (["demo", "--speed", "nan"], "--speed"),
    (["demo", "--length", "99999"], "0 (money session) to 64"),
    (["replay", ".", "--length", "-1"], "--length"),
    (["solitaire"], "ACTION"),
    (["solitaire", "solve", "--vacancy", "38"], "38"),
    (["solitaire", "solve", "--holes", "0110"], "37"),
    (["solitaire", "read", "/no/such.jpg"], "/no/such.jpg"),
    (["hint", "--xgid", "XGID=x", "--dice", "3", "1"], "xgid"),
]


@pytest.mark.parametrize(("args", "words"), BAD, ids=[" ".join(a)[:40] for a, _ in BAD])
def test_bad_input_is_one_clear_line(capsys: pytest.CaptureFixture[str], args: list[str], words: str) -> None:
    code, out, err = run(capsys, *args)
    assert code == 2 and out == ""
    assert err.count("\n") == 1 and err.startswith("pi-board")
    assert words.lower() in err.lower()


def test_empty_folder_is_one_clear_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = run(capsys, "replay", str(tmp_path))
    assert code == 2 and "no pictures" in err and err.count("\n") == 1


@pytest.mark.parametrize(
    "args",
    [
        ["plays", "--position", START, "--dice", "3", "1", "--json"],
        ["check", "--before", START, "--after", START, "--dice", "3", "1", "--json"],
        ["solitaire", "new", "--json"],
        ["solitaire", "check", "--before", "only:17,18", "--after", "only:19", "--json"],
        ["hint", "--position", START, "--dice", "3", "1", "--level", "fast", "--json"],
    ],
    ids=lambda a: a[0],
)
def test_json_is_exactly_one_document(capsys: pytest.CaptureFixture[str], args: list[str]) -> None:
    code, out, err = run(capsys, *args)
    assert code == 0 and err == ""
    assert isinstance(json.loads(out), dict)


def test_plays_keep_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    plays = json.loads(run(capsys, "plays", "--position", START, "--dice", "3", "1", "--json")[1])["plays"]
    assert len(plays) == 16
    assert set(plays[0]) >= {"notation", "moves", "position"}
    assert any(p["notation"] == "8/5 6/5" and sorted(p["moves"]) == [[6, 5], [8, 5]] for p in plays)


def test_module_and_script_are_the_same() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pi_board", "--version"], capture_output=True, text=True, timeout=60
    )
    assert done.stdout == f"pi-board {__version__}\n"


def test_a_closed_pipe_is_no_traceback() -> None:
    script = f"{sys.executable} -m pi_board plays --position '{START}' --dice 1 1 | head -1"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr
