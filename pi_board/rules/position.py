"""`Position`: where all thirty checkers are, absolute numbering from light's side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pi_board.errors import InvalidPositionError

Side = Literal["light", "dark"]
SIDES: tuple[Side, Side] = ("light", "dark")


def opponent(side: Side) -> Side:
    return "dark" if side == "light" else "light"


@dataclass(frozen=True, slots=True)
class Position:
    """Immutable, hashable, validated.

    points: 24 ints, index 0 = point 1 (light's ace point); light positive, dark negative.
    bar, off: (light, dark) counts. Each side has exactly 15 checkers.
    """

    points: tuple[int, ...]
    bar: tuple[int, int] = (0, 0)
    off: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        if len(self.points) != 24:
            raise InvalidPositionError(f"points: expected 24 numbers, got {len(self.points)}")
        for i, side in enumerate(SIDES):
            sign = 1 if side == "light" else -1
            on_board = sum(sign * n for n in self.points if sign * n > 0)
            total = on_board + self.bar[i] + self.off[i]
            if self.bar[i] < 0 or self.off[i] < 0 or total != 15:
                raise InvalidPositionError(f"{side}: expected 15 checkers in all, got {total}")

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Position:
        bar, off = document.get("bar", {}), document.get("off", {})
        return cls(
            tuple(int(n) for n in document["points"]),
            (int(bar.get("light", 0)), int(bar.get("dark", 0))),
            (int(off.get("light", 0)), int(off.get("dark", 0))),
        )

    def to_document(self) -> dict[str, Any]:
        return {
            "points": list(self.points),
            "bar": {"light": self.bar[0], "dark": self.bar[1]},
            "off": {"light": self.off[0], "dark": self.off[1]},
        }

    def pips(self, side: Side) -> int:
        if side == "light":
            return sum((i + 1) * n for i, n in enumerate(self.points) if n > 0) + 25 * self.bar[0]
        return sum((24 - i) * -n for i, n in enumerate(self.points) if n < 0) + 25 * self.bar[1]

    def seen_from(self, side: Side) -> tuple[list[int], list[int], list[int]]:
        """(points, bar, off) from `side`: own checkers positive, index 0 = own ace point, own bar/off first."""
        if side == "light":
            return list(self.points), list(self.bar), list(self.off)
        return [-n for n in reversed(self.points)], list(reversed(self.bar)), list(reversed(self.off))

    @classmethod
    def from_seen(cls, side: Side, points: list[int], bar: list[int], off: list[int]) -> Position:
        """Inverse of `seen_from`."""
        if side == "light":
            return cls(tuple(points), (bar[0], bar[1]), (off[0], off[1]))
        return cls(tuple(-n for n in reversed(points)), (bar[1], bar[0]), (off[1], off[0]))


STARTING_POSITION = Position(
    (-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2),
)
