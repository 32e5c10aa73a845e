"""The real GNU Backgammon imports what we export: every move, roll, winner and score."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from pi_board.record.mat import write_mat
from pi_board.record.match import Match, Rolled
from pi_board.record.sgf import read_sgf, write_sgf
from tests.record.random_match import random_match

GNUBG = shutil.which("gnubg") or ("/usr/games/gnubg" if Path("/usr/games/gnubg").exists() else None)
needs_gnubg = pytest.mark.skipif(GNUBG is None, reason="gnubg is not installed")


def through_gnubg(folder: Path, name: str, text: str, command: str) -> Match:
    """The match as GNU Backgammon understood it, by way of its own SGF."""
    given, saved = folder / name, folder / "saved.sgf"
    given.write_text(text, encoding="utf-8")
    saved.unlink(missing_ok=True)
    subprocess.run(
        [str(GNUBG), "-t", "-q"],
        input=f"{command} {given}\nsave match {saved}\n",
        capture_output=True,
        text=True,
        timeout=120,
        cwd=folder,
        check=False,
    )
    assert saved.exists(), "gnubg did not read the file"
    return read_sgf(saved.read_text(encoding="utf-8", errors="replace")).match


def essence(match: Match) -> list[object]:
    def action(a: object) -> object:
        return (type(a).__name__, a.side, tuple(sorted(a.dice)) if isinstance(a, Rolled) else None)  # type: ignore[attr-defined]

    return [
        (g.score, g.winner, g.points, [(action(a), after) for a, _, after in g.positions()])
        for g in match.games
    ]


@needs_gnubg
@pytest.mark.parametrize("seed", range(4))
def test_mat_into_gnubg(seed: int, tmp_path: Path) -> None:
    match = random_match(seed)
    assert essence(through_gnubg(tmp_path, "x.mat", write_mat(match), "import mat")) == essence(match)


@needs_gnubg
@pytest.mark.parametrize("seed", range(3))
def test_sgf_into_gnubg(seed: int, tmp_path: Path) -> None:
    match = random_match(seed)
    assert essence(through_gnubg(tmp_path, "x.sgf", write_sgf(match), "load match")) == essence(match)


@needs_gnubg
@pytest.mark.slow
def test_hundred_matches_into_gnubg(tmp_path: Path) -> None:
    wrong = []
    for seed in range(100, 200):
        match = random_match(seed)
        if essence(through_gnubg(tmp_path, "x.mat", write_mat(match), "import mat")) != essence(match):
            wrong.append(seed)
    assert not wrong
