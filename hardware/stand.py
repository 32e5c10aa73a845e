"""The stand and the box, to be printed: parts from numbers, checked, drawn, and written as STL and STEP.

    python hardware/stand.py [--camera module|hq|webcam] [--pi pi5|pi4|zero] [--height 57] [--depth 41] [--post 20] [--out FOLDER]

Needs build123d (`pip install -e '.[stand]'`). Post and arm are square slats or profiles that every hardware shop has; only what joins
them is printed. Each part is modelled as it lies on the printer's bed, z up. Lengths in millimetres, but for the board's and the
camera's, which are centimetres as in the guide.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from build123d import (
    Align,
    Box,
    Compound,
    Cylinder,
    ExportSVG,
    Part,
    Plane,
    Polyline,
    Pos,
    Rot,
    export_step,
    export_stl,
    extrude,
    make_face,
)

ROOT = Path(__file__).resolve().parent
#: Edge of the smallest bed in common use, and the thinnest wall that a 0.4 mm nozzle prints firmly.
BED, THINNEST = 200.0, 1.6

MIN = (Align.CENTER, Align.CENTER, Align.MIN)
CORNER = (Align.MIN, Align.MIN, Align.MIN)


@dataclass(frozen=True, slots=True)
class StandOptions:
    """camera: module (Camera Module 2 and 3: 21 x 12.5 holes), hq (30 x 30), webcam (a tripod's thread). pi: which board the box holds.
    height: from the board to the lens; depth: of the board from the post's side to the far side, rims included, both in centimetres.
    post: edge of the slats. play: between a slat and its sleeve. wall: of sleeves. table: the thickest table top for the clamp."""

    camera: str = "module"
    pi: str = "pi4"
    height: float = 36.0
    depth: float = 24.0
    post: float = 20.0
    play: float = 0.3
    wall: float = 4.0
    table: float = 45.0

    @property
    def bore(self) -> float:
        return self.post + 2 * self.play

    @property
    def outer(self) -> float:
        return self.bore + 2 * self.wall


#: Holes of a camera's board: spacing across and along, diameter; and the plate's edge.
CAMERAS = {"module": (21.0, 12.5, 2.2, 34.0), "hq": (30.0, 30.0, 2.7, 46.0), "webcam": (0.0, 0.0, 6.6, 40.0)}
#: Holes of a Pi's board (M2.5): spacing, and the board's size.
PIS = {"pi4": (58.0, 49.0, 85.0, 56.0), "pi5": (58.0, 49.0, 85.0, 56.0), "zero": (58.0, 23.0, 65.0, 30.0)}
SCREW = 4.3  # M4, for the slats
SLEEVE = 55.0  # how deep a slat sits
JAW = 14.0  # how thick the clamp's jaws are
LIFT = JAW + 12.0  # the post's lower end above the table
LENS = 8.0  # a camera's lens below its plate
BOARD = 20.0  # a board's surface above the table
GAP = 70.0  # from the post's middle to the board: the clamp's jaw lies there


def _block(x: float, y: float, z: float, at: tuple[float, float, float] = (0, 0, 0)) -> Part:
    """From a corner."""
    return Pos(*at) * Box(x, y, z, align=CORNER)


def _bore(diameter: float, length: float, at: tuple[float, float, float], axis: str = "z") -> Part:
    """A round hole from `at` along an axis."""
    turn = {"z": Rot(0, 0, 0), "x": Rot(0, 90, 0), "y": Rot(-90, 0, 0)}[axis]
    return Pos(*at) * turn * Cylinder(diameter / 2, length, align=MIN)


def elbow(o: StandOptions) -> Part:
    """Joins post and arm at a right angle; lies on its side. The post comes from below (-y), the arm from the front (+x)."""
    w, s = o.outer, SLEEVE
    part = _block(w, s + w, w) + _block(s + w, w, w, (0, s, 0))
    # A gusset of 45 degrees takes the arm's weight.
    g = s - 12
    part += extrude(make_face(Polyline((w, s), (w + g, s), (w, s - g), close=True)), w)
    part -= _block(o.bore, s, o.bore, (o.wall, 0, o.wall))
    part -= _block(s, o.bore, o.bore, (w, s + o.wall, o.wall))
    for y in (15.0, 40.0):
        part -= _bore(SCREW, w, (w / 2, y, 0))
    for x in (w + 15.0, w + 40.0):
        part -= _bore(SCREW, w, (x, s + w / 2, 0))
    return part


def camera_plate(o: StandOptions) -> Part:
    """The arm's end: a sleeve on a plate, below which the camera's board is screwed with its lens down."""
    across, along, hole, edge = CAMERAS[o.camera]
    w, plate = o.outer, 4.0
    part = _block(edge + SLEEVE, max(w, edge), plate, (0, -max(w, edge) / 2, 0))
    part += _block(SLEEVE, w, w, (edge, -w / 2, 0))
    part -= _block(SLEEVE, o.bore, o.bore, (edge, -o.bore / 2, o.wall))
    part -= _bore(SCREW, w, (edge + 15, 0, 0)) + _bore(SCREW, w, (edge + 40, 0, 0))
    cx = edge / 2
    if across:
        for x in (-along / 2, along / 2):
            for y in (-across / 2, across / 2):
                part -= _bore(hole, plate, (cx + x, y, 0))
        # The flat cable comes up through the plate and runs along the arm.
        part -= _block(2.5, 18.0, plate, (edge - 5.0, -9.0, 0))
    else:
        part -= _bore(hole, plate, (cx, 0, 0))
    return part


def foot_clamp(o: StandOptions) -> Part:
    """Holds the post at the table's edge; lies on its side. One M8 screw with its nut from below, 60 mm long."""
    w, jaw, reach = o.outer, JAW, 48.0
    part = _block(w, SLEEVE + 12, w, (0, 0, 0))  # the sleeve, upwards (+y)
    part += _block(w + reach, jaw, w, (0, -jaw, 0))  # upper jaw
    part += _block(16.0, o.table + 2 * jaw, w, (0, -o.table - 2 * jaw, 0))  # back
    part += _block(w + reach, jaw, w, (0, -o.table - 2 * jaw, 0))  # lower jaw
    part -= _block(o.bore, SLEEVE, o.bore, (o.wall, 12, o.wall))
    part -= _bore(SCREW, w, (w / 2, 25, 0)) + _bore(SCREW, w, (w / 2, 50, 0))
    screw = w + reach - 16
    part -= _bore(8.6, jaw, (screw, -o.table - 2 * jaw, w / 2), "y")
    # The nut slides in from the jaw's end: 13 mm across, 6.5 mm high.
    part -= _block(16 + 6.8, 6.8, 13.4, (screw - 6.8, -o.table - jaw - 10.2, w / 2 - 6.7))
    return part


def pad(o: StandOptions) -> Part:
    """Between the screw's end and the table."""
    return Cylinder(15, 8, align=MIN) - _bore(8.8, 5, (0, 0, 3))


def cable_clip(o: StandOptions) -> Part:
    """Snaps around post or arm and holds a flat cable (or a round one) against it."""
    t, h = 2.4, 12.0
    size = o.bore + 2 * t
    part = Pos(-size / 2, -size / 2, 0) * Box(size, size + 5.0, h, align=CORNER)
    # A flat cable is 16 wide, which may be more than the slat.
    back = max(size, 18.0 + 2 * t)
    part += Pos(-back / 2, o.bore / 2, 0) * Box(back, 5.0 + t, h, align=CORNER)
    part -= Pos(-o.bore / 2, -o.bore / 2, 0) * Box(o.bore, o.bore, h, align=CORNER)
    # Open in front, with lips of 2.5 mm that spring over the slat.
    part -= Pos(-o.bore / 2 + 2.5, -size / 2, 0) * Box(o.bore - 5.0, t, h, align=CORNER)
    part -= Pos(-9, o.bore / 2 + t, 0) * Box(18.0, 2.6, h, align=CORNER)
    return part


#: Inside of the box, and its walls.
INNER, HIGH, WALL = (126.0, 74.0), 46.0, 2.4


def box(o: StandOptions) -> Part:
    """For the Pi, its plugs and the wires of the lid: open on the side of the plugs, with a relief for the cables."""
    (ix, iy), t = INNER, WALL
    part = _block(ix + 2 * t, iy + 2 * t, HIGH + t)
    part -= _block(ix, iy, HIGH, (t, t, t))
    across, along, long, broad = PIS[o.pi]
    x0, y0 = t + 3, t + 3  # the board's corner: at the walls with the plugs
    for x in (3.5, 3.5 + across):
        for y in (3.5, 3.5 + along):
            part += Pos(x0 + x, y0 + y, t) * Cylinder(3.2, 5, align=MIN)
            part -= _bore(2.2, 5, (x0 + x, y0 + y, t))  # an M2.5 screw cuts its own thread
    # Power, pictures: the long side. Network and USB of a full-sized Pi: its short side, where the box is longer than the Pi.
    part -= _block(min(long, 62.0), t, 14.0, (x0 + 4, 0, t + 4))
    # The card, and air.
    part -= _block(t, 16.0, 8.0, (0, y0 + broad / 2 - 8, t + 1))
    for x in range(5):
        part -= _block(4.0, 30.0, t, (t + 20 + 13 * x, iy / 2 - 12, 0))
        part -= _block(4.0, t, 16.0, (t + 20 + 13 * x, iy + t, 22))
    # Cables leave at the far end; two ties hold each before it can pull at a plug.
    part -= _block(t, 40.0, 14.0, (ix + t, iy / 2 - 18, t + 6))
    for y in (iy / 2 - 22, iy / 2 - 2, iy / 2 + 22):
        part -= _block(5.0, 3.0, t, (ix - 4, y, 0))
    # Corners for the lid's screws.
    for x in (t, ix + t - 8):
        for y in (t, iy + t - 8):
            part += _block(8, 8, HIGH, (x, y, t))
            part -= _bore(2.6, 14, (x + 4, y + 4, HIGH + t - 14))
    if o.pi != "zero":
        # The standing corner at the network plug's end must leave the plug free.
        part -= _block(8.0, 60.0, 20.0, (ix + t - 8, t + 8, t))
    return part


def lid(o: StandOptions) -> Part:
    """Its face lies on the bed: a window for a 0.96 inch OLED, five lamps, four buttons."""
    (ix, iy), t = INNER, 3.0
    x, y = ix + 2 * WALL, iy + 2 * WALL
    part = _block(x, y, t)
    part += _block(ix - 17, 2.0, 3.0, (WALL + 8.5, WALL + 0.3, t)) + _block(
        ix - 17, 2.0, 3.0, (WALL + 8.5, y - WALL - 2.3, t)
    )
    for cx in (WALL + 4, x - WALL - 4):
        for cy in (WALL + 4, y - WALL - 4):
            part -= _bore(3.3, t, (cx, cy, 0))
    # The side that lies on the bed will be up: what is near the players then has a high y here.
    part -= _block(26.0, 14.5, t, (x / 2 - 13, 13, 0))  # what is lit of the OLED
    for dx in (-11.75, 11.75):
        for dy in (-11.9, 11.9):
            part -= _bore(2.2, t, (x / 2 + dx, 20.5 + dy, 0))
    # turn, legal, look, illegal, turn: the middle row; the players' own lamps at the ends.
    for n in range(5):
        part -= _bore(5.2, t, (x / 2 + (n - 2) * 20.0, y / 2 + 2, 0))
    for n in range(4):
        part -= _bore(12.3, t, (x / 2 + (n - 1.5) * 24.0, y - 19.0, 0))
    return part


PARTS: dict[str, Callable[[StandOptions], Part]] = {
    "foot_clamp": foot_clamp,
    "pad": pad,
    "elbow": elbow,
    "camera_plate": camera_plate,
    "cable_clip": cable_clip,
    "box": box,
    "lid": lid,
}


def slats(o: StandOptions) -> dict[str, float]:
    """Lengths to cut, for a lens above the board's middle."""
    post = 10 * o.height + BOARD + LENS - LIFT
    arm = GAP + 10 * o.depth / 2 - o.outer / 2 - CAMERAS[o.camera][3] / 2
    return {"post": round(post, 0), "arm": round(arm, 0)}


# ---------------------------------------------------------------------------------------------------- checks


def triangles(part: Part, tolerance: float = 0.05) -> npt.NDArray[np.float64]:
    """(N, 3, 3): the surface as a printer's program gets it."""
    corners, faces = part.tessellate(tolerance, 0.3)
    points = np.array([(v.X, v.Y, v.Z) for v in corners])
    return points[np.array(faces)]


def watertight(mesh: npt.NDArray[np.float64]) -> bool:
    """Every edge belongs to exactly two triangles, once in each direction."""
    _, index = np.unique(np.round(mesh.reshape(-1, 3), 4), axis=0, return_inverse=True)
    faces = index.reshape(-1, 3)
    faces = faces[(faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 0] != faces[:, 2])]
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    there = {tuple(e) for e in edges.tolist()}
    return len(there) == len(edges) and all((b, a) in there for a, b in there)


