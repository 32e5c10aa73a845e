"""Where the lattice of a 37-hole board lies in a picture, found by its circles (`occupancy` says what each hole holds).

Nothing is known beforehand of the set's colours. A printed or moulded ring around every hole and round pieces of about
the same size are all that is assumed. Holes are numbered row by row, hole 1 at the far left (`pi_board.solitaire.board`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import AmbiguousError
from pi_board.vision.solitaire import hole_network as holes_network

Floats = npt.NDArray[Any]
Image = npt.NDArray[np.uint8]

#: (row, column) of each hole, index 0 = hole 1. The same shape as `solitaire.BOARD_37`, which vision may not import.
ROWS = (3, 5, 7, 7, 7, 5, 3)
PLACES = tuple((r, (7 - n) // 2 + i) for r, n in enumerate(ROWS) for i in range(n))
SHAPE = frozenset(PLACES)


@dataclass(frozen=True, slots=True)
class Things:
    """Tuned numbers of what may be a hole or a piece: circles and compact blobs. px of the reduced picture.

    Source: chosen by eye on the simulated boards of `tests/bench/bench_holes.py` (printed rings, marbles, pegs), which shows what a
    change does. No sweep is recorded.
    """

    #: Longer side of the reduced picture, px: for circles and for blobs.
    circles_side: int = 900
    blobs_side: int = 640
    #: Circles: local contrast (CLAHE limit), blur (standard deviation, px), radii that are searched together, and how far apart in
    #: least radii two of them must be.
    contrast: float = 3.0
    circles_blur: float = 1.2
    radii: tuple[tuple[int, int], ...] = ((9, 15), (13, 22), (19, 32), (28, 46))
    apart: float = 1.9
    #: Hough: accumulator's scale, edge threshold, and votes of a circle: strictly first, then less so.
    accumulator: float = 1.3
    edge: float = 110
    strict: float = 30
    lenient: float = 20
    #: Circles of one range of radii that are kept.
    most: int = 140
    #: Blobs: blur, widths of the surroundings (px), and how far off their mean a pixel must be: in their standard deviations, plus
    #: levels.
    blobs_blur: float = 1.0
    around: tuple[int, ...] = (15, 31, 61)
    off: float = 0.55
    off_levels: float = 1.5
    #: Bounds of a blob's filled share of its box, of width / height, and of its sides in px.
    least_filled: float = 0.25
    most_filled: float = 0.95
    least_aspect: float = 0.55
    most_aspect: float = 1.8
    sides: tuple[int, int] = (4, 90)
    #: Things whose radii differ by about this log ratio are of one kind.
    size: float = 0.25
    sizes: float = 1.01
    #: Fewer things of one size make no lattice.
    least: int = 8


@dataclass(frozen=True, slots=True)
class Growth:
    """Tuned numbers of the lattice that grows from one thing and two neighbours. Lengths in pitches unless named otherwise.

    Source: as of `Things`.
    """

    #: Things from which a lattice is begun, neighbours tried each way, lattices kept of one size and in all.
    seeds: int = 36
    neighbours: int = 2
    best_of_size: int = 4
    best: int = 6
    #: Way to the next thing in radii: holes for pegs are small beside it.
    least_step: float = 1.9
    most_step: float = 13
    #: "Across" is what runs more across than down (a board may lie at any angle), with this much slack.
    diagonal: float = 1.05
    #: Bounds of step across / step down, and of the cosine between them.
    least_ratio: float = 0.65
    most_ratio: float = 1.55
    cosine: float = 0.4
    #: Steps that differ by less than this share of a radius are one try.
    same: float = 0.25
    #: Tolerance of a thing's centre from its lattice place (a piece's top is off by its height under tilt), and RANSAC's.
    near: float = 0.24
    ransac: float = 0.22
    #: Reach from the seed: at first, more each turn, at most; beyond `grown` a lattice that no longer grows is done.
    first_reach: float = 1.6
    more: float = 1.0
    most_reach: float = 7.5
    grown: float = 6
    #: Things from which a plane can be fitted, from which a perspective, and with which a lattice counts.
    few: int = 4
    perspective: int = 8
    enough: int = 10
    #: Determinant below which a fit has collapsed.
    collapsed: float = 1e-9
    #: Weight of a thing just outside the shape: it speaks against it, unless it is a piece that lies beside the board.
    outside: float = 0.8


@dataclass(frozen=True, slots=True)
class Fitting:
    """Tuned numbers of how well a lattice fits by the network's log probabilities. Source: as of `Things`."""

    #: Fit (about -6..0) below which there is no board, and from which no better one is looked for.
    least: float = -0.9
    sure: float = -0.12
    #: Least log probability that one place may say, the cost of a hole beyond the network's view, and the weight of what lies around
    #: the shape: pieces beside the board and a rim may look like holes.
    floor: float = -6
    missing: float = 1.0
    around: float = 0.5
    #: A plausible view: how far beyond the picture a place may lie (share of its width), the least share of the picture, and the
    #: shortest side of the square by its longest.
    beyond: float = 0.02
    least_area: float = 0.01
    least_side: float = 0.5


