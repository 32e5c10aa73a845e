"""The 37-hole board of the travel set: numbering, jumps, notation (leaflet "Backgammon & Solitaire Travel").

Holes are numbered row by row from 1 (rows of 3, 5, 7, 7, 7, 5, 3); 19 is the centre. A position is an int whose
bit n - 1 is set when hole n holds a piece: cheap to copy, compare and hash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from pi_board.errors import IllegalError, InvalidError

ROWS_37 = (3, 5, 7, 7, 7, 5, 3)
#: The English board, for owners of a 33-hole set.
ROWS_33 = (3, 3, 7, 7, 7, 3, 3)


@dataclass(frozen=True, slots=True, order=True)
class Jump:
    """One piece from `start` over `over` to `end` (hole numbers)."""

    start: int
    over: int
    end: int

    def __str__(self) -> str:
        return f"{self.start}-{self.end}"


@dataclass(frozen=True)
class Board:
    """A board of centred rows. rows: number of holes in each row."""

    rows: tuple[int, ...] = ROWS_37
    width: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "width", max(self.rows))

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """(row, column) of each hole, index 0 = hole 1; row 0 is the top row."""
        found = []
        for r, n in enumerate(self.rows):
            first = (self.width - n) // 2
            found += [(r, first + i) for i in range(n)]
        return tuple(found)

    @cached_property
    def number(self) -> dict[tuple[int, int], int]:
        """(row, column) -> hole number."""
        return {place: i + 1 for i, place in enumerate(self.places)}

    @property
    def holes(self) -> int:
        return len(self.places)

    @property
    def full(self) -> int:
        return (1 << self.holes) - 1

    @property
    def centre(self) -> int:
        return self.number[len(self.rows) // 2, self.width // 2]

    @cached_property
    def jumps(self) -> tuple[Jump, ...]:
        """Every jump that the board's shape allows (76 on 37 holes), in order of hole numbers."""
        found = []
        for (r, c), start in self.number.items():
            for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                over, end = (r + dr, c + dc), (r + 2 * dr, c + 2 * dc)
                if end in self.number:
                    found.append(Jump(start, self.number[over], self.number[end]))
        return tuple(sorted(found))

    @cached_property
    def masks(self) -> tuple[tuple[int, int, int], ...]:
        """(bits that must be set, bit that must be clear, bits that flip) for each of `jumps`."""
        return tuple(
            (bit(j.start) | bit(j.over), bit(j.end), bit(j.start) | bit(j.over) | bit(j.end))
            for j in self.jumps
        )

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The board's rotations and reflections as permutations of hole indices (0-based), identity first."""
        n = self.width - 1
        maps: tuple[Callable[[int, int], tuple[int, int]], ...] = (
            lambda r, c: (r, c),
            lambda r, c: (r, n - c),
            lambda r, c: (n - r, c),
            lambda r, c: (n - r, n - c),
            lambda r, c: (c, r),
            lambda r, c: (c, n - r),
            lambda r, c: (n - c, r),
            lambda r, c: (n - c, n - r),
        )
        found = []
        for m in maps:
            images = [m(r, c) for r, c in self.places]
            if all(i in self.number for i in images):
                found.append(tuple(self.number[i] - 1 for i in images))
        return tuple(found)

    def legal(self, position: int) -> list[Jump]:
        """The jumps that are possible now."""
        return [
            j
            for j, (need, clear, _) in zip(self.jumps, self.masks, strict=True)
            if position & need == need and not position & clear
        ]

    def after(self, position: int, jump: Jump) -> int:
        """The position after `jump`. Raises IllegalError with the reason when it is not possible."""
        why = self.why_not(position, jump.start, jump.end)
        if why:
            raise IllegalError(why)
        return position ^ (bit(jump.start) | bit(jump.over) | bit(jump.end))

    def jump(self, start: int, end: int) -> Jump:
        """The jump between two holes. Raises IllegalError when the board's shape has none."""
        for j in self.jumps:
            if j.start == start and j.end == end:
                return j
        raise IllegalError(self.why_not(self.full, start, end) or f"{start}-{end} is not a jump")

    def why_not(self, position: int, start: int, end: int) -> str:
        """Why a piece cannot jump from `start` to `end`; "" when it can."""
        for n in (start, end):
            if not 1 <= n <= self.holes:
                return f"there is no hole {n}; expected 1 to {self.holes}"
        (r, c), (s, d) = self.places[start - 1], self.places[end - 1]
        if not position & bit(start):
            return f"there is no piece on {start}"
        if start == end:
            return f"{start}-{end} does not move"
        if r != s and c != d:
            return f"{start}-{end} is diagonal; jumps go along a row or a column"
        if abs(r - s) + abs(c - d) != 2:
            return f"{start}-{end} is not two holes away"
        over = self.number[(r + s) // 2, (c + d) // 2]
        if not position & bit(over):
            return f"{start}-{end} jumps over {over}, which is empty"
        if position & bit(end):
            return f"{end} is not empty"
        return ""

    # -------------------------------------------------------------------------------- words

    def parse_jumps(self, position: int, words: Iterable[str]) -> list[Jump]:
        """Jumps from notation: `17-19`, several at once with one piece `17-19-33`. Raises InvalidError, IllegalError."""
        found = []
        for word in words:
            stops = word.replace("x", "-").split("-")
            if len(stops) < 2 or not all(s.isascii() and s.isdigit() for s in stops):
                raise InvalidError(f"{word!r}: expected a jump like 17-19 or 17-19-33")
            for a, b in pairwise(stops):
                why = self.why_not(position, int(a), int(b))
                if why:
                    raise IllegalError(f"{word}: {why}")
                jump = self.jump(int(a), int(b))
                position = self.after(position, jump)
                found.append(jump)
        return found

    def from_holes(self, holes: Sequence[int]) -> int:
        """A position from a list of 0/1, one per hole. Raises InvalidError."""
        if len(holes) != self.holes:
            raise InvalidError(f"holes: expected {self.holes} values, got {len(holes)}")
        for n, value in enumerate(holes, 1):
            if isinstance(value, bool) or value not in (0, 1):
                raise InvalidError(f"holes: hole {n}: expected 0 or 1, got {value!r}")
        return sum(bit(n) for n, value in enumerate(holes, 1) if value)

    def to_holes(self, position: int) -> list[int]:
        return [position >> i & 1 for i in range(self.holes)]

    def from_numbers(self, numbers: Iterable[int]) -> int:
        """A position from the numbers of its occupied holes. Raises InvalidError."""
        position = 0
        for n in numbers:
            if not 1 <= n <= self.holes:
                raise InvalidError(f"holes: there is no hole {n}; expected 1 to {self.holes}")
            position |= bit(n)
        return position

    def text(self, position: int, *, full: str = "●", empty: str = "·") -> list[str]:
        """The board as lines of text."""
        lines = []
        for r, n in enumerate(self.rows):
            cells = [
                full if position & bit(self.number[r, c]) else empty
                for c in range((self.width - n) // 2, (self.width - n) // 2 + n)
            ]
            lines.append(" ".join(cells).center(2 * self.width - 1).rstrip())
        return lines


def bit(hole: int) -> int:
    return 1 << (hole - 1)


def count(position: int) -> int:
    """Pieces on the board."""
    return position.bit_count()


def sweeps(jumps: Sequence[Jump]) -> list[str]:
    """Jumps in words, consecutive jumps of one piece joined: ["17-19-33", "6-18"]."""
    words: list[str] = []
    last = 0
    for j in jumps:
        if words and j.start == last:
            words[-1] += f"-{j.end}"
        else:
            words.append(str(j))
        last = j.end
    return words


BOARD_37 = Board()
BOARD_33 = Board(ROWS_33)
