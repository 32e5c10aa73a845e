"""Where things lie on the board: points, bar, tray and dice halves in board-frame cm."""

from __future__ import annotations

from typing import Literal

import numpy as np

from pi_board.rules import Side
from pi_board.simulator.style import BoardStyle

Home = Literal["right", "left"]


class Layout:
    """`BoardStyle` plus seating: `near` sits at the bottom of the picture and bears off to its `home` side."""

    def __init__(self, style: BoardStyle, near: Side = "light", home: Home = "right") -> None:
        self.style = style
        self.near = near
        self.home = home

    @property
    def home_sign(self) -> float:
        """+1 when the near player bears off to the right of the picture, else -1."""
        return 1.0 if self.home == "right" else -1.0

    def row_sign(self, point: int) -> float:
        """-1 for points of the near row, +1 for the far row."""
        return -1.0 if self._near_point(point) <= 12 else 1.0

    def _near_point(self, point: int) -> int:
        return point if self.near == "light" else 25 - point

    def column_x(self, column: int) -> float:
        """Middle of column 0..11, left to right."""
        s = self.style
        return -s.field_width / 2 + (column + 0.5) * s.pitch + (s.bar_width if column >= 6 else 0.0)

    def point_x(self, point: int) -> float:
        """x of the middle of absolute point 1..24."""
        near = self._near_point(point)
        column = 12 - near if near <= 12 else near - 13
        return self.home_sign * self.column_x(column)

    def point_place(
        self, point: int, index: int, layer_from: int = 5, bridging: bool = False
    ) -> tuple[float, float, float]:
        """(x, y, z of the underside) of the `index`-th checker (0 = at the edge) of `point`, before jitter.

        From `layer_from` on they lie in a second (third …) layer: on the ones below, or `bridging` two of them each, one fewer a layer.
        """
        s, d = self.style, self.style.checker_diameter
        layer, place, row = 0, index, layer_from
        while place >= row:
            layer, place, row = layer + 1, place - row, max(1, row - bridging)
        y = s.field_height / 2 - d * 0.54 - place * d * 1.025
        if bridging:
            y -= 0.51 * d * layer
        elif layer and place == 0:
            y -= 0.1 * d
        return self.point_x(point), self.row_sign(point) * y, layer * s.checker_height

    def bar_place(self, side: Side, index: int) -> tuple[float, float, float]:
        """Hit checkers lie on the bar's middle, each side's on the half of the opponent's home's far edge."""
        s = self.style
        sign = 1.0 if side == self.near else -1.0
        place, layer = index % 4, index // 4
        y = sign * (s.cube_size * 0.8 + s.checker_diameter * (0.75 + 1.05 * place))
        return 0.0, y, s.bar_height + layer * s.checker_height

    def off_place(self, side: Side, index: int) -> tuple[float, float, float]:
        """Borne-off checkers: in the tray in two columns of stacks, else in stacks on the table beside the home."""
        s = self.style
        row = -1.0 if side == self.near else 1.0
        d = s.checker_diameter
        edge = s.field_width / 2 + s.rim_width
        if s.tray and self.home == "right":
            layer, place = index % 3, index // 3
            x = edge + s.tray_width / 2
            y = s.field_height / 2 - d * 0.6 - place * d * 1.04
            return x, row * y, layer * s.checker_height
        layer, place = index % 5, index // 5
        tray = s.beside if self.home == "left" else 0.0
        x = self.home_sign * (edge + s.rim_width + d * 0.8 + tray * (self.home_sign > 0))
        y = s.field_height / 2 - d * 0.8 - place * d * 1.25
        return x, row * y, -s.board_thickness + layer * s.checker_height

    def right_half_sign(self, side: Side) -> float:
        """+1 when the right-hand half of `side` is the right half of the picture."""
        return 1.0 if side == self.near else -1.0

    def dice_area(self, side: Side) -> tuple[float, float, float, float]:
        """(x0, x1, y0, y1) of the right-hand half of `side`, die centres may lie anywhere in it."""
        s = self.style
        margin = s.die_size * 0.85
        x0, x1 = s.bar_width / 2 + margin, s.field_width / 2 - margin
        sign = self.right_half_sign(side)
        y = s.field_height / 2 - margin
        return (x0, x1, -y, y) if sign > 0 else (-x1, -x0, -y, y)

    def cube_place(self, owner: Side | None) -> tuple[float, float, float]:
        """On the bar: in the middle, or at the owner's end of it."""
        s = self.style
        if owner is None:
            return 0.0, 0.0, s.bar_height
        sign = -1.0 if owner == self.near else 1.0
        return 0.0, sign * (s.field_height / 2 - s.cube_size * 0.75), s.bar_height

    def cube_offered_place(self, to: Side) -> tuple[float, float, float]:
        """An offered cube lies before the player who must answer, in the middle of a playing half."""
        s = self.style
        sign = -1.0 if to == self.near else 1.0
        return self.right_half_sign(to) * s.field_width / 4, sign * s.cube_size * 0.9, 0.0

    def corners(self) -> np.ndarray:
        """(4, 3) TL, TR, BR, BL of the playing field at board level."""
        w, h = self.style.field_width / 2, self.style.field_height / 2
        return np.array([[-w, h, 0], [w, h, 0], [w, -h, 0], [-w, -h, 0]], np.float64)
