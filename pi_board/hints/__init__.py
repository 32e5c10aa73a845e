"""Hints worth taking: our own networks, exact bear-offs, look-ahead, cube advice, a coach; GNU Backgammon if installed."""

from pi_board.hints.backend import Backend
from pi_board.hints.coach import Coach, CubeReview, PlayReview
from pi_board.hints.cube_advice import CubeAdvice, CubeEquities, cube_action
from pi_board.hints.evaluator import Evaluator
from pi_board.hints.gnubg import Gnubg, GnubgError
from pi_board.hints.match_equity import match_equity
from pi_board.hints.options import HintsOptions
from pi_board.hints.ranking import RankedPlay, rank_plays
from pi_board.hints.stakes import MatchScore

__all__ = [
    "Backend",
    "Coach",
    "CubeAdvice",
    "CubeEquities",
    "CubeReview",
    "Evaluator",
    "Gnubg",
    "GnubgError",
    "HintsOptions",
    "MatchScore",
    "PlayReview",
    "RankedPlay",
    "cube_action",
    "match_equity",
    "rank_plays",
]
