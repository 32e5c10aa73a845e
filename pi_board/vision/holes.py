"""The 37-hole board in a picture: the lattice found by its circles, each hole judged empty or occupied.

Nothing is known beforehand of the set's colours. A printed or moulded ring around every hole and round pieces of about
the same size are all that is assumed. Holes are numbered row by row, hole 1 at the far left (`pi_board.solitaire.board`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import AmbiguousError, InvalidError

Floats = npt.NDArray[Any]
Image = npt.NDArray[np.uint8]

#: (row, column) of each hole, index 0 = hole 1. The same shape as `solitaire.BOARD_37`, which vision may not import.
ROWS = (3, 5, 7, 7, 7, 5, 3)
PLACES = tuple((r, (7 - n) // 2 + i) for r, n in enumerate(ROWS) for i in range(n))
#: Pixels per hole pitch in the rectified picture.
PITCH = 48
#: Tolerance of a circle's centre from its lattice place, in pitches (a piece's top is off by its height under tilt).
NEAR = 0.24
#: Weight of what an empty hole must have against its likeness to the other holes.
PLAIN_WEIGHT = 0.25
#: Rings from which the perspective of the board may be corrected.
FEW_RINGS = 14


@dataclass(frozen=True, slots=True)
class HolesReading:
    """holes: 37 x 0/1, hole 1 first. confidences: (37,) 0..1. confidence: of the whole board. to_picture: 3x3 homography
    from lattice units (column, row; hole pitch = 1, top left of the 7 x 7 square at 0, 0) to pixels. places: (37, 2) px.
    hidden: numbers of the holes over which a hand lies."""

    holes: tuple[int, ...]
    confidences: tuple[float, ...]
    confidence: float
    to_picture: Floats
    places: Floats
    hidden: tuple[int, ...] = ()


def read_holes(bgr: Image, *, corners: npt.ArrayLike | None = None) -> HolesReading:
    """Read a picture without history. corners: (4, 2) px of the board's field, only used to look inside it.

    Raises InvalidError for something that is no picture, AmbiguousError when no board of 37 holes is found.
    """
    if (
        not isinstance(bgr, np.ndarray)
        or bgr.ndim != 3
        or bgr.shape[2] != 3
        or bgr.dtype != np.uint8
        or bgr.size == 0
    ):
        raise InvalidError("picture: expected an (H, W, 3) uint8 BGR array")
    return occupancy(bgr, find_lattice(bgr, corners=corners))


# ----------------------------------------------------------------------------------------------- lattice


def find_lattice(bgr: Image, *, corners: npt.ArrayLike | None = None) -> Floats:
    """3x3 homography from lattice units to pixels. Raises AmbiguousError."""
    quad = None if corners is None else np.asarray(corners, float).reshape(4, 2)
    best: tuple[float, Floats] | None = None
    for strictness in (30, 22, 16):
        circles = _circles(bgr, quad, strictness)
        for lattice in _lattices(circles):
            worth = _worth(bgr, lattice)
            if best is None or worth > best[0]:
                best = (worth, lattice)
        if best is not None and best[0] >= 0.8:
            break
    if best is None or best[0] < 0.6:
        raise AmbiguousError("no board of 37 holes found in this picture")
    return _best_shift(bgr, *best)


def _best_shift(bgr: Image, worth: float, lattice: Floats) -> Floats:
    """The lattice, moved by whole holes where that fits the board's outline clearly better: with few circles found
    the shape can lie on them in several ways."""
    best = (worth + 0.04, lattice)
    for dc in (-2, -1, 0, 1, 2):
        for dr in (-2, -1, 0, 1, 2):
            moved = lattice @ np.array([[1, 0, dc], [0, 1, dr], [0, 0, 1]], float)
            if (dc or dr) and (here := _worth(bgr, moved)) > best[0]:
                best = (here, moved)
    return best[1]


def _circles(bgr: Image, quad: Floats | None, strictness: float) -> Floats:
    """(n, 3) x, y, radius of circle-like things of similar size, in pixels."""
    height, width = bgr.shape[:2]
    scale = 900 / max(height, width)
    gray = cv2.cvtColor(
        cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY
    )
    gray = cv2.createCLAHE(3.0, (8, 8)).apply(cv2.GaussianBlur(gray, (0, 0), 1.2))
    found = []
    for low, high in ((9, 15), (13, 22), (19, 32), (28, 46)):
        circles = cv2.HoughCircles(
            gray,
            cv2.HOUGH_GRADIENT,
            1.3,
            1.9 * low,
            param1=110,
            param2=strictness,
            minRadius=low,
            maxRadius=high,
        )
        if circles is not None:
            found.append(circles.reshape(-1, 3)[:140])
    if not found:
        return np.zeros((0, 3))
    all_circles = np.concatenate(found).astype(float) / scale
    if quad is not None:
        inside = [
            cv2.pointPolygonTest(quad.astype(np.float32), (float(x), float(y)), False) >= 0
            for x, y, _ in all_circles
        ]
        all_circles = all_circles[np.array(inside, bool)]
    return all_circles


def _lattices(circles: Floats) -> list[Floats]:
    """Homographies of the most promising lattices among the circles, best first."""
    scored: list[tuple[float, Floats]] = []
    for radius in np.unique(np.round(np.log(circles[:, 2]) / 0.2)) if len(circles) else []:
        similar = circles[np.abs(np.log(circles[:, 2]) / 0.2 - radius) <= 1.01]
        if len(similar) >= 8:
            scored += _grow_all(similar)
    scored.sort(key=lambda s: -s[0])
    return [lattice for _, lattice in scored[:6]]


def _grow_all(circles: Floats) -> list[tuple[float, Floats]]:
    points = circles[:, :2]
    r = float(np.median(circles[:, 2]))
    delta = points[None] - points[:, None]
    distance = np.hypot(delta[..., 0], delta[..., 1])
    found: list[tuple[float, Floats]] = []
    tried: set[tuple[int, ...]] = set()
    for i in range(len(points)):
        near = np.nonzero((distance[i] > 1.9 * r) & (distance[i] < 4.2 * r))[0]
        # A board may lie at any angle; its columns are what runs more downwards than across.
        across = [j for j in near if abs(delta[i, j, 1]) < 1.05 * delta[i, j, 0]]
        down = [j for j in near if abs(delta[i, j, 0]) < 1.05 * delta[i, j, 1]]
        for j in sorted(across, key=lambda j: distance[i, j])[:2]:
            for k in sorted(down, key=lambda k: distance[i, k])[:2]:
                if not 0.65 < distance[i, j] / distance[i, k] < 1.55:
                    continue
                if abs(float(delta[i, j] @ delta[i, k])) > 0.4 * distance[i, j] * distance[i, k]:
                    continue
                key = tuple(np.round(np.concatenate([delta[i, j], delta[i, k]]) / (0.25 * r)).astype(int))
                if key in tried:
                    continue
                tried.add(key)
                grown = _grow(points, i, delta[i, j], delta[i, k])
                if grown is not None:
                    found.append(grown)
    found.sort(key=lambda s: -s[0])
    return found[:4]


def _grow(points: Floats, seed: int, u: Floats, v: Floats) -> tuple[float, Floats] | None:
    """From one cell outward: integer places for all circles that fit, then the shape's offset. (score, homography)."""
    origin = points[seed]
    basis = np.column_stack([u, v])
    try:
        cells = np.linalg.solve(basis, (points - origin).T).T
    except np.linalg.LinAlgError:
        return None
    reach = 1.6
    homography: Floats | None = None
    fitted = np.zeros(0, int)
    for _ in range(8):
        whole = np.round(cells)
        good = (np.abs(cells - whole).max(axis=1) < NEAR) & (np.abs(cells).max(axis=1) <= reach)
        good = _one_each(cells, whole, good)
        index = np.nonzero(good)[0]
        if len(index) < 4:
            return None
        if len(index) >= 8:
            h, _ = cv2.findHomography(whole[index], points[index], cv2.RANSAC, 0.22 * float(np.hypot(*u)))
            if h is None or abs(np.linalg.det(h)) < 1e-9:
                return None
            homography = h
            cells = _apply(np.linalg.inv(h), points)
        else:
            a, _ = cv2.estimateAffine2D(whole[index], points[index])
            if a is None or abs(np.linalg.det(a[:, :2])) < 1e-9:
                return None
            cells = (np.linalg.inv(a[:, :2]) @ (points - a[:, 2]).T).T
        if reach > 6 and len(index) == len(fitted):
            break
        fitted = index
        reach = min(7.5, reach + 1.0)
    if homography is None or len(fitted) < 10:
        return None
    whole = np.round(_apply(np.linalg.inv(homography), points[fitted])).astype(int)
    filled = {(int(c), int(r)) for c, r in whole}
    best = (-1e9, 0, 0)
    shape = {(c, r) for r, c in PLACES}
    for dc in range(-8, 3):
        for dr in range(-8, 3):
            inside = sum((c - dc, r - dr) in shape for c, r in filled)
            # Circles just outside the shape speak against it, unless they are pieces lying beside the board.
            outside = sum(
                -1 <= c - dc <= 7 and -1 <= r - dr <= 7 and (c - dc, r - dr) not in shape for c, r in filled
            )
            if inside - 0.8 * outside > best[0]:
                best = (inside - 0.8 * outside, dc, dr)
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


