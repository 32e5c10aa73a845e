"""Dice: where they lie, what they show, whether they lie flat.

`read_die` reads a crop around one die. `find_dice` finds them on a registered board: a small network marks dice in the
rectified picture, a second one reads each at full resolution. Both were trained on drawn scenes only
(`training/dice_*.py`). Unsure is an answer: `value` is None below `DiceOptions.least_confidence`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidError, InvalidSettingsError
from pi_board.sighting import DieSeen
from pi_board.vision import pips
from pi_board.vision.geometry import BoardGeometry
from pi_board.vision.orientation import Orientation

Image = npt.NDArray[np.uint8]

#: Width of the rectified field that the finder looks at, px; its cells are 4 px.
FINDER_WIDTH, CELL = 336, 4
#: Pixels that the finder was trained on, standardised the same way.
_MEAN, _SPREAD = 110.0, 60.0


#: The reader is trained with much fog and is too modest on clear pictures: its logits are divided by this (fitted on stills
#: that are not kept for measuring).
_TEMPERATURE = 0.8
#: From these probabilities on a die is called cocked, or on a checker: a flat die called cocked costs a throw, so few may be.
_COCKED, _ON_CHECKER = 0.8, 0.75
#: A die is read at these multiples of the edge that the finder says.
_SIZES = (1.0, 1.17, 1.36)


@dataclass(frozen=True, slots=True)
class DiceOptions:
    """least_heat: 0..1, how sure the finder must be to have a place looked at. least_die: 0..1, how sure finder and reader
    together must be that it is a die. least_confidence: 0..1, below it a die's value is None. most: places looked at in one picture.
    slack_cm: how far outside the field a die's centre may lie (leaning on the rim)."""

    least_heat: float = 0.28
    least_die: float = 0.982
    least_confidence: float = 0.9
    most: int = 14
    slack_cm: float = 0.3

    def __post_init__(self) -> None:
        for key in ("least_heat", "least_die", "least_confidence"):
            if not 0.0 <= getattr(self, key) <= 1.0:
                raise InvalidSettingsError(f"{key}: expected 0 to 1, got {getattr(self, key)}")
        if not 1 <= self.most <= 50:
            raise InvalidSettingsError(f"most: expected 1 to 50, got {self.most}")


@dataclass(frozen=True, slots=True)
class DieReading:
    """value: 1-6, or None when unsure. confidence: 0..1 that `value` (or the best guess behind None) is right.
    probabilities: of 1 to 6."""

    value: int | None
    confidence: float
    probabilities: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """A place that looks like a die or cube: x, y in the finder's picture, edge px there, heat 0..1."""

    kind: Literal["die", "cube"]
    x: float
    y: float
    edge: float
    heat: float


@dataclass(frozen=True, slots=True)
class Look:
    """One run of the finder. to_picture: (3, 3) homography, the finder's picture → the camera's."""

    found: list[Found]
    to_picture: npt.NDArray

    def places(self, found: Sequence[Found]) -> npt.NDArray:
        """(N, 2) px in the camera's picture."""
        if not found:
            return np.zeros((0, 2))
        points = np.array([[[f.x, f.y]] for f in found], np.float64)
        return cv2.perspectiveTransform(points, self.to_picture).reshape(-1, 2)

    def sizes(self, found: Sequence[Found]) -> npt.NDArray:
        """(N,) edges, px in the camera's picture."""
        out = []
        for f in found:
            h = f.edge / 2
            square = np.array([[[f.x - h, f.y - h], [f.x + h, f.y - h], [f.x + h, f.y + h], [f.x - h, f.y + h]]])
            out.append(np.sqrt(abs(cv2.contourArea(cv2.perspectiveTransform(square, self.to_picture).astype(np.float32)))))
        return np.array(out)


