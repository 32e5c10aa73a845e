"""Cameras that misbehave on purpose; module-level, so that a child process can make them."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np

from pi_board.camera import CameraOptions
from pi_board.camera.base import FrameSource
from pi_board.errors import CameraError
from pi_board.frame import Frame


class Scripted(FrameSource):
    """Noise pictures; after `good` of them it does what its source says."""

    def __init__(self, options: CameraOptions, good: int = 3) -> None:
        self.description = "scripted camera"
        self.fault = Path(options.source).name
        # A marker file tells a restarted child that it is the second one, which works.
        self.marker = Path(options.source + ".started")
        self.first = not self.marker.exists()
        self.marker.touch()
        self.good = good
        self.seq = -1
        self.rng = np.random.default_rng(1)
        if self.fault == "open_hangs" and self.first:
            time.sleep(60)
        if self.fault == "open_fails":
            raise CameraError("camera 0: not connected")

    def read(self, timeout: float | None = None) -> Frame | None:
        time.sleep(0.01)
        self.seq += 1
        image = self.rng.integers(20, 200, (96, 128, 3), np.uint8)
        if self.first and self.seq >= self.good:
            if self.fault == "read_hangs":
                time.sleep(60)
            if self.fault == "dies":
                os._exit(3)
            if self.fault == "raises":
                raise CameraError("camera 0: unplugged")
            if self.fault == "breaks":
                raise RuntimeError("VIDIOC_DQBUF: no such device\nsecond line")
            if self.fault == "freezes":
                image[:] = 77
            if self.fault == "black":
                image = self.rng.integers(0, 2, image.shape, np.uint8)
        return Frame(image, time.monotonic(), self.seq, {"gain": 2.0}, "x")

    def close(self) -> None:
        if self.fault == "stop_hangs":
            time.sleep(60)


def scripted(options: CameraOptions) -> Scripted:
    return Scripted(options)


def scripted_in_a_turn(options: CameraOptions) -> Scripted:
    """Fails only after a game has begun."""
    return Scripted(options, good=20)


class Resting(FrameSource):
    """A still scene. Once there is a file "go" beside its source, it soon begins to move; then "moving" says which picture was the
    last still one."""

    def __init__(self, options: CameraOptions) -> None:
        self.description = "resting camera"
        self.folder = Path(options.source).parent
        self.seq, self.gone = -1, 0

    def read(self, timeout: float | None = None) -> Frame | None:
        time.sleep(0.005)
        self.seq += 1
        self.gone += (self.folder / "go").exists()
        image = np.full((96, 128, 3), 50, np.uint8)
        if self.gone > 5:
            image[20:60, 10 * (self.seq % 8) :][:, :40] = 200
        if self.gone == 14:
            (self.folder / "moving.part").write_text(str(self.seq - 9))
            (self.folder / "moving.part").rename(self.folder / "moving")
        return Frame(image, self.seq / 10, self.seq)


def resting(options: CameraOptions) -> Resting:
    return Resting(options)
