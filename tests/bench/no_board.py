"""Pictures in which no board is, for measuring that none is found: noise as of a lens cap, blurs, scraps of paper, cloths."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import cv2
import numpy as np
import numpy.typing as npt

Rng = np.random.Generator
Image = npt.NDArray[np.uint8]
#: (width, height) px.
SIZES = ((320, 180), (640, 360), (640, 480), (960, 540), (1280, 720))


def no_board(count: int, seed: int) -> Iterator[tuple[str, Image]]:
    """(name, (H, W, 3) BGR) of so many pictures, of any size and each kind in turn, as a camera's JPEG has them."""
    for i in range(count):
        rng = np.random.default_rng((seed, i))
        kind, draw = KINDS[i % len(KINDS)]
        width, height = SIZES[rng.integers(len(SIZES))]
        raw = draw(rng, height, width)
        ok, jpeg = cv2.imencode(".jpg", raw)
        assert ok
        yield f"{kind}-{seed}-{i}", np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)


def noise(rng: Rng, height: int, width: int) -> Image:
    """Every pixel by itself."""
    return rng.integers(1, 255, (height, width, 3), np.uint8)


def blur(rng: Rng, height: int, width: int) -> Image:
    """Blots of one size, from grain to clouds, in colour or grey."""
    blots = rng.normal(0, 1, (height, width, int(rng.choice((1, 3))))).astype(np.float32)
    size = float(np.exp(rng.uniform(np.log(0.7), np.log(30))))
    blots = np.reshape(cv2.GaussianBlur(blots, (0, 0), size), blots.shape)
    levels = blots / blots.std() * rng.uniform(15, 70) + 128
    return np.clip(np.broadcast_to(levels, (height, width, 3)), 0, 255).astype(np.uint8)


def scraps(rng: Rng, height: int, width: int) -> Image:
    """Triangles to pentagons of any colour, one over the other."""
    out = np.full((height, width, 3), rng.integers(0, 255, 3), np.uint8)
    for _ in range(int(rng.integers(20, 400))):
        middle, reach = rng.uniform((0, 0), (width, height)), rng.uniform(0.02, 0.2) * width
        corners = middle + rng.uniform(-reach, reach, (int(rng.integers(3, 6)), 2))
        colour = tuple(int(level) for level in rng.integers(0, 255, 3))
        cv2.fillPoly(out, [corners.astype(np.int32)], colour, cv2.LINE_AA)
    return out


def cloth(rng: Rng, height: int, width: int) -> Image:
    """A chequered cloth, turned, with a sensor's noise."""
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    turn = rng.uniform(0, np.pi)
    one, two = rng.uniform(8, 60, 2)
    along, across = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    first = (np.sin(along * 2 * np.pi / one) > 0) ^ (np.sin(across * 2 * np.pi / two) > 0)
    colours = rng.integers(0, 255, (2, 3))
    woven = np.where(first[..., None], colours[0], colours[1]) + rng.normal(0, 6, (height, width, 3))
    return np.clip(woven, 0, 255).astype(np.uint8)


KINDS: tuple[tuple[str, Callable[[Rng, int, int], Image]], ...] = (
    ("noise", noise),
    ("blur", blur),
    ("scraps", scraps),
    ("cloth", cloth),
)
