"""One checker too many or too few."""

from __future__ import annotations

import pytest

from pi_board.referee.explanations import IN_HAND, IN_HAND_LATE, one_too_many, reconcile, turn_of
from pi_board.rules import STARTING_POSITION, Position
from tests.referee.explanations.looks import FIVE_POINT, LAW, TURN, Moves, judged, look, seen


def test_a_checker_too_many_is_told_from_one_too_few() -> None:
    assert one_too_many(look([("set_down", 8, "light")]), STARTING_POSITION)
    assert not one_too_many(look([("lift", 8, "light")]), STARTING_POSITION)
    assert not one_too_many(look([("move", 8, 5, "light")]), STARTING_POSITION)


@pytest.mark.parametrize("moves", [[], FIVE_POINT], ids=["before the play", "after it"])
def test_a_sixteenth_checker_on_a_stack_is_a_misreading_once_nobody_minds_it(moves: Moves) -> None:
    evidence = look([*moves, ("set_down", 13, "light")])
    assert judged(evidence).kind == "unclear"
    found = reconcile(evidence, TURN, red_margin=6.0, slack=3.0, nobody_minds=True)
    assert found.kind == ("legal" if moves else "before")


def test_a_sixteenth_checker_alone_on_a_point_is_seen_by_everybody() -> None:
    evidence = look([*FIVE_POINT, ("set_down", 10, "light")])
    found = reconcile(evidence, TURN, red_margin=6.0, slack=3.0, nobody_minds=True)
    assert found.kind == "unclear"


def test_a_checker_that_was_played_onto_a_stack_of_two_layers_has_not_vanished() -> None:
    """6/2 onto the six that stand there: the stack still looks six high. While the dice lie there it may be in a hand."""
    stack = Position((0, 6, 0, 0, 0, 2) + (0,) * 6 + (1,) + (0,) * 5 + (-6, 0, 0, 0, -9, 0), (0, 0), (6, 0))
    turn = turn_of(stack, (4, 3), "light", LAW)
    after = Position((0, 7, 0, 0, 0, 1) + (0,) * 3 + (1,) + (0,) * 8 + (-6, 0, 0, 0, -9, 0), (0, 0), (6, 0))
    evidence = seen(after, (1, 6, 9.0))
    for in_hand, kind in ((IN_HAND, "partial"), (IN_HAND_LATE, "legal")):
        assert reconcile(evidence, turn, red_margin=6.0, slack=3.0, in_hand=in_hand).kind == kind
    # On a point of one layer, a checker that is not there is not there.
    low = Position((0, 3, 0, 0, 0, 2) + (0,) * 6 + (1,) + (0,) * 5 + (-6, 0, 0, 0, -9, 0), (0, 0), (9, 0))
    after = Position((0, 4, 0, 0, 0, 1) + (0,) * 3 + (1,) + (0,) * 8 + (-6, 0, 0, 0, -9, 0), (0, 0), (9, 0))
    found = reconcile(
        seen(after, (1, 3, 9.0)),
        turn_of(low, (4, 3), "light", LAW),
        red_margin=6.0,
        slack=3.0,
        in_hand=IN_HAND_LATE,
    )
    assert found.kind == "partial"
