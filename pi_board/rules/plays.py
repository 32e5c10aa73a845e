"""`legal_plays`: every distinct play of a roll under any rule set."""

from __future__ import annotations

from typing import Any

from pi_board.errors import InvalidDiceError, InvalidPositionError
from pi_board.rules.movement import Move, State, plays_of_roll, position_of, state_of
from pi_board.rules.notation import format_moves
from pi_board.rules.position import SIDES, Position, Side
from pi_board.rules.rule_set import RuleSet, rule_set


class Play:
    """All that one player does with one roll: an immutable value; equal when moves, hits and result are equal.

    moves: (from, to) pairs, one per die, in an order in which they can be played; the mover's own numbering,
    25 = bar, 0 = off. hits: for each move whether it hits. result: the `Position` after it (absolute, sides not
    swapped). str(): standard notation, `8/5 6/5`, `bar/21*`, `6/off(2)`, "no play" without moves.
    """

    __slots__ = ("_hits", "_moves", "_result", "_side", "_state")

    def __init__(
        self, moves: tuple[tuple[int, int], ...], result: Position, hits: tuple[bool, ...] = ()
    ) -> None:
        self._moves = tuple((int(a), int(b)) for a, b in moves)
        self._hits = tuple(bool(h) for h in hits) if hits else (False,) * len(self._moves)
        if len(self._hits) != len(self._moves):
            raise InvalidPositionError(f"play: expected {len(self._moves)} hits, got {len(self._hits)}")
        self._result: Position | None = result
        self._side: Side = "light"
        self._state: State = ()

    @classmethod
    def _of(cls, moves: tuple[Move, ...], state: State, side: Side) -> Play:
        """From a generator's output; the result is made when asked for."""
        self = object.__new__(cls)
        self._moves = tuple([(m[0], m[1]) for m in moves])
        self._hits = tuple([m[2] for m in moves])
        self._result = None
        self._side = side
        self._state = state
        return self

    @property
    def moves(self) -> tuple[tuple[int, int], ...]:
        return self._moves

    @property
    def hits(self) -> tuple[bool, ...]:
        return self._hits

    @property
    def result(self) -> Position:
        if self._result is None:
            self._result = position_of(self._state, self._side)
        return self._result

    @property
    def pips(self) -> int:
        """Points moved, as the pip count falls."""
        return sum(a - b for a, b in self._moves)

    def __str__(self) -> str:
        return format_moves(self._moves, self._hits)

    def __repr__(self) -> str:
        return f"Play({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Play):
            return NotImplemented
        return self._moves == other._moves and self._hits == other._hits and self.result == other.result

    def __hash__(self) -> int:
        return hash((self._moves, self.result))


def check_dice(dice: Any) -> tuple[int, int]:
    """`dice` as two ints, the order kept. Raises InvalidDiceError."""
    try:
        a, b = dice
    except (TypeError, ValueError):
        raise InvalidDiceError(f"dice: expected two numbers from 1 to 6, got {dice!r}") from None
    for die in (a, b):
        if type(die) is bool or not hasattr(die, "__index__") or not 1 <= die <= 6:
            raise InvalidDiceError(f"dice: expected two numbers from 1 to 6, got {die!r} in {dice!r}")
    return a.__index__(), b.__index__()


def check_side(side: Any) -> Side:
    """`side` itself. Raises InvalidPositionError."""
    if side not in SIDES:
        raise InvalidPositionError(f"side: expected light or dark, got {side!r}")
    return side


def legal_plays(
    position: Position, dice: tuple[int, int], side: Side = "light", rules: str | RuleSet = "international"
) -> list[Play]:
    """Every play of `dice` that the rules allow, one `Play` per distinct resulting position.

    With no legal play (also when the game is over): one `Play` without moves. rules: a preset's name or a `RuleSet`.
    Raises InvalidDiceError, InvalidPositionError (side), InvalidSettingsError (rules).
    """
    law = rule_set(rules)
    found = plays_of_roll(state_of(position, check_side(side)), check_dice(dice), law)
    return [Play._of(moves, state, side) for state, moves in found.items()]
