"""Looks that agree, question by question."""

from __future__ import annotations

import pytest

from pi_board.referee.agreement import Agreements


def test_two_questions_of_one_look_do_not_reset_each_other() -> None:
    agreed = Agreements()
    for n in range(1, 4):
        agreed.next_look()
        assert agreed.ask("turn", "illegal", float(n))[0] == n
        assert agreed.ask("next_unread", ("6-2", "6-3"), float(n))[0] == n


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (["a", "a", "a"], (3, 2.0)),
        (["a", "b", "b"], (2, 1.0)),
        (["a", None, "a"], (1, 0.0)),  # None: the question was not asked of that look
        (["a", "b", "a"], (1, 0.0)),
    ],
)
def test_only_looks_on_end_agree(answers: list[str | None], expected: tuple[int, float]) -> None:
    agreed = Agreements()
    for n, answer in enumerate(answers):
        agreed.next_look()
        if answer is not None:
            told = agreed.ask("turn", answer, float(n))
    assert told == expected


def test_asked_twice_a_look_counts_once() -> None:
    agreed = Agreements()
    agreed.next_look()
    agreed.ask("turn", "a", 0.0)
    assert agreed.ask("turn", "a", 0.0) == (1, 0.0)


def test_a_question_can_be_forgotten() -> None:
    agreed = Agreements()
    agreed.next_look()
    agreed.ask("turn", "a", 0.0)
    agreed.ask("start", True, 0.0)
    agreed.forget("turn")
    agreed.next_look()
    assert agreed.ask("turn", "a", 1.0) == (1, 0.0)
    assert agreed.ask("start", True, 1.0) == (2, 1.0)
    agreed.forget()
    assert agreed.held("start", 5.0) == 0.0


def test_what_agrees_before_and_after_a_hand() -> None:
    """A whole lawful play, the start, and what hands are busy with; a position that may be on its way starts again."""
    agreed = Agreements()
    asked = [("turn", ("legal", "position")), ("next_has_played", (6, 2)), ("start", True)]
    for now in (0.0, 5.0):
        agreed.next_look()
        for question, answer in asked:
            told = agreed.ask(question, answer, now)  # type: ignore[arg-type]
        other = agreed.ask("as_left", False, now)
        agreed.touched(now)
    assert told[0] == 2 and other[0] == 1
    assert agreed.held("turn", 5.0) == 0.0, "nothing has lain untouched since"
    agreed.next_look()
    assert agreed.ask("turn", ("illegal", "position"), 6.0)[0] == 1
    agreed.touched(6.0)
    agreed.next_look()
    assert agreed.ask("turn", ("illegal", "position"), 7.0)[0] == 1


@pytest.mark.parametrize(
    ("answer", "anew", "looks"),
    [
        (("illegal", 1), True, 3),
        (("illegal", 1), False, 1),
        (("legal", 1), False, 3),
    ],
)
def test_one_reading_that_is_told_again_accuses_nobody(answer: object, anew: bool, looks: int) -> None:
    """(2810004)"""
    agreed = Agreements()
    for i in range(3):
        agreed.next_look(anew or i == 0)
        count, _ = agreed.ask("turn", answer, i / 10)
    assert count == looks
