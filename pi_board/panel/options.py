"""Settings of the panel: [panel] in the settings file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from pi_board.errors import InvalidSettingsError


@dataclass(frozen=True, slots=True)
class PanelOptions:
    """lights, buttons: in use. buzzer: "off", "short" (one note for a fault), "normal" (melodies).

    pins: path of a pin map; empty = the one that comes with the program (hardware/pins.toml).
    quiet_from, quiet_to: "HH:MM" local time between which the buzzer is silent; empty = never.
    hold_seconds: how long `next` is held for a safe shutdown. shutdown: the long press switches the Pi off.
    language: of all messages: en, nl, de, fr, es, it.
    """

    lights: bool = True
    buttons: bool = True
    buzzer: Literal["off", "short", "normal"] = "normal"
    buzzer_active_high: bool = True
    pins: str = ""
    quiet_from: str = ""
    quiet_to: str = ""
    hold_seconds: float = 3.0
    shutdown: bool = True
    language: Literal["en", "nl", "de", "fr", "es", "it"] = "en"

    def __post_init__(self) -> None:
        for key in ("quiet_from", "quiet_to"):
            value = getattr(self, key)
            if value and not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", value):
                raise InvalidSettingsError(f'{key}: expected a time like "22:30" or nothing, got {value!r}')
        if bool(self.quiet_from) != bool(self.quiet_to):
            raise InvalidSettingsError("quiet_from, quiet_to: expected both or neither")
        if not 1 <= self.hold_seconds <= 20:
            raise InvalidSettingsError(f"hold_seconds: expected 1 to 20, got {self.hold_seconds}")

    def quiet_at(self, clock: str) -> bool:
        """Whether the buzzer is to be silent at local time "HH:MM"."""
        if not self.quiet_from:
            return False
        if self.quiet_from <= self.quiet_to:
            return self.quiet_from <= clock < self.quiet_to
        return clock >= self.quiet_from or clock < self.quiet_to
