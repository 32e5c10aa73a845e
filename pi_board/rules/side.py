"""The two sides, whatever colours their checkers have."""

from __future__ import annotations

from typing import Literal

Side = Literal["light", "dark"]
SIDES: tuple[Side, Side] = ("light", "dark")
CHECKERS = 15


def opponent(side: Side) -> Side:
    """The other side."""
    return "dark" if side == "light" else "light"
