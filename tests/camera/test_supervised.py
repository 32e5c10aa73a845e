"""A camera in a process of its own: whatever its driver does, the parent gets frames or one clear line, in time."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from pi_board.camera import CameraOptions, open_camera
from pi_board.camera.folder import FolderCamera
from pi_board.camera.supervised import SupervisedCamera
from pi_board.errors import CameraError
from tests.camera.faulty import scripted
from tests.camera.test_folder import write_pictures


def options(tmp_path: Path, fault: str, **changes: object) -> CameraOptions:
    # Patient where nothing is to hang: a machine busy with other things is no fault.
    base: dict[str, object] = {
        "backend": "opencv", "source": str(tmp_path / fault), "timeout": 1.0 if fault == "read_hangs" else 60.0, "start_timeout": 60.0,
        "restart_delay": 0.05, "restart_delay_max": 0.2, "black_after": 0.15, "frozen_after": 0.15,
    }  # fmt: skip
    return CameraOptions(**(base | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("read_hangs", "no picture for 1 s"),
        ("dies", "ended unexpectedly"),
        ("raises", "unplugged"),
        pytest.param("breaks", "VIDIOC_DQBUF: no such device", marks=pytest.mark.slow),
        pytest.param("freezes", "frozen", marks=pytest.mark.slow),
        pytest.param("black", "black", marks=pytest.mark.slow),
    ],
)
def test_failing_camera_is_reported_and_comes_back(tmp_path: Path, fault: str, message: str) -> None:
    with SupervisedCamera(options(tmp_path, fault), opener=scripted) as camera:
        said, before = "", -1
        for _ in range(60):
            try:
                frame = camera.read()
            except CameraError as error:
                said = str(error)
                break
            assert frame is not None and frame.image.shape == (96, 128, 3)
            before = frame.seq
        assert message in said and "\n" not in said and "starting it again" in said
        assert camera.health.restarts == 1 and message in camera.health.problem, "one fault, one restart"
        seen = []
        for _ in range(100):
            try:
                frame = camera.read()
            except CameraError:
                continue
            assert frame is not None
            seen.append(frame.seq)
            if len(seen) == 3:
                break
        assert len(seen) == 3
        assert seen == sorted(seen) and seen[0] > before, "numbering goes on after a restart"
        assert camera.health.problem == ""


def test_camera_that_cannot_be_opened_says_so(tmp_path: Path) -> None:
    with pytest.raises(CameraError) as caught:
        SupervisedCamera(options(tmp_path, "open_fails"), opener=scripted)
    assert str(caught.value) == "camera 0: not connected"


def test_missing_camera_can_be_waited_for(tmp_path: Path) -> None:
    with SupervisedCamera(
        options(tmp_path, "open_hangs", start_timeout=2.0), opener=scripted, wait_for_device=True
    ) as camera:
        frames = 0
        for _ in range(60):
            try:
                frames += camera.read(0.5) is not None
            except CameraError as error:
                assert "\n" not in str(error)
            if frames:
                break
        assert frames and camera.health.restarts >= 1


class NeverOpens(SupervisedCamera):
    """No process at all, and a clock that only waiting moves."""

    def __init__(self, options: CameraOptions) -> None:
        self.now = 0.0
        super().__init__(options, wait_for_device=True, clock=lambda: self.now)

    def _start(self) -> None:
        self._opened, self._started, self._process = False, self.now, Mock(exitcode=None)

    def _receive(self, wait: float) -> None:
        self.now += wait


def test_a_camera_slow_to_open_is_given_longer_each_time(tmp_path: Path) -> None:
    """A machine that is too busy to start the process within `start_timeout` must not kill it over and over."""
    camera = NeverOpens(options(tmp_path, "", source="0", start_timeout=1.0, timeout=0.5, restart_delay=0.0))
    said = []
    while len(said) < 5:
        with pytest.raises(CameraError) as caught:
            camera.read()
        if "did not open" in str(caught.value):
            said.append(str(caught.value).partition(";")[0].removeprefix("camera 0: did not open within "))
    assert said == ["1 s", "2 s", "4 s", "4 s", "4 s"]
    camera.close()


def test_close_never_waits_for_a_hanging_stop(tmp_path: Path) -> None:
    camera = SupervisedCamera(options(tmp_path, "stop_hangs"), opener=scripted)
    assert camera.read() is not None
    process = camera._process
    camera.close()
    assert not process.is_alive()
    assert camera.read() is None
    camera.close()


def test_folder_through_the_child_loses_nothing(tmp_path: Path) -> None:
    names = write_pictures(tmp_path / "pictures", 9)
    folder = CameraOptions(backend="folder", source=str(tmp_path / "pictures"))
    with SupervisedCamera(folder) as camera, FolderCamera(tmp_path / "pictures") as plain:
        got = list(camera.frames())
        assert [f.name for f in got] == names
        for a, b in zip(got, plain.frames(), strict=True):
            assert np.array_equal(a.image, b.image) and (a.seq, a.time) == (b.seq, b.time)
        assert camera.finite and "9 pictures" in camera.description


def test_only_devices_are_supervised(tmp_path: Path) -> None:
    write_pictures(tmp_path, 1)
    with open_camera(CameraOptions(backend="folder", source=str(tmp_path))) as camera:
        assert isinstance(camera, FolderCamera)