def _apply(homography: Floats, points: Floats) -> Floats:
    return cv2.perspectiveTransform(np.asarray(points, np.float64)[None], homography)[0].astype(np.float64)


def rectify(bgr: Image, lattice: Floats) -> npt.NDArray[np.float32]:
    """Log colours of the lattice square with one pitch of margin, PITCH pixels per hole."""
    to_rectified = np.array([[PITCH, 0, PITCH], [0, PITCH, PITCH], [0, 0, 1.0]])
    size = 8 * PITCH
    picture = cv2.warpPerspective(
        bgr, to_rectified @ np.linalg.inv(lattice), (size, size), flags=cv2.INTER_LINEAR
    )
    return np.asarray(np.log(picture.astype(np.float32) + 6.0), np.float32)


def _rings(logs: npt.NDArray[np.float32]) -> tuple[Floats, float, float]:
    """(37, angles, radii) ring response, the rings' radius index and sign (+1 bright, -1 dark)."""
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    radii = np.arange(4.0, 30.0)
    gray = logs.mean(axis=2)
    profiles = []
    for row, column in PLACES:
        x = PITCH * (1 + column) + radii[None] * np.cos(angles)[:, None]
        y = PITCH * (1 + row) + radii[None] * np.sin(angles)[:, None]
        profiles.append(cv2.remap(gray, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR))
    level = np.array(profiles, float)
    k = 3
    ring = np.zeros_like(level)
    ring[:, :, k:-k] = level[:, :, k:-k] - 0.5 * (level[:, :, : -2 * k] + level[:, :, 2 * k :])
    # The edge of a piece is a ring too: only holes that are plain inside tell where the printed rings run.
    rough = _roughness(logs)
    mean = ring.mean(axis=1)[rough <= 1.7 * rough.min() + 0.03]
    strength = np.sort(np.abs(mean), axis=0)[-8:].mean(axis=0)
    strength[(radii < 9) | (radii > 22)] = 0
    j = int(strength.argmax())
    sign = float(np.sign(np.median(mean[np.argsort(-np.abs(mean[:, j]))[:8], j]))) or 1.0
    return ring * sign, float(j), sign


