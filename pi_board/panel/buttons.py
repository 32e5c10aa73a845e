"""The four buttons (gpiozero): each press becomes a word that the sitting understands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from pi_board.errors import DeviceError
from pi_board.panel.options import PanelOptions
from pi_board.panel.pins import PinMap

Press = Literal["hint", "stands", "take_back", "next", "resign", "director", "shutdown"]
#: What a button says when it is held; it then acts on release, so that a long press is not a short one as well.
HELD: dict[str, Press] = {"next": "shutdown", "take_back": "resign", "hint": "director"}


class ButtonRow:
    """Calls `pressed(word)` from gpiozero's own thread. Held for `hold_seconds`, `next` is "shutdown", `take_back` "resign" and `hint` "director".

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
        self._held: set[str] = set()
        try:
            from gpiozero import Button

            for name, pin in pins.buttons.items():
                button = Button(
                    pin, bounce_time=0.03, hold_time=options.hold_seconds, pin_factory=pin_factory
                )
                self._buttons[name] = button
                if name in HELD:
                    button.when_held = self._hold(name, pressed)
                    button.when_released = self._release(name, pressed)
                else:
                    button.when_pressed = self._press(name, pressed)
        except Exception as error:
            self.close()
            raise DeviceError(f"buttons: no GPIO here ({error})") from error

    @staticmethod
    def _press(name: str, pressed: Callable[[Press], None]) -> Callable[[], None]:
        return lambda: pressed(name)  # type: ignore[arg-type]

    def _hold(self, name: str, pressed: Callable[[Press], None]) -> Callable[[], None]:
        def held() -> None:
            self._held.add(name)
            pressed(HELD[name])

        return held

    def _release(self, name: str, pressed: Callable[[Press], None]) -> Callable[[], None]:
        def released() -> None:
            if name in self._held:
                self._held.discard(name)
            else:
                pressed(name)  # type: ignore[arg-type]

        return released

    def close(self) -> None:
        for button in self._buttons.values():
            button.close()
        self._buttons = {}
