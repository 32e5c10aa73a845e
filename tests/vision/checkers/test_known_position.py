"""Where the checkers of a known position stand on the canvas."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.rules import STARTING_POSITION, Position
from pi_board.vision.board.canvas import CHECKER_PX, Canvas
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import Orientation, Row
from pi_board.vision.checkers.disc import Disc
from pi_board.vision.checkers.known_position import (
    START,
    farthest_moved,
    have_stayed,
    ideal_discs,
    in_order,
    layout_of,
    moved,
    neighbourhood,
    signed_counts,
)
from pi_board.vision.profile import load_profile

PROFILE = load_profile("generic")
GEOMETRY = BoardGeometry(PROFILE, [[200, 150], [1080, 150], [1080, 850], [200, 850]], (1280, 1000))
CANVAS = Canvas(GEOMETRY)
SEATINGS = [Orientation("light", "right"), Orientation("dark", "left")]


def test_counts_are_signed_and_in_the_order_of_the_slots() -> None:
    position = Position((-13, *[0] * 22, 12), (2, 1), (1, 1))
    counts = signed_counts(position)
    assert counts.shape == (28,)
    assert [counts[i] for i in (0, 23, 24, 25, 26, 27)] == [-13, 12, 2, -1, 1, -1]


@pytest.mark.parametrize("seat", SEATINGS)
def test_every_checker_has_its_place_on_its_point(seat: Orientation) -> None:
    discs = ideal_discs(signed_counts(STARTING_POSITION), CANVAS, seat)
    assert sorted(d.slot for d in discs) == sorted(
        s for s in range(24) for _ in range(abs(STARTING_POSITION.points[s]))
    )
    for d in discs:
        assert (d.side == 0) == (STARTING_POSITION.points[d.slot] > 0)
        column, row = seat.column_of(d.slot + 1)
        x, y = CANVAS.cm([(d.x, d.y)])[0]
        assert x == pytest.approx(GEOMETRY.column_x(column), abs=0.3 * PROFILE.checker_diameter)
        assert (y < 0) == (row is Row.NEAR)


def test_no_more_than_five_of_a_point_have_a_place_of_their_own() -> None:
    tall = Position((15, *[0] * 22, -15))
    discs = ideal_discs(signed_counts(tall), CANVAS, SEATINGS[0])
    assert [sum(d.slot == s for d in discs) for s in (0, 23)] == [5, 5]


@pytest.mark.parametrize("seat", SEATINGS)
def test_the_neighbourhood_holds_the_checkers_and_leaves_bare_points_out(seat: Orientation) -> None:
    counts = signed_counts(STARTING_POSITION)
    mask = neighbourhood(counts, CANVAS, seat, PROFILE)
    discs = ideal_discs(counts, CANVAS, seat)
    assert all(mask[round(d.y), round(d.x)] for d in discs)
    for d in discs:
        # Half a checker aside of where it belongs, it is still inside.
        assert mask[round(d.y), round(d.x + 0.5 * START.beside * CHECKER_PX)]
    bare = np.zeros(28, np.int64)
    bare[2] = 2  # point 3 is empty at the start
    (empty, *_) = ideal_discs(bare, CANVAS, seat)
    assert not mask[round(empty.y), round(empty.x)]


def test_the_bar_is_shy_only_when_somebody_is_on_it() -> None:
    u, v = CANVAS.place([[0.0, 0.0]])[0]
    on_bar = Position((*STARTING_POSITION.points[:5], 4, *STARTING_POSITION.points[6:]), (1, 0))
    without, with_it = (
        neighbourhood(signed_counts(p), CANVAS, SEATINGS[0], PROFILE) for p in (STARTING_POSITION, on_bar)
    )
    assert not without[round(v), round(u)] and with_it[round(v), round(u)]


@pytest.mark.parametrize(("aside", "stretch"), [(0.0, 1.0), (3.0, 1.0), (-2.0, 1.1)])
def test_the_layout_is_what_the_checkers_show(aside: float, stretch: float) -> None:
    """All checkers `aside` px beside their columns' middles, and `stretch` times as far apart."""
    seat = SEATINGS[0]
    ideal = ideal_discs(signed_counts(STARTING_POSITION), CANVAS, seat)
    first: dict[int, float] = {}
    discs = [
        Disc(d.x + aside, (y0 := first.setdefault(d.slot, d.y)) + stretch * (d.y - y0), d.side, d.slot)
        for d in ideal
    ]
    layout, plain = layout_of(discs, CANVAS, seat), layout_of(ideal, CANVAS, seat)
    assert layout.offset[..., 0] == pytest.approx(plain.offset[..., 0] + aside, abs=0.05)
    assert layout.pitch == pytest.approx(np.clip(stretch * plain.pitch, 0.85 * 16, 1.2 * 16), rel=0.02)


def test_checkers_have_stayed_where_as_many_of_their_side_stand() -> None:
    counts = np.zeros(28, np.int64)
    counts[[2, 5, 7]] = 2, -1, 1
    two = [Disc(10.0, 40.0, 0, 2), Disc(10.0, 20.0, 0, 2)]
    stood = [
        Disc(30.0, 20.0, 0, 5),
        *two,
        Disc(50.0, 20.0, 0, 7),
        Disc(50.0, 36.0, 0, 7),
        Disc(70.0, 5.0, 1, 9),
    ]
    # Another side's on 6, one gone from 8, all from 10; and in an order that does not depend on who saw them.
    assert have_stayed(stood, counts) == two[::-1] == in_order(two)


def test_how_far_checkers_have_moved() -> None:
    before = [Disc(10.0, 20.0, 0, 2), Disc(30.0, 20.0, 1, 5)]
    now = [Disc(11.0, 23.0, 0, 2), Disc(28.0, 20.0, 1, 5)]
    assert moved(before, now).tolist() == [3.0, 2.0] and farthest_moved(before, now) == 3.0
    assert np.isinf(moved(before, now[:1])).all() and np.isinf(farthest_moved([], now))
    assert farthest_moved([], []) == 0.0
