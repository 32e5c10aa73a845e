"""What each hole of a 37-hole board holds: empty or a piece, told from the picture alone.

Two opinions: the network's, and likeness. Empty holes look like each other, and like the board inside.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.picture import checked_picture
from pi_board.vision.solitaire import hole_network as holes_network
from pi_board.vision.solitaire.lattice import PLACES, Floats, Image, find_lattice, project

#: Pixels per hole pitch in the rectified picture.
PITCH = 48


@dataclass(frozen=True, slots=True)
class Rings:
    """Tuned numbers of the printed rings in the rectified picture. px at PITCH px a pitch.

    Source: chosen by eye on the simulated boards of `tests/bench/bench_holes.py` (printed rings, marbles, pegs), which shows what a
    change does. No sweep is recorded.
    """

    #: Levels (8-bit) added before the log.
    black: float = 6.0
    #: Radii that are sampled (from, to) and the angles; a ring is this many px wide each way and has a radius within `radii`.
    sampled: tuple[float, float] = (4.0, 30.0)
    angles: int = 48
    width: int = 3
    radii: tuple[float, float] = (9, 22)
    #: Holes that tell where the rings run: the strongest, of those that are plain inside (roughness as a factor of the least, and
    #: log levels); the edge of a piece is a ring too.
    strongest: int = 8
    plain: float = 1.7
    plain_floor: float = 0.03
    clearest: int = 10
    #: Roughness: blur, half side of the window, percentile of the slope in it.
    blur: float = 1.0
    inside: int = 9
    rough_percentile: float = 90
    #: The matched filter of a ring: width of the line, distance and width of what lies beside it, margin (px).
    line: float = 1.2
    beside: float = 4
    beside_line: float = 1.5
    margin: int = 6
    #: How far a ring is looked for (px), and the log ratio of field to hole from which a dark piece lies there: its edge is no ring.
    reach: int = 8
    dark_piece: float = 0.2
    #: Rings that count: at least this share of a strong one (percentile), so many, over so many pitches each way.
    strong: float = 0.5
    strong_percentile: float = 85
    least: int = 8
    least_span: float = 2.5
    #: Corrections: RANSAC's tolerance and the largest move (pitches), rings for a perspective, and for a shift and a size.
    ransac: float = 0.035
    most_moved: float = 0.45
    perspective: int = 14
    least_shift: int = 7


@dataclass(frozen=True, slots=True)
class Likeness:
    """Tuned numbers of the comparison of holes within one board. Colours are natural logs, scores about -1..1.

    Source: as of `Rings`. "Swept" (2026-11-23, `bench_holes.py --sweep likeness --boards 48 --seed 21`, times 0.7 and times 1.4, one
    number at a time): 43 to 45 of 47 boards right (44 with the number as it is), and none wrong and sure.
    """

    #: A ring is there where its response has this share of a clear one's (percentile of the holes, at least `least_ring`).
    #: `least_ring` and `ring_there` were swept.
    clear_percentile: float = 90
    least_ring: float = 0.03
    ring_there: float = 0.35
    #: First guess: weights of a whole ring, of other brightness, colour and roughness than the board has, each bounded.
    #: The weights and `most_light` were swept.
    ring: float = 1.6
    light: float = 4.0
    chroma: float = 8.0
    rough: float = 2.0
    most_light: float = 0.5
    most_chroma: float = 0.25
    most_rough: float = 0.5
    #: The guess at which a hole is neither clearly empty nor clearly filled.
    even: float = 0.3
    #: Log odds of the network that count as "told" (tanh), its weight, and the weight and slope of the first guess.
    told: float = 6
    network: float = 0.3
    plain: float = 0.25
    plain_slope: float = 2.0
    #: Other divisions that are proposed, by one sign each: offset and factor.
    ring_split: float = 0.5
    split: float = 0.8
    rough_split: float = 4
    chroma_split: float = 10
    #: Weight of the network's agreement when divisions compete, and of how far apart the two groups are (bounded).
    agreement: float = 2.0
    apart: float = 0.6
    most_apart: float = 2
    #: A division by one sign: a gap counts less by this factor of its distance from `even`; below `least_gap` there is none.
    gap_slope: float = 0.15
    least_gap: float = 0.12
    #: Most that colour counts among the signs that are weighed on each board.
    most_chroma_sign: float = 0.3
    #: Half sides (px) of the windows inside a hole and on the board diagonally beside it; of a patch, and its blur.
    inside: int = 6
    beside: int = 3
    patch: int = 22
    patch_blur: float = 1.2
    #: Likeness at which a hole is of the one kind that is there, and what a hole must be more like an empty one to be it.
    one_kind: float = 0.3
    benefit: float = 0.12
    #: Confidence (log odds): of the likeness, and of each nat by which the network agrees, which is bounded.
    sure_by_likeness: float = 5.0
    sure_by_network: float = 0.5
    most_odds: float = 8
    #: Probability from which a hand lies over a hole.
    hidden: float = 0.5


@dataclass(frozen=True, slots=True)
class Signs:
    """Tuned numbers of the weighing of all signs on one board. Source: as of `Rings`."""

    #: Least standard deviations: of the settled score, the ring, brightness, colour, roughness and the network.
    least_spread: tuple[float, ...] = (0.15, 0.12, 0.04, 0.02, 0.05, 0.5)
    #: Fewer holes make no group.
    least: int = 3
    #: Standard deviation per median absolute deviation (1.48 for a Gaussian).
    sd_per_median: float = 1.5
    #: Nats that one sign may say: a shadow or a highlight disturbs one, hardly ever all.
    loudest: float = 6


RINGS, LIKENESS, SIGNS = Rings(), Likeness(), Signs()


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
    return holes_at(bgr, find_lattice(bgr, corners=corners))


def rectify(bgr: Image, lattice: Floats) -> npt.NDArray[np.float32]:
    """Log colours of the lattice square with one pitch of margin, PITCH pixels per hole."""
    to_rectified = np.array([[PITCH, 0, PITCH], [0, PITCH, PITCH], [0, 0, 1.0]])
    size = 8 * PITCH
    picture = cv2.warpPerspective(
        bgr, to_rectified @ np.linalg.inv(lattice), (size, size), flags=cv2.INTER_LINEAR
    )
    return np.asarray(np.log(picture.astype(np.float32) + RINGS.black), np.float32)


def _rings(logs: npt.NDArray[np.float32]) -> tuple[Floats, float, float]:
    """(37, angles, radii) ring response, the rings' radius index and sign (+1 bright, -1 dark)."""
    angles = np.linspace(0, 2 * np.pi, RINGS.angles, endpoint=False)
    radii = np.arange(*RINGS.sampled)
    gray = logs.mean(axis=2)
    profiles = []
    for row, column in PLACES:
        x = PITCH * (1 + column) + radii[None] * np.cos(angles)[:, None]
        y = PITCH * (1 + row) + radii[None] * np.sin(angles)[:, None]
        profiles.append(cv2.remap(gray, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR))
    level = np.array(profiles, float)
    k = RINGS.width
    ring = np.zeros_like(level)
    ring[:, :, k:-k] = level[:, :, k:-k] - 0.5 * (level[:, :, : -2 * k] + level[:, :, 2 * k :])
    # The edge of a piece is a ring too: only holes that are plain inside tell where the printed rings run.
    rough = _roughness(logs)
    mean = ring.mean(axis=1)[rough <= RINGS.plain * rough.min() + RINGS.plain_floor]
    strength = np.sort(np.abs(mean), axis=0)[-RINGS.strongest :].mean(axis=0)
    least, most = RINGS.radii
    strength[(radii < least) | (radii > most)] = 0
    j = int(strength.argmax())
    sign = float(np.sign(np.median(mean[np.argsort(-np.abs(mean[:, j]))[: RINGS.strongest], j]))) or 1.0
    return ring * sign, float(j), sign


