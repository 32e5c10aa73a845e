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
FINDER_WIDTH, CELL = 320, 4
#: Pixels that the finder was trained on, standardised the same way.
_MEAN, _SPREAD = 110.0, 60.0


@dataclass(frozen=True, slots=True)
class DiceOptions:
    """least_heat: 0..1, how sure the finder must be to have a place looked at. least_die: 0..1, how sure the reader must
    be that it is a die. least_confidence: 0..1, below it a die's value is None. most: places looked at in one picture.
    slack_cm: how far outside the field a die's centre may lie (leaning on the rim)."""

    least_heat: float = 0.25
    least_die: float = 0.5
    least_confidence: float = 0.9
    most: int = 8
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
    """A place of the rectified picture that looks like a die or cube: x, y and edge in px there, heat 0..1."""

    kind: Literal["die", "cube"]
    x: float
    y: float
    edge: float
    heat: float
    on_checker: float


def _check_picture(bgr: npt.NDArray, what: str) -> Image:
    picture = np.asarray(bgr)
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture.astype(np.uint8, copy=False), cv2.COLOR_GRAY2BGR)
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8 or min(picture.shape[:2]) < 4:
        raise InvalidError(f"{what}: expected a BGR picture (H, W, 3) uint8 of at least 4 x 4, got {picture.shape} {picture.dtype}")
    return picture


#: Edge of the die as a share of the crop's shorter side: boxes are tight, or leave room around the die.
_SHARES = (0.85, 0.7, 0.57, 0.46, 0.37)


def read_die(bgr_crop: npt.NDArray, *, least_confidence: float = 0.5) -> DieReading:
    """Value of the top face of the one die that a crop (H, W, 3) uint8 BGR shows; any view, colours, angle.

    The die should be in the middle and fill at least a third of the crop. Raises InvalidError for what is no picture.
    """
    crop = _check_picture(bgr_crop, "crop")
    height, width = crop.shape[:2]
    patches = []
    for share in _SHARES:
        for stretch in (1.0,):
            edge_x, edge_y = min(width, height) * share * stretch, min(width, height) * share / stretch
            to_image = np.diag([edge_x, edge_y, 1.0])
            to_image[:2, 2] = (width - 1) / 2, (height - 1) / 2
            patches.append(pips.cut_patch(crop, to_image, (0.0, 0.0), 1.0))
    readings = pips.read_pips(np.stack(patches), kind="photo", turns=4)
    weights = np.array([r.die**2 * r.confidence**2 + 1e-6 for r in readings])
    p = np.einsum("i,ij->j", weights / weights.sum(), np.stack([r.probabilities for r in readings]))
    best = int(np.argmax(p[1:])) + 1
    given = p[1:] / max(1e-9, p[1:].sum())
    confidence = float(given[best - 1] * min(1.0, max(r.die for r in readings)))
    return DieReading(best if confidence >= least_confidence else None, confidence, tuple(float(v) for v in given))


def finder_scale(geometry: BoardGeometry) -> float:
    """px per cm of the finder's rectified picture."""
    return FINDER_WIDTH / geometry.profile.field_width