def _roughness(logs: npt.NDArray[np.float32]) -> Floats:
    """(37,) how much goes on inside each hole: an empty one is plain board."""
    gray = cv2.GaussianBlur(logs.mean(axis=2), (0, 0), 1.0)
    slope = np.hypot(cv2.Sobel(gray, cv2.CV_32F, 1, 0), cv2.Sobel(gray, cv2.CV_32F, 0, 1))
    found = []
    for row, column in PLACES:
        x, y = PITCH * (1 + column), PITCH * (1 + row)
        found.append(np.percentile(slope[y - 9 : y + 10, x - 9 : x + 10], 90))
    return np.array(found, float)


def _worth(bgr: Image, lattice: Floats) -> float:
    """Share of the 37 places with something round on them, less what is round where nothing may be."""
    corners = _apply(lattice, np.array([[-0.5, -0.5], [6.5, -0.5], [6.5, 6.5], [-0.5, 6.5]]))
    height, width = bgr.shape[:2]
    if (
        (corners < -0.05 * width).any()
        or (corners[:, 0] > 1.05 * width).any()
        or (corners[:, 1] > 1.05 * height).any()
    ):
        return 0.0
    if (
        not cv2.isContourConvex(corners.astype(np.float32))
        or cv2.contourArea(corners.astype(np.float32)) < 0.01 * width * height
    ):
        return 0.0
    logs = rectify(bgr, lattice)
    gray = cv2.GaussianBlur(logs.mean(axis=2), (0, 0), 1.0)
    gx, gy = cv2.Sobel(gray, cv2.CV_32F, 1, 0), cv2.Sobel(gray, cv2.CV_32F, 0, 1)

    def roundness(row: float, column: float) -> float:
        """Share of directions in which an edge runs around (row, column) somewhere between 0.2 and 0.48 pitches."""
        angles = np.linspace(0, 2 * np.pi, 32, endpoint=False)
        radii = np.arange(0.2, 0.48, 0.03) * PITCH
        x = (PITCH * (1 + column) + radii[None] * np.cos(angles)[:, None]).astype(np.float32)
        y = (PITCH * (1 + row) + radii[None] * np.sin(angles)[:, None]).astype(np.float32)
        out = (
            cv2.remap(gx, x, y, cv2.INTER_LINEAR) * np.cos(angles)[:, None]
            + cv2.remap(gy, x, y, cv2.INTER_LINEAR) * np.sin(angles)[:, None]
        )
        return float(np.abs(out).max(axis=1).mean())

    on = np.array([roundness(r, c) for r, c in PLACES])
    # Between four holes lies plain board.
    off = np.array(
        [roundness(r + 0.5, c + 0.5) for r, c in PLACES if c < 6 and r < 6 and 1 <= r <= 4 and 1 <= c <= 4]
    )
    level = 0.5 * float(np.median(on)) + 0.5 * float(np.median(off))
    if np.median(on) < 1.15 * np.median(off):
        return 0.0
    return float((on > level).mean())


