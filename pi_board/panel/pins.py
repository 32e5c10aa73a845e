"""The pin map of hardware/pins.toml: one source for the program, the wiring diagram and the doctor."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pi_board.errors import InvalidSettingsError

LEDS = ("turn_light", "turn_dark", "verdict_green", "verdict_amber", "verdict_red")
BUTTONS = ("hint", "stands", "take_back", "next")
#: GPIO numbers on the 40-pin header of every Raspberry Pi since the B+.
HEADER = range(2, 28)


@dataclass(frozen=True, slots=True)
class PinMap:
    """BCM numbers by name. `buzzer` None: there is none. reserved: used by the display; nothing else may be there."""

    leds: dict[str, int] = field(default_factory=dict)
    buttons: dict[str, int] = field(default_factory=dict)
    buzzer: int | None = None
    reserved: dict[str, int] = field(default_factory=dict)

    def all(self) -> dict[str, int]:
        """Every name with its pin, e.g. {"leds.turn_light": 17, …}."""
        found = {f"leds.{k}": v for k, v in self.leds.items()}
        if self.buzzer is not None:
            found["buzzer.buzzer"] = self.buzzer
        found |= {f"buttons.{k}": v for k, v in self.buttons.items()}
        return found | {f"reserved.{k}": v for k, v in self.reserved.items()}


def default_path() -> Path:
    package = Path(__file__).resolve().parent.parent
    installed = package / "_data" / "pins.toml"
    return installed if installed.is_file() else package.parent / "hardware" / "pins.toml"


def load_pins(path: str | Path | None = None) -> PinMap:
    """The map of `path`, else the program's own. Raises InvalidSettingsError naming file, key and what was expected;
    a pin that is used twice is refused with both names."""
    file = Path(path).expanduser() if path else default_path()
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidSettingsError(f"{file}: cannot be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidSettingsError(f"{file}: not valid TOML: {error}") from None
    return pins_from(document, str(file))


def pins_from(document: dict[str, Any], where: str = "pins") -> PinMap:
    known: dict[str, tuple[str, ...] | None] = {
        "leds": LEDS,
        "buttons": BUTTONS,
        "buzzer": ("buzzer",),
        "reserved": None,
    }
    for section, keys in document.items():
        if section not in known or not isinstance(keys, dict):
            raise InvalidSettingsError(f"{where}: [{section}]: expected one of {', '.join(known)}")
        for key, pin in keys.items():
            allowed = known[section]
            if allowed is not None and key not in allowed:
                raise InvalidSettingsError(
                    f"{where}: [{section}] {key}: expected one of {', '.join(allowed)}"
                )
            if isinstance(pin, bool) or not isinstance(pin, int) or pin not in HEADER:
                raise InvalidSettingsError(
                    f"{where}: [{section}] {key}: expected a BCM number from 2 to 27, got {pin!r}"
                )
    pins = PinMap(
        dict(document.get("leds", {})),
        dict(document.get("buttons", {})),
        document.get("buzzer", {}).get("buzzer"),
        dict(document.get("reserved", {})),
    )
    owner: dict[int, str] = {}
    for name, pin in pins.all().items():
        if pin in owner:
            raise InvalidSettingsError(f"{where}: GPIO{pin} is used twice: {owner[pin]} and {name}")
        owner[pin] = name
    return pins
