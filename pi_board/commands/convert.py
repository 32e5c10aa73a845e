"""`pi-board convert IN --to mat|sgf|json|txt [-o OUT]`: between log formats, the journal included as input."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pi_board.record.formats import WRITERS, load, save

HELP = "turn a game log into another format"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "input", metavar="IN", type=Path, help="a .mat, .sgf, .json, .txt or journal (.jsonl) file"
    )
    parser.add_argument("--to", choices=sorted(WRITERS), required=True, help="format to write")
    parser.add_argument("-o", "--output", type=Path, help="file to write (default: standard output)")


def run(args: argparse.Namespace) -> int:
    parsed = load(args.input)
    # What was not understood is said, and the rest is kept.
    for problem in parsed.problems:
        print(f"{args.input}: {problem}", file=sys.stderr)
    if args.output:
        save(parsed.match, args.output, args.to)
    else:
        sys.stdout.write(WRITERS[args.to](parsed.match))
    return 0