def _roughness(logs: npt.NDArray[np.float32]) -> Floats:
    """(37,) how much goes on inside each hole: an empty one is plain board."""
    gray = cv2.GaussianBlur(logs.mean(axis=2), (0, 0), RINGS.blur)
    slope = np.hypot(cv2.Sobel(gray, cv2.CV_32F, 1, 0), cv2.Sobel(gray, cv2.CV_32F, 0, 1))
    found = []
    n = RINGS.inside
    for row, column in PLACES:
        x, y = PITCH * (1 + column), PITCH * (1 + row)
        found.append(np.percentile(slope[y - n : y + n + 1, x - n : x + n + 1], RINGS.rough_percentile))
    return np.array(found, float)


def holes_at(bgr: Image, lattice: Floats) -> HolesReading:
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
    agreed = np.clip(np.sign(filled) * odds, -LIKENESS.most_odds, LIKENESS.most_odds)
    hidden = np.exp(there[:, holes_network.HIDDEN])
    sureness = LIKENESS.sure_by_likeness * np.minimum(np.abs(filled), 1) + LIKENESS.sure_by_network * agreed
    sure = 1 / (1 + np.exp(-sureness))
    sure = np.minimum(sure, 1 - hidden)
    places = project(on_rings, np.array([[c, r] for r, c in PLACES], float))
    return HolesReading(
        tuple(int(f > 0) for f in filled),
        tuple(float(s) for s in sure),
        float(np.prod(np.clip(sure, 0.0, 1.0))),
        on_rings,
        places,
        tuple(int(i + 1) for i in np.flatnonzero(hidden > LIKENESS.hidden)),
    )


