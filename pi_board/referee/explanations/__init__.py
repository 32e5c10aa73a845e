"""What explains a settled look at the board, given what one roll allows: `reconcile` answers with the likeliest of all.

Explanations are rows of 28 signed counts in the slot order of `pi_board.sighting` (`counts`). `evidence` scores them; `turn` lists what
a roll allows, `lawful` and `unlawful` score what is and what is not by the law, `reconciling` chooses.
"""

from pi_board.referee.explanations.counts import Scores, Vector, may_have_left, position_of, vector
from pi_board.referee.explanations.evidence import (
    ACCUSING_FIT,
    ALIKE,
    SLOT_CAP,
    TRAY_CAP,
    WORST_FIT,
    Evidence,
)
from pi_board.referee.explanations.free_positions import free_positions
from pi_board.referee.explanations.in_hand import IN_HAND, IN_HAND_KEY_FRAME, IN_HAND_LATE, in_hand_scores
from pi_board.referee.explanations.lawful import PARTIAL, likeliest_play
from pi_board.referee.explanations.miscounts import one_too_many, stack_looks_lower
from pi_board.referee.explanations.reading import read_position, shows
from pi_board.referee.explanations.reconciled import Reconciled, as_played
from pi_board.referee.explanations.reconciling import reconcile
from pi_board.referee.explanations.turn import ROLLS, Turn, may_have_no_move, turn_of

__all__ = [
    "ACCUSING_FIT", "ALIKE", "IN_HAND", "IN_HAND_KEY_FRAME", "IN_HAND_LATE", "PARTIAL", "ROLLS", "SLOT_CAP", "TRAY_CAP", "WORST_FIT",
    "Evidence", "Reconciled", "Scores", "Turn", "Vector",
    "as_played", "free_positions", "in_hand_scores", "likeliest_play", "may_have_left", "may_have_no_move", "one_too_many", "position_of", "read_position",
    "reconcile", "shows", "stack_looks_lower", "turn_of", "vector",
]  # fmt: skip
