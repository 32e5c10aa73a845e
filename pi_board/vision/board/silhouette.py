"""What lies on the table: the outline of everything that does not look like the picture's border, as far as it is a quadrilateral.

A board that lies whole in the picture is its largest thing, whichever way it is turned and however small: seen upright and large, it
is found as easily as one that fills the picture. Nothing is decided here; these are views for the search.
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
    """width: px of the picture that is looked at. border: of it, the share that is taken for table. colours: of the table. far: CIE Lab
    distance from all of them that is no table, tried one after the other. least, most: share of the picture that a board covers. fill: share of its quadrilateral that
    the outline must fill. around: added on each side of the upright view, share of its size. apart: quadrilaterals whose corners differ by less (share of their width) are one. tie: degrees from level up
    to which a second side may be the top.
    Source: `bench_finding.py`."""

    width: int = 320
    border: float = 0.05
    colours: int = 4
    far: tuple[float, ...] = (14.0, 24.0)
    least: float = 0.04
    most: float = 0.9
    fill: float = 0.85
    around: float = 0.06
    apart: float = 0.08
    tie: float = 60.0


MODEL = SilhouetteModel()
#: The upright view of a silhouette, px.
VIEW_SIZE = (640, 520)


def silhouettes(image: Image) -> list[Floats]:
    """(4, 2) px TL TR BR BL of quadrilateral things in `image` (H, W, 3) BGR, the largest each way of looking; one that is turned by
    nearly 45 degrees both ways round."""
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
    often = np.bincount(label.ravel(), minlength=MODEL.colours) > 0.1 * len(samples)
    away = np.min(
        [np.linalg.norm((lab - c) * np.array([0.6, 1, 1], np.float32), axis=2) for c in centres[often]],
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
    for share in np.arange(0.01, 0.12, 0.01):
        few = cv2.approxPolyDP(hull, share * length, True)
        if len(few) == 4:
            return np.asarray(few, np.float64).reshape(4, 2)
        if len(few) < 4:
            break
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(hull)), np.float64)


def upright(quad: Floats) -> list[Floats]:
    """The corners of a convex (4, 2) px quadrilateral as TL TR BR BL, its top being the side that is turned least from level; both
    ways where that is nearly a tie."""
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
        # A small thing is not made sharper by being made larger, but a large one must be smoothed before it is made smaller.
        shrink = float(np.linalg.norm(quad[1] - quad[0])) / (width - 2 * x)
        source = cv2.GaussianBlur(image, (0, 0), 0.4 * shrink) if shrink > 1.5 else image
        view = cv2.warpPerspective(
            source, to_view, VIEW_SIZE, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        out.append((np.asarray(view, np.uint8), np.linalg.inv(to_view)))
    return out
