"""The sensor's modes against what the guide's heights promise."""

from __future__ import annotations

import pytest

from pi_board.camera.sensor_modes import (
    SENSORS,
    SensorMode,
    mode_words,
    sensor_of,
    shown,
    view_of,
    whole_view,
)


@pytest.mark.parametrize("name", SENSORS)
@pytest.mark.parametrize("size", [(1280, 720), (640, 480), (1920, 1080), (960, 540)])
@pytest.mark.parametrize("fps", [2.0, 10.0, 30.0])
def test_the_whole_width_is_seen(name: str, size: tuple[int, int], fps: float) -> None:
    sensor = SENSORS[name]
    mode = whole_view(sensor, size, fps)
    width, height = shown(mode, size)
    full = max(shown(m, size)[0] for m in sensor.modes)
    assert width == full, mode
    assert width <= sensor.array[0] and height <= sensor.array[1]
    # Of the modes with that view: fast enough, and no coarser than the picture, where there is one.
    same = [m for m in sensor.modes if shown(m, size)[0] == width]
    assert mode.fps >= fps or not any(
        m.fps >= fps and m.output[0] >= size[0] and m.output[1] >= size[1] for m in same
    )
    assert mode.output[0] >= size[0] or not any(
        m.output[0] >= size[0] and m.output[1] >= size[1] for m in same
    )


@pytest.mark.parametrize(
    ("model", "same"),
    [
        ("imx708", "imx708"),
        ("imx708_noir", "imx708"),
        ("imx708_wide", "imx708_wide"),
        ("imx708_wide_noir", "imx708_wide"),
        ("IMX219", "imx219"),
    ],
)
def test_models(model: str, same: str) -> None:
    assert sensor_of(model) is SENSORS[same]
    assert sensor_of("ov9281") is None


@pytest.mark.parametrize("name", SENSORS)
def test_tables_make_sense(name: str) -> None:
    sensor = SENSORS[name]
    for mode in sensor.modes:
        x, y, w, h = mode.crop
        assert x + w <= sensor.array[0] and y + h <= sensor.array[1]
        assert w % mode.output[0] < w * 0.01 and w / mode.output[0] == pytest.approx(
            h / mode.output[1], rel=0.01
        )


@pytest.mark.parametrize(
    ("name", "output", "across"),
    [
        ("imx708", (1536, 864), 46.8),
        ("imx708", (2304, 1296), 66.0),
        ("imx219", (1920, 1080), 38.9),
        ("imx219", (1640, 1232), 62.2),
    ],
)
def test_a_cropped_mode_sees_less(name: str, output: tuple[int, int], across: float) -> None:
    """What picamera2 chooses by itself at 1280x720 beside what is asked for."""
    sensor = SENSORS[name]
    mode = next(m for m in sensor.modes if m.output == output)
    view = view_of(sensor, mode, (1280, 720))
    assert view is not None and view[0] == pytest.approx(across, abs=0.2)
    words = mode_words(sensor, mode, (1280, 720))
    assert ("all of its width" in words) is (across > 60)


def test_four_to_three_sensors_lose_height_in_a_wide_picture() -> None:
    mode = SensorMode((1640, 1232), (0, 0, 3280, 2464), 10, 41.85)
    assert shown(mode, (1280, 720)) == (3280, 1845) and shown(mode, (640, 480)) == pytest.approx(
        (3280, 2460), abs=6
    )
