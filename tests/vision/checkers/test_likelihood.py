"""Discs on a strip: counts from scores, without any picture."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest

from pi_board.sighting import BAR_DARK, BAR_LIGHT, COUNTS, SLOTS, ZERO
from pi_board.vision.board.canvas import CHECKER_PX
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.checkers.disc import Disc
from pi_board.vision.checkers.likelihood import CheckerFinder
from pi_board.vision.checkers.log_ratios import calibrated, ratio
from pi_board.vision.checkers.row_numbers import (
    FLOOR,
    HOPELESS,
    IMPOSSIBLE,
    ROWS,
    SIDEWAYS,
    SINGLE_LAYER,
)


def scores_for(finder: CheckerFinder, discs: list[Disc]) -> tuple[np.ndarray, np.ndarray]:
    """Disc scores of an ideal picture: one pixel of checker says +3, of board -3."""
    h, w = finder.canvas.height, finder.canvas.width
    yy, xx = np.mgrid[:h, :w]
    out = []
    for side in (0, 1):
        pixels = np.full((h, w), -3.0, np.float32)
        for d in discs:
            if d.side == side:
                pixels[np.hypot(xx - d.x, yy - d.y) < CHECKER_PX / 2] = 3.0
        out.append(finder.disc_scores(side, pixels))
    return out[0], out[1]


def judge_of(scores: tuple[np.ndarray, np.ndarray]):
    def judge(side: int, places: np.ndarray) -> np.ndarray:
        return np.array([scores[side][round(y), round(x)] for x, y in places])

    return judge


def place(finder: CheckerFinder, point: int, index: int, side: int, dx: float = 0.0, dy: float = 0.0) -> Disc:
    column, row = finder.orientation.column_of(point)
    x, y, _ = finder.canvas.geometry.checker_place(column, row, index)
    u, v = finder.canvas.place([[x, y]])[0]
    return Disc(u + dx * CHECKER_PX, v + dy * CHECKER_PX, side, point - 1)


@pytest.mark.parametrize("near", ["light", "dark"])
@pytest.mark.parametrize("home", ["right", "left"])
def test_counts_and_colours_in_every_seating(canvas, near, home) -> None:
    finder = CheckerFinder(canvas, Orientation(near, home))
    truth = {1: -2, 6: 5, 8: 3, 12: -5, 13: 4, 17: -1, 24: 1}
    rng = np.random.default_rng(4)
    discs = []
    for point, n in truth.items():
        for i in range(abs(n)):
            discs.append(place(finder, point, i, 0 if n > 0 else 1, *rng.uniform(-0.06, 0.06, 2)))
    scores = scores_for(finder, discs)
    rows = finder.read(scores, judge_of(scores))
    assert rows.shape == (SLOTS, COUNTS)
    expected = np.zeros(24, int)
    for point, n in truth.items():
        expected[point - 1] = n
    assert (rows[:24].argmax(axis=1) - ZERO).tolist() == expected.tolist()
    assert rows[BAR_LIGHT].argmax() == ZERO and rows[BAR_DARK].argmax() == ZERO


def test_a_row_of_five_with_a_gap_at_its_foot_is_five(canvas) -> None:
    """The first one was moved away: the last lies where only a sixth has room."""
    finder = CheckerFinder(canvas, Orientation())
    scores = scores_for(finder, [place(finder, 23, i, 1) for i in range(1, 6)])
    rows = finder.read(scores, judge_of(scores))
    assert rows[22].argmax() - ZERO == -5
    assert rows[22, ZERO - 6] < rows[22, ZERO - 5]


@pytest.mark.parametrize(
    ("checkers", "off"),
    list(itertools.product((2, 3, 4, 5), (1.0, 1.6, 2.1, 3.0))),
)
def test_a_row_that_begins_off_the_rim_has_as_many_checkers(canvas, checkers: int, off: float) -> None:
    """Where the first one lies is one accident: the others lie against it, if need be beyond the middle. None of them lies on the point
    opposite."""
    finder = CheckerFinder(canvas, Orientation("light", "right"))
    discs = [place(finder, 24, i, 0, dy=off) for i in range(checkers)]
    scores = scores_for(finder, discs)
    rows = finder.read(scores, judge_of(scores))
    assert (rows[[0, 23]].argmax(axis=1) - ZERO).tolist() == [0, checkers]
    assert finder.off_the_rim == ([23] if checkers >= ROWS.long else [])


@pytest.mark.parametrize("off", [0.0, 0.6])
def test_two_rows_of_one_side_that_meet_share_no_checker(canvas, off: float) -> None:
    finder = CheckerFinder(canvas, Orientation("light", "right"))
    discs = [place(finder, 24, i, 0, dy=off) for i in range(5)] + [place(finder, 1, i, 0) for i in range(5)]
    scores = scores_for(finder, discs)
    rows = finder.read(scores, judge_of(scores))
    assert (rows[[0, 23]].argmax(axis=1) - ZERO).tolist() == [5, 5]


def test_what_stands_beyond_five_checkers_room_is_not_added_to_two(canvas) -> None:
    """Two here, and a row opposite that reaches over the middle: its last but one is not a fourth of these."""
    finder = CheckerFinder(canvas, Orientation())
    opposite = [place(finder, 2, i, 1, dy=-2.0) for i in range(5)]
    scores = scores_for(finder, [*(place(finder, 23, i, 1) for i in range(2)), *opposite])
    rows = finder.read(scores, judge_of(scores))
    assert rows[1].argmax() - ZERO == -5
    assert rows[22, ZERO - 2] > rows[22, ZERO - 4] + 5.0


@pytest.mark.parametrize("beside", [True, False])
def test_a_checker_that_leans_over_from_the_point_beside_makes_no_point_mixed(canvas, beside: bool) -> None:
    """Two of light on 23; dark's third on 24 lies half a checker nearer to it, or on 23 itself. (`bench campaign --seed 1650019`)"""
    finder = CheckerFinder(canvas, Orientation())
    light = [place(finder, 23, i, 0) for i in range(2)]
    dark = [place(finder, 24, i, 1) for i in range(2)]
    towards = 1 if place(finder, 23, 0, 0).x > dark[0].x else -1
    third = place(finder, 24, 2, 1, 0.5 * towards) if beside else place(finder, 23, 3, 1)
    says_for_itself = scores_for(finder, [*light, *dark, third])
    scores = says_for_itself[0], 4 * says_for_itself[1]
    finder.read(scores, judge_of(scores))
    assert [slot for slot, _ in finder.mixed] == ([] if beside else [22])


