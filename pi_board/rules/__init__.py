"""The law of the game: positions, plays, rule sets, scoring. Pure: no camera, no file, no clock."""

from pi_board.rules.cube import Cube
from pi_board.rules.match import Match
from pi_board.rules.opening import Opening, decide_opening
from pi_board.rules.plays import Play, legal_plays
from pi_board.rules.position import SIDES, STARTING_POSITION, Position, Side, opponent
from pi_board.rules.procedure import DiceFault, Procedure
from pi_board.rules.rule_set import RULE_SETS, RuleSet, rule_set
from pi_board.rules.scoring import Score, score_game, score_pass, score_resignation, win_kind, winner
from pi_board.rules.verdict import Verdict, explain

__all__ = [
    "RULE_SETS",
    "SIDES",
    "STARTING_POSITION",
    "Cube",
    "DiceFault",
    "Match",
    "Opening",
    "Play",
    "Position",
    "Procedure",
    "RuleSet",
    "Score",
    "Side",
    "Verdict",
    "decide_opening",
    "explain",
    "legal_plays",
    "opponent",
    "rule_set",
    "score_game",
    "score_pass",
    "score_resignation",
    "win_kind",
    "winner",
]
