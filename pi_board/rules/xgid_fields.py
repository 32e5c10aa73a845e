"""The text of an XGID, read into numbers (format: see `xgid`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pi_board.errors import InvalidPositionError
from pi_board.rules.side import CHECKERS, Side

#: What eXtreme Gammon writes when the cube has no limit of its own.
MAX_CUBE_LOG2 = 10
#: (points, bar, off) as `Position` takes them.
Counts = tuple[tuple[int, ...], tuple[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class XgidFields:
    """What the fields say, each checked by itself. cube, max_cube: their logarithms to base 2."""

    counts: Counts
    cube: int
    owner: Side | None
    turn: Side
    dice: tuple[int, int] | None
    doubled: bool
    score: tuple[int, int]
    rules: int
    length: int
    max_cube: int


def read_xgid(text: str) -> XgidFields:
    """The fields of `text`; see `xgid.parse_xgid`. Raises InvalidPositionError naming the field."""
    if not isinstance(text, str):
        raise InvalidPositionError(f"XGID: expected a text, got {text!r}")
    body = text.strip()
    if body[:5].upper() == "XGID=":
        body = body[5:]
    fields = body.split(":")
    if len(fields) > 10:
        raise InvalidPositionError(f"XGID: expected at most 10 fields separated by ':', got {len(fields)}")
    counts = _counts(fields[0])
    fields += ["0", "0", "1", "00", "0", "0", "0", "0", str(MAX_CUBE_LOG2)][len(fields) - 1 :]
    log2 = _number("cube", fields[1], 0, 30)
    owner = _choice("cube owner", fields[2], {"1": "light", "-1": "dark", "0": None})
    turn: Side = _choice("turn", fields[3], {"1": "light", "-1": "dark"}) or "light"
    dice, doubled = _dice(fields[4])
    score = (_number("score of X", fields[5], 0, 999), _number("score of O", fields[6], 0, 999))
    length = _number("match length", fields[8], 0, 999)
    rules = _number("rules", fields[7], 0, 3)
    if length and rules not in (0, 1):
        raise InvalidPositionError(f"XGID: rules: expected 0 or 1 (Crawford) in a match, got {rules}")
    return XgidFields(
        counts,
        log2,
        owner,
        turn,
        dice,
        doubled,
        score,
        rules,
        length,
        _number("largest cube", fields[9], 0, 30),
    )


def _counts(letters: str) -> Counts:
    if len(letters) != 26:
        raise InvalidPositionError(f"XGID: position: expected 26 characters, got {len(letters)}")
    places = []
    for i, c in enumerate(letters):
        if c == "-":
            places.append(0)
        elif "A" <= c <= "O":
            places.append(ord(c) - ord("A") + 1)
        elif "a" <= c <= "o":
            places.append(ord("a") - ord(c) - 1)
        else:
            raise InvalidPositionError(
                f"XGID: position: character {i + 1}: expected -, A-O or a-o, got {c!r}"
            )
    if places[0] > 0:
        raise InvalidPositionError("XGID: position: the first place is O's bar, got checkers of X there")
    if places[25] < 0:
        raise InvalidPositionError("XGID: position: the last place is X's bar, got checkers of O there")
    light = sum(n for n in places if n > 0)
    dark = -sum(n for n in places if n < 0)
    for name, total in (("X", light), ("O", dark)):
        if total > CHECKERS:
            raise InvalidPositionError(f"XGID: position: expected at most 15 checkers of {name}, got {total}")
    return tuple(places[1:25]), (places[25], -places[0]), (CHECKERS - light, CHECKERS - dark)


def _number(name: str, text: str, low: int, high: int) -> int:
    if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
        raise InvalidPositionError(f"XGID: {name}: expected a number from {low} to {high}, got {text!r}")
    return int(text)


def _choice(name: str, text: str, choices: Mapping[str, Side | None]) -> Side | None:
    if text not in choices:
        raise InvalidPositionError(f"XGID: {name}: expected one of {', '.join(choices)}, got {text!r}")
    return choices[text]


def _dice(text: str) -> tuple[tuple[int, int] | None, bool]:
    if text == "00":
        return None, False
    if text == "D":
        return None, True
    if text in ("B", "R"):
        raise InvalidPositionError(
            "XGID: dice: beavers and raccoons (B, R) are not played here, expected digits, 00 or D"
        )
    if len(text) == 2 and all(c in "123456" for c in text):
        return (int(text[0]), int(text[1])), False
    raise InvalidPositionError(f"XGID: dice: expected two digits from 1 to 6, 00 or D, got {text!r}")
