"""Synthetic little scenes with dice, doubling cubes, checkers and hands: the training material of `dice.py` and `cube.py`.

Every object is a ray-traced rounded cuboid with painted faces (pips or numerals) standing, leaning or lying on a
checker above a painted ground. Units are centimetres; the picture is the *rectified* one (a plane at a given
height seen from straight above, sides slanting away), or, with `photo=True`, a plain perspective photograph.
Wide randomisation instead of likeness: colours, light, grain, blur, noise and JPEG all vary far more than rooms do.
What there may be in a scene is here; `scene_ground` paints what it lies on, `scene_rendering` draws the picture.
"""

# mypy: ignore-errors
from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

Rng = np.random.Generator
Floats = npt.NDArray[np.float32]

_TEXTURE = 64
_PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
#: Opposite faces of a die add to 7; axis order +x, -x, +y, -y, +z, -z.
_DIE_FACES = (1, 6, 2, 5, 3, 4)
CUBE_FACES = (2, 4, 8, 16, 32, 64)
#: BGR: black, charcoal, white, ivory, brown woods, green and blue and red felts, orange.
_LIKELY = np.array(
    [
        (0.05, 0.05, 0.05),
        (0.18, 0.17, 0.17),
        (0.9, 0.92, 0.92),
        (0.7, 0.82, 0.88),
        (0.1, 0.16, 0.27),
        (0.22, 0.36, 0.52),
        (0.42, 0.6, 0.76),
        (0.18, 0.32, 0.08),
        (0.45, 0.25, 0.15),
        (0.1, 0.08, 0.6),
        (0.1, 0.45, 0.9),
        (0.12, 0.1, 0.3),
    ]
)
#: The same: dark sides of sets.
DARK = np.array(
    [(0.04, 0.04, 0.04), (0.09, 0.08, 0.08), (0.05, 0.05, 0.1), (0.06, 0.08, 0.14), (0.1, 0.1, 0.35)]
)


