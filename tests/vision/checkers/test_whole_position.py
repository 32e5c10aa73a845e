"""A whole position is plainly shown where the reader tells it from all others."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.rules import STARTING_POSITION, Position
from pi_board.sighting import COUNTS, SLOTS, ZERO
from pi_board.vision.checkers.known_position import signed_counts
from pi_board.vision.checkers.whole_position import plainly_shown

POINTS = list(STARTING_POSITION.points)
#: 8/5 6/5 has been played.
PLAYED = Position((*POINTS[:4], 2, 4, 0, 2, *POINTS[8:]), (0, 0), (0, 0))


def table(position: Position, **doubts: dict[int, float]) -> np.ndarray:
    """(28, 31) nats: `position` is seen, and `p<n>` may hold other counts."""
    nats = np.full((SLOTS, COUNTS), -20.0)
    nats[np.arange(SLOTS), signed_counts(position) + ZERO] = 0.0
    for name, counts in doubts.items():
        for count, so_much in counts.items():
            nats[int(name[1:]) - 1, count + ZERO] = so_much
    return nats


@pytest.mark.parametrize(
    ("doubts", "accepted", "expected"),
    [
        ({}, STARTING_POSITION, PLAYED),
        ({"p13": {6: -0.7}}, STARTING_POSITION, PLAYED),  # six would be one checker too many
        ({"p13": {6: 0.0, 5: -0.7}}, STARTING_POSITION, PLAYED),
        ({"p13": {6: -0.7}, "p6": {3: -1.0}}, STARTING_POSITION, None),  # one from there may lie here
        ({"p13": {6: -3.7}, "p6": {3: -4.0}}, STARTING_POSITION, PLAYED),  # it would be two mistakes
        ({"p6": {5: -2.0}, "p5": {0: -2.0}, "p8": {3: -2.0}}, STARTING_POSITION, STARTING_POSITION),
        # However much is in doubt, this one alone has fifteen of either side (drawn room 2710019: 90 ways to read its piles) …
        ({f"p{n}": {9: -1.0} for n in range(1, 10)}, STARTING_POSITION, PLAYED),
        # … and here two of a thousand ways have.
        (
            {f"p{n}": {9: -1.0} for n in range(1, 10)} | {"p13": {4: -1.0}, "p3": {1: -1.0}},
            STARTING_POSITION,
            None,
        ),
        ({}, Position((*POINTS[:5], 4, *POINTS[6:]), (0, 0), (1, 0)), None),  # one is off by what is known
        # One point is misread by two, which two others could hold (90_00: learned so, and what was played then was called illegal).
        ({"p13": {3: 0.0, 5: -6.4}, "p4": {1: -2.8}, "p3": {1: -4.7}}, STARTING_POSITION, None),
        ({"p13": {3: 0.0, 5: -4.4}}, STARTING_POSITION, PLAYED),
    ],
)
def test_the_one_whole_position(
    doubts: dict[str, dict[int, float]], accepted: Position, expected: Position | None
) -> None:
    assert plainly_shown(table(PLAYED, **doubts), accepted) == expected


#: Light has borne off two with 5-1 since the accepted position; dark is not home yet.
HOME = Position((3, *[0] * 16, -1, -2, 0, 0, -6, -6, 0), (0, 0), (12, 0))
BORNE_OFF = Position((1, *HOME.points[1:]), (0, 0), (14, 0))


@pytest.mark.parametrize(
    ("shown", "doubts", "expected"),
    [
        (BORNE_OFF, {}, BORNE_OFF),
        # Two on the bar would be as many as before (3260006: a hinge was learned as two light checkers).
        (BORNE_OFF, {"p25": {2: -7.0}}, BORNE_OFF),
        (BORNE_OFF, {"p25": {2: -4.8}}, None),
        (BORNE_OFF, {"p1": {3: -3.5}}, None),
        # Dark has a checker outside, so none of its own is off.
        (Position((*HOME.points[:21], -5, -6, 0), (0, 0), (12, 1)), {}, None),
    ],
)
def test_a_side_that_is_home_may_have_borne_off_more(
    shown: Position, doubts: dict[str, dict[int, float]], expected: Position | None
) -> None:
    assert plainly_shown(table(shown, **doubts), HOME) == expected


def test_nobody_bears_off_more_than_four_at_once() -> None:
    before = Position((5, *HOME.points[1:]), (0, 0), (10, 0))
    assert plainly_shown(table(BORNE_OFF), before) == BORNE_OFF
    before = Position((6, *HOME.points[1:]), (0, 0), (9, 0))
    assert plainly_shown(table(BORNE_OFF), before) is None


def test_nothing_is_left_of_either_side_in_no_position() -> None:
    """(4004003: a shadow at dusk over the last checkers stopped the whole program.)"""
    last = Position((1, *[0] * 22, -1), (0, 0), (14, 14))
    bare = table(Position((1, *[0] * 23), (0, 0), (14, 15)))
    bare[0, ZERO], bare[0, ZERO + 1] = 0.0, -6.0
    assert plainly_shown(bare, last) is None
