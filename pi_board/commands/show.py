"""`pi-board show`: a picture or the XGID of any position: one given, or any moment of a recorded game."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from pi_board.commands.position_argument import HELP as POSITION_HELP
from pi_board.commands.position_argument import XGID_HELP, read_dice, read_position
from pi_board.errors import InvalidError
from pi_board.record.board_picture import png, save_picture, svg
from pi_board.record.formats import load
from pi_board.record.moments import moments
from pi_board.rules import GameState, Position, to_xgid
from pi_board.terminal.diagram import text_diagram

HELP = "draw a position, or any moment of a recorded game, as SVG, PNG or text; tell its XGID"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help="a game file or journal to take the moment from"
    )
    parser.add_argument("--position", help=POSITION_HELP)
    parser.add_argument("--xgid", help=XGID_HELP)
    parser.add_argument("--game", type=int, metavar="N", help="game of FILE (default: the last)")
    parser.add_argument(
        "--moment",
        type=int,
        metavar="M",
        help="moment of the game, from 0 (before its first throw); negative: from the end (default: -1, the last)",
    )
    parser.add_argument("--list", action="store_true", help="list all moments of the game with their XGIDs")
    parser.add_argument("--dice", nargs="+", help="dice to draw, e.g. 3 1")
    parser.add_argument(
        "--near", choices=("light", "dark"), default="light", help="side drawn at the bottom (default light)"
    )
    parser.add_argument(
        "--home", choices=("right", "left"), default="right", help="where that side bears off (default right)"
    )
    parser.add_argument("--side", choices=("light", "dark"), help="side on roll")
    parser.add_argument(
        "-o", "--output", type=Path, help="file to write: .svg, .png or .txt (default: text to the terminal)"
    )
    parser.add_argument(
        "--json", action="store_true", help="print position, XGID and surroundings as one JSON document"
    )


def run(args: argparse.Namespace) -> int:
    if sum(x is not None for x in (args.file, args.position, args.xgid)) != 1:
        raise InvalidError("expected one of FILE, --position and --xgid")
    if args.file is None and (args.game is not None or args.moment is not None or args.list):
        raise InvalidError("--game, --moment and --list: expected a FILE to take them from")
    if args.list:
        return _list(args)
    words, state = _moment(args) if args.file is not None else ("", _given(args))
    if args.dice:
        state = replace(state, dice=read_dice(args.dice), doubled=False)
    if args.side:
        state = replace(state, turn=args.side)
    # A bare position does not say whose turn it is.
    side = None if args.position and not args.side and not state.dice else state.turn
    how: dict[str, Any] = {"near": args.near, "home": args.home, "side": side, "dice": state.dice}
    how |= {"cube": state.cube, "cube_owner": state.owner}
    kind = args.output.suffix.lower() if args.output else ".txt"
    if kind not in (".svg", ".png", ".txt"):
        raise InvalidError(f"--output {args.output}: expected a name ending in .svg, .png or .txt")
    if kind == ".svg":
        save_picture(args.output, svg(state.position, **how))
    elif kind == ".png":
        save_picture(args.output, png(state.position, **how))
    else:
        text = (
            "\n".join([*text_diagram(state.position, **how), *([words] if words else []), to_xgid(state)])
            + "\n"
        )
        if args.output:
            save_picture(args.output, text)
        elif not args.json:
            sys.stdout.write(text)
    if args.json:
        print(json.dumps(_document(words, state)))
    return 0


def _given(args: argparse.Namespace) -> GameState:
    found = read_position(args.position or args.xgid, "--position" if args.position else "--xgid")
    return GameState(found) if isinstance(found, Position) else found


def _moments(args: argparse.Namespace) -> tuple[int, list[tuple[str, GameState]]]:
    match = load(args.file).match
    number = len(match.games) if args.game is None else args.game
    if not 1 <= number <= len(match.games):
        raise InvalidError(f"--game: expected 1 to {len(match.games)}, got {args.game}")
    return number, list(moments(match, match.games[number - 1]))


def _moment(args: argparse.Namespace) -> tuple[str, GameState]:
    _, found = _moments(args)
    index = -1 if args.moment is None else args.moment
    if not -len(found) <= index < len(found):
        raise InvalidError(f"--moment: expected {-len(found)} to {len(found) - 1}, got {args.moment}")
    return found[index]


def _list(args: argparse.Namespace) -> int:
    number, found = _moments(args)
    if args.json:
        print(json.dumps({"game": number, "moments": [_document(words, state) for words, state in found]}))
    else:
        for i, (words, state) in enumerate(found):
            print(f"{i:4d}  {to_xgid(state)}  {words}")
    return 0


def _document(words: str, state: GameState) -> dict[str, Any]:
    return {
        "xgid": to_xgid(state),
        "position": state.position.to_document(),
        "side": state.turn,
        "dice": list(state.dice) if state.dice else None,
        "cube": {"value": state.cube, "owner": state.owner},
        "score": list(state.score),
        "length": state.length,
        "moment": words,
    }
