"""Long straight lines of a picture, and the quadrilaterals that they bound: where a board may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[Any]  # float64
Image = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class LineModel:
    """Which lines and quadrilaterals may be a board's. Pixels are those of a picture `edge_picture.SEARCH_WIDTH` wide.

    Source: chosen by eye on the pictures of `tests/bench/bench_finding.py`, not swept; that bench shows what a change does.

    shortest: px of a segment. tried: segments, longest first, along which a line is laid. most_lean: degrees from level or plumb, as a board
    lies roughly upright: perspective of a tilt of 35° included. slack, slack_along: px that a segment may lie off a line, and more
    of it for each px along, because a lens bends a long edge.
    alike: cosine of the angle (2°) within which two lines of nearly one position are the same; apart: px between positions.

    turned: degrees below which a turned board is found as it lies. votes: weight of directions one degree aside, from -2 to 2.
    stands_out: times the mean vote that a direction needs. turn_apart: degrees between two directions.

    least_width: of a board, share of the picture's width. flattest, tallest: its height over its width in the picture. taper: ratio of opposite sides, outside: share of the picture by which
    corners may lie beyond its edge.
    """

    shortest: float = 10.0
    tried: int = 150
    most_lean: float = 35.0
    slack: float = 2.5
    slack_along: float = 0.004
    alike: float = 0.9994
    apart: float = 3.0
    turned: float = 7.0
    votes: tuple[float, ...] = (0.3, 0.7, 1.0, 0.7, 0.3)
    stands_out: float = 1.5
    turn_apart: float = 8.0
    least_width: float = 0.28
    flattest: float = 0.5
    tallest: float = 1.15
    taper: float = 1.7
    outside: float = 0.06


LINES = LineModel()
#: Below this a length or a scale is taken for zero, only so that nothing is divided by it.
_ZERO = 1e-9


def segments(image: Image) -> Floats:
    """(N, 4) x0 y0 x1 y1: line segments of at least 10 px in brightness and in two colour channels.

    Source: LSD, Grompone von Gioi et al., IPOL 2012 (cv2.createLineSegmentDetector).
    """
    detector = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD)
    found = [np.zeros((0, 4), np.float32)]
    # Red points on a green field can be equally bright, so brightness alone would miss them.
    for channel in (cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), image[..., 2], image[..., 0]):
        lines = detector.detect(np.ascontiguousarray(channel))[0]
        if lines is not None:
            found.append(np.asarray(lines, np.float32).reshape(-1, 4))
    every = np.concatenate(found).astype(np.float64)
    return every[np.hypot(every[:, 2] - every[:, 0], every[:, 3] - every[:, 1]) > LINES.shortest]


def _covered(intervals: Floats) -> float:
    """Length of the union of (N, 2) intervals."""
    low, high = intervals[np.argsort(intervals[:, 0])].T
    reached = np.maximum.accumulate(high)
    begin = np.maximum(low[1:], reached[:-1])
    return float(high[0] - low[0] + np.maximum(high[1:] - begin, 0.0).sum())


def long_lines(pieces: Floats, image_size: tuple[int, int], *, upright: bool, count: int) -> Floats:
    """(M ≤ count, 3) lines a x + b y + c = 0 (a² + b² = 1) with the most segments along them, no two alike.

    upright: near-vertical lines, else near-horizontal ones. image_size: (width, height).
    """
    width, height = image_size
    step = pieces[:, 2:] - pieces[:, :2]
    lean = (np.degrees(np.arctan2(step[:, 1], step[:, 0])) - (90 if upright else 0) + 90) % 180 - 90
    upright_enough = np.abs(lean) < LINES.most_lean
    pieces, step = pieces[upright_enough], step[upright_enough]
    if not len(pieces):
        return np.zeros((0, 3))
    length = np.hypot(*step.T)
    middle = (pieces[:, :2] + pieces[:, 2:]) / 2
    first = np.argsort(-length)[: LINES.tried]
    along = step[first] / length[first, None]
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    away = middle[first]

    def off(places: Floats, ways: Floats) -> Floats:
        """(150, N) px from the middle of each of the first to `places` (N, 2), along its way (150, 2)."""
        return ways @ places.T - (away * ways).sum(axis=1)[:, None]

    # A lens bends a long edge by a few pixels, hence the tolerance that grows with distance.
    slack = LINES.slack + LINES.slack_along * np.abs(off(middle, along))
    near = (np.abs(off(pieces[:, :2], across)) < slack) & (np.abs(off(pieces[:, 2:], across)) < slack)
    # A line through the pieces near each: their ends' weighted middle and the main axis about it, of all lines at once.
    ends = np.concatenate([pieces[:, :2], pieces[:, 2:]])
    weight = np.tile(near * length, 2)
    total = weight.sum(axis=1)
    centre = weight @ ends / total[:, None]
    x, y = ends.T[:, None, :] - centre.T[:, :, None]
    spread = np.empty((len(first), 2, 2))
    across_x = weight * x
    spread[:, 0, 0], spread[:, 1, 1] = (across_x * x).sum(axis=1), (weight * y * y).sum(axis=1)
    spread[:, 0, 1] = spread[:, 1, 0] = (across_x * y).sum(axis=1)
    _, axes = np.linalg.eigh(spread)
    ways, normals = axes[:, :, 1], axes[:, :, 0]
    reach = (x * ways[:, :1] + y * ways[:, 1:]).reshape(len(first), 2, -1)
    # (From a piece's nearer end to its farther one; to sort two numbers takes numpy ten times as long.)
    reach = np.stack([np.minimum(reach[:, 0], reach[:, 1]), np.maximum(reach[:, 0], reach[:, 1])], axis=2)
    found: list[tuple[float, Floats]] = [
        (_covered(reach[i][near[i]]), np.append(normals[i], -normals[i] @ centre[i]))
        for i in range(len(first))
    ]
    found.sort(key=lambda item: -item[0])

    def position(line: Floats) -> float:
        if upright:
            return float(-(line[1] * height / 2 + line[2]) / line[0])
        return float(-(line[0] * width / 2 + line[2]) / line[1])

    kept: list[Floats] = []
    for _, line in found:
        if all(
            abs(line[:2] @ k[:2]) < LINES.alike or abs(position(line) - position(k)) > LINES.apart
            for k in kept
        ):
            kept.append(line)
        if len(kept) == count:
            break
    return np.array(sorted(kept, key=position))


def with_borders(lines: Floats, image_size: tuple[int, int], *, upright: bool) -> Floats:
    """`long_lines` (M, 3) and both borders of the picture: a board that is cut along its frame shows no line there."""
    last = float(image_size[0] if upright else image_size[1]) - 1.0
    normal = (1.0, 0.0) if upright else (0.0, 1.0)
    return np.array([(*normal, 0.0), *lines, (*normal, -last)])


def quads_between(
    upright: Floats, level: Floats, image_size: tuple[int, int] | None = None, least_width: float = 0.0
) -> Floats:
    """(N, 4, 2) TL TR BR BL: every pair of upright lines with every pair of level ones. image_size: (width, height), to leave out at
    once most of those that are none for `plausible_quads` with this `least_width`: of all pairs one in ten is left."""
    if len(upright) < 2 or len(level) < 2:
        return np.zeros((0, 4, 2))
    crossing = np.cross(upright[:, None, :], level[None, :, :])
    scale = crossing[..., 2:]
    crossing = crossing[..., :2] / np.where(np.abs(scale) < _ZERO, _ZERO, scale)
    left, right = np.triu_indices(len(upright), 1)
    top, bottom = np.triu_indices(len(level), 1)
    if image_size is None:
        a, b = np.repeat(left, len(top)), np.repeat(right, len(top))
        c, d = np.tile(top, len(left)), np.tile(bottom, len(left))
    else:
        # Everything here depends on two lines of one kind and one of the other: a table each, and a gather for the quads.
        inside = _inside(crossing, image_size)
        both = inside[left] & inside[right]
        width = np.linalg.norm(crossing[left] - crossing[right], axis=2)
        height = np.linalg.norm(crossing[:, top] - crossing[:, bottom], axis=2)
        broad, high = width[:, top] + width[:, bottom], height[left] + height[right]
        good = both[:, top] & both[:, bottom] & _board_shaped(broad, high, image_size, least_width)
        pairs, levels = np.nonzero(good)
        a, b, c, d = left[pairs], right[pairs], top[levels], bottom[levels]
    return np.stack([crossing[a, c], crossing[b, c], crossing[b, d], crossing[a, d]], axis=1)


def _board_shaped(
    broad: Floats, high: Floats, image_size: tuple[int, int], least_width: float
) -> npt.NDArray[np.bool_]:
    """Whether sides of these lengths (sums of opposite ones, px) may be a board's."""
    enough = broad > 2 * least_width * image_size[0]
    return np.asarray(enough & (high > LINES.flattest * broad) & (high < LINES.tallest * broad))


