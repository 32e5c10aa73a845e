"""The small display's thread: a device that fails, hangs or was never there never touches the game."""

from __future__ import annotations

import sys
import threading
import time
import types
from collections.abc import Callable
from dataclasses import replace

import pytest
from gpiozero.pins.mock import MockFactory
from PIL import Image

from pi_board.errors import DeviceError, InvalidSettingsError
from pi_board.output import Moment
from pi_board.panel.display import SmallDisplay, SpiPins, _Lit, open_device
from pi_board.panel.language import load_language
from pi_board.panel.options import DisplayOptions
from pi_board.panel.pins import load_pins
from pi_board.panel.screens import draw
from tests.panel.scenes import SCENES, VIEW

OLED = DisplayOptions(kind="ssd1306", bus=29)


def until(true: Callable[[], object], seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.01)
    return False


class FakeOled:
    """pulled: display() raises what smbus2 raises when the wires are off."""

    def __init__(self) -> None:
        self.pictures: list[Image.Image] = []
        self.pulled = False
        self.hang = threading.Event()
        self.hang.set()
        self.ended = 0

    def display(self, image: Image.Image) -> None:
        self.hang.wait(10)
        if self.pulled:
            raise OSError(121, "Remote I/O error")
        self.pictures.append(image)

    def cleanup(self) -> None:
        self.ended += 1


def moment(name: str, at: float = 1.0) -> Moment:
    return Moment(at, SCENES[name].view)


def test_shows_the_moment_once() -> None:
    oled = FakeOled()
    display = SmallDisplay(OLED, load_language("en"), lambda: oled)
    display.show(moment("illegal"))
    expected = display.picture(display._showing)
    assert until(lambda: oled.pictures and oled.pictures[-1].tobytes() == expected.tobytes())
    count = len(oled.pictures)
    for _ in range(20):
        display.show(moment("illegal"))
    display.show(moment("legal"))
    assert until(lambda: len(oled.pictures) > count)
    # Twenty equal moments are no reason to write to the bus.
    assert len(oled.pictures) == count + 1
    display.close()
    assert oled.ended == 1


def test_equal_moments_are_not_even_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten looks a second that show the same cost a comparison each, no picture."""
    drawn: list[int] = []

    def picture(self: SmallDisplay, showing: object) -> Image.Image:
        drawn.append(1)
        return Image.new("1", (128, 64))

    monkeypatch.setattr(SmallDisplay, "picture", picture)
    display = SmallDisplay(OLED, load_language("en"), FakeOled)
    display.show(moment("illegal", 0.0))
    assert until(lambda: drawn)
    time.sleep(0.05)
    before = len(drawn)
    for i in range(20):
        display.show(moment("illegal", 1.0 + i))
        time.sleep(0.005)
    display.show(moment("legal", 30.0))
    assert until(lambda: len(drawn) > before)
    assert len(drawn) == before + 1
    display.close()


def test_pulled_and_put_back() -> None:
    """OSError 121: dropped with a sentence, tried again, shown again; show() itself never notices."""
    oled = FakeOled()
    opened: list[int] = []

    def open_() -> FakeOled:
        opened.append(1)
        if oled.pulled:
            raise DeviceError("display ssd1306: nothing answers")
        return oled

    display = SmallDisplay(OLED, load_language("en"), open_, retry=0.05)
    display.show(moment("roll"))
    assert until(lambda: oled.pictures)
    oled.pulled = True
    display.show(moment("play", 2.0))
    assert until(lambda: "nothing answers" in display.notice)
    assert until(lambda: len(opened) >= 3)
    oled.pulled = False
    before = len(oled.pictures)
    assert until(lambda: len(oled.pictures) > before), "it did not come back by itself"
    assert display.notice == ""
    display.close()


def test_a_hanging_bus_does_not_hold_the_game() -> None:
    oled = FakeOled()
    oled.hang.clear()
    display = SmallDisplay(OLED, load_language("en"), lambda: oled)
    start = time.monotonic()
    for i in range(500):
        display.show(moment("play", float(i)))
    # 500 frames are 50 s of play; a display that waits for the bus would take for ever.
    assert time.monotonic() - start < 5
    display.close()
    oled.hang.set()


@pytest.mark.parametrize("kind", ["ssd1306", "sh1106"])
def test_no_i2c_bus_is_one_clear_line(kind: str) -> None:
    with pytest.raises(DeviceError) as caught:
        open_device(DisplayOptions(kind=kind, bus=29), load_pins())  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    assert f"display {kind}: no I2C bus 29" in str(caught.value) and "raspi-config" in str(caught.value)


def spidev(monkeypatch: pytest.MonkeyPatch, open_: Callable[[int, int], None], sent: list[int]) -> None:
    """A stand-in for spidev, which exists only on Linux boards with SPI."""

    class Spi:
        def open(self, port: int, device: int) -> None:
            open_(port, device)

        def writebytes(self, data: list[int]) -> None:
            sent.append(len(data))

        writebytes2 = writebytes

        def close(self) -> None: ...

    module = types.ModuleType("spidev")
    module.SpiDev = Spi  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spidev", module)


def test_no_spi_bus_is_one_clear_line_and_frees_the_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(port: int, device: int) -> None:
        raise FileNotFoundError(2, "No such file or directory", f"/dev/spidev{port}.{device}")

    spidev(monkeypatch, missing, [])
    factory = MockFactory()
    options = DisplayOptions(kind="st7789", bus=29)
    for _ in range(2):
        with pytest.raises(DeviceError, match="no SPI bus 29"):
            open_device(options, load_pins(), pin_factory=factory)


def test_luma_draws_our_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real luma driver of the OLED, on a bus that records: an address that answers and one that does not."""
    written: list[bytes] = []

    class Bus:
        def i2c_rdwr(self, message: object) -> None:
            written.append(bytes(message))  # type: ignore[call-overload]

        def write_i2c_block_data(self, address: int, mode: int, data: list[int]) -> None:
            if address == 0x3D:
                raise OSError(121, "Remote I/O error")
            written.append(bytes([address, mode, *data]))

        def close(self) -> None: ...

    import smbus2

    monkeypatch.setattr(smbus2, "SMBus", lambda port: Bus())
    device = open_device(DisplayOptions(kind="ssd1306", bus=1), load_pins())
    written.clear()
    display = SmallDisplay(OLED, load_language("en"), lambda: device)
    display.show(moment("play"))
    assert until(lambda: sum(map(len, written)) > 1000), "a full picture is 1024 bytes"
    display.close()
    with pytest.raises(DeviceError, match="nothing answers at address 0x3d of bus 1: check the four wires"):
        open_device(DisplayOptions(kind="ssd1306", bus=1, address=0x3D), load_pins())