THINGS, GROWTH, FITTING = Things(), Growth(), Fitting()


def find_lattice(bgr: Image, *, corners: npt.ArrayLike | None = None) -> Floats:
    """3x3 homography from lattice units to pixels. Raises AmbiguousError."""
    quad = None if corners is None else np.asarray(corners, float).reshape(4, 2)
    best: tuple[float, Floats] = (-np.inf, np.eye(3))
    for things in (
        partial(_circles, strictness=THINGS.strict),
        _blobs,
        partial(_circles, strictness=THINGS.lenient),
    ):
        for lattice in _lattices(_inside(things(bgr), quad)):
            if not _in_view(bgr, lattice):
                continue
            found = _settled(bgr, lattice)
            best = max(best, found, key=lambda f: f[0])
        if best[0] >= FITTING.sure:
            break
    if best[0] < FITTING.least:
        raise AmbiguousError("no board of 37 holes found in this picture")
    return best[1]


def _settled(bgr: Image, lattice: Floats) -> tuple[float, Floats]:
    """(how well it fits, lattice), moved by whole holes where the network sees that the shape lies beside it."""
    fit, scores = _fit(bgr, lattice)
    for _ in range(3):
        moves = {(dc, dr): _shape_fit(scores, dc, dr) for dc in (-2, -1, 0, 1, 2) for dr in (-2, -1, 0, 1, 2)}
        (dc, dr), _ = max(moves.items(), key=lambda m: m[1])
        if not (dc or dr):
            break
        moved = lattice @ np.array([[1, 0, dc], [0, 1, dr], [0, 0, 1]], float)
        again, scores_there = _fit(bgr, moved)
        if again <= fit or not _in_view(bgr, moved):
            break
        fit, scores, lattice = again, scores_there, moved
    return fit, lattice


def _fit(bgr: Image, lattice: Floats) -> tuple[float, Floats]:
    """(how well the shape fits, about -6..0; log probabilities of the network (9, 9, 4))."""
    scores = holes_network.score(holes_network.draw_canvas(bgr, lattice))
    return _shape_fit(scores, 0, 0), scores


def _shape_fit(scores: Floats, dc: int, dr: int) -> float:
    """Mean log probability that holes are where the shape, moved by (dc, dr), has them, and none around it."""
    hole = np.maximum(np.logaddexp.reduce(scores[..., 1:], axis=2), FITTING.floor)
    none = np.maximum(scores[..., holes_network.NO_HOLE], FITTING.floor)
    inside: list[float] = []
    outside: list[float] = []
    for r in range(9):
        for c in range(9):
            if (r - 1 - dr, c - 1 - dc) in SHAPE:
                inside.append(float(hole[r, c]))
            elif -1 <= r - 1 - dr <= 7 and -1 <= c - 1 - dc <= 7:
                outside.append(float(none[r, c]))
    missing = 37 - len(inside)
    around = FITTING.around * sum(outside) / max(1, len(outside))
    return (sum(inside) - FITTING.missing * missing) / 37 + around


def _in_view(bgr: Image, lattice: Floats) -> bool:
    """Whether the shape is a plausible view of a board that is in the picture."""
    height, width = bgr.shape[:2]
    places = project(lattice, np.array([(c, r) for r, c in PLACES], float))
    square = project(lattice, np.array([[0, 0], [6, 0], [6, 6], [0, 6.0]])).astype(np.float32)
    if not np.isfinite(places).all() or not cv2.isContourConvex(square):
        return False
    least, most = -FITTING.beyond, 1 + FITTING.beyond
    if (places < least * width).any() or (places > (most * width, most * height)).any():
        return False
    sides = np.hypot(*(np.roll(square, -1, axis=0) - square).T)
    large = cv2.contourArea(square) > FITTING.least_area * width * height
    return bool(large and sides.min() > FITTING.least_side * sides.max())