def _likeness(bgr: Image, lattice: Floats, empty_odds: Floats) -> Floats:
    """(37,) how much more like an empty hole than like a filled one each looks, about -1..1, by comparison within the
    board. empty_odds: (37,) log odds of being empty by the network."""
    logs = rectify(bgr, lattice)
    ring, j, _ = _rings(logs)
    at = int(j)
    m = LIKENESS
    around = ring[:, :, max(0, at - 2) : at + 3].max(axis=2)
    scale = max(float(np.percentile(np.median(around, axis=1), m.clear_percentile)), m.least_ring)
    complete = (around > m.ring_there * scale).mean(axis=1)
    inner, field = _colours(logs)
    light = np.minimum(np.abs(inner.mean(axis=1)[:, None] - field.mean(axis=2)).min(axis=1), m.most_light)
    chroma = np.linalg.norm(_chroma(inner)[:, None] - _chroma(field), axis=2).min(axis=1)
    rough = np.minimum(_roughness(logs), m.most_rough)
    told = np.tanh(empty_odds / m.told)
    # First guess: an empty hole shows the board's own colour inside an unbroken ring.
    empty_like = m.ring * complete - m.light * light
    empty_like = empty_like - m.chroma * np.minimum(chroma, m.most_chroma) - m.rough * rough
    hint = m.network * told + m.plain * np.tanh(m.plain_slope * (empty_like - m.even))
    patches = hole_patches(logs)
    # Each sign of emptiness proposes a division; likeness among the holes settles it, and the most consistent one counts
    # that the network agrees with.
    proposals = [
        np.asarray(empty_odds > 0),
        *(
            _split(v)
            for v in (
                empty_like,
                m.ring * complete - m.ring_split,
                m.split - m.rough_split * rough,
                m.split - m.chroma_split * np.minimum(chroma, m.most_chroma),
            )
        ),
    ]
    settled = [_settle(patches, empty_like, hint, empty) for empty in proposals]
    agreement = [float((told * np.where(score > 0, 1, -1)).mean()) for _, score in settled]
    best = int(np.argmax([worth + m.agreement * a for (worth, _), a in zip(settled, agreement, strict=True)]))
    return _sharpen(
        np.column_stack(
            [settled[best][1], complete, light, np.minimum(chroma, m.most_chroma_sign), rough, told]
        )
    )


def _on_the_rings(bgr: Image, lattice: Floats) -> Floats:
    """The lattice moved onto the printed rings: pieces stand above the board and pull a first fit aside."""
    for _ in range(2):
        logs = rectify(bgr, lattice)
        _, j, sign = _rings(logs)
        radius = RINGS.sampled[0] + j
        n = int(radius) + RINGS.margin
        y, x = np.mgrid[-n : n + 1, -n : n + 1]
        r = np.hypot(x, y)
        line = np.exp(-0.5 * ((r - radius) / RINGS.line) ** 2)
        off, wide = RINGS.beside, RINGS.beside_line
        beside = np.exp(-0.5 * ((r - radius - off) / wide) ** 2) + np.exp(
            -0.5 * ((r - radius + off) / wide) ** 2
        )
        kernel = line / line.sum() - beside / beside.sum()
        response = sign * cv2.filter2D(logs.mean(axis=2), cv2.CV_32F, kernel.astype(np.float32))
        found, ideal, worth = [], [], []
        reach = RINGS.reach
        inner, field = _colours(logs)
        darker = (field.mean(axis=(1, 2)) - inner.mean(axis=1)) > RINGS.dark_piece
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
        if len(found) < RINGS.least:
            return lattice
        strong = np.array(worth) > RINGS.strong * np.percentile(worth, RINGS.strong_percentile)
        if strong.sum() < RINGS.least:
            return lattice
        in_lattice = np.array(found, float)[strong] / PITCH - 1.0
        if np.ptp(in_lattice, axis=0).min() < RINGS.least_span:
            return lattice
        h = _correction(np.array(ideal, float)[strong], in_lattice)
        if h is None:
            return lattice
        moved = project(h, np.array([[0, 0], [6, 0], [6, 6], [0, 6.0]])) - np.array(
            [[0, 0], [6, 0], [6, 6], [0, 6.0]]
        )
        if np.abs(moved).max() > RINGS.most_moved or _clarity(bgr, lattice @ h) < _clarity(bgr, lattice):
            return lattice
        lattice = lattice @ h
    return lattice


