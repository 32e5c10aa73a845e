"""The law of the game: positions, plays, rule sets, scoring. Pure: no camera, no file, no clock."""

from pi_board.rules.cube import Cube
from pi_board.rules.gnu_id import (
    from_gnu_id,
    from_id,
    from_position_id,
    is_id,
    to_gnu_id,
    to_match_id,
    to_position_id,
)
from pi_board.rules.match import Match
from pi_board.rules.notation import find_play, format_moves, parse_notation
from pi_board.rules.opening import Opening, decide_opening
from pi_board.rules.plays import Play, legal_plays
from pi_board.rules.position import STARTING_POSITION, Position
from pi_board.rules.procedure import DiceFault, Procedure
from pi_board.rules.rule_set import RULE_SETS, RuleSet, rule_set
from pi_board.rules.scoring import Score, score_game, score_pass, score_resignation, win_kind, winner
from pi_board.rules.side import SIDES, Side, opponent
from pi_board.rules.verdict import Verdict, explain
from pi_board.rules.xgid import GameState, parse_xgid, to_xgid

__all__ = [
    "RULE_SETS",
    "SIDES",
    "STARTING_POSITION",
    "Cube",
    "DiceFault",
    "GameState",
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
    "find_play",
    "format_moves",
    "from_gnu_id",
    "from_id",
    "from_position_id",
    "is_id",
    "legal_plays",
    "opponent",
    "parse_notation",
    "parse_xgid",
    "rule_set",
    "score_game",
    "score_pass",
    "score_resignation",
    "to_gnu_id",
    "to_match_id",
    "to_position_id",
    "to_xgid",
    "win_kind",
    "winner",
]