def volume(mesh: npt.NDArray[np.float64]) -> float:
    """Cubic millimetres inside the surface."""
    return float(np.einsum("ni,ni->n", mesh[:, 0], np.cross(mesh[:, 1], mesh[:, 2])).sum() / 6)


def thinnest_wall(mesh: npt.NDArray[np.float64], samples: int = 600) -> float:
    """From the middle of triangles straight inwards to the other side, millimetres: the smallest such distance."""
    a, u, v = mesh[:, 0], mesh[:, 1] - mesh[:, 0], mesh[:, 2] - mesh[:, 0]
    normal = np.cross(u, v)
    area = np.linalg.norm(normal, axis=1)
    normal = normal / np.maximum(area, 1e-12)[:, None]
    # Faces too narrow to be a wall's side are the facets of round holes.
    chosen = np.argsort(-area)[:samples]
    smallest = math.inf
    for i in chosen:
        origin = mesh[i].mean(axis=0) - 1e-4 * normal[i]
        direction = -normal[i]
        p = np.cross(direction, v)
        det = np.einsum("ni,ni->n", u, p)
        with np.errstate(all="ignore"):
            t0 = origin - a
            s = np.einsum("ni,ni->n", t0, p) / det
            q = np.cross(t0, u)
            r = q @ direction / det
            t = np.einsum("ni,ni->n", v, q) / det
            hit = (np.abs(det) > 1e-9) & (s >= 0) & (r >= 0) & (s + r <= 1) & (t > 1e-3)
        if hit.any():
            smallest = min(smallest, float(t[hit].min()))
    return smallest


