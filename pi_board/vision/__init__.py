"""Reading a real board: finding, geometry, appearance, checkers, dice, cube, gate → `Sighting`."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_EXPORTS = {
    "read_image": "still",
    "Reading": "still",
    "read_die": "dice.read_die",
    "DieReading": "dice.read_die",
    "BoardReader": "reader",
    "BoardProfile": "profile",
    "load_profile": "profile",
    "find_board": "finding.find_board",
}
__all__ = sorted(_EXPORTS)


def __getattr__(name: str) -> Any:
    # Lazy, so that a part without cv2 can import the types and `import pi_board` stays light.
    if name in _EXPORTS:
        return getattr(import_module(f"pi_board.vision.{_EXPORTS[name]}"), name)
    raise AttributeError(f"module 'pi_board.vision' has no attribute {name!r}")
