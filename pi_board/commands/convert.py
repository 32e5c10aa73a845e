"""`pi-board convert IN --to mat|sgf|json|txt [-o OUT]`: between log formats, the journal included as input."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pi_board.commands.problem_lines import say_problems
from pi_board.errors import InvalidError
from pi_board.record.formats import WRITERS, load, save

HELP = "turn a game log into another format"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "input", metavar="IN", type=Path, help="a .mat, .sgf, .json, .txt or .xg file, or a journal (.jsonl)"
    )
    parser.add_argument("--to", choices=sorted(WRITERS), required=True, help="format to write")
    parser.add_argument(
        "--match",
        type=int,
        metavar="N",
        help="of a file that holds several matches: which (default: a journal's last, a match file's first)",
    )
    parser.add_argument("-o", "--output", type=Path, help="file to write (default: standard output)")


def run(args: argparse.Namespace) -> int:
    parsed = load(args.input)
    # Report the lines that were not understood, and keep the rest.
    say_problems(args.input, parsed.problems)
    match = parsed.match
    if args.match is not None:
        matches = parsed.matches or (match,)
        if not 1 <= args.match <= len(matches):
            raise InvalidError(f"--match: expected 1 to {len(matches)}, got {args.match}")
        match = matches[args.match - 1]
    if args.output:
        save(match, args.output, args.to)
    else:
        # The bytes of the file, whatever the terminal's own encoding.
        sys.stdout.flush()
        write = WRITERS[args.to](match)
        if hasattr(sys.stdout, "buffer"):
            sys.stdout.buffer.write(write.encode("utf-8", "replace"))
        else:
            sys.stdout.write(write)
    # A file that could not be followed to its end counts as a failure, although its readable part was written.
    return 1 if parsed.lost else 0
