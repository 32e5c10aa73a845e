"""The panel as one output: whatever of it exists is used, whatever is missing is left out with one notice."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from pi_board.errors import DeviceError
from pi_board.output import Moment
from pi_board.panel.buttons import ButtonRow, Press
from pi_board.panel.buzzer import Buzzer
from pi_board.panel.lights import LampRow
from pi_board.panel.options import PanelOptions
from pi_board.panel.pins import load_pins
from pi_board.panel.signals import lights_of, melody_of

#: The kernel's names for the chip behind the 40-pin header: Pi 5, Pi 4, and all before. Its number differs from kernel to kernel
#: (gpiochip4, later gpiochip0 on a Pi 5), its name does not.
HEADER_CHIPS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")


def header_chip(lgpio: Any, devices: Path = Path("/dev")) -> int:
    """The number of the GPIO chip that has the header's pins. lgpio: the library. Raises DeviceError where there is none."""
    numbers = sorted(
        int(p.name.removeprefix("gpiochip"))
        for p in devices.glob("gpiochip*")
        if p.name.removeprefix("gpiochip").isdigit()
    )
    if not numbers:
        raise DeviceError("no GPIO on this machine")
    seen = []
    for number in numbers:
        try:
            handle = lgpio.gpiochip_open(number)
        except lgpio.error as error:
            seen.append(f"gpiochip{number}: {error}")
            continue
        try:
            label = str(lgpio.gpio_get_chip_info(handle)[3])
        finally:
            lgpio.gpiochip_close(handle)
        if label in HEADER_CHIPS:
            return number
        seen.append(f"gpiochip{number}: {label}")
    raise DeviceError(f"none of the GPIO chips has a Raspberry Pi's header ({'; '.join(seen)})")


def open_pins() -> Any:
    """gpiozero's pins through lgpio, on the chip that has the header. $GPIOZERO_PIN_FACTORY overrules it, as in every program of
    gpiozero's. Raises DeviceError where there are no pins.

    lgpio on purpose: it is the one library that knows every Pi's pins without a daemon, and gpiozero's own search for a library
    tells of each that it did not find, and may take the wrong chip of a Pi 5.
    """
    # lgpio makes its pipes in the working directory, which a service may not write to.
    os.environ.setdefault("LG_WD", tempfile.gettempdir())
    try:
        if os.environ.get("GPIOZERO_PIN_FACTORY"):
            from gpiozero import Device

            return Device._default_pin_factory()
        import lgpio
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory(chip=header_chip(lgpio))
    except ImportError:
        text = "the library lgpio is missing: sudo apt-get install python3-lgpio"
    except Exception as error:  # gpiozero raises its own tree, lgpio its own
        text = (str(error).strip().splitlines() or [type(error).__name__])[0]
    raise DeviceError(f"lights, buzzer, buttons: no GPIO here ({text})")


class Panel:
    """Lights, buzzer and buttons. notices: what could not be opened, one sentence each."""

    def __init__(
        self,
        options: PanelOptions,
        pressed: Callable[[Press], None],
        *,
        clock: Callable[[], str],
        pin_factory: Any = None,
    ) -> None:
        pins = load_pins(options.pins or None)
        self.notices: list[str] = []
        wanted = options.lights or options.buttons or (options.buzzer != "off" and pins.buzzer is not None)
        if pin_factory is None and wanted:
            try:
                pin_factory = open_pins()
            except DeviceError as error:
                # One notice covers lights, buttons and buzzer: this is a desktop without pins, or a Pi whose pins are in use.
                self.notices.append(str(error))
                options = replace(options, lights=False, buttons=False, buzzer="off")
        self.lamps: LampRow | None = None
        self.buzzer: Buzzer | None = None
        self.buttons: ButtonRow | None = None
        if options.lights:
            self.lamps = self._open(lambda: LampRow(pins, pin_factory=pin_factory))
        if options.buzzer != "off" and pins.buzzer is not None:
            self.buzzer = self._open(lambda: Buzzer(pins, options, clock=clock, pin_factory=pin_factory))
        if options.buttons:
            self.buttons = self._open(lambda: ButtonRow(pins, options, pressed, pin_factory=pin_factory))

    def _open(self, make: Callable[[], Any]) -> Any:
        try:
            return make()
        except DeviceError as error:
            self.notices.append(str(error))
            return None

    def show(self, moment: Moment) -> None:
        if self.lamps is not None:
            self.lamps.show(lights_of(moment.view))
        if self.buzzer is not None and (melody := melody_of(moment.events)):
            self.buzzer.play(melody)

    def close(self) -> None:
        for part in (self.buttons, self.buzzer, self.lamps):
            if part is not None:
                part.close()