@pytest.mark.parametrize(
    ("points", "towards", "says", "left"),
    [
        # The flank of a checker that is seen well inside its own strip,
        ((24, 23), (3.0, -SIDEWAYS), (30.0, 5.0), -ROWS.taken),
        # and more than its flank: another one, that leans over to it. (`bench campaign --seed 1700009`)
        ((24, 23), (3.0, -SIDEWAYS), (30.0, 20.0), 20.0),
        # Both strips see one at their edges: it lies between them.
        ((24, 23), (SIDEWAYS, -SIDEWAYS), (25.0, 19.0), -ROWS.taken),
        # No strip reaches over the next one. (`bench_boards.py`, room 1750000)
        ((24, 22), (SIDEWAYS, -SIDEWAYS), (34.0, 14.0), 14.0),
    ],
)
def test_what_two_strips_see_is_one_checker_where_it_can_be(
    canvas, points: tuple[int, int], towards: tuple[float, float], says: tuple[float, float], left: float
) -> None:
    finder = CheckerFinder(canvas, Orientation())
    slots = np.array(points) - 1
    # (Columns as narrow as a checker is wide.)
    finder.feet[slots[1], 0] = finder.feet[slots[0], 0] + CHECKER_PX * (points[0] - points[1])
    at = finder.feet[slots].copy()
    at[:, 0] += np.array(towards) * np.sign(at[1, 0] - at[0, 0])
    found = finder._one_place_each(at, slots, np.array(says), np.ones(2, bool))
    assert found.tolist() == [says[0], left]