def overhang(mesh: npt.NDArray[np.float64]) -> float:
    """The widest level ceiling with nothing below it, millimetres: a printer bridges about 30."""
    widest = 0.0
    low = mesh[..., 2].min()
    normal = np.cross(mesh[:, 1] - mesh[:, 0], mesh[:, 2] - mesh[:, 0])
    size = np.linalg.norm(normal, axis=1)
    down = (normal[:, 2] < -0.99 * size) & (mesh[..., 2].min(axis=1) > low + 0.2)
    levels = np.round(mesh[down][:, 0, 2], 2)
    for level in np.unique(levels):
        faces = mesh[down][levels == level]
        span = faces.reshape(-1, 3)[:, :2]
        widest = max(widest, float(np.ptp(span, axis=0).min()))
    return widest


def report(name: str, part: Part) -> dict[str, Any]:
    mesh = triangles(part)
    size = np.ptp(mesh.reshape(-1, 3), axis=0)
    return {
        "name": name,
        "size": tuple(round(float(s), 1) for s in size),
        "bodies": len(part.solids()),
        "watertight": watertight(mesh),
        "wall": round(thinnest_wall(mesh), 2),
        "bridge": round(overhang(mesh), 1),
        "grams": round(volume(mesh) / 1000 * 1.27 * 0.55, 0),  # PETG, walls and a third of infill
    }


