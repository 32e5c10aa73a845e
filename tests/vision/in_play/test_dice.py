"""Dice in play that are none."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from pi_board.frame import Frame
from pi_board.rules import STARTING_POSITION, Position
from pi_board.sighting import ZERO, DieSeen
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.in_play import dice as dice_in_play
from pi_board.vision.reader import BoardReader
from tests.vision.simulated_board import board_without_cube

#: Where a light checker has come to, and where none lies.
POINT, BARE = 7, 10
PLAYED = Position(
    tuple({7: 1, 8: 2}.get(i + 1, n) for i, n in enumerate(STARTING_POSITION.points)), (0, 0), (0, 0)
)


@pytest.fixture
def frame_of_play() -> tuple[BoardReader, Frame]:
    """A reader that has learned the starting position, and a picture of the play."""
    board = board_without_cube("felt", light="diffuse")
    reader = board.reader()
    for _ in range(3):
        reader.look(board.frame())
    reader.learn(STARTING_POSITION)
    board.play_to(PLAYED)
    return reader, board.frame()


def top_of(reader: BoardReader, point: int) -> tuple[float, float]:
    """px of the first checker's top there."""
    geometry = reader.state.geometry
    assert geometry is not None
    column, row = Orientation("light").column_of(point)
    place = (*geometry.checker_place(column, row, 0)[:2], geometry.profile.checker_height)
    x, y = geometry.project([place])[0]
    return float(x), float(y)


@pytest.mark.parametrize(
    ("point", "upon", "kept"),
    [
        pytest.param(POINT, False, 0, id="the top of a checker"),
        pytest.param(POINT, True, 1, id="a die upon a checker"),
        pytest.param(BARE, False, 1, id="where no checker lies"),
    ],
)
def test_a_checkers_top_is_no_die(
    frame_of_play: tuple[BoardReader, Frame],
    monkeypatch: pytest.MonkeyPatch,
    point: int,
    upon: bool,
    kept: int,
) -> None:
    reader, frame = frame_of_play
    x, y = top_of(reader, point)
    image = frame.image.copy()
    if upon:
        corner = np.array([x, y]) - 7
        cv2.rectangle(
            image, corner.astype(int).tolist(), (corner + 14).astype(int).tolist(), (40, 160, 40), -1
        )
    seen = DieSeen(2, 0.97, x, y, size=14.0)
    monkeypatch.setattr(dice_in_play, "find_dice_and_cube", lambda *_, **__: ([seen], None))
    settled = reader.look(replace(frame, image=image))
    assert settled.settled
    assert len(settled.dice) == kept
    if not upon and point == POINT:
        says = settled.log_likelihood[POINT - 1]
        assert says[ZERO + 1] - np.delete(says, ZERO + 1).max() > 5.0


@pytest.mark.parametrize(
    ("point", "place", "may"),
    [
        pytest.param(POINT, 0, True, id="a checker lies there"),
        pytest.param(POINT, 1, True, id="the next one would"),
        pytest.param(POINT, 3, False, id="no row reaches so far"),
        pytest.param(BARE, 3, False, id="in the middle of an empty point"),
        pytest.param(13, 5, True, id="behind five"),
    ],
)
def test_only_what_lies_in_a_row_may_be_a_checkers_top(
    frame_of_play: tuple[BoardReader, Frame], point: int, place: int, may: bool
) -> None:
    """4174001: a white die with its one pip above lay on an empty point at dusk, was taken for a checker's top, and a turn was lost."""
    reader, frame = frame_of_play
    reader.look(frame)
    geometry = reader.state.geometry
    assert geometry is not None
    column, row = Orientation("light").column_of(point)
    x, y = (float(v) for v in geometry.checker_place(column, row, place)[:2])
    assert reader._dice._may_be_a_top(x, y) == may
    assert reader._dice._may_be_a_top(0.0, y), "on the bar one may always lie"
