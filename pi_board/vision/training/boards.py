"""Random boards of sets that nobody sells: the training pictures of the stills network.

Everything is drawn in the plane of the board. Seen by a pinhole at C above it, a disc at height z falls onto the
plane as a disc again (scaled by C_z / (C_z - z) away from C's foot), so walls, stacked checkers, rims and parallax are
exact at the price of `cv2.circle`; one homography with lens distortion then takes the plane to the picture.
Lengths are in checker diameters; frame as everywhere: origin mid-field, x right, y up, z towards the camera.
Here are a board's lay-out, its plane, field, walls and bar; `drawn_checkers` and `drawn_hands` draw what lies on it and reaches over it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.training.textures import Floats, Rng, grain, marble

#: Drawing scale, px per checker diameter, and what is drawn around the field (diameters).
SCALE, AROUND = 30, 1.6


@dataclass
class DrawnChecker:
    light: bool
    x: float
    y: float
    z: float
    column: int = -1  # 0..11, or -1 on the bar
    near: bool = False


@dataclass
class BoardScene:
    """One board with its truth. points: (2, 12) signed counts, row 0 = far; bar: (light, dark)."""

    width: float
    height: float
    bar_width: float
    thickness: float
    checkers: list[DrawnChecker]
    points: npt.NDArray[np.int64]
    bar: tuple[int, int]
    light: Floats = field(default_factory=lambda: np.ones(3, np.float32))
    dark: Floats = field(default_factory=lambda: np.zeros(3, np.float32))
    bar_top: float = 0.0
    scale: int = SCALE  # px per diameter in which it is drawn

    @property
    def pitch(self) -> float:
        return (self.width - self.bar_width) / 12

    def column_x(self, column: int) -> float:
        return (1 if column >= 6 else -1) * self.bar_width / 2 + (column - 5.5) * self.pitch


# --------------------------------------------------------------------------------------------- positions


def random_counts(rng: Rng) -> tuple[npt.NDArray[np.int64], tuple[int, int]]:
    """Signed counts (24,) in running order along the track and (light, dark) on the bar."""
    points = np.zeros(24, np.int64)
    start = {0: -2, 5: 5, 7: 3, 11: -5, 12: 5, 16: -3, 18: -5, 23: 2}
    if rng.random() < 0.07:
        for p, n in start.items():
            points[p] = n
        return points, (0, 0)
    bar = [0, 0]
    style = rng.random()
    for side, sign in ((0, 1), (1, -1)):
        total = 15
        if rng.random() < 0.3:
            bar[side] = int(rng.choice([1, 1, 1, 1, 1, 2, 2, 3, 4]))
            total -= bar[side]
        bearing_off = rng.random() < 0.25
        if bearing_off and rng.random() < 0.7:
            total -= int(rng.integers(0, total + 1))
        home = np.arange(6) if sign > 0 else np.arange(18, 24)
        pool = home if bearing_off and rng.random() < 0.8 else np.arange(24)
        weights = rng.gamma(0.35 if style < 0.6 else 1.0, 1.0, len(pool)) + 1e-3
        if pool is not home and rng.random() < 0.5:
            weights[np.isin(pool, home)] *= 3
        for _ in range(total):
            free = weights * (points[pool] * sign >= 0) * (np.abs(points[pool]) < 12)
            # Long rows are rare unless a point keeps drawing; nudge beyond five but do not forbid.
            free = free * np.where(np.abs(points[pool]) >= 5, 0.45, 1.0)
            if free.sum() <= 0:
                break
            points[rng.choice(pool, p=free / free.sum())] += sign
    return points, (bar[0], bar[1])


def lay_out(rng: Rng, given: npt.NDArray[np.int64] | None = None) -> BoardScene:
    """A board and its checkers, as carelessly placed as people do it; given: (2, 12) counts, row 0 = far, empty bar."""
    pitch = 1 / rng.uniform(0.82, 0.985)
    bar_share = rng.uniform(0.035, 0.135) if rng.random() < 0.35 else rng.uniform(0.075, 0.115)
    width = 12 * pitch / (1 - bar_share)
    height = 2 * rng.uniform(5.2, 6.6)
    thickness = rng.uniform(0.16, 0.42)
    bar_width = bar_share * width
    counts, bar = random_counts(rng)
    track = counts if rng.random() < 0.5 else counts[::-1]
    points = np.zeros((2, 12), np.int64)
    points[1] = track[:12][::-1]  # either way round; left-right mirrored below
    points[0] = track[12:]
    if rng.random() < 0.5:
        points = points[:, ::-1]
    if given is not None:
        points, bar = given, (0, 0)
    scene = BoardScene(width, height, bar_width, thickness, [], points, bar)
    jitter = rng.choice([0.01, 0.04, 0.08, 0.13]) * rng.uniform(0.5, 1.0)
    gap = rng.choice([0.0, 0.02, 0.05, 0.12])
    # Taking the checker at the edge leaves a gap; some players always do that.
    holes = rng.choice([0.01, 0.04, 0.2])
    capacity = 5 if height / 2 < 6.1 or rng.random() < 0.8 else 6
    for row in range(2):
        side = 1.0 if row == 0 else -1.0
        for column in range(12):
            n = int(points[row, column])
            if n == 0:
                continue
            x0, lead = (
                scene.column_x(column),
                abs(rng.normal(0, gap)) + (0.15 * rng.random() if rng.random() < 0.1 else 0),
            )
            cap = capacity if rng.random() < 0.93 else int(rng.integers(4, 7))
            room = height / 2 - 0.6 - abs(n)
            if room > 0.4 and rng.random() < holes:
                lead = rng.uniform(0.3, min(2.3, room))
                room -= lead
            ys: list[float] = []
            y = height / 2 - 0.5 - lead
            for i in range(min(abs(n), cap)):
                if i:
                    y -= 1 + abs(rng.normal(0, gap)) + (0.3 * rng.random() if rng.random() < 0.03 else 0)
                    if room > 0.4 and rng.random() < 0.5 * holes:
                        hole = rng.uniform(0.3, min(1.3, room))
                        y, room = y - hole, room - hole
                ys.append(y)
            if abs(n) >= cap and ys[-1] < 0.45:  # pushed together so that the row stays on its side
                ys = list(np.linspace(ys[0], 0.45, len(ys))) if ys[0] - 0.45 > len(ys) - 1.02 else ys
            stack = rng.choice(["top", "bridge", "inner"], p=[0.5, 0.38, 0.12])
            for i in range(abs(n)):
                layer, place = divmod(i, cap)
                if layer == 0:
                    yy = ys[place]
                else:
                    if stack == "bridge" and place < cap - layer:
                        yy = (ys[place] + ys[place + 1]) / 2
                    elif stack == "inner":
                        yy = ys[cap - 1 - place]
                    else:
                        yy = ys[min(place, len(ys) - 1)]
                dx, dy = rng.normal(0, jitter, 2) * (1.0, 0.6)
                dx = float(np.clip(dx, -0.22, 0.22))
                yy = min(yy + dy * 0.7, height / 2 - 0.5)
                scene.checkers.append(
                    DrawnChecker(n > 0, x0 + dx, side * yy, thickness * layer, column, row == 1)
                )
    top = bar_top(rng)
    for light, n in ((True, bar[0]), (False, bar[1])):
        side = rng.choice([-1, 1])
        y = rng.uniform(0.5, 1.4) if rng.random() < 0.8 else rng.uniform(0.5, height / 2 - 1.5)
        for i in range(n):
            stacked = i >= 3
            x = rng.normal(0, 0.04)
            yy = side * (y + (i % 3) * (1 + abs(rng.normal(0, 0.05))))
            clash = [c for c in scene.checkers if c.column < 0 and abs(c.y - yy) < 1]
            z = top + thickness * (1 if stacked or clash else 0)
            scene.checkers.append(
                DrawnChecker(light, float(x), float(np.clip(yy, -height / 2 + 0.5, height / 2 - 0.5)), z)
            )
    scene.bar_top = top
    return scene


def bar_top(rng: Rng) -> float:
    return 0.0 if rng.random() < 0.25 else rng.uniform(0.05, 0.6)


# --------------------------------------------------------------------------------------------- colours

NAMED = np.array(
    [  # BGR, everyday colours of sets
        [235, 240, 242], [200, 225, 238], [170, 205, 230], [30, 30, 30], [20, 20, 22], [25, 35, 50], [35, 50, 85],
        [35, 30, 170], [30, 25, 120], [110, 60, 30], [30, 120, 235], [60, 110, 40], [45, 70, 30], [150, 150, 150],
        [90, 90, 95], [120, 160, 195], [70, 105, 150], [150, 90, 50], [200, 170, 120], [40, 40, 60], [60, 190, 220],
        [210, 215, 215], [50, 25, 70], [45, 60, 100],
    ],
    np.float32,
) / 255.0  # fmt: skip


def random_colour(rng: Rng) -> Floats:
    if rng.random() < 0.75:
        base = NAMED[rng.integers(len(NAMED))]
        return np.clip(base + rng.normal(0, 0.035, 3) + rng.normal(0, 0.04), 0.03, 0.97).astype(np.float32)
    return rng.uniform(0.03, 0.97, 3).astype(np.float32)


def luma(c: npt.NDArray[np.floating]) -> float:
    return float(c @ np.array([0.114, 0.587, 0.299]))


def checker_colours(rng: Rng) -> tuple[Floats, Floats]:
    while True:
        if rng.random() < 0.45:  # pale against black or strong: what most sets are
            a = np.clip(NAMED[rng.integers(0, 3)] + rng.normal(0, 0.04, 3), 0, 1).astype(np.float32)
            b = random_colour(rng)
        else:
            a, b = random_colour(rng), random_colour(rng)
        if luma(a) < luma(b):
            a, b = b, a
        if luma(a) - luma(b) > 0.13 and np.abs(a - b).max() > 0.22:
            return a, b


# --------------------------------------------------------------------------------------------- drawing


class Plane:
    """The board's plane as a picture; knows where a point at height z appears to the camera's eye."""

    def __init__(self, scene: BoardScene, eye: npt.NDArray[np.float64]) -> None:
        self.eye, self.scene, self.scale = eye, scene, scene.scale
        self.x0, self.y0 = -scene.width / 2 - AROUND, scene.height / 2 + AROUND
        self.w = int((scene.width + 2 * AROUND) * self.scale)
        self.h = int((scene.height + 2 * AROUND) * self.scale)
        self.image: Floats = np.zeros((self.h, self.w, 3), np.float32)
        self.label = np.zeros((self.h, self.w), np.uint8)
        self.upper = np.zeros((self.h, self.w), np.uint8)  # 1: top of a checker that stands on another

    def flat(self, x: float, y: float, z: float) -> tuple[float, float, float]:
        """px and the factor by which lengths at height z grow."""
        s = self.eye[2] / (self.eye[2] - z)
        px = (self.eye[0] + (x - self.eye[0]) * s - self.x0) * self.scale
        py = (self.y0 - (self.eye[1] + (y - self.eye[1]) * s)) * self.scale
        return px, py, s

    def polygon(self, xyz: list[tuple[float, float, float]]) -> npt.NDArray[np.int32]:
        return np.array([[round(v * 16) for v in self.flat(*p)[:2]] for p in xyz], np.int32)

    def fill(
        self, xyz: list[tuple[float, float, float]], colour: npt.NDArray[np.floating], label: int = 0
    ) -> None:
        p = self.polygon(xyz)
        cv2.fillPoly(self.image, [p], tuple(float(v) for v in colour), cv2.LINE_AA, 4)
        cv2.fillPoly(self.label, [p], label, cv2.LINE_8, 4)


def mix(image: Floats, mask: Floats, colour: npt.NDArray[Any]) -> None:
    """image += mask * (colour - image) in place, only where the mask is."""
    where = mask > 0
    m = mask[where][:, None]
    under = image[where]
    over = colour[where] if colour.ndim == 3 else colour
    image[where] = under + m * (over - under)


def scale(image: Floats, by: Floats) -> None:
    """image (h, w, 3) *= by (h, w) in place, without a broadcast copy."""
    for i in range(3):
        np.multiply(image[..., i], by, out=image[..., i])


DrawPoints = Callable[[Rng, "Plane", Floats, list[Floats]], None]


def draw_field(rng: Rng, plane: Plane, colours: list[Floats], draw_points: DrawPoints | None = None) -> None:
    """Table, field, points and what is printed on them; draw_points: other points and prints than the plain ones."""
    scene = plane.scene
    shape = (plane.h, plane.w)
    table, fieldc, pa, pb = colours
    hw, hh = scene.width / 2, scene.height / 2
    tex = grain(rng, shape, str(rng.choice(["wood", "felt", "plain"])), rng.uniform(0, 0.12))
    plane.image = cv2.merge([tex * float(c) for c in table])
    if rng.random() < 0.2:
        cell = int(rng.uniform(0.4, 1.5) * plane.scale)
        yy, xx = np.arange(plane.h)[:, None], np.arange(plane.w)[None]
        plane.image[((xx // cell + yy // cell) % 2) == 0] = random_colour(rng)
    kind = str(rng.choice(["wood", "felt", "speckle", "plain"]))
    tex = grain(rng, shape, kind, rng.uniform(0, 0.16))
    inner = cv2.merge([tex * float(c) for c in fieldc])
    if draw_points is None:
        _plain_points(rng, plane, inner, pa, pb)
    else:
        draw_points(rng, plane, inner, [pa, pb])
    x1, y1, _ = plane.flat(-hw, hh, 0)
    x2, y2, _ = plane.flat(hw, -hh, 0)
    a, b, c, d = round(y1), round(y2), round(x1), round(x2)
    plane.image[a:b, c:d] = inner[a:b, c:d]


def draw_veins(rng: Rng, plane: Plane, colours: list[Floats]) -> None:
    """The field, or the points of a colour, are of marble instead; colours: (field, points, points). Nothing stands on them yet."""
    hw, hh = plane.scene.width / 2, plane.scene.height / 2
    x1, y1, _ = plane.flat(-hw, hh, 0)
    x2, y2, _ = plane.flat(hw, -hh, 0)
    inner = plane.image[round(y1) : round(y2), round(x1) : round(x2)]
    away = [np.square(inner - np.asarray(c, np.float32)).sum(2) for c in colours]
    of = np.argmin(away, axis=0)
    for k in range(len(colours)):
        if rng.random() < 0.5:
            tone = marble(rng, of.shape, plane.scene.pitch * plane.scale)
            scale(inner, np.where(of == k, tone, np.float32(1)))


def _plain_points(rng: Rng, plane: Plane, inner: Floats, pa: Floats, pb: Floats) -> None:
    """Points of two colours, dots, lines and rings, over the field's picture `inner`, in place."""
    scene, shape = plane.scene, (plane.h, plane.w)
    hw, hh = scene.width / 2, scene.height / 2
    points = np.zeros(shape, np.float32)
    second = np.zeros(shape, np.float32)
    length = scene.height / 2 * rng.uniform(0.68, 0.95)
    base = scene.pitch * rng.uniform(0.78, 1.0)
    shape_kind = rng.choice(["triangle", "cut", "curved", "bar"], p=[0.72, 0.14, 0.08, 0.06])
    first = int(rng.integers(2))
    mirrored = rng.random() < 0.5
    for row, side in enumerate((1.0, -1.0)):
        for column in range(12):
            x = scene.column_x(column)
            tip = {"triangle": 0.0, "cut": base * 0.12, "curved": 0.0, "bar": base * 0.5}[str(shape_kind)]
            outline = [(x - base / 2, side * hh, 0.0), (x + base / 2, side * hh, 0.0)]
            if shape_kind == "curved":
                outline += [(x + base * 0.3, side * (hh - length * 0.55), 0.0)]
            outline += [(x + tip / 2, side * (hh - length), 0.0), (x - tip / 2, side * (hh - length), 0.0)]
            if shape_kind == "curved":
                outline += [(x - base * 0.3, side * (hh - length * 0.55), 0.0)]
            which = (column + first + (row if mirrored else 0)) % 2
            cv2.fillPoly((points, second)[which], [plane.polygon(outline)], 1.0, cv2.LINE_AA, 4)
    tex2 = grain(rng, shape, str(rng.choice(["wood", "felt", "speckle", "plain"])), rng.uniform(0, 0.16))
    for mask, colour in ((points, pa), (second, pb)):
        if rng.random() < 0.2:  # an inlaid edge
            mix(inner, cv2.dilate(mask, np.ones((3, 3), np.uint8)), random_colour(rng))
        mix(inner, mask, np.asarray(cv2.merge([tex2 * float(c) for c in colour])))
    if rng.random() < 0.2:  # dots at the tips, a line across, a printed ornament
        dot = tuple(float(v) for v in random_colour(rng))
        for side in (1.0, -1.0):
            for column in range(12):
                px, py, _ = plane.flat(scene.column_x(column), side * (hh - length - 0.15), 0)
                cv2.circle(
                    inner,
                    (round(px * 16), round(py * 16)),
                    int(rng.uniform(1.5, 4) * 16),
                    dot,
                    -1,
                    cv2.LINE_AA,
                    4,
                )
    if rng.random() < 0.12:
        for side in (-1, 1):
            px, py, _ = plane.flat(side * hw / 2, 0, 0)
            cv2.circle(
                inner,
                (int(px), int(py)),
                int(rng.uniform(0.4, 1.2) * plane.scale),
                tuple(float(v) for v in random_colour(rng)),
                int(rng.choice([-1, 1, 2])),
                cv2.LINE_AA,
            )


