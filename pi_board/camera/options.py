"""Settings of the camera: section [camera] of the settings file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from pi_board.errors import InvalidSettingsError

Backend = Literal["simulated", "opencv", "folder", "picamera2"]
BACKENDS: tuple[str, ...] = ("simulated", "opencv", "folder", "picamera2")


def is_live(source: str) -> bool:
    """A device or stream, which has no end, not a file: "0", "/dev/video0", "rtsp://…"."""
    return source.isdigit() or source.startswith("/dev/") or "://" in source


def _number(key: str, value: float, least: float, most: float, what: str) -> None:
    if not least <= value <= most:
        raise InvalidSettingsError(f"{key}: expected {what}, got {value}")


@dataclass(frozen=True, slots=True)
class CameraOptions:
    """Which camera, and how it is run.

    backend: picamera2 (the Pi's own), opencv (webcam, video file, stream), folder (pictures in name order) or
        simulated. A name that is none of these is refused by `open_camera`, with the known ones.
    source: webcam index, path or URL for opencv; path for folder; camera number for picamera2.
    width, height: pixels asked for (a video or folder keeps its own). fps: frames per second asked for, and the
        pace of a folder's and the simulator's clock.
    timeout: seconds that one frame may take before the camera counts as not working.
    start_timeout: seconds that opening it may take.
    supervise: run it in a process of its own, where a hanging driver can be killed and restarted.
    restart_delay: seconds before the first restart; doubles up to `restart_delay_max`.
    black_after, frozen_after: seconds of black or bit-identical pictures that count as a fault (0 = never).
    realtime: a video, folder or simulation is paced by the wall clock instead of as fast as it is read.
    repeat: a folder starts again after its last picture.
    rotate: degrees by which pictures are turned clockwise: 180 when the camera hangs upside down, 90 or 270 when it stands beside the board.
    lens: file of a measured lens, which is then taken out of every picture; empty = none (pi-board calibrate --lens).
    focus_cm: distance from lens to board, centimetres, for a camera with a focus motor; 0 = it focuses by itself, then holds.
    mains: hertz of the room's lamps, 50 or 60; 0 = by the time zone. Exposures are whole flickers of these.
    lock: exposure, gain, white balance and focus are held after they have settled (where the camera can).
    exposure_us, gain: fixed exposure (microseconds) and gain; 0 = the camera's own choice, then held.
    seed, style, cheat, pace: of the simulated camera.
    """

    backend: str = "picamera2"
    source: str = "0"
    width: int = 1280
    height: int = 720
    fps: float = 10.0
    timeout: float = 1.5
    start_timeout: float = 15.0
    supervise: bool = True
    restart_delay: float = 0.5
    restart_delay_max: float = 5.0
    black_after: float = 1.5
    frozen_after: float = 1.5
    realtime: bool = False
    repeat: bool = False
    rotate: int = 0
    lens: str = ""
    focus_cm: float = 0.0
    mains: int = 0
    lock: bool = True
    exposure_us: int = 0
    gain: float = 0.0
    seed: int = 1
    style: str = "travel"
    cheat: float = 0.0
    pace: str = "natural"

    def __post_init__(self) -> None:
        if not self.backend:
            raise InvalidSettingsError(f"backend: expected one of {', '.join(BACKENDS)}, got nothing")
        _number("width", self.width, 160, 8192, "160 to 8192 pixels")
        _number("height", self.height, 120, 8192, "120 to 8192 pixels")
        _number("fps", self.fps, 0.1, 240, "0.1 to 240 frames per second")
        _number("timeout", self.timeout, 0.1, 600, "0.1 to 600 seconds")
        _number("start_timeout", self.start_timeout, 0.5, 600, "0.5 to 600 seconds")
        _number("restart_delay", self.restart_delay, 0, 60, "0 to 60 seconds")
        _number("restart_delay_max", self.restart_delay_max, 0, 600, "0 to 600 seconds")
        _number("black_after", self.black_after, 0, 600, "0 (never) to 600 seconds")
        _number("frozen_after", self.frozen_after, 0, 600, "0 (never) to 600 seconds")
        if self.rotate not in (0, 90, 180, 270):
            raise InvalidSettingsError(f"rotate: expected 0, 90, 180 or 270 degrees, got {self.rotate}")
        _number("focus_cm", self.focus_cm, 0, 500, "0 (by itself) to 500 centimetres")
        if self.mains not in (0, 50, 60):
            raise InvalidSettingsError(
                f"mains: expected 50 or 60 hertz, or 0 (by the time zone), got {self.mains}"
            )
        _number("exposure_us", self.exposure_us, 0, 10_000_000, "0 (automatic) to 10000000 microseconds")
        _number("gain", self.gain, 0, 100, "0 (automatic) to 100")
        _number("cheat", self.cheat, 0, 1, "a probability from 0 to 1")
        if self.backend == "picamera2" and not re.fullmatch(r"\d+", self.source):
            raise InvalidSettingsError(
                f"source: expected the camera's number for picamera2, got {self.source!r}"
            )
