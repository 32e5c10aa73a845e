"""Each reason not to read a frame is a state of its own."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from pi_board.frame import Frame
from pi_board.sighting import Gate
from pi_board.vision.gate import FrameGate, obstacle, zone
from pi_board.vision.options import VisionOptions

RNG = np.random.default_rng(3)
TEXTURE = cv2.resize(
    RNG.integers(30, 200, (45, 80, 3)).astype(np.uint8), (640, 360), interpolation=cv2.INTER_NEAREST
)


def frame(image: np.ndarray, seq: int, noise: float = 2.0) -> Frame:
    noisy = np.clip(image + np.random.default_rng(seq).normal(0, noise, image.shape), 0, 255).astype(np.uint8)
    return Frame(noisy, seq * 0.1, seq)


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        (TEXTURE, None),
        (np.zeros_like(TEXTURE), Gate.DARK),
        ((TEXTURE * 0.02).astype(np.uint8), Gate.DARK),
        ((TEXTURE * 0.3).astype(np.uint8), None),
        (np.full_like(TEXTURE, 255), Gate.OVEREXPOSED),
        (np.full_like(TEXTURE, 120), Gate.BLOCKED),
    ],
)
def test_light_of_a_single_picture(image: np.ndarray, expected: Gate | None) -> None:
    gate = FrameGate(VisionOptions(motion=False))
    assert gate.check(Frame(image, 0.0, 0)) is expected


def test_motion_until_the_scene_has_been_still_for_a_while() -> None:
    gate = FrameGate(VisionOptions(still_seconds=0.3))
    states = []
    for seq in range(14):
        image = TEXTURE.copy()
        x = 60 * min(seq, 6)
        image[100:220, x : x + 80] = (90, 120, 180)
        states.append(gate.check(frame(image, seq)))
    assert states[:7] == [Gate.MOVING] * 7
    assert states[-3:] == [None] * 3


def test_a_scene_known_to_be_at_rest_is_read_at_once_but_its_change_is_told_first() -> None:
    gate = FrameGate(VisionOptions(still_seconds=0.3))
    for seq in range(5):
        gate.check(frame(TEXTURE, seq))
    played = TEXTURE.copy()
    played[100:220, 60:140] = (90, 120, 180)
    missed = replace(frame(played, 20), rested=1.0)
    assert [gate.check(missed), gate.check(missed)] == [Gate.MOVING, None]
    assert gate.check(frame(TEXTURE, 21)) is Gate.MOVING


@pytest.mark.parametrize("noise", [0.0, 3.0, 8.0])
def test_noise_and_a_lamp_are_no_motion(noise: float) -> None:
    gate = FrameGate(VisionOptions(still_seconds=0.0))
    for seq in range(4):
        assert gate.check(frame(TEXTURE // 2 + 4 * seq, seq, noise)) is None


def test_reset_forgets_the_last_frame() -> None:
    gate = FrameGate(VisionOptions(still_seconds=0.2))
    for seq in range(5):
        gate.check(frame(TEXTURE, seq))
    assert gate.check(frame(TEXTURE, 5)) is None
    gate.reset()
    assert gate.check(frame(TEXTURE, 6)) is Gate.MOVING


def test_obstacle_needs_to_reach_the_board(canvas) -> None:
    watch = zone(canvas)
    beside = np.zeros(watch.shape, bool)
    beside[:, :6] = True
    assert obstacle(beside & ~watch, watch, canvas) is None
    arm = np.zeros(watch.shape, bool)
    arm[canvas.height // 2 - 20 : canvas.height // 2 + 20, : canvas.width // 3] = True
    found = obstacle(arm, watch, canvas)
    assert found is not None and found.enters and found.area > 5
    thing = np.zeros(watch.shape, bool)
    thing[canvas.height // 2 - 15 : canvas.height // 2 + 15, canvas.width // 2 : canvas.width // 2 + 30] = (
        True
    )
    found = obstacle(thing, watch, canvas)
    assert found is not None and not found.enters


def test_a_tray_is_no_part_of_the_watched_zone(canvas) -> None:
    plain = zone(canvas)
    profile = replace(canvas.profile, trays="right")
    from pi_board.vision.board.canvas import Canvas
    from pi_board.vision.board.geometry import BoardGeometry

    with_tray = zone(Canvas(BoardGeometry(profile, canvas.geometry.corners, canvas.geometry.image_size)))
    assert with_tray.sum() < plain.sum()