def walls(
    scene: BoardScene, rim: float, rim_width: float
) -> list[tuple[str, float, list[tuple[float, float, float]], list[tuple[float, float, float]]]]:
    """(name, depth towards the field, inner face, top face) of the four rims."""
    hw, hh, r = scene.width / 2, scene.height / 2, rim_width
    out = []
    for name, a, b, nx, ny in (
        ("far", (-hw, hh), (hw, hh), 0, 1),
        ("near", (-hw, -hh), (hw, -hh), 0, -1),
        ("left", (-hw, -hh), (-hw, hh), -1, 0),
        ("right", (hw, -hh), (hw, hh), 1, 0),
    ):
        face = [(*a, 0.0), (*b, 0.0), (*b, rim), (*a, rim)]
        ex, ey = (r, 0) if nx == 0 else (0, r)
        top = [
            (a[0] - ex, a[1] - ey, rim),
            (b[0] + ex, b[1] + ey, rim),
            (b[0] + nx * r + ex, b[1] + ny * r + ey, rim),
            (a[0] + nx * r - ex, a[1] + ny * r - ey, rim),
        ]
        out.append((name, float(nx or ny), face, top))
    return out


def hides(plane: Plane, name: str) -> bool:
    """The rim's inner face looks away from the camera, so the rim covers part of the field."""
    scene, eye = plane.scene, plane.eye
    return {
        "far": eye[1] > scene.height / 2,
        "near": eye[1] < -scene.height / 2,
        "left": eye[0] < -scene.width / 2,
        "right": eye[0] > scene.width / 2,
    }[name]


