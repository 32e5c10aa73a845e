"""Hints worth taking: our own networks, exact bear-offs, look-ahead, cube advice, a coach; GNU Backgammon if installed."""

from pi_board.hints.cube_advice import CubeAdvice, CubeEquities, cube_action
from pi_board.hints.evaluator import Evaluator
from pi_board.hints.ranking import RankedPlay, rank_plays
from pi_board.hints.stakes import MatchScore

__all__ = ["CubeAdvice", "CubeEquities", "Evaluator", "MatchScore", "RankedPlay", "cube_action", "rank_plays"]
