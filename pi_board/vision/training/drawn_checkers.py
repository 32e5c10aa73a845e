"""Checkers of drawn boards: the face of one, and how it stands on the plane."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.training.boards import DrawnChecker, Plane
from pi_board.vision.training.textures import Floats, Rng, grain, smooth_noise


def checker_face(rng: Rng, colour: Floats, light: npt.NDArray[np.float64], size: int = 48) -> Floats:
    """(size, size, 3) top face with bevel, grooves, texture and gloss; the disc fills the picture."""
    half = size / 2 - 0.5
    yy, xx = (np.mgrid[:size, :size] - half).astype(np.float32) / (size / 2)
    r = np.sqrt(xx * xx + yy * yy)
    face = np.ones((size, size, 1), np.float32) * colour
    slope = (xx * light[0] - yy * light[1]) / (np.hypot(light[0], light[1]) + 1e-6)
    tone = np.ones((size, size), np.float32)
    bevel = rng.uniform(0.04, 0.2)
    edge = np.clip((r - (1 - bevel)) / bevel, 0, 1)
    tone += edge * slope * rng.uniform(0.0, 0.5) - edge * rng.uniform(0, 0.25)
    for _ in range(int(rng.choice([0, 0, 1, 1, 2, 3]))):  # grooves and ridges
        at, wide = rng.uniform(0.2, 0.85), rng.uniform(0.02, 0.09)
        ring = np.exp(-(((r - at) / wide) ** 2))
        if rng.random() < 0.5:
            tone += ring * rng.uniform(-0.4, 0.15)
        else:
            tone += ring * slope * rng.uniform(-0.6, 0.6)
    if rng.random() < 0.25:  # a hollow or a raised middle, sometimes of another colour
        at = rng.uniform(0.3, 0.8)
        inside = (r < at).astype(np.float32)[..., None]
        other = np.clip(
            colour * rng.uniform(0.75, 1.2) + (rng.normal(0, 0.1, 3) if rng.random() < 0.3 else 0), 0, 1
        )
        face = face * (1 - inside) + inside * other.astype(np.float32)
    kind = str(rng.choice(["wood", "felt", "plain", "plain"]))
    tone *= grain(rng, (size, size), kind, rng.uniform(0, 0.1))
    if rng.random() < 0.12:  # swirls of pearl
        tone += 0.12 * smooth_noise(rng, (size, size), (12, 9))
    face = face * np.clip(tone, 0.2, 1.8)[..., None]
    gloss = rng.choice([0.0, 0.1, 0.3, 0.7]) * rng.random()
    if gloss > 0:
        toward = np.array([light[0], -light[1]]) / (np.hypot(light[0], light[1]) + 1e-6)
        cx, cy = toward * rng.uniform(0.1, 0.8)
        s = rng.uniform(0.1, 0.5)
        face = face + gloss * np.exp(-(((xx - cx) ** 2 + (yy - cy) ** 2) / (2 * s * s)))[..., None]
        if rng.random() < 0.4:  # the bright arc that a rounded edge throws
            face = (
                face
                + gloss * (np.exp(-(((r - (1 - bevel)) / 0.06) ** 2)) * np.clip(slope, 0, 1) ** 3)[..., None]
            )
    return face.astype(np.float32)


def draw_checker(
    plane: Plane, c: DrawnChecker, face: Floats, gain: float, wall: Floats, thickness: float, tint: float
) -> None:
    """Side wall (hull of the bottom and the top disc), then the top."""
    bx, by, bs = plane.flat(c.x, c.y, c.z)
    tx, ty, ts = plane.flat(c.x, c.y, c.z + thickness)
    rb, rt = 0.5 * plane.scale * bs, 0.5 * plane.scale * ts
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], 1)
    pts = np.concatenate([ring * rb + (bx, by), ring * rt + (tx, ty)]).astype(np.float32)
    hull = cv2.convexHull(pts)
    p = np.round(hull * 16).astype(np.int32)
    cv2.fillConvexPoly(plane.image, p, tuple(float(v) for v in wall), cv2.LINE_AA, 4)
    cv2.fillConvexPoly(plane.label, p, 0, cv2.LINE_8, 4)
    x0, y0 = int(np.floor(tx - rt)) - 1, int(np.floor(ty - rt)) - 1
    n = int(np.ceil(2 * rt)) + 4
    if x0 < 0 or y0 < 0 or x0 + n > plane.w or y0 + n > plane.h:
        return
    size = face.shape[0]
    k = 2 * rt / size
    ca, sa = np.cos(tint) * k, np.sin(tint) * k  # a little rotation so that grain differs between checkers
    m = np.array([[ca, -sa, 0], [sa, ca, 0]], np.float64)
    m[:, 2] = (tx - x0, ty - y0) - m[:, :2] @ ((size - 1) / 2, (size - 1) / 2)
    patch = cv2.warpAffine(face, m, (n, n), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) * gain
    mask = np.zeros((n, n), np.uint8)
    cv2.circle(mask, (round((tx - x0) * 16), round((ty - y0) * 16)), round(rt * 16), 255, -1, cv2.LINE_AA, 4)
    a = mask.astype(np.float32)[..., None] / 255
    roi = plane.image[y0 : y0 + n, x0 : x0 + n]
    roi[:] = roi * (1 - a) + patch * a
    plane.label[y0 : y0 + n, x0 : x0 + n][mask > 127] = 1 if c.light else 2
    plane.upper[y0 : y0 + n, x0 : x0 + n][mask > 127] = c.z > 0.05 and c.column >= 0