def draw_wall(
    plane: Plane,
    wall: tuple[str, float, list[tuple[float, float, float]], list[tuple[float, float, float]]],
    colour: Floats,
    shade: float,
    away: bool,
) -> None:
    name, _, face, top = wall
    if not away:
        plane.fill(face, colour * shade)
    plane.fill(top, colour)


def draw_bar(rng: Rng, plane: Plane, colour: Floats, top: float, light: npt.NDArray[np.float64]) -> None:
    scene = plane.scene
    b, hh = scene.bar_width / 2, scene.height / 2
    plane.fill([(-b, -hh, 0), (b, -hh, 0), (b, hh, 0), (-b, hh, 0)], colour * rng.uniform(0.5, 1.0))
    for s in (-1, 1):
        plane.fill(
            [(s * b, -hh, 0), (s * b, hh, 0), (s * b, hh, top), (s * b, -hh, top)],
            colour * (0.75 + 0.2 * s * np.sign(light[0])),
        )
    plane.fill([(-b, -hh, top), (b, -hh, top), (b, hh, top), (-b, hh, top)], colour)
    if rng.random() < 0.65:  # the fold
        g = rng.uniform(0.01, 0.06)
        plane.fill(
            [(-g, -hh, top), (g, -hh, top), (g, hh, top), (-g, hh, top)], colour * rng.uniform(0.2, 0.8)
        )
    if rng.random() < 0.6:  # hinges
        c = (
            random_colour(rng)
            if rng.random() < 0.5
            else np.array([0.2, 0.55, 0.7], np.float32) * rng.uniform(0.5, 1.2)
        )
        wx, wy, hy = rng.uniform(0.1, 0.5), rng.uniform(0.1, 0.4), rng.uniform(0.3, 0.85) * hh
        for s in (-1, 1):
            plane.fill(
                [
                    (-wx, s * hy - wy, top),
                    (wx, s * hy - wy, top),
                    (wx, s * hy + wy, top),
                    (-wx, s * hy + wy, top),
                ],
                c,
            )


