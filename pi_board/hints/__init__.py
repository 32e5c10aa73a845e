"""Hints worth taking: our own networks, exact bear-offs, look-ahead, cube advice, a coach; GNU Backgammon if installed."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

# Not lazy: the module of this name would be found first.
from pi_board.hints.match_equity import match_equity as match_equity

if TYPE_CHECKING:
    from pi_board.hints.backend import Backend as Backend
    from pi_board.hints.coach import Coach as Coach
    from pi_board.hints.coach import CubeReview as CubeReview
    from pi_board.hints.coach import PlayReview as PlayReview
    from pi_board.hints.cube_advice import CubeAdvice as CubeAdvice
    from pi_board.hints.cube_advice import CubeEquities as CubeEquities
    from pi_board.hints.cube_advice import cube_action as cube_action
    from pi_board.hints.evaluator import Evaluator as Evaluator
    from pi_board.hints.gnubg import Gnubg as Gnubg
    from pi_board.hints.gnubg import GnubgError as GnubgError
    from pi_board.hints.options import HintsOptions as HintsOptions
    from pi_board.hints.ranking import RankedPlay as RankedPlay
    from pi_board.hints.ranking import rank_plays as rank_plays
    from pi_board.hints.stakes import MatchScore as MatchScore

_EXPORTS = {
    "Backend": "backend",
    "Coach": "coach",
    "CubeAdvice": "cube_advice",
    "CubeEquities": "cube_advice",
    "CubeReview": "coach",
    "Evaluator": "evaluator",
    "Gnubg": "gnubg",
    "GnubgError": "gnubg",
    "HintsOptions": "options",
    "MatchScore": "stakes",
    "PlayReview": "coach",
    "RankedPlay": "ranking",
    "cube_action": "cube_advice",
    "rank_plays": "ranking",
}
__all__ = sorted([*_EXPORTS, "match_equity"])


def __getattr__(name: str) -> Any:
    # Lazy, so that the referee's start does not wait for an engine that nobody has asked yet.
    if name in _EXPORTS:
        value = globals()[name] = getattr(import_module(f"pi_board.hints.{_EXPORTS[name]}"), name)
        return value
    raise AttributeError(f"module 'pi_board.hints' has no attribute {name!r}")