@pytest.mark.parametrize("opposite", [True, False])
def test_the_shadow_between_two_long_rows_is_no_checker(canvas, opposite: bool) -> None:
    """Four of dark that begin a checker off the rim, six of light on the point opposite, and a dark board between them that looks half
    like dark. Without light's row it may be a fifth. (`bench campaign --seed 1800002`)"""
    finder = CheckerFinder(canvas, Orientation())
    dark = [place(finder, 23, i, 1) for i in range(1, 5)]
    away = np.sign(dark[0].y - dark[1].y)
    fifth = Disc(dark[3].x, dark[3].y - away * CHECKER_PX, 1, 22)
    light = [Disc(fifth.x, fifth.y - away * (0.7 + i) * CHECKER_PX, 0, 1) for i in range(6 * opposite)]
    without, with_it = (scores_for(finder, [*dark, *light, *more]) for more in ([], [fifth]))
    scores = without[0], (0.3 * without[1] + 0.7 * with_it[1]).astype(np.float32)
    row = finder.read(scores, judge_of(scores))[22]
    assert int(row.argmax()) - ZERO == (-4 if opposite else -5)


def test_rows_are_finite_bounded_and_zero_where_nothing_is_known(canvas) -> None:
    finder = CheckerFinder(canvas, Orientation())
    scores = scores_for(finder, [])
    rows = finder.read(scores, judge_of(scores))
    assert np.isfinite(rows).all()
    assert rows.max() == 0.0
    assert rows[26, ZERO:].tolist() == [0.0] * 16  # trays: no evidence
    assert (rows[26, :ZERO] < FLOOR).all()  # light's tray holds no dark checker
    assert (rows[BAR_LIGHT, :ZERO] < FLOOR).all() and (rows[BAR_DARK, ZERO + 1 :] < FLOOR).all()


def test_the_bar_counts_each_colour(canvas) -> None:
    finder = CheckerFinder(canvas, Orientation())
    u, v = canvas.place([[0.0, 3.0]])[0]
    discs = [Disc(u, v, 0, 24), Disc(u, v + 40, 1, 25), Disc(u, v + 60, 1, 25)]
    scores = scores_for(finder, discs)
    rows = finder.read(scores, judge_of(scores))
    assert rows[BAR_LIGHT].argmax() - ZERO == 1
    assert rows[BAR_DARK].argmax() - ZERO == -2


def test_more_may_lie_on_the_bar_than_have_a_place_of_their_own(canvas) -> None:
    """Of five in a row of four one lies upon another (2050003). Where nobody lies, nothing lies upon him."""
    finder = CheckerFinder(canvas, Orientation())
    out = np.zeros((SLOTS, COUNTS))
    finder.read_bar([[], [(20.0, 20 * i) for i in range(4)]], out)
    four, five, six = out[BAR_DARK, ZERO - 4 : ZERO - 7 : -1]
    assert four - five == five - six == ROWS.bar_piled
    assert (out[BAR_LIGHT, ZERO + 1 :] < -2 * ROWS.bar_piled).all()


@pytest.mark.parametrize("gap", [0.0, 0.25, 0.6])
def test_gaps_between_checkers_cost_no_checker(canvas, gap) -> None:
    finder = CheckerFinder(canvas, Orientation())
    discs = [
        place(finder, 5, i, 1, 0.0, -gap * i) for i in range(3)
    ]  # point 5 is in the near row: up is inwards
    scores = scores_for(finder, discs)
    assert finder.read(scores, judge_of(scores))[4].argmax() - ZERO == -3


def test_fit_finds_the_places_of_known_counts(canvas) -> None:
    finder = CheckerFinder(canvas, Orientation())
    discs = [place(finder, 20, i, 0, 0.1, 0.02) for i in range(4)]
    scores = scores_for(finder, discs)
    counts = np.zeros(SLOTS, np.int64)
    counts[19] = 4
    found = sorted(finder.fit(scores, counts, judge_of(scores)), key=lambda d: d.y)
    for d, true in zip(found, sorted(discs, key=lambda d: d.y), strict=True):
        assert abs(d.x - true.x) < 2.5 and abs(d.y - true.y) < 2.5


def test_calibration_keeps_room_for_surprises() -> None:
    row = np.full((1, COUNTS), HOPELESS)
    row[0, 0] = IMPOSSIBLE
    row[0, ZERO], row[0, ZERO + 1], row[0, ZERO + 2] = 100.0, 90.0, 20.0
    soft = calibrated(row)
    assert soft[0, ZERO] == 0.0
    assert -10.5 < soft[0, ZERO + 1] < -9.0
    assert soft[0, 0] < FLOOR - 5
    assert soft[0, ZERO + 2] == pytest.approx(FLOOR, abs=0.1)