def shadow_mask(
    plane: Plane, scene: BoardScene, light: npt.NDArray[np.float64], softness: float, rim: float
) -> Floats:
    """(h, w) share of light that checkers and rims take from the field (light[2] = steepness)."""
    mask = np.zeros((plane.h, plane.w), np.float32)
    angle = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], 1) * 0.5 * plane.scale
    for c in scene.checkers:
        z = c.z + scene.thickness
        x, y, _ = plane.flat(c.x, c.y, 0)
        off = np.array([-light[0], light[1]]) * z / light[2] * plane.scale
        foot = ring + np.array([x, y])
        hull = cv2.convexHull(np.concatenate([foot, foot + off]).astype(np.float32))
        cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    if rim > 0:
        hw, hh = scene.width / 2, scene.height / 2
        sx, sy = -light[0] * rim / light[2], -light[1] * rim / light[2]
        if sx > 0:
            plane_rect(mask, plane, -hw, -hh, -hw + sx, hh)
        else:
            plane_rect(mask, plane, hw + sx, -hh, hw, hh)
        if sy > 0:
            plane_rect(mask, plane, -hw, -hh, hw, -hh + sy)
        else:
            plane_rect(mask, plane, -hw, hh + sy, hw, hh)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), softness), np.float32)


def plane_rect(mask: Floats, plane: Plane, x1: float, y1: float, x2: float, y2: float) -> None:
    a = plane.flat(min(x1, x2), max(y1, y2), 0)
    b = plane.flat(max(x1, x2), min(y1, y2), 0)
    cv2.rectangle(mask, (round(a[0]), round(a[1])), (round(b[0]), round(b[1])), 1.0, -1)


