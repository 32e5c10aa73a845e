"""Both sides of a set are told apart by their look over the whole board."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.sighting import COUNTS, ZERO
from pi_board.vision.checkers.blind import COUNT_PRIOR
from pi_board.vision.checkers.colour_words import colour_word
from pi_board.vision.checkers.set_colours import linear
from pi_board.vision.checkers.sides import Sides, look_of, tell_sides
from pi_board.vision.checkers.slot_network import (
    BAR_CELLS,
    BAR_FIRST,
    CANVAS_H,
    CANVAS_W,
    STRIDE,
    STRIP_CENTRES,
)

Colour = tuple[int, int, int]
RED, BLUE, WHITE, BLACK = (50, 45, 190), (205, 80, 40), (225, 235, 240), (35, 30, 30)
FIELD, YELLOW, GREEN = (90, 120, 120), (30, 190, 200), (10, 220, 10)
ROWS = CANVAS_H // STRIDE
#: (row, column) of the points of either side.
ONES = [(0, 0), (0, 3), (0, 7), (1, 2), (1, 10)]
OTHERS = [(0, 5), (0, 9), (1, 0), (1, 6), (1, 8)]


def board(ones: Colour, others: Colour, votes: dict[tuple[int, int], float], bar: Colour | None = None, on: float = 2.0, places: tuple[list[tuple[int, int]], ...] = (ONES, OTHERS), across: tuple[int, int] | None = None, bare: tuple[int, int] | None = None, lone: tuple[int, int, Colour] | None = None, **odd: Colour) -> Sides:  # fmt: skip
    """Three checkers on every point of ONES and OTHERS, as the network has them: votes are nats for light (default 4 and -4). bar: colour
    of something on the bar, which is one dark checker with `on` nats. across: (row, column) where a checker of ONES' colour reaches over
    the middle line from the other row. bare: (row, column) where nothing lies, and something yellow looks like a top here and there.
    lone: (row, column, colour) of what the network takes for one light checker."""
    canvas = np.full((CANVAS_H, CANVAS_W, 3), FIELD, np.uint8)
    cells = np.zeros((ROWS, CANVAS_W // STRIDE, 4))
    cells[..., 0] = 1
    points = np.full((2, 12, COUNTS), -30.0)
    points[..., ZERO] = 0
    on_bar = np.full((2, 8), -12.0)
    on_bar[:, 0] = 0

    def paint(rows: slice, columns: slice, colour: Colour) -> None:
        cells[rows, columns] = (0, 0.5, 0.5, 0)
        canvas[rows.start * 4 : rows.stop * 4, columns.start * 4 : columns.stop * 4] = colour

    for sign, mine, colour in ((1, places[0], ones), (-1, places[1], others)):
        for row, column in mine:
            rows = slice(3, 18) if row == 0 else slice(ROWS - 18, ROWS - 3)
            here = odd.get(f"at{row}_{column}", colour)
            paint(rows, slice(STRIP_CENTRES[column] - 2, STRIP_CENTRES[column] + 2), here)
            vote = votes.get((row, column), 4.0 * sign)
            points[row, column] = -30.0
            points[row, column, ZERO + 3], points[row, column, ZERO - 3] = vote / 2, -vote / 2
    if across is not None:
        row, column = across
        over = slice(ROWS // 2 - 5, ROWS // 2) if row == 0 else slice(ROWS // 2, ROWS // 2 + 5)
        paint(over, slice(STRIP_CENTRES[column] - 2, STRIP_CENTRES[column] + 2), ones)
    if bare is not None:
        row, column = bare
        paint(
            slice(3, 9) if row == 0 else slice(ROWS - 9, ROWS - 3),
            slice(STRIP_CENTRES[column] - 2, STRIP_CENTRES[column] + 2),
            YELLOW,
        )
    if lone is not None:
        row, column, colour = lone
        paint(
            slice(3, 9) if row == 0 else slice(ROWS - 9, ROWS - 3),
            slice(STRIP_CENTRES[column] - 2, STRIP_CENTRES[column] + 2),
            colour,
        )
        points[row, column, ZERO + 1] = 4.0
    if bar is not None:
        paint(slice(30, 36), slice(BAR_FIRST + 2, BAR_FIRST + BAR_CELLS - 2), bar)
        on_bar[1, 1] = on
    return tell_sides(canvas, cells, points, on_bar, COUNT_PRIOR)


def counted(sides: Sides) -> dict[tuple[int, int], int]:
    best = (sides.points + COUNT_PRIOR).argmax(axis=2) - ZERO
    return {(int(r), int(c)): int(best[r, c]) for r, c in np.argwhere(best != 0)}


def test_hue_tells_sides_that_the_network_confuses_point_by_point() -> None:
    wrong = {(0, 3): -3.0, (1, 10): -1.0, (0, 9): 2.0}
    sides = board(RED, BLUE, wrong)
    assert counted(sides) in (
        {**dict.fromkeys(ONES, 3), **dict.fromkeys(OTHERS, -3)},
        {**dict.fromkeys(ONES, -3), **dict.fromkeys(OTHERS, 3)},
    )
    assert 0 <= sides.named < 8  # about as bright: either may be called light
    assert sides.colours is not None
    assert {colour_word(c) for c in sides.colours} == {"red", "blue"}


def test_the_brighter_side_is_the_light_one_whatever_the_votes_say() -> None:
    upside_down = dict.fromkeys(ONES, -2.0) | dict.fromkeys(OTHERS, 2.0)
    sides = board(WHITE, BLACK, upside_down)
    assert counted(sides) == {**dict.fromkeys(ONES, 3), **dict.fromkeys(OTHERS, -3)}
    assert sides.named > 10
    shares = sides.shares(linear(np.array([[WHITE, BLACK, RED]], np.uint8)))
    assert shares is not None
    light, either = shares
    assert light[0, 0] > 0.9 > 0.1 > light[0, 1]
    assert min(either[0, :2]) > 0.9 > 0.1 > either[0, 2]


def test_a_lamp_on_one_black_checker_does_not_make_it_white() -> None:
    sides = board(WHITE, BLACK, {(1, 6): -1.0}, at1_6=(150, 150, 150))
    assert counted(sides)[1, 6] == -3


@pytest.mark.parametrize("at", [(0, 5), (1, 8)])
def test_a_long_row_that_reaches_over_the_middle_gives_the_other_point_no_colour(at: tuple[int, int]) -> None:
    alone, reached = (board(WHITE, BLACK, {at: -1.0}, across=across) for across in (None, at))
    assert counted(reached)[at] == -3
    assert np.array_equal(reached.points, alone.points)


@pytest.mark.parametrize(("colour", "side"), [(RED, 0), (BLUE, 1)])
def test_the_bar_follows_the_clusters(colour: Colour, side: int) -> None:
    bright_red, dim_blue = tuple(min(255, int(1.3 * v)) for v in RED), tuple(int(0.5 * v) for v in BLUE)
    shown = (bright_red, dim_blue)[side]
    sides = board(bright_red, dim_blue, {}, bar=shown)  # type: ignore[arg-type]
    assert sides.bar[side].argmax() == 1
    assert sides.bar[1 - side].argmax() == 0


def test_a_doubling_cube_on_the_bar_is_no_side() -> None:
    """Two pale sides and a red cube, on which the network sees something of a top, but hardly a checker."""
    cool, cream, red = (250, 248, 235), (140, 215, 245), (37, 33, 158)
    sides = board(cool, cream, dict.fromkeys(OTHERS, 1.0), bar=red, on=-3.0)
    assert counted(sides) == {**dict.fromkeys(ONES, 3), **dict.fromkeys(OTHERS, -3)}


@pytest.mark.parametrize("light", [1, 2])
def test_three_points_are_enough_to_tell_red_from_blue(light: int) -> None:
    """At the end of a game few points have checkers; the network calls all of them light."""
    places = ONES[:light], OTHERS[: 3 - light]
    sides = board(RED, BLUE, dict.fromkeys((*ONES, *OTHERS), 0.5), places=places)
    counts = counted(sides)
    assert {counts[place] for place in places[0]} == {-counts[place] for place in places[1]} != {0}
    assert len({counts[place] for place in places[0]}) == len({counts[place] for place in places[1]}) == 1


def test_what_looks_like_a_top_where_nothing_lies_is_no_side() -> None:
    """Of three colours on three points the yellow stripes of a fourth were one, and all checkers the other."""
    places = ONES[:1], OTHERS[:2]
    votes = dict.fromkeys((*ONES, *OTHERS), 0.5)
    sides = board(RED, BLUE, votes, places=places, bare=(1, 11))
    counts = counted(sides)
    assert counts == counted(board(RED, BLUE, votes, places=places))
    assert counts[places[0][0]] == -counts[places[1][0]] != 0
    assert sides.colours is not None
    assert {colour_word(c) for c in sides.colours} == {"red", "blue"}


@pytest.mark.parametrize("at", [(0, 1), (1, 4)])
def test_a_lone_top_of_neither_sides_colour_is_more_likely_a_cup(at: tuple[int, int]) -> None:
    of = {c: board(RED, BLUE, {}, lone=(*at, c)).points[at] for c in (GREEN, RED, BLUE)}
    assert of[GREEN].argmax() == ZERO
    assert of[RED].argmax() == ZERO + 1 and of[BLUE].argmax() == ZERO - 1


def test_one_side_alone_is_left_as_the_network_has_it() -> None:
    sides = board(BLACK, BLACK, dict.fromkeys(ONES, -4.0))
    assert sides.colours is None
    assert counted(sides) == dict.fromkeys(ONES + OTHERS, -3)


def test_what_is_empty_stays_empty_and_nothing_is_won_by_naming() -> None:
    sides = board(RED, BLUE, {})
    assert (sides.points[0, 1] == [0.0 if n == ZERO else -30.0 for n in range(COUNTS)]).all()
    assert np.logaddexp.reduce(sides.points[0, 0] + COUNT_PRIOR) < 8


def test_shade_changes_brightness_and_not_hue() -> None:
    linear = np.array([0.5, 0.2, 0.05])
    full, shade = look_of(linear), look_of(0.4 * linear)
    assert full[0] - shade[0] == pytest.approx(-np.log(0.4), abs=0.1)
    assert np.abs(full[1:] - shade[1:]).max() < 0.2


@pytest.mark.parametrize(
    ("bgr", "word"),
    [
        ((20, 20, 20), "black"), ((235, 235, 235), "white"), ((128, 128, 128), "grey"), ((30, 30, 200), "red"),
        ((200, 80, 30), "blue"), ((80, 30, 20), "navy"), ((40, 160, 40), "green"), ((30, 130, 235), "orange"),
        ((190, 215, 230), "cream"), ((30, 50, 90), "brown"), ((200, 190, 60), "turquoise"), ((30, 20, 110), "maroon"),
    ],
)  # fmt: skip
def test_colours_are_called_what_a_person_calls_them(bgr: Colour, word: str) -> None:
    assert colour_word(bgr) == word
