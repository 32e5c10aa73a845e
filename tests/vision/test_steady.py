"""Pictures of a camera whose arm sways, as they were when it hung still."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from pi_board.frame import Frame
from pi_board.simulator.things import Hand
from pi_board.vision.gate import FrameGate
from pi_board.vision.options import VisionOptions
from pi_board.vision.steady import SteadyView
from tests.vision.simulated_board import SimulatedBoard

Image = npt.NDArray[np.uint8]
HAND = Hand(2.0, -6.0, 3.0, 90.0)


def swayed(image: Image, dx: float, dy: float) -> Image:
    by = np.array([[1.0, 0.0, dx], [0.0, 1.0, dy]])
    high, wide = image.shape[:2]
    return np.asarray(cv2.warpAffine(image, by, (wide, high), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def inside(image: Image) -> npt.NDArray[np.float32]:
    """Without the margin that a picture which has swayed does not show, and without its noise."""
    return cv2.GaussianBlur(image[24:-24, 24:-24].astype(np.float32), (0, 0), 1.5)


@pytest.mark.parametrize("by", [(3.0, -2.0), (-0.4, 0.7), (0.0, 6.3), (-5.5, -5.5)])
@pytest.mark.parametrize(
    ("hands", "darker"),
    [((), 0), ((HAND,), 0), ((), 14)],
    ids=["as it was", "a hand has come", "a cloud has come"],
)
def test_a_picture_that_has_swayed_is_put_back(
    by: tuple[float, float], hands: tuple[Hand, ...], darker: int
) -> None:
    board = SimulatedBoard("wood")
    view = SteadyView()
    view.rests(board.frame().image)
    now = board.frame(hands)
    image = cv2.subtract(now.image, (darker, darker, darker, 0))
    off = np.abs(inside(swayed(image, *by)) - inside(image)).mean()
    steadied = view.steadied(replace(now, image=swayed(image, *by)))
    assert np.abs(inside(steadied.image) - inside(image)).mean() < 0.35 * off
    assert (steadied.time, steadied.seq) == (now.time, now.seq)


def test_one_that_hangs_still_is_left_as_it_is() -> None:
    board = SimulatedBoard("wood")
    view = SteadyView()
    first = board.frame()
    assert view.steadied(first) is first, "nothing is known of it"
    view.rests(first.image)
    for hands in ((), (HAND,)):
        frame = board.frame(hands)
        assert view.steadied(frame) is frame


@pytest.mark.parametrize("why", ["pushed far", "dark", "of another size", "another board"])
def test_what_cannot_be_told_is_left_as_it_is(why: str) -> None:
    view, first = SteadyView(), SimulatedBoard("wood").frame()
    view.rests(first.image)
    image = {
        "pushed far": swayed(first.image, 60.0, 0.0),
        "dark": np.zeros((540, 960, 3), np.uint8),
        "of another size": np.zeros((480, 640, 3), np.uint8),
        "another board": SimulatedBoard("travel", seed=7).frame().image,
    }[why]
    frame = Frame(image, 1.0, 1)
    assert view.steadied(frame) is frame


def swaying(seconds: float) -> tuple[list[bool], list[Image]]:
    """Whether each picture of ten a second may be read when the camera sways by 3 px from the second second on, and all of them."""
    gate, board = FrameGate(VisionOptions()), SimulatedBoard("wood")
    read, given = [], []
    for i in range(round(10 * seconds)):
        time = 0.1 * i
        frame = replace(board.frame(), time=time)
        if time > 2.0:
            by = 3.0 * np.sin(2 * np.pi * 2.3 * time)
            frame = replace(frame, image=swayed(frame.image, by, 0.4 * by))
        frame = gate.steadied(frame)
        given.append(frame.image)
        read.append(gate.check(frame) is None)
    return read, given


def test_a_table_is_read_while_its_camera_sways() -> None:
    read, given = swaying(6.0)
    assert all(read[10:20]) and np.mean(read[20:]) > 0.9
    still = inside(given[15])
    assert all(np.abs(inside(image) - still).mean() < 1.5 for image in given[21:])


def test_a_camera_that_was_pushed_is_taken_as_it_hangs_now() -> None:
    """Its landmarks follow the board (`BumpWatch`); nobody puts the picture back for ever."""
    gate, board = FrameGate(VisionOptions()), SimulatedBoard("wood")
    for i in range(20):
        gate.steadied(replace(board.frame(), time=0.1 * i))
    for i in range(20, 40):
        frame = board.frame()
        frame = replace(frame, time=0.1 * i, image=swayed(frame.image, 5.0, 0.0))
        steadied = gate.steadied(frame)
    assert steadied is frame


def test_pictures_of_a_folder_are_no_camera_that_sways() -> None:
    gate, board = FrameGate(VisionOptions(motion=False)), SimulatedBoard("wood")
    first = board.frame()
    other = replace(first, image=swayed(first.image, 3.0, 0.0))
    assert [gate.steadied(frame) is frame for frame in (first, first, other)] == [True] * 3
