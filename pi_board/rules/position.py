"""`Position`: where all thirty checkers are, absolute numbering from light's side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pi_board.errors import InvalidPositionError
from pi_board.rules.side import CHECKERS, SIDES, Side
from pi_board.rules.xgid_fields import read_xgid


@dataclass(frozen=True, slots=True)
class Position:
    """Immutable, hashable, validated.

    points: 24 ints, index 0 = point 1 (light's ace point); light positive, dark negative.
    bar, off: (light, dark) counts. Each side has exactly 15 checkers; InvalidPositionError says what else was found
    where.
    """

    points: tuple[int, ...]
    bar: tuple[int, int] = (0, 0)
    off: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", _counts("points", self.points, 24, -CHECKERS))
        object.__setattr__(self, "bar", _counts("bar", self.bar, 2, 0))
        object.__setattr__(self, "off", _counts("off", self.off, 2, 0))
        for i, (side, sign) in enumerate((("light", 1), ("dark", -1))):
            on_points = sum(sign * n for n in self.points if sign * n > 0)
            total = on_points + self.bar[i] + self.off[i]
            if total != CHECKERS:
                raise InvalidPositionError(
                    f"{side}: expected {CHECKERS} checkers in all, got {total}"
                    f" ({on_points} on points, {self.bar[i]} on the bar, {self.off[i]} off)"
                )
        if self.off == (CHECKERS, CHECKERS):
            raise InvalidPositionError(
                "off: expected at most one side to have borne off all checkers, got both"
            )

    @classmethod
    def trusted(cls, points: tuple[int, ...], bar: tuple[int, int], off: tuple[int, int]) -> Position:
        """A position that is known to be valid (made from one by moves); nothing is checked. For generators."""
        self = object.__new__(cls)
        _set_points(self, points)
        _set_bar(self, bar)
        _set_off(self, off)
        return self

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Position:
        """From `{"points": [24 ints], "bar": {"light": n, "dark": n}, "off": {…}}`; bar and off may be left out (0).

        Raises InvalidPositionError naming the field.
        """
        return cls(*raw_counts(document))

    def to_document(self) -> dict[str, Any]:
        """The position document (JSON)."""
        return {
            "points": list(self.points),
            "bar": {"light": self.bar[0], "dark": self.bar[1]},
            "off": {"light": self.off[0], "dark": self.off[1]},
        }

    @classmethod
    def from_xgid(cls, text: str) -> Position:
        """The position part of an XGID, X being light (see `pi_board.rules.xgid.parse_xgid` for the rest)."""
        return cls(*read_xgid(text).counts)

    def pips(self, side: Side) -> int:
        """Pip count of `side`; a checker on the bar counts 25."""
        if side == "light":
            return sum((i + 1) * n for i, n in enumerate(self.points) if n > 0) + 25 * self.bar[0]
        return sum((24 - i) * -n for i, n in enumerate(self.points) if n < 0) + 25 * self.bar[1]

    def seen_from(self, side: Side) -> tuple[list[int], list[int], list[int]]:
        """(points, bar, off) from `side`: own checkers positive, index 0 = own ace point, own bar/off first."""
        if side == "light":
            return list(self.points), list(self.bar), list(self.off)
        if side != "dark":
            raise InvalidPositionError(f"side: expected light or dark, got {side!r}")
        return [-n for n in reversed(self.points)], list(reversed(self.bar)), list(reversed(self.off))

    @classmethod
    def from_seen(cls, side: Side, points: list[int], bar: list[int], off: list[int]) -> Position:
        """Inverse of `seen_from`."""
        if side == "light":
            return cls(tuple(points), (bar[0], bar[1]), (off[0], off[1]))
        if side != "dark":
            raise InvalidPositionError(f"side: expected light or dark, got {side!r}")
        return cls(tuple(-n for n in reversed(points)), (bar[1], bar[0]), (off[1], off[0]))

    def mirrored(self) -> Position:
        """The same position with the sides swapped: light stands where dark stood, seen from its own side."""
        return Position(
            tuple(-n for n in reversed(self.points)), (self.bar[1], self.bar[0]), (self.off[1], self.off[0])
        )


# Slot descriptors: the quickest way to fill a frozen slotted value that needs no check.
_set_points = Position.__dict__["points"].__set__
_set_bar = Position.__dict__["bar"].__set__
_set_off = Position.__dict__["off"].__set__


def raw_counts(document: Any) -> tuple[tuple[int, ...], tuple[int, int], tuple[int, int]]:
    """(points, bar, off) of a position document, whose checkers need not add up. Raises InvalidPositionError."""
    if not isinstance(document, Mapping):
        raise InvalidPositionError(
            f"position: expected an object with points, bar and off, got {_short(document)}"
        )
    unknown = set(map(str, document)) - {"points", "bar", "off"}
    if unknown:
        raise InvalidPositionError(
            f"position: expected points, bar and off, got also {', '.join(sorted(unknown))}"
        )
    if "points" not in document:
        raise InvalidPositionError("position: points is missing (expected a list of 24 numbers)")
    points = _counts("points", document["points"], 24, -CHECKERS)
    pairs = []
    for name in ("bar", "off"):
        value = document.get(name, {})
        if not isinstance(value, Mapping):
            raise InvalidPositionError(f'{name}: expected {{"light": n, "dark": n}}, got {_short(value)}')
        unknown = set(map(str, value)) - set(SIDES)
        if unknown:
            raise InvalidPositionError(f"{name}: expected light and dark, got {', '.join(sorted(unknown))}")
        pairs.append(_counts(name, [value.get(s, 0) for s in SIDES], 2, 0))
    return points, (pairs[0][0], pairs[0][1]), (pairs[1][0], pairs[1][1])


def _counts(name: str, values: Any, length: int, least: int) -> tuple[int, ...]:
    """`values` as a tuple of ints in range, or InvalidPositionError that says which one is wrong."""
    if type(values) is not tuple:
        if isinstance(values, str | bytes | Mapping) or not hasattr(values, "__iter__"):
            raise InvalidPositionError(f"{name}: expected a list of {length} numbers, got {_short(values)}")
        values = tuple(values)
    if len(values) != length:
        raise InvalidPositionError(f"{name}: expected {length} numbers, got {len(values)}")
    for i, n in enumerate(values):
        if type(n) is not int:
            if type(n) is bool or not hasattr(n, "__index__"):
                raise InvalidPositionError(f"{_where(name, i)}: expected a whole number, got {_short(n)}")
            # numpy's integers are welcome; they become plain ints so that equal positions hash and print alike.
            return _counts(
                name,
                tuple(
                    m.__index__() if hasattr(m, "__index__") and type(m) is not bool else m for m in values
                ),
                length,
                least,
            )
        if not least <= n <= CHECKERS:
            raise InvalidPositionError(f"{_where(name, i)}: expected {least} to {CHECKERS} checkers, got {n}")
    return values


def _where(name: str, index: int) -> str:
    return f"point {index + 1}" if name == "points" else f"{name}: {SIDES[index]}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


STARTING_POSITION = Position(
    (-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2),
)
