"""What a person may set about the hints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pi_board.errors import InvalidSettingsError


@dataclass(frozen=True, slots=True)
class HintsOptions:
    """level: how far hints look ahead. backend: "own" engine, "gnubg" (GNU Backgammon; falls back to our own with a
    notice) or "auto" (GNU Backgammon where it is installed). show: how many plays a hint lists. coach: say what each
    play cost. gnubg: path of the program, "" = look for it. timeout: seconds to wait for one answer of it."""

    level: Literal["fast", "normal", "deep"] = "normal"
    backend: Literal["own", "gnubg", "auto"] = "own"
    show: int = 5
    coach: bool = True
    gnubg: str = ""
    timeout: float = 20.0

    def __post_init__(self) -> None:
        for key, choices in (("level", ("fast", "normal", "deep")), ("backend", ("own", "gnubg", "auto"))):
            if getattr(self, key) not in choices:
                raise InvalidSettingsError(
                    f"{key}: expected one of {', '.join(choices)}, got {getattr(self, key)!r}"
                )
        if not 1 <= self.show <= 100:
            raise InvalidSettingsError(f"show: expected 1 to 100, got {self.show!r}")
        if not 0.1 <= self.timeout <= 600:
            raise InvalidSettingsError(f"timeout: expected 0.1 to 600 seconds, got {self.timeout!r}")