@dataclass
class Cuboid:
    """A die or a doubling cube. centre (3,) cm, rotation (3, 3) body → scene, faces: 6 textures (64, 64, 2) ink and inlay."""

    kind: str
    edge: float
    centre: Floats
    rotation: Floats
    values: tuple[int, ...]
    faces: Floats
    body: Floats
    ink: Floats
    inlay: Floats
    round: float
    sphere: float
    gloss: float
    marble: float = 0.0
    cocked: bool = False
    on_checker: bool = False
    value: int = 0
    top: Floats = field(default_factory=lambda: np.zeros(3, np.float32))
    visible: float = 1.0

    def settle(self) -> None:
        """Fill `value` and `top` (centre of the face that looks most upward) from the rotation."""
        ups = [
            self.rotation[2, 0],
            -self.rotation[2, 0],
            self.rotation[2, 1],
            -self.rotation[2, 1],
            self.rotation[2, 2],
            -self.rotation[2, 2],
        ]
        best = int(np.argmax(ups))
        axis = self.rotation[:, best // 2] * (1.0 if best % 2 == 0 else -1.0)
        self.value = self.values[best]
        self.top = (self.centre + axis * self.edge / 2).astype(np.float32)

    def extent(self, u: npt.NDArray[np.floating]) -> float:
        """How far (cm) the body reaches along the unit vector u (2,) from its centre, its rounded edges left out of account."""
        return self.edge / 2 * float(np.abs(self.rotation[:2].T @ u).sum())


def rotation_about(axis: npt.ArrayLike, angle: float) -> Floats:
    """Rotation matrix (3, 3) about `axis` by `angle` radians."""
    a = np.asarray(axis, np.float64)
    rotation, _ = cv2.Rodrigues(a / np.linalg.norm(a) * angle)
    return rotation.astype(np.float32)


def _any_turn(rng: Rng) -> Floats:
    """One of the 24 ways a cube can lie, mirrored half of the time (dice come in both hands)."""
    m = np.zeros((3, 3), np.float32)
    m[np.arange(3), rng.permutation(3)] = rng.choice([-1.0, 1.0], 3)
    return m


def any_direction(rng: Rng) -> npt.NDArray[np.float64]:
    """A unit vector (2,) of the ground."""
    angle = rng.uniform(0, 2 * np.pi)
    return np.array([np.cos(angle), np.sin(angle)])


def facing(u: npt.NDArray[np.floating], off: float) -> Floats:
    """(3, 3) rotation about the vertical that turns a side towards u (2,), `off` degrees off."""
    return rotation_about([0, 0, 1], float(np.arctan2(u[1], u[0]) + np.radians(off)))


def _colour(rng: Rng, low: float = 0.02, high: float = 0.97) -> Floats:
    """A random BGR colour, 0..1: half of the time one that boards and checkers like to have, else any, often greyish."""
    if (low, high) == (0.02, 0.97) and rng.random() < 0.5:
        return np.clip(
            _LIKELY[rng.integers(len(_LIKELY))] * np.exp(rng.normal(0, 0.25)) + rng.normal(0, 0.03, 3),
            0.01,
            0.97,
        ).astype(np.float32)
    base = rng.uniform(low, high)
    spread = abs(rng.normal(0, 0.25))
    return np.clip(base + rng.uniform(-spread, spread, 3), 0.01, 0.98).astype(np.float32)


def _die_colours(rng: Rng) -> tuple[Floats, Floats]:
    kind = rng.random()
    if rng.random() < 0.1:  # faint: pips only a shade darker or lighter
        body = _colour(rng, 0.08, 0.6)
        ink = np.clip(body * rng.choice([rng.uniform(0.1, 0.5), rng.uniform(1.6, 3.5)]), 0.01, 0.98)
    elif kind < 0.32:  # white or ivory, dark pips
        body = np.array([0.9, 0.92, 0.93]) - np.array([1.0, 0.4, 0.1]) * rng.uniform(0, 0.35)
        ink = _colour(rng, 0.02, 0.15) if rng.random() < 0.75 else np.array([0.1, 0.08, 0.75])
        if rng.random() < 0.15:
            ink = np.array([rng.uniform(0.1, 0.7), rng.uniform(0.05, 0.4), 0.05])
    elif kind < 0.55:  # black or nearly
        body = np.full(3, rng.uniform(0.02, 0.14)) + rng.uniform(0, 0.06, 3)
        ink = np.full(3, rng.uniform(0.75, 0.97)) - np.array([1.0, 0.3, 0.0]) * rng.choice(
            [0, 0, rng.uniform(0, 0.4)]
        )
    elif kind < 0.75:  # red
        body = np.array([rng.uniform(0.02, 0.2), rng.uniform(0.02, 0.15), rng.uniform(0.4, 0.85)])
        ink = np.full(3, rng.uniform(0.75, 0.97))
    else:
        hsv = np.array([[[rng.uniform(0, 180), rng.uniform(60, 255), rng.uniform(30, 255)]]], np.uint8)
        body = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0] / 255.0
        luma = body @ [0.11, 0.59, 0.30]
        ink = (
            np.full(3, rng.uniform(0.8, 0.97))
            if luma < 0.45 or rng.random() < 0.2
            else _colour(rng, 0.02, 0.12)
        )
        if abs(ink.mean() - luma) < 0.3:
            ink = np.full(3, 0.97 if luma < 0.5 else 0.03)
    return np.clip(body, 0, 0.98).astype(np.float32), np.clip(ink, 0, 0.98).astype(np.float32)


#: How many dice have pips of which half are fainter than the others, and how faint at most, share of the ink. Source: on path-traced boards with dice of
#: 9 px the middle pip of a five had a quarter of the contrast of the others (read as a four with up to .989).
_UNEVEN, _FAINTEST = 0.25, 0.25


