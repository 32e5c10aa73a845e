"""What a finished game counts, by every leaflet's own scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pi_board.errors import IllegalError, InvalidError
from pi_board.rules.position import Position
from pi_board.rules.rule_set import RuleSet, rule_set
from pi_board.rules.side import SIDES, Side, opponent

WinKind = Literal["single", "gammon", "backgammon"]
#: Levels of a win: index 1, 2, 3.
WIN_KINDS: tuple[WinKind, WinKind, WinKind] = ("single", "gammon", "backgammon")


@dataclass(frozen=True, slots=True)
class Score:
    """What one game counts.

    winner: the side. points: what it counts in all. kind: single, gammon or backgammon ("single" where
    the rules know no levels). base: points before the cube. cube: the factor (1 where no cube is used).
    """

    winner: Side
    points: int
    kind: WinKind = "single"
    base: int = 1
    cube: int = 1

    def __str__(self) -> str:
        return f"{self.winner} wins {self.points} point{'' if self.points == 1 else 's'} ({self.kind})"


def winner(position: Position) -> Side | None:
    """The side that has borne off all fifteen checkers, or None while the game is on."""
    for i, side in enumerate(SIDES):
        if position.off[i] == 15:
            return side
    return None


def win_kind(position: Position, side: Side, rules: str | RuleSet = "international") -> WinKind:
    """single, gammon or backgammon if `side` had won in `position` (other checkers of `side` are not looked at).

    Leaflet 002 §8, 004 "Scoring": gammon = the loser has borne off none; backgammon = none off and one on the
    bar or in the winner's home. `backgammon_although_borne_off`: the latter even when others are off (004).
    """
    law = rule_set(rules)
    points, bar, off = position.seen_from(opponent(side))
    behind = bar[0] > 0 or any(n > 0 for n in points[18:])
    if behind and (off[0] == 0 or law.backgammon_although_borne_off):
        return "backgammon"
    return "gammon" if off[0] == 0 else "single"


def checkers_left(position: Position, side: Side, rules: str | RuleSet = "schmidt") -> int:
    """Per-checker score of `side` (leaflet 000): the loser's remaining checkers, doubled as the option says."""
    law = rule_set(rules)
    points, bar, _off = position.seen_from(opponent(side))
    inside = sum(n for n in points[:6] if n > 0)
    outside = bar[0] + sum(n for n in points[6:] if n > 0)
    if law.doubled_outside == "those_outside":
        return inside + 2 * outside
    return (inside + outside) * (2 if outside else 1)


def score_game(
    position: Position, rules: str | RuleSet = "international", *, cube: int = 1, jacoby: bool | None = None
) -> Score:
    """What the finished game in `position` counts.

    cube: its value (1 = never turned). jacoby: overrides the rule set's option (a match plays without Jacoby).
    Raises IllegalError when no side has borne off all checkers.
    """
    side = winner(position)
    if side is None:
        raise IllegalError("score: no side has borne off all 15 checkers, the game is not over")
    return _score(position, side, rule_set(rules), cube, jacoby, None)


def score_resignation(
    position: Position,
    loser: Side,
    level: int = 1,
    rules: str | RuleSet = "international",
    *,
    cube: int = 1,
    jacoby: bool | None = None,
) -> Score:
    """What a resignation of `loser` counts: level 1 single, 2 gammon, 3 backgammon.

    Where the leaflet counts checkers (000), the checkers left in `position` count, whatever the level; where only
    the game counts (003) it is the game. Raises InvalidError for another level.
    """
    if level not in (1, 2, 3):
        raise InvalidError(f"resignation: expected 1 (single), 2 (gammon) or 3 (backgammon), got {level!r}")
    return _score(position, opponent(loser), rule_set(rules), cube, jacoby, WIN_KINDS[level - 1])


def score_pass(side: Side, rules: str | RuleSet = "international", *, cube: int = 1) -> Score:
    """`side` offered a double that was passed: it wins the value before the offer (`cube`). Levels never count."""
    rule_set(rules)
    return Score(side, _factor(cube), "single", 1, cube)


def _score(
    position: Position, side: Side, law: RuleSet, cube: int, jacoby: bool | None, kind: WinKind | None
) -> Score:
    factor = _factor(cube) if law.cube != "no" else 1
    if law.scoring == "game":
        return Score(side, factor, "single", 1, factor)
    if law.scoring == "per_checker":
        base = checkers_left(position, side, law)
        return Score(side, base * factor, "single", base, factor)
    if kind is None:
        kind = win_kind(position, side, law)
    if (law.jacoby if jacoby is None else jacoby) and factor == 1:
        kind = "single"
    base = WIN_KINDS.index(kind) + 1
    return Score(side, base * factor, kind, base, factor)


def _factor(cube: int) -> int:
    if type(cube) is not int or cube < 1 or cube & (cube - 1):
        raise InvalidError(f"cube: expected a power of two from 1, got {cube!r}")
    return cube
