"""The small display: an OLED or colour LCD through luma, in a thread of its own.

The game hands over what is to be shown and goes on; a display that is slow, pulled out (OSError 121) or was never there
costs it nothing. It is tried again every few seconds and comes back by itself.
"""

from __future__ import annotations

import contextlib
import re
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from PIL import Image, ImageChops

from pi_board.errors import DeviceError
from pi_board.output import Moment
from pi_board.panel.board_picture import Seat
from pi_board.panel.canvas import BODY
from pi_board.panel.language import Language
from pi_board.panel.lettering import outline_font
from pi_board.panel.options import DisplayOptions
from pi_board.panel.pins import PinMap
from pi_board.panel.screens import Showing, draw
from pi_board.table import TableView

SIZES = {"ssd1306": (128, 64), "sh1106": (128, 64), "st7789": (240, 240)}


class LumaDevice(Protocol):
    """What is used of a luma device."""

    def display(self, image: Image.Image) -> None: ...

    def cleanup(self) -> None: ...


class SpiPins:
    """Data/command and reset line of an SPI display, on gpiozero: luma itself knows only RPi.GPIO, which a Pi 5 has not."""

    BCM = OUT = HIGH = 1
    LOW = 0

    def __init__(self, pin_factory: Any = None) -> None:
        self._pins: dict[int, Any] = {}
        self._factory = pin_factory

    def setmode(self, mode: int) -> None: ...

    def setwarnings(self, on: bool) -> None: ...

    def setup(self, pin: int, direction: int) -> None:
        from gpiozero import OutputDevice

        if pin not in self._pins:
            self._pins[pin] = OutputDevice(pin, pin_factory=self._factory)

    def output(self, pin: int, value: int) -> None:
        self._pins[pin].value = bool(value)

    def cleanup(self, pin: int | list[int] | None = None) -> None:
        for device in self._pins.values():
            device.close()
        self._pins = {}


def open_device(options: DisplayOptions, pins: PinMap, *, pin_factory: Any = None) -> LumaDevice:
    """The luma device of `options.kind`. Raises DeviceError with what is missing and what to do."""
    where = f"display {options.kind}"
    try:
        from luma.core.interface.serial import i2c, spi
    except ImportError as error:
        raise DeviceError(
            f"{where}: luma is not installed ({error.name}): pip install 'pi-board[display]'"
        ) from None
    try:
        if options.kind == "st7789":
            from gpiozero import OutputDevice
            from luma.lcd.device import st7789

            outline_font(BODY)
            gpio = SpiPins(pin_factory)
            try:
                line = spi(
                    port=_bus(options),
                    device=0,
                    gpio=gpio,
                    gpio_DC=pins.reserved.get("display_dc", 25),
                    gpio_RST=pins.reserved.get("display_reset", 12),
                    bus_speed_hz=options.bus_speed,
                )
                # The backlight is switched here and not by luma, which would want RPi.GPIO for it.
                device = st7789(
                    line, width=240, height=240, rotate=options.rotate, gpio=_NoLight(), gpio_LIGHT=0
                )
                light = OutputDevice(
                    pins.reserved.get("display_backlight", 16), initial_value=True, pin_factory=pin_factory
                )
            except BaseException:
                gpio.cleanup()
                raise
            return _Lit(device, light, gpio)
        from luma.oled.device import sh1106, ssd1306

        kind = ssd1306 if options.kind == "ssd1306" else sh1106
        device = kind(i2c(port=_bus(options), address=options.address), rotate=options.rotate)
        device.contrast(options.contrast)
        # luma's own exit handler would clear a display that may no longer be there.
        device.persist = True
        return device  # type: ignore[no-any-return]
    except DeviceError:
        raise
    except Exception as error:  # luma, smbus2, spidev and lgpio each have a tree of their own
        raise DeviceError(f"{where}: {_plain(error, options)}") from None


class _NoLight:
    """luma's backlight wants a GPIO; ours is switched elsewhere."""

    BCM = OUT = HIGH = LOW = 0

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *args, **kwargs: None


class _Lit:
    """A colour display with its backlight. Only the rectangle that has changed goes over the bus.

    A whole picture is 172,800 bytes: 58 ms of the bus at 24 MHz, and as long again in the driver, which wants a list.
    """

    def __init__(self, device: Any, light: Any, gpio: SpiPins) -> None:
        self._device, self._light, self._gpio = device, light, gpio
        self._shown: Image.Image | None = None
        device.persist = True

    def display(self, image: Image.Image) -> None:
        device = self._device
        image = device.preprocess(image)
        before, self._shown = self._shown, None
        box = (0, 0, *image.size) if before is None else ImageChops.difference(image, before).getbbox()
        if box is not None:
            device.set_window(*box)
            device.data(list(image.crop(box).tobytes()))
        # Remember it only after success: after an error the display's content is unknown.
        self._shown = image

    def cleanup(self) -> None:
        for end in (self._device.cleanup, self._light.close, self._gpio.cleanup):
            with contextlib.suppress(Exception):
                end()


