"""A picture of a position: SVG text, or PNG through Pillow; both drawn from the same list of shapes."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from pi_board.errors import InvalidFileError
from pi_board.rules import Position, Side

CELL = 40.0
MARGIN = 26.0
BAR = 44.0
TRAY = 54.0
HEIGHT = 12.2 * CELL
COLOURS = {
    "table": "#2f3b35",
    "field": "#e9dfc9",
    "bar": "#6d4c33",
    "odd": "#b5533c",
    "even": "#5f7d6a",
    "light": "#fbf7ee",
    "dark": "#22252a",
    "line": "#22252a",
    "text": "#f4efe2",
}


@dataclass(frozen=True, slots=True)
class Shape:
    """kind: rect (x, y, w, h), circle (x, y, r), triangle (6 numbers), text (x, y)."""

    kind: str
    numbers: tuple[float, ...]
    fill: str
    line: str = ""
    text: str = ""
    size: float = 15.0


def _size() -> tuple[float, float]:
    return 2 * MARGIN + 12 * CELL + BAR + TRAY, 2 * MARGIN + HEIGHT


def shapes(
    position: Position,
    *,
    near: Side = "light",
    home: str = "right",
    dice: tuple[int, int] | None = None,
    side: Side | None = None,
    cube: int = 1,
    cube_owner: Side | None = None,
) -> Iterator[Shape]:
    """Everything to draw, back to front, in pixels of a picture of `_size()`."""
    width, height = _size()
    left_tray = home == "left"
    x0 = MARGIN + (TRAY if left_tray else 0.0)
    y0, y1 = MARGIN, MARGIN + HEIGHT
    field = 12 * CELL + BAR
    yield Shape("rect", (0, 0, width, height), COLOURS["table"])
    yield Shape("rect", (x0, y0, field, HEIGHT), COLOURS["field"], COLOURS["line"])
    yield Shape("rect", (x0 + 6 * CELL, y0, BAR, HEIGHT), COLOURS["bar"])
    tray_x = MARGIN if left_tray else x0 + field + 6
    yield Shape("rect", (tray_x, y0, TRAY - 6, HEIGHT), COLOURS["bar"])

    def column_x(column: int) -> float:
        return x0 + (column + 0.5) * CELL + (BAR if column > 5 else 0.0)

    def place(point: int) -> tuple[float, bool]:
        """Centre of a point and whether it is on the near (lower) side."""
        own = point if near == "light" else 25 - point
        lower = own <= 12
        column = 12 - own if lower else own - 13
        if home == "left":
            column = 11 - column
        return column_x(column), lower

    for point in range(1, 25):
        x, lower = place(point)
        base, tip = (y1, y1 - 4.6 * CELL) if lower else (y0, y0 + 4.6 * CELL)
        colour = COLOURS["odd" if point % 2 else "even"]
        yield Shape("triangle", (x - CELL / 2, base, x + CELL / 2, base, x, tip), colour)
        label = y1 + 17 if lower else y0 - 8
        yield Shape("text", (x, label), COLOURS["text"], text=str(point), size=13)
    for point in range(1, 25):
        n = position.points[point - 1]
        x, lower = place(point)
        yield from _stack(x, y1 if lower else y0, -1 if lower else 1, n)
    # Checkers on the bar wait in the half where they must enter.
    middle = x0 + 6 * CELL + BAR / 2
    for which, n in (("light", position.bar[0]), ("dark", -position.bar[1])):
        upward = which == near
        yield from _stack(middle, (y0 + y1) / 2 + (-24 if upward else 24), -1 if upward else 1, n)
    for which, n in (("light", position.off[0]), ("dark", position.off[1])):
        lower = which == near
        for i in range(n):
            h = 0.36 * CELL
            y = y1 - (i + 1) * h if lower else y0 + i * h
            yield Shape("rect", (tray_x + 4, y, TRAY - 14, h - 2), COLOURS[which], COLOURS["line"])
    cube_y = (y0 + y1) / 2
    if cube_owner is not None:
        cube_y = y1 - 24 if cube_owner == near else y0 + 24
    cube_x = x0 / 2 + 4 if not left_tray else x0 + field + 16
    if cube_x < 16:
        cube_x = 16.0
    yield Shape("rect", (cube_x - 14, cube_y - 14, 28, 28), COLOURS["light"], COLOURS["line"])
    yield Shape("text", (cube_x, cube_y + 5), COLOURS["line"], text=str(64 if cube == 1 else cube), size=14)
    if dice is not None:
        right = side is None or side == near
        centre = column_x(8) if right else column_x(3)
        for i, value in enumerate(dice):
            yield from _die(centre + (i - 0.5) * 48, (y0 + y1) / 2, value, side or "light")


def _stack(x: float, base: float, direction: int, n: int) -> Iterator[Shape]:
    """Up to five checkers from the edge inward; a sixth and more as a number on the last."""
    side = "light" if n > 0 else "dark"
    r = CELL / 2 - 1
    for i in range(min(abs(n), 5)):
        y = base + direction * (r + 1 + i * (CELL - 1))
        yield Shape("circle", (x, y, r), COLOURS[side], COLOURS["line"])
    if abs(n) > 5:
        y = base + direction * (r + 1 + 4 * (CELL - 1))
        yield Shape("text", (x, y + 6), COLOURS["dark" if n > 0 else "light"], text=str(abs(n)), size=18)


PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def _die(x: float, y: float, value: int, side: Side) -> Iterator[Shape]:
    other = "dark" if side == "light" else "light"
    yield Shape("rect", (x - 17, y - 17, 34, 34), COLOURS[side], COLOURS["line"])
    for dx, dy in PIPS[value]:
        yield Shape("circle", (x + 9 * dx, y + 9 * dy, 3.2), COLOURS[other])


def svg(position: Position, **how: object) -> str:
    """An SVG document. `how`: near, home, dice, side, cube, cube_owner (see `shapes`)."""
    width, height = _size()
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" font-family="sans-serif" text-anchor="middle">'
    ]
    for s in shapes(position, **how):  # type: ignore[arg-type]
        stroke = f' stroke="{s.line}"' if s.line else ""
        n = [f"{v:.1f}" for v in s.numbers]
        if s.kind == "rect":
            parts.append(
                f'<rect x="{n[0]}" y="{n[1]}" width="{n[2]}" height="{n[3]}" rx="3" fill="{s.fill}"{stroke}/>'
            )
        elif s.kind == "circle":
            parts.append(f'<circle cx="{n[0]}" cy="{n[1]}" r="{n[2]}" fill="{s.fill}"{stroke}/>')
        elif s.kind == "triangle":
            parts.append(f'<polygon points="{n[0]},{n[1]} {n[2]},{n[3]} {n[4]},{n[5]}" fill="{s.fill}"/>')
        else:
            parts.append(
                f'<text x="{n[0]}" y="{n[1]}" font-size="{s.size:.0f}" fill="{s.fill}">{escape(s.text)}</text>'
            )
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def png(position: Position, *, scale: float = 1.0, **how: object) -> bytes:
    """The same picture as PNG bytes, `scale` times as large."""
    from PIL import Image, ImageDraw, ImageFont

    width, height = _size()
    k = 2 * scale  # drawn twice as large and reduced: Pillow's shapes have hard edges
    image = Image.new("RGB", (round(width * k), round(height * k)))
    draw = ImageDraw.Draw(image)
    for s in shapes(position, **how):  # type: ignore[arg-type]
        n = [v * k for v in s.numbers]
        line = s.line or None
        if s.kind == "rect":
            draw.rounded_rectangle((n[0], n[1], n[0] + n[2], n[1] + n[3]), 3 * k, s.fill, line, round(k))
        elif s.kind == "circle":
            draw.ellipse((n[0] - n[2], n[1] - n[2], n[0] + n[2], n[1] + n[2]), s.fill, line, round(k))
        elif s.kind == "triangle":
            draw.polygon(n, s.fill)
        else:
            draw.text((n[0], n[1]), s.text, s.fill, ImageFont.load_default(s.size * k), anchor="ms")
    image = image.resize((round(width * scale), round(height * scale)), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def save_picture(path: Path, data: str | bytes) -> None:
    """The folder is made where it is missing. Raises InvalidFileError when the file cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode("utf-8") if isinstance(data, str) else data)
    except OSError as error:
        raise InvalidFileError(f"{path}: cannot be written ({error.strerror})") from None
