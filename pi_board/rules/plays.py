"""`legal_plays`: every distinct play of a roll under any rule set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pi_board.errors import InvalidDiceError, InvalidPositionError
from pi_board.rules.movement import State, plays_of_roll, state_of
from pi_board.rules.notation import format_moves
from pi_board.rules.position import CHECKERS, SIDES, Position, Side
from pi_board.rules.quick import NOTHING, Found, international_plays
from pi_board.rules.rule_set import RuleSet, rule_set


class Play:
    """All that one player does with one roll: an immutable value; equal when moves, hits and result are equal.

    moves: (from, to) pairs, one per die, in an order in which they can be played; the mover's own numbering,
    25 = bar, 0 = off. hits: for each move whether it hits. result: the `Position` after it (absolute, sides not
    swapped). str(): standard notation, `8/5 6/5`, `bar/21*`, `6/off(2)`, "no play" without moves.
    """

    __slots__ = ("_before", "_result", "_side", "hits", "moves")

    moves: tuple[tuple[int, int], ...]
    hits: tuple[bool, ...]

    def __init__(
        self, moves: Sequence[tuple[int, int]], result: Position, hits: Sequence[bool] = ()
    ) -> None:
        _set_moves(self, tuple((int(a), int(b)) for a, b in moves))
        _set_hits(self, tuple(bool(h) for h in hits) if hits else (False,) * len(self.moves))
        _set_result(self, result)
        if len(self.hits) != len(self.moves):
            raise InvalidPositionError(f"play: expected {len(self.moves)} hits, got {len(self.hits)}")

    @property
    def result(self) -> Position:
        # Made when first asked for: many plays are only listed, counted or written down.
        if self._result is None:
            _set_result(self, after_moves(self._before, self._side, self.moves, self.hits))
        return self._result

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
        return hash((self.moves, self.result))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Play cannot be changed ({name})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Play cannot be changed ({name})")

    def __reduce__(self) -> tuple[Any, ...]:
        return Play, (self.moves, self.result, self.hits)


_set_moves, _set_hits = Play.__dict__["moves"].__set__, Play.__dict__["hits"].__set__
_set_result = Play.__dict__["_result"].__set__
_set_before, _set_side = Play.__dict__["_before"].__set__, Play.__dict__["_side"].__set__
_new = Play.__new__


def after_moves(
    before: Position, side: Side, moves: Sequence[tuple[int, int]], hits: Sequence[bool]
) -> Position:
    """`before` after `side` has made `moves` (from a generator: nothing is checked)."""
    points = list(before.points)
    bar_light, bar_dark = before.bar
    off_light, off_dark = before.off
    if side == "light":
        for (source, to), hit in zip(moves, hits, strict=True):
            if source == 25:
                bar_light -= 1
            else:
                points[source - 1] -= 1
            if to == 0:
                off_light += 1
            elif hit:
                points[to - 1] = 1
                bar_dark += 1
            else:
                points[to - 1] += 1
    else:
        for (source, to), hit in zip(moves, hits, strict=True):
            if source == 25:
                bar_dark -= 1
            else:
                points[24 - source] += 1
            if to == 0:
                off_dark += 1
            elif hit:
                points[24 - to] = -1
                bar_light += 1
            else:
                points[24 - to] -= 1
    return Position.trusted(tuple(points), (bar_light, bar_dark), (off_light, off_dark))


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
        _set_moves(play, moves)
        _set_hits(play, hits)
        _set_result(play, None)
        _set_before(play, position)
        _set_side(play, side)
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