def test_no_single_pixel_may_decide() -> None:
    assert np.abs(ratio(np.array([[0.0, -900.0]]), np.array([[-900.0, 0.0]]))).max() <= 3.0


def test_rows_of_all_lengths_are_found_at_once() -> None:
    finder = CheckerFinder.__new__(CheckerFinder)
    rng = np.random.default_rng(8)
    finder.prior = rng.normal(0, 1, (SINGLE_LAYER + 1, 90))
    _, back = finder.rows_of_discs(rng.normal(0, 5, (24, 90)), 13)
    rows = finder.rows_of_places(back, 13)
    for n in range(1, SINGLE_LAYER + 1):
        assert (rows[n - 1, :, :n] == finder.places(n, back, 13)).all()
        assert (rows[n - 1, :, n:] == -1).all()


def test_discs_are_summed_wherever_a_strip_is_sampled(canvas) -> None:
    finder = CheckerFinder(canvas, Orientation())
    says = np.random.default_rng(2).normal(size=(canvas.height, canvas.width)).astype(np.float32)
    everywhere = np.zeros_like(says)
    for across, along in finder.disc:
        everywhere += cv2.sepFilter2D(says, cv2.CV_32F, across, along, borderType=cv2.BORDER_REPLICATE)
    strips = finder.strips
    for x, y in ((strips.map_x, strips.map_y), (strips.bar_x, strips.bar_y)):
        sampled, expected = (
            cv2.remap(plane, x, y, cv2.INTER_LINEAR) for plane in (finder.disc_scores(0, says), everywhere)
        )
        assert np.abs(sampled - expected).max() < 1e-5


@pytest.mark.parametrize("near", ["light", "dark"])
def test_points_at_a_glance_begin_at_their_edge(canvas, near) -> None:
    """A checker at the edge of a point is in the first blocks of that point's strip, and nowhere else."""
    finder = CheckerFinder(canvas, Orientation(near))
    picture = np.full((canvas.height, canvas.width, 3), 50.0, np.float32)
    disc = place(finder, 8, 0, 0)
    cv2.circle(picture, (round(disc.x), round(disc.y)), int(CHECKER_PX / 2), (200.0, 200.0, 200.0), -1)
    strips = finder.at_a_glance(picture)
    assert strips.dtype == np.uint8 and strips.shape[0] == 26 and strips.shape[3] == 3
    assert strips[7, :4].max() > 190 and strips[7, 6:].max() <= 51
    assert np.delete(strips, 7, axis=0).max() <= 60


def for_a_dark_one_on_the_bar(canvas, told: float, nats: float) -> float:
    """Nats by which one that says `nats` for itself is likelier than none, where it would say `told`."""
    finder = CheckerFinder(canvas, Orientation())
    finder.told_on_bar((ROWS.bar_most, told))
    out = np.zeros((SLOTS, COUNTS))
    finder.read_bar([[], [(nats, 20)]], out)
    return float(out[BAR_DARK, ZERO - 1] - out[BAR_DARK, ZERO])


@pytest.mark.parametrize(
    ("told", "costs"), [(ROWS.bar_most, ROWS.bar_prior), (5.0, 5.0 * ROWS.bar_told), (-1.0, 0.0)]
)
def test_a_checker_that_can_hardly_be_told_from_the_bar_is_not_told_to_be_away(
    canvas, told: float, costs: float
) -> None:
    assert for_a_dark_one_on_the_bar(canvas, told, 1.0) == pytest.approx(1.0 - costs)


@pytest.mark.parametrize(
    ("told", "against"), [(ROWS.bar_untold - 2, ROWS.bar_untold), (ROWS.bar_untold + 1, 5.0)]
)
def test_little_is_said_against_a_checker_that_cannot_be_told_from_the_bar_at_all(
    canvas, told: float, against: float
) -> None:
    cost = max(0.0, told) * ROWS.bar_told
    assert -for_a_dark_one_on_the_bar(canvas, told, cost - 5.0) == pytest.approx(against)
