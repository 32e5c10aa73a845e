"""XGID: position, cube, turn, dice and match state in one line (eXtreme Gammon's format).

`XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10`: 26 characters for the position, seen by X: index 0 the bar of O,
1-24 X's points, 25 the bar of X; `A`-`O` = 1-15 checkers of X, `a`-`o` of O, `-` none; then log2 of the cube, its
owner (1 X, -1 O, 0 middle), the turn (1 X, -1 O), the dice (`00` to roll, `D` the side in turn has doubled), score of X, score of O, rules (match: 1 Crawford game; money: 1 Jacoby + 2 beavers), match length (0
money), log2 of the largest cube. Here X is light and O is dark.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pi_board.errors import InvalidPositionError
from pi_board.rules.position import CHECKERS, Position, Side, opponent

#: What eXtreme Gammon writes when the cube has no limit of its own.
MAX_CUBE_LOG2 = 10


@dataclass(frozen=True, slots=True)
class GameState:
    """A position with all that surrounds it, as an XGID or a GNU Match ID tells it.

    cube: its value now. owner: None = in the middle. turn: whose roll it is (who rolled, doubles or resigns).
    dice: None = not rolled. doubled: `turn` offers to play on for twice `cube`. score: (light, dark). length: 0 = money.
    crawford: this is the Crawford game. jacoby, beavers: money only. resigned: 0, or the level 1-3 that `turn` offers.
    """

    position: Position
    cube: int = 1
    owner: Side | None = None
    turn: Side = "light"
    dice: tuple[int, int] | None = None
    doubled: bool = False
    score: tuple[int, int] = (0, 0)
    length: int = 0
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    max_cube: int = 1 << MAX_CUBE_LOG2
    resigned: int = 0

    @property
    def to_act(self) -> Side:
        """Who must decide now: the other side while a double or resignation is offered."""
        return opponent(self.turn) if self.doubled or self.resigned else self.turn

    def __post_init__(self) -> None:
        if type(self.cube) is not int or self.cube < 1 or self.cube & (self.cube - 1):
            raise InvalidPositionError(f"cube: expected a power of two from 1, got {self.cube!r}")
        if self.owner not in (None, "light", "dark"):
            raise InvalidPositionError(f"cube owner: expected light, dark or nobody, got {self.owner!r}")
        if self.turn not in ("light", "dark"):
            raise InvalidPositionError(f"turn: expected light or dark, got {self.turn!r}")
        if self.dice is not None and (
            len(self.dice) != 2 or any(type(d) is not int or not 1 <= d <= 6 for d in self.dice)
        ):
            raise InvalidPositionError(f"dice: expected two numbers from 1 to 6, got {self.dice!r}")
        if len(self.score) != 2 or any(type(s) is not int or s < 0 for s in self.score):
            raise InvalidPositionError(f"score: expected two numbers from 0, got {self.score!r}")
        if type(self.length) is not int or self.length < 0:
            raise InvalidPositionError(f"length: expected 0 (money) or more, got {self.length!r}")
        if self.length and max(self.score) >= self.length:
            raise InvalidPositionError(
                f"score: expected both below the match length {self.length}, got {self.score[0]}-{self.score[1]}"
            )
        if self.crawford and (not self.length or self.length - 1 not in self.score):
            raise InvalidPositionError(
                f"Crawford: expected one side a single point from the match, got {self.score[0]}-{self.score[1]} to {self.length}"
            )


def parse_xgid(text: str) -> GameState:
    """Everything that an XGID says; the `XGID=` in front and trailing fields (from the score on) may be missing.

    Raises InvalidPositionError naming the field. More than 15 checkers a side are refused (they crash other programs);
    fewer mean that the rest has been borne off.
    """
    if not isinstance(text, str):
        raise InvalidPositionError(f"XGID: expected a text, got {text!r}")
    body = text.strip()
    if body[:5].upper() == "XGID=":
        body = body[5:]
    fields = body.split(":")
    if len(fields) > 10:
        raise InvalidPositionError(f"XGID: expected at most 10 fields separated by ':', got {len(fields)}")
    position = _position(fields[0])
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
    return GameState(
        position,
        cube=1 << log2,
        owner=owner,
        turn=turn,
        dice=dice,
        doubled=doubled,
        score=score,
        length=length,
        crawford=bool(length and rules),
        jacoby=bool(not length and rules & 1),
        beavers=bool(not length and rules & 2),
        max_cube=1 << _number("largest cube", fields[9], 0, 30),
    )


def to_xgid(state: GameState | Position) -> str:
    """The XGID of `state` (of a bare position: money, cube in the middle, light to roll), with `XGID=` in front."""
    if isinstance(state, Position):
        state = GameState(state)
    places = [state.position.bar[1] and -state.position.bar[1], *state.position.points, state.position.bar[0]]
    letters = "".join(
        "-" if n == 0 else chr(ord("A") + n - 1) if n > 0 else chr(ord("a") - n - 1) for n in places
    )
    owner = {"light": 1, "dark": -1, None: 0}[state.owner]
    dice = "D" if state.doubled else "00" if state.dice is None else f"{state.dice[0]}{state.dice[1]}"
    rules = int(state.crawford) if state.length else int(state.jacoby) + 2 * int(state.beavers)
    numbers = (
        state.cube.bit_length() - 1,
        owner,
        1 if state.turn == "light" else -1,
        dice,
        *state.score,
        rules,
        state.length,
        state.max_cube.bit_length() - 1,
    )
    return f"XGID={letters}:" + ":".join(map(str, numbers))


def _position(letters: str) -> Position:
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
    return Position(tuple(places[1:25]), (places[25], -places[0]), (CHECKERS - light, CHECKERS - dark))


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
