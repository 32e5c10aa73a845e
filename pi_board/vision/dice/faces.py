"""Dice and cubes that are none: what the checkers of a set show on their tops (rings, stars, words) is taken for pips or a numeral.

A die that lies on a checker looks unlike the other checkers. What looks like several of them is a checker's own face.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.sighting import CubeSeen, DieSeen
from pi_board.vision.board.geometry import BoardGeometry

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class FaceModel:
    """near: checker diameters between a die's middle and a checker's within which it would lie on it. inner, outer: radii, in
    diameters, of the middle and of the ring around it that are compared. alike: 8-bit levels by which a mean colour may differ
    from that of another checker to look like it. least: how many others must. A mark lies in the middle of its checker: middle is
    how near that is, in diameters, and alike_there, least_there are what it takes there. alike_anywhere, least_anywhere: what it takes
    where no checker is known to lie. (Gloss on domes: 1 to 7 levels from five others and more in a traced game; dice that lie on
    the board there 40 and more from the third.)
    Source: `bench_stills.py` and `bench_stills.py --rooms`, dice invented; of the last two `bench_cocked.py`.
    """

    near: float = 0.6
    inner: float = 0.2
    outer: float = 0.4
    alike: float = 30.0
    least: int = 3
    middle: float = 0.2
    alike_there: float = 42.0
    least_there: int = 2
    alike_anywhere: float = 15.0
    least_anywhere: int = 4


MODEL = FaceModel()


def without_faces(
    picture: Image, dice: Sequence[DieSeen], geometry: BoardGeometry, checkers: Floats
) -> tuple[DieSeen, ...]:
    """The `dice` of a picture (H, W, 3) BGR that are no checkers' faces. checkers: (N, 2) cm, where checkers lie, of both sides:
    whose they are may have been misread."""
    if not dice:
        return ()
    faces = Faces(picture, geometry, checkers)
    return tuple(d for d in dice if not faces.lie_at(d.x, d.y))


def cube_but_a_face(
    picture: Image, cube: CubeSeen | None, geometry: BoardGeometry, checkers: npt.NDArray | None
) -> CubeSeen | None:
    """`cube`; None where it would be on offer, and is the top of a checker: letters and stars look like a numeral."""
    if cube is None or cube.place != "offered" or checkers is None:
        return cube
    return None if Faces(picture, geometry, checkers).lie_at(cube.x, cube.y) else cube


class Faces:
    """The tops of the checkers (N, 2) cm that lie in a picture (H, W, 3) BGR."""

    def __init__(self, picture: Image, geometry: BoardGeometry, checkers: Floats) -> None:
        self._picture = picture
        self._few = len(checkers) <= MODEL.least
        if self._few:
            return
        tops = np.column_stack([checkers, np.full(len(checkers), geometry.profile.checker_height)])
        self._at = geometry.project(tops)
        self._size = _diameters(geometry, checkers)
        self._geometry = geometry

    @cached_property
    def _looks(self) -> Floats:
        """(N, 6) of each top, as `_look`."""
        return np.array([_look(self._picture, p, s) for p, s in zip(self._at, self._size, strict=True)])

    def lie_at(self, x: float, y: float) -> bool:
        """Whether what is seen there (px) is the top of a checker: it looks like several of the others."""
        if self._few:
            return False
        apart = self._apart(x, y)
        k = int(apart.argmin())
        if apart[k] >= MODEL.near:
            return False
        others = np.delete(self._unlike(x, y, self._size[k]), k)
        marked = (others < MODEL.alike).sum() >= MODEL.least
        if apart[k] < MODEL.middle:
            marked |= (others < MODEL.alike_there).sum() >= MODEL.least_there
        return bool(marked)

    def look_like(self, x: float, y: float) -> bool:
        """Whether what is seen there (px), on one of the checkers or elsewhere, looks like the tops of several others."""
        if self._few:
            return False
        cm = self._geometry.unproject([(x, y)], self._geometry.profile.checker_height)
        size = float(_diameters(self._geometry, cm)[0])
        others = self._unlike(x, y, size)[self._apart(x, y) >= MODEL.near]
        return bool((others < MODEL.alike_anywhere).sum() >= MODEL.least_anywhere)

    def _apart(self, x: float, y: float) -> Floats:
        """(N,) of their diameters from there (px) to the middle of each top."""
        return np.asarray(np.hypot(self._at[:, 0] - x, self._at[:, 1] - y) / self._size)

    def _unlike(self, x: float, y: float, size: float) -> Floats:
        """(N,) 8-bit levels by which each top looks otherwise than a checker of `size` px there (px)."""
        mine = _look(self._picture, np.array([x, y]), size)
        return np.asarray(np.abs(self._looks - mine).max(axis=1))


def _diameters(geometry: BoardGeometry, places: Floats) -> Floats:
    """(N,) px across a checker at (N, 2) cm."""
    half, height = geometry.profile.checker_diameter / 2, geometry.profile.checker_height
    ends = [
        geometry.project(np.column_stack([places + step, np.full(len(places), height)]))
        for step in ((-half, 0.0), (half, 0.0), (0.0, -half), (0.0, half))
    ]
    across, along = (np.hypot(*(b - a).T) for a, b in (ends[:2], ends[2:]))
    return np.asarray((across + along) / 2)


def _look(picture: Image, place: Floats, size: float) -> Floats:
    """(6,) mean BGR of the middle and of the ring around it."""
    reach = max(3, int(np.ceil(MODEL.outer * size)))
    patch = cv2.getRectSubPix(
        picture, (2 * reach + 1, 2 * reach + 1), (float(place[0]), float(place[1]))
    ).astype(np.float64)
    r = np.hypot(*(np.mgrid[: 2 * reach + 1, : 2 * reach + 1] - reach)) / size
    return np.concatenate(
        [patch[r <= MODEL.inner].mean(axis=0), patch[(r > MODEL.inner) & (r <= MODEL.outer)].mean(axis=0)]
    )
