"""How the Raspberry Pi's camera modules read their sensors: which mode sees the whole field of view.

picamera2 chooses a mode by a score of its own, and for a picture of 1280x720 that is one that is cropped to the middle of the
sensor: the board then does not fit at the heights of the guide. So the mode is asked for by name. The modes stand here
instead of being asked of the camera, because asking configures it once per mode, which fails on a Zero 2 W with Trixie.

Sources: output sizes, crops and frame rates as `rpicam-hello --list-cameras` prints them, from the Raspberry Pi
documentation's page on the camera software (IMX219, IMX477) and the kernel's drivers ov5647.c, imx296.c and imx708.c;
fields of view from the documentation's table of camera hardware.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SensorMode:
    """output: (width, height) read out, pixels. crop: (x, y, width, height) of the sensor that this shows, its pixels.
    bit_depth: bits a pixel. fps: the most frames per second."""

    output: tuple[int, int]
    crop: tuple[int, int, int, int]
    bit_depth: int
    fps: float


@dataclass(frozen=True, slots=True)
class Sensor:
    """array: (width, height) of all its pixels. view: degrees (across, down) that the module's own lens shows on all of
    them, None where the lens is bought apart."""

    array: tuple[int, int]
    modes: tuple[SensorMode, ...]
    view: tuple[float, float] | None = None


_IMX708 = (
    SensorMode((1536, 864), (768, 432, 3072, 1728), 10, 120.13),
    SensorMode((2304, 1296), (0, 0, 4608, 2592), 10, 56.03),
    SensorMode((4608, 2592), (0, 0, 4608, 2592), 10, 14.35),
)

#: By libcamera's name of the model; `_noir` and other suffixes are the same sensor.
SENSORS: dict[str, Sensor] = {
    # Camera Module 1
    "ov5647": Sensor(
        (2592, 1944),
        (
            SensorMode((640, 480), (16, 0, 2560, 1920), 10, 58.92),
            SensorMode((1296, 972), (0, 0, 2592, 1944), 10, 43.25),
            SensorMode((1920, 1080), (348, 434, 1928, 1080), 10, 30.62),
            SensorMode((2592, 1944), (0, 0, 2592, 1944), 10, 15.63),
        ),
        (53.5, 41.4),
    ),
    # Camera Module 2
    "imx219": Sensor(
        (3280, 2464),
        (
            SensorMode((640, 480), (1000, 752, 1280, 960), 10, 206.65),
            SensorMode((1640, 1232), (0, 0, 3280, 2464), 10, 41.85),
            SensorMode((1920, 1080), (680, 692, 1920, 1080), 10, 47.57),
            SensorMode((3280, 2464), (0, 0, 3280, 2464), 10, 21.19),
        ),
        (62.2, 48.8),
    ),
    # High Quality Camera
    "imx477": Sensor(
        (4056, 3040),
        (
            SensorMode((1332, 990), (696, 528, 2664, 1980), 10, 120.05),
            SensorMode((2028, 1080), (0, 440, 4056, 2160), 12, 50.03),
            SensorMode((2028, 1520), (0, 0, 4056, 3040), 12, 40.01),
            SensorMode((4056, 3040), (0, 0, 4056, 3040), 12, 10.0),
        ),
    ),
    # Global Shutter Camera
    "imx296": Sensor((1456, 1088), (SensorMode((1456, 1088), (0, 0, 1456, 1088), 10, 60.38),)),
    # Camera Module 3 and its Wide sister
    "imx708": Sensor((4608, 2592), _IMX708, (66.0, 41.0)),
    "imx708_wide": Sensor((4608, 2592), _IMX708, (102.0, 67.0)),
}


def sensor_of(model: str) -> Sensor | None:
    """The sensor that libcamera calls `model` ("imx708_wide_noir"), None when it is not known here."""
    words = model.lower().split("_")
    for count in range(len(words), 0, -1):
        if (sensor := SENSORS.get("_".join(words[:count]))) is not None:
            return sensor
    return None


def whole_view(sensor: Sensor, size: tuple[int, int], fps: float) -> SensorMode:
    """The mode for pictures of `size` (width, height) at `fps`: the widest view first, then no fewer pixels than the
    picture has, fast enough, and of these the fewest pixels (sensors add neighbours up to get fewer: less noise)."""

    def rank(mode: SensorMode) -> tuple[float, bool, bool, int]:
        width, height = shown(mode, size)
        return (
            -width * height,
            mode.output[0] < size[0] or mode.output[1] < size[1],
            mode.fps < fps,
            mode.output[0],
        )

    return min(sensor.modes, key=rank)


def shown(mode: SensorMode, size: tuple[int, int]) -> tuple[float, float]:
    """(width, height) in pixels of the sensor that a picture of `size` shows: the mode's crop, cut to the picture's shape."""
    width, height = mode.crop[2:]
    wanted = size[0] / size[1]
    return (width, width / wanted) if width / height < wanted else (height * wanted, height)


def view_of(sensor: Sensor, mode: SensorMode, size: tuple[int, int]) -> tuple[float, float] | None:
    """Degrees (across, down) that a picture of `size` shows through the module's own lens (a pinhole), None without one."""
    if sensor.view is None:
        return None
    width, height = shown(mode, size)
    across, down = (math.tan(math.radians(v / 2)) for v in sensor.view)
    return (
        2 * math.degrees(math.atan(across * width / sensor.array[0])),
        2 * math.degrees(math.atan(down * height / sensor.array[1])),
    )


def mode_words(sensor: Sensor, mode: SensorMode, size: tuple[int, int]) -> str:
    """ "sensor mode 2304×1296, all of its width" for people."""
    width, _ = shown(mode, size)
    share = width / sensor.array[0]
    seen = "all of its width" if share > 0.985 else f"{share:.0%} of its width"
    return f"sensor mode {mode.output[0]}×{mode.output[1]}, {seen}"
