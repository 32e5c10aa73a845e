"""The height of a full point is told by what has changed on its tops since its count was last accepted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pi_board.rules import Position
from pi_board.sighting import COUNTS, SLOTS, ZERO
from pi_board.vision.checkers.full_points import STACK, STACKED, compare_full_points
from pi_board.vision.reader import BoardReader
from tests.vision.simulated_board import SimulatedBoard

#: Light has seven checkers on point 6, dark five on point 19.
TALL = Position((-2, 0, 0, 0, 0, 7, 0, 2, 0, 0, 0, -5, 4, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2))
#: The same after one of the seven has gone to point 5, and after one of point 13 has come to lie on them.
ONE_LESS = Position((-2, 0, 0, 0, 1, 6, 0, 2, 0, 0, 0, -5, 4, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2))
ONE_MORE = Position((-2, 0, 0, 0, 0, 8, 0, 2, 0, 0, 0, -5, 3, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2))


def undecided() -> np.ndarray:
    """(28, 31) evidence in which point 6 holds five or more light checkers, and nothing tells how many."""
    rows = np.full((SLOTS, COUNTS), -20.0)
    rows[:, ZERO] = 0.0
    rows[5] = -20.0
    rows[5, ZERO + 5 : ZERO + 16] = 0.0
    return rows


@pytest.fixture(scope="module")
def table() -> tuple[SimulatedBoard, BoardReader]:
    board = SimulatedBoard("travel", seed=3)
    reader = board.reader()
    reader.look(board.frame())
    board.play_to(TALL)
    reader.look(board.frame())
    reader.learn(TALL)
    return board, reader


def height(board: SimulatedBoard, reader: BoardReader, position: Position) -> np.ndarray:
    """(11,) nats of 5 ... 15 on point 6 when `position` lies there."""
    board.play_to(position)
    reader.look(board.frame())
    return compare_full_points(undecided(), reader.state.picture.pixels, reader.finder.in_row)[
        5, ZERO + 5 : ZERO + 16
    ]


def test_where_no_top_has_changed_the_count_is_the_same(table: tuple[SimulatedBoard, BoardReader]) -> None:
    row = height(*table, TALL)
    assert row.argmax() == 2, "seven, as accepted"
    assert np.delete(row, 2).max() <= -STACKED


@pytest.mark.parametrize("position", [ONE_LESS, ONE_MORE])
def test_where_a_top_has_changed_the_count_is_another(
    table: tuple[SimulatedBoard, BoardReader], position: Position
) -> None:
    row = height(*table, position)
    assert row[2] <= -STACKED
    assert row[1] == row[3] == row.max() == 0.0, "one less, or one more: the rules will tell"


def test_five_with_a_changed_top_are_still_five_or_six(table: tuple[SimulatedBoard, BoardReader]) -> None:
    """Somebody takes one of them, thinks again and puts it back, not quite where it lay."""
    board, reader = table
    board.play_to(TALL)
    scene = board.scene
    scene.take(("point", 19), "dark")
    put_back = scene.put("dark", ("point", 19))
    scene.places["point", 19][-1] = replace(put_back, x=put_back.x + 0.3 * scene.style.checker_diameter)
    reader.look(board.frame())
    rows = undecided()
    rows[18, ZERO - 15 : ZERO - 4] = np.linspace(-9.0, 0.0, 11)
    rows[18, ZERO] = -20.0
    read = compare_full_points(rows, reader.state.picture.pixels, reader.finder.in_row)[18]
    assert read.argmax() == ZERO - 5
    assert read[ZERO - 6] == -STACK.upon_five, "or a sixth that came"


def test_a_point_that_was_not_full_is_left_alone(table: tuple[SimulatedBoard, BoardReader]) -> None:
    board, reader = table
    board.play_to(TALL)
    reader.look(board.frame())
    rows = undecided()
    rows[12] = rows[5]
    before = rows[12].copy()
    assert (compare_full_points(rows, reader.state.picture.pixels, reader.finder.in_row)[12] == before).all()
