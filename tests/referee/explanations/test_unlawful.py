"""The best explanation outside the law."""

from __future__ import annotations

import pytest

from pi_board.referee.explanations import IN_HAND, SLOT_CAP, Evidence, Turn, turn_of
from pi_board.referee.explanations.lawful import lawful_explanations
from pi_board.referee.explanations.made_point import BLOCKED
from pi_board.referee.explanations.unlawful import OutsideTheLaw, unlawful_explanation
from pi_board.rules import STARTING_POSITION
from pi_board.sighting import ZERO
from tests.referee.explanations.looks import BEARING_OFF, FIVE_POINT, LAW, TURN, Moves, look, seen


def found(evidence: Evidence, turn: Turn = TURN, *, nobody_minds: bool = False) -> OutsideTheLaw:
    lawful = lawful_explanations(evidence, turn, slack=3.0, in_hand=IN_HAND, nobody_minds=nobody_minds)
    return unlawful_explanation(evidence, turn, lawful, slack=3.0, nobody_minds=nobody_minds)


@pytest.mark.parametrize("moves", [[], FIVE_POINT, [("move", 8, 5, "light")]])
def test_what_the_law_explains_needs_no_other_explanation(moves: Moves) -> None:
    assert found(look(moves)) == OutsideTheLaw()


def test_a_checker_elsewhere_is_a_position_outside_the_law() -> None:
    wrong = found(look([("move", 8, 2, "light")]))
    assert wrong.position is not None and wrong.position == wrong.seen and wrong.position.points[1] == 1
    assert wrong.blocked is None and not wrong.miscounted and wrong.fit == 0.0 and wrong.score < 0.0


def test_a_checker_on_a_made_point_leaves_no_whole_position() -> None:
    evidence = look([("lift", 13, "light")])
    evidence.mixed[11], evidence.rows[11] = SLOT_CAP, -SLOT_CAP
    wrong = found(evidence)
    assert wrong.position is None and wrong.blocked == (13, 12) and wrong.before_blocked == TURN.before
    assert wrong.fit == wrong.score + BLOCKED


@pytest.mark.parametrize(
    ("moves", "lacking"),
    [([("lift", 13, "dark")], (0, 1)), ([("lift", 6, "light"), ("lift", 6, "light")], (2, 0))],
)
def test_missing_checkers_are_counted(moves: Moves, lacking: tuple[int, int]) -> None:
    wrong = found(look(moves))
    assert wrong.miscounted and wrong.lacking == lacking


def test_one_too_many_on_a_stack_counts_only_while_somebody_minds() -> None:
    evidence = look([("set_down", 13, "light")])
    assert found(evidence).miscounted and not found(evidence, nobody_minds=True).miscounted


def test_a_checker_that_was_borne_off_does_not_come_back() -> None:
    turn = turn_of(BEARING_OFF, (2, 1), "light", LAW)
    back = seen(BEARING_OFF, (4, 1, 9.0))
    back.trays[:] = 0.0
    assert found(back, turn).brings_back(turn)
    assert not found(look([("move", 8, 2, "light")])).brings_back(TURN)


@pytest.mark.parametrize(("nats", "sixteenth"), [(1.0, False), (4.0, True)])
def test_nobody_has_laid_a_sixteenth_checker_where_the_picture_shows_a_whole_board_as_well(
    nats: float, sixteenth: bool
) -> None:
    """Light has moved 8/5(2) 6/3(2) with 3-3, and a fifth checker 24/22: so the board is far from the one before. His 24-point looks as
    if it still held two, or, by `nats` less, one."""
    turn = turn_of(STARTING_POSITION, (3, 3), "light", LAW)
    evidence = look(
        [("move", 8, 5, "light")] * 2 + [("move", 6, 3, "light")] * 2 + [("move", 24, 22, "light")]
    )
    evidence.rows[23] = -SLOT_CAP
    evidence.rows[23, [ZERO + 2, ZERO + 1]] = 0.0, -nats
    wrong = found(evidence, turn)
    assert wrong.miscounted == sixteenth and wrong.lacking == (-1, 0)
    assert wrong.seen is not None and wrong.seen.points[21:] == (1, 0, 1)
