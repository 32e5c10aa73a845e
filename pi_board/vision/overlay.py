"""A sighting drawn over its frame: what was seen where, and how sure it is. For the page, debugging and contact sheets."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.sighting import BAR_DARK, BAR_LIGHT, ZERO, Gate, Sighting
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import Orientation, Row
from pi_board.vision.lettering import write

Image = npt.NDArray[np.uint8]

LIGHT, DARK, EDGE = (255, 255, 255), (40, 40, 40), (0, 200, 255)
SURE, UNSURE, REFUSED = (80, 220, 80), (0, 160, 255), (60, 60, 230)
#: Below this share of its slot's likelihood a count is drawn as unsure.
SURE_FROM = 0.9


def slot_confidence(log_likelihood: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """(28,) share of the best count in each slot's likelihood, 0..1."""
    p = np.exp(log_likelihood - log_likelihood.max(axis=1, keepdims=True))
    return 1.0 / p.sum(axis=1)


def draw_overlay(
    image: Image, sighting: Sighting, geometry: BoardGeometry | None, orientation: Orientation | None = None
) -> Image:
    """A copy of `image` (H, W, 3) uint8 BGR with the sighting drawn over it.

    Circles: checkers as counted, where their point would have them; the number at a point's foot is its count, green
    when sure and orange when not. Boxes: dice and cube with value and confidence. The line at the top names the gate.
    geometry: where the board lay in that frame; None (no board) draws the top line only.
    """
    out = image.copy()
    orientation = orientation or Orientation()
    unit = max(1.0, image.shape[1] / 800)
    if geometry is not None:
        cv2.polylines(
            out, [np.round(geometry.outline(samples=8)).astype(np.int32)], True, EDGE, max(1, round(unit))
        )
        if sighting.log_likelihood is not None:
            _draw_slots(out, sighting.log_likelihood, geometry, orientation, unit)
    for die in sighting.dice:
        name = "?" if die.value is None else str(die.value)
        if die.cocked:
            name += " cocked"
        _box(out, die.x, die.y, die.size or 20 * unit, f"{name} {die.confidence:.2f}", (255, 0, 255), unit)
    cube = sighting.cube
    if cube is not None and cube.place != "none":
        value = "?" if cube.value is None else str(cube.value)
        _box(
            out,
            cube.x,
            cube.y,
            24 * unit,
            f"cube {value} {cube.place} {cube.confidence:.2f}",
            (255, 180, 0),
            unit,
        )
    settled = sighting.gate is Gate.SETTLED
    line = f"{sighting.name or sighting.seq}: {sighting.gate.value}  quality {sighting.quality:.2f}"
    if sighting.note:
        line += f"  {sighting.note}"
    write(out, line, 8 * unit, 18 * unit, SURE if settled else REFUSED, 0.5 * unit)
    return out


def _draw_slots(
    out: Image,
    log_likelihood: npt.NDArray[np.float64],
    geometry: BoardGeometry,
    orientation: Orientation,
    unit: float,
) -> None:
    counts = log_likelihood.argmax(axis=1) - ZERO
    sure = slot_confidence(log_likelihood)
    profile = geometry.profile
    for slot in range(24):
        column, row = orientation.column_of(slot + 1)
        n = int(counts[slot])
        for i in range(abs(n)):
            x, y, z = geometry.checker_place(column, row, i % 5, i // 5)
            _ring(out, geometry, x, y, z, n > 0, unit)
        _number(out, geometry, column, row, n, float(sure[slot]), unit)
    for slot, side in ((BAR_LIGHT, 1.0), (BAR_DARK, -1.0)):
        n = int(counts[slot])
        # Light's checkers are drawn on light's own end of the bar, whatever the seating.
        end = -side if orientation.near == "light" else side
        for i in range(abs(n)):
            _ring(
                out,
                geometry,
                0.0,
                end * profile.checker_diameter * (1.2 + i),
                profile.checker_height,
                n > 0,
                unit,
            )
        if n or sure[slot] < SURE_FROM:
            u, v = geometry.project([[0.0, end * 0.35 * profile.field_height, 0.0]])[0]
            write(out, str(abs(n)), u - 5 * unit, v, SURE if sure[slot] >= SURE_FROM else UNSURE, 0.5 * unit)


def _ring(
    out: Image, geometry: BoardGeometry, x: float, y: float, z: float, light: bool, unit: float
) -> None:
    t = np.linspace(0, 2 * np.pi, 25)
    r = 0.46 * geometry.profile.checker_diameter
    circle = np.column_stack([x + r * np.cos(t), y + r * np.sin(t), np.full(25, z)])
    points = [np.round(geometry.project(circle)).astype(np.int32)]
    cv2.polylines(out, points, True, DARK if light else LIGHT, max(1, round(2.5 * unit)), cv2.LINE_AA)
    cv2.polylines(out, points, True, LIGHT if light else DARK, max(1, round(1.2 * unit)), cv2.LINE_AA)


def _number(
    out: Image, geometry: BoardGeometry, column: int, row: Row, n: int, sure: float, unit: float
) -> None:
    profile = geometry.profile
    y = profile.field_height / 2 + 0.55 * profile.checker_diameter
    u, v = geometry.project([[geometry.column_x(column), -y if row is Row.NEAR else y, 0.0]])[0]
    if n == 0 and sure >= SURE_FROM:
        return
    text = f"{n:+d}" if sure >= SURE_FROM else f"{n:+d} {sure:.2f}"
    write(out, text, u - 9 * unit, v + 4 * unit, SURE if sure >= SURE_FROM else UNSURE, 0.45 * unit)


def _box(
    out: Image, x: float, y: float, size: float, text: str, colour: tuple[int, int, int], unit: float
) -> None:
    half = 0.7 * size
    a, b = (round(x - half), round(y - half)), (round(x + half), round(y + half))
    cv2.rectangle(out, a, b, colour, max(1, round(1.5 * unit)))
    write(out, text, x - half, y - half - 3 * unit, colour, 0.4 * unit)
