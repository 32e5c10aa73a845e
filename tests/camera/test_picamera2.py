"""The Pi camera's backend against a stand-in of picamera2 that behaves (and misbehaves) like it."""

from __future__ import annotations

import sys
import types
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest

from pi_board.camera import CameraOptions
from pi_board.camera.light_watch import LightWatch, brightness_grid
from pi_board.camera.picamera2_camera import PicameraCamera, allowed_controls, to_bgr
from pi_board.errors import CameraError

PICTURE = np.zeros((48, 64, 3), np.uint8)
PICTURE[:, :32] = (200, 60, 30)
PICTURE[:, 32:] = (20, 90, 220)


def planes(image: np.ndarray, nv12: bool) -> np.ndarray:
    i420 = cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420)
    if not nv12:
        return i420
    h, w = image.shape[:2]
    u, v = i420[h:].reshape(2, -1)
    return np.concatenate([i420[:h].reshape(-1), np.stack([u, v], 1).reshape(-1)]).reshape(h * 3 // 2, w)


def padded(rows: np.ndarray, stride: int) -> np.ndarray:
    return np.pad(rows, ((0, 0), (0, stride - rows.shape[1])))


@pytest.mark.parametrize(
    ("form", "data", "stride"),
    [
        ("RGB888", PICTURE.reshape(48, -1), 192),
        ("RGB888", padded(PICTURE.reshape(48, -1), 256), 256),
        ("BGR888", PICTURE[:, :, ::-1].reshape(48, -1), 192),
        ("XRGB8888", np.dstack([PICTURE, PICTURE[:, :, :1]]).reshape(48, -1), 256),
        ("NV12", planes(PICTURE, True), 64),
        ("NV12", padded(planes(PICTURE, True), 96), 96),
        ("YUV420", planes(PICTURE, False), 64),
    ],
)
def test_every_format_becomes_bgr(form: str, data: np.ndarray, stride: int) -> None:
    image = to_bgr(data, form, (64, 48), stride)
    assert image.shape == PICTURE.shape
    assert np.abs(image.astype(int) - PICTURE)[:, 2:30].mean() < 4
    assert np.abs(image.astype(int) - PICTURE)[:, 34:62].mean() < 4


def test_padded_yuv420_chroma_rows_have_half_the_stride() -> None:
    i420 = planes(PICTURE, False)
    y = padded(i420[:48], 96)
    chroma = padded(i420[48:].reshape(48, 32), 48)
    image = to_bgr(np.concatenate([y.reshape(-1), chroma.reshape(-1)]), "YUV420", (64, 48), 96)
    assert np.abs(image.astype(int) - PICTURE)[:, 2:30].mean() < 4


def test_unknown_format_and_short_buffer() -> None:
    with pytest.raises(CameraError, match="SRGGB10"):
        to_bgr(np.zeros(10, np.uint8), "SRGGB10", (64, 48), 0)
    with pytest.raises(CameraError, match="expected 9216"):
        to_bgr(np.zeros(10, np.uint8), "RGB888", (64, 48), 192)


def test_controls_are_checked_and_clamped() -> None:
    known = {
        "ExposureTime": (100, 5000, 1000),
        "AeEnable": (False, True, True),
        "FrameDurationLimits": (33333, 120000, None),
    }
    wanted = {
        "ExposureTime": 9000,
        "AeEnable": False,
        "LensPosition": 2.0,
        "FrameDurationLimits": (10, 999999),
    }
    assert allowed_controls(wanted, known) == {
        "ExposureTime": 5000, "AeEnable": False, "FrameDurationLimits": (33333, 120000),
    }  # fmt: skip


# ------------------------------------------------------------------------------------------ a stand-in driver


class FakeRequest:
    def __init__(self, owner: FakePicamera2) -> None:
        self.owner = owner
        self.released = False

    def get_metadata(self) -> dict[str, Any]:
        return dict(self.owner.metadata)

    def make_buffer(self, name: str) -> np.ndarray:
        image = np.clip(PICTURE * self.owner.brightness, 0, 255).astype(np.uint8)
        if name == "lores":
            return planes(cv2.resize(image, (320, 240)), False).reshape(-1)
        return (planes(image, True) if self.owner.nv12_only else image).reshape(-1)

    def release(self) -> None:
        self.owner.outstanding -= 1


class FakePicamera2:
    cameras: ClassVar[list[dict[str, Any]]] = [{"Model": "imx708", "Num": 0}]
    nv12_only = False
    no_sensor_modes = False
    hang = False
    controls_known: ClassVar[dict[str, Any]] = {}
    instances: ClassVar[list[FakePicamera2]] = []

    def __init__(self, number: int) -> None:
        self.camera_controls = dict(self.controls_known)
        self.set: list[dict[str, Any]] = []
        self.metadata: dict[str, Any] = {"ExposureTime": 8000, "AnalogueGain": 2.0, "ColourGains": (1.5, 2.1)}
        self.brightness = 1.0
        self.outstanding = 0
        self.configured: list[dict[str, Any]] = []
        self.stopped = self.closed = False
        FakePicamera2.instances.append(self)

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        return cls.cameras

    def create_video_configuration(self, **kw: Any) -> dict[str, Any]:
        return kw

    def configure(self, config: dict[str, Any]) -> None:
        self.configured.append(config)
        if self.no_sensor_modes and config.get("sensor"):
            raise RuntimeError("Invalid sensor configuration")
        main = dict(config["main"])
        if self.nv12_only:
            if config["lores"] is not None:
                raise RuntimeError("Invalid camera configuration")
            main = {"format": "NV12", "size": (64, 48), "stride": 64}
        else:
            main |= {"size": (64, 48), "stride": 192}
        lores = config["lores"] and {**config["lores"], "size": (320, 240), "stride": 320}
        self.camera_config = {"main": main, "lores": lores}
        self.buffers = config["buffer_count"]
        self.set.append(dict(config["controls"]))

    def start(self) -> None:
        pass

    def set_controls(self, controls: dict[str, Any]) -> None:
        unknown = set(controls) - set(self.camera_controls)
        if unknown:
            raise RuntimeError(f"Control {unknown.pop()} is not advertised by libcamera")
        self.set.append(dict(controls))

    def capture_request(self, wait: bool) -> object:
        self.outstanding += 1
        return object()

    def wait(self, job: object, timeout: float) -> FakeRequest:
        if self.hang:
            raise TimeoutError
        return FakeRequest(self)

    def stop(self) -> None:
        self.stopped = True

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> type[FakePicamera2]:
    class Driver(FakePicamera2):
        pass

    Driver.controls_known = {
        "AeEnable": (False, True, True), "ExposureTime": (75, 66666, 20000), "AnalogueGain": (1.0, 16.0, 1.0),
        "AwbEnable": (False, True, None), "ColourGains": (0.0, 32.0, None), "FrameDurationLimits": (33333, 120000, None),
    }  # fmt: skip
    module = types.ModuleType("picamera2")
    module.Picamera2 = Driver  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    return Driver


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.05
        return self.now


def opened(driver: type[FakePicamera2], **changes: Any) -> tuple[PicameraCamera, FakePicamera2]:
    camera = PicameraCamera(CameraOptions(width=640, height=480, mains=50, **changes), clock=Clock())
    return camera, FakePicamera2.instances[-1]


def test_main_and_lores_then_lock(driver: type[FakePicamera2]) -> None:
    camera, fake = opened(driver)
    assert "lores" in camera.description and "imx708" in camera.description
    assert fake.set[0]["FrameDurationLimits"] == (100000, 100000)
    frames = [camera.read() for _ in range(10)]
    assert frames[0] is not None and frames[-1] is not None
    assert np.array_equal(frames[0].image, PICTURE)
    assert frames[0].controls["locked"] is False and frames[-1].controls["locked"] is True
    held = fake.set[-1]
    assert held["AeEnable"] is False and held["ExposureTime"] == 8000 and held["ColourGains"] == (1.5, 2.1)
    assert "LensPosition" not in held and "AfMode" not in held, "a camera without focus is not told to focus"
    assert fake.outstanding == 1, "every request but the one in hand went back to the driver"
    assert fake.buffers == 4 and not camera._beat._on, "a real camera keeps its own time"


@pytest.mark.parametrize(
    ("model", "output", "bits"),
    [
        ("imx708", (2304, 1296), 10), ("imx708_wide_noir", (2304, 1296), 10), ("imx219", (1640, 1232), 10),
        ("imx477", (2028, 1520), 12), ("ov5647", (1296, 972), 10), ("imx296", (1456, 1088), 10),
    ],
)  # fmt: skip
def test_the_mode_with_the_whole_view_is_asked_for(
    driver: type[FakePicamera2], model: str, output: tuple[int, int], bits: int
) -> None:
    driver.cameras = [{"Model": model, "Num": 0}]
    camera, fake = opened(driver)
    assert fake.configured[-1]["sensor"] == {"output_size": output, "bit_depth": bits}
    assert f"sensor mode {output[0]}×{output[1]}" in camera.description


@pytest.mark.parametrize("model", ["imx708", "ov9281"])
def test_a_driver_without_sensor_modes_still_gives_pictures(driver: type[FakePicamera2], model: str) -> None:
    driver.cameras = [{"Model": model, "Num": 0}]
    driver.no_sensor_modes = True
    camera, fake = opened(driver)
    assert camera.read() is not None and "sensor" not in fake.configured[-1]
    assert "sensor mode" not in camera.description


def test_focus_and_flicker_are_set_before_the_first_picture(driver: type[FakePicamera2]) -> None:
    driver.controls_known |= {
        "AfMode": (0, 2, 0), "LensPosition": (0.0, 32.0, 1.0), "AeFlickerMode": (0, 1, 0), "AeFlickerPeriod": (100, 1000000, None),
    }  # fmt: skip
    _, fake = opened(driver)
    first = fake.configured[-1]["controls"]
    assert (first["AfMode"], first["AeFlickerMode"], first["AeFlickerPeriod"]) == (2, 1, 10_000)
    _, fake = opened(driver, focus_cm=40.0)
    first = fake.configured[-1]["controls"]
    assert (first["AfMode"], first["LensPosition"]) == (0, 2.5)
    assert all(s.get("AfMode", 0) == 0 for s in fake.set), "a fixed focus stays fixed"


@pytest.mark.parametrize(
    ("metadata", "brightness"),
    [({"AeState": 1}, 1.0), ({"AfState": 1}, 1.0), ({"AfState": 3}, 1.0), ({}, 40.0)],
)
def test_what_has_not_converged_is_not_held_at_once(
    driver: type[FakePicamera2], metadata: dict[str, Any], brightness: float
) -> None:
    camera, fake = opened(driver)
    fake.metadata |= metadata
    fake.brightness = brightness
    frames = [camera.read() for _ in range(60)]
    assert frames[-1] is not None and frames[-1].controls["locked"] is False
    if "AfState" in metadata or "AeState" in metadata:
        fake.metadata |= {"AeState": 2, "AfState": 2}
    else:
        fake.brightness = 1.0
    frames = [camera.read() for _ in range(12)]
    assert frames[-1] is not None and frames[-1].controls["locked"] is True


def test_what_never_converges_is_held_in_the_end(driver: type[FakePicamera2]) -> None:
    camera, fake = opened(driver)
    fake.metadata |= {"AfState": 3}
    frames = [camera.read() for _ in range(320)]
    assert frames[-1] is not None and frames[-1].controls["locked"] is True


def test_a_long_exposure_is_not_held(driver: type[FakePicamera2]) -> None:
    """At 10 pictures a second the camera may expose for 100 ms; a hand would be a smear."""
    camera, fake = opened(driver)
    fake.metadata["ExposureTime"] = 90_000
    for _ in range(12):
        camera.read()
    assert fake.set[-1]["ExposureTime"] == 30_000 and fake.set[-1]["AnalogueGain"] == pytest.approx(6.0)


def test_relock_only_when_the_light_really_changes(driver: type[FakePicamera2]) -> None:
    camera, fake = opened(driver)
    for _ in range(10):
        camera.read()
    before = len(fake.set)
    for _ in range(80):
        camera.read()
    assert len(fake.set) == before
    fake.brightness = 0.45
    fake.metadata["ExposureTime"] = 20000
    for _ in range(120):
        camera.read()
    assert {"AeEnable": True, "AwbEnable": True} in fake.set[before:]
    assert fake.set[-1]["ExposureTime"] == 20000


def test_virtual_camera_nv12_only_without_controls(
    driver: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.nv12_only = True
    driver.cameras = [{"Model": "Virtual Video Device", "Num": 0}]
    beats = []
    monkeypatch.setattr("pi_board.camera.pacing.Metronome.wait", lambda self: beats.append(self._on))
    driver.controls_known = {"FrameDurationLimits": (33333, 120000, None), "FaceDetectMode": (0, 2, 0)}
    camera, fake = opened(driver)
    fake.metadata = {}
    frames = [camera.read() for _ in range(130)]
    assert frames[-1] is not None and "NV12" in camera.description and "lores" not in camera.description
    assert np.abs(frames[-1].image.astype(int) - PICTURE)[:, 2:30].mean() < 4
    assert all(set(s) <= set(driver.controls_known) for s in fake.set)
    assert fake.buffers == 1 and beats == [True] * 130, "it waits for its reader"


@pytest.mark.parametrize(
    ("allocated", "broken", "kept"), [(4, 0, 3), (4, 2, 1), (4, 1, 2), (1, 0, 0), (2, 1, 0)]
)
def test_one_buffer_circulates_whatever_was_allocated(
    driver: type[FakePicamera2], allocated: int, broken: int, kept: int
) -> None:
    """libcamera's virtual camera allocates four buffers when one is asked for; some may never arrive."""
    driver.cameras = [{"Model": "Virtual Video Device", "Num": 0}]
    driver.nv12_only = True
    driver.libcamera_config = types.SimpleNamespace(
        at=lambda i: types.SimpleNamespace(buffer_count=allocated)
    )
    wait = driver.wait

    def sparing(self: FakePicamera2, job: object, timeout: float) -> FakeRequest:
        # The driver has nothing to fill while all its good buffers are in somebody's hand.
        if self.outstanding > allocated - broken:
            raise TimeoutError
        return wait(self, job, timeout)

    driver.wait = sparing  # type: ignore[method-assign]
    camera, fake = opened(driver)
    assert len(camera._withheld) == kept
    assert all(camera.read() is not None for _ in range(5))
    camera.close()
    assert fake.outstanding == 0 and fake.closed


def test_hanging_driver_times_out_and_keeps_its_job(driver: type[FakePicamera2]) -> None:
    camera, fake = opened(driver)
    type(fake).hang = True
    for _ in range(3):
        with pytest.raises(CameraError, match=r"no picture for 0\.2 s"):
            camera.read(0.2)
    assert fake.outstanding == 1, "waits are repeated on the same request"
    type(fake).hang = False
    assert camera.read() is not None and fake.outstanding == 1
    camera.close()
    camera.close()
    assert fake.stopped and fake.closed and camera.read() is None


def test_a_picture_goes_back_only_when_the_next_is_waited_for(driver: type[FakePicamera2]) -> None:
    """Else a camera with one buffer fills it over and over between two reads, and pictures are lost."""
    camera, fake = opened(driver)
    seen: list[int] = []
    wait = fake.wait
    fake.wait = lambda job, timeout: (seen.append(fake.outstanding), wait(job, timeout))[1]  # type: ignore[method-assign]
    for _ in range(3):
        camera.read()
    # While it waits, only the request waited for is out: asked for first, then the old one given back.
    assert seen == [1, 1, 1] and fake.outstanding == 1
    camera.close()
    assert fake.outstanding == 0


def test_full_range_pictures() -> None:
    """JPEG's kind of YUV, 0-255, keeps its blacks and whites."""
    y = np.full((16, 16), 235, np.uint8)
    y[:8] = 20
    data = np.concatenate([y, np.full((8, 16), 128, np.uint8)])
    full = to_bgr(data, "NV12", (16, 16), 16, full_range=True)
    assert abs(int(full[0, 0, 0]) - 20) <= 3 and abs(int(full[-1, -1, 0]) - 235) <= 3
    video = to_bgr(data, "NV12", (16, 16), 16)
    assert video[0, 0, 0] <= 8 and video[-1, -1, 0] >= 252


def test_no_camera_and_no_library(driver: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch) -> None:
    driver.cameras = []
    with pytest.raises(CameraError, match="not connected"):
        opened(driver)
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match="apt install python3-picamera2"):
        opened(driver)


@pytest.mark.parametrize(
    ("change", "lasting", "expected"),
    [(1.0, 9, False), (0.5, 9, True), (2.0, 9, True), (0.5, 1, False), (0.95, 9, False)],
)
def test_light_watch(change: float, lasting: int, expected: bool) -> None:
    rng = np.random.default_rng(2)
    room = rng.integers(40, 120, (180, 320)).astype(np.uint8)
    watch = LightWatch(hold=2.0)
    watch.lock(brightness_grid(room))
    seen = False
    for t in range(20):
        picture = room * change if 5 <= t < 5 + lasting else room
        picture = np.clip(picture + rng.normal(0, 3, room.shape), 0, 255).astype(np.uint8)
        seen |= watch.changed(brightness_grid(picture), t * 0.5)
    assert seen is expected


def test_a_hand_is_no_change_of_light() -> None:
    room = np.full((180, 320, 3), 100, np.uint8)
    watch = LightWatch(hold=1.0)
    watch.lock(brightness_grid(room))
    room[60:, 100:220] = 30
    assert not any(watch.changed(brightness_grid(room), t) for t in range(10))
