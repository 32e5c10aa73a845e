"""What the law allows, scored by a look."""

from __future__ import annotations

import pytest

from pi_board.referee.explanations import IN_HAND, IN_HAND_LATE, PARTIAL, Evidence, turn_of, vector
from pi_board.referee.explanations.lawful import LawfulScores, lawful_explanations
from pi_board.rules import RULE_SETS, STARTING_POSITION, Position
from tests.referee.explanations.looks import FIVE_POINT, LAW, TURN, Moves, look, seen


def scored(evidence: Evidence, *, in_hand: float = IN_HAND) -> LawfulScores:
    return lawful_explanations(evidence, TURN, slack=3.0, in_hand=in_hand, nobody_minds=False)


@pytest.mark.parametrize(
    ("moves", "best", "costs"),
    [
        ([], "before", 0.0),
        (FIVE_POINT, "legal", 0.0),
        ([("move", 8, 5, "light")], "whole", PARTIAL),
        ([("lift", 8, "light")], "in_hand", IN_HAND),
    ],
)
def test_each_kind_explains_the_look_that_it_was_made_for(moves: Moves, best: str, costs: float) -> None:
    lawful = scored(look(moves))
    kinds = {name: getattr(lawful, name) for name in ("before", "legal", "whole", "in_hand")}
    assert max(kinds, key=lambda name: kinds[name]) == best
    assert lawful.best == kinds[best] == -costs


def test_the_nearest_board_is_the_legal_play_unless_it_is_far_behind() -> None:
    played, begun = scored(look(FIVE_POINT)), scored(look([("move", 8, 5, "light")]))
    assert played.nearest == TURN.legal[played.best_legal].result
    assert begun.on_the_way is not None and begun.nearest is not None
    assert (vector(begun.nearest) == begun.on_the_way).all()
    rival = begun.rival(TURN, begun.whole)
    assert rival is not None and rival[1] == pytest.approx(begun.whole - begun.legal) and rival[1] > 0


def test_a_play_that_changes_nothing_counts_as_the_position_before() -> None:
    closed = Position((0,) * 6 + (13,) + (0,) * 11 + (-2,) * 6, (2, 0), (0, 3))
    turn = turn_of(closed, (6, 5), "light", LAW)
    lawful = lawful_explanations(seen(closed), turn, slack=3.0, in_hand=IN_HAND, nobody_minds=False)
    assert lawful.best_legal == -1 and lawful.rival(turn, 0.0) is None
    assert lawful.before == lawful.best == 0.0 and lawful.nearest == closed


def test_no_hand_takes_a_checker_from_a_high_stack_after_the_dice_were_lifted() -> None:
    stack = Position((0, 6, 0, 0, 0, 2) + (0,) * 6 + (1,) + (0,) * 5 + (-6, 0, 0, 0, -9, 0), (0, 0), (6, 0))
    after = Position((0, 7, 0, 0, 0, 1) + (0,) * 3 + (1,) + (0,) * 8 + (-6, 0, 0, 0, -9, 0), (0, 0), (6, 0))
    turn, evidence = turn_of(stack, (4, 3), "light", LAW), seen(after, (1, 6, 9.0))
    early = lawful_explanations(evidence, turn, slack=3.0, in_hand=IN_HAND, nobody_minds=False)
    late = lawful_explanations(evidence, turn, slack=3.0, in_hand=IN_HAND_LATE, nobody_minds=False)
    assert not early.stack_lower and early.in_hand > early.legal
    assert late.stack_lower and late.in_hand == -float("inf") and late.best == late.legal


def test_whose_checker_is_in_the_hand() -> None:
    lawful = scored(look([("lift", 8, "light")]))
    assert lawful.hand_of == "light" and lawful.left_on is None and lawful.borne_off is None
    assert scored(look()).before == 0.0 and TURN.before == STARTING_POSITION


@pytest.mark.parametrize(("nats", "moves"), [(0.8, 2), (2.5, 1)])
def test_where_a_player_may_stop_few_do(nats: float, moves: int) -> None:
    """The last checker of a point has been borne off with the second die, and its place looks by so many nats as if it still lay there.
    (`bench campaign --seed 4082002 --room mount=drawn`)"""
    before = Position((2, 0, 1, 3, 1, *[0] * 14, -2, 0, 0, -1, -1), (0, 0), (8, 11))
    turn = turn_of(before, (5, 1), "dark", RULE_SETS["classique"])
    one = next(p for p in turn.legal if len(p.moves) == 1 and p.result.points[19] == -1)
    both = next(p for p in turn.legal if p.result.points[19] == -1 and p.result.points[23] == 0)
    evidence = seen(one.result, (23, 0, -nats))
    lawful = lawful_explanations(evidence, turn, slack=3.0, in_hand=IN_HAND, nobody_minds=False)
    assert turn.legal[lawful.best_legal].result == (both if moves == 2 else one).result
