"""What is wrong with a game file, said on standard error."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from pi_board.record.match import FileProblem

#: So many lines tell what is wrong with a file; the rest is counted.
MOST_LINES = 20


def say_problems(path: Path, problems: Sequence[FileProblem]) -> None:
    """One line each; where there are too many, those that cost turns come first."""
    told = sorted(problems, key=lambda problem: not problem.lost)[:MOST_LINES]
    for problem in sorted(told, key=problems.index):
        print(f"{path}: {problem}", file=sys.stderr)
    if len(problems) > MOST_LINES:
        print(f"{path}: and {len(problems) - MOST_LINES} more", file=sys.stderr)