def draw_block(
    rng: Rng,
    plane: Plane,
    x: float,
    y: float,
    z: float,
    size: float,
    colour: Floats,
    mark: Floats,
    pips: bool,
) -> None:
    """A die or a cube: top face with pips or a numeral-like scribble, darker sides."""
    angle = rng.uniform(0, np.pi)
    c, s = np.cos(angle) * size / 2, np.sin(angle) * size / 2
    square = [(x + a * c - b * s, y + a * s + b * c) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    pts = np.array([plane.flat(px, py, z + h)[:2] for h in (0, size) for px, py in square], np.float32)
    p = np.round(cv2.convexHull(pts) * 16).astype(np.int32)
    cv2.fillConvexPoly(
        plane.image, p, tuple(float(v) for v in colour * rng.uniform(0.5, 0.85)), cv2.LINE_AA, 4
    )
    cv2.fillConvexPoly(plane.label, p, 0, cv2.LINE_8, 4)
    plane.fill([(px, py, z + size) for px, py in square], colour)
    if pips:
        value = int(rng.integers(1, 7))
        spots = {
            1: [(0, 0)],
            2: [(-1, -1), (1, 1)],
            3: [(-1, -1), (0, 0), (1, 1)],
            4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
        }
        spots[5] = [*spots[4], (0, 0)]
        spots[6] = [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)]
        for a, b in spots[value]:
            px, py, k = plane.flat(x + 0.55 * (a * c - b * s), y + 0.55 * (a * s + b * c), z + size)
            cv2.circle(
                plane.image,
                (round(px * 16), round(py * 16)),
                round(size * 0.1 * plane.scale * k * 16),
                tuple(float(v) for v in mark),
                -1,
                cv2.LINE_AA,
                4,
            )
    else:
        px, py, _ = plane.flat(x, y, z + size)
        text = str(rng.choice(["2", "4", "8", "16", "32", "64"]))
        stamp = np.zeros((plane.h, plane.w), np.uint8)
        cv2.putText(
            stamp, text, (int(px - 7 * len(text)), int(py + 7)), cv2.FONT_HERSHEY_SIMPLEX, 0.7 * size, 255, 2
        )
        plane.image[stamp > 0] = mark