def _inside(things: Floats, quad: Floats | None) -> Floats:
    if quad is None or not len(things):
        return things
    shape = quad.astype(np.float32)
    inside = [cv2.pointPolygonTest(shape, (float(x), float(y)), False) >= 0 for x, y, _ in things]
    return things[np.array(inside, bool)]


def _blobs(bgr: Image) -> Floats:
    """(n, 3) x, y, radius of compact things that are darker or brighter than what is around them, in pixels."""
    scale = THINGS.blobs_side / max(bgr.shape[:2])
    small = cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    gray = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (0, 0), THINGS.blobs_blur).astype(
        np.float32
    )
    found = []
    least, most = THINGS.sides
    for reach in THINGS.around:
        around = cv2.blur(gray, (reach, reach))
        spread = np.sqrt(np.maximum(cv2.blur(gray * gray, (reach, reach)) - around * around, 1.0))
        for sign in (1, -1):
            mask = (sign * (gray - around) > THINGS.off * spread + THINGS.off_levels).astype(np.uint8)
            _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
            for x, y, w, h, area in stats[1:]:
                compact = THINGS.least_filled < area / (w * h) < THINGS.most_filled
                round_ = THINGS.least_aspect < w / h < THINGS.most_aspect
                if compact and round_ and least <= w <= most and least <= h <= most:
                    found.append((x + (w - 1) / 2, y + (h - 1) / 2, (w + h) / 4))
    return np.array(found, float).reshape(-1, 3) / scale


def _circles(bgr: Image, strictness: float) -> Floats:
    """(n, 3) x, y, radius of circle-like things of similar size, in pixels."""
    height, width = bgr.shape[:2]
    scale = THINGS.circles_side / max(height, width)
    gray = cv2.cvtColor(
        cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY
    )
    gray = cv2.createCLAHE(THINGS.contrast, (8, 8)).apply(cv2.GaussianBlur(gray, (0, 0), THINGS.circles_blur))
    found = []
    for low, high in THINGS.radii:
        circles = cv2.HoughCircles(
            gray,
            cv2.HOUGH_GRADIENT,
            THINGS.accumulator,
            THINGS.apart * low,
            param1=THINGS.edge,
            param2=strictness,
            minRadius=low,
            maxRadius=high,
        )
        if circles is not None:
            found.append(circles.reshape(-1, 3)[: THINGS.most])
    if not found:
        return np.zeros((0, 3))
    return np.concatenate(found).astype(float) / scale


def _lattices(circles: Floats) -> list[Floats]:
    """Homographies of the most promising lattices among the circles, best first."""
    scored: list[tuple[float, Floats]] = []
    for radius in np.unique(np.round(np.log(circles[:, 2]) / THINGS.size)) if len(circles) else []:
        similar = circles[np.abs(np.log(circles[:, 2]) / THINGS.size - radius) <= THINGS.sizes]
        if len(similar) >= THINGS.least:
            scored += _grow_all(similar)
    scored.sort(key=lambda s: -s[0])
    return [lattice for _, lattice in scored[: GROWTH.best]]


