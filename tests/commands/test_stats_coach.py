"""`pi-board stats --coach`: every decision of a recorded game is put to the coach, the cube's too."""

import pytest

from pi_board.hints import Coach
from pi_board.record.match import Doubled, Dropped, GameRecord, MatchRecord, Rolled, Took
from pi_board.session.look_back import reviews


def review(*actions: object, match: MatchRecord | None = None, **game: object) -> Coach:
    coach = Coach(level="fast")
    for _ in reviews(coach, GameRecord(actions=actions, **game), match or MatchRecord()):  # type: ignore[arg-type]
        pass
    return coach


OPENING = Rolled("light", (3, 1), ((8, 5), (6, 5)))


def test_a_play_of_the_opening_roll_is_one_decision() -> None:
    accounts = review(OPENING).accounts
    assert accounts["light"].decisions == 1 and accounts["light"].cube_decisions == 0
    assert accounts["light"].play_loss == 0


@pytest.mark.parametrize(("answer", "wrong"), [(Took("light"), False), (Dropped("light"), True)])
def test_a_double_far_too_early(answer: object, wrong: bool) -> None:
    accounts = review(OPENING, Doubled("dark", 2), answer).accounts
    assert accounts["dark"].cube_decisions == 1 and accounts["dark"].cube_loss > 0.1
    assert accounts["light"].cube_decisions == 1 and (accounts["light"].cube_loss > 0.1) == wrong
    assert accounts["dark"].performance_rating == pytest.approx(500 * accounts["dark"].cube_loss)


def test_after_a_take_only_the_owner_may_double() -> None:
    accounts = review(
        OPENING, Doubled("dark", 2), Took("light"), Rolled("dark", (6, 5), ((24, 18), (18, 13)))
    ).accounts
    # One decision for the double; the roll that follows it brings no second one.
    assert accounts["dark"].cube_decisions == 1 and accounts["dark"].decisions == 1


def test_nobody_doubles_in_the_crawford_game() -> None:
    match = MatchRecord(length=3)
    accounts = review(
        OPENING, Rolled("dark", (6, 5), ((24, 18), (18, 13))), match=match, score=(2, 0), crawford=True
    ).accounts
    assert accounts["dark"].cube_decisions == 0 and accounts["dark"].decisions == 1