def look(bgr: Image, geometry: BoardGeometry, margin: float, least_heat: float) -> list[Found]:
    """Run the finder over the field and `margin` cm around it; places in px of that rectified picture, hottest first."""
    scale = finder_scale(geometry)
    flat = geometry.rectify(bgr, scale, 0.0, margin)
    height, width = (-(-n // (2 * CELL)) * 2 * CELL for n in flat.shape[:2])
    picture = np.zeros((1, 3, height, width), np.float32)
    picture[0, :, : flat.shape[0], : flat.shape[1]] = (flat.transpose(2, 0, 1).astype(np.float32) - _MEAN) / _SPREAD
    out = pips.network("dice_finder")(picture)[0]
    found = []
    kinds: tuple[Literal["die", "cube"], ...] = ("die", "cube")
    for channel, kind in enumerate(kinds):
        heat = 1.0 / (1.0 + np.exp(-np.clip(out[channel], -30, 30)))
        peak = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > least_heat)
        for row, column in np.argwhere(peak):
            dx, dy, log_edge, on = (float(v) for v in out[2:, row, column])
            x, y = (column + dx) * CELL + 1.5, (row + dy) * CELL + 1.5
            found.append(Found(kind, x, y, 12.0 * float(np.exp(np.clip(log_edge, -1.5, 1.5))), float(heat[row, column]), float(1 / (1 + np.exp(-on)))))
    return sorted(found, key=lambda f: -f.heat)


def plane_to_picture(geometry: BoardGeometry, x: float, y: float) -> npt.NDArray:
    """(3, 3) local homography from board cm (y up) around (x, y) on the surface to picture px."""
    square = np.array([[x - 2, y + 2], [x + 2, y + 2], [x + 2, y - 2], [x - 2, y - 2]], np.float64)
    return cv2.getPerspectiveTransform(square.astype(np.float32), geometry.project(square).astype(np.float32))


def cut_on_board(bgr: Image, geometry: BoardGeometry, x: float, y: float, edge: float, out_edge: float) -> Image:
    """Rectified patch (48, 48, 3) around board place (x, y) cm, a thing of `edge` cm drawn `out_edge` px large."""
    flip = np.diag([1.0, -1.0, 1.0])  # rows run towards the near player
    return pips.cut_patch(bgr, plane_to_picture(geometry, x, y) @ flip, (x, -y), edge, out_edge=out_edge)


def find_dice(
    bgr: npt.NDArray,
    geometry: BoardGeometry,
    orientation: Orientation | None = None,
    *,
    known_bodies: Sequence[tuple[int, int, int]] = (),
    options: DiceOptions | None = None,
) -> list[DieSeen]:
    """All dice on the playing field (and in the profile's shaker area), surest first.

    bgr: (H, W, 3) uint8, the picture that `geometry` was registered on. orientation: to name the half (default: light
    near, home right). known_bodies: mean BGR of the table's dice, when known; others then need more evidence.
    """
    picture = _check_picture(bgr, "picture")
    options = options or DiceOptions()
    orientation = orientation or Orientation()
    profile = geometry.profile
    scale = finder_scale(geometry)
    margin = 1.5
    if profile.shaker:
        x0, y0, x1, y1 = profile.shaker
        margin = max(margin, max(abs(x0), abs(x1)) - profile.field_width / 2, max(abs(y0), abs(y1)) - profile.field_height / 2) + 0.5
    places = []
    for found in look(picture, geometry, margin, options.least_heat):
        if found.kind != "die":
            continue
        x, y = geometry.from_rectified([[found.x, found.y]], scale, margin)[0]
        slack = options.slack_cm
        inside = abs(x) <= profile.field_width / 2 + slack and abs(y) <= profile.field_height / 2 + slack
        if profile.shaker:
            inside = inside or (min(x0, x1) <= x <= max(x0, x1) and min(y0, y1) <= y <= max(y0, y1))
        if inside:
            places.append((found, float(x), float(y)))
    places = places[: options.most]
    if not places:
        return []
    patches = np.stack([cut_on_board(picture, geometry, x, y, f.edge / scale, pips.EDGE) for f, x, y in places])
    dice: list[tuple[float, DieSeen]] = []
    for (found, x, y), patch, reading in zip(places, patches, pips.read_pips(patches), strict=True):
        middle = pips.PATCH // 2
        body = tuple(int(v) for v in np.median(patch[middle - 5 : middle + 5, middle - 5 : middle + 5].reshape(-1, 3), axis=0))
        need = options.least_die
        if known_bodies and min(np.abs(np.array(k) - body).max() for k in known_bodies) > 70:
            need = max(need, 0.9)
        if reading.die < need:
            continue
        px = geometry.project([[x, y]])[0]
        size = found.edge / scale * float(geometry.scale_at([[x, y, 0.0]])[0])
        if any(np.hypot(d.x - px[0], d.y - px[1]) < 0.6 * size for _, d in dice):
            continue
        on_checker = reading.on_checker > 0.5
        cocked = on_checker or reading.cocked > 0.5
        confidence = reading.confidence * reading.die
        outside = abs(x) > profile.field_width / 2 + 1.0 or abs(y) > profile.field_height / 2 + 1.0
        seen = DieSeen(
            value=reading.value if confidence >= options.least_confidence else None, confidence=confidence,
            x=float(px[0]), y=float(px[1]), size=size,
            half="outside" if outside or abs(x) < profile.bar_width / 2 else orientation.right_hand_half_of(x),
            cocked=cocked, on_checker=on_checker, body=(body[0], body[1], body[2]),
        )
        dice.append((reading.die * found.heat, seen))
    return [seen for _, seen in sorted(dice, key=lambda pair: -pair[0])]
