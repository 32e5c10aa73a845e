"""Who has touched a point changes its picture; light, noise and specks do not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from pi_board.referee.explanations import Evidence, turn_of
from pi_board.referee.touches import ROWS, TOUCH, Changes, changes
from pi_board.rules import RULE_SETS, STARTING_POSITION, Position
from pi_board.sighting import ZERO
from tests.referee.synthetic import Noise, Story, Table

Strips = np.ndarray


def points() -> Strips:
    """24 points, each with a few checkers of another brightness than the board, and the bar."""
    strips = np.full((26, 25, 3, 3), 90, np.uint8)
    for point in range(24):
        strips[point, : 4 * (point % 6)] = 200 if point % 2 else 30
    return strips


def one_more(strips: Strips) -> None:
    strips[8, 8:12] = 200


def darker(strips: Strips) -> None:
    strips[...] = strips - 20


def noise(strips: Strips) -> None:
    strips[...] = np.clip(strips + np.random.default_rng(3).normal(0, 0.7, strips.shape), 0, 255)


@pytest.mark.parametrize(
    ("change", "touched"), [(one_more, [8]), (darker, []), (noise, [])], ids=["one more", "darker", "noise"]
)
def test_which_points_have_been_touched(change: Callable[[Strips], None], touched: list[int]) -> None:
    before, now = points(), points()
    change(now)
    found = changes(before, now)
    assert found is not None and found.points.shape == (24,)
    assert np.flatnonzero(found.points >= TOUCH.touched).tolist() == touched
    assert (np.delete(found.points, touched) < TOUCH.untouched).all()
    assert found.come_or_gone == (0, 0)


@pytest.mark.parametrize(("sigma", "told"), [(1.8, True), (6.0, False)])
def test_a_noisy_camera_tells_what_was_touched_and_nothing_of_the_bar(sigma: float, told: bool) -> None:
    rng = np.random.default_rng(5)
    before, now = points(), points()
    one_more(now)
    now = np.clip(now + rng.normal(0, sigma, now.shape), 0, 255).astype(np.uint8)
    found = changes(before, now)
    assert (found is not None) == told
    if found is not None:
        others = np.delete(found.points, 8)
        assert found.points[8] >= TOUCH.touched and (others < TOUCH.touched / 2).all()
        assert (others < TOUCH.untouched).mean() > 0.8
        assert 4 <= found.rows[8] <= 5 and np.delete(found.rows, 8).max() <= 1
        assert not found.untouched and found.come_or_gone == (0, 0)


@pytest.mark.parametrize(
    ("rows", "levels", "untouched", "come_or_gone"),
    [
        (5, 0, True, (0, 0)),
        (5, 1, False, (0, 0)),  # too little to be told
        (1, 9, False, (0, 0)),  # too little of it for a checker: a speck, a die's edge
        (5, 2, False, (1, 1)),  # a dark one on a dark bar
        (7, 2, False, (1, 2)),
        (10, 2, False, (2, 2)),
        (15, 40, False, (3, 15)),
    ],
)
def test_how_many_checkers_have_come_to_the_bar_or_left_it(
    rows: int, levels: int, untouched: bool, come_or_gone: tuple[int, int]
) -> None:
    now = points()
    now[25, 2 : 2 + rows] += levels
    found = changes(points(), now)
    assert found is not None and (found.untouched, found.come_or_gone) == (untouched, come_or_gone)


def test_where_half_of_the_points_look_otherwise_nothing_is_told() -> None:
    now = points()
    now[:13, 10:20] += 40
    assert changes(points(), now) is None


@pytest.mark.parametrize(("nats", "rests"), [(1.0, True), (12.0, False)])
def test_that_a_stack_looks_touched_is_no_ground_for_red(nats: float, rests: bool) -> None:
    """Light has moved 8/4 6/5 with 3-1; what tells it from the lawful 8/5 6/5 otherwise is `nats`."""
    story = Story(Table(noise=Noise(sigma=0.0, trays=False)))
    story.see()
    story.throw(3, 1, halves=("light", "dark"))
    turn = turn_of(STARTING_POSITION, (3, 1), "light", RULE_SETS["international"])
    points = list(STARTING_POSITION.points)
    points[7], points[3], points[5], points[4] = 2, 1, 4, 1
    seen = Position(tuple(points), (0, 0), (0, 0))
    (lawful,) = [p.result for p in turn.legal if str(p) == "8/5 6/5"]
    rows = np.full((28, 31), -12.0)
    for slot, count in enumerate((*seen.points, 0, 0, 0, 0)):
        rows[slot, count + ZERO] = 0.0
    rows[3, ZERO] = rows[4, 2 + ZERO] = -nats / 2
    alone = Evidence(rows, rows[26:], 28)
    told = replace(alone, rows=rows.copy())
    told.rows[3, ZERO] -= 6.0
    assert alone.score(lawful) == -nats
    looks = story.referee.looks
    looks.compared, looks.evidence = alone, told
    assert story.referee.faults._rests_on_touches(turn, seen) == rests
    looks.evidence = alone
    assert not story.referee.faults._rests_on_touches(turn, seen)


@pytest.mark.parametrize(
    ("rows", "was", "likeliest", "unlikely"),
    [
        (0, 3, 3, 2),
        (5, 4, 5, 6),  # one more in the row, whatever a fifth checker looks like
        (5, 0, 1, 0),
        (9, -2, -4, -3),
        (5, 1, -1, 1),  # the one that hit lies where the hit one lay
        (4, 5, 6, 5),  # one upon the others
        (5, -7, -8, -7),
        (9, 6, 8, 7),
    ],
)
def test_the_rows_that_changed_tell_how_many_came_or_went(
    rows: int, was: int, likeliest: int, unlikely: int
) -> None:
    changed = Changes(np.zeros(24), np.full(24, rows), np.zeros(24, int), True, (0, 0))
    nats = changed.of_point(7, was)
    assert nats[likeliest + ZERO] - nats[unlikely + ZERO] > 2.0
    assert nats.min() >= -ROWS.most