def _bus(options: DisplayOptions) -> int:
    return options.bus if options.bus >= 0 else 0 if options.kind == "st7789" else 1


def _plain(error: BaseException, options: DisplayOptions) -> str:
    text = (str(error).strip().splitlines() or [type(error).__name__])[0]
    if isinstance(error, ModuleNotFoundError):
        return f"the module {error.name} is not installed: sudo apt install python3-{error.name}"
    if "121" in text or "not found on address" in text.lower():
        return f"nothing answers at address {options.address:#x} of bus {_bus(options)}: check the four wires"
    if isinstance(error, FileNotFoundError) or re.search(
        r"(/dev/\S+|SPI device) .*(not found|No such file)|(I2C|SPI) device not found", text
    ):
        bus = "SPI" if options.kind == "st7789" else "I2C"
        return f"no {bus} bus {_bus(options)} ({text}): switch it on with raspi-config, Interface Options"
    return text


class SmallDisplay:
    """An output that draws the newest moment. notice: what went wrong last, one sentence ("" = shown).

    seat: how the board lies under the camera. open: makes the device (again after a failure). address: what the page's screen shows; called when it is drawn.
    retry: seconds between attempts. clock: monotonic seconds.
    """

    def __init__(
        self,
        options: DisplayOptions,
        language: Language,
        open: Callable[[], LumaDevice],
        *,
        address: Callable[[], str] = lambda: "",
        seat: Seat | None = None,
        retry: float = 4.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.options, self.language = options, language
        self.notice = ""
        self.seat = seat or Seat()
        self._open, self._address, self._retry, self._clock = open, address, retry, clock
        self.size = SIZES[options.kind]
        self._showing = Showing(TableView())
        self._lock = threading.Condition()
        self._dirty = True
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="display", daemon=True)
        self._thread.start()

    def show(self, moment: Moment) -> None:
        """Takes over the moment; never waits for the device."""
        with self._lock:
            self._showing = self._showing.after(moment)
            self._dirty = True
            self._lock.notify()

    def close(self) -> None:
        with self._lock:
            self._closing = True
            self._lock.notify()
        self._thread.join(timeout=2)

    def _run(self) -> None:
        device: LumaDevice | None = None
        drawn: Showing | None = None
        shown: bytes | None = None
        retry_at = self._clock()
        while True:
            with self._lock:
                if not self._dirty and not self._closing:
                    # Without a device, wake up for the next attempt even if the game stands still.
                    self._lock.wait(timeout=None if device is not None else min(self._retry, 0.5))
                if self._closing:
                    break
                showing, self._dirty = self._showing, False
            if device is None:
                if self._clock() < retry_at:
                    continue
                try:
                    device = self._open()
                    drawn, shown, self.notice = None, None, ""
                except Exception as error:
                    self.notice = str(error)
                    retry_at = self._clock() + self._retry
                    continue
            try:
                showing = _timeless(showing, self._address())
                # Ten moments a second mostly look the same. Comparing them is much cheaper than drawing them.
                if showing == drawn:
                    continue
                image = self.picture(showing)
                if image.tobytes() != shown:
                    device.display(image)
                    shown = image.tobytes()
                drawn = showing
            except Exception as error:
                # Pulled out while in use: OSError 121 (remote I/O) or whatever the bus driver makes of it.
                self.notice = f"display {self.options.kind}: {_plain(error, self.options)}"
                _end(device)
                device = None
                retry_at = self._clock() + self._retry
        if device is not None:
            _end(device)

    def picture(self, showing: Showing) -> Image.Image:
        """The picture for the device, in its own mode and size."""
        colour = self.options.kind == "st7789"
        showing = _timeless(showing, self._address())
        return draw(showing, self.language, self.size, colour=colour, seat=self.seat)


def _timeless(showing: Showing, address: str) -> Showing:
    """What a picture depends on: everything but the times."""
    return replace(
        showing, address=address, now=0.0, hint_until=0.0, coach_until=0.0, page_until=0.0, presses=0
    )


def _end(device: LumaDevice) -> None:
    # A display that is gone cannot be cleared, and a driver that hangs must not keep this thread from ending.
    thread = threading.Thread(target=lambda: _quiet(device.cleanup), name="display end", daemon=True)
    thread.start()
    thread.join(timeout=1)


def _quiet(act: Callable[[], None]) -> None:
    with contextlib.suppress(Exception):
        act()
