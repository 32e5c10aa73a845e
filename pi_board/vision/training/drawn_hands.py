"""Hands that reach over drawn boards, and what they hold."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.training.boards import DrawnChecker, Plane, mix, random_colour, scale
from pi_board.vision.training.drawn_checkers import checker_face, draw_checker
from pi_board.vision.training.textures import Floats, Rng, smooth_noise


def draw_hand(rng: Rng, plane: Plane, light: npt.NDArray[np.float64]) -> Floats:
    """A hand and forearm that reach in from an edge; returns their (h, w) mask 0..1.

    Palm, arm and jointed fingers are capsules whose union gives a height, whose slope gives the shading.
    """
    h, w = plane.h, plane.w
    tip = np.array([rng.uniform(0.1, 0.9) * w, rng.uniform(0.08, 0.92) * h])
    angle = rng.choice([np.pi / 2, -np.pi / 2, 0.0, np.pi], p=[0.62, 0.22, 0.08, 0.08]) + rng.normal(0, 0.5)
    d = np.array([np.cos(angle), np.sin(angle)])  # towards the body
    n = np.array([-d[1], d[0]])
    unit = plane.scale * rng.uniform(2.2, 4.6)  # a palm's width
    half = 2
    ys, xs = np.arange(0, h, half, dtype=np.float32)[:, None], np.arange(0, w, half, dtype=np.float32)[None]
    height = np.full((len(ys), xs.shape[1]), -1.0, np.float32)

    def limb(
        a: npt.NDArray[np.float64], b: npt.NDArray[np.float64], ra: float, rb: float, lift: float = 0.0
    ) -> None:
        v = b - a
        px, py = xs - np.float32(a[0]), ys - np.float32(a[1])
        t = np.clip((px * np.float32(v[0]) + py * np.float32(v[1])) / np.float32(v @ v + 1e-6), 0, 1)
        r = np.float32(ra) + np.float32(rb - ra) * t
        square = (px - t * np.float32(v[0])) ** 2 + (py - t * np.float32(v[1])) ** 2
        inside = r * r - square
        np.maximum(
            height, np.where(inside > 0, np.sqrt(np.maximum(inside, 0)) + np.float32(lift), -1), out=height
        )

    curl = rng.uniform(0.35, 1.0)
    knuckles = tip + d * unit * curl
    wrist = knuckles + d * unit * rng.uniform(0.85, 1.2) + n * unit * rng.normal(0, 0.12)
    elbow = wrist + d * unit * 9 + n * unit * rng.normal(0, 1.5)
    for i in range(3):
        limb(
            knuckles + n * unit * (i - 1) * 0.24 + d * unit * 0.12,
            wrist + n * unit * (i - 1) * 0.1,
            unit * 0.25,
            unit * 0.27,
        )
    limb(wrist, elbow, unit * 0.32, unit * 0.55)
    fan, thick, longer = rng.uniform(0, 0.3), rng.uniform(0.1, 0.14) * unit, 1.0
    if rng.random() < 0.4:  # slender fingers, spread wide: what lies between them is seen, in their shade
        fan, thick, longer = rng.uniform(0.15, 0.5), rng.uniform(0.07, 0.115) * unit, rng.uniform(1.0, 1.5)
    for i in range(4):
        base = knuckles + n * unit * (i - 1.5) * 0.26
        turn = fan * (i - 1.5) + rng.normal(0, 0.12)
        along = -d * np.cos(turn) + n * np.sin(turn)
        reach = unit * curl * longer * rng.uniform(0.55, 1.1)
        joint = base + along * reach * 0.55
        limb(base, joint, thick * 1.15, thick, 0.3 * thick)
        limb(joint, joint + (along + n * rng.normal(0, 0.15)) * reach * 0.5, thick, thick * 0.8)
    side = rng.choice([-1, 1])
    thumb = knuckles + n * side * unit * 0.45 + d * unit * rng.uniform(0.2, 0.6)
    ball = thumb - d * unit * rng.uniform(0.25, 0.5) + n * side * unit * rng.uniform(-0.1, 0.3)
    limb(thumb, ball, thick * 1.4, thick * 1.15)
    limb(
        ball,
        ball - d * unit * rng.uniform(0.2, 0.5) - n * side * unit * rng.uniform(-0.05, 0.35),
        thick * 1.15,
        thick * 0.9,
    )

    hard = (height > 0).astype(np.float32)
    smooth = cv2.GaussianBlur(np.maximum(height, 0), (0, 0), 1.5)
    gy, gx = np.gradient(smooth, half)
    steep = light[2] + 0.4
    shade = (-gx * light[0] + gy * light[1] + steep) / np.sqrt(gx * gx + gy * gy + 1) / np.hypot(1, steep)
    shade = rng.uniform(0.3, 0.6) + rng.uniform(0.4, 0.7) * np.maximum(shade, 0)
    tone = rng.uniform(0.0, 1.0)
    skin = np.array([0.16, 0.22, 0.36]) * (1 - tone) + np.array([0.66, 0.75, 0.95]) * tone
    if rng.random() < 0.25:  # a hand that hardly stands out from the board, as on wood
        skin = plane.image[int(rng.uniform(0.1, 0.9) * h), int(rng.uniform(0.1, 0.9) * w)].astype(np.float64)
    skin = np.clip(skin * rng.uniform(0.8, 1.15) + rng.normal(0, 0.025, 3), 0.03, 1)
    small = (len(ys), xs.shape[1])
    tex = (
        1
        + rng.uniform(0, 0.06) * smooth_noise(rng, small, (3, 3))
        + 0.05 * smooth_noise(rng, small, (20, 20))
    )
    body = cv2.merge([(shade * tex * c).astype(np.float32) for c in skin])
    if rng.random() < 0.6:  # a sleeve
        along_arm = (xs - wrist[0]) * d[0] + (ys - wrist[1]) * d[1]
        cloth = cv2.merge([(shade * tex * c).astype(np.float32) for c in random_colour(rng)])
        cuff = along_arm > unit * rng.uniform(0.1, 3.0)
        body[cuff] = cloth[cuff]
    hard = np.asarray(cv2.resize(hard, (w, h), interpolation=cv2.INTER_LINEAR), np.float32)
    body = np.asarray(cv2.resize(body, (w, h), interpolation=cv2.INTER_LINEAR), np.float32)
    soft = np.asarray(cv2.GaussianBlur(hard, (0, 0), rng.uniform(0.6, 2.5)), np.float32)
    off = np.array([-light[0], light[1]]) / light[2] * plane.scale * rng.uniform(0.2, 1.5)
    cast = cv2.warpAffine(soft, np.array([[1, 0, off[0]], [0, 1, off[1]]], np.float32), (w, h))
    scale(
        plane.image,
        1 - np.float32(rng.uniform(0.1, 0.7)) * cv2.GaussianBlur(cast, (0, 0), rng.uniform(2, 15)),
    )
    if rng.random() < 0.35:
        draw_held(rng, plane, light, ball - d * unit * rng.uniform(0.0, 0.35))
    mix(plane.image, soft, body)
    plane.label[hard > 0.5] = 3
    return soft


def draw_held(rng: Rng, plane: Plane, light: npt.NDArray[np.float64], at: npt.NDArray[np.float64]) -> None:
    """A checker between the fingers, px (2,) of the plane, some way above the board: it lies nowhere."""
    scene = plane.scene
    side = bool(rng.random() < 0.5)
    colour = scene.light if side else scene.dark
    z = rng.uniform(0.3, 2.5)
    shrink = (plane.eye[2] - z) / plane.eye[2]
    x = plane.eye[0] + (at[0] / plane.scale + plane.x0 - plane.eye[0]) * shrink
    y = plane.eye[1] + (plane.y0 - at[1] / plane.scale - plane.eye[1]) * shrink
    face = checker_face(rng, colour, light)
    draw_checker(
        plane, DrawnChecker(side, x, y, z), face, 1.0, colour * rng.uniform(0.4, 0.9), scene.thickness, 0.0
    )
    px, py, s = plane.flat(x, y, z + scene.thickness)
    cv2.circle(plane.label, (round(px), round(py)), round(0.5 * plane.scale * s), 3, -1)
