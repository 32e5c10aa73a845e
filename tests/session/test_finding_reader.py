"""The first minute: who sits where is read from the starting position before anything is learned."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pi_board.frame import Frame
from pi_board.session.finding_reader import ON_ITS_SIDE, FindingReader
from pi_board.session.sitting import Sitting
from pi_board.vision.options import VisionOptions
from pi_board.vision.profile import load_profile
from pi_board.vision.reader import BoardReader
from tests.vision.simulated_board import PROFILES, SimulatedBoard


def after_a_few_looks(reader: FindingReader, image: np.ndarray) -> FindingReader:
    for i in range(8):
        reader.look(Frame(image, 0.5 * i, i))
        if reader.reader is not None and reader.reader.appearance is not None:
            break
    return reader


@pytest.mark.parametrize(("near", "home"), [("dark", "right"), ("dark", "left")])
def test_colours_are_told_before_they_are_learned(near: str, home: str) -> None:
    image = SimulatedBoard("wood", seed=5, near=near, home=home).frame().image
    reader = after_a_few_looks(FindingReader(load_profile(PROFILES["wood"])), image)
    assert (reader.near, reader.home) == (near, home)
    assert reader.reader is not None and reader.reader.appearance is not None


def test_a_reader_that_is_replaced_keeps_no_pictures() -> None:
    image = SimulatedBoard("wood", seed=5).frame().image
    reader = after_a_few_looks(FindingReader(load_profile(PROFILES["wood"])), image)
    first = reader.reader
    assert first is not None and first.appearance is not None and reader.registration is not None
    reader._read_from(reader.registration)
    assert reader.reader is not first and first.appearance is None and first.state.pace.image is None


def test_a_camera_beside_the_board_is_told_to_turn() -> None:
    """Not before the whole search was in vain; nobody is told so of a table without a board."""
    image = SimulatedBoard("travel", seed=5).frame().image
    for picture, told in ((np.rot90(image).copy(), True), (np.full_like(image, 90), False)):
        reader = FindingReader(load_profile("generic"))
        notes = [reader.look(Frame(picture, 0.5 * i, i)).note for i in range(4)]
        assert reader.reader is None and ON_ITS_SIDE not in notes[:1]
        assert (ON_ITS_SIDE in notes) == told


def test_a_persons_word_on_the_colours_stands() -> None:
    image = SimulatedBoard("wood", seed=5, near="dark").frame().image
    reader = FindingReader(load_profile(PROFILES["wood"]), near="light", seated=True)
    assert after_a_few_looks(reader, image).near == "light"


@pytest.mark.parametrize("folder", [False, True], ids=["live", "a folder of finished moments"])
def test_a_board_found_a_column_aside_is_found_anew(folder: bool) -> None:
    board, options = SimulatedBoard("wood", seed=6), VisionOptions(motion=not folder)
    image, reader = board.frame().image, FindingReader(load_profile(PROFILES["wood"]), options=options)
    reader.look(Frame(image, 0.0, 0))
    right = reader.registration
    assert right is not None
    aside = right.corners + (right.corners[1] - right.corners[0]) * 0.077
    reader = FindingReader(load_profile(PROFILES["wood"]), options=options)
    reader.registration = replace(right, corners=aside, bar_edges=None)
    reader.reader = BoardReader(reader.profile, registration=reader.registration, options=options)
    for i in range(1, 40):
        reader.look(Frame(image, 0.5 * i, i, name=f"{i // 4}.png" if folder else ""))
        if reader.reader.appearance is not None:
            break
        assert i < 7 or not folder, "the start lies in two pictures, each of them is looked at four times"
    assert reader.registration is not None
    width = float(np.linalg.norm(board.corners()[1] - board.corners()[0]))
    assert np.linalg.norm(reader.registration.corners - board.corners(), axis=1).max() < 0.02 * width
    assert reader.reader.appearance is not None


@pytest.mark.parametrize("folder", [True, False])
def test_only_pictures_of_finished_moments_are_looked_at_as_photos_are(folder: bool) -> None:
    options = Sitting.for_recording(key_frames=folder).reader.options
    assert (options.motion, options.careful) == (not folder, folder)