def _correction(ideal: Floats, found: Floats) -> Floats | None:
    """3x3 that moves `ideal` lattice places onto `found` ones. Few rings (a full board) can tell a shift and a size,
    but no perspective: the edges of pieces among them would bend the whole lattice."""
    h, inliers = cv2.findHomography(ideal, found, cv2.RANSAC, RINGS.ransac)
    if h is not None and inliers.sum() >= RINGS.perspective:
        return np.asarray(h, float)
    a, inliers = cv2.estimateAffinePartial2D(
        ideal, found, method=cv2.RANSAC, ransacReprojThreshold=RINGS.ransac
    )
    if a is None or inliers.sum() < RINGS.least_shift:
        return None
    return np.vstack([a, [0.0, 0.0, 1.0]])


def _clarity(bgr: Image, lattice: Floats) -> float:
    """How well rings run where the lattice says: mean response of the clearest holes that are plain inside."""
    logs = rectify(bgr, lattice)
    ring, j, _ = _rings(logs)
    rough = _roughness(logs)
    plain = ring[rough <= RINGS.plain * rough.min() + RINGS.plain_floor][:, :, int(j)]
    return float(np.sort(np.median(plain, axis=1))[-RINGS.clearest :].mean())


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
        apart = float(empty_like[empty].mean() - empty_like[~empty].mean())
        apart = float(np.clip(apart, -LIKENESS.most_apart, LIKENESS.most_apart))
    return float(np.minimum(np.abs(score), 1).mean()) + LIKENESS.apart * apart, score


def _sharpen(signs: Floats) -> Floats:
    """Final score from all signs (37, k; first column the settled score): on each board other signs tell the groups
    apart (colour on green felt, rings on black plastic), so each is weighted by how well it does here."""
    score = signs[:, 0]
    spread = np.array(SIGNS.least_spread)
    for _ in range(4):
        empty = score > 0
        if empty.sum() < SIGNS.least or (~empty).sum() < SIGNS.least:
            return score
        a, b = np.median(signs[empty], axis=0), np.median(signs[~empty], axis=0)
        within = np.where(empty[:, None], np.abs(signs - a), np.abs(signs - b))
        sigma = np.maximum(SIGNS.sd_per_median * np.median(within, axis=0), spread)
        each = np.clip((signs - (a + b) / 2) * (a - b) / sigma**2, -SIGNS.loudest, SIGNS.loudest)
        score = each.sum(axis=1) / (2 * SIGNS.loudest)
    return np.asarray(score, float)


def _split(values: Floats) -> npt.NDArray[np.bool_]:
    """Two groups by the widest sensible gap; everything on one side when there is no gap."""
    order = np.sort(values)
    gaps = np.diff(order)
    middle = (order[1:] + order[:-1]) / 2
    # A gap near the value where a hole is neither clearly empty nor clearly filled counts most.
    k = int(np.argmax(gaps - LIKENESS.gap_slope * np.abs(middle - LIKENESS.even)))
    if gaps[k] < LIKENESS.least_gap:
        return np.asarray(values > LIKENESS.even)
    return np.asarray(values > middle[k])


def _chroma(colours: Floats) -> Floats:
    return colours - colours.mean(axis=-1, keepdims=True)


def _colours(logs: npt.NDArray[np.float32]) -> tuple[Floats, Floats]:
    """(37, 3) mean log colour inside each hole, (37, 4, 3) of the board diagonally beside it."""
    inner, field = [], []
    half = PITCH // 2
    n, k = LIKENESS.inside, LIKENESS.beside
    for row, column in PLACES:
        x, y = PITCH * (1 + column), PITCH * (1 + row)
        inner.append(logs[y - n : y + n + 1, x - n : x + n + 1].reshape(-1, 3).mean(axis=0))
        field.append(
            [
                logs[y + b * half - k : y + b * half + k + 1, x + a * half - k : x + a * half + k + 1]
                .reshape(-1, 3)
                .mean(axis=0)
                for a in (-1, 1)
                for b in (-1, 1)
            ]
        )
    return np.array(inner, float), np.array(field, float)


def hole_patches(logs: npt.NDArray[np.float32]) -> Floats:
    """(37, n) unit vectors: each hole's surroundings without their brightness and contrast."""
    n = LIKENESS.patch
    found = []
    for row, column in PLACES:
        x, y = PITCH * (1 + column), PITCH * (1 + row)
        patch = cv2.GaussianBlur(logs[y - n : y + n + 1, x - n : x + n + 1], (0, 0), LIKENESS.patch_blur)
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
        return LIKENESS.one_kind - patches @ np.asarray(like_filled)
    if like_filled is None:
        return patches @ like_empty - LIKENESS.one_kind
    return patches @ like_empty - patches @ like_filled - LIKENESS.benefit
