"""A hand with its forearm, modelled once as a height field and laid into the picture where it reaches."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.simulator.light import Lighting
from pi_board.simulator.style import Color

#: Texture pixels per cm; the fingertips' meeting point lies at TIP (x, y) of the texture, the arm runs down.
PPC = 16
_WIDTH_CM, _HEIGHT_CM = 15.0, 52.0
TIP = (7.5 * PPC, 1.6 * PPC)

# (x0, y0, r0, x1, y1, r1, height) of tapered capsules, cm from the fingertips' meeting point, y towards the arm.
_PINCH = [
    (0.35, 0.1, 0.62, 1.1, 3.4, 0.78, 1.6),  # index
    (1.1, 3.4, 0.78, 1.5, 7.0, 0.9, 2.4),
    (2.0, 0.9, 0.66, 2.3, 4.2, 0.8, 1.7),  # middle
    (2.3, 4.2, 0.8, 2.4, 7.2, 0.92, 2.5),
    (3.3, 2.2, 0.62, 3.5, 5.0, 0.76, 1.5),  # ring
    (3.5, 5.0, 0.76, 3.3, 7.8, 0.88, 2.3),
    (4.5, 4.2, 0.54, 4.5, 6.4, 0.64, 1.2),  # little
    (4.5, 6.4, 0.64, 4.1, 8.8, 0.8, 2.0),
    (-0.5, 0.5, 0.72, -1.3, 3.6, 0.85, 1.3),  # thumb
    (-1.3, 3.6, 0.85, 0.0, 8.2, 1.15, 2.0),
    (1.2, 8.0, 1.6, 1.4, 11.2, 1.7, 2.9),  # palm
    (2.6, 8.2, 1.7, 2.3, 11.2, 1.75, 2.9),
    (3.5, 8.8, 1.4, 2.9, 11.4, 1.6, 2.6),
    (1.9, 11.5, 2.2, 2.3, 16.0, 2.15, 2.7),  # wrist
    (2.3, 16.0, 2.15, 3.2, 28.0, 3.2, 3.6),  # forearm
    (3.2, 28.0, 3.2, 4.0, 52.0, 4.0, 4.2),
]


@lru_cache(maxsize=4)
def _model() -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """(height cm, normal (h, w, 3), alpha)."""
    h, w = int(_HEIGHT_CM * PPC), int(_WIDTH_CM * PPC)
    ys, xs = np.mgrid[0:h, 0:w].astype(np.float32)
    x, y = (xs - TIP[0]) / PPC, (ys - TIP[1]) / PPC
    height = np.zeros((h, w), np.float32)
    cover = np.zeros((h, w), np.float32)
    for x0, y0, r0, x1, y1, r1, top in _PINCH:
        dx, dy = x1 - x0, y1 - y0
        t = np.clip(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0, 1)
        r = r0 + t * (r1 - r0)
        q = np.hypot(x - x0 - t * dx, y - y0 - t * dy) / r
        inside = q < 1
        dome = np.where(inside, np.sqrt(np.maximum(0, 1 - q * q)), 0) * r + np.where(inside, top * 0.6, 0)
        height = np.maximum(height, dome)
        cover = np.maximum(cover, np.clip((1 - q) * r * PPC, 0, 1))
    smooth = cv2.GaussianBlur(height.astype(np.float32), (0, 0), 0.16 * PPC)
    gx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8) * PPC
    gy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8) * PPC
    normal = np.stack([-gx, gy, np.ones_like(gx)], axis=2)  # y of the texture runs towards the arm
    normal = normal / np.linalg.norm(normal, axis=2, keepdims=True)
    return height.astype(np.float32), normal.astype(np.float32), cover.astype(np.float32)


#: Two hands, every fifteen degrees: fewer are made again and again (a tenth of a second each).
@lru_cache(maxsize=48)
def hand_texture(
    skin: Color, sleeve: Color | None, mirrored: bool, light: tuple[float, float, float, float, float]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """(color BGR uint8, alpha float32) of a hand lit from `light` = (x, y, z, ambient, key), in the hand's own axes."""
    _, normal, cover = _model()
    h, w = cover.shape
    lx, ly, lz, ambient, key = light
    if mirrored:
        lx = -lx
    lambert = np.clip(normal @ np.array([lx, ly, lz], np.float32), 0, None) / max(0.3, lz)
    lit = (ambient * (0.55 + 0.45 * normal[:, :, 2]) + key * lambert) / (ambient + key)
    rng = np.random.default_rng(7)
    texture = cv2.GaussianBlur(rng.normal(0, 1, (h, w)).astype(np.float32), (0, 0), 2.0) * 0.16
    color = np.empty((h, w, 3), np.float32)
    color[:] = skin
    # Knuckles and finger tips are redder.
    y = (np.arange(h, dtype=np.float32) - TIP[1]) / PPC
    red = np.exp(-(((y - 4.6) / 1.3) ** 2)) + np.exp(-((y / 1.1) ** 2)) + np.exp(-(((y - 7.8) / 1.2) ** 2))
    color[:, :, 2] *= 1 + 0.05 * red[:, None]
    color[:, :, 0] *= 1 - 0.10 * red[:, None]
    if sleeve is not None:
        edge = int(TIP[1] + 19 * PPC)
        color[edge:] = sleeve
        fold = 1 + 0.10 * np.sin(np.linspace(0, 26, h - edge) + rng.normal(0, 0.5))
        color[edge:] *= fold[:, None, None]
    nails = [(0.3, 0.55, 0.3, 0.42), (2.0, 1.3, 0.32, 0.44), (3.3, 2.6, 0.3, 0.4), (4.5, 4.5, 0.25, 0.34)]
    for cx, cy, a, b in nails:
        center = (int(TIP[0] + cx * PPC), int(TIP[1] + cy * PPC))
        nail = np.zeros((h, w), np.uint8)
        cv2.ellipse(nail, center, (int(a * PPC), int(b * PPC)), 0, 0, 360, 255, -1, cv2.LINE_AA)
        m = (nail.astype(np.float32) / 255 * 0.55)[:, :, None]
        color += (np.minimum(np.asarray(skin) * 1.12 + 0.06, 1).astype(np.float32) - color) * m
    lit = np.clip(lit * (1 + texture), 0.03, 1.5) ** (1 / 2.2)
    image = np.clip(color * lit[:, :, None] * 255, 0, 255).astype(np.uint8)
    if mirrored:
        return np.ascontiguousarray(image[:, ::-1]), np.ascontiguousarray(cover[:, ::-1])
    return image, cover


def light_for(light: Lighting, angle: float) -> tuple[float, float, float, float, float]:
    """The key light in a hand's own axes (x right, y to the fingers), rounded so that textures can be cached."""
    a = np.radians(90 - round(angle / 15) * 15)
    d = light.direction
    x = float(np.cos(a) * d[0] - np.sin(a) * d[1])
    y = float(np.sin(a) * d[0] + np.cos(a) * d[1])
    return round(x, 2), round(y, 2), round(float(d[2]), 2), round(light.ambient, 2), round(light.key, 2)
