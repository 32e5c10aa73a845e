"""Whole pictures of invented sets with their truth, for measuring where the board is: no network was trained on these.

The boards are those of the training pictures (`vision.training.boards`), with what those lack: points of any shape and of three
colours, bands along the edges, emblems, frames, trays, cups and things beside the board, patterned tables; and cameras from 40
to 90 degrees, boards turned by up to 45 degrees, a third of the picture wide, or cut along the frame.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.rules import STARTING_POSITION
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.board.seating import SEATINGS
from pi_board.vision.training import boards, pictures, textures

Rng = np.random.Generator
Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

#: Table drawn around the field, checker diameters.
_TABLE = 13.0
SIZES = ((640, 480), (640, 480), (800, 600), (960, 720), (960, 540))


@dataclass(frozen=True)
class DrawnSet:
    """image (H, W, 3) uint8 BGR. corners: (4, 2) px of the field. orientation: the seating, when it is the starting position.
    kind: what is hard about it: plain, turned, low, small, cut, wide. shape: of the points."""

    image: Image
    corners: Floats
    orientation: Orientation | None
    kind: str
    shape: str


class _Ground(boards.Plane):
    """The board's plane with much table around it."""

    def __init__(self, scene: boards.BoardScene, eye: Floats) -> None:
        super().__init__(scene, eye)
        self.x0, self.y0 = -scene.width / 2 - _TABLE, scene.height / 2 + _TABLE
        self.w = int((scene.width + 2 * _TABLE) * self.scale)
        self.h = int((scene.height + 2 * _TABLE) * self.scale)
        self.image = np.zeros((self.h, self.w, 3), np.float32)
        self.label = np.zeros((self.h, self.w), np.uint8)
        self.upper = np.zeros((self.h, self.w), np.uint8)


def _colour(rng: Rng, near: boards.Floats | None = None, spread: float = 0.0) -> boards.Floats:
    if near is None:
        return boards.random_colour(rng)
    return np.clip(near * rng.uniform(0.7, 1.2) + rng.normal(0, spread, 3), 0.03, 0.97).astype(np.float32)


