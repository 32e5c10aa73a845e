"""`legal_plays`: every distinct play of a roll under any rule set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pi_board.errors import InvalidDiceError, InvalidPositionError
from pi_board.rules.movement import State, plays_of_roll, state_of
from pi_board.rules.notation import format_moves
from pi_board.rules.position import Position
from pi_board.rules.quick import NOTHING, Found, international_plays
from pi_board.rules.rule_set import RuleSet, rule_set
from pi_board.rules.side import CHECKERS, SIDES, Side


class Play:
    """All that one player does with one roll: an immutable value; equal when moves, hits and result are equal.

    moves: (from, to) pairs, one per die, in an order in which they can be played; the mover's own numbering,
    25 = bar, 0 = off. hits: for each move whether it hits. result: the `Position` after it (absolute, sides not
    swapped). str(): standard notation, `8/5 6/5`, `bar/21*`, `6/off(2)`, "no play" without moves.
    """

    __slots__ = ("_before", "_hits", "_moves", "_result", "_side")

    _moves: tuple[tuple[int, int], ...]
    _hits: tuple[bool, ...]
    _result: Position | None
    _before: Position
    _side: Side

    def __init__(self, moves: Sequence[tuple[int, int]], result: Position, hits: Sequence[bool] = ()) -> None:
        self._moves = tuple((int(a), int(b)) for a, b in moves)
        self._hits = tuple(bool(h) for h in hits) if hits else (False,) * len(self._moves)
        self._result = result
        if len(self._hits) != len(self._moves):
            raise InvalidPositionError(f"play: expected {len(self._moves)} hits, got {len(self._hits)}")

    @property
    def moves(self) -> tuple[tuple[int, int], ...]:
        return self._moves

    @property
    def hits(self) -> tuple[bool, ...]:
        return self._hits

    @property
    def result(self) -> Position:
        # Made when first asked for: many plays are only listed, counted or written down.
        result = self._result
        if result is None:
            result = self._result = after_moves(self._before, self._side, self._moves, self._hits)
        return result

    @property
    def pips(self) -> int:
        """Points moved, as the pip count falls."""
        return sum(a - b for a, b in self.moves)

    def __str__(self) -> str:
        return format_moves(self.moves, self.hits)

    def __repr__(self) -> str:
        return f"Play({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Play):
            return NotImplemented
        return self.moves == other.moves and self.hits == other.hits and self.result == other.result

    def __hash__(self) -> int:
        return hash((self._moves, self.result))

    def __reduce__(self) -> tuple[Any, ...]:
        return Play, (self.moves, self.result, self.hits)


_new = object.__new__


def after_moves(
    before: Position, side: Side, moves: Sequence[tuple[int, int]], hits: Sequence[bool]
) -> Position:
    """`before` after `side` has made `moves` (from a generator: nothing is checked)."""
    points, bar, off = list(before.points), before.bar, before.off
    n = 0
    if side == "light":
        for source, to in moves:
            if source != 25:
                points[source - 1] -= 1
            else:
                bar = (bar[0] - 1, bar[1])
            if not to:
                off = (off[0] + 1, off[1])
            elif hits[n]:
                points[to - 1] = 1
                bar = (bar[0], bar[1] + 1)
            else:
                points[to - 1] += 1
            n += 1
    else:
        for source, to in moves:
            if source != 25:
                points[24 - source] += 1
            else:
                bar = (bar[0], bar[1] - 1)
            if not to:
                off = (off[0], off[1] + 1)
            elif hits[n]:
                points[24 - to] = -1
                bar = (bar[0] + 1, bar[1])
            else:
                points[24 - to] -= 1
            n += 1
    return Position.trusted(tuple(points), bar, off)


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
    a, b = check_dice(dice)
    if check_side(side) == "light":
        points: Sequence[int] = position.points
        bar, theirs_off = position.bar[0], position.off[1]
    else:
        points = [-n for n in position.points[::-1]]
        bar, theirs_off = position.bar[1], position.off[0]
    if theirs_off == CHECKERS:
        found = [NOTHING]
    elif law.plays_international:
        found = international_plays(points, bar, a, b)
    else:
        found = general_plays(state_of(position, side), (a, b), law)
    plays = []
    for moves, hits in found:
        play = _new(Play)
        play._moves = moves
        play._hits = hits
        play._result = None
        play._before = position
        play._side = side
        plays.append(play)
    return plays


def general_plays(state: State, dice: tuple[int, int], law: RuleSet) -> list[Found]:
    """`movement.plays_of_roll` in the form of the fast generator: moves in notation's order, which stays playable."""
    found = []
    for moves in plays_of_roll(state, dice, law).values():
        entering = [m for m in moves if m[0] == 25]
        ordered = entering + sorted((m for m in moves if m[0] != 25), key=lambda m: (-m[0], -m[1], not m[2]))
        seen: set[int] = set()
        hits = []
        struck = {m[1] for m in moves if m[2]}
        for _source, to, _hit in ordered:
            hits.append(to in struck and to not in seen)
            seen.add(to)
        found.append((tuple([(m[0], m[1]) for m in ordered]), tuple(hits)))
    return found
