"""Synthetic little scenes with dice, doubling cubes, checkers and hands: the training material of `dice.py` and `cube.py`.

Every object is a ray-traced rounded cuboid with painted faces (pips or numerals) standing, leaning or lying on a
checker above a painted ground. Units are centimetres; the picture is the *rectified* one (a plane at a given
height seen from straight above, sides slanting away), or, with `photo=True`, a plain perspective photograph.
Wide randomisation instead of likeness: colours, light, grain, blur, noise and JPEG all vary far more than rooms do.
"""

# mypy: ignore-errors
from __future__ import annotations

from collections.abc import Sequence
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
_SKINS = ((0.86, 0.68, 0.56), (0.75, 0.55, 0.42), (0.55, 0.37, 0.27), (0.34, 0.22, 0.16), (0.93, 0.78, 0.68))


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


def _distance(p: Floats, cuboid: Cuboid) -> Floats:
    """Signed distance (N,) of body-frame points (3, N), unit edge, to the rounded cuboid."""
    q = np.abs(p)
    q -= 0.5 - cuboid.round
    most = np.maximum(np.maximum(q[0], q[1]), q[2])
    np.maximum(q, 0, out=q)
    d = np.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) + np.minimum(most, 0) - cuboid.round
    if cuboid.sphere < 1.0:
        d = np.maximum(d, np.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - cuboid.sphere)
    return d


def _trace(
    cuboid: Cuboid, origin: Floats, rays: Floats, steps: int = 14
) -> tuple[npt.NDArray[np.intp], Floats, Floats]:
    """Indices of the rays that hit, their distances, and the hit points (N, 3) in the body frame (unit edge)."""
    o = (origin - cuboid.centre) / cuboid.edge
    along = rays @ (-o)
    miss = (o**2).sum() - along**2
    near = np.flatnonzero(miss < 0.75)
    if near.size == 0:
        return near, np.zeros(0, np.float32), np.zeros((0, 3), np.float32)
    local_o = (cuboid.rotation.T @ o)[:, None].astype(np.float32)
    local_d = np.ascontiguousarray(cuboid.rotation.T @ rays[near].T).astype(np.float32)
    t = (along[near] - 0.87).astype(np.float32)
    for _ in range(steps):
        t = t + _distance(local_o + local_d * t, cuboid)
    p = local_o + local_d * t
    hit = (_distance(p, cuboid) < 0.02) & (t < along[near] + 0.9)
    return near[hit], t[hit] * cuboid.edge, np.ascontiguousarray(p[:, hit].T)


def _normals(p: Floats, cuboid: Cuboid) -> Floats:
    q = np.maximum(np.abs(p) - (0.5 - cuboid.round), 0) * np.sign(p)
    if cuboid.sphere < 1.0:
        on_ball = np.linalg.norm(p, axis=1) > cuboid.sphere - 0.015
        q[on_ball] = p[on_ball]
    return q / np.maximum(np.linalg.norm(q, axis=1, keepdims=True), 1e-6)


def _paint(p: Floats, cuboid: Cuboid) -> Floats:
    """Albedo (N, 3) BGR of body-frame surface points."""
    axis = np.abs(p).argmax(1)
    rows = np.arange(len(p))
    face = axis * 2 + (p[rows, axis] < 0)
    u = p[rows, (axis + 1) % 3] + 0.5
    v = p[rows, (axis + 2) % 3] + 0.5
    iu = np.clip((u * _TEXTURE).astype(int), 0, _TEXTURE - 1)
    iv = np.clip((v * _TEXTURE).astype(int), 0, _TEXTURE - 1)
    ink = cuboid.faces[face, iv, iu]
    colour = np.broadcast_to(cuboid.body, (len(p), 3)).astype(np.float32)
    if cuboid.marble:
        wave = np.sin(
            p @ np.array([7.0, 5.0, 9.0], np.float32) + 3 * np.sin(p @ np.array([4.0, -8.0, 3.0], np.float32))
        )
        colour = (
            colour * (1 + cuboid.marble * wave[:, None]) + cuboid.marble * 0.3 * wave[:, None] * cuboid.inlay
        )
    colour = colour * (1 - ink[:, 1:]) + cuboid.inlay * ink[:, 1:]
    return colour * (1 - ink[:, :1]) + cuboid.ink * ink[:, :1]


