"""Wiring diagram and printed sheets: current, and of the size that they claim."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import cv2
import numpy as np
import pytest
import sheets
import wiring

from pi_board.camera.options import CameraOptions
from pi_board.camera.sensor_modes import SENSORS, view_of, whole_view
from pi_board.panel.pins import load_pins, pins_from
from pi_board.vision.finding.markers import DICTIONARY, MARKER_SIZE, find_markers, standard_layout
from pi_board.vision.profile import load_profile

ROOT = Path(__file__).resolve().parent.parent.parent

SVG = "{http://www.w3.org/2000/svg}"


def test_wiring_diagram_is_current() -> None:
    drawn = (ROOT / "hardware" / "wiring.svg").read_text(encoding="utf-8")
    assert drawn == wiring.wiring(load_pins(ROOT / "hardware" / "pins.toml")), "run python hardware/wiring.py"


def test_every_pin_is_in_the_diagram_and_none_else() -> None:
    pins = load_pins()
    texts = [t.text or "" for t in ET.fromstring(wiring.wiring(pins)).iter(f"{SVG}text")]
    for name in pins.all():
        assert sum(wiring.PARTS[name.split(".")[1]][0] in t for t in texts) == 1, name
    # The header itself, against the numbers that every Pi has had since the B+.
    assert len(wiring.HEADER) == 40
    assert {i + 1: p for i, p in enumerate(wiring.HEADER) if isinstance(p, int)}.items() >= {
        3: 2, 5: 3, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10, 22: 25, 23: 11, 24: 8,
        29: 5, 31: 6, 32: 12, 33: 13, 36: 16, 37: 26, 40: 21,
    }.items()  # fmt: skip
    assert [i + 1 for i, p in enumerate(wiring.HEADER) if p == "GND"] == [6, 9, 14, 20, 25, 30, 34, 39]


def test_diagram_follows_the_map() -> None:
    other = wiring.wiring(pins_from({"leds": {"turn_light": 21}}))
    assert "turn" in other and other != wiring.wiring(load_pins())


@pytest.mark.parametrize("name", sheets.SHEETS)
def test_sheets_are_current(name: str) -> None:
    drawn = (ROOT / "calibration" / name).read_text(encoding="utf-8")
    assert drawn == sheets.SHEETS[name](), "run python calibration/sheets.py"
    assert (ROOT / "calibration" / name).with_suffix(".pdf").read_bytes() == sheets.pdf(drawn)


@pytest.mark.parametrize("name", sheets.SHEETS)
def test_the_pdf_measures_the_same(name: str) -> None:
    """Every rectangle of the PDF in millimetres is one of the SVG, on a page of the same size that is printed unscaled."""
    svg = sheets.SHEETS[name]()
    data = sheets.pdf(svg)
    root = ET.fromstring(svg)
    size = [float(root.attrib[k].removesuffix("mm")) for k in ("width", "height")]
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data)
    assert box and [float(v) / 72 * 25.4 for v in box.groups()] == pytest.approx(size, abs=0.001)
    assert b"/PrintScaling /None" in data
    start = int(data.rsplit(b"startxref\n", 1)[1].split()[0])
    assert data[start:].startswith(b"xref\n0 5\n")
    for number, line in enumerate(data[start:].splitlines()[3:7], 1):
        assert data[int(line[:10]) :].startswith(b"%d 0 obj" % number)
    stream = data.partition(b"stream\n")[2].partition(b"\nendstream")[0]
    assert b"/Length %d " % len(stream) in data
    scale, _, _, flip, dx, dy = map(float, stream.split(b" cm", 1)[0].split())
    page = [tuple(map(float, m)) for m in re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re f", stream)]
    seen = [
        (
            (x * scale + dx) / 72 * 25.4,
            (dy + y * flip) / 72 * 25.4,
            w * scale / 72 * 25.4,
            -h * flip / 72 * 25.4,
        )
        for x, y, w, h in page
    ]
    wanted = [
        tuple(float(r.attrib[k]) for k in ("x", "y", "width", "height")) for r in root.iter(f"{SVG}rect")
    ]
    # A PDF counts from the bottom.
    assert np.allclose(seen, [(x, size[1] - y, w, h) for x, y, w, h in wanted], atol=0.001)


def printed(svg: str, dots_per_mm: int) -> np.ndarray:
    """The sheet as a printer would put it down: rectangles only, in whole dots."""
    root = ET.fromstring(svg)
    width, height = (float(root.attrib[k].removesuffix("mm")) for k in ("width", "height"))
    assert root.attrib["viewBox"] == f"0 0 {width:g} {height:g}", "one unit is one millimetre"
    paper = np.full((round(height * dots_per_mm), round(width * dots_per_mm)), 255, np.uint8)
    for r in root.iter(f"{SVG}rect"):
        x, y, w, h = (float(r.attrib[k]) * dots_per_mm for k in ("x", "y", "width", "height"))
        value = 255 if r.attrib["fill"] == "white" else 0
        paper[round(y) : round(y + h), round(x) : round(x + w)] = value
    return paper


def test_marker_cards_measure_what_the_program_expects() -> None:
    dots = 10
    paper = printed(sheets.marker_sheet(), dots)
    found = find_markers(cv2.cvtColor(paper, cv2.COLOR_GRAY2BGR))
    assert set(found) == {0, 1, 2, 3}
    for marker, corners in found.items():
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1) / dots
        assert np.abs(sides - 10 * MARKER_SIZE).max() < 0.15, (marker, sides)
    centres = {m: c.mean(0) for m, c in found.items()}
    # On paper as on the table: 0 far left, 1 far right, 2 near right, 3 near left.
    assert centres[0][0] < centres[1][0] and centres[3][0] < centres[2][0] and centres[0][1] < centres[3][1]


def test_laid_against_the_board_the_cards_are_where_the_program_looks_for_them() -> None:
    """The dot of a card on the board's outer corner puts the marker at its place in `standard_layout`."""
    profile = load_profile("jumbo-travel")
    layout = standard_layout(profile)
    root = ET.fromstring(sheets.marker_sheet())
    dots = [np.array([float(c.attrib["cx"]), float(c.attrib["cy"])]) for c in root.iter(f"{SVG}circle")]
    found = find_markers(cv2.cvtColor(printed(sheets.marker_sheet(), 10), cv2.COLOR_GRAY2BGR))
    for marker, (sx, sy) in enumerate(((-1, 1), (1, 1), (1, -1), (-1, -1))):
        # From the dot to the marker's centre, in cm with y up.
        offset = (found[marker].mean(0) / 10 - dots[marker]) / 10 * np.array([1, -1])
        centre = layout.corners[marker].mean(0)
        board_corner = centre - offset
        assert np.sign(offset).tolist() == [sx, sy]
        rim = abs(board_corner) - np.array([profile.field_width, profile.field_height]) / 2
        assert rim[1] == pytest.approx(profile.rim_width, abs=0.03)


