"""GNU Backgammon as the judge: what it makes of match files, by way of its own SGF."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from pi_board.record.match import MatchRecord, Rolled
from pi_board.record.sgf import read_sgf

GNUBG = shutil.which("gnubg") or ("/usr/games/gnubg" if Path("/usr/games/gnubg").exists() else None)
needs_gnubg = pytest.mark.skipif(GNUBG is None, reason="gnubg is not installed")


def judged(
    folder: Path, files: Sequence[bytes], command: str = "import mat", kind: str = "mat"
) -> list[MatchRecord]:
    """Each file as GNU Backgammon understood it, all in one run of it; a file that it refused is a match without games."""
    saved = [folder / f"saved{i}.sgf" for i in range(len(files))]
    lines = []
    for i, (data, target) in enumerate(zip(files, saved, strict=True)):
        given = folder / f"given{i}.{kind}"
        given.write_bytes(data)
        target.unlink(missing_ok=True)
        lines += [f"{command} {given}", f"save match {target}"]
    subprocess.run(
        [str(GNUBG), "-t", "-q", "-r"],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        errors="replace",
        timeout=300,
        cwd=folder,
        check=False,
    )
    return [
        read_sgf(t.read_text(encoding="utf-8", errors="replace")).match if t.exists() else MatchRecord()
        for t in saved
    ]


def essence(match: MatchRecord) -> list[object]:
    """What both must agree on: of each game the score before, the winner, the points, and every action with the board
    after it (dice without their order)."""

    def action(a: object) -> object:
        return (type(a).__name__, a.side, tuple(sorted(a.dice)) if isinstance(a, Rolled) else None)  # type: ignore[attr-defined]

    return [
        (g.score, g.winner, g.points, [(action(a), after) for a, _, after in g.positions()])
        for g in match.games
    ]
