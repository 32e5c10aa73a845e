"""`Lighting`: lamps, daylight and their unevenness, as maps in the picture."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.simulator.lens import Projection
from pi_board.simulator.style import Color

#: Display encoding of linear light; products of encoded values stay products.
GAMMA = 2.2


@dataclass(frozen=True)
class Lighting:
    """Ambient light plus one key light (lamp or sun).

    ambient, key: linear strengths; their sum at the board's middle is about the exposure (1 = white is white).
    azimuth: degrees, direction the key comes from (0 = from the right, 90 = from the far side). elevation: degrees.
    distance: of the lamp in cm (large = sun). softness: width of a shadow's edge per cm of height.
    ambient_tint, key_tint: BGR. glare: strength of the lamp's reflection; spread: its size in degrees.
    bars: shadows of a window frame. gradient: how uneven the ambient light is. vignette: of the lens.
    """

    ambient: float = 0.50
    key: float = 0.50
    azimuth: float = 120.0
    elevation: float = 58.0
    distance: float = 90.0
    softness: float = 0.45
    ambient_tint: Color = (1.02, 1.0, 0.98)
    key_tint: Color = (0.94, 1.0, 1.05)
    glare: float = 0.12
    spread: float = 14.0
    bars: bool = False
    gradient: float = 0.12
    vignette: float = 0.18

    @property
    def direction(self) -> npt.NDArray[np.float64]:
        """Unit vector from the board towards the key light."""
        a, e = np.radians([self.azimuth, self.elevation])
        return np.array([np.cos(a) * np.cos(e), np.sin(a) * np.cos(e), np.sin(e)])

    @property
    def shadow_depth(self) -> float:
        """What remains of the encoded brightness where the key light is blocked, 0..1."""
        return float((self.ambient / max(1e-6, self.ambient + self.key)) ** (1 / GAMMA))

    def shadow_offset(self, height: float) -> npt.NDArray[np.float64]:
        """(dx, dy) cm by which something at `height` throws its shadow."""
        d = self.direction
        return -d[:2] / max(0.25, d[2]) * height

    def turned(self) -> Lighting:
        return replace(self, azimuth=self.azimuth + 180)


def lamp_off(light: Lighting) -> Lighting:
    """Only the ambient light left, the camera's exposure having followed part of the way."""
    return replace(light, ambient=light.ambient * 1.25, key=light.key * 0.12, glare=light.glare * 0.2)


PRESETS: dict[str, Lighting] = {
    "mixed": Lighting(),
    "diffuse": Lighting(ambient=0.8, key=0.2, softness=1.0, glare=0.04, gradient=0.08),
    "desk_lamp": Lighting(
        ambient=0.22, key=0.85, azimuth=70, elevation=55, distance=45, softness=0.2,
        key_tint=(0.74, 0.95, 1.08), glare=0.25, spread=10,
    ),
    "window": Lighting(
        ambient=0.45, key=0.55, azimuth=185, elevation=40, distance=400, softness=0.5,
        key_tint=(1.08, 1.0, 0.94), ambient_tint=(1.04, 1.0, 0.97), gradient=0.25,
    ),
    "sun": Lighting(
        ambient=0.3, key=0.8, azimuth=35, elevation=42, distance=2000, softness=0.05,
        key_tint=(0.9, 1.0, 1.05), bars=True, glare=0.15,
    ),
    "warm": Lighting(
        ambient=0.5, key=0.5, elevation=75, distance=170, softness=0.6, key_tint=(0.72, 0.93, 1.08),
        ambient_tint=(0.86, 0.97, 1.04), glare=0.2, spread=12,
    ),
    "glare": Lighting(ambient=0.45, key=0.5, azimuth=95, elevation=72, distance=120, glare=0.55, spread=9),
    "dusk": Lighting(ambient=0.17, key=0.05, ambient_tint=(1.12, 1.0, 0.92), glare=0.02, gradient=0.3),
}  # fmt: skip


def varied_light(rng: np.random.Generator, name: str | None = None) -> Lighting:
    """A light of some room; `name` picks the preset that it starts from."""
    names = [n for n in PRESETS if n != "dusk"]
    light = PRESETS[name or names[int(rng.integers(len(names)))]]
    exposure = float(np.exp(rng.normal(0, 0.16)))
    warm = rng.normal(0, 0.05)
    return replace(
        light,
        ambient=light.ambient * exposure,
        key=light.key * exposure * rng.uniform(0.7, 1.2),
        azimuth=float(rng.uniform(0, 360)),
        elevation=float(np.clip(light.elevation + rng.normal(0, 8), 28, 85)),
        softness=light.softness * float(rng.uniform(0.6, 1.6)),
        ambient_tint=(
            light.ambient_tint[0] * (1 - warm),
            light.ambient_tint[1],
            light.ambient_tint[2] * (1 + warm),
        ),
        glare=light.glare * float(rng.uniform(0, 1.6)),
        gradient=light.gradient * float(rng.uniform(0.3, 2.0)),
        vignette=float(rng.uniform(0.05, 0.3)),
    )


