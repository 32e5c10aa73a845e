"""Positions and dice as people write them on the command line."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pi_board.errors import InvalidDiceError, InvalidFileError, InvalidPositionError
from pi_board.rules import RULE_SETS, GameState, Position, from_id, is_id

HELP = (
    'a position document {"points": […], "bar": {…}, "off": {…}}, an XGID, a GNU Backgammon ID (of a Position ID alone,'
    " light is on roll), @FILE with any of them, or @- (standard input)"
)
XGID_HELP = "the position as an XGID (with or without XGID=) or a GNU Backgammon ID; its dice and turn are the defaults"


def read_text(argument: str, where: str) -> str:
    """`argument`, or the text of the file after `@`. Raises InvalidFileError."""
    if not argument.startswith("@"):
        return argument
    name = argument[1:]
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a text file"
        raise InvalidFileError(f"{where}: {name or '(no name)'}: {reason}") from None


def read_document(argument: str, where: str) -> GameState | Mapping[str, Any]:
    """An XGID or GNU ID as a `GameState`, else the JSON object (not yet checked). Raises the invalid errors naming `where`."""
    text = read_text(argument, where).strip()
    if is_id(text) or (where == "--xgid" and text[:1] not in ("{", "[")):
        try:
            return from_id(text)
        except InvalidPositionError as error:
            raise InvalidPositionError(f"{where}: {error}") from None
    try:
        document = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        place = (
            f"line {error.lineno} column {error.colno}"
            if isinstance(error, json.JSONDecodeError)
            else "nesting"
        )
        raise InvalidPositionError(
            f"{where}: expected a JSON position document, an XGID or a GNU ID, got {_short(text)} ({place})"
        ) from None
    if not isinstance(document, Mapping):
        raise InvalidPositionError(
            f"{where}: expected a JSON object with points, bar and off, got {_short(text)}"
        )
    return document


def read_position(argument: str, where: str) -> GameState | Position:
    """The position of `argument` (an ID brings its dice and turn along). Raises the invalid errors naming `where`."""
    found = read_document(argument, where)
    if isinstance(found, GameState):
        return found
    try:
        return Position.from_document(found)
    except InvalidPositionError as error:
        raise InvalidPositionError(f"{where}: {error}") from None


def read_dice(words: Sequence[str]) -> tuple[int, int]:
    """`3 1`, `31`, `3-1` or `3,1`. Raises InvalidDiceError."""
    text = "".join(words).replace("-", "").replace(",", "").replace(" ", "")
    separate = [w for word in words for w in word.replace("-", " ").replace(",", " ").split()]
    numbers = separate if len(separate) == 2 else list(text)
    if len(numbers) != 2 or not all(n.isascii() and n.isdigit() and 1 <= int(n) <= 6 for n in numbers):
        raise InvalidDiceError(
            f"--dice: expected two numbers from 1 to 6, got {' '.join(words) or 'nothing'}"
        )
    return int(numbers[0]), int(numbers[1])


def add_roll_arguments(parser: argparse.ArgumentParser) -> None:
    """--dice, --side, --rules and --json, as every command about one roll has them."""
    parser.add_argument("--dice", nargs="+", metavar="N", help="the roll: 3 1 (or 31, 3-1)")
    parser.add_argument(
        "--side", choices=("light", "dark"), help="who plays (default: the XGID's turn, else light)"
    )
    parser.add_argument(
        "--rules", default="international", choices=tuple(RULE_SETS), help="rule set (default: international)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= 40 else line[:37] + "...")
