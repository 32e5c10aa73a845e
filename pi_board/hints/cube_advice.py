"""`cube_action`: double or not, take or pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from pi_board.hints.equity import CubeState
from pi_board.hints.evaluator import Evaluator, shared_evaluator
from pi_board.hints.ranking import Level, Outcomes, check_level, outcomes_of
from pi_board.hints.rows import encode
from pi_board.hints.search import Progress, Search
from pi_board.hints.stakes import MatchScore, stakes, worth_of
from pi_board.rules import Position, RuleSet, Side

CubeAction = Literal["no_double", "double_take", "double_pass", "too_good"]

#: How far each level looks ahead.
PLIES = {"fast": 1, "normal": 2, "deep": 2}


@dataclass(frozen=True, slots=True)
class CubeEquities:
    """What each choice is worth to the player who may double, per unit of the present cube."""

    no_double: float
    double_take: float
    double_pass: float


@dataclass(frozen=True, slots=True)
class CubeAdvice:
    """action: best for both. may_double: False when the cube is not available (then `action` is no_double).

    equities: see `CubeEquities`. probabilities: win, win gammon, win backgammon, lose gammon, lose backgammon.
    """

    action: CubeAction
    equities: CubeEquities
    probabilities: Outcomes
    cubeless: float
    may_double: bool = True

    @property
    def take(self) -> bool:
        """A double should be taken."""
        return self.equities.double_take <= self.equities.double_pass


def cube_action(
    position: Position,
    side: Side = "light",
    *,
    cube: tuple[int, Side | None] = (1, None),
    level: Level = "normal",
    jacoby: bool | None = False,
    rules: str | RuleSet = "international",
    match: MatchScore | None = None,
    evaluator: Evaluator | None = None,
    progress: Progress | None = None,
) -> CubeAdvice:
    """What `side`, about to roll, should do with the cube, and the other with a double.

    Money (with or without Jacoby; None = as the rules say) or a match score. Raises InvalidError for bad input.
    """
    check_level(level)
    model, state = stakes(side, cube, rules=rules, jacoby=jacoby, match=match)
    search = Search(evaluator or shared_evaluator(), progress)
    rows = encode([position], side)
    doubled = CubeState(state.value * 2, state.doubled().owner)
    values, probabilities = search.no_double(rows, model, [state, doubled], PLIES[level])
    if progress:
        progress(1.0)

    def equity(utility: float) -> float:
        return float(model.equity(np.array([utility], np.float32), state.value)[0])

    no_double, take = equity(float(values[state][0])), equity(float(values[doubled][0]))
    passed = equity(model.win(state.value))
    may = model.may_double(state) and not (rows[0, 26] == 15 or rows[0, 27] == 15)
    return CubeAdvice(
        judged(may, no_double, take, passed),
        CubeEquities(no_double, take, passed),
        outcomes_of(probabilities[0]),
        float(worth_of(rules).equity(probabilities)[0]),
        may,
    )


def judged(may_double: bool, no_double: float, take: float, passed: float) -> CubeAction:
    """The action that three equities (for the player who may double) call for."""
    if not may_double:
        return "no_double"
    if take <= passed:
        return "double_take" if take >= no_double else "no_double"
    return "double_pass" if passed >= no_double else "too_good"
