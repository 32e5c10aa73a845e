"""What a cheap camera makes of a drawn scene, and photographs that are taken anew of one that was kept."""

# mypy: ignore-errors
from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Rng = np.random.Generator


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


#: Stored pictures hold light up to 255 / 200 of white, so that exposure can vary later.
STORED_WHITE = 200.0


def stored_picture(picture: npt.NDArray[np.float32]) -> Bytes:
    return np.clip(picture * STORED_WHITE, 0, 255).astype(np.uint8)


@dataclass(frozen=True, slots=True)
class Aim:
    """How far a photograph misses the die: right and down (edges of the die), and how much too wide it is (log)."""

    right: float = 0.0
    down: float = 0.0
    wide: float = 0.0


def missed(rng: Rng) -> Aim:
    """Where a finder may say that a die is: mostly close, at times far off or of the wrong size."""
    if rng.random() < 0.6:
        return Aim(*(float(v) for v in rng.normal(0, 0.06, 3)))
    away, angle = 0.45 * np.sqrt(rng.random()), rng.uniform(0, 2 * np.pi)
    return Aim(
        float(away * np.cos(angle)),
        float(away * np.sin(angle)),
        float(np.clip(rng.normal(0, 0.2), -0.4, 0.4)),
    )


def _glare(rng: Rng, picture: npt.NDArray[np.float32], edge: float) -> None:
    """A lamp or window mirrored near the middle: soft or sharp, over some of the pips or between them."""
    size = picture.shape[0]
    for _ in range(int(rng.integers(1, 3))):
        spot = np.zeros((size, size), np.float32)
        x, y = (size - 1) / 2 + rng.normal(0, 0.35, 2) * edge
        wide = rng.choice([rng.uniform(0.05, 0.2), rng.uniform(0.15, 0.7)]) * edge
        axes = (max(1, round(wide)), max(1, round(wide * rng.uniform(0.3, 1.0))))
        cv2.ellipse(spot, (round(x), round(y)), axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
        spot = cv2.GaussianBlur(spot, (0, 0), max(0.6, wide * rng.uniform(0.1, 0.8)))
        picture += spot[..., None] * (rng.uniform(0.85, 1.0, 3) * rng.uniform(0.1, 0.9)).astype(np.float32)


def _shadowed(rng: Rng, picture: npt.NDArray[np.float32], edge: float) -> None:
    """The edge of an arm's or lamp's shadow across the middle: half of a die lies in the dark."""
    size = picture.shape[0]
    angle = rng.uniform(0, 2 * np.pi)
    ys, xs = np.mgrid[0:size, 0:size].astype(np.float32) - np.float32((size - 1) / 2)
    line = xs * np.cos(angle) + ys * np.sin(angle) + rng.uniform(-0.6, 0.6) * edge
    picture *= 1 - rng.uniform(0.3, 0.85) / (
        1 + np.exp(-np.clip(line / (edge * rng.uniform(0.01, 0.12)), -30, 30))
    )[..., None].astype(np.float32)


def _smeared(rng: Rng, picture: npt.NDArray[np.float32], edge: float) -> npt.NDArray[np.float32]:
    """Shaken while the shutter was open: by up to a third of the die."""
    length, angle = rng.uniform(0.08, 0.33) * edge, rng.uniform(0, np.pi)
    reach = int(np.ceil(length / 2)) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for t in np.linspace(-length / 2, length / 2, 25):
        kernel[round(reach + t * np.sin(angle)), round(reach + t * np.cos(angle))] += 1 / 25
    return np.asarray(cv2.filter2D(picture, -1, kernel), np.float32)


def photographed(
    rng: Rng,
    stored: Bytes,
    native: float,
    soft: float,
    grey: float,
    *,
    mirror: bool,
    turned: bool | float = True,
    zoom: float = 1.0,
    aim: Aim | None = None,
    glare: float = 0.0,
    shadow: float = 0.0,
    smear: float = 0.0,
) -> Bytes:
    """A fresh photograph (48, 48, 3) of a stored sample: turned, scaled and shifted a little, then `camera`.

    turned: by any angle, or (a number) by so many degrees. zoom: show only the middle, this much larger. aim: how it misses the die
    (else a little, at random). glare, shadow, smear: chances of a mirrored lamp, of a shadow's edge across the die, of a shaken camera.
    """
    size = stored.shape[0]
    picture = stored
    if mirror and turned is True and rng.random() < 0.5:
        picture = picture[:, ::-1]
    aim = aim or Aim(*(float(v) for v in rng.normal(0, 0.06, 3)))
    angle = float(rng.uniform(0, 360)) if turned is True else float(turned)
    turn = cv2.getRotationMatrix2D(((size - 1) / 2, (size - 1) / 2), angle, float(zoom * np.exp(-aim.wide)))
    edge = size / 3 * np.exp(-aim.wide)
    turn[:, 2] -= np.array([aim.right, aim.down]) * edge
    picture = cv2.warpAffine(
        np.ascontiguousarray(picture),
        turn,
        (size, size),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT_101,
    )
    native = native / zoom * float(np.exp(rng.normal(0, 0.25)))
    light = picture.astype(np.float32) / STORED_WHITE
    if glare and rng.random() < glare:
        _glare(rng, light, edge)
    if shadow and rng.random() < shadow:
        _shadowed(rng, light, edge)
    if smear and rng.random() < smear:
        light = _smeared(rng, light, edge)
    return camera(rng, light, size // 2, min(native, 0.85 * size), grey=grey, soft=soft)
