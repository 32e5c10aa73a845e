"""Pictures of the scenes of `dice_scenes`: cuboids are ray-traced, all else is painted on the ground below them."""

# mypy: ignore-errors
from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.training.dice_scenes import (
    _TEXTURE,
    Cuboid,
    Floats,
    GroundView,
    Rng,
    SceneChecker,
    Wall,
    _colour,
)
from pi_board.vision.training.scene_ground import grain, paint_clutter, paint_points, plain_ground

_SKINS = ((0.86, 0.68, 0.56), (0.75, 0.55, 0.42), (0.55, 0.37, 0.27), (0.34, 0.22, 0.16), (0.93, 0.78, 0.68))


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
    shade = (0.45 + 0.6 * core)[..., None] * (1 + 0.06 * grain(rng, size, max(1.5, scale * 0.2))[..., None])
    return (skin * shade).astype(np.float32), (alpha / 255.0).astype(np.float32)[..., None]


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
    canvas = plain_ground(rng, size, scale)
    if not plain and rng.random() < 0.75:
        paint_points(rng, canvas, scale)
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
        paint_clutter(rng, canvas, scale, centred)
    if plain and rng.random() < 0.25:
        paint_clutter(rng, canvas, scale)
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
