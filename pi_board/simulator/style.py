"""`BoardStyle`: measures and colours of a simulated set. Colours are BGR, 0..1, display-encoded albedo.

Board frame, as everywhere in the project: cm, origin = centre of the playing field on its surface, x right,
y away from the near player (up in the picture), z up.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from pi_board.errors import InvalidSettingsError

Color = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class BoardStyle:
    """One set on one table.

    Measures in cm. bar_height: top of the bar above the field (0 = flush). tray: one on the right of the field.
    rings: how checkers are turned ("none" flat, "rings" grooves, "dish" hollow). surface: of the field;
    grain is printed on wood, speckle on felt and cork. dice: body and pip colour for light and dark.
    """

    name: str
    field_width: float = 26.6
    field_height: float = 21.8
    bar_width: float = 2.5
    bar_height: float = 0.55
    point_length: float = 8.7
    checker_diameter: float = 1.8
    checker_height: float = 0.5
    die_size: float = 1.15
    cube_size: float = 1.5
    rim_width: float = 0.65
    rim_height: float = 0.55
    board_thickness: float = 1.8
    tray: bool = False
    tray_width: float = 2.2
    hinges: bool = True
    rings: Literal["none", "rings", "dish"] = "none"
    surface: Literal["plain", "wood", "felt"] = "plain"
    gloss: float = 0.25
    light: Color = (0.83, 0.88, 0.87)
    dark: Color = (0.11, 0.12, 0.12)
    field: Color = (0.22, 0.21, 0.21)
    triangle_a: Color = (0.24, 0.42, 0.10)
    triangle_b: Color = (0.72, 0.80, 0.84)
    rim: Color = (0.16, 0.16, 0.16)
    hinge: Color = (0.07, 0.07, 0.07)
    table: Color = (0.30, 0.30, 0.27)
    table_surface: Literal["plain", "wood", "felt"] = "plain"
    dice_light: tuple[Color, Color] = ((0.88, 0.91, 0.92), (0.06, 0.06, 0.06))
    dice_dark: tuple[Color, Color] = ((0.16, 0.13, 0.66), (0.90, 0.92, 0.92))
    cube: tuple[Color, Color] = ((0.15, 0.12, 0.74), (0.93, 0.93, 0.93))

    @property
    def pitch(self) -> float:
        """Distance between the middles of two neighbouring points."""
        return (self.field_width - self.bar_width) / 12

    @property
    def beside(self) -> float:
        """Width of the tray on the right with its frame; 0 without one."""
        return self.tray_width + self.rim_width if self.tray else 0.0

    @property
    def extent(self) -> tuple[float, float]:
        """(width, height) of the board with its frame and tray."""
        return self.field_width + 2 * self.rim_width + self.beside, self.field_height + 2 * self.rim_width


STYLES: dict[str, BoardStyle] = {
    "travel": BoardStyle("travel"),
    "wood": BoardStyle(
        "wood",
        field_width=42.3,
        field_height=34.3,
        bar_width=3.9,
        bar_height=1.0,
        point_length=14.0,
        checker_diameter=3.0,
        checker_height=0.95,
        die_size=1.5,
        cube_size=1.9,
        rim_width=1.25,
        rim_height=1.25,
        board_thickness=2.8,
        rings="rings",
        surface="wood",
        gloss=0.35,
        light=(0.62, 0.78, 0.84),
        dark=(0.13, 0.17, 0.24),
        field=(0.27, 0.40, 0.55),
        triangle_a=(0.17, 0.20, 0.33),
        triangle_b=(0.44, 0.68, 0.83),
        rim=(0.14, 0.20, 0.33),
        hinge=(0.25, 0.55, 0.72),
        table=(0.74, 0.78, 0.72),
        dice_dark=((0.12, 0.13, 0.14), (0.90, 0.92, 0.92)),
        cube=((0.87, 0.90, 0.90), (0.08, 0.08, 0.08)),
    ),
    "felt": BoardStyle(
        "felt",
        field_width=38.4,
        field_height=31.4,
        bar_width=3.5,
        bar_height=0.0,
        point_length=12.8,
        checker_diameter=2.6,
        checker_height=0.85,
        die_size=1.4,
        cube_size=2.0,
        rim_width=1.4,
        rim_height=0.65,
        board_thickness=3.1,
        tray=True,
        tray_width=3.4,
        rings="dish",
        surface="felt",
        gloss=0.30,
        light=(0.86, 0.90, 0.90),
        dark=(0.12, 0.12, 0.66),
        field=(0.20, 0.36, 0.10),
        triangle_a=(0.12, 0.10, 0.58),
        triangle_b=(0.78, 0.80, 0.80),
        rim=(0.11, 0.12, 0.13),
        hinge=(0.30, 0.60, 0.75),
        table=(0.22, 0.34, 0.50),
        table_surface="wood",
        dice_light=((0.80, 0.88, 0.90), (0.07, 0.07, 0.07)),
        dice_dark=((0.16, 0.16, 0.17), (0.90, 0.92, 0.92)),
        cube=((0.85, 0.90, 0.92), (0.10, 0.10, 0.10)),
    ),
}


def style_named(name: str) -> BoardStyle:
    """The style called `name`. Raises InvalidSettingsError naming the known ones."""
    if name not in STYLES:
        raise InvalidSettingsError(f"style: expected one of {', '.join(STYLES)}, got {name!r}")
    return STYLES[name]


def varied(style: BoardStyle, rng: np.random.Generator, amount: float = 1.0) -> BoardStyle:
    """Another lot of the same kind of set: measures a few per cent off, colours as another maker chose them."""

    def size(value: float, spread: float) -> float:
        return float(value * (1 + amount * rng.uniform(-spread, spread)))

    def tint(color: Color, spread: float = 0.06) -> Color:
        shift = rng.normal(0, 0.5 * spread * amount, 3) + rng.normal(0, spread * amount)
        return tuple(float(v) for v in np.clip(np.asarray(color) + shift, 0.02, 0.97))  # type: ignore[return-value]

    width = size(style.field_width, 0.04)
    height = size(style.field_height, 0.05)
    bar = size(style.bar_width, 0.15)
    pitch = (width - bar) / 12
    diameter = min(size(style.checker_diameter, 0.06), pitch * 0.97, height / 2 / 5.4)
    changes: dict[str, object] = {
        "field_width": width,
        "field_height": height,
        "bar_width": bar,
        "bar_height": 0.0 if rng.random() < 0.3 * amount else size(style.rim_height, 0.1),
        "point_length": size(style.point_length, 0.06),
        "checker_diameter": diameter,
        "checker_height": size(style.checker_height, 0.25),
        "die_size": size(style.die_size, 0.12),
        "cube_size": size(style.cube_size, 0.15),
        "rim_width": size(style.rim_width, 0.25),
        "rim_height": size(style.rim_height, 0.2),
        "board_thickness": size(style.board_thickness, 0.2),
        "tray": bool(rng.random() < (0.4 if style.tray else 0.15)),
        "gloss": float(np.clip(style.gloss + rng.normal(0, 0.12 * amount), 0, 0.8)),
    }
    for key in ("light", "dark", "field", "triangle_a", "triangle_b", "rim", "table"):
        changes[key] = tint(getattr(style, key))
    if rng.random() < 0.5 * amount:
        changes["rings"] = ("none", "rings", "dish")[int(rng.integers(3))]
    if rng.random() < 0.6 * amount:
        changes["table"] = tuple(float(v) for v in rng.uniform(0.08, 0.9) * rng.uniform(0.75, 1.0, 3))
        changes["table_surface"] = ("plain", "wood", "felt")[int(rng.integers(3))]
    bodies = [
        (0.9, 0.92, 0.92),
        (0.15, 0.12, 0.7),
        (0.1, 0.1, 0.1),
        (0.6, 0.3, 0.12),
        (0.78, 0.87, 0.9),
        (0.2, 0.5, 0.2),
    ]
    for key in ("dice_light", "dice_dark", "cube"):
        if rng.random() < 0.6 * amount:
            body = bodies[int(rng.integers(len(bodies)))]
            pip = (0.06, 0.06, 0.06) if sum(body) > 1.6 else (0.92, 0.93, 0.93)
            changes[key] = (tint(body, 0.03), pip)
    return replace(style, **changes)  # type: ignore[arg-type]