def illuminate(rng: Rng, plane: Plane, hardness: float) -> None:
    """Falling-off light, window bars, a glaring lamp."""
    h, w = plane.h, plane.w
    yy, xx = np.arange(h, dtype=np.float32)[:, None], np.arange(w, dtype=np.float32)[None]
    gx, gy = rng.normal(0, 0.25 + 0.3 * hardness, 2)
    tone = np.exp(gx * (xx / w - 0.5)).astype(np.float32) * np.exp(gy * (yy / h - 0.5)).astype(np.float32)
    if rng.random() < 0.15 + 0.4 * hardness:
        # Hard-edged shade: strips (window bars, blinds), a half-plane or a blob (a head, a lamp's foot).
        a = rng.uniform(0, np.pi)
        t = (xx * np.cos(a) + yy * np.sin(a)) / plane.scale
        kind = rng.random()
        if kind < 0.5:
            period = rng.uniform(2, 9)
            shade = ((t / period + rng.random()) % 1 < rng.uniform(0.15, 0.7)).astype(np.float32)
        elif kind < 0.75:
            shade = (t > rng.uniform(t.min(), t.max())).astype(np.float32)
        else:
            shade = np.zeros((h, w), np.float32)
            cv2.ellipse(
                shade,
                (int(rng.uniform(0, w)), int(rng.uniform(0, h))),
                (int(rng.uniform(1, 7) * plane.scale), int(rng.uniform(1, 7) * plane.scale)),
                rng.uniform(0, 180),
                0,
                360,
                1.0,
                -1,
            )
        shade = cv2.GaussianBlur(shade, (0, 0), rng.uniform(0.7, 14))
        # Shade is lit by the sky or the room, so it has another tint than the light.
        dim = rng.uniform(0.2, 0.8) * np.exp(rng.normal(0, 0.12, 3))
        for i in range(3):
            plane.image[..., i] *= 1 - np.float32(min(dim[i], 0.88)) * shade
    tint = np.exp(rng.normal(0, 0.09, 3)).astype(np.float32)
    for i in range(3):
        plane.image[..., i] *= tone * tint[i]
    for _ in range(int(rng.choice([0, 1, 2], p=[0.5, 0.35, 0.15]))):
        cx, cy, s = rng.uniform(0, w), rng.uniform(0, h), rng.uniform(0.6, 4.0) * plane.scale
        q = rng.uniform(0.6, 1.6)
        spot = np.exp(-(((xx - cx) * q) ** 2) / (2 * s * s)) * np.exp(-(((yy - cy) / q) ** 2) / (2 * s * s))
        strength = rng.uniform(0.05, 0.75) * rng.uniform(0.3, 1) * rng.uniform(0.85, 1.0, 3)
        for i in range(3):
            plane.image[..., i] += spot * np.float32(strength[i])
