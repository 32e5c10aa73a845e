"""Where the checkers of a known position stand on the canvas: where they belong, where they may be, and how they really stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.rules import Position
from pi_board.vision.board.canvas import Canvas
from pi_board.vision.board.orientation import Orientation, Row
from pi_board.vision.checkers.disc import Disc
from pi_board.vision.checkers.strips import PointLayout, plain_layout
from pi_board.vision.profile import BoardProfile

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class StartModel:
    """How a picture shows the starting position.

    differs: log-likelihood (nats) of a point's count below which the point differs, in a look that was learned before; most_differ: so
    many points may. wrong, most_wrong: the same for a look that has just been learned.
    Around each point's checkers, in checker diameters: apart (distance of two), beyond (past the last), outside (of the field), beside.
    pitches: least and largest distance of two checkers in a row that is believed, checker diameters.
    Source: chosen by eye on rendered games; no sweep is recorded.
    """

    differs: float = -6.0
    most_differ: int = 4
    wrong: float = -9.0
    most_wrong: int = 3
    apart: float = 1.04
    beyond: float = 0.9
    outside: float = 0.1
    beside: float = 0.75
    pitches: tuple[float, float] = (0.85, 1.2)


START = StartModel()


def signed_counts(position: Position) -> npt.NDArray[np.int64]:
    """(28,) signed counts in `Sighting`'s slot order."""
    return np.array(
        (*position.points, position.bar[0], -position.bar[1], position.off[0], -position.off[1]),
        dtype=np.int64,
    )


def neighbourhood(
    counts: npt.NDArray[np.int64], canvas: Canvas, orientation: Orientation, profile: BoardProfile
) -> Mask:
    """(H, W) where the checkers of `counts` may stand, with a generous margin."""
    mask = np.zeros((canvas.height, canvas.width), bool)
    half, d = profile.field_height / 2, profile.checker_diameter
    for point in np.nonzero(counts[:24])[0]:
        n = min(5, abs(int(counts[point])))
        column, row = orientation.column_of(int(point) + 1)
        x, sign = canvas.geometry.column_x(column), -1 if row is Row.NEAR else 1
        y = half - (n + START.beyond) * START.apart * d
        wide = START.beside * d
        mask[canvas.rectangle(x - wide, sign * (half + START.outside * d), x + wide, sign * y)] = True
    if counts[24:26].any():
        bar = profile.bar_width / 2
        mask[canvas.rectangle(-bar, -half, bar, half)] = True
    return mask


def ideal_discs(counts: npt.NDArray[np.int64], canvas: Canvas, orientation: Orientation) -> list[Disc]:
    """Discs of `counts` on the points, each exactly where it belongs."""
    out = []
    for point in range(24):
        n = int(counts[point])
        column, row = orientation.column_of(point + 1)
        for i in range(min(abs(n), 5)):
            x, y, _ = canvas.geometry.checker_place(column, row, i)
            u, v = canvas.place([[x, y]])[0]
            out.append(Disc(float(u), float(v), 0 if n > 0 else 1, point))
    return out


def moved(before: list[Disc], now: list[Disc]) -> npt.NDArray[Any]:
    """(N,) how far each of the checkers (in the same order) lies off its place of before, canvas px; infinite when others are there."""
    if [d.slot for d in before] != [d.slot for d in now]:
        return np.full(max(len(before), 1), np.inf)
    apart = [max(abs(a.x - b.x), abs(a.y - b.y)) for a, b in zip(before, now, strict=True)]
    return np.array(apart, np.float64)


def farthest_moved(before: list[Disc], now: list[Disc]) -> float:
    """The most of `moved`."""
    return float(moved(before, now).max(initial=0.0))


def in_order(discs: Iterable[Disc]) -> list[Disc]:
    """The checkers by slot, and in a slot from the far edge on."""
    return sorted(discs, key=lambda d: (d.slot, d.y))


def have_stayed(stood: Sequence[Disc], counts: npt.NDArray[np.int64]) -> list[Disc]:
    """Those of `stood`, in order, that are likely to stand there still: in their slots stand as many of their side now. counts: (28,)
    signed."""
    seen = np.zeros(len(counts), np.int64)
    for d in stood:
        seen[d.slot] += 1 if d.side == 0 else -1
    return in_order(d for d in stood if seen[d.slot] == counts[d.slot])


def layout_of(discs: list[Disc], canvas: Canvas, orientation: Orientation) -> PointLayout:
    """Where the checkers really stand on their points: a line through the found columns, for each half and
    row.
    """
    layout = plain_layout()
    pitches: list[float] = []
    by_slot: dict[int, list[Disc]] = {}
    for d in discs:
        if d.slot < 24:
            by_slot.setdefault(d.slot, []).append(d)
    for row in Row:
        for half in (0, 1):
            columns, shifts = [], []
            for slot, mine in by_slot.items():
                column, r = orientation.column_of(slot + 1)
                if r != row or column // 6 != half:
                    continue
                expected = canvas.place([[canvas.geometry.column_x(column), 0.0]])[0][0]
                columns.append(column)
                shifts.append(float(np.median([d.x for d in mine])) - expected)
                pitches += list(np.diff(sorted(d.y for d in mine)))
            if not columns:
                continue
            slope = 0.0
            if len(columns) >= 2:
                far = int(np.argmax(columns)), int(np.argmin(columns))
                slope = (shifts[far[0]] - shifts[far[1]]) / (columns[far[0]] - columns[far[1]])
            middle, level = float(np.mean(columns)), float(np.mean(shifts))
            for k in range(6):
                layout.offset[half * 6 + k, row, 0] = level + slope * (half * 6 + k - middle)
    if pitches:
        layout.pitch = float(np.clip(np.median(pitches), START.pitches[0] * 16, START.pitches[1] * 16))
    return layout
