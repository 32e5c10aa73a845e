"""Where the filter judges what lies there otherwise than the stepwise referee."""

from __future__ import annotations

from pi_board.referee.explanations import Turn
from pi_board.referee.one_turn import dice_to_play, moved_by
from pi_board.rules import Position


def moved_one_of_theirs(turn: Turn, seen: Position) -> bool:
    """`seen` is of this turn but for one of the opponent's checkers, which lies elsewhere without having been hit."""
    # (The other engine also counts a hit checker that is not on the bar yet.)
    own, entered, theirs, hits = moved_by(turn, seen)
    return entered >= 0 and own <= dice_to_play(turn) and theirs == max(0, hits) + 1
