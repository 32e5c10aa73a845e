"""Positions written the way leaflets tell them: point -> checkers, by absolute points."""

from __future__ import annotations

from typing import Any

from pi_board.rules import Position


def document(light: dict[int, int], dark: dict[int, int], bar: tuple[int, int] = (0, 0)) -> dict[str, Any]:
    """A position document; the checkers not named are off."""
    points = [light.get(p, 0) - dark.get(p, 0) for p in range(1, 25)]
    return {
        "points": points,
        "bar": {"light": bar[0], "dark": bar[1]},
        "off": {"light": 15 - sum(light.values()) - bar[0], "dark": 15 - sum(dark.values()) - bar[1]},
    }


def board(light: dict[int, int], dark: dict[int, int], bar: tuple[int, int] = (0, 0)) -> Position:
    return Position.from_document(document(light, dark, bar))


def edited(
    position: Position,
    changes: dict[int, int],
    bar: dict[str, int] | None = None,
    off: dict[str, int] | None = None,
) -> dict[str, Any]:
    """The document of `position` with some points set (light positive) and some bar or off counts set."""
    made = position.to_document()
    for point, count in changes.items():
        made["points"][point - 1] = count
    made["bar"].update(bar or {})
    made["off"].update(off or {})
    return made
