"""README's two command lines: the same words for root without sudo and for a user with it; and its tables tell the truth."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from pi_board.commands import COMMANDS

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
LINES = re.findall(r"^```sh\n(.+)\n```$", README.split("## Two commands")[1].split("\n## ")[0], re.MULTILINE)
#: Writes down how it was called; `python3 -m venv` leaves the programs that the rest of the line calls.
STUB = """#!/bin/sh
echo "$(basename "$0") $*" >> "$CALLS"
case "$(basename "$0") $*" in
  sudo*) "$@";;
  "python3 -m venv .venv") mkdir -p .venv/bin; for name in pip pi-board python; do cp "$STUB" .venv/bin/$name; done;;
esac
"""


@pytest.mark.parametrize("sudo", [False, True], ids=["root without sudo", "user with sudo"])
@pytest.mark.parametrize(("number", "last"), [(0, "pi-board demo"), (1, "python -m pytest -n auto")])
def test_lines_run_with_and_without_sudo(number: int, last: str, sudo: bool, tmp_path: Path) -> None:
    programs, calls, stub = tmp_path / "bin", tmp_path / "calls", tmp_path / "stub"
    programs.mkdir()
    stub.write_text(STUB)
    stub.chmod(0o755)
    for name in ("apt-get", "python3", *(["sudo"] if sudo else [])):
        (programs / name).symlink_to(stub)
    for name in ("sh", "bash", "mkdir", "cp", "basename"):
        (programs / name).symlink_to(subprocess.check_output(["which", name], text=True).strip())
    environment = {"PATH": str(programs), "CALLS": str(calls), "STUB": str(stub)}
    subprocess.run(
        [programs / "bash", "-c", LINES[number]], env=environment, cwd=tmp_path, check=True, timeout=60
    )
    made = calls.read_text().splitlines()
    # The lists of a fresh machine are empty: they are fetched before anything is installed.
    wanted = [
        "apt-get -q update",
        "apt-get -q install -y --no-install-recommends python3-venv libgl1 libglib2.0-0",
    ]
    if sudo:
        wanted = [call for apt in wanted for call in (f"sudo {apt}", apt)]
    assert made[: len(wanted)] == wanted
    assert (
        made[-3] == "python3 -m venv .venv"
        and made[-2].startswith("pip install -q -e .")
        and made[-1] == last
    )


def test_ci_takes_both_lines_from_here() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    (found,) = re.findall(r"mapfile -t lines < <\((.*)\)$", script, re.MULTILINE)
    done = subprocess.run(["bash", "-c", found], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert done.stdout.splitlines() == LINES and len(LINES) == 2


def test_only_commands_that_there_are() -> None:
    named = set(re.findall(r"`(?:\S*/)?pi-board ([a-z]+)", README))
    assert named - set(COMMANDS) == set()