@dataclass(frozen=True)
class LightMaps:
    """shade: (H, W, 3) float32, encoded factor on albedo. glare: (H, W) float32 0..1, added for full gloss."""

    shade: npt.NDArray[np.float32]
    glare: npt.NDArray[np.float32]


def light_maps(
    light: Lighting, lens: Projection, extent: tuple[float, float], rng: np.random.Generator
) -> LightMaps:
    """What `light` does to every pixel of a picture taken through `lens` of a board of outer `extent` cm."""
    width, height = lens.size
    step = 4
    w, h = width // step + 2, height // step + 2
    us, vs = np.meshgrid(np.arange(w) * step, np.arange(h) * step)
    px = np.stack([us.ravel(), vs.ravel()], axis=1).astype(np.float64)
    xy = lens.on_plane(px)
    x, y = xy[:, 0], xy[:, 1]
    scale = max(extent) / 2
    lamp = light.direction * light.distance
    dx, dy = lamp[0] - x, lamp[1] - y
    d2 = dx * dx + dy * dy + lamp[2] ** 2
    # Lambert and inverse square, 1 at the middle of the board.
    key = (light.distance**2 / d2) ** 1.5
    if light.bars:
        key = key * _window(x, y, light, scale, rng)
    angle = rng.uniform(0, 2 * np.pi)
    ramp = 1 + light.gradient * (x * np.cos(angle) + y * np.sin(angle)) / scale
    linear = light.ambient * np.clip(ramp, 0.3, 1.7)[:, None] * np.asarray(light.ambient_tint)
    linear = linear + light.key * np.clip(key, 0, 3)[:, None] * np.asarray(light.key_tint)
    r2 = ((px[:, 0] - width / 2) ** 2 + (px[:, 1] - height / 2) ** 2) / (width**2 / 4)
    linear = linear * (1 - light.vignette * np.clip(r2, 0, 2))[:, None]
    shade = np.clip(linear, 0.0, 2.5) ** (1 / GAMMA)
    # Mirror direction of the view ray on a level surface, against the lamp.
    eye = lens.center
    view = np.stack([x - eye[0], y - eye[1], np.full_like(x, -eye[2])], axis=1)
    view /= np.linalg.norm(view, axis=1, keepdims=True)
    mirror = view * np.array([1, 1, -1])
    to_lamp = np.stack([dx, dy, np.full_like(x, lamp[2])], axis=1)
    to_lamp /= np.linalg.norm(to_lamp, axis=1, keepdims=True)
    off = np.degrees(np.arccos(np.clip((mirror * to_lamp).sum(axis=1), -1, 1)))
    glare = light.glare * np.exp(-((off / light.spread) ** 2))

    def full(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
        grid = values.reshape(h, w, -1).astype(np.float32)
        # Grid node (i, j) is pixel (i·step, j·step): resize by an exact affine map, not by cell centres.
        m = np.array([[step, 0, 0], [0, step, 0]], np.float64)
        large = cv2.warpAffine(
            grid, m, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(large, np.float32)

    return LightMaps(full(shade), full(glare))


def _window(
    x: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
    light: Lighting,
    scale: float,
    rng: np.random.Generator,
) -> npt.NDArray[np.float64]:
    """1 where the sun comes through the panes, about 0 in the shadow of the frame."""
    a = np.radians(light.azimuth + rng.uniform(-25, 25))
    u = (x * np.cos(a) + y * np.sin(a)) / scale
    v = (-x * np.sin(a) + y * np.cos(a)) / scale
    edge = 0.03 + 0.1 * light.softness
    mask = np.ones_like(u)
    for offset in np.arange(-3, 3.01, 0.62) + rng.uniform(0, 0.62):
        mask *= 1 / (1 + np.exp(-(np.abs(v - offset) - 0.05) / (edge * 0.35)))
    offset = rng.uniform(-1.2, 1.2)
    mask *= 1 / (1 + np.exp(-(np.abs(u - offset) - 0.07) / (edge * 0.35)))
    return mask
