"""Settings of what stands at the table: [panel], [display] and [serial] in the settings file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pi_board.errors import InvalidSettingsError
from pi_board.panel.signals import MELODIES, Melody, melody_from


@dataclass(frozen=True, slots=True)
class PanelOptions:
    """lights, buttons: in use. buzzer: "off", "short" (one note for a fault), "normal" (melodies).

    pins: path of a pin map; empty = the one that comes with the program (hardware/pins.toml).
    quiet_from, quiet_to: "HH:MM" local time between which the buzzer is silent; empty = never.
    sounds: what the buzzer plays for a word of `MELODIES` instead, "A4:150 -:50 E4:400": notes with their milliseconds, "-" a rest;
    "" keeps it silent for that word.
    hold_seconds: how long `next` is held for a safe shutdown. shutdown: the long press switches the Pi off.
    language: of all messages: en, nl, de, fr, es, it.
    """

    lights: bool = True
    buttons: bool = True
    buzzer: Literal["off", "short", "normal"] = "normal"
    pins: str = ""
    quiet_from: str = ""
    quiet_to: str = ""
    sounds: Mapping[str, str] = field(default_factory=dict)
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
        self.melodies()
        if not 1 <= self.hold_seconds <= 20:
            raise InvalidSettingsError(f"hold_seconds: expected 1 to 20, got {self.hold_seconds}")

    def melodies(self) -> dict[str, Melody]:
        """Every word with its notes. Raises InvalidSettingsError naming the word that cannot be played."""
        own: dict[str, Melody] = {}
        for word, text in self.sounds.items():
            if word not in MELODIES:
                raise InvalidSettingsError(f"sounds: no such word {word!r}; known: {', '.join(MELODIES)}")
            try:
                own[word] = melody_from(text)
            except ValueError as error:
                raise InvalidSettingsError(f"sounds: {word}: {error}") from None
        return MELODIES | own

    def quiet_at(self, clock: str) -> bool:
        """Whether the buzzer is to be silent at local time "HH:MM"."""
        if not self.quiet_from:
            return False
        if self.quiet_from <= self.quiet_to:
            return self.quiet_from <= clock < self.quiet_to
        return clock >= self.quiet_from or clock < self.quiet_to


@dataclass(frozen=True, slots=True)
class VoiceOptions:
    """Spoken words by espeak-ng, in the panel's language and outside its quiet hours. words: "off", "verdicts" (what is wrong,
    asked or answered) or "all" (cube, results, whose opening it is as well). volume: 0 to 100. speed: words a minute.
    """

    words: Literal["off", "verdicts", "all"] = "off"
    volume: int = 60
    speed: int = 160

    def __post_init__(self) -> None:
        if self.words not in ("off", "verdicts", "all"):
            raise InvalidSettingsError(f"words: expected off, verdicts or all, got {self.words!r}")
        if not 0 <= self.volume <= 100:
            raise InvalidSettingsError(f"volume: expected 0 to 100, got {self.volume}")
        if not 80 <= self.speed <= 400:
            raise InvalidSettingsError(f"speed: expected 80 to 400 words a minute, got {self.speed}")


@dataclass(frozen=True, slots=True)
class DisplayOptions:
    """kind: "none", "ssd1306" or "sh1106" (128×64 OLED on I2C), "st7789" (240×240 in colour on SPI).

    bus: number of the I2C or SPI bus, -1 = the usual one (I2C 1, SPI 0). address: of the OLED on I2C, usually 0x3C or 0x3D. rotate: quarter turns (an OLED: 0 or 2).
    bus_speed: SPI clock in Hz. contrast: 0 to 255.
    """

    kind: Literal["none", "ssd1306", "sh1106", "st7789"] = "none"
    bus: int = -1
    address: int = 0x3C
    rotate: int = 0
    bus_speed: int = 24_000_000
    contrast: int = 200

    def __post_init__(self) -> None:
        if not -1 <= self.bus <= 30:
            raise InvalidSettingsError(f"bus: expected a bus number from 0 to 30, or -1, got {self.bus}")
        if not 0x08 <= self.address <= 0x77:
            raise InvalidSettingsError(
                f"address: expected an I2C address from 0x08 to 0x77, got {self.address:#x}"
            )
        if self.rotate not in (0, 1, 2, 3):
            raise InvalidSettingsError(f"rotate: expected 0 to 3 quarter turns, got {self.rotate}")
        if self.kind in ("ssd1306", "sh1106") and self.rotate % 2:
            raise InvalidSettingsError(
                f"rotate: expected 0 or 2 quarter turns for a display of 128×64, got {self.rotate}"
            )
        if not 100_000 <= self.bus_speed <= 80_000_000:
            raise InvalidSettingsError(f"bus_speed: expected 100000 to 80000000 Hz, got {self.bus_speed}")
        if not 0 <= self.contrast <= 255:
            raise InvalidSettingsError(f"contrast: expected 0 to 255, got {self.contrast}")


@dataclass(frozen=True, slots=True)
class SerialOptions:
    """strip, text: ports of the light strip and of the text display, e.g. /dev/pi-board-strip; empty = none.

    baud: of the text display (USB devices like the strip's Pico take any). lights: lamps on the strip in all.
    brightness: 0 to 255 of the strip. columns, rows: of the text display.
    """

    strip: str = ""
    text: str = ""
    baud: int = 115_200
    lights: int = 48
    brightness: int = 60
    columns: int = 20
    rows: int = 4

    def __post_init__(self) -> None:
        if not 300 <= self.baud <= 4_000_000:
            raise InvalidSettingsError(f"baud: expected 300 to 4000000, got {self.baud}")
        if not 24 <= self.lights <= 300:
            raise InvalidSettingsError(f"lights: expected 24 to 300 lamps, got {self.lights}")
        if not 0 <= self.brightness <= 255:
            raise InvalidSettingsError(f"brightness: expected 0 to 255, got {self.brightness}")
        if not (8 <= self.columns <= 40 and 1 <= self.rows <= 8):
            raise InvalidSettingsError(
                f"columns, rows: expected 8 to 40 and 1 to 8, got {self.columns} and {self.rows}"
            )