# --------------------------------------------------------------------------------------------- occupancy


def occupancy(bgr: Image, lattice: Floats) -> HolesReading:
    """Which holes hold a piece, from the picture alone: empty holes look like each other, and like the board inside."""
    lattice = _on_the_rings(bgr, lattice)
    logs = rectify(bgr, lattice)
    ring, j, _ = _rings(logs)
    at = int(j)
    around = ring[:, :, max(0, at - 2) : at + 3].max(axis=2)
    scale = max(float(np.percentile(np.median(around, axis=1), 90)), 0.03)
    complete = (around > 0.35 * scale).mean(axis=1)
    inner, field = _colours(logs)
    light = np.abs(inner.mean(axis=1)[:, None] - field.mean(axis=2)).min(axis=1)
    chroma = np.linalg.norm(_chroma(inner)[:, None] - _chroma(field), axis=2).min(axis=1)
    # First guess by what an empty hole must have: the board's own colour inside a whole ring.
    rough = np.minimum(_roughness(logs), 0.5)
    empty_like = 1.6 * complete - 4.0 * np.minimum(light, 0.5) - 8.0 * np.minimum(chroma, 0.25) - 2.0 * rough
    patches = hole_patches(logs)
    # Each sign of emptiness proposes a division; likeness among the holes settles it, the most consistent one counts.
    proposals = (empty_like, 1.6 * complete - 0.5, 0.8 - 4 * rough, 0.8 - 10 * np.minimum(chroma, 0.25))
    settled = [_settle(patches, empty_like, _split(values)) for values in proposals]
    score = max(settled, key=lambda s: s[0])[1]
    signs = np.column_stack([score, complete, np.minimum(light, 0.5), np.minimum(chroma, 0.3), rough])
    score = _sharpen(signs)
    sure = 1 / (1 + np.exp(-9.0 * np.abs(score)))
    holes = tuple(int(not e) for e in score > 0)
    places = _apply(lattice, np.array([[c, r] for r, c in PLACES], float))
    return HolesReading(
        holes, tuple(float(s) for s in sure), float(np.prod(np.clip(sure, 0.5, 1.0))), lattice, places
    )


