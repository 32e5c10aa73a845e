"""Dice that are none: what is printed on a board, laid into it or screwed to it.

A board is made of two halves that are alike, and each half of two: what looks like a die and shows again, turned or mirrored, at
its place on the other side is a letter of a name, a piece of an inlaid band, a hinge. Dice never lie so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.sighting import DieSeen
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.dice.sizes import edges_of

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class FixtureModel:
    """scale: px per cm in which places are compared. reach: half the side of what is compared, in edges of the die. astray: cm by
    which its twin may lie off (a hinge stands above the field, makers are careless). alike: correlation from which on it is a twin.
    Source: `bench_stills.py` and `bench_stills.py --rooms`, dice invented and right.
    """

    scale: float = 10.0
    reach: float = 0.75
    astray: float = 0.6
    alike: float = 0.78


MODEL = FixtureModel()
#: (x, y) signs of a place and of its picture: mirrored left to right, top to bottom, turned by half.
_MIRRORS = ((-1, 1), (1, -1), (-1, -1))


def without_fixtures(picture: Image, dice: Sequence[DieSeen], geometry: BoardGeometry) -> tuple[DieSeen, ...]:
    """The `dice` of a picture (H, W, 3) BGR that have no twin on the other side of the board."""
    return tuple(d for d in dice if twin_likeness(picture, d, geometry) < MODEL.alike)


def twin_likeness(picture: Image, die: DieSeen, geometry: BoardGeometry) -> float:
    """-1..1, how much what lies at the die's place looks like what lies at any of its twins' places."""
    p = geometry.profile
    at = geometry.unproject(np.array([[die.x, die.y]]), 0.0)
    ((x, y),), (edge,) = at, edges_of([die], at, geometry)
    half = MODEL.reach * edge
    here = _flat(picture, geometry, x, y, half, (1, 1))
    best = -1.0
    shift = (p.field_width + p.bar_width) / 2
    places = [(sx * x, sy * y, (sx, sy)) for sx, sy in _MIRRORS]
    places.append((x - np.sign(x) * shift, y, (1, 1)))
    for u, v, mirror in places:
        if abs(u - x) < 2 * half and abs(v - y) < 2 * half:
            continue
        if abs(u) > p.field_width / 2 + half or abs(v) > p.field_height / 2 + half:
            continue
        there = _flat(picture, geometry, u, v, half + MODEL.astray, mirror)
        best = max(best, float(cv2.matchTemplate(there, here, cv2.TM_CCOEFF_NORMED).max()))
    return best


def _flat(
    picture: Image, geometry: BoardGeometry, x: float, y: float, half: float, mirror: tuple[int, int]
) -> Image:
    """(n, n, 3) uint8 of the field around (x, y) cm, `half` cm to each side, x to the right and y up times `mirror`."""
    n = max(9, round(2 * half * MODEL.scale))
    at = (np.arange(n) + 0.5) / n * 2 * half - half
    gx, gy = np.meshgrid(x + mirror[0] * at, y - mirror[1] * at)
    places = np.stack([gx.ravel(), gy.ravel(), np.zeros(gx.size)], axis=1)
    px = geometry.project(places).astype(np.float32).reshape(n, n, 2)
    return np.asarray(cv2.remap(picture, px[..., 0], px[..., 1], cv2.INTER_LINEAR), np.uint8)
