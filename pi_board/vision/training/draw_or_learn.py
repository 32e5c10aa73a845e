"""The command line of a training in two steps: samples are drawn into a file, and learned from."""

from __future__ import annotations

import argparse
from pathlib import Path


def draw_or_learn(
    description: str | None,
) -> tuple[argparse.ArgumentParser, argparse.ArgumentParser, argparse.ArgumentParser]:
    """(The parser, that of `draw`, that of `learn`) with what all have in common: `does`, `file`, and of `learn` `out`, `seconds`."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    does = parser.add_subparsers(dest="does", required=True)
    drawing, learning = does.add_parser("draw"), does.add_parser("learn")
    for step in (drawing, learning):
        step.add_argument("file", type=Path)
    learning.add_argument("out", type=Path)
    learning.add_argument("--seconds", type=float, default=200)
    return parser, drawing, learning