def _check_picture(bgr: npt.NDArray, what: str) -> Image:
    picture = np.asarray(bgr)
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture.astype(np.uint8, copy=False), cv2.COLOR_GRAY2BGR)
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8 or min(picture.shape[:2]) < 4:
        raise InvalidError(f"{what}: expected a BGR picture (H, W, 3) uint8 of at least 4 x 4, got {picture.shape} {picture.dtype}")
    return picture


#: Edge of the die as a share of the crop's sides: boxes are tight, or leave room around the die.
_SHARES = (0.9, 0.76, 0.64, 0.54, 0.45, 0.38, 0.31)
#: How much better readings outweigh worse ones (a power of die x confidence).
_TRUST = 8.0


def read_die(bgr_crop: npt.NDArray, *, least_confidence: float = 0.5) -> DieReading:
    """Value of the top face of the one die that a crop (H, W, 3) uint8 BGR shows; any view, colours, angle.

    The die should be in the middle and fill at least a third of the crop. It is looked at in several sizes, as it is
    and with the contrast of its middle spread, and an oblong crop also made square (a stretched picture); the
    clearest of these decide. Raises InvalidError for what is no picture.
    """
    crop = _check_picture(bgr_crop, "crop")
    height, width = crop.shape[:2]
    short = min(width, height)
    shapes = [(short, short)]
    if max(width, height) > 1.18 * short:
        shapes.append((width, height))
    patches = []
    for wide, high in shapes:
        for share in _SHARES:
            to_image = np.array([[wide * share, 0, (width - 1) / 2], [0, high * share, (height - 1) / 2], [0, 0, 1.0]])
            patch = pips.cut_patch(crop, to_image, (0.0, 0.0), 1.0)
            patches += [patch, pips.stretched(patch)]
    readings = pips.read_pips(np.stack(patches), turns=4)
    given = np.stack([r.probabilities[1:] / max(1e-9, r.die) for r in readings])
    die = np.array([r.die for r in readings])
    weights = (die * given.max(1)) ** _TRUST + 1e-12
    p = (weights / weights.sum()) @ given
    best = int(np.argmax(p)) + 1
    confidence = float(p[best - 1] * die.max())
    return DieReading(best if confidence >= least_confidence else None, confidence, tuple(float(v) for v in p))


