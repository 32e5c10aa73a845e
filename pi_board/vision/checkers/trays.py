"""Borne-off checkers that lie in a tray or on the table, left or right of the board.

The slot network marks the tops of checkers. It is convolutional, so it works beside the board as well as on it. The number of
checkers in a stack cannot be seen from above. But whether a side has checkers off, and in about how many stacks, decides whether the
board must hold all fifteen of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.checkers.cell_discs import tops_in_cells
from pi_board.vision.checkers.set_colours import TOP_FROM, linear
from pi_board.vision.checkers.sides import Sides
from pi_board.vision.checkers.slot_network import PITCH, STRIDE, canvas_map, draw_canvas, wide_cells

Floats = npt.NDArray[np.float64]

#: Columns' widths looked at on each side of the board.
REACH = 5
#: Two tops are at least so far apart (cells); the shaded wall of a stack looks like tops of the other side, so those are farther off.
_APART, _APART_FROM_OTHERS = 4.2, 8.0
#: Share of a disc that the network must take for a checker's top: perhaps one, certainly one.
FAINT, CLEAR = 0.4, 0.65
#: The strongest top beside a board is one of four kinds: none, below this share, below CLEAR, clear.
_KINDS = (FAINT, 0.52, CLEAR)
#: P(kind) without checkers off (dice and cubes look a little like checkers) and with some; a tray may be shut or hold them upright.
_NONE_OFF = np.array([0.945, 0.02, 0.015, 0.02])
_SOME_OFF = np.array([0.08, 0.03, 0.06, 0.83])
#: A side's checkers look alike: a top that is less than this share as clear as the clearest of its side is none of them.
_ALIKE = 0.65
#: How often people stack what is off so high, from 1 to 5. Set: of 45 sides of shared scenes and traced rooms that have more than one off 24
#: lie flat, 6 two high, 13 three and 2 five high, but of the 15 of shared scenes alone only 4 flat and 7 three high.
_HIGH = np.array([0.3, 0.12, 0.28, 0.08, 0.22])
#: P(so many more stacks seen than there are, from two fewer to two more). Right are 40 of the 44 sides of rooms 7500 and 7600.
_MISCOUNT = np.array([0.03, 0.05, 0.84, 0.05, 0.03])
#: P(any other number of stacks seen): a floor, chosen by eye, so that no count is ruled out.
_MISCOUNT_MORE = 0.005
#: Players lay borne-off checkers within this many columns' widths of the board.
_NEAR = 3

#: For light and dark, how clearly each checker top is seen (0..1), the clearest first.
Tops = tuple[tuple[float, ...], tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Strip:
    """What lies on one side of the board. in_view: share of it that the picture shows."""

    tops: Tops
    in_view: float

    @property
    def clear(self) -> float:
        """How many tops are clear, weighed by how clear."""
        return sum(top for tops in self.tops for top in tops if top >= CLEAR)


@dataclass(frozen=True, slots=True)
class Beside:
    """What lies to the left and to the right of the board."""

    left: Strip
    right: Strip

    def where_off(self, home: str) -> Strip:
        """Where borne-off checkers lie. Both players lay them where their homes are, by `home` ("left" or "right"); a cup or a coin on the
        other side is none. The other side it is when only that one shows clear tops: then `home` may be wrong."""
        mine, other = (self.left, self.right) if home == "left" else (self.right, self.left)
        return other if other.clear > 0 and not mine.clear else mine


def _tops(seen: npt.NDArray[np.floating]) -> Tops:
    """How clear each top on maps of cells (2 sides, rows, columns) is, the clearest first; none that is near a clearer one.
    `seen` is used up."""
    rows, columns = np.ogrid[: seen.shape[1], : seen.shape[2]]
    found: tuple[list[float], list[float]] = ([], [])
    while True:
        side, y, x = np.unravel_index(int(seen.argmax()), seen.shape)
        if seen[side, y, x] < FAINT:
            return tuple(found[0]), tuple(found[1])
        found[side].append(float(seen[side, y, x]))
        away = (rows - y) ** 2 + (columns - x) ** 2
        seen[side, away < _APART**2] = 0
        seen[1 - side, away < _APART_FROM_OTHERS**2] = 0


def look_beside(
    bgr: npt.NDArray[np.uint8], geometry: BoardGeometry, z: float, sides: Sides | None = None
) -> Beside:
    """bgr: (H, W, 3) uint8. z: cm, height of a checker's top above the field. sides: how the checkers on the board look, when known:
    whose a top beside it is follows from that."""
    p = geometry.profile
    beside = REACH * PITCH
    maps = canvas_map(geometry.project, p.field_width, p.field_height, p.bar_width, z, beside)
    height, width = bgr.shape[:2]
    shown = (maps[0] >= 0) & (maps[0] <= width - 1) & (maps[1] >= 0) & (maps[1] <= height - 1)
    canvas = draw_canvas(bgr, maps)
    cells = wide_cells(canvas, beside)
    small = np.asarray(
        cv2.resize(canvas, (cells.shape[1], cells.shape[0]), interpolation=cv2.INTER_AREA), np.uint8
    )
    tops = cells[..., 1] + cells[..., 2]
    if sides is not None and (shares := sides.shares(_light_of_tops(small, tops))) is not None:
        # What has neither side's colour is no checker: on patterned cloths the network sees many.
        light, either = shares
        cells[..., 1], cells[..., 2] = tops * either * light, tops * either * (1 - light)
    inside = shown[STRIDE // 2 :: STRIDE, STRIDE // 2 :: STRIDE]
    n = beside // STRIDE
    discs = np.array([tops_in_cells(cells[..., side]) for side in (1, 2)])
    discs[:, ~inside] = 0  # Beyond the picture there are only its repeated edge pixels.
    near = _NEAR * PITCH
    views = (shown[:, beside - near : beside].mean(), shown[:, -beside : near - beside].mean())
    return Beside(
        Strip(_tops(discs[:, :, :n]), float(views[0])), Strip(_tops(discs[:, :, -n:]), float(views[1]))
    )


def _light_of_tops(small: npt.NDArray[np.uint8], tops: npt.NDArray[np.floating]) -> Floats:
    """(H, W, 3) mean linear light of the tops around each cell, as a point's is taken: a ring or a logo is no colour of its own."""
    weight = np.maximum(tops - TOP_FROM, 0) + 1e-3
    total = tops_in_cells(weight)
    light = linear(small)
    mixed = [tops_in_cells(weight * light[..., c]) / total for c in range(3)]
    return np.asarray(np.stack(mixed, axis=-1), np.float64)


def off_evidence(beside: Beside, home: str = "right") -> Floats:
    """(2, 16) log-likelihood of 0..15 checkers off, light and dark. home: on which side people lay them, "left" or "right"."""
    out = np.zeros((2, 16))
    strip = beside.where_off(home)
    for row, tops in zip(out, strip.tops, strict=True):
        kind = int(np.searchsorted(_KINDS, tops[0], side="right")) if tops else 0
        # What the picture does not show is no evidence: mix by the share of the strip in view.
        some = strip.in_view * _SOME_OFF + (1 - strip.in_view) * _NONE_OFF
        row[0] = np.log(_NONE_OFF[kind])
        stacks = sum(t >= _ALIKE * tops[0] for t in tops) if tops and tops[0] > _KINDS[1] else 0
        for n in range(1, 16):
            share = 1.0
            if stacks:
                surplus = stacks - np.ceil(n / np.arange(1, 6)).astype(int)
                hit = np.where(np.abs(surplus) <= 2, _MISCOUNT[np.clip(surplus, -2, 2) + 2], _MISCOUNT_MORE)
                share = 2 * float(_HIGH @ hit)
            row[n] = np.log(some[kind] * share)
    return out