def test_lens_sheet_measures_25_millimetres() -> None:
    dots = 8
    paper = printed(sheets.lens_sheet(), dots)
    inner = (sheets.COLUMNS - 1, sheets.ROWS - 1)
    ok, corners = cv2.findChessboardCorners(paper, inner)
    assert ok and inner == (9, 6)
    grid = corners.reshape(6, 9, 2) / dots
    assert np.abs(np.linalg.norm(np.diff(grid, axis=1), axis=2) - 25).max() < 0.15
    assert np.abs(np.linalg.norm(np.diff(grid, axis=0), axis=2) - 25).max() < 0.15


@pytest.mark.parametrize("draw", sheets.SHEETS.values())
def test_rule_is_100_millimetres_and_the_printer_can_reach_everything(draw) -> None:  # type: ignore[no-untyped-def]
    root = ET.fromstring(draw())
    rects = [{k: float(r.attrib[k]) for k in ("x", "y", "width", "height")} for r in root.iter(f"{SVG}rect")][
        1:
    ]
    assert any(r["width"] == 100 and r["height"] < 1 for r in rects)
    width, height = (float(root.attrib[k].removesuffix("mm")) for k in ("width", "height"))
    assert {width, height} == {210.0, 297.0}, "A4"
    for r in rects:
        assert (
            r["x"] >= 5
            and r["y"] >= 5
            and r["x"] + r["width"] <= width - 5
            and r["y"] + r["height"] <= height - 5
        )


def test_parts_list_and_guides_name_what_exists() -> None:
    """Paths that the guides mention are there."""
    for guide in (ROOT / "hardware" / "README.md", ROOT / "calibration" / "README.md"):
        text = guide.read_text(encoding="utf-8")
        for path in re.findall(r"`((?:hardware|calibration|systemd|pi_board)/[\w./-]+)`", text):
            assert (ROOT / path).exists(), f"{guide.name}: {path}"


@pytest.mark.parametrize(
    "guide", ["README.md", "hardware/README.md", "calibration/README.md", "pi_board/README.md"]
)
def test_no_chapter_stands_there_twice(guide: str) -> None:
    headings = re.findall(r"^## .+$", (ROOT / guide).read_text(encoding="utf-8"), re.MULTILINE)
    assert len(headings) == len(set(headings)), headings


def section(text: str, heading: str) -> str:
    """What stands under a `## ` heading."""
    return text.split(f"\n## {heading}\n")[1].split("\n## ")[0]


def test_stand_heights_follow_from_the_lenses() -> None:
    """The table of heights in the guide, recomputed from board sizes and fields of view."""
    text = (ROOT / "hardware" / "README.md").read_text(encoding="utf-8")
    # What the sensor mode that is asked for really shows at the pictures' size; a webcam of 78° is measured across the corners.
    views: dict[str, tuple[float, float]] = {"webcam, 78°": (70.4, 43.3)}
    for camera, model, height in (
        ("Camera Module 3", "imx708", 720), ("Camera Module 3 Wide", "imx708_wide", 720), ("Camera Module 2", "imx219", 720),
        ("Camera Module 2, `height = 960`", "imx219", 960),
    ):  # fmt: skip
        options = CameraOptions(height=height)
        size = (options.width, options.height)
        view = view_of(SENSORS[model], whole_view(SENSORS[model], size, options.fps), size)
        assert view is not None
        views[camera] = view
    boards = {"jumbo-travel": "Travel set", "classic-wood": "Wooden board"}
    rows = {
        r[0]: r[1:]
        for line in section(text, "Camera stand").splitlines()
        if line.startswith("|") and (r := [c.strip() for c in line.strip("|").split("|")])
    }
    for camera, (across, down) in views.items():
        for column, board in enumerate(boards):
            p = load_profile(board)
            trays = {"both": 2, "left": 1, "right": 1, "none": 0}[p.trays]
            width = p.field_width + 2 * p.rim_width + trays * (p.tray_width + p.rim_width * (trays > 0))
            height = p.field_height + 2 * p.rim_width
            far = max(
                1.15 * width / 2 / np.tan(np.radians(across / 2)),
                1.15 * height / 2 / np.tan(np.radians(down / 2)),
            )
            assert float(rows[camera][column].removesuffix(" cm")) == pytest.approx(far, abs=1.5), (
                camera,
                board,
                far,
            )


assert DICTIONARY == cv2.aruco.DICT_4X4_50
