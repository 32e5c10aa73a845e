"""A board that was moved while it is read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from pi_board.frame import Frame
from pi_board.rules import STARTING_POSITION
from pi_board.sighting import Gate
from pi_board.vision import reader as reader_module
from pi_board.vision.board.bump import Bump, BumpWatch, State
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.in_play import dice as dice_module
from pi_board.vision.in_play import place as place_module
from pi_board.vision.in_play.place import SEARCHED_AFTER
from pi_board.vision.reader import BoardReader
from tests.vision.simulated_board import board_without_cube, wrong_slots

Image = npt.NDArray[np.uint8]


@pytest.fixture(autouse=True)
def no_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """None lie on these boards."""
    monkeypatch.setattr(dice_module, "find_dice_and_cube", lambda *a, **k: ([], None))


def learned_and_moved(how: list[list[float]]) -> tuple[BoardReader, Image, Image]:
    """A reader that has learned the starting position, the picture of it, and the same moved by (2, 3) `how`."""
    board = board_without_cube("travel")
    reader = board.reader()
    first = board.frame()
    reader.look(first)
    reader.learn(STARTING_POSITION)
    h, w = first.image.shape[:2]
    moved: Any = cv2.warpAffine(first.image, np.array(how), (w, h), borderMode=cv2.BORDER_REPLICATE)
    return reader, first.image, moved


def test_a_bump_is_said_once_and_then_read() -> None:
    reader, _, moved = learned_and_moved([[1, 0.01, 9.0], [-0.01, 1, -6.0]])
    frame = Frame(moved, 1.0, 50)
    sighting = reader.look(frame)
    assert sighting.gate is Gate.BOARD_MOVED and not sighting.registered
    again = reader.look(frame)
    assert again.settled and again.registered
    assert wrong_slots(again.log_likelihood, STARTING_POSITION) == []


def test_a_board_that_creeps_is_followed_without_a_word() -> None:
    """The arm of the camera sinks by a fifth of a pixel from one look to the next."""
    reader, first, _ = learned_and_moved([[1, 0, 0.0], [0, 1, 0.0]])
    assert reader.geometry is not None
    corners = reader.geometry.corners
    h, w = first.shape[:2]
    for i in range(1, 61):
        by = np.array([[1.0, 0.0, 0.15 * i], [0.0, 1.0, 0.1 * i]])
        sunk: Any = cv2.warpAffine(first, by, (w, h), borderMode=cv2.BORDER_REPLICATE)
        seen = reader.look(Frame(sunk, 6.0 * i, 50 * i))
        assert seen.settled and seen.registered
        assert wrong_slots(seen.log_likelihood, STARTING_POSITION) == []
    assert reader.geometry.corners == pytest.approx(corners + np.array([9.0, 6.0]), abs=2.2)


def test_a_board_pushed_beyond_the_reach_of_its_landmarks_is_looked_for_again() -> None:
    reader, first, moved = learned_and_moved([[1.0, 0.0, 60.0], [0.0, 1.0, 0.0]])
    assert BumpWatch(reader.geometry, first).compare(moved).state == "unsure"
    sighting = reader.look(Frame(moved, 1.0, 50))
    assert sighting.gate is Gate.BOARD_MOVED and not sighting.registered
    again = reader.look(Frame(moved, 1.1, 51))
    assert again.settled and again.registered
    assert wrong_slots(again.log_likelihood, STARTING_POSITION) == []


def test_a_lost_board_is_looked_for_at_longer_and_longer_pauses_until_it_is_seen_in_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = board_without_cube("travel")
    reader = board.reader()
    frame = board.frame()
    reader.look(frame)
    searched: list[float] = []
    says: list[State] = ["unsure"]
    monkeypatch.setattr(reader_module, "REFRESH_EVERY", 1)
    monkeypatch.setattr(BumpWatch, "compare", lambda *_: Bump(says[0], 0.0, 0.0, None))
    monkeypatch.setattr(place_module, "found_again", lambda *_: searched.append(now))
    # (Only these two pictures look as if the board had moved since the one before.)
    monkeypatch.setattr(BumpWatch, "may_have_moved", lambda *_: now in (1.0, 11.0))
    for now in (1.0, 1.5, 2.0, 3.0, 4.0, 7.0, 8.0):
        assert reader._known_already(replace(frame, time=now))[1] is None
    assert searched == [1.0, 2.0, 4.0, 8.0]
    for says[0], now in (("steady", 9.0), ("unsure", 10.0), ("unsure", 11.0)):
        reader._known_already(replace(frame, time=now))
    assert searched[4:] == [11.0], "as at first"


def test_a_lost_board_is_looked_for_when_it_has_been_lost_for_as_long_as_a_search_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Out of focus for four seconds, it was looked for for half a minute (`bench campaign --seed 1900006 --slow 15`)."""
    board = board_without_cube("travel")
    reader = board.reader()
    frame = board.frame()
    reader.look(frame)
    reader.budget.note("first", 2.0)
    assert reader.budget.search > SEARCHED_AFTER
    searched: list[float] = []
    monkeypatch.setattr(reader_module, "REFRESH_EVERY", 1)
    monkeypatch.setattr(BumpWatch, "compare", lambda *_: Bump("unsure", 0.0, 0.0, None))
    monkeypatch.setattr(BumpWatch, "may_have_moved", lambda *_: True)
    monkeypatch.setattr(place_module, "found_again", lambda *_: searched.append(now))
    for now in (1.0, 5.0, 8.9):
        said = reader._known_already(replace(frame, time=now))[1]
        # (Until then nobody can say whether it lies where it lay.)
        assert said is not None and said.gate is Gate.NO_BOARD
    assert not searched
    now = 9.1
    assert reader._known_already(replace(frame, time=now))[1] is None
    assert searched == [9.1]


