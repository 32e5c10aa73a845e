"""What lies on the table: the outline of whatever does not look like the picture's border, if that outline has four corners.

A board that is wholly in the picture is the largest thing in it. It may be turned or small. This module straightens and enlarges it,
so that the search finds it as easily as a board that fills the picture. The search decides; this module only offers views.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[Any]
Image = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class SilhouetteModel:
    """What tells the table from a thing that lies on it, and that thing's four corners.

    width: the picture is looked at this small, px. border: the outermost share of it is taken for table.
    colours: clusters into which the border's colours are parted. often: share of the border that a cluster needs to be table.
    lightness: weight of CIE L* against a* and b*: a shadow on the table is still table.
    far: CIE Lab distance from every table colour at which a pixel is no table; the values are tried in turn.
    least, most: share of the picture that a board covers. fill: share of its quadrilateral that the outline must fill.
    corner_steps: (first, end, step) tolerances, share of the outline's length, at which it is reduced to four corners.
    around: margin on each side of the upright view, share of its size.
    apart: quadrilaterals whose corners differ by less are one, share of their width.
    tie: a second side may be the top when it leans less than this from level, degrees.
    smooth_from, smooth: when the view is this many times smaller than the picture, the picture is blurred first by
    `smooth` px (standard deviation) for each time; half a pixel of the view keeps it from aliasing.
    Source: `bench_finding.py`; `lightness`, `often` and `corner_steps` were chosen by eye.
    """

    width: int = 320
    border: float = 0.05
    colours: int = 4
    often: float = 0.1
    lightness: float = 0.6
    far: tuple[float, ...] = (14.0, 24.0)
    least: float = 0.04
    most: float = 0.9
    fill: float = 0.85
    corner_steps: tuple[float, float, float] = (0.01, 0.12, 0.01)
    around: float = 0.06
    apart: float = 0.08
    tie: float = 60.0
    smooth_from: float = 1.5
    smooth: float = 0.4


MODEL = SilhouetteModel()
#: The upright view of a silhouette, px.
VIEW_SIZE = (640, 520)


def silhouettes(image: Image) -> list[Floats]:
    """(4, 2) px TL TR BR BL of four-cornered things in `image` (H, W, 3) BGR: the largest for each distance in `MODEL.far`. A
    thing that is turned by nearly 45 degrees is returned both ways round."""
    factor = MODEL.width / image.shape[1]
    small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    # Wood grain, stitches and the weave of a cloth belong to the table.
    lab = cv2.cvtColor(cv2.medianBlur(small, 5), cv2.COLOR_BGR2LAB).astype(np.float32)
    lab *= np.array([100 / 255, 1, 1], np.float32)
    height, width = lab.shape[:2]
    edge = max(2, round(MODEL.border * width))
    border = np.ones((height, width), bool)
    border[edge:-edge, edge:-edge] = False
    samples = np.ascontiguousarray(lab[border][::3])
    cv2.setRNGSeed(1)
    _, label, centres = cv2.kmeans(
        samples,
        MODEL.colours,
        None,  # type: ignore[call-overload]
        (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 12, 0.5),
        1,
        cv2.KMEANS_PP_CENTERS,
    )
    # A tray, an arm or a cup that reaches into the border is not the table.
    often = np.bincount(label.ravel(), minlength=MODEL.colours) > MODEL.often * len(samples)
    away = np.min(
        [
            np.linalg.norm((lab - c) * np.array([MODEL.lightness, 1, 1], np.float32), axis=2)
            for c in centres[often]
        ],
        axis=0,
    )
    found: list[Floats] = []
    for far in MODEL.far:
        quad = _largest(away > far)
        if quad is not None:
            for way in upright(quad / factor):
                wide = float(np.linalg.norm(way[1] - way[0]))
                if all(np.abs(way - other).max() > MODEL.apart * wide for other in found):
                    found.append(way)
    return found


def _largest(thing: npt.NDArray[np.bool_]) -> Floats | None:
    mask: Any = thing.astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    hull = cv2.convexHull(max(contours, key=cv2.contourArea))
    area = float(cv2.contourArea(hull))
    if not MODEL.least * mask.size < area < MODEL.most * mask.size:
        return None
    quad = _four_corners(hull)
    if quad is None or area < MODEL.fill * float(cv2.contourArea(quad.astype(np.float32))):
        return None
    return quad


def _four_corners(hull: Any) -> Floats | None:
    length = cv2.arcLength(hull, True)
    for share in np.arange(*MODEL.corner_steps):
        few = cv2.approxPolyDP(hull, share * length, True)
        if len(few) == 4:
            return np.asarray(few, np.float64).reshape(4, 2)
        if len(few) < 4:
            break
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(hull)), np.float64)


def upright(quad: Floats) -> list[Floats]:
    """The corners of a convex (4, 2) px quadrilateral as TL TR BR BL. The top is the side that leans least from level; when two
    sides lean about as little, both answers are returned."""
    centre = quad.mean(axis=0)
    angle = np.arctan2(quad[:, 1] - centre[1], quad[:, 0] - centre[0])
    quad = quad[np.argsort(angle)]  # clockwise in the picture
    tops = quad[(np.arange(4) + 1) % 4] - quad
    lean = np.abs(np.degrees(np.arctan2(tops[:, 1], tops[:, 0])))
    first, second = (int(i) for i in np.argsort(lean)[:2])
    ways = [first, second] if lean[second] < MODEL.tie else [first]
    return [np.roll(quad, -way, axis=0) for way in ways]


def silhouette_views(image: Image) -> list[tuple[Image, Floats]]:
    """(picture, (3, 3) homography from its px to those of `image`) of every silhouette, seen as from straight above and large."""
    out = []
    width, height = VIEW_SIZE
    x, y = MODEL.around * width, MODEL.around * height
    target = np.array([[x, y], [width - x, y], [width - x, height - y], [x, height - y]], np.float32)
    for quad in silhouettes(image):
        to_view = cv2.getPerspectiveTransform(quad.astype(np.float32), target)
        # Enlarging needs no filter. Shrinking does, or the fine texture aliases.
        shrink = float(np.linalg.norm(quad[1] - quad[0])) / (width - 2 * x)
        source = (
            cv2.GaussianBlur(image, (0, 0), MODEL.smooth * shrink) if shrink > MODEL.smooth_from else image
        )
        view = cv2.warpPerspective(
            source, to_view, VIEW_SIZE, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        out.append((np.asarray(view, np.uint8), np.linalg.inv(to_view)))
    return out
