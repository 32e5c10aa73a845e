"""`pi-board check`: was that play legal, and if not, why not?"""

from __future__ import annotations

import argparse
import json

from pi_board.commands.position_argument import HELP as POSITION_HELP
from pi_board.commands.position_argument import add_roll_arguments, read_dice, read_document, read_position
from pi_board.errors import InvalidDiceError, InvalidPositionError
from pi_board.rules import GameState, explain

HELP = "say whether a play was legal, and why not"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--before", required=True, metavar="POS", help=POSITION_HELP)
    parser.add_argument(
        "--after",
        required=True,
        metavar="POS",
        help="the same, as the board lies now (checkers may be missing)",
    )
    add_roll_arguments(parser)


def run(args: argparse.Namespace) -> int:
    before = read_position(args.before, "--before")
    after = read_document(args.after, "--after")
    side = args.side or (before.turn if isinstance(before, GameState) else "light")
    if args.dice is not None:
        dice = read_dice(args.dice)
    elif isinstance(before, GameState) and before.dice is not None:
        dice = before.dice
    else:
        raise InvalidDiceError("--dice: expected two numbers from 1 to 6, got nothing")
    start = before.position if isinstance(before, GameState) else before
    try:
        verdict = explain(
            start, after.position if isinstance(after, GameState) else after, dice, side, args.rules
        )
    except InvalidPositionError as error:
        raise InvalidPositionError(f"--after: {error}") from None
    if args.json:
        print(
            json.dumps(
                {
                    "legal": verdict.legal,
                    "play": str(verdict.play) if verdict.play else None,
                    "reason": verdict.reason,
                    "code": verdict.code,
                    "nearest": [str(play) for play in verdict.nearest],
                }
            )
        )
    elif verdict.legal:
        print(f"legal: {verdict.play}")
    else:
        print(f"illegal: {verdict.reason} [{verdict.code}]")
        print("nearest legal: " + "; ".join(str(play) for play in verdict.nearest))
    return 0