def _table(rng: Rng, plane: _Ground) -> None:
    kind = str(rng.choice(["wood", "felt", "plain", "speckle"]))
    colour = _colour(rng)
    tex = textures.grain(rng, (plane.h, plane.w), kind, rng.uniform(0, 0.15))
    if rng.random() < 0.3:  # stripes or checks of a cloth
        other = _colour(rng, colour, 0.12)
        a = rng.uniform(0, np.pi)
        yy, xx = np.arange(plane.h, dtype=np.float32)[:, None], np.arange(plane.w, dtype=np.float32)[None]
        wide = rng.uniform(0.6, 3) * plane.scale
        on = ((xx * np.cos(a) + yy * np.sin(a)) // wide) % 2 == 0
        if rng.random() < 0.3:
            on ^= ((yy * np.cos(a) - xx * np.sin(a)) // wide) % 2 == 0
        base = np.where(on[..., None], colour, other).astype(np.float32)
        plane.image = base * tex[..., None].astype(np.float32)
    else:
        plane.image = cv2.merge([tex * float(c) for c in colour])


def _frame(rng: Rng, plane: _Ground, light: Floats) -> tuple[float, float]:
    """Frame, trays and the board's outer walls; returns the rim's height and width."""
    scene = plane.scene
    hw, hh = scene.width / 2, scene.height / 2
    rim = 0.0 if rng.random() < 0.1 else float(rng.uniform(0.1, 0.75))
    wide = float(rng.uniform(0.3, 1.2))
    deep = float(rng.uniform(0.3, 1.6))
    tray = float(rng.uniform(1.2, 1.9))
    left = tray if rng.random() < 0.2 else 0.0
    right = tray if rng.random() < 0.5 else 0.0
    x0, x1 = -hw - wide - (left + wide if left else 0), hw + wide + (right + wide if right else 0)
    y0, y1 = -hh - wide, hh + wide
    colour = _colour(rng)
    ring = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    shade = rng.uniform(0.4, 1.0, 4)
    for i in range(4):  # the outer walls; those that look away are covered by the top
        a, b = ring[i], ring[(i + 1) % 4]
        plane.fill([(*a, -deep), (*b, -deep), (*b, rim), (*a, rim)], colour * shade[i])
    plane.fill([(*p, rim) for p in ring], colour)
    bed = _colour(rng) if rng.random() < 0.6 else colour * 0.7
    for share, sign in ((left, -1), (right, 1)):
        if share:
            a, b = sign * (hw + wide), sign * (hw + wide + share)
            split = 0.3 if rng.random() < 0.6 else 0.0
            plane.fill([(a, -hh, 0), (b, -hh, 0), (b, -split, 0), (a, -split, 0)], bed)
            plane.fill([(a, split, 0), (b, split, 0), (b, hh, 0), (a, hh, 0)], bed)
            for n, s in enumerate((-1, 1)):  # checkers borne off lie there, sometimes
                if rng.random() < 0.3:
                    for i in range(int(rng.integers(1, 6))):
                        y = s * (hh - 0.6 - 1.02 * i)
                        if abs(y) > 0.8:
                            at = plane.flat((a + b) / 2, y, scene.thickness)
                            c = scene.light if (n + (sign > 0)) % 2 else scene.dark
                            cv2.circle(
                                plane.image, (round(at[0]), round(at[1])), round(0.5 * plane.scale * at[2]),
                                tuple(float(v) for v in c), -1, cv2.LINE_AA,
                            )  # fmt: skip
    plane.fill([(-hw, -hh, 0), (hw, -hh, 0), (hw, hh, 0), (-hw, hh, 0)], colour * 0.6)
    return rim, wide


def point_outline(
    length: float, base: float, tip: float, power: float, steps: int = 14
) -> list[tuple[float, float]]:
    """[(x, y)] of one point, its base at y = 0: half as wide as `base` there, as `tip` at its end; power 1 is a triangle, 2 a lancet,
    6 a bullet."""
    t = np.linspace(0, 1, 2 if power == 1 else steps)
    half = (tip + (base - tip) * (1 - t**power)) / 2
    return [(-a, b * length) for a, b in zip(half, t, strict=True)] + [
        (a, b * length) for a, b in zip(half[::-1], t[::-1], strict=True)
    ]


def _field(rng: Rng, plane: _Ground) -> str:
    scene = plane.scene
    hw, hh = scene.width / 2, scene.height / 2
    shape = str(rng.choice(["triangle", "cut", "lancet", "bullet"], p=[0.45, 0.1, 0.25, 0.2]))
    power = {"triangle": 1.0, "cut": 1.0, "lancet": rng.uniform(1.5, 2.6), "bullet": rng.uniform(5, 12)}[
        shape
    ]
    colour = _colour(rng)
    tex = textures.grain(
        rng, (plane.h, plane.w), str(rng.choice(["wood", "felt", "speckle", "plain"])), rng.uniform(0, 0.14)
    )
    inner = cv2.merge([tex * float(c) for c in colour])
    kinds = 3 if rng.random() < 0.15 else 2
    paints: list[boards.Floats] = []
    while len(paints) < kinds:  # a contrast floor: what nobody can tell from the field is no point
        c = _colour(rng)
        if all(np.abs(c - o).max() > 0.16 for o in (colour, *paints)):
            paints.append(c)
    if rng.random() < 0.1:  # one of the two kinds of points is hardly there, as on some leather boards
        paints[0] = np.clip(colour * 0.85 + 0.04, 0, 1).astype(np.float32)
    length = hh * rng.uniform(0.7, 0.93)
    base = scene.pitch * rng.uniform(0.72, 1.0)
    tip = {"cut": 0.15 * base}.get(shape, 0.0)
    veneer = rng.random() < 0.15
    edge = _colour(rng) if rng.random() < 0.2 else None
    first, mirrored = int(rng.integers(kinds)), rng.random() < 0.5
    outline = point_outline(length, base, tip, power)
    for row, side in enumerate((1.0, -1.0)):
        for column in range(12):
            x = scene.column_x(column)
            px = plane.polygon([(x + a, side * (hh - b), 0.0) for a, b in outline])
            which = (column + first + (row if mirrored else 0)) % kinds
            mask = np.zeros((plane.h, plane.w), np.uint8)
            cv2.fillPoly(mask, [px], 255, cv2.LINE_AA, 4)
            at = cv2.boundingRect(np.int32(px / 16))
            part = (slice(max(0, at[1] - 2), at[1] + at[3] + 3), slice(max(0, at[0] - 2), at[0] + at[2] + 3))
            m = mask[part].astype(np.float32)[..., None] / 255
            paint = np.ones_like(inner[part]) * paints[which] * tex[part][..., None]
            if veneer:
                stripes = 1 + 0.12 * np.sin(np.arange(paint.shape[1]) * rng.uniform(0.4, 1.2))
                paint = paint * stripes[None, :, None].astype(np.float32)
            inner[part] = inner[part] * (1 - m) + paint * m
            if edge is not None:
                cv2.polylines(inner, [px], True, tuple(float(v) for v in edge), 1, cv2.LINE_AA, 4)

    def spot(x: float, y: float) -> tuple[int, int]:
        a, b, _ = plane.flat(x, y, 0)
        return round(a), round(b)

    def line(a: tuple[float, float], b: tuple[float, float], c: boards.Floats, w: int = 1) -> None:
        cv2.line(inner, spot(*a), spot(*b), tuple(float(v) for v in c), w, cv2.LINE_AA)

    if rng.random() < 0.2:  # a band along the edges, or a seam in the middle
        c, inset = _colour(rng), rng.uniform(0.03, 0.25)
        for s in (-1, 1):
            line((-hw, s * (hh - inset)), (hw, s * (hh - inset)), c, int(rng.integers(1, 4)))
            line((s * (hw - inset / 2), -hh), (s * (hw - inset / 2), hh), c, 1)
    if rng.random() < 0.15:
        line((-hw, 0), (hw, 0), _colour(rng), int(rng.integers(1, 5)))
    if rng.random() < 0.3:  # emblems
        c, r = tuple(float(v) for v in _colour(rng)), rng.uniform(0.5, 1.3)
        kind = int(rng.integers(3))
        for s in (-1, 1):
            at = spot(s * hw / 2, 0)
            if kind == 0:
                cv2.circle(inner, at, int(r * plane.scale), c, int(rng.choice([-1, 2, 4])), cv2.LINE_AA)
            elif kind == 1:
                arms = np.linspace(0, 2 * np.pi, 17)
                radius = r * plane.scale * np.where(np.arange(17) % 2, 0.5, 1.0)
                star = np.c_[np.cos(arms) * radius, np.sin(arms) * radius] + at
                cv2.fillPoly(inner, [star.astype(np.int32)], c, cv2.LINE_AA)
            else:
                word = str(rng.choice(["BACKGAMMON", "CLUB 24", "ROYAL", "TAVLA"]))
                stamp = np.zeros((plane.h, plane.w), np.uint8)
                cv2.putText(
                    stamp, word, (at[0] - 60, at[1]), cv2.FONT_HERSHEY_SIMPLEX, 0.7, 255, 1, cv2.LINE_AA
                )
                inner[stamp > 127] = c
    (x1, y1), (x2, y2) = spot(-hw, hh), spot(hw, -hh)
    plane.image[y1:y2, x1:x2] = inner[y1:y2, x1:x2]
    return shape


def _things(rng: Rng, plane: _Ground, on_board: bool) -> None:
    """Cups, phones, boxes and coins beside the board; on_board: a cup on the field."""
    scene = plane.scene
    hw, hh = scene.width / 2, scene.height / 2
    for i in range(int(rng.integers(0, 4)) + on_board):
        here = on_board and i == 0
        a = rng.uniform(0, 2 * np.pi)
        away = rng.uniform(1.25, 1.9)
        x, y = (
            (rng.uniform(-0.45, 0.45) * scene.width, rng.normal(0, 0.2) * scene.height)
            if here
            else (hw * away * np.cos(a) * 1.4, hh * away * np.sin(a) * 1.4)
        )
        c = _colour(rng)
        if here or rng.random() < 0.4:  # a cup
            radius, high = rng.uniform(0.8, 1.4), rng.uniform(1.0, 3.0)
            ring = np.linspace(0, 2 * np.pi, 40, endpoint=False)
            base = [(x + radius * np.cos(t), y + radius * np.sin(t), 0.0) for t in ring]
            top = [(p[0], p[1], high) for p in base]
            hull = cv2.convexHull(plane.polygon(base + top).astype(np.float32)).astype(np.int32)
            cv2.fillPoly(plane.image, [hull], tuple(float(v) for v in c * 0.6), cv2.LINE_AA, 4)
            plane.fill(top, c)
            plane.fill([(x + (p[0] - x) * 0.85, y + (p[1] - y) * 0.85, high) for p in base], c * 0.35)
        else:
            w, h, high = rng.uniform(0.6, 3), rng.uniform(0.5, 4), rng.uniform(0.05, 0.8)
            t = rng.uniform(0, np.pi)
            box = [
                (x + u * w * np.cos(t) - v * h * np.sin(t), y + u * w * np.sin(t) + v * h * np.cos(t))
                for u, v in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
            ]
            hull = cv2.convexHull(
                plane.polygon([(*p, z) for p in box for z in (0.0, high)]).astype(np.float32)
            ).astype(np.int32)
            cv2.fillPoly(plane.image, [hull], tuple(float(v) for v in c * 0.7), cv2.LINE_AA, 4)
            plane.fill([(*p, high) for p in box], c)


def _camera(rng: Rng, scene: boards.BoardScene, kind: str) -> pictures.PinholeCamera:
    size = SIZES[int(rng.integers(len(SIZES)))]
    fov = rng.uniform(80, 100) if kind == "wide" else rng.uniform(48, 74)
    focal = size[0] / 2 / np.tan(np.radians(fov) / 2)
    tilt = np.radians(rng.uniform(30, 50) if kind == "low" else abs(rng.normal(0, 14)))
    azimuth = np.radians(-90 + rng.normal(0, 12 if kind == "low" else 40))
    down = np.array([-np.cos(azimuth) * np.sin(tilt), -np.sin(azimuth) * np.sin(tilt), -np.cos(tilt)])
    right = np.cross(down, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    roll = np.radians(
        rng.uniform(12, 45) * rng.choice([-1, 1]) if kind == "turned" else np.clip(rng.normal(0, 3.5), -9, 9)
    )
    below = np.cross(down, right)
    turn = np.stack(
        [np.cos(roll) * right + np.sin(roll) * below, -np.sin(roll) * right + np.cos(roll) * below, down]
    )
    fill = {"small": (0.33, 0.45), "turned": (0.45, 0.8), "cut": (0.94, 1.0)}.get(kind, (0.55, 0.92))
    share = rng.uniform(*fill)
    distance = max(scene.width * focal / size[0], scene.height * focal / size[1]) / share
    aim = np.append(rng.normal(0, 0.05 if kind != "cut" else 0.01, 2) * (scene.width, scene.height), 0.0)
    k1 = rng.uniform(-0.2, -0.05) if kind == "wide" else rng.uniform(-0.1, 0.03)
    return pictures.PinholeCamera(
        float(focal), size, turn, aim - down * distance, float(k1), float(rng.uniform(-0.005, 0.01))
    )


KINDS = ("plain", "plain", "plain", "turned", "low", "small", "cut", "wide")


def draw_set(rng: Rng, kind: str = "plain", *, start: bool = False) -> DrawnSet:
    """One picture. start: the starting position in one of the four seatings."""
    seating = SEATINGS[int(rng.integers(len(SEATINGS)))] if start else None
    given = None
    if seating is not None:
        given = np.zeros((2, 12), np.int64)
        for point, n in enumerate(STARTING_POSITION.points, 1):
            column, row = seating.column_of(point)
            given[row, column] = n
    hardness = float(rng.choice([0.0, 0.3, 0.7]) * rng.random())
    scene = boards.lay_out(rng, given)
    for _ in range(12):
        camera = _camera(rng, scene, kind)
        corners = pictures.field_corners(scene, camera)
        slack = 0.015 * camera.size[0] if kind == "cut" else -2.0
        if (corners > -slack).all() and (corners < np.array(camera.size) - 1 + slack).all():
            break
    scene.light, scene.dark = boards.checker_colours(rng)
    plane = _Ground(scene, camera.eye)
    light = np.array([np.cos(a := rng.uniform(0, 2 * np.pi)), np.sin(a), rng.uniform(0.5, 3.0)])
    _table(rng, plane)
    rim, wide = _frame(rng, plane, light)
    shape = _field(rng, plane)
    for _ in range(int(rng.choice([1, 2]))):
        shade = boards.shadow_mask(plane, scene, light, rng.uniform(0.8, 3 + 14 * (1 - hardness)), rim)
        boards.scale(plane.image, 1 - np.float32(rng.uniform(0.1, 0.4 + 0.25 * hardness)) * shade)
    rim_colour = _colour(rng)
    walls = boards.walls(scene, rim, wide)
    shade_of = rng.uniform(0.45, 1.0, 4)
    for wall, s in zip(walls, shade_of, strict=True):
        if not boards.hides(plane, wall[0]):
            boards.draw_wall(plane, wall, rim_colour, s, False)
    boards.draw_bar(rng, plane, rim_colour if rng.random() < 0.5 else _colour(rng), scene.bar_top, light)
    pictures.draw_checkers(rng, plane, light, hardness)
    pictures.draw_blocks(rng, plane)
    for wall, s in zip(walls, shade_of, strict=True):
        if boards.hides(plane, wall[0]):
            boards.draw_wall(plane, wall, rim_colour, s, True)
    _things(rng, plane, bool(rng.random() < 0.15))
    boards.illuminate(rng, plane, hardness)
    image = pictures.photograph(rng, plane, camera, pictures.plane_maps(plane, camera), hardness)
    return DrawnSet(image, corners, seating, kind, shape)


def drawn_sets(count: int, seed: int, *, start: bool = False) -> Iterator[tuple[str, DrawnSet]]:
    """(name, set) of `count` pictures; the kinds take turns."""
    for number in range(count):
        rng = np.random.default_rng((seed, number))
        yield f"{seed}-{number:03d}", draw_set(rng, KINDS[number % len(KINDS)], start=start)
