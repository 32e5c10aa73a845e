"""XGID: position, cube, turn, dice and match state in one line (eXtreme Gammon's format).

`XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10`: 26 characters for the position, seen by X: index 0 the bar of O,
1-24 X's points, 25 the bar of X; `A`-`O` = 1-15 checkers of X, `a`-`o` of O, `-` none; then log2 of the cube, its
owner (1 X, -1 O, 0 middle), the turn (1 X, -1 O), the dice (`00` to roll, `D` the side in turn has doubled), score of X, score of O, rules (match: 1 Crawford game; money: 1 Jacoby + 2 beavers), match length (0
money), log2 of the largest cube. Here X is light and O is dark.
"""

from __future__ import annotations

from dataclasses import dataclass

from pi_board.errors import InvalidPositionError
from pi_board.rules.position import Position
from pi_board.rules.side import Side
from pi_board.rules.xgid_fields import MAX_CUBE_LOG2, read_xgid


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
    fields = read_xgid(text)
    return GameState(
        Position(*fields.counts),
        cube=1 << fields.cube,
        owner=fields.owner,
        turn=fields.turn,
        dice=fields.dice,
        doubled=fields.doubled,
        score=fields.score,
        length=fields.length,
        crawford=bool(fields.length and fields.rules),
        jacoby=bool(not fields.length and fields.rules & 1),
        beavers=bool(not fields.length and fields.rules & 2),
        max_cube=1 << fields.max_cube,
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
