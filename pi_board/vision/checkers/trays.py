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
_NONE_OFF = np.array([0.91, 0.05, 0.025, 0.015])
_SOME_OFF = np.array([0.10, 0.04, 0.09, 0.77])
#: How high people stack what is off, and P(so many more stacks seen than there are, from two fewer to two more).
_HIGH = np.array([0.2, 0.1, 0.25, 0.15, 0.3])
_MISCOUNT = np.array([0.04, 0.12, 0.6, 0.16, 0.08])
#: P(any other number of stacks seen): a floor, chosen by eye, so that no count is ruled out.
_MISCOUNT_MORE = 0.005
#: Players lay borne-off checkers within this many columns' widths of the board.
_NEAR = 3


@dataclass(frozen=True, slots=True)
class Beside:
    """What lies beside the board.

    tops: for light and dark, how clearly each checker top is seen (0..1), the clearest first; on either side.
    in_view: share of the strips on the left, on the right that the picture shows.
    """

    tops: tuple[tuple[float, ...], tuple[float, ...]]
    in_view: tuple[float, float]


def _tops(seen: npt.NDArray[np.floating]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """How clear each top on maps of cells (2 sides, rows, columns) is, the clearest first; none that is near a clearer one."""
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
    if sides is not None and (shares := sides.shares(small)) is not None:
        # What has neither side's colour is no checker: on patterned cloths the network sees many.
        light, either = shares
        tops = (cells[..., 1] + cells[..., 2]) * either
        cells[..., 1], cells[..., 2] = tops * light, tops * (1 - light)
    inside = shown[STRIDE // 2 :: STRIDE, STRIDE // 2 :: STRIDE]
    n = beside // STRIDE
    discs = np.array([tops_in_cells(cells[..., side]) for side in (1, 2)])
    discs[:, ~inside] = 0  # Beyond the picture there are only its repeated edge pixels.
    discs[:, :, n:-n] = 0
    near = _NEAR * PITCH
    views = (shown[:, beside - near : beside].mean(), shown[:, -beside : near - beside].mean())
    return Beside(_tops(discs), (float(views[0]), float(views[1])))


def off_evidence(beside: Beside, home: str = "right") -> Floats:
    """(2, 16) log-likelihood of 0..15 checkers off, light and dark. home: on which side people lay them, "left" or "right"."""
    out = np.zeros((2, 16))
    view = beside.in_view[home == "right"]
    for row, tops in zip(out, beside.tops, strict=True):
        kind = int(np.searchsorted(_KINDS, tops[0], side="right")) if tops else 0
        # What the picture does not show is no evidence: mix by the share of the strip in view.
        some = view * _SOME_OFF + (1 - view) * _NONE_OFF
        row[0] = np.log(_NONE_OFF[kind])
        stacks = sum(t >= CLEAR for t in tops)
        for n in range(1, 16):
            share = 1.0
            if stacks:
                surplus = stacks - np.ceil(n / np.arange(1, 6)).astype(int)
                hit = np.where(np.abs(surplus) <= 2, _MISCOUNT[np.clip(surplus, -2, 2) + 2], _MISCOUNT_MORE)
                share = 2 * float(_HIGH @ hit)
            row[n] = np.log(some[kind] * share)
    return out
