"""What is played for: turns rule set, cube and match score into a `CubeModel` seen by one player."""

from __future__ import annotations

from dataclasses import dataclass

from pi_board.errors import InvalidError
from pi_board.hints.equity import CENTRED, MINE, THEIRS, CubeModel, CubeState, MatchStakes, Money, Worth
from pi_board.rules import Match, RuleSet, Side, rule_set

#: Mean points of single, gammon and backgammon wins where every checker left counts (leaflet 000): a single win leaves
#: about 5, a lost gammon 15 of which some outside (doubled), a backgammon 15 doubled.
_PER_CHECKER = Worth(gammon=4.5, backgammon=6.0)


@dataclass(frozen=True, slots=True)
class MatchScore:
    """A match to `length` points; score (light, dark). crawford: this is the Crawford game. post_crawford: it has been."""

    length: int
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    post_crawford: bool = False

    def __post_init__(self) -> None:
        if type(self.length) is not int or not 1 <= self.length <= 99:
            raise InvalidError(f"match length: expected 1 to 99 points, got {self.length!r}")
        if len(self.score) != 2 or any(type(s) is not int or not 0 <= s < self.length for s in self.score):
            raise InvalidError(f"score: expected two numbers from 0 to {self.length - 1}, got {self.score!r}")
        if self.crawford and self.length - 1 not in self.score:
            raise InvalidError(
                f"Crawford game: expected a player one point from {self.length}, got {self.score}"
            )

    @classmethod
    def of(cls, match: Match) -> MatchScore | None:
        """The score of a `Match` in hand; None in a session without end and when the match is over."""
        if not match.length or match.winner is not None:
            return None
        return cls(match.length, match.score, match.crawford_game, match.post_crawford)


def worth_of(rules: str | RuleSet) -> Worth:
    """What gammons and backgammons count in the leaflet in use, single win = 1."""
    law = rule_set(rules)
    if law.scoring == "game":
        return Worth(1.0, 1.0)
    if law.scoring == "per_checker":
        return _PER_CHECKER
    return Worth()


def stakes(
    side: Side,
    cube: tuple[int, Side | None] = (1, None),
    *,
    rules: str | RuleSet = "international",
    jacoby: bool | None = None,
    match: MatchScore | None = None,
) -> tuple[CubeModel, CubeState]:
    """(model, cube state) as `side` sees them. jacoby: None = as the rule set says; never in a match.

    Raises InvalidError for an impossible cube.
    """
    law = rule_set(rules)
    try:
        value, owner = cube
    except (TypeError, ValueError):
        raise InvalidError(f"cube: expected (value, owner), got {cube!r}") from None
    if type(value) is not int or value < 1 or value & (value - 1):
        raise InvalidError(f"cube: expected a power of two from 1, got {value!r}")
    if owner not in (None, "light", "dark"):
        raise InvalidError(f"cube: owner: expected light, dark or nobody, got {owner!r}")
    state = CubeState(value, CENTRED if owner is None else MINE if owner == side else THEIRS)
    with_cube = law.cube != "no"
    if match is not None:
        mine, theirs = match.score if side == "light" else match.score[::-1]
        away = (match.length - mine, match.length - theirs)
        worth = worth_of(law)
        return MatchStakes(away, match.crawford, match.post_crawford, worth, with_cube), state
    return Money(worth_of(law), law.jacoby if jacoby is None else jacoby, with_cube), state