def pip_faces(rng: Rng, inlaid: float = 0.08) -> Floats:
    """Six faces (6, 64, 64, 2) for pips 1 6 2 5 3 4: ink and inlay coverage, 0..1."""
    spacing = rng.uniform(0.21, 0.29)
    radius = rng.uniform(0.075, 0.115)
    if rng.random() < 0.08:
        radius *= 1.15
    ace = radius * (rng.uniform(1.2, 1.9) if rng.random() < 0.2 else 1.0)
    inlay_radius = rng.uniform(0.36, 0.44) if rng.random() < inlaid else 0.0
    stretch = rng.uniform(0.8, 1.0) if rng.random() < 0.3 else 1.0
    ringed = rng.random() < 0.08
    # (Lamps, worn paint and the grain of small pictures make one pip fainter than the others.)
    uneven = rng.random() < _UNEVEN
    faces = np.zeros((6, _TEXTURE, _TEXTURE, 2), np.float32)
    for i, value in enumerate(_DIE_FACES):
        ink = np.zeros((_TEXTURE * 2, _TEXTURE * 2), np.uint8)
        inlay = np.zeros_like(ink)
        mirror, swap = rng.random() < 0.5, rng.random() < 0.5
        if inlay_radius:
            cv2.circle(inlay, (_TEXTURE, _TEXTURE), round(inlay_radius * _TEXTURE * 2), 255, -1, cv2.LINE_AA)
        for u, v in _PIPS[value]:
            if mirror:
                u = -u
            du, dv = u * spacing, v * spacing * (stretch if value == 6 else 1.0)
            if inlay_radius:
                du, dv = du * 0.8, dv * 0.8
            if swap:
                du, dv = dv, du
            centre = (round((0.5 + du) * _TEXTURE * 2 * 16), round((0.5 + dv) * _TEXTURE * 2 * 16))
            r = ace if value == 1 else radius
            level = round(255 * (float(rng.uniform(_FAINTEST, 1)) if uneven and rng.random() < 0.5 else 1.0))
            cv2.circle(ink, centre, round(r * _TEXTURE * 2 * 16), level, -1, cv2.LINE_AA, 4)
            if ringed:
                cv2.circle(ink, centre, round(r * 0.4 * _TEXTURE * 2 * 16), 0, -1, cv2.LINE_AA, 4)
        faces[i, ..., 0] = cv2.resize(ink, (_TEXTURE, _TEXTURE), interpolation=cv2.INTER_AREA) / 255.0
        faces[i, ..., 1] = cv2.resize(inlay, (_TEXTURE, _TEXTURE), interpolation=cv2.INTER_AREA) / 255.0
    return faces


def _lie(rng: Rng, cuboid: Cuboid, x: float, y: float, ground: float, lean: float = 0.0) -> None:
    """Put the cuboid down with its top face near (x, y); `lean` radians tips it over an edge or corner."""
    yaw = rotation_about([0, 0, 1], rng.uniform(0, 2 * np.pi))
    turn = yaw @ _any_turn(rng)
    if lean:
        if rng.random() < 0.6:  # over an edge
            axis = yaw[:, rng.integers(2)]
        else:
            angle = rng.uniform(0, 2 * np.pi)
            axis = np.array([np.cos(angle), np.sin(angle), 0.0])
        turn = rotation_about(axis, lean) @ turn
    cuboid.rotation = turn.astype(np.float32)
    half = cuboid.edge / 2
    reach = half * float(np.abs(turn[2]).sum()) - (0.0 if not lean else cuboid.round * cuboid.edge * 0.5)
    cuboid.centre = np.array([x, y, ground + reach], np.float32)
    cuboid.settle()
    cuboid.centre[:2] -= cuboid.top[:2] - np.array([x, y], np.float32)
    cuboid.settle()


def new_die(
    rng: Rng, edge: float, like: Cuboid | None = None, inlaid: float = 0.08, marbled: float = 0.1
) -> Cuboid:
    """A die of the given edge (cm), in the colours of `like` when given."""
    body, ink = _die_colours(rng)
    if like is not None:
        body, ink = like.body, like.ink
    inlay = _colour(rng)
    faces = pip_faces(rng, inlaid)
    if faces[..., 1].any():  # an inlay carries the contrast
        contrast = 0.97 if inlay.mean() < 0.6 else 0.04
        ink = np.full(3, contrast, np.float32)
        if (
            like is None and rng.random() < 0.6
        ):  # the usual ones: white, with dark or grey discs and white pips
            body = np.full(3, rng.uniform(0.75, 0.97), np.float32)
    return Cuboid(
        "die",
        edge,
        np.zeros(3, np.float32),
        np.eye(3, dtype=np.float32),
        _DIE_FACES,
        faces,
        body,
        ink,
        inlay,
        round=float(rng.choice([rng.uniform(0.03, 0.12), rng.uniform(0.1, 0.24)])),
        sphere=float(rng.uniform(0.66, 0.8)) if rng.random() < 0.35 else 2.0,
        gloss=float(rng.choice([0.0, rng.uniform(0, 0.7)])),
        marble=float(rng.uniform(0.05, 0.5)) if rng.random() < marbled else 0.0,
    )


