"""`rank_plays`: every legal play of a roll, best first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pi_board.errors import InvalidError
from pi_board.hints.equity import Array, CubeModel, CubeState
from pi_board.hints.evaluator import Evaluator, shared_evaluator
from pi_board.hints.rows import encode, flip
from pi_board.hints.search import Progress, Search, swapped
from pi_board.hints.stakes import MatchScore, stakes, worth_of
from pi_board.rules import Play, Position, RuleSet, Side, legal_plays

Level = Literal["fast", "normal", "deep"]


@dataclass(frozen=True, slots=True)
class Stage:
    """Look `plies` ahead at no more than `keep` plays that lie within `margin` (equity) of the best so far."""

    plies: int
    keep: int
    margin: float


#: What each level looks at, one stage after the other.
LEVELS: dict[str, tuple[Stage, ...]] = {
    # The network alone, and a look at the few plays between which it hardly tells: it halves what is lost.
    "fast": (Stage(1, 3, 0.04),),
    # The second ply only where the first left it close: the usual decision stays quick on a Pi.
    "normal": (Stage(1, 8, 0.16), Stage(2, 3, 0.03)),
    "deep": (Stage(1, 12, 0.24), Stage(2, 6, 0.12)),
}


#: Chances of a win, a gammon won, a backgammon won, a gammon lost, a backgammon lost. Gammons count as wins too, backgammons as gammons.
Outcomes = tuple[float, float, float, float, float]


def outcomes_of(row: NDArray[Any]) -> Outcomes:
    """One row (5,) of an evaluator's probabilities as plain numbers."""
    win, gammon, backgammon, lost_gammon, lost_backgammon = (float(x) for x in row)
    return win, gammon, backgammon, lost_gammon, lost_backgammon


@dataclass(frozen=True, slots=True)
class RankedPlay:
    """One play and what it is worth to the player who makes it.

    equity: cubeful, per unit of the cube (in a match normalised so that ±1 is winning or losing the cube's value).
    cubeless: money equity without a cube. probabilities: win, win gammon, win backgammon, lose gammon, lose backgammon.
    loss: equity given away against the best play. plies: how far ahead this play was looked at.
    """

    play: Play
    equity: float
    probabilities: Outcomes
    cubeless: float
    loss: float = 0.0
    plies: int = 0


def check_level(level: str) -> None:
    if level not in LEVELS:
        raise InvalidError(f"level: expected one of {', '.join(LEVELS)}, got {level!r}")


def rank_plays(
    position: Position,
    dice: tuple[int, int],
    side: Side = "light",
    *,
    cube: tuple[int, Side | None] = (1, None),
    level: Level = "normal",
    rules: str | RuleSet = "international",
    jacoby: bool | None = None,
    match: MatchScore | None = None,
    evaluator: Evaluator | None = None,
    progress: Progress | None = None,
    listed: int = 0,
) -> list[RankedPlay]:
    """All legal plays of `dice` for `side`, best first.

    cube: (value, owner or None for the middle). level: "fast" one ply for the closest few, "normal" one ply and a second for
    close calls, "deep" two plies.
    rules: decides the legal plays and what a gammon is worth; the look-ahead itself follows the international rules.
    jacoby: None = as the rules say. match: score, for match equities instead of money. progress: called with 0-1.
    listed: so many plays are looked at as deeply as the best one, so that a list of them does not mix depths.
    Raises InvalidError and its kin for bad input.
    """
    check_level(level)
    plays = legal_plays(position, dice, side, rules)
    model, state = stakes(side, cube, rules=rules, jacoby=jacoby, match=match)
    search = Search(evaluator or shared_evaluator(), progress)
    utility, probabilities, plies = rank_rows(
        search, encode([p.result for p in plays], side), model, state, LEVELS[level], listed
    )
    equity = model.equity(utility, state.value)
    cubeless = worth_of(rules).equity(probabilities)
    # If the cube makes plays equal (the opponent passes after each, say), rank them by cubeless equity.
    order = np.lexsort((-cubeless, -np.round(equity, 6), -plies))
    # A play searched less deeply must not rank above one that was preferred to it.
    ranked, best = [], float(equity[order[0]])
    for i in order:
        ranked.append(
            RankedPlay(
                plays[i],
                float(equity[i]),
                outcomes_of(probabilities[i]),
                float(cubeless[i]),
                max(0.0, best - float(equity[i])),
                int(plies[i]),
            )
        )
    return ranked


def rank_rows(
    search: Search,
    results: np.ndarray,
    model: CubeModel,
    state: CubeState,
    stages: tuple[Stage, ...],
    listed: int = 0,
) -> tuple[Array, Array, np.ndarray]:
    """(utility (N,), probabilities (N, 5), plies (N,)) of the positions that a player may leave, for that player.

    results: (N, 28) int8 seen from the player who has just moved. listed: see `rank_plays`.
    """
    other, after = model.flipped(), state.flipped()
    children = flip(np.asarray(results, np.int8))
    values, theirs = search.values(children, other, [after], 0)
    utility = -values[after]
    probabilities = swapped(theirs)
    plies = np.zeros(len(children), int)
    keep = np.arange(len(children))

    def look_ahead(rows: np.ndarray, depth: int, done: float, share: float) -> None:
        # Deep looks are taken one play at a time: each is a full batch of its own, and progress can be told.
        step = 1 if depth > 1 else max(1, len(rows))
        for i in range(0, len(rows), step):
            part = rows[i : i + step]
            values, theirs = search.values(children[part], other, [after], depth)
            utility[part] = -values[after]
            probabilities[part] = swapped(theirs)
            plies[part] = depth
            if search.progress:
                search.progress(done + share * min(1.0, (i + step) / len(rows)))

    share = 1 / max(1, len(stages) + (listed > 0))
    for number, stage in enumerate(stages):
        if len(keep) < 2 and number:
            break
        order = keep[np.argsort(-utility[keep], kind="stable")]
        scale = abs(model.win(state.value)) or 1.0
        near = utility[order] >= utility[order[0]] - stage.margin * scale
        keep = order[near][: stage.keep]
        look_ahead(keep, stage.plies, number * share, share)
    best = np.lexsort((-utility, -plies))[:listed]
    look_ahead(
        best[plies[best] < plies.max(initial=0)], int(plies.max(initial=0)), len(stages) * share, share
    )
    if search.progress:
        search.progress(1.0)
    return utility, probabilities, plies