# -------------------------------------------------------------------------------------------------- pictures


def assembled(o: StandOptions) -> dict[str, Any]:
    """All of it with the board under the camera: x to the right, y away from the players, z up, millimetres; the table's top is 0."""
    cut = slats(o)
    w, half = o.outer, o.outer / 2
    depth = 10 * o.depth
    behind = depth + GAP + half  # the far side of the post's sleeves
    things: dict[str, Any] = {}

    def on_its_side(part: Part, height: float) -> Any:
        """A part whose y is up and whose x points to the players."""
        return Plane((half, behind, height), x_dir=(0, -1, 0), z_dir=(-1, 0, 0)).location * part

    things["foot_clamp"] = on_its_side(foot_clamp(o), JAW)
    things["post"] = Pos(0, depth + GAP, LIFT) * Box(o.post, o.post, cut["post"], align=MIN)
    top = LIFT + cut["post"]
    things["elbow"] = on_its_side(elbow(o), top - SLEEVE)
    things["arm"] = Pos(-o.post / 2, behind - w - cut["arm"], top + half - o.post / 2) * _block(
        o.post, cut["arm"], o.post
    )
    edge = CAMERAS[o.camera][3]
    things["camera_plate"] = Pos(0, depth / 2 - edge / 2, top) * Rot(0, 0, 90) * camera_plate(o)
    things["board"] = Box(10 * o.depth * 1.22, depth, 20, align=(Align.CENTER, Align.MIN, Align.MIN))
    things["box"] = Pos(10 * o.depth * 0.61 + 30, depth / 2, 0) * box(o)
    things["lid"] = Pos(10 * o.depth * 0.61 + 30, depth / 2 + INNER[1] + 2 * WALL, HIGH + WALL + 3) * (
        Rot(180, 0, 0) * lid(o)
    )
    return things


