"""`pi-board show`: a picture of any position, as text, SVG or PNG."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from pi_board.commands.position_argument import HELP as POSITION_HELP
from pi_board.commands.position_argument import read_dice, read_position
from pi_board.diagram import text_diagram
from pi_board.errors import InvalidError
from pi_board.record.board_picture import png, save_picture, svg
from pi_board.rules import Position

HELP = "draw a position as SVG, PNG or text"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--position", help=POSITION_HELP)
    source.add_argument("--xgid", help="an XGID")
    parser.add_argument("--dice", nargs="+", help="dice to draw, e.g. 3 1")
    parser.add_argument("--near", choices=("light", "dark"), default="light")
    parser.add_argument("--home", choices=("right", "left"), default="right")
    parser.add_argument("--side", choices=("light", "dark"), help="side on roll")
    parser.add_argument(
        "-o", "--output", type=Path, help="file to write: .svg, .png or .txt (default: text to the terminal)"
    )


def run(args: argparse.Namespace) -> int:
    found = read_position(args.position or args.xgid, "--position" if args.position else "--xgid")
    how: dict[str, Any] = {"near": args.near, "home": args.home, "side": args.side}
    if isinstance(found, Position):
        position = found
    else:
        position = found.position
        how |= {"dice": found.dice, "cube": found.cube, "cube_owner": found.owner}
        how["side"] = args.side or found.turn
    if args.dice:
        how["dice"] = read_dice(args.dice)
    kind = args.output.suffix.lower() if args.output else ".txt"
    if kind == ".svg":
        save_picture(args.output, svg(position, **how))
    elif kind == ".png":
        save_picture(args.output, png(position, **how))
    elif kind == ".txt":
        text = "\n".join(text_diagram(position, **how)) + "\n"
        if args.output:
            save_picture(args.output, text)
        else:
            sys.stdout.write(text)
    else:
        raise InvalidError(f"--output {args.output}: expected a name ending in .svg, .png or .txt")
    return 0
