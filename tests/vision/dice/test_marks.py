"""What stays where it is while one roll after the other is lifted."""

import pytest

from pi_board.sighting import DieSeen
from pi_board.vision.dice.marks import Marks, is_plain

EDGE = 1.2
LEFT, RIGHT = ((-10.0, 2.0), (-8.0, 1.0)), ((9.0, 2.0), (11.0, 1.0))
INLAY = (10.0, -3.0)


def die(value: int | None = 3, confidence: float = 0.99, cocked: bool = False) -> DieSeen:
    return DieSeen(value, confidence, 0.0, 0.0, cocked=cocked)


def see(marks: Marks, *seen: tuple[DieSeen, tuple[float, float]]) -> list[DieSeen]:
    dice, places = [d for d, _ in seen], [at for _, at in seen]
    shown = [d.value if is_plain(d) else None for d in dice]
    marks.observe(shown, places, EDGE)
    return [d for d, none in zip(dice, marks.which_are_none(shown, places, EDGE), strict=True) if not none]


def rolled(marks: Marks, at: tuple, *others: tuple[DieSeen, tuple[float, float]]) -> list[DieSeen]:
    return see(marks, (die(6), at[0]), (die(2), at[1]), *others)


@pytest.mark.parametrize(
    "what", [die(None, 0.8), die(3, 0.9, cocked=True), die(3, 0.9)], ids=["unread", "cocked", "unsure"]
)
def test_an_inlay_is_left_out_from_the_second_roll_on_wherever_on_it_a_die_seems_to_lie(
    what: DieSeen,
) -> None:
    marks = Marks()
    assert len(rolled(marks, LEFT, (what, INLAY))) == 3
    # (As often as one likes beside the same roll.)
    assert len(rolled(marks, LEFT, (what, INLAY))) == 3
    assert len(rolled(marks, RIGHT, (what, (INLAY[0] + 0.7 * EDGE, INLAY[1])))) == 2
    assert see(marks, (what, INLAY)) == []
    assert see(marks, (what, (INLAY[0] + 2 * EDGE, INLAY[1]))) == [what]


def test_a_die_that_is_read_for_sure_is_one_even_on_an_inlay() -> None:
    marks = Marks()
    for at in (LEFT, RIGHT):
        rolled(marks, at, (die(None, 0.8), INLAY))
    assert see(marks, (die(5), INLAY)) == [die(5)] and is_plain(die(5))


@pytest.mark.parametrize(
    "others", [[], [die(4, 0.9)], [die(4), die(4)]], ids=["one die", "one of them unsure", "another pair"]
)
def test_only_what_is_seen_beside_a_whole_roll_counts(others: list[DieSeen]) -> None:
    marks, unread = Marks(), die(None, 0.8)
    for at in (LEFT, RIGHT, LEFT):
        see(
            marks,
            (die(6), at[0]),
            *((other, (at[1][0], at[1][1] + 2.0 * k)) for k, other in enumerate(others)),
            (unread, INLAY),
        )
    assert see(marks, (unread, INLAY)) == [unread]


def test_what_plainly_shows_the_same_beside_three_rolls_is_none_and_another_number_there_is_a_die() -> None:
    """89_03: an E of a print read as a six with .98 in each look."""
    marks, letter = Marks(), (die(6), INLAY)
    # (Which two of three the first roll is only the next one tells.)
    for at in (LEFT, RIGHT, LEFT):
        assert len(rolled(marks, at, letter)) == 3
    assert len(rolled(marks, RIGHT, letter)) == 2
    assert see(marks, letter) == []
    assert see(marks, (die(5), INLAY)) == [die(5)]


def test_another_pair_that_lies_beside_a_roll_and_is_rolled_itself_then_stays_dice() -> None:
    """Each player has dice of his own, which stay until his next roll."""
    marks = Marks()
    near, far = (LEFT, [(x, y - 6.0) for x, y in LEFT]), (RIGHT, [(x, y - 6.0) for x, y in RIGHT])
    for k in range(8):
        mine, theirs = (near[k % 2], far[k % 2])
        others = [(die(6), at) for at in far[1 - k % 2]] if k else []
        assert len(rolled(marks, mine, *others)) == 2 + len(others)
        assert len(rolled(marks, theirs, *((die(6), at) for at in mine))) == 4


def test_what_lay_there_before_anybody_rolled_and_stays_is_none() -> None:
    marks, letter = Marks(), (die(6), INLAY)
    marks.lie_before_a_roll([INLAY, LEFT[0]], [False, False])
    assert see(marks, letter, (die(2), LEFT[0])) == [die(6), die(2)]
    # (One of the dice that lay there is taken up and rolled.)
    assert len(rolled(marks, RIGHT)) == 2
    assert len(rolled(marks, RIGHT, letter)) == 2
    assert len(rolled(marks, LEFT)) == 2


@pytest.mark.parametrize(
    "seen, left",
    [([(die(3), LEFT[0]), (die(None, 0.9), LEFT[1])], 2), ([(die(3), LEFT[0])], 2)],
    ids=["a die of the roll is not read", "one die is thrown again beside the other"],
)
def test_what_lay_there_before_is_none_beside_two_that_came_of_which_one_is_read(
    seen: list, left: int
) -> None:
    marks = Marks()
    marks.lie_before_a_roll([INLAY], [False])
    assert len(see(marks, *seen, (die(6), INLAY))) == left


def test_what_lies_on_the_bar_before_anybody_has_rolled_is_none_however_plainly_it_reads() -> None:
    """88_00: a cube whose numeral is a blot read as a one, in each look."""
    marks, cube = Marks(), (0.3, -14.0)
    marks.lie_before_a_roll([cube], [True])
    assert see(marks, (die(1), cube), (die(4), INLAY)) == [die(4)]
    assert see(marks, (die(1), (cube[0], cube[1] + 2 * EDGE))) == [die(1)]
    marks.lie_before_a_roll([], [])
    assert see(marks, (die(1), cube)) == [die(1)]