#: From where the stand is looked at, and the box; how large they are drawn.
STAND_VIEW, BOX_VIEW, STAND_SCALE, BOX_SCALE = (-900.0, -1400.0, 900.0), (-300.0, -500.0, 380.0), 0.5, 1.0


def _screw(diameter: float, length: float, at: tuple[float, float, float], axis: str = "z") -> Part:
    """A screw whose end is at `at` and whose head lies along the axis' positive direction."""
    turn = {"z": Rot(0, 0, 0), "x": Rot(0, 90, 0), "-z": Rot(180, 0, 0)}[axis]
    head = Pos(0, 0, length) * Cylinder(0.9 * diameter, 0.7 * diameter, align=MIN)
    return Pos(*at) * turn * (Cylinder(diameter / 2, length, align=MIN) + head)


def assembly(o: StandOptions) -> list[tuple[list[Any], tuple[float, float, float], float]]:
    """The ten steps of putting it together: (what is seen, from where, scale). What joins in a step is drawn a little away from its place."""
    placed, cut = assembled(o), slats(o)
    depth, top, half, w = 10 * o.depth, LIFT + cut["post"], o.outer / 2, o.outer
    behind = depth + GAP + half
    edge = CAMERAS[o.camera][3]
    across = half + 12  # of a screw that is about to go in from the side
    clamp, post, elbow_, arm = (placed[name] for name in ("foot_clamp", "post", "elbow", "arm"))
    plate, middle = placed["camera_plate"], behind - w / 2
    jaw = (0.0, behind - w - 32, JAW - o.table - 2 * JAW)
    m8 = _screw(8, 60, (jaw[0], jaw[1], jaw[2] + 35), "-z")
    camera: list[Any] = [Pos(0, depth / 2, top - 1.2) * Box(25, 24, 1.2, align=MIN)]
    camera += [Pos(0, depth / 2, top - 7.2) * Box(8.5, 8.5, 6, align=MIN)]
    holes = [(x, y) for x in (-10.5, 10.5) for y in (-6.25, 6.25)]
    clips = [Pos(0, depth + GAP, LIFT + cut["post"] * k / 4) * cable_clip(o) for k in (2, 3)]
    # As many on the arm as its bare part has room for, one at least.
    bare = (behind - w - cut["arm"] + SLEEVE, behind - w - SLEEVE)
    many = max(1, int((bare[1] - bare[0]) // 60))
    clips += [
        Pos(0, bare[0] + (bare[1] - bare[0]) * (k + 0.5) / many, top + half) * Rot(90, 0, 0) * cable_clip(o)
        for k in range(many)
    ]
    rest = Pos(jaw[0], jaw[1], jaw[2] + 35) * pad(o)
    stand: list[Any] = [clamp, post, m8, rest]
    out: list[list[Any]] = [
        [_block(cut["post"], o.post, o.post), _block(cut["arm"], o.post, o.post, (0, -60, 0))],
        [clamp, Pos(0, 0, 90) * post, *(_screw(4, 35, (across, middle, JAW + z), "x") for z in (25, 50))],
        [clamp, post, Pos(0, 0, -45) * m8, Pos(jaw[0], jaw[1], jaw[2] + 38) * pad(o)],
        [
            *stand, Pos(0, 0, 80) * elbow_, Pos(0, -110, 80) * arm,
            *(_screw(4, 35, (across, middle, top + 80 - SLEEVE + z), "x") for z in (15, 40)),
            *(_screw(4, 35, (across, behind - w - x, top + 80 + half), "x") for x in (15, 40)),
        ],
        [
            plate, *(Pos(0, 0, -30) * part for part in camera),
            *(_screw(2, 8, (x, depth / 2 + y, top - 55), "-z") for x, y in holes),
        ],
        [
            *stand, elbow_, arm, *(Pos(0, -80, 0) * part for part in (plate, *camera)),
            *(_screw(4, 35, (0, depth / 2 - edge / 2 + edge + x - 80, top - 12), "-z") for x in (15, 40)),
        ],
        [*stand, elbow_, arm, plate, *camera, *(Pos(0, 40 * (i < 2), 40 * (i > 1)) * c for i, c in enumerate(clips))],
    ]  # fmt: skip
    views = [(things, STAND_VIEW, STAND_SCALE) for things in out]
    # The camera is screwed on from below, so that is where one looks from.
    views[4] = (out[4], (-300.0, -500.0, -330.0), 2.0)
    return [(things, look, scale) for things, look, scale in views] + _assembly_of_the_box(o, placed)


def _assembly_of_the_box(
    o: StandOptions, placed: dict[str, Any]
) -> list[tuple[list[Any], tuple[float, float, float], float]]:
    t, (across, along, long, broad) = WALL, PIS[o.pi]
    at, up = (t + 3, t + 3, t + 5), 55.0
    pi: list[Any] = [_block(long, broad, 1.4, (at[0], at[1], at[2] + up))]
    if o.pi != "zero":
        # Network and USB, by which one knows the board; the pins.
        for y, z in ((2.0, 13.5), (21.0, 16.0), (39.0, 16.0)):
            pi.append(_block(19.0, 15.0, z, (at[0] + long - 17, at[1] + y, at[2] + 1.4 + up)))
    pi.append(_block(51.0, 5.0, 8.5, (at[0] + 7, at[1] + broad - 6, at[2] + 1.4 + up)))
    screws = [
        _screw(2.5, 6, (at[0] + x, at[1] + y, at[2] + up + 30))
        for x in (3.5, 3.5 + across)
        for y in (3.5, 3.5 + along)
    ]
    x, y = INNER[0] + 2 * WALL, INNER[1] + 2 * WALL
    fitted: list[Any] = [_block(27.0, 27.0, 1.2, (x / 2 - 13.5, 7.0, 3 + 18))]
    fitted += [
        Pos(x / 2 + (n - 2) * 20.0, y / 2 + 2, 3 + 18) * Cylinder(2.5, 8.6, align=MIN) for n in range(5)
    ]
    fitted += [
        Pos(x / 2 + (n - 1.5) * 24.0, y - 19.0, 3 + 18) * Cylinder(6.0, 20.0, align=MIN) for n in range(4)
    ]
    corners = [(cx, cy) for cx in (WALL + 4, x - WALL - 4) for cy in (WALL + 4, y - WALL - 4)]
    closed = Pos(0, y, HIGH + WALL + 3 + 22) * (Rot(180, 0, 0) * lid(o))
    last = [box(o), closed, *(_screw(3, 12, (cx, cy, HIGH + WALL + 40)) for cx, cy in corners)]
    last += [
        Pos(x - 6, INNER[1] / 2 + dy, WALL + 13) * Rot(0, 90, 0) * Cylinder(2.5, 60, align=MIN)
        for dy in (-10, 8)
    ]
    return [(things, BOX_VIEW, BOX_SCALE) for things in ([box(o), *pi, *screws], [lid(o), *fitted], last)]


def draw(
    shape: Any, path: Path, *, look_from: tuple[float, float, float] = (-300, -500, 380), scale: float = 1.0
) -> None:
    """A line drawing, hidden lines left out."""
    visible, _ = shape.project_to_viewport(look_from)
    drawing = ExportSVG(scale=scale, margin=6)
    drawing.add_layer("visible", line_weight=0.35)
    drawing.add_shape(visible, layer="visible")
    drawing.write(str(path))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--camera", choices=CAMERAS, default="module")
    parser.add_argument("--pi", choices=PIS, default="pi4")
    parser.add_argument("--height", type=float, default=36.0, help="board to lens, cm: see the guide's table")
    parser.add_argument("--depth", type=float, default=24.0, help="of the board, rims included, cm")
    parser.add_argument("--post", type=float, default=20.0, help="edge of the slats, mm")
    parser.add_argument("--out", type=Path, default=Path("out/stand"))
    parser.add_argument("--pictures", type=Path, help="draws every part and the whole there")
    args = parser.parse_args()
    o = StandOptions(args.camera, args.pi, args.height, args.depth, args.post)
    args.out.mkdir(parents=True, exist_ok=True)
    bad = 0
    print(f"{'part':<14} {'size, mm':<22} {'watertight':<10} {'wall':>5} {'bridge':>6} {'grams':>5}")
    for name, make in PARTS.items():
        part = make(o)
        r = report(name, part)
        fits = max(r["size"]) <= BED
        well = r["watertight"] and r["bodies"] == 1 and r["wall"] >= THINNEST and fits
        bad += not well
        print(
            f"{name:<14} {r['size']!s:<22} {r['watertight']!s:<10} {r['wall']:5.2f} {r['bridge']:6.1f} {r['grams']:5.0f}{'' if well else '  NOT GOOD'}"
        )
        export_stl(part, str(args.out / f"{name}.stl"), tolerance=0.05, angular_tolerance=0.3)
        export_step(part, str(args.out / f"{name}.step"))
        if args.pictures:
            draw(part, args.pictures / f"{name}.svg")
    print("to cut, mm:", slats(o))
    if args.pictures:
        whole = Compound(children=list(assembled(o).values()))
        draw(whole, args.pictures / "stand.svg", look_from=STAND_VIEW, scale=STAND_SCALE)
        for number, (things, look_from, scale) in enumerate(assembly(o), 1):
            step = Compound(children=things)
            draw(step, args.pictures / f"step_{number:02}.svg", look_from=look_from, scale=scale)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
