"""What the uncalibrated reader sees of a board in play: the networks' evidence, remembered while nothing changes."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from pi_board.rules import STARTING_POSITION, Position
from pi_board.sighting import COUNTS, SLOTS, ZERO
from pi_board.vision.board.canvas import Canvas
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.checkers import blind
from pi_board.vision.checkers import slot_network as network
from pi_board.vision.checkers.blind import BlindReader, Seen
from pi_board.vision.checkers.kept_slots import KeptSlots
from pi_board.vision.checkers.known_position import signed_counts
from pi_board.vision.profile import load_profile
from pi_board.vision.training.pictures import make_photo
from tests.vision.simulated_board import SimulatedBoard, random_positions, wrong_slots


def test_evidence_keeps_the_sighting_contract() -> None:
    photo = make_photo(np.random.default_rng(9_000_003), hardness=0.0, hand=False)
    h, w = photo.image.shape[:2]
    evidence = (
        BlindReader(BoardGeometry(load_profile("generic"), photo.corners, (w, h)))
        .read(photo.image)
        .evidence()
    )
    assert evidence.shape == (SLOTS, COUNTS)
    assert np.isfinite(evidence).all()
    assert (evidence[26:] == 0).all()
    assert (evidence[24, :ZERO] < -20).all()  # light on the bar is never negative
    assert (evidence[25, ZERO + 1 :] < -20).all()


@pytest.mark.parametrize(("style", "light"), [("travel", "sun"), ("felt", "sun"), ("wood", "window")])
def test_positions_are_read_in_any_light(style, light) -> None:
    board = SimulatedBoard(style, light=light, tilt=12.0, seed=3)
    for position in random_positions(2, seed=5, plies=3):
        board.scene.set_position(position)
        frame = board.frame()
        geometry = BoardGeometry(board.reader().profile, board.corners(), frame.image.shape[1::-1])
        assert wrong_slots(BlindReader(geometry).read(frame.image).evidence(), position) == []


@pytest.mark.parametrize(("position", "told"), [
    (STARTING_POSITION, True),
    (Position((0,) * 5 + (2, 0, 0, 3) + (0,) * 7 + (-1,) + (0,) * 7, (0, 0), (10, 14)), True),
    (Position((0, 0, 1) + (0,) * 18 + (-1, 0, 0), (0, 0), (14, 14)), False),  # two points may both be mistaken
])  # fmt: skip
def test_the_sides_keep_their_names(position: Position, told: bool) -> None:
    counts = signed_counts(position)
    points = np.full((24, COUNTS), -9.0)
    points[np.arange(24), counts[:24] + ZERO] = 0.0
    seen = Seen(points, np.zeros((2, 8)), np.zeros(24), np.zeros((78, 88, 4), np.float32))
    assert seen.named_as(counts) is seen
    renamed = seen.with_other_names().named_as(counts)
    assert (renamed.points == points).all() == told


def test_how_many_it_tells_and_of_long_rows_that_they_are_some() -> None:
    counts = signed_counts(Position((2, -6, *(0,) * 22), (1, 0), (12, 9)))
    points, bar = np.full((24, COUNTS), -9.0), np.full((2, 8), -9.0)
    points[np.arange(24), counts[:24] + ZERO] = 0.0
    bar[0, 1] = bar[1, 0] = 0.0
    seen = Seen(points, bar, np.zeros(24), np.zeros((78, 88, 4), np.float32))
    told = [
        (0, 0, 2),
        (0, 0, 1),
        (0, 1, 2),
        (1, 1, 6),
        (1, 1, 5),
        (1, 1, 3),
        (1, 0, 6),
        (24, 0, 1),
        (25, 1, 1),
    ]
    assert [seen.tells(*one) for one in told] == [True, False, False, True, True, False, False, True, False]


def test_an_unchanged_board_is_not_looked_at_again_for_a_while(monkeypatch) -> None:
    board = SimulatedBoard("wood")
    reader = board.reader()
    frame = board.frame()
    eye = BlindReader(
        reader.geometry or BoardGeometry(reader.profile, board.corners(), frame.image.shape[1::-1])
    )
    looks = []
    score = KeptSlots.score
    monkeypatch.setattr(KeptSlots, "score", lambda *a: looks.append(1) or score(*a))
    first = eye.look_again(frame.image)
    for _ in range(blind._TRUSTED - 1):
        assert eye.look_again(board.frame().image) is first  # the same but for the camera's noise
    assert len(looks) == 1
    assert eye.look_again(board.frame().image) is not first
    assert len(looks) == 2
    points = list(STARTING_POSITION.points)
    points[5], points[4] = 4, 1
    board.scene.set_position(type(STARTING_POSITION)(tuple(points), (0, 0), (0, 0)))
    moved = eye.look_again(board.frame().image)
    assert len(looks) == 3
    assert (moved.points[[4, 5]].argmax(axis=1) - ZERO).tolist() == [1, 4]


@pytest.mark.parametrize(
    ("careful", "plain", "mirrored"), [(True, False, 1), (True, True, 0), (False, False, 0)]
)
def test_a_picture_that_is_looked_at_once_is_seen_in_its_mirror_images_where_it_is_not_plain(
    monkeypatch: pytest.MonkeyPatch, careful: bool, plain: bool, mirrored: int
) -> None:
    board, looks = SimulatedBoard("wood"), []
    frame, score = board.frame(), network.score_mirrored
    geometry = BoardGeometry(load_profile("classic-wood"), board.corners(), frame.image.shape[1::-1])
    monkeypatch.setattr(blind, "_plain", lambda scores: plain)
    monkeypatch.setattr(network, "score_mirrored", lambda *a, **k: looks.append(1) or score(*a, **k))
    seen = BlindReader(geometry, careful=careful).look_again(frame.image)
    assert len(looks) == mirrored
    assert (seen.points.argmax(axis=1) - ZERO).tolist() == list(STARTING_POSITION.points)


def test_checkers_are_where_they_stand() -> None:
    board = SimulatedBoard("travel")
    frame = board.frame()
    geometry = BoardGeometry(load_profile("jumbo-travel"), board.corners(), frame.image.shape[1::-1])
    canvas, eye = Canvas(geometry), BlindReader(geometry)
    mask = eye.checkers(eye.read(frame.image), canvas)
    assert mask.shape == (canvas.height, canvas.width)
    on, off = [], []
    for point, count in enumerate(STARTING_POSITION.points, 1):
        column, row = eye.orientation.column_of(point)
        for i in range(5):
            x, y, _ = geometry.checker_place(column, row, i)
            u, v = canvas.place([[x, y]])[0]
            (on if i < abs(count) else off).append(bool(mask[round(v), round(u)]))
    assert np.mean(on) > 0.9
    assert not any(off)


@pytest.mark.parametrize(("blurred", "views"), [(0, 1), (9, 4)])
def test_only_what_is_not_plain_is_seen_in_the_mirror(
    monkeypatch: pytest.MonkeyPatch, blurred: int, views: int
) -> None:
    board = SimulatedBoard("travel", size=(1280, 720))
    image = board.frame().image
    reader = BlindReader(board.reader()._given)
    if blurred:
        image = cv2.GaussianBlur(image, (0, 0), blurred)
    seen, score = [], network.score
    monkeypatch.setattr(network, "score", lambda canvas, *a: (seen.append(canvas), score(canvas, *a))[1])
    reader.read_photo(image)
    assert len(seen) == views
