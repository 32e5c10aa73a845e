"""Why what lies there is no play of the roll."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.events import PlayIllegal, SetPosition, Unclear
from pi_board.referee.explanations import Evidence, Reconciled, turn_of
from pi_board.referee.reasons import in_no_hand, onto_a_held_point
from pi_board.rules import RULE_SETS, Position
from pi_board.sighting import ZERO
from tests.referee.synthetic import Noise, Story, Table

LAW = RULE_SETS["international"]
#: Dark is not all home, and a checker is gone from its two point.
BEFORE = Position((0,) * 12 + (-1, 0, 0, 0, 0, 0, -2, -2, -2, -5, -2, -1), (0, 0), (15, 0))
OFF = Position((0,) * 12 + (-1, 0, 0, 0, 0, 0, -2, -2, -2, -5, -1, -1), (0, 0), (15, 1))
BACK = Position((0,) * 12 + (-1, 0, 0, 0, 0, 0, -2, -2, -2, -6, -1, -1), (0, 0), (15, 0))


@pytest.mark.parametrize(("sixth", "there"), [(-2.0, OFF), (0.0, BACK)])
def test_a_checker_that_is_gone_was_borne_off_or_lies_on_a_full_point_whichever_is_seen_rather(
    sixth: float, there: Position
) -> None:
    """sixth: nats for a sixth checker on the three point against five."""
    rows = Table(position=OFF, noise=Noise(sigma=0.0, trays=False)).log_likelihood()
    rows[21] = -9.0
    rows[21, [-5 + ZERO, -6 + ZERO]] = (-2.0 - sixth, sixth)
    found = Reconciled("partial", None, 0.0, -5.0, in_hand=True, borne_off=OFF, unlawful=BACK)
    turn = turn_of(BEFORE, (5, 2), "dark", LAW)
    assert in_no_hand(turn, found, LAW, Evidence.from_log_likelihood(np.array(rows))) == there
    assert in_no_hand(turn, found, LAW) == BACK


#: Dark is all home, and has played 4/1(2) 3/off(2) with 3-3; the last checker of the three point is gone too, which held three.
HOME = Position((1, *[0] * 19, -5, -3, 0, -3), (0, 0), (14, 4))
FIVE_PLAYED = Position((1, *[0] * 19, -3, 0, 0, -5), (0, 0), (14, 7))


@pytest.mark.parametrize(("off", "there"), [(FIVE_PLAYED, FIVE_PLAYED), (None, None)])
def test_one_checker_too_many_is_off_and_in_no_hand(off: Position | None, there: Position | None) -> None:
    """(`bench campaign --slow 6 --seed 3240004`: it lay so for ten seconds, and "a checker is missing" was all that was said.)"""
    turn = turn_of(HOME, (3, 3), "dark", LAW)
    found = Reconciled("partial", None, 7.0, -5.0, in_hand=True, borne_off=off)
    assert in_no_hand(turn, found, LAW) == there


#: Light has a checker behind, so that it may not bear off; dark holds light's one and two points.
HELD = Position((-2, -2, 0, 3, 2, 2) + (0,) * 6 + (1,) + (0,) * 10 + (-11,), (0, 0), (7, 0))
GONE = Position((-2, -2, 0, 2, 2, 2) + (0,) * 6 + (1,) + (0,) * 10 + (-11,), (0, 0), (8, 0))


@pytest.mark.parametrize(
    ("dice", "seen", "otherwise", "move"),
    [
        ((3, 2), GONE, {0}, (4, 1)),
        ((3, 2), GONE, {1}, (4, 2)),
        ((3, 2), GONE, {0, 1}, None),  # one of two
        ((3, 2), GONE, set(), None),  # nobody has touched either
        ((6, 5), GONE, {0}, None),  # no die brings it there
        ((2, 1), GONE, {0}, (4, 1)),  # both do
        ((3, 2), HELD, {0}, None),  # nothing is gone
    ],
)
def test_what_seems_borne_off_lies_on_a_held_point_that_looks_otherwise(
    dice: tuple[int, int], seen: Position, otherwise: set[int], move: tuple[int, int] | None
) -> None:
    turn = turn_of(HELD, dice, "light", LAW)
    assert onto_a_held_point(turn, seen, otherwise.__contains__) == move


@pytest.mark.parametrize("otherwise", [True, False])
def test_a_checker_among_the_others_that_is_misread_is_on_a_held_point(otherwise: bool) -> None:
    """The third checker of the point hardly shows."""
    story = Story(Table(noise=Noise(sigma=0.0)))
    story.see()
    story.throw(3, 1, halves=("light", "dark"))
    story.table.put(HELD)
    story.say(SetPosition(position=HELD, side="light"))
    story.see()
    story.throw(6, 3)
    story.hand()
    story.table.put(GONE)
    true_rows = story.table.log_likelihood

    def rows() -> np.ndarray:
        said = true_rows()
        if otherwise:
            said[0, -3 + ZERO] = -4.0
        return said

    story.table.log_likelihood = rows  # type: ignore[method-assign]
    story.table.lift_dice()
    said = [e.code for e in story.see(30) if isinstance(e, PlayIllegal)]
    assert said == ["point_blocked" if otherwise else "not_all_home"]


@pytest.mark.parametrize("hardly", [True, False])
def test_nobody_is_accused_from_a_board_that_two_places_hardly_told(hardly: bool) -> None:
    """A checker of light lies on the ten point and was taken to lie on the four point; it plays 10/6, which looks like 4/6."""
    points = [-2, 0, 0, 0, 0, 4, 0, 3, 0, 0, 1, -5, 4, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2]
    there, taken, played = list(points), list(points), list(points)
    there[9], taken[3], played[5] = 1, 1, 5
    story = Story(Table(noise=Noise(sigma=0.0)))
    story.see()
    story.throw(4, 2, halves=("light", "dark"))
    story.table.put(Position(tuple(there if hardly else taken), (0, 0), (0, 0)))
    true_rows = story.table.log_likelihood

    def rows() -> np.ndarray:
        said = true_rows()
        for slot in (3, 9):
            said[slot, [ZERO, 1 + ZERO]] = (-0.4, 0.0) if story.table.checkers[slot][0] else (0.0, -0.4)
        return said

    if hardly:
        story.table.log_likelihood = rows  # type: ignore[method-assign]
    story.say(SetPosition(position=Position(tuple(taken), (0, 0), (0, 0)), side="light"))
    story.see()
    story.throw(3, 1)
    story.hand()
    story.table.log_likelihood = true_rows  # type: ignore[method-assign]
    story.table.put(Position(tuple(played), (0, 0), (0, 0)))
    story.table.lift_dice()
    said = story.see(60)
    assert [e.code for e in said if isinstance(e, PlayIllegal)] == ([] if hardly else ["moved_backwards"])
    assert bool([e for e in said if isinstance(e, Unclear)]) == hardly
