"""The buzzer: short melodies on a passive buzzer (gpiozero TonalBuzzer), in a thread of its own."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable
from typing import Any

from pi_board.errors import DeviceError
from pi_board.panel.options import PanelOptions
from pi_board.panel.pins import PinMap
from pi_board.panel.signals import Melody


class Buzzer:
    """`play(name)` returns at once; a melody that comes while another sounds waits, a second one waiting is dropped.

    clock: local time as "HH:MM", for the quiet hours. Raises DeviceError when there is no GPIO or no buzzer pin.
    """

    def __init__(
        self, pins: PinMap, options: PanelOptions, *, clock: Callable[[], str], pin_factory: Any = None
    ) -> None:
        if pins.buzzer is None:
            raise DeviceError("buzzer: no pin in the pin map")
        self.options, self._clock = options, clock
        self._melodies = options.melodies()
        self._waiting: queue.Queue[Melody | None] = queue.Queue(maxsize=1)
        self._stop = threading.Event()
        try:
            from gpiozero import TonalBuzzer
            from gpiozero.tones import Tone

            self._tone = Tone
            self._device = TonalBuzzer(pins.buzzer, octaves=3, pin_factory=pin_factory)
        except Exception as error:
            raise DeviceError(f"buzzer: no GPIO here ({error})") from error
        self._thread = threading.Thread(target=self._run, name="buzzer", daemon=True)
        self._thread.start()

    def play(self, name: str) -> None:
        if self.options.buzzer == "off" or self.options.quiet_at(self._clock()):
            return
        notes = self._melodies[name]
        if not notes:
            return
        with contextlib.suppress(queue.Full):
            self._waiting.put_nowait(notes[:1] if self.options.buzzer == "short" else notes)

    def _run(self) -> None:
        while (notes := self._waiting.get()) is not None:
            for note, seconds in notes:
                try:
                    if note:
                        self._device.play(self._tone(note))
                    else:
                        self._device.stop()
                except Exception:  # a pin that fails must not end the game
                    return
                if self._stop.wait(seconds):
                    break
            with contextlib.suppress(Exception):
                self._device.stop()

    def close(self) -> None:
        self._stop.set()
        with contextlib.suppress(queue.Empty):
            self._waiting.get_nowait()
        self._waiting.put(None)
        self._thread.join(timeout=2)
        with contextlib.suppress(Exception):
            self._device.close()