def numeral_faces(rng: Rng, fonts: list[str]) -> Floats:
    """Six faces (6, 64, 64, 2) with 2 4 8 16 32 64 in one of the `fonts` (paths of TrueType files)."""
    from PIL import Image, ImageDraw, ImageFont

    faces = np.zeros((6, _TEXTURE, _TEXTURE, 2), np.float32)
    path = str(rng.choice(fonts)) if fonts else ""
    height = rng.uniform(0.42, 0.68)
    weight = int(rng.choice([0, 0, 1, 2, 3]))
    for i, value in enumerate(CUBE_FACES):
        side = _TEXTURE * 2
        image = Image.new("L", (side, side), 0)
        pen = ImageDraw.Draw(image)
        size = height * (1.0 if value < 10 else 0.86) * side
        font = ImageFont.truetype(path, size) if path else ImageFont.load_default(size)
        box = pen.textbbox((0, 0), str(value), font=font, stroke_width=weight)
        squeeze = min(1.0, 0.8 * side / max(box[2] - box[0], 1))
        if squeeze < 1.0:
            font = (
                ImageFont.truetype(path, size * squeeze) if path else ImageFont.load_default(size * squeeze)
            )
            box = pen.textbbox((0, 0), str(value), font=font, stroke_width=weight)
        pen.text(
            ((side - box[0] - box[2]) / 2, (side - box[1] - box[3]) / 2),
            str(value),
            255,
            font,
            stroke_width=weight,
        )
        drawn = np.asarray(image, np.float32) / 255.0
        if rng.random() < 0.08:
            drawn = np.maximum(drawn, _underline(side))
        # On faces that look along +x, +y, +z the texture's axes are left-handed as seen from outside.
        drawn = np.rot90(drawn if i % 2 else drawn[::-1], rng.integers(4))
        faces[i, ..., 0] = cv2.resize(
            np.ascontiguousarray(drawn), (_TEXTURE, _TEXTURE), interpolation=cv2.INTER_AREA
        )
    return faces


def _underline(side: int) -> Floats:
    line = np.zeros((side, side), np.float32)
    line[round(side * 0.82) : round(side * 0.87), round(side * 0.25) : round(side * 0.75)] = 1.0
    return line


def new_cube(rng: Rng, edge: float, fonts: list[str]) -> Cuboid:
    """A doubling cube of the given edge (cm)."""
    body, ink = _die_colours(rng)
    return Cuboid(
        "cube",
        edge,
        np.zeros(3, np.float32),
        np.eye(3, dtype=np.float32),
        CUBE_FACES,
        numeral_faces(rng, fonts),
        body,
        ink,
        ink,
        round=float(rng.uniform(0.03, 0.16)),
        sphere=2.0,
        gloss=float(rng.uniform(0, 0.5)),
    )


@dataclass
class SceneChecker:
    """A checker: centre x, y (cm), bottom z, radius and height."""

    x: float
    y: float
    z: float
    radius: float
    height: float
    colour: Floats
    rings: tuple[float, ...] = ()
    bevel: float = 0.0
    glare: tuple[float, float] | None = None
    glints: tuple[tuple[float, float, float, float], ...] = ()


def _glints(rng: Rng) -> tuple[tuple[float, float, float, float], ...]:
    """Reflections of lamps: turn from the light (radians), distance from the middle and width (shares of the radius), strength."""
    if rng.random() < 0.65:
        return ()
    return tuple(
        (
            float(rng.normal(0, 0.5)),
            float(rng.choice([rng.uniform(0.82, 1.0), rng.uniform(0.3, 0.9)])),
            float(rng.uniform(0.05, 0.16)),
            float(rng.uniform(0.3, 1.2)),
        )
        for _ in range(int(rng.integers(1, 4)))
    )