def _on_the_rings(bgr: Image, lattice: Floats) -> Floats:
    """The lattice moved onto the printed rings: pieces stand above the board and pull a first fit aside."""
    for _ in range(2):
        logs = rectify(bgr, lattice)
        _, j, sign = _rings(logs)
        radius = 4.0 + j
        n = int(radius) + 6
        y, x = np.mgrid[-n : n + 1, -n : n + 1]
        r = np.hypot(x, y)
        line = np.exp(-0.5 * ((r - radius) / 1.2) ** 2)
        beside = np.exp(-0.5 * ((r - radius - 4) / 1.5) ** 2) + np.exp(-0.5 * ((r - radius + 4) / 1.5) ** 2)
        kernel = line / line.sum() - beside / beside.sum()
        response = sign * cv2.filter2D(logs.mean(axis=2), cv2.CV_32F, kernel.astype(np.float32))
        found, ideal, worth = [], [], []
        reach = 8
        inner, field = _colours(logs)
        darker = (field.mean(axis=(1, 2)) - inner.mean(axis=1)) > 0.2
        for hole, (row, column) in enumerate(PLACES):
            if sign < 0 and darker[hole]:
                continue  # the edge of a dark piece is no dark ring
            cx, cy = PITCH * (1 + column), PITCH * (1 + row)
            window = response[cy - reach : cy + reach + 1, cx - reach : cx + reach + 1]
            v, u = np.unravel_index(int(window.argmax()), window.shape)
            if 0 < v < 2 * reach and 0 < u < 2 * reach:
                found.append([cx + u - reach, cy + v - reach])
                ideal.append([column, row])
                worth.append(float(window[v, u]))
        if len(found) < 8:
            return lattice
        strong = np.array(worth) > 0.5 * np.percentile(worth, 85)
        if strong.sum() < 8:
            return lattice
        in_lattice = np.array(found, float)[strong] / PITCH - 1.0
        if np.ptp(in_lattice, axis=0).min() < 2.5:
            return lattice
        h = _correction(np.array(ideal, float)[strong], in_lattice)
        if h is None:
            return lattice
        moved = _apply(h, np.array([[0, 0], [6, 0], [6, 6], [0, 6.0]])) - np.array(
            [[0, 0], [6, 0], [6, 6], [0, 6.0]]
        )
        if np.abs(moved).max() > 0.45 or _clarity(bgr, lattice @ h) < _clarity(bgr, lattice):
            return lattice
        lattice = lattice @ h
    return lattice


def _correction(ideal: Floats, found: Floats) -> Floats | None:
    """3x3 that moves `ideal` lattice places onto `found` ones. Few rings (a full board) can tell a shift and a size,
    but no perspective: the edges of pieces among them would bend the whole lattice."""
    h, inliers = cv2.findHomography(ideal, found, cv2.RANSAC, 0.035)
    if h is not None and inliers.sum() >= FEW_RINGS:
        return np.asarray(h, float)
    a, inliers = cv2.estimateAffinePartial2D(ideal, found, method=cv2.RANSAC, ransacReprojThreshold=0.035)
    if a is None or inliers.sum() < 7:
        return None
    return np.vstack([a, [0.0, 0.0, 1.0]])


def _clarity(bgr: Image, lattice: Floats) -> float:
    """How well rings run where the lattice says: mean response of the clearest holes that are plain inside."""
    logs = rectify(bgr, lattice)
    ring, j, _ = _rings(logs)
    rough = _roughness(logs)
    plain = ring[rough <= 1.7 * rough.min() + 0.03][:, :, int(j)]
    return float(np.sort(np.median(plain, axis=1))[-10:].mean())


def _settle(patches: Floats, empty_like: Floats, empty: npt.NDArray[np.bool_]) -> tuple[float, Floats]:
    """(consistency, score of being empty) after the two groups have found their members."""
    hint = PLAIN_WEIGHT * np.tanh(2.0 * (empty_like - 0.3))
    for _ in range(8):
        score = _template_score(patches, empty) + hint
        again = np.asarray(score > 0)
        if (again == empty).all():
            break
        empty = again
    score = np.asarray(_template_score(patches, empty) + hint, float)
    apart = 0.0
    if empty.any() and not empty.all():
        apart = float(np.clip(empty_like[empty].mean() - empty_like[~empty].mean(), -2, 2))
    return float(np.minimum(np.abs(score), 1).mean()) + 0.6 * apart, score


