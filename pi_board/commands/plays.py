"""`pi-board plays`: all legal plays of a roll."""

from __future__ import annotations

import argparse
import json
from typing import Any

from pi_board.commands.position_argument import HELP as POSITION_HELP
from pi_board.commands.position_argument import XGID_HELP, add_roll_arguments, read_dice, read_position
from pi_board.errors import InvalidDiceError
from pi_board.rules import GameState, Play, legal_plays

HELP = "list the legal plays of a roll"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--position", metavar="POS", help=POSITION_HELP)
    where.add_argument("--xgid", metavar="XGID", help=XGID_HELP)
    add_roll_arguments(parser)


def run(args: argparse.Namespace) -> int:
    argument, name = (args.xgid, "--xgid") if args.xgid is not None else (args.position, "--position")
    given = read_position(argument, name)
    position = given.position if isinstance(given, GameState) else given
    side = args.side or (given.turn if isinstance(given, GameState) else "light")
    if args.dice is not None:
        dice = read_dice(args.dice)
    elif isinstance(given, GameState) and given.dice is not None:
        dice = given.dice
    else:
        raise InvalidDiceError("--dice: expected two numbers from 1 to 6, got nothing")
    plays = legal_plays(position, dice, side, args.rules)
    if args.json:
        print(json.dumps({"plays": [document(play) for play in plays]}))
        return 0
    moves = [play for play in plays if play.moves]
    if not moves:
        print(f"{side} has no legal play with {dice[0]}-{dice[1]}")
    elif len(moves) < len(plays):
        print("(not moving at all is legal too)")
    for play in moves:
        print(play)
    return 0


def document(play: Play) -> dict[str, Any]:
    """One play as the contract has it; a play without moves has an empty list of them."""
    return {
        "notation": str(play),
        "moves": [list(move) for move in play.moves],
        "position": play.result.to_document(),
    }