def test_a_lost_board_that_is_found_where_it_lay_is_lost_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    board = board_without_cube("travel")
    reader = board.reader()
    frame = board.frame()
    reader.look(frame)
    monkeypatch.setattr(BumpWatch, "compare", lambda *_: Bump("unsure", 0.0, 0.0, None))
    for found, lost in ((None, True), (reader.geometry, False)):
        monkeypatch.setattr(place_module, "found_again", lambda *_, found=found: found)
        frame = replace(frame, time=frame.time + 5.0)
        assert reader._place.moved_to(frame) is None
        assert (reader.state.learned.lost is not None) == lost


def test_no_board_is_looked_for_in_a_picture_out_of_focus(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever knocked the lens has moved no board; the search would keep the next pictures waiting (815001: 11 s of a fast processor)."""
    board = board_without_cube("travel")
    reader = board.reader()
    frame = board.frame()
    reader.look(frame)
    searched: list[bool] = []
    monkeypatch.setattr(place_module, "found_again", lambda *_: searched.append(True))
    # (Smeared landmarks resemble each other: the watch had started anew with such a picture, and found the next ones sharp; 1615009.)
    monkeypatch.setattr(BumpWatch, "_wide", lambda *_: Bump("moved", 30.0, 0.9, reader.geometry))
    monkeypatch.setattr(BumpWatch, "restart", lambda *_: searched.append(True))
    blurred = replace(frame, image=cv2.GaussianBlur(frame.image, (0, 0), 4.0), time=frame.time + 5.0)
    assert reader._place.moved_to(blurred) is None
    assert not searched and reader.state.learned.lost is None


def test_who_looks_anew_at_the_same_place_keeps_what_was_seen_there() -> None:
    reader, _, _ = learned_and_moved([[1, 0, 0.0], [0, 1, 0.0]])
    geometry, blind, canvas, finder = reader.geometry, reader.blind, reader.canvas, reader.finder
    assert geometry is not None
    reader._place.look_at(geometry)
    assert reader.blind is blind and reader.canvas is canvas
    assert reader.finder is not finder, "what is read with the learned look goes with it"
    reader._place.look_at(replaced_corners(geometry))
    assert reader.blind is not blind and reader.canvas is not canvas


def replaced_corners(geometry: BoardGeometry) -> BoardGeometry:
    return BoardGeometry(geometry.profile, geometry.corners + 3.0, geometry.image_size)
