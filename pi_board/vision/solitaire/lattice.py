"""The 37-hole board in a picture: the lattice found by its circles, each hole judged empty or occupied.

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
from pi_board.vision.picture import checked_picture
from pi_board.vision.solitaire import hole_network as holes_network

Floats = npt.NDArray[Any]
Image = npt.NDArray[np.uint8]

#: (row, column) of each hole, index 0 = hole 1. The same shape as `solitaire.BOARD_37`, which vision may not import.
ROWS = (3, 5, 7, 7, 7, 5, 3)
PLACES = tuple((r, (7 - n) // 2 + i) for r, n in enumerate(ROWS) for i in range(n))
#: Pixels per hole pitch in the rectified picture.
PITCH = 48
#: Tolerance of a circle's centre from its lattice place, in pitches (a piece's top is off by its height under tilt).
NEAR = 0.24
SHAPE = frozenset(PLACES)
#: Things from which a lattice is begun.
SEEDS = 36
#: Fit (about -6..0) of a lattice below which there is no board, and from which no better one is looked for.
LEAST_LATTICE, SURE_LATTICE = -0.9, -0.12
#: Weight of what an empty hole must have against its likeness to the other holes.
PLAIN_WEIGHT = 0.25
#: What the network adds to likeness, and what its agreement counts when divisions compete.
NETWORK_WEIGHT, AGREEMENT_WEIGHT = 0.3, 2.0
#: How sure likeness and the network's agreement make, in log odds.
SURE_BY_LIKENESS, SURE_BY_NETWORK = 5.0, 0.5
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
    bgr = checked_picture(bgr, what="picture")
    return occupancy(bgr, find_lattice(bgr, corners=corners))


# ----------------------------------------------------------------------------------------------- lattice


def find_lattice(bgr: Image, *, corners: npt.ArrayLike | None = None) -> Floats:
    """3x3 homography from lattice units to pixels. Raises AmbiguousError."""
    quad = None if corners is None else np.asarray(corners, float).reshape(4, 2)
    best: tuple[float, Floats] = (-np.inf, np.eye(3))
    for things in (partial(_circles, strictness=30), _blobs, partial(_circles, strictness=20)):
        for lattice in _lattices(_inside(things(bgr), quad)):
            if not _in_view(bgr, lattice):
                continue
            found = _settled(bgr, lattice)
            best = max(best, found, key=lambda f: f[0])
        if best[0] >= SURE_LATTICE:
            break
    if best[0] < LEAST_LATTICE:
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
    hole = np.maximum(np.logaddexp.reduce(scores[..., 1:], axis=2), -6)
    none = np.maximum(scores[..., holes_network.NO_HOLE], -6)
    inside: list[float] = []
    outside: list[float] = []
    for r in range(9):
        for c in range(9):
            if (r - 1 - dr, c - 1 - dc) in SHAPE:
                inside.append(float(hole[r, c]))
            elif -1 <= r - 1 - dr <= 7 and -1 <= c - 1 - dc <= 7:
                outside.append(float(none[r, c]))
    missing = 37 - len(inside)
    # What lies beside the board (pieces, a rim) may look like holes: that speaks less.
    return (sum(inside) - 1.0 * missing) / 37 + 0.5 * sum(outside) / max(1, len(outside))


def _in_view(bgr: Image, lattice: Floats) -> bool:
    """Whether the shape is a plausible view of a board that is in the picture."""
    height, width = bgr.shape[:2]
    places = _apply(lattice, np.array([(c, r) for r, c in PLACES], float))
    square = _apply(lattice, np.array([[0, 0], [6, 0], [6, 6], [0, 6.0]])).astype(np.float32)
    if not np.isfinite(places).all() or not cv2.isContourConvex(square):
        return False
    if (places < -0.02 * width).any() or (places > (1.02 * width, 1.02 * height)).any():
        return False
    sides = np.hypot(*(np.roll(square, -1, axis=0) - square).T)
    return bool(cv2.contourArea(square) > 0.01 * width * height and sides.min() > 0.5 * sides.max())


def _inside(things: Floats, quad: Floats | None) -> Floats:
    if quad is None or not len(things):
        return things
    shape = quad.astype(np.float32)
    inside = [cv2.pointPolygonTest(shape, (float(x), float(y)), False) >= 0 for x, y, _ in things]
    return things[np.array(inside, bool)]


def _blobs(bgr: Image) -> Floats:
    """(n, 3) x, y, radius of compact things that are darker or brighter than what is around them, in pixels."""
    scale = 640 / max(bgr.shape[:2])
    small = cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    gray = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (0, 0), 1.0).astype(np.float32)
    found = []
    for reach in (15, 31, 61):
        around = cv2.blur(gray, (reach, reach))
        spread = np.sqrt(np.maximum(cv2.blur(gray * gray, (reach, reach)) - around * around, 1.0))
        for sign in (1, -1):
            mask = (sign * (gray - around) > 0.55 * spread + 1.5).astype(np.uint8)
            _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
            for x, y, w, h, area in stats[1:]:
                compact = 0.25 < area / (w * h) < 0.95 and 0.55 < w / h < 1.8
                if compact and 4 <= w <= 90 and 4 <= h <= 90:
                    found.append((x + (w - 1) / 2, y + (h - 1) / 2, (w + h) / 4))
    return np.array(found, float).reshape(-1, 3) / scale


def _circles(bgr: Image, strictness: float) -> Floats:
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
    return np.concatenate(found).astype(float) / scale


def _lattices(circles: Floats) -> list[Floats]:
    """Homographies of the most promising lattices among the circles, best first."""
    scored: list[tuple[float, Floats]] = []
    for radius in np.unique(np.round(np.log(circles[:, 2]) / 0.25)) if len(circles) else []:
        similar = circles[np.abs(np.log(circles[:, 2]) / 0.25 - radius) <= 1.01]
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
    # Any thing of the board will do to begin with: those in the thick of the others first.
    crowd = np.sort(distance, axis=1)[:, : min(9, len(points))].sum(axis=1)
    for i in np.argsort(crowd)[:SEEDS]:
        # Holes for pegs are small beside the way to the next one.
        near = np.nonzero((distance[i] > 1.9 * r) & (distance[i] < 13 * r))[0]
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


# --------------------------------------------------------------------------------------------- occupancy


def occupancy(bgr: Image, lattice: Floats) -> HolesReading:
    """Which holes hold a piece, from the picture alone.

    Two opinions: the network's, and likeness (empty holes look like each other, and like the board inside), which the
    network tells what is empty. Where they differ the reading is unsure.
    """
    on_rings = _on_the_rings(bgr, lattice)
    looks = [lattice] if on_rings is lattice else [lattice, on_rings]
    scores = np.mean(
        [holes_network.score_mirrored(holes_network.draw_canvas(bgr, at)) for at in looks], axis=0
    )
    there = scores[tuple(np.array(PLACES).T + 1)]
    odds = there[:, holes_network.PIECE] - there[:, holes_network.EMPTY]
    filled = -_likeness(bgr, on_rings, -odds)
    agreed = np.clip(np.sign(filled) * odds, -8, 8)
    hidden = np.exp(there[:, holes_network.HIDDEN])
    sure = 1 / (1 + np.exp(-(SURE_BY_LIKENESS * np.minimum(np.abs(filled), 1) + SURE_BY_NETWORK * agreed)))
    sure = np.minimum(sure, 1 - hidden)
    places = _apply(on_rings, np.array([[c, r] for r, c in PLACES], float))
    return HolesReading(
        tuple(int(f > 0) for f in filled),
        tuple(float(s) for s in sure),
        float(np.prod(np.clip(sure, 0.0, 1.0))),
        on_rings,
        places,
        tuple(int(i + 1) for i in np.flatnonzero(hidden > 0.5)),
    )


def _likeness(bgr: Image, lattice: Floats, empty_odds: Floats) -> Floats:
    """(37,) how much more like an empty hole than like a filled one each looks, about -1..1, by comparison within the
    board. empty_odds: (37,) log odds of being empty by the network."""
    logs = rectify(bgr, lattice)
    ring, j, _ = _rings(logs)
    at = int(j)
    around = ring[:, :, max(0, at - 2) : at + 3].max(axis=2)
    scale = max(float(np.percentile(np.median(around, axis=1), 90)), 0.03)
    complete = (around > 0.35 * scale).mean(axis=1)
    inner, field = _colours(logs)
    light = np.minimum(np.abs(inner.mean(axis=1)[:, None] - field.mean(axis=2)).min(axis=1), 0.5)
    chroma = np.linalg.norm(_chroma(inner)[:, None] - _chroma(field), axis=2).min(axis=1)
    rough = np.minimum(_roughness(logs), 0.5)
    told = np.tanh(empty_odds / 6)
    # First guess by what an empty hole must have: the board's own colour inside a whole ring.
    empty_like = 1.6 * complete - 4.0 * light - 8.0 * np.minimum(chroma, 0.25) - 2.0 * rough
    hint = NETWORK_WEIGHT * told + PLAIN_WEIGHT * np.tanh(2.0 * (empty_like - 0.3))
    patches = hole_patches(logs)
    # Each sign of emptiness proposes a division; likeness among the holes settles it, and the most consistent one counts
    # that the network agrees with.
    proposals = [
        np.asarray(empty_odds > 0),
        *(
            _split(v)
            for v in (empty_like, 1.6 * complete - 0.5, 0.8 - 4 * rough, 0.8 - 10 * np.minimum(chroma, 0.25))
        ),
    ]
    settled = [_settle(patches, empty_like, hint, empty) for empty in proposals]
    agreement = [float((told * np.where(score > 0, 1, -1)).mean()) for _, score in settled]
    best = int(
        np.argmax([worth + AGREEMENT_WEIGHT * a for (worth, _), a in zip(settled, agreement, strict=True)])
    )
    return _sharpen(
        np.column_stack([settled[best][1], complete, light, np.minimum(chroma, 0.3), rough, told])
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


def _settle(
    patches: Floats, empty_like: Floats, hint: Floats, empty: npt.NDArray[np.bool_]
) -> tuple[float, Floats]:
    """(consistency, score of being empty) after the two groups have found their members."""
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
    spread = np.array([0.15, 0.12, 0.04, 0.02, 0.05, 0.5])
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