def look(bgr: Image, geometry: BoardGeometry, margin: tuple[float, float], least_heat: float = 0.2) -> Look:
    """Run the finder over the field and `margin` (x, y; shares of the field's width) around it, hottest places first."""
    profile = geometry.profile
    width, height = float(FINDER_WIDTH), FINDER_WIDTH * profile.field_height / profile.field_width
    mx, my = margin[0] * width, margin[1] * width
    rectangle = np.array([[mx, my], [mx + width, my], [mx + width, my + height], [mx, my + height]], np.float32) - 0.5
    corners = geometry.corners.astype(np.float32)
    to_picture = cv2.getPerspectiveTransform(rectangle, corners)
    # Coarser than the picture: shrink that first, or fine grain turns into false pips.
    factor = max(1, round(float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])) / 2 / width / 1.6))
    source: npt.NDArray = bgr
    shrink = np.eye(3)
    if factor > 1:
        source = cv2.resize(bgr, (bgr.shape[1] // factor, bgr.shape[0] // factor), interpolation=cv2.INTER_AREA)
        shrink = np.array([[1 / factor, 0, 0.5 / factor - 0.5], [0, 1 / factor, 0.5 / factor - 0.5], [0, 0, 1.0]])
    size = tuple(-(-round(n) // (2 * CELL)) * 2 * CELL for n in (width + 2 * mx, height + 2 * my))
    flat = cv2.warpPerspective(source, shrink @ to_picture, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    picture = np.asarray(cv2.dnn.blobFromImage(flat, 1 / _SPREAD, mean=(_MEAN, _MEAN, _MEAN)), np.float32)
    out = pips.network("dice_finder")(picture)[0]
    found = []
    kinds: tuple[Literal["die", "cube"], ...] = ("die", "cube")
    for channel, kind in enumerate(kinds):
        heat = 1.0 / (1.0 + np.exp(-np.clip(out[channel], -30, 30)))
        peak = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > least_heat)
        for row, column in np.argwhere(peak):
            dx, dy, log_edge = (float(v) for v in out[2:5, row, column])
            x, y = (column + dx) * CELL + 1.5, (row + dy) * CELL + 1.5
            found.append(Found(kind, x, y, 12.0 * float(np.exp(np.clip(log_edge, -1.5, 1.5))), float(heat[row, column])))
    return Look(sorted(found, key=lambda f: -f.heat), to_picture)


def margin_of(geometry: BoardGeometry) -> tuple[float, float]:
    """Margin for `look` that takes in the rim and the profile's shaker area."""
    profile = geometry.profile
    mx = my = 0.02
    if profile.shaker:
        x0, y0, x1, y1 = profile.shaker
        mx = max(mx, (max(abs(x0), abs(x1)) - profile.field_width / 2) / profile.field_width + 0.02)
        my = max(my, (max(abs(y0), abs(y1)) - profile.field_height / 2) / profile.field_width + 0.02)
    return mx, my


def find_dice(
    bgr: npt.NDArray,
    geometry: BoardGeometry,
    orientation: Orientation | None = None,
    *,
    known_bodies: Sequence[tuple[int, int, int]] = (),
    options: DiceOptions | None = None,
    seen: Look | None = None,
) -> list[DieSeen]:
    """All dice on the playing field (and in the profile's shaker area), surest first.

    bgr: (H, W, 3) uint8, the picture that `geometry` was registered on. orientation: to name the half (default: light
    near, home right). known_bodies: mean BGR of the table's dice, when known; others then need more evidence.
    seen: a `look` at the same picture, to save a second one. Raises InvalidError for what is no picture.
    """
    picture = _check_picture(bgr, "picture")
    options = options or DiceOptions()
    orientation = orientation or Orientation()
    seen = seen or look(picture, geometry, margin_of(geometry), options.least_heat)
    cubes = [f for f in seen.found if f.kind == "cube"]
    places = [f for f in seen.found if f.kind == "die" and f.heat >= options.least_heat]
    if not places:
        return []
    pixels = seen.places(places)
    profile = geometry.profile
    centimetres = geometry.unproject(pixels, profile.die_size)
    inside = [i for i, (x, y) in enumerate(centimetres) if _counts(float(x), float(y), geometry, options)][: options.most]
    if not inside:
        return []
    patches, readings, chosen = _read(picture, seen, [places[i] for i in inside], 0.25)
    inside = [inside[k] for k in chosen]
    if not inside:
        return []
    sizes = seen.sizes([places[i] for i in inside])
    camera = geometry.camera_position
    slants = (camera[:2] - centimetres[inside]) / max(1.0, camera[2] - profile.die_size) * (1.0, -1.0)
    lying = pips.read_cocked(patches, slants)
    dice: list[DieSeen] = []
    order = sorted(range(len(inside)), key=lambda k: -_evidence(readings[k], places[inside[k]]))
    for k in order:
        reading, found = readings[k], places[inside[k]]
        (px, py), (x, y) = pixels[inside[k]], centimetres[inside[k]]
        middle = pips.PATCH // 2
        body = tuple(int(v) for v in np.median(patches[k, middle - 5 : middle + 5, middle - 5 : middle + 5].reshape(-1, 3), axis=0))
        evidence = _evidence(reading, found)
        if reading.die < _SURELY_PIPS and any(_is_cube(found, c) for c in cubes):
            continue
        if known_bodies and min(np.abs(np.array(c) - body).max() for c in known_bodies) > 70:
            evidence -= 1.5
        if evidence < np.log(options.least_die / (1 - options.least_die + 1e-9)) or any(np.hypot(d.x - px, d.y - py) < 0.6 * sizes[k] for d in dice):
            continue
        confidence = reading.confidence * reading.die
        outside = abs(x) > profile.field_width / 2 + 1.0 or abs(y) > profile.field_height / 2 + 1.0
        die = DieSeen(
            value=reading.value if confidence >= options.least_confidence else None,
            confidence=confidence,
            x=float(px),
            y=float(py),
            size=float(sizes[k]),
            half="outside" if outside or abs(x) < profile.bar_width / 2 else orientation.right_hand_half_of(float(x)),
            cocked=bool(lying[k][0] > _COCKED or lying[k][1] > _ON_CHECKER),
            on_checker=bool(lying[k][1] > _ON_CHECKER),
            body=(body[0], body[1], body[2]),
        )
        dice.append(die)
    return dice


#: From here on the pips themselves say that it is a die, however much the finder takes it for the cube.
_SURELY_PIPS = 0.99


def _evidence(reading: pips.PipReading, found: Found) -> float:
    """Log odds that it is a die; the finder's heat counts half, since both networks err alike."""
    die, heat = np.clip(reading.die, 1e-6, 1 - 1e-6), np.clip(found.heat, 1e-6, 1 - 1e-6)
    return float(np.log(die / (1 - die)) + 0.5 * np.log(heat / (1 - heat)))


def _is_cube(die: Found, cube: Found) -> bool:
    """Whether what looks like a die looks clearly more like the doubling cube."""
    return cube.heat > die.heat + 0.1 and float(np.hypot(die.x - cube.x, die.y - cube.y)) < 0.5 * cube.edge


def _read(
    picture: Image, seen: Look, places: Sequence[Found], least_die: float
) -> tuple[Image, list[pips.PipReading], list[int]]:
    """Patches, readings and indices of those places that may be dice.

    One turn shows that most candidates are none. The others are read in four turns, at the size that they have
    in common: the dice of a table are equal.
    """
    patches = np.stack([pips.cut_patch(picture, seen.to_picture, (f.x, f.y), f.edge) for f in places])
    first = pips.read_pips(patches, turns=1)
    chosen = [i for i, reading in enumerate(first) if reading.die >= least_die]
    if not chosen:
        return patches[:0], [], []
    sure = [places[i].edge for i in chosen if first[i].die > 0.7]
    common = float(np.median(sure)) if len(sure) > 1 else 0.0
    again: list[list[Image]] = [[] for _ in _SIZES]
    for i in chosen:
        edge = places[i].edge
        if common and 0.75 < edge / common < 1.33:
            edge = common
        for k, size in enumerate(_SIZES):
            again[k].append(pips.cut_patch(picture, seen.to_picture, (places[i].x, places[i].y), edge * size))
    readings = pips.read_pips(np.concatenate([np.stack(a) for a in again]), turns=2, temperature=_TEMPERATURE)
    n = len(chosen)
    merged = []
    for i in range(n):
        p = np.stack([readings[k * n + i].probabilities for k in range(len(_SIZES))])
        # The value comes from the size at which it is clearest; whether it is a die at all, from the likeliest sizes.
        weights = p[:, 1:].max(1) ** 4 + 1e-6
        given = weights @ (p[:, 1:] / np.maximum(1e-9, 1 - p[:, :1])) / weights.sum()
        none = float(p[:2, 0].mean())
        merged.append(pips.PipReading(np.concatenate([[none], given * (1 - none)]).astype(np.float32)))
    return np.stack(again[0]), merged, chosen


def _counts(x: float, y: float, geometry: BoardGeometry, options: DiceOptions) -> bool:
    """Whether a die at (x, y) cm lies on the field or in the shaker area."""
    profile = geometry.profile
    if abs(x) <= profile.field_width / 2 + options.slack_cm and abs(y) <= profile.field_height / 2 + options.slack_cm:
        return True
    if not profile.shaker:
        return False
    x0, y0, x1, y1 = profile.shaker
    return min(x0, x1) <= x <= max(x0, x1) and min(y0, y1) <= y <= max(y0, y1)