def _grain(rng: Rng, size: int, cell: float, stretch: float = 1.0) -> Floats:
    """Smooth noise (size, size), mean 0, about ±1, with blobs of `cell` pixels, `stretch` times longer in y."""
    h = max(2, int(size / (cell * stretch)) + 2)
    w = max(2, int(size / cell) + 2)
    return cv2.resize(
        rng.normal(0, 1, (h, w)).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC
    )


def _surface(rng: Rng, size: int, scale: float) -> Floats:
    """A plain ground (size, size, 3): felt, leather, wood, cloth or paper. scale: px per cm."""
    ground = np.ones((size, size, 3), np.float32) * _colour(rng)
    kind = rng.random()
    if kind < 0.35:  # wood
        a = _grain(rng, size, scale * rng.uniform(0.08, 0.5), rng.uniform(6, 30))
        a = a + 0.5 * _grain(rng, size, max(1.5, scale * 0.06), 12)
        ground = ground * (1 + rng.uniform(0.03, 0.22) * a[..., None])
        if rng.random() < 0.5:
            ground = np.rot90(ground).copy()
    elif kind < 0.75:  # felt, leather, cork
        ground = ground * (
            1
            + rng.uniform(0.0, 0.2) * _grain(rng, size, max(1.0, scale * rng.uniform(0.03, 0.15)))[..., None]
        )
    if rng.random() < 0.5:
        ground = ground * (1 + rng.uniform(0, 0.15) * _grain(rng, size, scale * 2)[..., None])
    if kind > 0.94:  # check or stripes
        step = max(4, int(scale * rng.uniform(0.7, 2.5)))
        xs = (np.arange(size) // step) % 2
        pattern = xs[None, :] + xs[:, None] * (rng.random() < 0.7)
        ground = ground * (1 - pattern[..., None] * 0.5 * rng.uniform(0.2, 1, 3)).astype(np.float32)
    return ground.astype(np.float32)


def _points(rng: Rng, canvas: Floats, scale: float) -> None:
    """Board points (long triangles), painted over the ground."""
    size = canvas.shape[0]
    width = rng.uniform(2.2, 5.0) * scale
    length = rng.uniform(9, 18) * scale
    base = rng.uniform(-length * 0.3, size + length * 0.3)
    sign = 1.0 if base < size / 2 else -1.0
    if rng.random() < 0.2:
        sign = -sign
    colours = [_colour(rng), _colour(rng)]
    start = rng.uniform(-width, 0)
    layer = np.zeros(canvas.shape[:2], np.uint8)
    tip = rng.choice([0.0, 0.0, rng.uniform(0, 0.15)])
    textures = [
        np.ones((size, size, 3), np.float32)
        * c
        * (1 + rng.uniform(0, 0.1) * _grain(rng, size, scale * 0.1)[..., None])
        for c in colours
    ]
    turn = cv2.getRotationMatrix2D((size / 2, size / 2), float(rng.choice([0, 90]) + rng.normal(0, 2)), 1.0)
    dots = rng.uniform(0.12, 0.4) if rng.random() < 0.3 else 0.0
    other = int(rng.integers(2))
    for i in range(int(size / width) + 3):
        x = start + i * width
        gap = rng.uniform(0, 0.03) * width
        corners = np.array(
            [
                [x + gap, base],
                [x + width - gap, base],
                [x + width * (0.5 + tip), base + sign * length],
                [x + width * (0.5 - tip), base + sign * length],
            ]
        )
        corners = cv2.transform(corners[None], turn)[0]
        layer[:] = 0
        cv2.fillConvexPoly(layer, np.round(corners * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        alpha = (layer / 255.0).astype(np.float32)[..., None]
        canvas[:] = canvas * (1 - alpha) + textures[i % 2] * alpha
        if dots:
            tip_at = tuple(int(v) for v in np.round(corners[2:].mean(0) * 16))
            cv2.circle(
                canvas,
                tip_at,
                round(dots * scale * 16),
                [float(c) for c in colours[(i + other) % 2]],
                -1,
                cv2.LINE_AA,
                4,
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


def _draw_disc(rng: Rng, canvas: Floats, disc: SceneChecker, to_px, light: Floats) -> None:
    """Paint a checker with its visible side; to_px maps (x, y, z) cm to pixels and px per cm."""
    side = disc.colour * 0.6
    steps = 6
    for i in range(steps + 1):
        z = disc.z + disc.height * i / steps
        (px, py), scale = to_px(disc.x, disc.y, z)
        colour = side if i < steps else disc.colour
        if i == steps - 1 or i == 0:
            colour = disc.colour * 0.8
        cv2.circle(
            canvas,
            (round(px * 16), round(py * 16)),
            round(disc.radius * scale * 16),
            [float(c) for c in colour],
            -1,
            cv2.LINE_AA,
            4,
        )
    (px, py), scale = to_px(disc.x, disc.y, disc.z + disc.height)
    for k, ring in enumerate(disc.rings):
        factor = 0.75 if k % 2 == 0 else 1.18
        cv2.circle(
            canvas,
            (round(px * 16), round(py * 16)),
            round(disc.radius * ring * scale * 16),
            [float(min(c * factor, 1.0)) for c in disc.colour],
            max(1, round(disc.radius * scale * rng.uniform(0.03, 0.12))),
            cv2.LINE_AA,
            4,
        )
    spread = disc.radius * scale
    if disc.bevel:  # a lit brim on one side, a dark one on the other
        start = float(np.degrees(np.arctan2(-light[1], light[0])))
        for turn, factor in ((start, 1 + disc.bevel), (start + 180, 1 - disc.bevel * 0.6)):
            tone = [float(min(c * factor + 0.12 * (factor > 1), 1.1)) for c in disc.colour]
            cv2.ellipse(
                canvas,
                (round(px), round(py)),
                (round(spread * 0.95), round(spread * 0.95)),
                0,
                turn - 70,
                turn + 70,
                tone,
                max(1, round(spread * 0.06)),
                cv2.LINE_AA,
            )
    if disc.glare:
        gx, gy = px + light[0] * spread * 0.5, py - light[1] * spread * 0.5
        spot = np.zeros(canvas.shape[:2], np.float32)
        cv2.circle(spot, (round(gx), round(gy)), max(1, round(spread * disc.glare[1])), 1.0, -1)
        spot = cv2.GaussianBlur(spot, (0, 0), max(1.0, spread * disc.glare[1] * 0.5))
        inside = np.zeros_like(spot)
        cv2.circle(inside, (round(px), round(py)), round(spread), 1.0, -1)
        canvas += (spot * inside)[..., None] * disc.glare[0]
    for turn, away, width, strength in disc.glints:  # lamps in a polished brim: sharp, like pips
        towards = np.arctan2(light[1], light[0]) + turn
        spot = np.zeros(canvas.shape[:2], np.float32)
        at = (
            round((px + np.cos(towards) * away * spread) * 16),
            round((py - np.sin(towards) * away * spread) * 16),
        )
        cv2.ellipse(
            spot,
            (at[0] // 16, at[1] // 16),
            (max(1, round(width * spread)), max(1, round(width * spread * 0.6))),
            float(90 - np.degrees(towards)),
            0,
            360,
            1.0,
            -1,
            cv2.LINE_AA,
        )
        canvas += cv2.GaussianBlur(spot, (0, 0), max(0.6, width * spread * 0.3))[..., None] * strength


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


def _hand(rng: Rng, size: int, scale: float) -> tuple[Floats, Floats]:
    """A finger, forearm or sleeve across the picture: (colour, alpha (size, size, 1))."""
    alpha = np.zeros((size, size), np.uint8)
    angle = rng.uniform(0, 2 * np.pi)
    tip = rng.uniform(0.0, 1.0, 2) * size
    width = rng.uniform(1.4, 2.2) * scale if rng.random() < 0.7 else rng.uniform(5, 9) * scale
    end = tip + np.array([np.cos(angle), np.sin(angle)]) * size * 2
    cv2.line(
        alpha, tuple(int(v) for v in tip), tuple(int(v) for v in end), 255, max(2, round(width)), cv2.LINE_AA
    )
    core = cv2.GaussianBlur(alpha.astype(np.float32) / 255.0, (0, 0), max(1.0, width * 0.25))
    skin = (
        np.array(_SKINS[rng.integers(len(_SKINS))], np.float32)[::-1] if rng.random() < 0.85 else _colour(rng)
    )
    shade = (0.45 + 0.6 * core)[..., None] * (1 + 0.06 * _grain(rng, size, max(1.5, scale * 0.2))[..., None])
    return (skin * shade).astype(np.float32), (alpha / 255.0).astype(np.float32)[..., None]


@dataclass
class Wall:
    """A rim or bar: a straight ledge from the point x, y (cm) on along the unit vector `towards`, width and height in cm."""

    x: float
    y: float
    towards: Floats
    width: float
    height: float
    colour: Floats


def _draw_wall(canvas: Floats, wall: Wall, to_px, light: Floats) -> None:
    """Paint the sides and the top of a ledge that crosses the whole picture."""
    start, u = np.array([wall.x, wall.y]), wall.towards
    along = np.array([-u[1], u[0]]) * 60.0
    far = start + u * wall.width
    lit = float(0.55 + 0.4 * max(0.0, -light[:2] @ u))

    def quad(points: list[tuple[npt.NDArray, float]], colour: Floats) -> None:
        px = np.array([to_px(*xy, z)[0] for xy, z in points])
        cv2.fillConvexPoly(
            canvas,
            np.round(np.clip(px, -4e3, 4e3) * 16).astype(np.int32),
            [float(c) for c in colour],
            cv2.LINE_AA,
            4,
        )

    for line, shade in ((far, 0.6), (start, lit)):
        quad(
            [
                (line - along, 0.0),
                (line + along, 0.0),
                (line + along, wall.height),
                (line - along, wall.height),
            ],
            wall.colour * shade,
        )
    quad(
        [
            (start - along, wall.height),
            (start + along, wall.height),
            (far + along, wall.height),
            (far - along, wall.height),
        ],
        wall.colour,
    )


def _clutter(rng: Rng, canvas: Floats, scale: float, centred: bool = False) -> None:
    """Things that are no dice: hinges, seams, screws, paper, numbers."""
    size = canvas.shape[0]
    for _ in range(rng.integers(1, 4)):
        kind = rng.random()
        centre = rng.normal(size / 2, size * 0.05, 2) if centred else rng.uniform(0, size, 2)
        colour = [float(c) for c in _colour(rng)]
        if kind < 0.4:  # hinge or plate: one or two leaves, screws, a seam between
            wh = rng.uniform(0.4, 2.2, 2) * scale
            turn = float(rng.choice([0, 90, rng.uniform(0, 90)]))
            if rng.random() < 0.4:
                colour = [float(v) for v in np.array([0.2, 0.65, 0.85]) * rng.uniform(0.6, 1.1)]
            box = cv2.boxPoints((tuple(map(float, centre)), tuple(map(float, wh)), turn))
            cv2.fillConvexPoly(canvas, np.round(box * 16).astype(np.int32), colour, cv2.LINE_AA, 4)
            if rng.random() < 0.5:
                pin = np.round((box[[0, 1]] + box[[3, 2]]) / 2 * 16).astype(np.int32)
                cv2.line(
                    canvas,
                    pin[0].tolist(),
                    pin[1].tolist(),
                    [c * 0.5 for c in colour],
                    max(1, round(scale * 0.08)),
                    cv2.LINE_AA,
                    4,
                )
            if rng.random() < 0.6:
                for _ in range(rng.integers(1, 5)):
                    spot = centre + rng.uniform(-0.35, 0.35, 2) * wh
                    cv2.circle(
                        canvas,
                        tuple(np.round(spot * 16).astype(int).tolist()),
                        round(rng.uniform(0.06, 0.15) * scale * 16),
                        [float(c) for c in _colour(rng)],
                        -1,
                        cv2.LINE_AA,
                        4,
                    )
        elif kind < 0.6:  # seam
            other = rng.uniform(-size, 2 * size, 2)
            cv2.line(
                canvas,
                tuple(centre.astype(int).tolist()),
                tuple(other.astype(int).tolist()),
                colour,
                max(1, round(scale * rng.uniform(0.03, 0.3))),
                cv2.LINE_AA,
            )
        elif kind < 0.7:  # a point's tip, perhaps with a dot
            turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.3 else rng.choice([0.0, np.pi])
            along, across = np.array([np.sin(turn), np.cos(turn)]), np.array([np.cos(turn), -np.sin(turn)])
            base = centre + along * scale * 12
            wide = rng.uniform(1.0, 2.5) * scale
            cv2.fillConvexPoly(
                canvas,
                np.round(np.array([centre, base + across * wide, base - across * wide]) * 16).astype(
                    np.int32
                ),
                colour,
                cv2.LINE_AA,
                4,
            )
            if rng.random() < 0.7:
                spot = centre - along * scale * rng.uniform(-0.1, 0.4)
                cv2.circle(
                    canvas,
                    tuple(np.round(spot * 16).astype(int).tolist()),
                    round(rng.uniform(0.1, 0.4) * scale * 16),
                    colour,
                    -1,
                    cv2.LINE_AA,
                    4,
                )
        elif kind < 0.85:  # dots, coins
            cv2.circle(
                canvas,
                tuple(np.round(centre * 16).astype(int).tolist()),
                round(rng.uniform(0.15, 1.3) * scale * 16),
                colour,
                -1,
                cv2.LINE_AA,
                4,
            )
        else:  # letters
            mask = np.zeros((size, size), np.uint8)
            cv2.putText(
                mask,
                "".join(rng.choice(list("ABO0618:.ox#"), 3)),
                tuple(centre.astype(int).tolist()),
                int(rng.integers(8)),
                float(scale / 30 * rng.uniform(0.4, 2)),
                (255,),
                max(1, round(scale * 0.1)),
                cv2.LINE_AA,
            )
            canvas[mask > 127] = colour


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


def render(
    rng: Rng,
    view: GroundView,
    objects: list[Cuboid],
    discs: list[SceneChecker],
    *,
    plain: bool = False,
    hand: float = 0.0,
    clutter: float = 0.0,
    centred: bool = False,
    walls: Sequence[Wall] = (),
    painted: Sequence[tuple[npt.NDArray, Floats]] = (),
) -> Floats:
    """Picture (size, size, 3) BGR 0..1 of cuboids and checkers on a random ground; fills `visible` of the objects.

    painted: polygons (N, 2) cm on the ground and their colours."""
    size, scale = view.size, view.scale
    canvas = _surface(rng, size, scale)
    if not plain and rng.random() < 0.75:
        _points(rng, canvas, scale)
    if not plain and rng.random() < 0.3:  # bar or rim: bands side by side
        turn = float(rng.choice([0, 90]))
        middle, width = rng.uniform(0, size, 2), rng.uniform(1.5, 5) * scale
        tone = _colour(rng)
        for _ in range(rng.integers(1, 5)):
            box = cv2.boxPoints((tuple(map(float, middle)), (float(width), float(size * 3)), turn))
            cv2.fillConvexPoly(
                canvas, np.round(box * 16).astype(np.int32), [float(c) for c in tone], cv2.LINE_AA, 4
            )
            middle, width = middle + rng.uniform(-0.2, 0.2) * width, width * rng.uniform(0.1, 0.8)
            tone = tone * rng.uniform(0.5, 1.6)
    for corners, colour in painted:
        px = np.array([view.to_px(float(x), float(y), 0.0)[0] for x, y in corners])
        cv2.fillConvexPoly(
            canvas,
            np.round(np.clip(px, -4e3, 4e3) * 16).astype(np.int32),
            [float(c) for c in colour],
            cv2.LINE_AA,
            4,
        )
    if rng.random() < clutter:
        _clutter(rng, canvas, scale, centred)
    if plain and rng.random() < 0.25:
        _clutter(rng, canvas, scale)
    tilt = np.radians(rng.uniform(0, 65))
    around = rng.uniform(0, 2 * np.pi)
    light = np.array([np.cos(around) * np.sin(tilt), np.sin(around) * np.sin(tilt), np.cos(tilt)], np.float32)
    ambient = rng.uniform(0.25, 0.8)
    shadow_depth = rng.uniform(0.1, 0.85) if rng.random() < 0.85 else 0.0
    softness = rng.uniform(1.5, 12)
    rays = view.rays()
    # Shadows of checkers and cuboids on the ground; the ground is hit where z = 0.
    k = -view.origin[2] / np.minimum(rays[:, 2], -1e-3)
    ground = view.origin + rays * k[:, None]
    shade = np.ones(size * size, np.float32)
    for thing in objects:
        offset = ground - thing.centre
        reach = np.flatnonzero(
            (np.einsum("ij,ij->i", offset, offset) - (offset @ light) ** 2) < (thing.edge * 1.15) ** 2
        )
        if reach.size == 0:
            continue
        start = np.ascontiguousarray(thing.rotation.T @ (offset[reach] / thing.edge).T).astype(np.float32)
        direction = (thing.rotation.T @ light)[:, None].astype(np.float32)
        t = np.full(reach.size, 0.02, np.float32)
        lit = np.ones(reach.size, np.float32)
        for _ in range(9):
            d = _distance(start + direction * t, thing)
            lit = np.minimum(lit, np.clip(softness * d / t, 0, 1))
            t = t + np.clip(d, 0.06, 0.5)
        # Contact: the ground right under and beside the body gets less sky.
        contact = np.clip(_distance(start, thing) / 0.35, 0, 1)
        shade[reach] *= (1 - shadow_depth * (1 - lit)) * (0.65 + 0.35 * contact)
    for disc in discs:
        (px, py), s = view.to_px(
            disc.x - light[0] / light[2] * disc.height / 2,
            disc.y - light[1] / light[2] * disc.height / 2,
            disc.z,
        )
        dark = np.zeros((size, size), np.float32)
        cv2.circle(dark, (round(px), round(py)), max(1, round(disc.radius * s * 1.05)), 1.0, -1)
        dark = cv2.GaussianBlur(dark, (0, 0), max(0.8, disc.radius * s * 0.08))
        shade *= 1 - shadow_depth * dark.reshape(-1)
    canvas *= shade.reshape(size, size, 1)
    for wall in walls:
        _draw_wall(canvas, wall, view.to_px, light)
    for disc in sorted(discs, key=lambda d: d.z):
        _draw_disc(rng, canvas, disc, view.to_px, light)
    flat = canvas.reshape(-1, 3)
    depth = np.full(size * size, np.inf, np.float32)
    owner = np.full(size * size, -1, np.int16)
    for index, thing in enumerate(objects):
        hit, t, p = _trace(thing, view.origin, rays)
        if hit.size == 0:
            continue
        closer = t < depth[hit]
        hit, t, p = hit[closer], t[closer], p[closer]
        depth[hit] = t
        owner[hit] = index
        normal = _normals(p, thing) @ thing.rotation.T
        diffuse = np.maximum(normal @ light, 0)
        half_way = light - rays[hit]
        half_way /= np.linalg.norm(half_way, axis=1, keepdims=True)
        sheen = np.maximum(np.einsum("ij,ij->i", normal, half_way), 0) ** rng.uniform(8, 90)
        sky = 0.75 + 0.25 * normal[:, 2]
        colour = _paint(p, thing) * (ambient * sky + (1.1 - ambient * 0.75) * diffuse)[:, None]
        flat[hit] = colour + (thing.gloss * sheen)[:, None]
    canvas = flat.reshape(size, size, 3)
    if rng.random() < hand:
        colour, alpha = _hand(rng, size, scale)
        canvas = canvas * (1 - alpha) + colour * alpha
        covered = alpha.reshape(-1) > 0.5
        for index, thing in enumerate(objects):
            mine = owner == index
            thing.visible = float((mine & ~covered).sum() / max(1, mine.sum()))
    if rng.random() < 0.2:  # a hard shadow's edge, of a lamp or an arm
        angle = rng.uniform(0, 2 * np.pi)
        ys, xs = np.mgrid[0:size, 0:size].astype(np.float32)
        line = (xs - rng.uniform(0, size)) * np.cos(angle) + (ys - rng.uniform(0, size)) * np.sin(angle)
        canvas = (
            canvas
            * (
                1
                - rng.uniform(0.2, 0.7)
                / (1 + np.exp(-np.clip(line / (scale * rng.uniform(0.05, 0.5)), -30, 30)))
            )[..., None]
        )
    return np.clip(canvas, 0, 1.6).astype(np.float32)


def camera(
    rng: Rng, picture: Floats, size: int, native: float, *, grey: float = 0.08, soft: float = 0.0
) -> npt.NDArray[np.uint8]:
    """What a cheap camera makes of it: (size, size, 3) uint8. native: size in its own pixels; blur, noise, JPEG happen there."""
    n = max(12, round(native))
    if n < picture.shape[0]:
        image = cv2.resize(picture, (n, n), interpolation=cv2.INTER_AREA)
    else:
        image = cv2.resize(picture, (n, n), interpolation=cv2.INTER_CUBIC)
    exposure = np.exp(rng.normal(0, 0.3)) * rng.uniform(0.6, 1.2)
    balance = np.exp(rng.normal(0, 0.1, 3))
    image = image * (exposure * balance).astype(np.float32)
    if rng.random() < grey:
        image = np.repeat(image.mean(2, keepdims=True), 3, 2)
    if rng.random() < 0.3:
        glow = cv2.GaussianBlur(image, (0, 0), max(1.0, n * 0.06))
        image = image + glow * rng.uniform(0, 0.25)
    sigma = abs(rng.normal(0.35, 0.35)) + soft
    if sigma > 0.2:
        image = cv2.GaussianBlur(image, (0, 0), sigma)
    if rng.random() < 0.1:  # shaken
        length = int(rng.integers(2, 6))
        kernel = np.zeros((7, 7), np.float32)
        angle = rng.uniform(0, np.pi)
        for t in np.linspace(-length / 2, length / 2, 15):
            kernel[
                round(3 + np.clip(t * np.sin(angle), -3, 3)), round(3 + np.clip(t * np.cos(angle), -3, 3))
            ] += 1
        image = cv2.filter2D(image, -1, kernel / kernel.sum())
    image = np.clip(image, 0, 1.1) ** np.float32(rng.uniform(0.75, 1.25))
    noise = abs(rng.normal(0, 0.022))
    image = image + rng.standard_normal((*image.shape[:2], 1), np.float32) * np.float32(noise)
    image += rng.standard_normal(image.shape, np.float32) * np.float32(noise * 0.6)
    if rng.random() < 0.3:
        image = image + rng.uniform(0.2, 1.0) * (image - cv2.GaussianBlur(image, (0, 0), 1.0))
    low, high = rng.uniform(0, 0.1), rng.uniform(0.85, 1.0)
    image = low + image * (high - low)
    out = (np.clip(image, 0, 1) * 255).astype(np.uint8)
    if rng.random() < 0.8:
        _, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 97))])
        out = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return cv2.resize(
        out, (size, size), interpolation=cv2.INTER_LINEAR if rng.random() < 0.6 else cv2.INTER_CUBIC
    )
