"""Backends by name, and what is said when they cannot be had."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_board.camera import BACKENDS, Camera, CameraOptions, open_camera
from pi_board.camera.opencv import OpenCVCamera
from pi_board.camera.pacing import Metronome
from pi_board.errors import CameraError, InvalidFileError, InvalidSettingsError


def make_video(path: Path, frames: int = 5) -> None:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 8.0, (64, 48))
    assert writer.isOpened()
    for i in range(frames):
        writer.write(np.full((48, 64, 3), 40 * i, np.uint8))
    writer.release()


def test_video_file_frame_by_frame(tmp_path: Path) -> None:
    path = tmp_path / "game.avi"
    make_video(path)
    with open_camera(CameraOptions(backend="opencv", source=str(path))) as camera:
        assert isinstance(camera, Camera) and camera.finite and "64×48" in camera.description
        frames = list(camera.frames())
        assert camera.read() is None
    assert [f.seq for f in frames] == list(range(5))
    assert [f.time for f in frames] == pytest.approx([i / 8 for i in range(5)])
    levels = [float(f.image.mean()) for f in frames]
    assert levels == pytest.approx([0, 40, 80, 120, 160], abs=4)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.mp4", None, "no such video file"),
        ("empty.mp4", b"", "empty"),
        ("text.mp4", b"this is no video" * 50, "not a video that can be decoded"),
    ],
)
def test_bad_video_is_one_line(tmp_path: Path, name: str, content: bytes | None, message: str) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InvalidFileError, match=message) as caught:
        open_camera(CameraOptions(backend="opencv", source=str(path)))
    assert "\n" not in str(caught.value)


def test_missing_webcam(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="cannot be opened"):
        open_camera(CameraOptions(backend="opencv", source="97", supervise=False))


class FakeWebcam:
    """A webcam of `rate` frames/s and `seconds` of them, on a clock that only its own pictures move."""

    rate, seconds = 30.0, 4.0

    def __init__(self, *_: object) -> None:
        self.now, self.decoded = 0.0, 0
        FakeWebcam.last = self

    def isOpened(self) -> bool:
        return True

    def set(self, *_: object) -> bool:
        return True

    def get(self, _: int) -> float:
        return self.rate

    def grab(self) -> bool:
        self.now += 1 / self.rate
        return self.now < self.seconds

    def retrieve(self) -> tuple[bool, np.ndarray]:
        self.decoded += 1
        return True, np.full((48, 64, 3), 90, np.uint8)

    def read(self) -> tuple[bool, np.ndarray]:
        self.grab()
        return self.retrieve()

    def release(self) -> None: ...


@pytest.mark.parametrize(("rate", "decoded"), [(30.0, 40), (25.0, 40), (10.0, 40), (7.5, 30)])
def test_a_webcam_is_not_read_faster_than_asked(
    monkeypatch: pytest.MonkeyPatch, rate: float, decoded: int
) -> None:
    monkeypatch.setattr(FakeWebcam, "rate", rate)
    monkeypatch.setattr("pi_board.camera.opencv.cv2.VideoCapture", FakeWebcam)
    camera = OpenCVCamera("0", fps=10.0, timeout=5.0, clock=lambda: FakeWebcam.last.now)
    with pytest.raises(CameraError, match="stopped delivering"):
        while camera.read() is not None:
            pass
    assert abs(FakeWebcam.last.decoded - decoded) <= 2
    camera.close()


def test_unknown_backend_names_the_known_ones() -> None:
    with pytest.raises(InvalidSettingsError, match="expected one of") as caught:
        open_camera(CameraOptions(backend="webcam"))
    assert all(b in str(caught.value) for b in BACKENDS) and "'webcam'" in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"width": 10}, "width"),
        ({"fps": 0}, "fps"),
        ({"timeout": -1}, "timeout"),
        ({"rotate": 45}, "rotate"),
        ({"cheat": 1.5}, "cheat"),
        ({"backend": ""}, "backend"),
        ({"backend": "picamera2", "source": "front"}, "source"),
    ],
)
def test_options_out_of_range(changes: dict, key: str) -> None:
    with pytest.raises(InvalidSettingsError, match=f"^{key}: expected .* got"):
        CameraOptions(**changes)


def test_simulated_is_a_backend_like_any_other() -> None:
    options = CameraOptions(backend="simulated", width=320, height=180, seed=4, pace="sparse", fps=5)
    with open_camera(options) as camera:
        first, second = camera.read(), camera.read()
    assert first is not None and second is not None
    assert first.image.shape == (180, 320, 3) and first.image.dtype == np.uint8
    assert (first.seq, second.seq) == (0, 1) and second.time - first.time == pytest.approx(0.2)
    assert not np.array_equal(first.image, second.image), "every picture has its own noise"


def test_metronome_holds_the_beat_and_forgets_lost_time() -> None:
    now = [0.0]
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    beat = Metronome(10, True, clock=lambda: now[0], sleep=sleep)
    for _ in range(3):
        beat.wait()
    assert slept == pytest.approx([0.1, 0.1])
    now[0] += 5
    beat.wait()
    beat.wait()
    assert slept == pytest.approx([0.1, 0.1, 0.1])
