"""What dice and cube cover of the board, and which dice touch a checker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.sighting import CubeSeen, DieSeen
from pi_board.vision.board.canvas import Canvas
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.profile import BoardProfile

Floats = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

#: Confidence from which a cube's place is remembered.
SURE_OF_CUBE = 0.5
#: Half edges from a checker's rim within which the middle of a flat die cannot lie, errors of both places allowed for.
LEANS = 0.5


@dataclass(frozen=True, slots=True)
class FootprintModel:
    """What a die or the cube covers of the canvas, as the radius of a circle in its edges. Half the diagonal of a square is 0.71.

    covered: around the middle of a die's top and around its foot, with all between: its visible sides and the beginning of its shadow.
    under: surely it and nothing else. lay: of the cube, when it is looked for again.
    lay_share: share of an unexplained thing within `lay` from which the thing is the cube.
    around: of cube and dice, with their sides as a low camera sees them and their shadows under a lamp, and around_share: of an unexplained
    thing within it, from which it is no more than that. (On an orange board the cube's shadow was told for a thing, and the place that it
    left for another: they reached to 1.8 and 2.4 edges from the middle, and four fifths of each lay within 2. Seen by a camera that
    looks from 32 degrees the sides of dice were told for things: 2750005 and 2740018 with drawn sets. Of drawn cubes beside window
    shadows .68 to .75 lay within 2, four fifths within 2.5: `bench_nothing_there.py`, rooms 992006 and 992010.)
    lowest: height (die edges) of the lowest visible middle of a die; the highest is its top.
    on_checker: share of a checker's radius from its middle within which a die lies on it, rather than leans on it.
    Source: derived from the sizes; `covered` and the shares chosen by eye.
    """

    covered: float = 0.8
    under: float = 0.45
    lay: float = 0.9
    lay_share: float = 0.6
    around: float = 2.5
    around_share: float = 0.8
    lowest: float = 0.6
    on_checker: float = 0.7


MODEL = FootprintModel()


@dataclass(frozen=True, slots=True, eq=False)
class Footprint:
    """(H, W) canvas pixels. covered: that dice and cube may cover, visible sides and shadows included. under: that surely lie under
    one. beside_dice: where the sides and shadows of dice may be, None when there are none. lay: where a cube that was seen well lies, and
    around: where its sides and its shadow may be, None when none was."""

    covered: Mask
    under: Mask
    beside_dice: Mask | None
    lay: Mask | None
    around: Mask | None


def footprint_of(
    dice: Sequence[DieSeen], cube: CubeSeen | None, canvas: Canvas, profile: BoardProfile
) -> Footprint:
    """The `Footprint` of what was found in the picture."""
    mask = np.zeros((canvas.height, canvas.width), np.uint8)
    under = np.zeros(mask.shape, np.uint8)
    beside = np.zeros(mask.shape, np.uint8) if dice else None
    things = [((d.x, d.y), profile.die_size) for d in dice]
    if cube is not None and cube.place != "none":
        things.append(((cube.x, cube.y), profile.cube_size))
    at = np.rint(canvas.from_picture([px for px, _ in things])).astype(np.intp).tolist() if things else []
    for middle, (_, size) in zip(at, things, strict=True):
        edge = size * canvas.px_per_cm
        cv2.circle(mask, middle, round(MODEL.covered * edge), 1, -1)
        cv2.circle(under, middle, max(1, round(MODEL.under * edge)), 1, -1)
    if beside is not None:
        edge = profile.die_size * canvas.px_per_cm
        for top, foot in zip(at[: len(dice)], _feet(dice, canvas, profile), strict=True):
            cv2.line(mask, top, foot, 1, 2 * round(MODEL.covered * edge))
            cv2.circle(beside, foot, round(MODEL.around * edge), 1, -1)
    lay: Mask | None = None
    around: Mask | None = None
    if cube is not None and cube.place != "none" and cube.confidence >= SURE_OF_CUBE:
        edge = profile.cube_size * canvas.px_per_cm
        lay, around = (_circle(mask.shape, at[-1], r * edge) for r in (MODEL.lay, MODEL.around))
    return Footprint(
        mask.astype(bool), under.astype(bool), None if beside is None else beside.astype(bool), lay, around
    )


def _feet(dice: Sequence[DieSeen], canvas: Canvas, profile: BoardProfile) -> list[tuple[int, int]]:
    """Canvas px on which the middles of the tops of `dice` stand."""
    geometry = canvas.geometry
    feet = geometry.project(geometry.unproject([(d.x, d.y) for d in dice], profile.die_size))
    return [(int(u), int(v)) for u, v in np.rint(canvas.from_picture(feet))]


def _circle(shape: tuple[int, ...], middle: tuple[int, int], radius: float) -> Mask:
    """(H, W) the pixels within `radius` px of `middle`."""
    circle = np.zeros(shape, np.uint8)
    cv2.circle(circle, middle, round(radius), 1, -1)
    return circle.astype(bool)


def against_checkers(
    die: DieSeen, checkers: Floats, geometry: BoardGeometry, profile: BoardProfile
) -> DieSeen:
    """`die`, marked as cocked when it touches one of `checkers` (N, 2) cm: a flat die keeps half an edge away, so a nearer one leans on
    the checker or lies on it."""
    if die.cocked or die.value is None:
        return die
    radius, half = profile.checker_diameter / 2, profile.die_size / 2
    # The height of the visible middle of the die is unknown, so keep only what is true for every height.
    at = geometry.unproject([(die.x, die.y)] * 2, (MODEL.lowest * profile.die_size, profile.die_size))
    x, y = (checkers[:, None] - at).transpose(2, 0, 1)
    nearest = float(np.maximum.reduce(np.minimum.reduce(np.hypot(x, y))))
    if nearest >= radius + LEANS * half:
        return die
    return replace(die, cocked=True, on_checker=nearest < MODEL.on_checker * radius)
