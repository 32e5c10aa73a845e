"""The five lamps (gpiozero)."""

from __future__ import annotations

import dataclasses
from typing import Any

from pi_board.errors import DeviceError
from pi_board.panel.pins import PinMap
from pi_board.panel.signals import BLINK, Lights


class LampRow:
    """Sets each lamp to its pattern; a lamp whose pattern did not change is left alone so that it blinks evenly.

    Raises DeviceError when there is no GPIO (a desktop): the caller goes on without lamps.
    """

    def __init__(self, pins: PinMap, *, pin_factory: Any = None) -> None:
        self._leds: dict[str, Any] = {}
        self._now = Lights()
        try:
            from gpiozero import LED

            for name, pin in pins.leds.items():
                self._leds[name] = LED(pin, pin_factory=pin_factory)
        except Exception as error:  # gpiozero raises its own tree, lgpio its own
            self.close()
            raise DeviceError(f"lights: no GPIO here ({error})") from error

    def show(self, lights: Lights) -> None:
        for name, led in self._leds.items():
            pattern = getattr(lights, name)
            if pattern == getattr(self._now, name):
                continue
            if pattern in BLINK:
                led.blink(*BLINK[pattern], background=True)
            elif pattern == "on":
                led.on()
            else:
                led.off()
        self._now = dataclasses.replace(lights)

    def close(self) -> None:
        for led in self._leds.values():
            led.close()
        self._leds = {}
