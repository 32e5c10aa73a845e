"""The panel as one output: whatever of it exists is used, whatever is missing is left out with one notice."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pi_board.errors import DeviceError
from pi_board.output import Moment
from pi_board.panel.buttons import ButtonRow, Press
from pi_board.panel.buzzer import Buzzer
from pi_board.panel.lights import LampRow
from pi_board.panel.options import PanelOptions
from pi_board.panel.pins import load_pins
from pi_board.panel.signals import lights_of, melody_of


def open_pins() -> Any:
    """gpiozero's pin factory for this machine. Raises DeviceError where there are no pins."""
    # lgpio makes its pipes in the working directory, which a service may not write to.
    os.environ.setdefault("LG_WD", tempfile.gettempdir())
    try:
        from gpiozero import Device

        with warnings.catch_warnings():
            # gpiozero tells of each library that it tried; the last word is what counts.
            warnings.simplefilter("ignore")
            return Device._default_pin_factory()
    except Exception as error:  # gpiozero raises its own tree, lgpio its own
        text = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise DeviceError(f"lights, buzzer, buttons: no GPIO here ({text})") from None


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
                # One sentence for all three: a desktop, or a Pi whose pins are taken.
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
