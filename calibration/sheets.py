"""Draws the two sheets to print, in exact millimetres: python calibration/sheets.py (a test says when they must be drawn again).

markers: four ArUco cards (DICT_4X4_50, ids 0-3) for the corners of the board.
lens: a chessboard of 9 × 6 inner corners, 25 mm squares, to measure the lens.

Each as .svg and as .pdf, which asks the printing program itself for 100 % (PrintScaling, ISO 32000-1 §12.2).
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import cv2

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT.parent))

from pi_board.vision.finding.markers import DICTIONARY, MARKER_SIZE, QUIET_RIM  # noqa: E402

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
    return (
        "\n".join([head, f"<title>{title}</title>", _rect(0, 0, width, height, "white"), *body, "</svg>"])
        + "\n"
    )


def _rule(x: float, y: float) -> list[str]:
    """A rule of 100 mm, to see whether the printer kept the size."""
    ticks = [_rect(x + 10 * i - 0.1, y - 4, 0.2, 4) for i in range(11)]
    return [
        *ticks,
        _rect(x, y, 100, 0.3),
        _text(x, y + 6, "This rule must measure 100 mm: print at 100 %, not “fit to page”."),
    ]


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


def pdf(svg: str) -> bytes:
    """One of the sheets as a PDF of the same size: rectangles, circles and text in millimetres from the top left corner."""
    root = ET.fromstring(svg)
    width, height = (float(root.attrib[k].removesuffix("mm")) for k in ("width", "height"))
    inks = {"white": "1 g", "black": "0 g"}
    # The page's unit is 1/72 inch with y up; from here on it is the millimetre with y down.
    draw = [f"{72 / 25.4:.9f} 0 0 {-72 / 25.4:.9f} 0 {height * 72 / 25.4:.6f} cm"]
    for node in root:
        kind, a = node.tag.rpartition("}")[2], node.attrib
        if kind == "rect":
            box = f"{a['x']} {a['y']} {a['width']} {a['height']} re"
            draw.append(f"{inks[a['fill']]} {box} f")
            if "stroke" in a:
                draw.append(f"0.6 G {a['stroke-width']} w {box} S")
        elif kind == "circle":
            # A dot is a line without length and with round ends.
            draw.append(f"0 G 1 J {2 * float(a['r']):g} w {a['cx']} {a['cy']} m {a['cx']} {a['cy']} l S")
        elif kind == "text":
            words = (node.text or "").translate({ord(c): "\\" + c for c in "\\()"})
            draw.append(f"0 g BT /F {a['font-size']} Tf 1 0 0 -1 {a['x']} {a['y']} Tm ({words}) Tj ET")
    content = "\n".join(draw).encode("cp1252")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width * 72 / 25.4:.4f} {height * 72 / 25.4:.4f}] /Contents 4 0 R "
        "/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> >> >> >>".encode(),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
    ]
    out = bytearray(b"%PDF-1.6\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
    return bytes(out)


SHEETS = {"markers.svg": marker_sheet, "lens.svg": lens_sheet}

if __name__ == "__main__":
    for name, draw in SHEETS.items():
        (ROOT / name).write_text(draw(), encoding="utf-8")
        (ROOT / name).with_suffix(".pdf").write_bytes(pdf(draw()))
