"""The bare board as it was seen first, in another light and beside a cup."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.vision.board.canvas import CHECKER_PX
from pi_board.vision.first_board import FirstBoard

SHAPE = (160, 200)
ALL, NOWHERE = np.ones(SHAPE, bool), np.zeros(SHAPE, bool)
GAIN = np.float32([0.6, 0.8, 1.1])


def board() -> np.ndarray:
    """(160, 200, 3) stripes with noise."""
    out = np.full((*SHAPE, 3), (60.0, 62.0, 66.0), np.float32)
    out[:, ::20] = out[:, 1::20] = (40.0, 110.0, 50.0)
    return out + np.random.default_rng(3).normal(0, 2, out.shape).astype(np.float32)


def disc(x: int, y: int, wide: float) -> np.ndarray:
    """(160, 200) a disc of `wide` checker diameters."""
    v, u = np.mgrid[: SHAPE[0], : SHAPE[1]]
    return np.hypot(u - x, v - y) < wide * CHECKER_PX / 2


def test_it_is_brought_to_todays_light() -> None:
    first = FirstBoard(board(), ALL, ALL)
    today = board() * GAIN
    today[disc(50, 50, 3.0)] = 10.0
    seen, clear = first.in_light_of(today, disc(120, 80, 2.0))
    assert np.abs(seen - today)[~disc(50, 50, 3.0)].mean() < 1.0
    assert not clear[disc(120, 80, 2.0)].any() and clear.sum() == ALL.sum() - disc(120, 80, 2.0).sum()


def test_what_was_seen_stays_and_what_was_not_is_added() -> None:
    first = FirstBoard(board(), ~disc(50, 50, 2.0), ~disc(50, 50, 2.0))
    later = np.full((*SHAPE, 3), 9.0, np.float32)
    more = first.with_more(later, disc(50, 50, 1.0), NOWHERE)
    assert (more.bgr[disc(50, 50, 1.0)] == 9.0).all() and (
        more.bgr[first.bare] == first.bgr[first.bare]
    ).all()
    assert (more.bare == (first.bare | disc(50, 50, 1.0))).all()
    assert (more.sure == first.sure).all(), "it may be a hand"


def test_what_is_added_in_another_light_is_kept_in_the_first_one() -> None:
    """Where checkers stood first, under a lamp that was switched since: it is no stranger when they have gone (2680007)."""
    hole = disc(100, 80, 4.0)
    first = FirstBoard(np.where(hole[..., None], 200.0, board()), ~hole, ~hole)
    more = first.with_more(board() * GAIN, ALL, NOWHERE)
    assert np.abs(more.bgr - board())[hole].mean() < 1.0
    assert not more.may_hold_a_thing(board() * GAIN**2, NOWHERE, np.zeros((0, 2)))


def test_where_shadows_have_gone_what_is_bare_now_counts() -> None:
    """No gain tells of them; what is covered now is brought to that light (2750009)."""
    stripes = np.where((np.arange(SHAPE[1]) // 20 % 2 == 0)[None, :, None], 1.0, 0.5)
    under = disc(100, 80, 2.0)
    first = FirstBoard((board() * stripes).astype(np.float32), ALL, ALL)
    later = first.with_more(board() * 1.5, ~under, NOWHERE)
    assert np.abs(later.bgr - board() * 1.5)[~under].max() < 1.0
    assert (later.bgr[under] > first.bgr[under]).mean() > 0.9
    assert later.earlier is not None and (later.earlier.bgr == first.bgr).all()
    again = later.with_more((board() * stripes).astype(np.float32), ALL, NOWHERE)
    assert (again.bgr == first.bgr).all(), "the shadows are back"
    assert again.earlier is not None and (again.earlier.bgr == later.bgr).all()


@pytest.mark.parametrize("relit", [False, True])
def test_nothing_is_learned_of_what_lies_beside_checkers(relit: bool) -> None:
    """Their sides are no board (3903003). In other shadows nothing is known of it, for the light in which it was seen is another one."""
    beside, hole = disc(100, 80, 3.0), disc(100, 80, 2.0)
    stripes = np.where((np.arange(SHAPE[1]) // 20 % 2 == 0)[None, :, None], 1.0, 0.5 if relit else 1.0)
    first = FirstBoard((board() * stripes).astype(np.float32), ~hole, ~hole)
    more = first.with_more(board() * 1.5, ALL, beside)
    assert not more.bare[hole].any() and more.bare[~beside].all()
    assert more.bare[beside & ~hole].any() != relit
    assert (more.earlier is not None) == relit


@pytest.mark.parametrize(
    ("wide", "taken", "there"),
    [(0.0, NOWHERE, False), (0.9, NOWHERE, False), (2.6, NOWHERE, True), (2.6, disc(80, 80, 2.8), False)],
    ids=["bare", "a checker", "a cup", "a cup that is known"],
)
def test_a_quick_look_tells_whether_anything_may_stand_there(
    wide: float, taken: np.ndarray, there: bool
) -> None:
    today = board() * GAIN
    today[disc(80, 80, wide)] *= 0.5
    nobody, here = np.zeros((0, 2)), np.array([(80.0, 80.0)])
    assert FirstBoard(board(), ALL, ALL).may_hold_a_thing(today, taken, nobody) == there
    assert not FirstBoard(board(), ALL, ALL).may_hold_a_thing(today, taken, here)
    assert not FirstBoard(board(), NOWHERE, NOWHERE).may_hold_a_thing(today, taken, nobody)
