"""Who has touched a point changes its picture; light, noise and specks do not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from pi_board.referee.touches import TOUCH, changes

Strips = np.ndarray


def points() -> Strips:
    """24 points, each with a few checkers of another brightness than the board."""
    strips = np.full((24, 25, 3, 3), 90, np.uint8)
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
    assert found is not None and found.shape == (24,)
    assert np.flatnonzero(found >= TOUCH.touched).tolist() == touched
    assert (np.delete(found, touched) < TOUCH.untouched).all()


def test_where_half_of_the_points_look_otherwise_nothing_is_told() -> None:
    now = points()
    now[:13, 10:20] += 40
    assert changes(points(), now) is None
