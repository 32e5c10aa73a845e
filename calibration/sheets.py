"""Draws the two sheets to print, in exact millimetres: python calibration/sheets.py (a test says when they must be drawn again).

markers.svg: four ArUco cards (DICT_4X4_50, ids 0-3) for the corners of the board.
lens.svg: a chessboard of 9 × 6 inner corners, 25 mm squares, to measure the lens.
"""

from __future__ import annotations

import sys
from pathlib import Path

import cv2

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT.parent))

from pi_board.vision.markers import DICTIONARY, MARKER_SIZE, QUIET_RIM  # noqa: E402

#: Millimetres. A4.
SHORT, LONG = 210, 297
SQUARE, COLUMNS, ROWS = 25.0, 10, 7
LABELS = ("far left", "far right", "near right", "near left")
#: Side of the sheet on which card 0..3 lies, as on the table: (right?, near?).
PLACES = ((0, 0), (1, 0), (1, 1), (0, 1))


def _rect(x: float, y: float, w: float, h: float, fill: str = "black", stroke: str = "") -> str:
    line = f' stroke="{stroke}" stroke-width="0.2"' if stroke else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" fill="{fill}"{line}/>'


def _text(x: float, y: float, words: str, size: float = 4.0) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-family="sans-serif">{words}</text>'


def _sheet(width: int, height: int, title: str, body: list[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}" '
        'shape-rendering="crispEdges">'
    )
    return "\n".join([head, f"<title>{title}</title>", _rect(0, 0, width, height, "white"), *body, "</svg>"]) + "\n"


def _rule(x: float, y: float) -> list[str]:
    """A rule of 100 mm, to see whether the printer kept the size."""
    ticks = [_rect(x + 10 * i - 0.1, y - 4, 0.2, 4) for i in range(11)]
    return [*ticks, _rect(x, y, 100, 0.3), _text(x, y + 6, "This rule must measure 100 mm: print at 100 %, not “fit to page”.")]


def marker_sheet() -> str:
    """Cards to cut out: black marker, white rim, a dot on the corner that touches the board."""
    size, rim = 10 * MARKER_SIZE, 10 * QUIET_RIM
    card = size + 2 * rim
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    cells = dictionary.markerSize + 2
    cell = size / cells
    body: list[str] = []
    for marker, (right, near) in enumerate(PLACES):
        x, y = (60.0 - card / 2) + 90 * right, 30.0 + 60 * near
        body.append(_rect(x, y, card, card, "white", "#999"))
        bits = cv2.aruco.generateImageMarker(dictionary, marker, cells)
        for row in range(cells):
            black = 0
            for column in range(cells + 1):
                # Runs of black cells as one rectangle: no hairlines between them in print.
                if column < cells and bits[row, column] == 0:
                    black += 1
                elif black:
                    left = x + rim + (column - black) * cell
                    body.append(_rect(left, y + rim + row * cell, black * cell, cell))
                    black = 0
        dot_x, dot_y = x + (0 if right else card), y + (0 if near else card)
        body.append(f'<circle cx="{dot_x:g}" cy="{dot_y:g}" r="1.5" fill="black"/>')
        body.append(_text(x, y - 2, f"{marker}: {LABELS[marker]}"))
    body += _rule(55, 170)
    for i, words in enumerate(
        (
            "Cut out along the grey lines; the white rim belongs to the card.",
            "Lay each card flat on the table, its black dot touching the board's outer corner.",
            "“Near” is the edge at the bottom of the camera's picture.",
        )
    ):
        body.append(_text(30, 190 + 7 * i, words))
    return _sheet(SHORT, LONG, "pi_board: marker cards", body)


def lens_sheet() -> str:
    """A chessboard in landscape; its white margin is part of the pattern."""
    x0, y0 = (LONG - COLUMNS * SQUARE) / 2, 12.0
    body = [
        _rect(x0 + c * SQUARE, y0 + r * SQUARE, SQUARE, SQUARE)
        for r in range(ROWS)
        for c in range(COLUMNS)
        if (r + c) % 2 == 0
    ]
    body += _rule(x0, 200)
    body.append(_text(x0 + 130, 200, "Glue it to something flat."))
    return _sheet(LONG, SHORT, "pi_board: lens sheet", body)


SHEETS = {"markers.svg": marker_sheet, "lens.svg": lens_sheet}

if __name__ == "__main__":
    for name, draw in SHEETS.items():
        (ROOT / name).write_text(draw(), encoding="utf-8")
