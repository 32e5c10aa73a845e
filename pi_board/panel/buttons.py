"""The four buttons (gpiozero): each press becomes a word that the sitting understands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from pi_board.errors import DeviceError
from pi_board.panel.options import PanelOptions
from pi_board.panel.pins import PinMap

Press = Literal["hint", "stands", "take_back", "next", "shutdown"]


class ButtonRow:
    """Calls `pressed(word)` from gpiozero's own thread. `next` held for `hold_seconds` is "shutdown", not "next".

    Raises DeviceError when there is no GPIO.
    """

    def __init__(
        self,
        pins: PinMap,
        options: PanelOptions,
        pressed: Callable[[Press], None],
        *,
        pin_factory: Any = None,
    ) -> None:
        self._buttons: dict[str, Any] = {}
        self._held = False
        try:
            from gpiozero import Button

            for name, pin in pins.buttons.items():
                button = Button(
                    pin, bounce_time=0.03, hold_time=options.hold_seconds, pin_factory=pin_factory
                )
                self._buttons[name] = button
                if name == "next":
                    # Acts on release, so that a long press does not also page on.
                    button.when_held = lambda: self._hold(pressed)
                    button.when_released = lambda: self._release(pressed)
                else:
                    button.when_pressed = self._press(name, pressed)
        except Exception as error:
            self.close()
            raise DeviceError(f"buttons: no GPIO here ({error})") from error

    @staticmethod
    def _press(name: str, pressed: Callable[[Press], None]) -> Callable[[], None]:
        return lambda: pressed(name)  # type: ignore[arg-type]

    def _hold(self, pressed: Callable[[Press], None]) -> None:
        self._held = True
        pressed("shutdown")

    def _release(self, pressed: Callable[[Press], None]) -> None:
        if self._held:
            self._held = False
            return
        pressed("next")

    def close(self) -> None:
        for button in self._buttons.values():
            button.close()
        self._buttons = {}
