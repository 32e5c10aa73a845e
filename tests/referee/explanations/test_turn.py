"""What one roll allows."""

from __future__ import annotations

import pytest

from pi_board.referee.explanations import position_of, turn_of, vector
from pi_board.rules import STARTING_POSITION, Position
from tests.referee.explanations.looks import LAW


@pytest.mark.parametrize("dice", [(3, 1), (6, 5), (2, 2)])
def test_what_is_on_the_way_is_neither_the_start_nor_a_whole_play(dice: tuple[int, int]) -> None:
    turn = turn_of(STARTING_POSITION, dice, "dark", LAW)
    rows = {tuple(r) for r in turn.partial_counts.tolist()}
    assert rows and tuple(vector(STARTING_POSITION)) not in rows
    assert not rows & {tuple(r) for r in turn.legal_counts.tolist()}
    assert all(position_of(r) is not None for r in turn.partial_counts)
    assert all(turn.may_lead_to(p.result) for p in turn.legal) and turn.can_move and not turn.may_pass


def test_who_cannot_enter_may_leave_the_board_as_it_is() -> None:
    closed = Position((0,) * 6 + (13,) + (0,) * 11 + (-2,) * 6, (2, 0), (0, 3))
    turn = turn_of(closed, (6, 5), "light", LAW)
    assert turn.may_pass and not turn.can_move
    assert turn.play_to(closed) is not None