def _sharpen(signs: Floats) -> Floats:
    """Final score from all signs (37, k; first column the settled score): on each board other signs tell the groups
    apart (colour on green felt, rings on black plastic), so each is weighted by how well it does here."""
    score = signs[:, 0]
    spread = np.array([0.15, 0.12, 0.04, 0.02, 0.05])
    for _ in range(4):
        empty = score > 0
        if empty.sum() < 3 or (~empty).sum() < 3:
            return score
        a, b = np.median(signs[empty], axis=0), np.median(signs[~empty], axis=0)
        within = np.where(empty[:, None], np.abs(signs - a), np.abs(signs - b))
        sigma = np.maximum(1.5 * np.median(within, axis=0), spread)
        # One sign may shout only so loud: a shadow or a highlight disturbs one, hardly ever all.
        each = np.clip((signs - (a + b) / 2) * (a - b) / sigma**2, -6, 6)
        score = each.sum(axis=1) / 12
    return np.asarray(score, float)


def _split(values: Floats) -> npt.NDArray[np.bool_]:
    """Two groups by the widest sensible gap; everything on one side when there is no gap."""
    order = np.sort(values)
    gaps = np.diff(order)
    middle = (order[1:] + order[:-1]) / 2
    # A gap near the value where a hole is neither clearly empty nor clearly filled counts most.
    k = int(np.argmax(gaps - 0.15 * np.abs(middle - 0.3)))
    if gaps[k] < 0.12:
        return np.asarray(values > 0.3)
    return np.asarray(values > middle[k])


def _chroma(colours: Floats) -> Floats:
    return colours - colours.mean(axis=-1, keepdims=True)


def _colours(logs: npt.NDArray[np.float32]) -> tuple[Floats, Floats]:
    """(37, 3) mean log colour inside each hole, (37, 4, 3) of the board diagonally beside it."""
    inner, field = [], []
    half = PITCH // 2
    for row, column in PLACES:
        x, y = PITCH * (1 + column), PITCH * (1 + row)
        inner.append(logs[y - 6 : y + 7, x - 6 : x + 7].reshape(-1, 3).mean(axis=0))
        field.append(
            [
                logs[y + b * half - 3 : y + b * half + 4, x + a * half - 3 : x + a * half + 4]
                .reshape(-1, 3)
                .mean(axis=0)
                for a in (-1, 1)
                for b in (-1, 1)
            ]
        )
    return np.array(inner, float), np.array(field, float)


def hole_patches(logs: npt.NDArray[np.float32]) -> Floats:
    """(37, n) unit vectors: each hole's surroundings without their brightness and contrast."""
    n = 22
    found = []
    for row, column in PLACES:
        x, y = PITCH * (1 + column), PITCH * (1 + row)
        patch = cv2.GaussianBlur(logs[y - n : y + n + 1, x - n : x + n + 1], (0, 0), 1.2)
        vector = (patch - np.median(patch, axis=(0, 1))).reshape(-1).astype(float)
        vector -= vector.mean()
        found.append(vector / max(float(np.linalg.norm(vector)), 1e-6))
    return np.array(found)


def _template_score(patches: Floats, empty: npt.NDArray[np.bool_]) -> Any:
    """How much more a hole looks like the typical empty one than like the typical filled one, about -1..1."""

    def template(chosen: npt.NDArray[np.bool_]) -> Floats | None:
        if not chosen.any():
            return None
        t = np.median(patches[chosen], axis=0)
        return np.asarray(t / max(float(np.linalg.norm(t)), 1e-6))

    like_empty, like_filled = template(empty), template(~empty)
    if like_empty is None:
        return 0.3 - patches @ np.asarray(like_filled)
    if like_filled is None:
        return patches @ like_empty - 0.3
    return patches @ like_empty - patches @ like_filled - 0.12