def _new_disc(rng: Rng, radius: float, colour: Floats, x: float, y: float, z: float = 0.0) -> SceneChecker:
    rings: tuple[float, ...] = ()
    kind = rng.random()
    if kind < 0.5:
        rings = tuple(sorted(rng.uniform(0.2, 0.92, rng.integers(1, 4)), reverse=True))
    return SceneChecker(
        x,
        y,
        z,
        radius,
        radius * rng.uniform(0.3, 0.6),
        colour,
        rings,
        bevel=float(rng.uniform(0.1, 1.0)) if rng.random() < 0.5 else 0.0,
        glare=(float(rng.uniform(0.1, 0.7)), float(rng.uniform(0.1, 0.5))) if rng.random() < 0.4 else None,
        glints=_glints(rng),
    )


@dataclass
class Wall:
    """A rim or bar: a straight ledge from the point x, y (cm) on along the unit vector `towards`, width and height in cm."""

    x: float
    y: float
    towards: Floats
    width: float
    height: float
    colour: Floats


@dataclass
class GroundView:
    """How the ground is seen: camera height and slant, plane that is rectified, or a plain photograph."""

    scale: float
    size: int
    origin: Floats
    plane: float = 0.0
    photo: tuple[Floats, Floats, Floats, float] | None = None

    def rays(self) -> Floats:
        """Unit rays (size² , 3), row-major."""
        half = (self.size - 1) / 2
        xs = (np.arange(self.size, dtype=np.float32) - half) / self.scale
        x, y = np.meshgrid(xs, -xs)
        if self.photo is None:
            target = np.stack([x, y, np.full_like(x, self.plane)], -1).reshape(-1, 3)
        else:
            right, up, centre, stretch = self.photo
            target = centre + x.reshape(-1, 1) * right * stretch + y.reshape(-1, 1) * up / stretch
        rays = target - self.origin
        return (rays / np.linalg.norm(rays, axis=1, keepdims=True)).astype(np.float32)

    def to_px(self, x: float, y: float, z: float) -> tuple[tuple[float, float], float]:
        """Pixel of a scene point and the local scale, px per cm."""
        half = (self.size - 1) / 2
        p = np.array([x, y, z], np.float32) - self.origin
        if self.photo is None:
            k = (self.plane - self.origin[2]) / p[2]
            q = self.origin + p * k
            return (half + float(q[0]) * self.scale, half - float(q[1]) * self.scale), self.scale * float(k)
        right, up, centre, stretch = self.photo
        normal = np.cross(right, up)
        k = float((centre - self.origin) @ normal / (p @ normal))
        q = self.origin + p * k - centre
        return (
            half + float(q @ right) / stretch * self.scale,
            half - float(q @ up) * stretch * self.scale,
        ), self.scale * k


def overhead(rng: Rng, size: int, scale: float, plane: float) -> GroundView:
    """The rectified view of a board from a camera 25-90 cm above, up to 40 degrees off to any side."""
    height = rng.uniform(28, 90)
    slant = np.tan(np.radians(rng.uniform(0, 45))) * rng.choice([0.5, 1.0])
    angle = rng.uniform(0, 2 * np.pi)
    origin = np.array([np.cos(angle) * slant * height, np.sin(angle) * slant * height, height], np.float32)
    return GroundView(scale, size, origin, plane)


def photograph(rng: Rng, size: int, scale: float, centre: Floats, edge: float) -> GroundView:
    """A plain photograph of something at `centre`, from above, rolled any way, perhaps stretched."""
    tilt = np.radians(min(abs(rng.normal(0, 30)), 55))
    angle = rng.uniform(0, 2 * np.pi)
    away = edge * np.exp(rng.uniform(np.log(5), np.log(60)))
    back = np.array([np.cos(angle) * np.sin(tilt), np.sin(angle) * np.sin(tilt), np.cos(tilt)], np.float32)
    right = np.cross([0.0, 0.0, 1.0], back) if tilt > 1e-3 else np.array([1.0, 0.0, 0.0])
    right = right / np.linalg.norm(right)
    up = np.cross(back, right)
    roll = rng.uniform(0, 2 * np.pi)
    right, up = np.cos(roll) * right + np.sin(roll) * up, np.cos(roll) * up - np.sin(roll) * right
    stretch = float(np.exp(rng.normal(0, 0.15))) if rng.random() < 0.7 else 1.0
    return GroundView(
        scale,
        size,
        (centre + back * away).astype(np.float32),
        0.0,
        (right.astype(np.float32), up.astype(np.float32), centre.astype(np.float32), stretch),
    )
