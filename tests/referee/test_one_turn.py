"""Whether what lies there can be the work of one player with one roll."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pi_board.referee.explanations import Evidence, turn_of, vector
from pi_board.referee.one_turn import (
    hardly_blocked,
    nothing_new,
    one_stack_off,
    own_checkers_lie_lawfully,
    with_theirs_on_the_bar,
)
from pi_board.rules import RULE_SETS, STARTING_POSITION, Position
from pi_board.sighting import COUNTS, SLOTS, ZERO

#: Light bears off with 6-6, from a six point that holds two checkers; dark is far away.
BEFORE = Position(
    (2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3, -3, -3, -2, -2, -2), (0, 0), (3, 0)
)
TURN = turn_of(BEFORE, (6, 5), "light", RULE_SETS["international"])
#: What the lawful play 6/off 5/off leaves.
PLAYED = Position((2, 2, 2, 2, 1, 1, *BEFORE.points[6:]), (0, 0), (5, 0))


def one_less(point: int) -> Position:
    """`PLAYED`, and one more checker of `point` borne off."""
    points = list(PLAYED.points)
    points[point - 1] -= 1
    return Position(tuple(points), (0, 0), (6, 0))


def evidence(seen: Position, *nats: tuple[int, int, float]) -> Evidence:
    """Every slot shows `seen` beyond doubt; the trays nothing; (slot, count, nats): so much less likely it holds `count`."""
    rows = np.full((SLOTS, COUNTS), -12.0)
    rows[np.arange(SLOTS), vector(seen) + ZERO] = 0.0
    rows[26:] = -0.3
    for slot, count, less in nats:
        rows[slot, count + ZERO] = -less
    return Evidence.from_log_likelihood(rows)


@pytest.mark.parametrize(("nats", "off"), [(8.0, True), (12.0, False)], ids=["likely", "beyond doubt"])
def test_the_height_of_one_stack(nats: float, off: bool) -> None:
    seen = one_less(1)
    found = one_stack_off(evidence(seen, (0, 2, nats)), TURN, seen)
    assert (found is not None) == off
    assert found is None or found.result == PLAYED


def test_one_stack_may_never_be_enough() -> None:
    seen = one_less(1)
    found = one_stack_off(evidence(seen), TURN, seen, excluded=np.inf)
    assert found is not None and found.result == PLAYED


@pytest.mark.parametrize(
    ("height", "nats", "news", "off"),
    [
        (5, 6.0, True, False),
        (5, 6.0, False, True),
        (5, 4.0, True, True),
        (9, 12.0, True, False),
        (9, 8.0, True, True),
        (9, 12.0, False, True),
    ],
    ids=[
        "read right at the roll and touched since",
        "neither",
        "hardly otherwise",
        "a pile",
        "a pile, hardly otherwise",
        "a pile that nobody can count",
    ],
)
def test_a_stack_that_read_right_at_the_roll(height: int, nats: float, news: bool, off: bool) -> None:
    """Light moves 2/1 instead of bearing off with the second number."""
    dark = (0,) * 16 + (-3, -3, -3, -3, -3, 0)
    before = Position((height, 2, *dark), (0, 0), (13 - height, 0))
    turn = turn_of(before, (6, 5), "light", RULE_SETS["international"])
    seen = Position((height + 1, 0, *dark), (0, 0), (14 - height, 0))
    slots = np.zeros(SLOTS, dtype=bool)
    slots[0] = news
    found = one_stack_off(evidence(seen, (0, height, nats)), turn, seen, news=slots)
    assert (found is not None) == off


@pytest.mark.parametrize("news", [True, False])
def test_news_tells_nothing_of_a_stack_that_the_play_would_have_changed(news: bool) -> None:
    """Somebody was there, but how many he took is read as uncertainly as ever."""
    slots = np.full(SLOTS, news)
    points = (2, 2, 2, 2, 6, 1, *BEFORE.points[6:])
    turn = turn_of(Position(points, (0, 0), (0, 0)), (6, 5), "light", RULE_SETS["international"])
    seen = Position((2, 2, 2, 2, 4, 0, *points[6:]), (0, 0), (3, 0))
    found = one_stack_off(evidence(seen, (4, 5, 8.0)), turn, seen, news=slots)
    assert found is not None and found.result.points[4] == 5


def test_a_point_that_is_empty_is_no_stack() -> None:
    seen = one_less(6)
    assert one_stack_off(evidence(seen, (5, 1, 8.0)), TURN, seen) is None


#: Dark is shut out by 4-3: light holds both points, and others.
SHUT_OUT = Position(
    (5, 2, 2, 3, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3, -3, -3, -3, -2, 0), (0, 1), (0, 0)
)
NO_MOVE = turn_of(SHUT_OUT, (4, 3), "dark", RULE_SETS["international"])


def test_what_lies_there_is_not_compared_with_itself() -> None:
    """Who may not move has put a checker onto a made point: no whole position can say so, and none says that he has not."""
    assert [play.result for play in NO_MOVE.legal] == [SHUT_OUT]
    assert one_stack_off(evidence(SHUT_OUT), NO_MOVE, SHUT_OUT) is None


@pytest.mark.parametrize(
    ("gone", "come", "hardly"),
    [(9.0, 9.0, False), (9.0, 0.0, True), (0.0, 9.0, True)],
    ids=["both places tell", "only where it lay", "only where it went"],
)
def test_a_checker_on_a_made_point_is_told_by_two_places(gone: float, come: float, hardly: bool) -> None:
    bar, held = 25, 3
    there = evidence(SHUT_OUT, (bar, -1, gone), (bar, 0, 0.0), (held, 3, come), (held, 4, 0.0))
    assert hardly_blocked(there, NO_MOVE, SHUT_OUT, (25, 21)) == hardly


@pytest.mark.parametrize(
    ("height", "said_before", "off"),
    [(13, True, True), (13, False, False), (6, True, False)],
    ids=["no news beside it", "news beside it", "a stack that can be counted"],
)
def test_a_pile_that_nobody_can_count(height: int, said_before: bool, off: bool) -> None:
    """However surely it reads one too low; and a place that seemed to hold one more all the time is no ground either."""
    dark = (0,) * 10 + (-3, -3, -3, -3, -3, 0, 0)
    before = Position((height - 2, 1, *(0,) * 4, 1, *dark), (0, 0), (15 - height, 0))
    turn = turn_of(before, (6, 1), "light", RULE_SETS["international"])
    played = Position((height, *(0,) * 6, *dark), (0, 0), (15 - height, 0))
    seen = Position((height - 1, *(0,) * 6, *dark[:-1], 1), (0, 0), (15 - height, 0))
    slots = np.zeros(SLOTS, dtype=bool)
    slots[23] = said_before
    found = one_stack_off(evidence(seen), turn, seen, slots)
    assert (found.result if found is not None else None) == (played if off else None)


@pytest.mark.parametrize(("said_before", "off"), [(True, True), (False, False)], ids=["no news", "news"])
def test_a_stack_that_said_so_before_anything_was_played(said_before: bool, off: bool) -> None:
    """However surely it says it, and however many checkers it is off."""
    points = list(PLAYED.points)
    points[0] = 4
    seen = Position(tuple(points), (0, 0), (3, 0))
    slots = np.zeros(SLOTS, dtype=bool)
    slots[0] = said_before
    found = nothing_new(evidence(seen), TURN, seen, slots)
    assert (found is not None) == off
    of_each = nothing_new(evidence(seen), TURN, seen, np.tile(slots, (len(TURN.legal), 1)))
    assert of_each == found
    assert found is None or found.result == PLAYED


def test_a_hit_checker_that_nobody_sees_is_on_the_bar_and_not_borne_off() -> None:
    """A cup stands on the bar, and the opponent has rolled: what was hit does not become a checker that light bore off."""
    before = Position(
        (-2, 2, 3, 4, 1, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2, -3, -3, -3, 0, -2, 2), (0, 0), (0, 0)
    )
    hit = Position(
        (-1, 2, 3, 4, 1, 2, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2, -3, -3, -3, 0, -2, 2), (1, 0), (0, 0)
    )
    unseen = replace(hit, bar=(0, 0), off=(1, 0))
    turn = turn_of(before, (6, 1), "dark", RULE_SETS["international"])
    assert with_theirs_on_the_bar(turn, unseen) == hit
    assert with_theirs_on_the_bar(turn, hit) == hit
    own = replace(
        before, points=(-2, 2, 3, 4, 1, 2, 1, *before.points[7:17], -1, *before.points[18:]), off=(0, 1)
    )
    assert with_theirs_on_the_bar(turn, own) == own, "what he took off himself, rightly or wrongly, is off"
    stack = replace(before, points=(-2, 2, 2, *before.points[3:]), off=(1, 0))
    assert with_theirs_on_the_bar(turn, stack) == stack, "nobody hits a checker of a point that is held"


def test_own_checkers_lie_lawfully_wherever_the_others_do() -> None:
    """A five read as a four leaves a play that is none, and then the opponent's move, of which nobody saw the dice, is no nudge."""

    def moved(*steps: tuple[int, int]) -> Position:
        points = list(STARTING_POSITION.points)
        for source, to in steps:
            sign = 1 if points[source - 1] > 0 else -1
            points[source - 1] -= sign
            points[to - 1] += sign
        return Position(tuple(points), (0, 0), (0, 0))

    read = turn_of(STARTING_POSITION, (4, 3), "light", RULE_SETS["international"])
    assert own_checkers_lie_lawfully(read, moved((13, 9), (6, 3)))
    assert own_checkers_lie_lawfully(read, moved((13, 9), (6, 3), (12, 14)))
    assert own_checkers_lie_lawfully(read, moved((13, 9), (12, 14))), "on the way"
    assert not own_checkers_lie_lawfully(read, moved((13, 8), (6, 3), (12, 14)))
