"""The law of the game: positions, plays, rule sets, scoring. Pure: no camera, no file, no clock."""

from pi_board.rules.position import STARTING_POSITION, Position, Side, opponent
from pi_board.rules.plays import Play, legal_plays

__all__ = ["STARTING_POSITION", "Play", "Position", "Side", "legal_plays", "opponent"]