def test_spi_pins_are_driven_through_gpiozero() -> None:
    factory = MockFactory()
    pins = SpiPins(factory)
    pins.setmode(pins.BCM)
    pins.setup(25, pins.OUT)
    pins.output(25, pins.HIGH)
    assert factory.pin(25).state == 1
    pins.output(25, pins.LOW)
    assert factory.pin(25).state == 0
    pins.cleanup()


def test_colour_display_through_luma(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real luma driver of the ST7789 on a recorded SPI line: data/command and backlight pins, one full picture."""
    sent: list[int] = []

    spidev(monkeypatch, lambda port, device: None, sent)
    factory = MockFactory()
    device = open_device(DisplayOptions(kind="st7789"), load_pins(), pin_factory=factory)
    assert isinstance(device, _Lit)
    assert factory.pin(16).state == 1, "backlight on"
    sent.clear()
    display = SmallDisplay(DisplayOptions(kind="st7789"), load_language("en"), lambda: device)
    display.show(Moment(1.0, VIEW))
    assert until(lambda: sum(sent) >= 240 * 240 * 3)

    def shown() -> bool:
        picture = device._shown
        return picture is not None and picture.tobytes() == display.picture(display._showing).tobytes()

    assert until(shown)
    sent.clear()
    # Other dice: only the rectangle around them goes over the bus.
    display.show(Moment(2.0, replace(VIEW, dice=(6, 5))))
    assert until(shown)
    assert 10_000 < sum(sent) < 240 * 240 * 3 / 3
    display.close()
    open_device(DisplayOptions(kind="st7789"), load_pins(), pin_factory=factory).cleanup()


@pytest.mark.parametrize("rotate", [0, 1, 2, 3])
def test_what_the_colour_display_remembers(monkeypatch: pytest.MonkeyPatch, rotate: int) -> None:
    """Window by window the memory of the real driver's display becomes each picture, turned as it hangs; an error sends all of it anew."""
    spidev(monkeypatch, lambda port, device: None, [])
    lit = open_device(DisplayOptions(kind="st7789", rotate=rotate), load_pins(), pin_factory=MockFactory())
    assert isinstance(lit, _Lit)
    memory = Image.new("RGB", (240, 240))
    window, sizes = [(0, 0, 0, 0)], []

    def data(pixels: list[int]) -> None:
        left, top, right, bottom = window[0]
        sizes.append(len(pixels))
        memory.paste(Image.frombytes("RGB", (right - left, bottom - top), bytes(pixels)), (left, top))

    monkeypatch.setattr(lit._device, "set_window", lambda *box: window.__setitem__(0, box))
    monkeypatch.setattr(lit._device, "data", data)
    language = load_language("en")
    for name in ("play", "illegal", "hint", "hint", "legal"):
        picture = draw(SCENES[name], language, (240, 240), colour=True)
        lit.display(picture)
        assert memory.tobytes() == picture.rotate(-90 * rotate).tobytes(), name
    assert len(sizes) == 4 and sizes[0] == 240 * 240 * 3 > max(sizes[1:]), (
        "the same picture again sends nothing"
    )

    def broken(pixels: list[int]) -> None:
        raise OSError(121, "Remote I/O error")

    monkeypatch.setattr(lit._device, "data", broken)
    with pytest.raises(OSError):
        lit.display(draw(SCENES["play"], language, (240, 240), colour=True))
    monkeypatch.setattr(lit._device, "data", data)
    lit.display(draw(SCENES["legal"], language, (240, 240), colour=True))
    assert sizes[-1] == 240 * 240 * 3
    lit.cleanup()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"address": 3}, "0x08 to 0x77"),
        ({"rotate": 4}, "quarter turns"),
        ({"kind": "ssd1306", "rotate": 1}, "0 or 2 quarter turns"),
        ({"bus": 31}, "bus number"),
        ({"contrast": 256}, "0 to 255"),
        ({"bus_speed": 1}, "Hz"),
    ],
)
def test_options(values: dict, message: str) -> None:
    with pytest.raises(InvalidSettingsError, match=message):
        DisplayOptions(**values)


def test_spi_without_its_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(
        DeviceError, match="the module spidev is not installed: sudo apt install python3-spidev"
    ):
        open_device(DisplayOptions(kind="st7789"), load_pins(), pin_factory=MockFactory())
