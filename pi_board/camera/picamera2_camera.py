"""`PicameraCamera`: the Raspberry Pi's own camera through picamera2. The only module that imports it.

A main stream for reading and, where the camera has one, a small YUV420 lores stream for watching the light. Exposure, gain,
white balance and focus settle once, are then held, and settle again only when the light really changes.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.camera.base import FrameSource
from pi_board.camera.exposure import ExposureLimits, flicker_period_us, held_exposure, mains_hertz
from pi_board.camera.light_watch import LightWatch, brightness_grid
from pi_board.camera.options import CameraOptions
from pi_board.camera.pacing import Metronome
from pi_board.camera.sensor_modes import mode_words, sensor_of, whole_view
from pi_board.camera.time_zone import time_zone
from pi_board.camera.turned import turned
from pi_board.errors import CameraError
from pi_board.frame import Frame

Image = npt.NDArray[np.uint8]

#: Main stream formats by preference; picamera2 names the channels back to front, so "RGB888" is BGR in memory.
_MAIN_FORMATS = ("RGB888", "BGR888", "XRGB8888", "YUV420", "NV12", "YUYV")
_LORES = (320, 240)
#: Automatic exposure has settled when these have stayed within 2 % for this many frames.
_STABLE_FRAMES = 6
_SETTLE_SECONDS = 5.0
#: Controls that have not converged by then are locked as they are: changing light in the pictures is worse.
_GIVE_UP_SECONDS = 15.0
#: Shares of pixels at the ends of the scale (of video's range too, 16-235) from which a picture is burnt out, or black.
_BURNT, _BLACK = 0.25, 0.75

_CONVERSIONS: dict[str, int | None] = {
    "RGB888": None,
    "BGR888": cv2.COLOR_RGB2BGR,
    "XRGB8888": cv2.COLOR_BGRA2BGR,
    "XBGR8888": cv2.COLOR_RGBA2BGR,
    "YUV420": cv2.COLOR_YUV2BGR_I420,
    "YVU420": cv2.COLOR_YUV2BGR_YV12,
    "NV12": cv2.COLOR_YUV2BGR_NV12,
    "NV21": cv2.COLOR_YUV2BGR_NV21,
    "YUYV": cv2.COLOR_YUV2BGR_YUYV,
    "UYVY": cv2.COLOR_YUV2BGR_UYVY,
}


#: Brightness and colour of full-range YUV (0-255) as the video range (16-235, 16-240) that OpenCV expects.
_LUMA_TO_VIDEO = np.round(np.arange(256) * 219 / 255 + 16).astype(np.uint8)
_CHROMA_TO_VIDEO = np.round((np.arange(256) - 128) * 224 / 255 + 128).astype(np.uint8)


def to_bgr(
    data: npt.NDArray[np.uint8], form: str, size: tuple[int, int], stride: int, *, full_range: bool = False
) -> Image:
    """A stream buffer (any shape, row length `stride` bytes) in libcamera's `form` as (H, W, 3) BGR.

    full_range: YUV of the JPEG kind, 0-255, instead of video's 16-235.

    Raises CameraError for a format that nobody here knows.
    """
    width, height = size
    flat = np.ascontiguousarray(data).reshape(-1)
    if form == "MJPEG":
        image = cv2.imdecode(flat, cv2.IMREAD_COLOR)
        if image is None:
            raise CameraError("camera: a broken MJPEG picture")
        return np.asarray(image, np.uint8)
    if form not in _CONVERSIONS:
        raise CameraError(f"camera: pictures in format {form}, expected one of {', '.join(_CONVERSIONS)}")
    planar = form in ("YUV420", "YVU420", "NV12", "NV21")
    channels = 1 if planar else 4 if form.startswith("X") else 2 if form in ("YUYV", "UYVY") else 3
    rows = height * 3 // 2 if planar else height
    least = rows * width * channels
    # Rows may be padded to `stride`, or have been unpadded already.
    row = stride if stride >= width * channels and flat.size >= rows * stride else width * channels
    if flat.size < least:
        raise CameraError(
            f"camera: a picture of {flat.size} bytes, expected {least} for {width}×{height} {form}"
        )
    block = flat[: rows * row].reshape(rows, row)
    if planar and row != width and form in ("YUV420", "YVU420"):
        # Chroma rows of I420 have half the stride: take each plane apart.
        y = block[:height, :width]
        chroma = flat[height * row : height * row * 3 // 2].reshape(height, row // 2)[:, : width // 2]
        block = np.concatenate([y.reshape(-1), chroma.reshape(-1)]).reshape(rows, width)
    else:
        block = block[:, : width * channels]
    pixels = block if planar else block.reshape(height, width, channels)
    if full_range and planar:
        pixels = np.concatenate([_LUMA_TO_VIDEO[pixels[:height]], _CHROMA_TO_VIDEO[pixels[height:]]])
    elif full_range and channels == 2:
        tables = (_LUMA_TO_VIDEO, _CHROMA_TO_VIDEO) if form == "YUYV" else (_CHROMA_TO_VIDEO, _LUMA_TO_VIDEO)
        pixels = np.dstack([table[pixels[:, :, i]] for i, table in enumerate(tables)])
    code = _CONVERSIONS[form]
    if code is None:
        return np.ascontiguousarray(pixels)
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(pixels), code), np.uint8)


def allowed_controls(wanted: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """Those of `wanted` that the camera advertises, clamped to its limits.

    known: picamera2's `camera_controls`, name → (least, most, default).
    """
    out: dict[str, Any] = {}
    for name, value in wanted.items():
        if name not in known:
            continue
        limits = known[name]
        least, most = (
            (limits[0], limits[1]) if isinstance(limits, tuple | list) and len(limits) >= 2 else (None, None)
        )

        def clamp(v: Any, least: Any = least, most: Any = most) -> Any:
            if isinstance(v, bool) or not isinstance(v, int | float):
                return v
            if isinstance(least, int | float) and v < least:
                v = type(v)(least)
            if isinstance(most, int | float) and not isinstance(most, bool) and most and v > most:
                v = type(v)(most)
            return v

        out[name] = tuple(clamp(v) for v in value) if isinstance(value, tuple) else clamp(value)
    return out


class PicameraCamera(FrameSource):
    """The camera with number `options.source`.

    controls in force are on every frame. Raises CameraError when picamera2 is not installed, no camera is connected, it
    is in use, or it cannot be configured.
    """

    def __init__(self, options: CameraOptions, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._options = options
        self._clock = clock
        self._camera: Any = None
        self._job: Any = None
        self._in_hand: Any = None
        self._withheld: list[Any] = []
        self._seq = -1
        self._closed = False
        self._held: dict[str, Any] = {}
        self._settling_since: float | None = None
        self._recent: deque[tuple[float, ...]] = deque(maxlen=_STABLE_FRAMES)
        self._light = LightWatch()
        self._lores = False
        number = int(options.source)
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            raise CameraError(
                f"camera: picamera2 is not installed ({error}); on Raspberry Pi OS: sudo apt install python3-picamera2"
            ) from None
        try:
            found = Picamera2.global_camera_info()
        except Exception as error:
            raise CameraError(f"camera: libcamera cannot list its cameras ({_line(error)})") from None
        if number >= len(found):
            seen = f"only {len(found)}" if found else "none"
            raise CameraError(
                f"camera {number}: not connected (libcamera sees {seen}); check the ribbon cable, then: rpicam-hello --list-cameras"
            )
        model = str(found[number].get("Model", "camera"))
        self._sensor = sensor_of(model)
        self._mode_words = ""
        self._period_us = flicker_period_us(options.mains or mains_hertz(time_zone()))
        # libcamera's virtual camera keeps no time: it makes a picture whenever a buffer comes back. One buffer in
        # circulation and a beat of our own make it wait for its reader, picture by picture.
        self._virtual = "virtual" in model.lower()
        self._beat = Metronome(options.fps, self._virtual)
        self.waits_for_reader = self._virtual
        try:
            self._camera = Picamera2(number)
        except Exception as error:
            raise CameraError(f"camera {number}: cannot be opened, perhaps in use ({_line(error)})") from None
        try:
            self._configure()
            self._camera.start()
        except CameraError:
            self.close()
            raise
        except Exception as error:
            self.close()
            raise CameraError(f"camera {number}: cannot be started ({_line(error)})") from None
        main = self._camera.camera_config["main"]
        self._format = str(main["format"])
        self._size = (int(main["size"][0]), int(main["size"][1]))
        self._stride = int(main.get("stride") or 0)
        self._full_range = _is_full_range(self._camera.camera_config.get("colour_space"))
        self.description = (
            f"picamera2 camera {number} ({model}), {self._size[0]}×{self._size[1]} {self._format}"
            + (", with lores stream" if self._lores else "")
            + (f", {self._mode_words}" if self._mode_words else "")
        )
        self._unlock()
        self._job = self._camera.capture_request(wait=False)
        if self._virtual:
            self._withhold()

    def _withhold(self) -> None:
        """Keep all buffers but one: a driver may allocate more than were asked for, and fill each of them again at once."""
        taken = getattr(self._camera, "libcamera_config", None)
        count = int(taken.at(0).buffer_count) if taken is not None else 1
        try:
            while len(self._withheld) < count - 1:
                self._withheld.append(self._request(1.0))
            if self._withheld:
                self._in_hand = self._request(1.0)
        except CameraError:
            # Some of the buffers never arrive: one of those that do must stay in circulation.
            if self._withheld:
                self._withheld.pop().release()

    # ------------------------------------------------------------------------------------- configuration

    def _configure(self) -> None:
        """The first configuration that the camera takes, the best first."""
        o = self._options
        size = (o.width // 2 * 2, o.height // 2 * 2)
        frame_us = round(1_000_000 / o.fps)
        # Set these before the start; otherwise the first pictures are blurred and flicker.
        wanted = {"FrameDurationLimits": (frame_us, frame_us), **self._focus(), **self._flicker()}
        controls = allowed_controls(wanted, self._camera.camera_controls)
        problem: Exception | None = None
        lores_size = (_LORES[0], max(2, _LORES[0] * size[1] // size[0] // 2 * 2))
        # A driver without sensor modes can still deliver pictures.
        for sensor in ({"sensor": self._sensor_mode(size)} if self._sensor else {}, {}):
            for form in _MAIN_FORMATS:
                # The virtual camera accepts a second stream but never completes its buffers, and picamera2 throws such pictures away.
                for lores in (None,) if self._virtual else ({"size": lores_size, "format": "YUV420"}, None):
                    try:
                        config = self._camera.create_video_configuration(
                            main={"size": size, "format": form}, lores=lores, controls=controls,
                            buffer_count=1 if self._virtual else 4, **sensor,
                        )  # fmt: skip
                        self._camera.configure(config)
                    except Exception as error:
                        # Cameras refuse with different errors; all that matters is whether one of the formats is accepted.
                        problem = error
                        continue
                    taken = self._camera.camera_config
                    if str(taken["main"]["format"]) not in (*_CONVERSIONS, "MJPEG"):
                        problem = CameraError(f"pictures only in format {taken['main']['format']}")
                        continue
                    self._lores = taken.get("lores") is not None
                    if sensor and self._sensor:
                        self._mode_words = mode_words(
                            self._sensor, whole_view(self._sensor, size, o.fps), size
                        )
                    return
            if not sensor:
                break
        raise CameraError(f"camera {o.source}: no usable picture format ({_line(problem)})")

    def _sensor_mode(self, size: tuple[int, int]) -> dict[str, Any]:
        assert self._sensor is not None
        mode = whole_view(self._sensor, size, self._options.fps)
        return {"output_size": mode.output, "bit_depth": mode.bit_depth}

    # -------------------------------------------------------------------------------- exposure and focus

    def _focus(self) -> dict[str, Any]:
        """Libcamera's AfMode 0 manual, 2 continuous; LensPosition in dioptres, the inverse of metres."""
        if self._options.focus_cm:
            return {"AfMode": 0, "LensPosition": 100 / self._options.focus_cm}
        return {"AfMode": 2}

    def _flicker(self) -> dict[str, Any]:
        """Libcamera's AeFlickerMode 1: exposures in whole periods of a given length."""
        return {"AeFlickerMode": 1, "AeFlickerPeriod": self._period_us}

    def _unlock(self) -> None:
        """Let exposure, white balance and focus find their values."""
        o = self._options
        wanted: dict[str, Any] = {"AeEnable": True, "AwbEnable": True, **self._focus()}
        if o.exposure_us:
            wanted |= {"AeEnable": False, "ExposureTime": o.exposure_us, "AnalogueGain": o.gain or 1.0}
        elif o.gain:
            wanted["AnalogueGain"] = o.gain
        self._set(wanted)
        self._held = {}
        self._recent.clear()
        self._settling_since = self._clock()

    def _set(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        controls = allowed_controls(wanted, self._camera.camera_controls)
        if controls:
            try:
                self._camera.set_controls(controls)
            except Exception as error:
                raise CameraError(
                    f"camera {self._options.source}: refuses {', '.join(controls)} ({_line(error)})"
                ) from None
        return controls

    def _follow_light(self, metadata: Mapping[str, Any], luma: Image) -> None:
        """Hold the values once they have settled; let go again when the light has really changed."""
        if not self._options.lock:
            return
        now = self._clock()
        grid = brightness_grid(luma)
        if self._settling_since is None:
            if self._light.changed(grid, now):
                self._unlock()
            return
        values = [metadata.get(k) for k in ("ExposureTime", "AnalogueGain", "LensPosition")]
        gains: tuple[float, ...] = tuple(metadata.get("ColourGains") or ())
        numbers = tuple(float(v) for v in (*values, *gains) if v is not None)
        self._recent.append(numbers)
        settled = len(self._recent) == _STABLE_FRAMES and _steady(list(self._recent))
        converged = _converged(metadata, luma)
        patience = _SETTLE_SECONDS if converged else _GIVE_UP_SECONDS
        if not (settled and converged) and now - self._settling_since < patience:
            return
        wanted: dict[str, Any] = {}
        if metadata.get("ExposureTime") and metadata.get("AnalogueGain"):
            exposure, gain = int(metadata["ExposureTime"]), float(metadata["AnalogueGain"])
            if not self._options.exposure_us:
                known = self._camera.camera_controls.get("AnalogueGain", (1.0, 16.0))
                most = float(known[1] or 16.0)
                exposure, gain = held_exposure(
                    exposure, gain, self._period_us, ExposureLimits(most_gain=most)
                )
            wanted |= {"AeEnable": False, "ExposureTime": exposure, "AnalogueGain": gain}
        if len(gains) == 2:
            wanted |= {"AwbEnable": False, "ColourGains": (float(gains[0]), float(gains[1]))}
        if metadata.get("LensPosition") is not None:
            wanted |= {"AfMode": 0, "LensPosition": float(metadata["LensPosition"])}
        self._held = self._set(wanted)
        self._settling_since = None
        self._light.lock(grid)

    # ------------------------------------------------------------------------------------------- reading

    def read(self, timeout: float | None = None) -> Frame | None:
        if self._closed:
            return None
        wait = self._options.timeout if timeout is None else timeout
        self._beat.wait()
        request = self._in_hand = self._request(wait)
        try:
            metadata = request.get_metadata()
            image = self._image(request)
            luma = self._luma(request, image)
        except CameraError:
            raise
        except Exception as error:
            raise CameraError(
                f"camera {self._options.source}: a picture cannot be read ({_line(error)})"
            ) from None
        self._follow_light(metadata, luma)
        self._seq += 1
        controls = {
            k: metadata[k]
            for k in ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition")
            if k in metadata
        }
        controls["locked"] = self._settling_since is None
        return Frame(turned(image, self._options.rotate), self._clock(), self._seq, controls)

    def _let_go(self) -> None:
        request, self._in_hand = self._in_hand, None
        if request is not None:
            request.release()

    def _let_all_go(self) -> None:
        self._let_go()
        while self._withheld:
            self._withheld.pop().release()

    def _request(self, wait: float) -> Any:
        """The next completed request; one that times out is waited for again by the next read."""
        if self._job is None:
            self._job = self._camera.capture_request(wait=False)
        # Return the previous buffer only when somebody waits for the next picture: a camera with a single buffer would otherwise fill
        # it over and over, and pictures would be lost between two reads.
        self._let_go()
        try:
            request = self._camera.wait(self._job, timeout=wait)
        except TimeoutError:
            raise CameraError(f"camera {self._options.source}: no picture for {wait:g} s") from None
        except Exception as error:
            self._job = None
            # concurrent.futures had a TimeoutError of its own before Python 3.11.
            what = f"no picture for {wait:g} s" if type(error).__name__ == "TimeoutError" else _line(error)
            raise CameraError(f"camera {self._options.source}: {what}") from None
        self._job = None
        return request

    def _image(self, request: Any) -> Image:
        data = np.frombuffer(request.make_buffer("main"), np.uint8)
        return to_bgr(
            data, self._format, (self._size[0], self._size[1]), self._stride, full_range=self._full_range
        )

    def _luma(self, request: Any, image: Image) -> Image:
        if not self._lores:
            return image
        config = self._camera.camera_config["lores"]
        (w, h), stride = config["size"], int(config.get("stride") or config["size"][0])
        flat = np.frombuffer(request.make_buffer("lores"), np.uint8)
        return flat[: h * stride].reshape(h, stride)[:, :w]

    def close(self) -> None:
        """Stops the camera; a driver whose stop() does not return within two seconds is left to its thread."""
        if self._closed:
            return
        self._closed = True
        camera, self._camera = self._camera, None
        if camera is None:
            return

        def stop() -> None:
            for act in (self._let_all_go, camera.stop, camera.close):
                try:
                    act()
                except Exception:
                    # Closing must always finish; the device is released either way.
                    continue

        thread = threading.Thread(target=stop, name="camera stop", daemon=True)
        thread.start()
        thread.join(timeout=2.0)


def _converged(metadata: Mapping[str, Any], luma: Image) -> bool:
    """Exposure and focus say that they have arrived (where they say anything), and the picture is not clipped."""
    # AeState 2 converged, 1 searching; AfState 1 scanning, 2 focused, 3 failed (libcamera's control ids).
    if metadata.get("AeState") == 1 or metadata.get("AfState") in (1, 3):
        return False
    return bool((luma >= 234).mean() < _BURNT and (luma <= 17).mean() < _BLACK)


def _is_full_range(space: Any) -> bool:
    """Whether libcamera's colour space has YUV from 0 to 255 (JPEG's kind)."""
    return "full" in str(getattr(space, "range", "")).lower()


def _steady(rows: list[tuple[float, ...]]) -> bool:
    """All numbers within 2 % of their mean over the rows."""
    if any(len(r) != len(rows[0]) for r in rows):
        return False
    a = np.asarray(rows, np.float64)
    return bool((np.ptp(a, axis=0) <= 0.02 * np.abs(a.mean(axis=0)) + 1e-6).all())


def _line(error: BaseException | None) -> str:
    """The first line of an error, for people."""
    text = str(error).strip().splitlines()
    return text[0] if text else type(error).__name__