def _inside(places: Floats, image_size: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """(...) whether places (..., 2) px are in the picture, or so little outside that a board's corner may be there."""
    size = np.array(image_size)
    slack = LINES.outside * size
    return np.asarray(((places > -slack) & (places < size + slack)).all(-1))


def turns(pieces: Floats, count: int = 2) -> list[float]:
    """By how many degrees (-45 to 45, clockwise in the picture) the straight edges of a picture, its `segments` (N, 4), are turned, the
    longest first; only what is turned by more than what is taken for upright anyway and stands out."""
    if not len(pieces):
        return []
    step = pieces[:, 2:] - pieces[:, :2]
    length = np.hypot(*step.T)
    angle = (np.degrees(np.arctan2(step[:, 1], step[:, 0])) + 45) % 90 - 45
    each = np.bincount(((angle + 45) // 1).astype(int) % 90, weights=length, minlength=90)
    votes = np.sum([np.roll(each, k) * w for k, w in enumerate(LINES.votes, -2)], axis=0)
    peaks = [
        i
        for i in np.argsort(-votes)
        if votes[i] >= max(votes[i - 1], votes[(i + 1) % 90]) and votes[i] > LINES.stands_out * votes.mean()
    ]
    found: list[float] = []
    for i in peaks:
        at = float(i) + 0.5 - 45
        if abs(at) >= LINES.turned and all(
            abs((at - other + 45) % 90 - 45) > LINES.turn_apart for other in found
        ):
            found.append(at)
        if len(found) == count:
            break
    return found


def plausible_quads(
    quads: Floats, image_size: tuple[int, int], least_width: float = LINES.least_width
) -> Floats:
    """Those of the (N, 4, 2) quads that a camera above a board could see: convex, of a board's shape, and at least `least_width` of
    the picture wide."""
    # (Cheap tests that rule out most quads come first.)
    quads = quads[_inside(quads, image_size).all(1)]
    edges = np.roll(quads, -1, axis=1) - quads
    length = np.hypot(edges[..., 0], edges[..., 1]) + _ZERO
    broad, high = length[:, 0] + length[:, 2], length[:, 1] + length[:, 3]
    good = _board_shaped(broad, high, image_size, least_width)
    quads, edges, length = quads[good], edges[good], length[good]
    following = np.roll(edges, -1, axis=1)
    good = (edges[..., 0] * following[..., 1] - edges[..., 1] * following[..., 0] > 0).all(1)
    taper = np.maximum(length[:, :2], length[:, 2:]) / np.minimum(length[:, :2], length[:, 2:])
    return quads[good & (taper < LINES.taper).all(1)]
