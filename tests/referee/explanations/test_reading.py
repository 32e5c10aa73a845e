"""Which position a look shows."""

from __future__ import annotations

import pytest

from pi_board.referee.explanations import Evidence, read_position, shows, vector
from pi_board.rules import Position
from pi_board.sighting import ZERO
from tests.referee.explanations.looks import BEARING_OFF, FOUR_OUTSIDE, random_positions, seen
from tests.referee.synthetic import Noise, Table


@pytest.mark.parametrize("position", random_positions(12, seed=11))
def test_a_clear_look_is_read_whatever_lay_there_before(position: Position) -> None:
    table = Table(position=position, noise=Noise(sigma=0.0))
    evidence = Evidence.from_log_likelihood(table.log_likelihood())
    assert shows(evidence, position, slack=3.0)
    assert read_position(evidence, position)[0] == position


@pytest.mark.parametrize(
    ("near", "there", "wrong", "hidden", "read"),
    [
        # A point that surely seems to hold one more brings no borne-off checker back: that is one too many.
        (BEARING_OFF, BEARING_OFF, [(22, -6, 9.0)], (), None),
        # But where the picture shows a whole board as plainly, nobody has laid a sixteenth checker there.
        (
            BEARING_OFF,
            Position((6, 2, 3, 1) + (0,) * 17 + (-2, -6, -4), (0, 1), (3, 2)),
            [],
            (),
            "there",
        ),
        # (One that is gone is another matter: with others outside home it was not borne off.)
        (FOUR_OUTSIDE, FOUR_OUTSIDE, [(6, 3, 12.0)], (), None),
        # What is missing was borne off, as far as one roll allows, and does not lie under the cup.
        (BEARING_OFF, Position((4, 2, 3, 1) + (0,) * 17 + (-2, -5, -4), (0, 1), (5, 3)), [], (9,), "there"),
        # With checkers outside home nothing is borne off: what is missing lies under the cup.
        (
            FOUR_OUTSIDE,
            Position((6, 2, 0, 0, 0, 0, 3, 0, 0, 1) + (0,) * 11 + (-2, -5, -4), (0, 1), (3, 3)),
            [],
            (9,),
            "there",
        ),
        # What the cup covers lies as it lay.
        (FOUR_OUTSIDE, FOUR_OUTSIDE, [], (6,), "there"),
    ],
)
def test_a_board_is_read_by_what_one_roll_of_each_allows(
    near: Position,
    there: Position,
    wrong: list[tuple[int, int, float]],
    hidden: tuple[int, ...],
    read: str | None,
) -> None:
    assert read_position(seen(there, *wrong, hidden=hidden), near, near.off)[0] == (there if read else None)


@pytest.mark.parametrize(("surely_off", "off"), [((3, 3), None), ((3, 2), (3, 2)), ((0, 0), (3, 2))])
def test_what_was_in_doubt_may_come_back(surely_off: tuple[int, int], off: tuple[int, int] | None) -> None:
    found, _ = read_position(seen(BEARING_OFF, (22, -6, 9.0)), BEARING_OFF, surely_off)
    assert (found and found.off) == off


@pytest.mark.parametrize(("nats", "borne_off"), [(1.0, 0), (6.0, 1)])
def test_a_full_point_that_looks_one_short_has_most_likely_not_been_borne_off_from(
    nats: float, borne_off: int
) -> None:
    """Where no lawful play says so, the picture must."""
    position = Position((0, 7, 3, 0, 0, 0, *(0,) * 15, -2, -6, -4), (0, 0), (5, 3))
    rows = Table(position=position, noise=Noise(sigma=0.0, sharp=12.0, trays=False)).log_likelihood()
    rows[1, ZERO + 6] = rows[1, ZERO + 7] + nats
    found, _ = read_position(Evidence.from_log_likelihood(rows), position, position.off)
    assert found is not None and found.off[0] == 5 + borne_off


def test_what_was_played_is_read_although_a_stack_of_the_other_side_is_misread() -> None:
    """Light has moved a checker; dark's seven are seen as six, so that no whole position lies there."""
    before = Position((-2, 0, 0, 0, 4, 3, 0, 6, 0, 0, 0, -6) + (0,) * 6 + (-7, 0, 0, 0, 0, 2))
    after = Position((-2, 0, 0, 0, 4, 4, 0, 5, 0, 0, 0, -6) + (0,) * 6 + (-7, 0, 0, 0, 0, 2))
    evidence = seen(after, (18, -6, 10.0))
    assert read_position(evidence, before)[0] is None
    found, fit = read_position(evidence.keeping(vector(before), "dark"), before)
    assert (found, fit) == (after, 0.0)


@pytest.mark.parametrize("whole", [False, True])
def test_a_board_with_one_place_misread_is_read_where_the_whole_one_is_asked_for(whole: bool) -> None:
    evidence = seen(BEARING_OFF, (22, -6, 9.0))
    assert read_position(evidence, BEARING_OFF, BEARING_OFF.off, whole=whole)[0] == (
        BEARING_OFF if whole else None
    )