def _grow_all(circles: Floats) -> list[tuple[float, Floats]]:
    points = circles[:, :2]
    r = float(np.median(circles[:, 2]))
    delta = points[None] - points[:, None]
    distance = np.hypot(delta[..., 0], delta[..., 1])
    found: list[tuple[float, Floats]] = []
    tried: set[tuple[int, ...]] = set()
    # Any mark of the board can be the first one; start with those that have the most neighbours.
    crowd = np.sort(distance, axis=1)[:, : min(9, len(points))].sum(axis=1)
    for i in np.argsort(crowd)[: GROWTH.seeds]:
        near = np.nonzero((distance[i] > GROWTH.least_step * r) & (distance[i] < GROWTH.most_step * r))[0]
        across = [j for j in near if abs(delta[i, j, 1]) < GROWTH.diagonal * delta[i, j, 0]]
        down = [j for j in near if abs(delta[i, j, 0]) < GROWTH.diagonal * delta[i, j, 1]]
        for j in sorted(across, key=lambda j: distance[i, j])[: GROWTH.neighbours]:
            for k in sorted(down, key=lambda k: distance[i, k])[: GROWTH.neighbours]:
                if not GROWTH.least_ratio < distance[i, j] / distance[i, k] < GROWTH.most_ratio:
                    continue
                if abs(float(delta[i, j] @ delta[i, k])) > GROWTH.cosine * distance[i, j] * distance[i, k]:
                    continue
                steps = np.concatenate([delta[i, j], delta[i, k]])
                key = tuple(np.round(steps / (GROWTH.same * r)).astype(int))
                if key in tried:
                    continue
                tried.add(key)
                grown = _grow(points, i, delta[i, j], delta[i, k])
                if grown is not None:
                    found.append(grown)
    found.sort(key=lambda s: -s[0])
    return found[: GROWTH.best_of_size]


def _grow(points: Floats, seed: int, u: Floats, v: Floats) -> tuple[float, Floats] | None:
    """From one cell outward: integer places for all circles that fit, then the shape's offset. (score, homography)."""
    origin = points[seed]
    basis = np.column_stack([u, v])
    try:
        cells = np.linalg.solve(basis, (points - origin).T).T
    except np.linalg.LinAlgError:
        return None
    reach = GROWTH.first_reach
    homography: Floats | None = None
    fitted = np.zeros(0, int)
    for _ in range(8):
        whole = np.round(cells)
        good = (np.abs(cells - whole).max(axis=1) < GROWTH.near) & (np.abs(cells).max(axis=1) <= reach)
        good = _one_each(cells, whole, good)
        index = np.nonzero(good)[0]
        if len(index) < GROWTH.few:
            return None
        if len(index) >= GROWTH.perspective:
            tolerance = GROWTH.ransac * float(np.hypot(*u))
            h, _ = cv2.findHomography(whole[index], points[index], cv2.RANSAC, tolerance)
            if h is None or abs(np.linalg.det(h)) < GROWTH.collapsed:
                return None
            homography = h
            cells = project(np.linalg.inv(h), points)
        else:
            a, _ = cv2.estimateAffine2D(whole[index], points[index])
            if a is None or abs(np.linalg.det(a[:, :2])) < GROWTH.collapsed:
                return None
            cells = (np.linalg.inv(a[:, :2]) @ (points - a[:, 2]).T).T
        if reach > GROWTH.grown and len(index) == len(fitted):
            break
        fitted = index
        reach = min(GROWTH.most_reach, reach + GROWTH.more)
    if homography is None or len(fitted) < GROWTH.enough:
        return None
    whole = np.round(project(np.linalg.inv(homography), points[fitted])).astype(int)
    filled = {(int(c), int(r)) for c, r in whole}
    best = (-1e9, 0, 0)
    shape = {(c, r) for r, c in PLACES}
    for dc in range(-8, 3):
        for dr in range(-8, 3):
            inside = sum((c - dc, r - dr) in shape for c, r in filled)
            outside = sum(
                -1 <= c - dc <= 7 and -1 <= r - dr <= 7 and (c - dc, r - dr) not in shape for c, r in filled
            )
            worth = inside - GROWTH.outside * outside
            if worth > best[0]:
                best = (worth, dc, dr)
    score, dc, dr = best
    shift = np.array([[1, 0, dc], [0, 1, dr], [0, 0, 1]], float)
    return score, homography @ shift


def _one_each(cells: Floats, whole: Floats, good: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Of several circles at one lattice place the nearest counts."""
    taken: dict[tuple[float, float], int] = {}
    out = np.zeros_like(good)
    for i in np.nonzero(good)[0]:
        key = (whole[i, 0], whole[i, 1])
        if key not in taken or np.abs(cells[i] - whole[i]).sum() < np.abs(cells[taken[key]] - whole[i]).sum():
            taken[key] = int(i)
    out[list(taken.values())] = True
    return out


def project(homography: Floats, points: Floats) -> Floats:
    """(N, 2) places through a 3x3 homography."""
    return cv2.perspectiveTransform(np.asarray(points, np.float64)[None], homography)[0].astype(np.float64)
