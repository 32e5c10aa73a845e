"""Where in the picture is a board? Quads between long lines, judged by the pattern of points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from pi_board.vision.board.geometry import transform
from pi_board.vision.finding.edge_picture import EdgePicture
from pi_board.vision.finding.lines import (
    LINES,
    long_lines,
    plausible_quads,
    quads_between,
    with_borders,
)
from pi_board.vision.finding.pattern import (
    POWERS,
    UNUSUAL,
    Floats,
    PointPattern,
    Template,
    score_kinds,
    score_quads,
)
from pi_board.vision.finding.silhouette import silhouette_views

_BARS = (0.01, 0.09)


@dataclass(frozen=True, slots=True)
class SearchModel:
    """How quads between lines become places. Steps and distances are shares of a quad's edges or width.

    Source: chosen by eye on the pictures of `tests/bench/bench_finding.py`, not swept; that bench shows what a change does.

    lines: upright and level lines whose quads are looked at (their number grows with the fourth power). soft: blur of the edges
    for the first looks, px of a picture SEARCH_WIDTH wide. glanced: quads that are looked at again after a glance; climbing: those that climb, per
    kind of points. alike, alike_wider: distance below which two places are one, and the same once sides have been tried elsewhere.
    side_step, side_steps: one edge of four is often hidden or faint, so it is tried that far out and in, so many times.
    coarse, fine: steps of the climb, first on soft edges, then on sharp ones; coarse_rounds, fine_rounds: rounds of each step.
    better: score (0..1) by which a move must be better, or rounding would go on climbing.
    """

    lines: tuple[int, int] = (24, 24)
    soft: float = 2.0
    glanced: int = 500
    climbing: int = 10
    alike: float = 0.02
    alike_wider: float = 0.025
    side_step: float = 0.03
    side_steps: int = 12
    coarse: tuple[float, ...] = (0.02, 0.01, 0.005)
    fine: tuple[float, ...] = (0.01, 0.005, 0.0025)
    coarse_rounds: int = 2
    fine_rounds: int = 3
    better: float = 1e-4


SEARCH = SearchModel()


def _templates(heights: tuple[float, ...]) -> dict[float, list[Template]]:
    """One list of templates, narrow bar and wide bar, per power of the points' sides."""
    return {p: [Template.of(PointPattern(bar=b, power=p), heights) for b in _BARS] for p in POWERS}


_GLANCE, _QUICK, _FULL = _templates((0.4,)), _templates((0.2, 0.6)), _templates((0.15, 0.4, 0.65, 0.85))


def shift_side(quads: Floats, side: int, by: float) -> Floats:
    """Moves one side outwards by a share of the neighbouring edges."""
    a, b, c, d = ((side + k) % 4 for k in range(4))
    out = quads.copy()
    out[:, a] += by * (quads[:, a] - quads[:, d])
    out[:, b] += by * (quads[:, b] - quads[:, c])
    return out


def _neighbours(quads: Floats, step: float) -> Floats:
    """(N, M, 4, 2): small moves of every quad: sides, corners along edges, the whole."""
    out = []
    for f in (step, -step):
        for k in range(4):
            out.append(shift_side(quads, k, f))
            for other in ((k + 1) % 4, (k + 3) % 4):
                moved = quads.copy()
                moved[:, k] += f * (quads[:, k] - quads[:, other])
                out.append(moved)
        out.append(quads + f * (quads[:, 1:2] - quads[:, 0:1]))
        out.append(quads + f * (quads[:, 3:4] - quads[:, 0:1]))
        centre = quads.mean(1, keepdims=True)
        out.append(centre + (quads - centre) * (1 + f))
    return np.stack(out, axis=1)


def distinct(quads: Floats, scores: Floats, count: int, apart: float) -> tuple[Floats, Floats]:
    """The best `count` quads whose corners differ by more than `apart` of their width."""
    kept: list[int] = []
    for i in np.argsort(-scores, kind="stable"):
        width = np.linalg.norm(quads[i, 1] - quads[i, 0])
        if not kept or (np.abs(quads[kept] - quads[i]).max((1, 2)) > apart * width).all():
            kept.append(int(i))
        if len(kept) == count:
            break
    return quads[kept], scores[kept]


def climb(
    tensor: Floats, quads: Floats, templates: list[Template], steps: tuple[float, ...], rounds: int
) -> tuple[Floats, Floats]:
    """Every quad moved uphill on `score_quads`; steps are shares of its edges."""
    scores = score_quads(tensor, quads, templates)
    quads = quads.copy()
    for step in steps:
        # A quad without a better neighbour in this round has none in the next one either, so it is left out.
        moving = np.arange(len(quads))
        for _ in range(rounds):
            trial = _neighbours(quads[moving], step)
            n, m = trial.shape[:2]
            value = score_quads(tensor, trial.reshape(-1, 4, 2), templates).reshape(n, m)
            best = value.argmax(1)
            top = value[np.arange(n), best]
            better = top > scores[moving] + SEARCH.better
            moving = moving[better]
            if not len(moving):
                break
            quads[moving] = trial[better, best[better]]
            scores[moving] = top[better]
    return quads, scores


def quads_of_lines(picture: EdgePicture, upright: int, level: int, least_width: float) -> Floats:
    """Quads (N, 4, 2) px of `picture.small` between its longest lines: so many of each kind, and only those that are plausible for a
    board of this `least_width`."""
    size = (picture.small.shape[1], picture.small.shape[0])
    quads = quads_between(
        with_borders(long_lines(picture.pieces, size, upright=True, count=upright), size, upright=True),
        with_borders(long_lines(picture.pieces, size, upright=False, count=level), size, upright=False),
        size,
        least_width,
    )
    return plausible_quads(quads, size, least_width)


def search_board(
    picture: EdgePicture,
    hints: Floats | None = None,
    count: int = 4,
    least_width: float = LINES.least_width,
) -> list[tuple[Floats, float]]:
    """[(corners (4, 2) px of `picture.image`, score)]: quads along which the pattern of points lies, first the best for each kind of
    points, then others.

    Across the field they are right to about 1 %; the far and near edges may be off by 8 %, as the sides of the points
    alone hardly tell where the points end (`pattern_fit` settles that). hints: (N, 4, 2) further quads to try. least_width: of a
    board, as a share of the picture's.
    """
    *_, found = search_kinds(picture, hints, count, least_width)
    return found


def search_kinds(
    picture: EdgePicture,
    hints: Floats | None = None,
    count: int = 4,
    least_width: float = LINES.least_width,
    glances: list[Floats] | None = None,
) -> Iterator[list[tuple[Floats, float]]]:
    """As `search_board`, in two steps: where triangles lie best, as on most boards; then all of it, if that was not enough. (The first
    costs a third of both.)
    glances: grows by (N, 4, 2) px of `picture.image` for each kind of points, the likeliest quads at a glance, the best first."""
    quads, factor = quads_of_lines(picture, *SEARCH.lines, least_width), picture.scale
    size = (picture.small.shape[1], picture.small.shape[0])
    if hints is not None and len(hints):
        quads = np.concatenate([quads, plausible_quads(np.asarray(hints) * factor, size, least_width)])
    if not len(quads):
        yield from ([], [])
        return
    sharp = picture.tensor
    soft = cv2.GaussianBlur(sharp, (0, 0), SEARCH.soft)
    found: list[tuple[Floats, float]] = []
    others: list[tuple[Floats, float]] = []
    at_a_glance: dict[float, Floats] = {}
    for power in POWERS:
        # Return the best place for each kind of points first. The fit decides which kind it is.
        if power not in at_a_glance:
            kinds = POWERS[:1] if power == POWERS[0] else POWERS[1:]
            scores = score_kinds(soft, quads, [_GLANCE[kind] for kind in kinds])
            at_a_glance |= zip(kinds, scores, strict=True)
        glanced = quads[np.argsort(-at_a_glance[power])[: SEARCH.glanced]]
        if glances is not None:
            glances.append(glanced / factor)
        each = [
            (quad / factor, score - (0.0 if power == 1.0 else UNUSUAL))
            for quad, score in _climbed(sharp, soft, glanced, power, size, least_width, count)
        ]
        found += each[:1]
        others += each[1:]
        if power == 1.0:
            yield list(found)
    found.sort(key=lambda each: -each[1])
    for quad, score in sorted(others, key=lambda each: -each[1]):
        width = float(np.linalg.norm(quad[1] - quad[0]))
        if len(found) < count and all(
            np.abs(quad - other).max() > SEARCH.alike * width for other, _ in found
        ):
            found.append((quad, score))
    yield found


def _climbed(
    sharp: Floats,
    soft: Floats,
    quads: Floats,
    power: float,
    size: tuple[int, int],
    least_width: float,
    count: int,
) -> list[tuple[Floats, float]]:
    """The best `count` of the quads after they have moved uphill, for points of one power of sides."""
    quick, full = _QUICK[power], _FULL[power]
    best, _ = distinct(quads, score_quads(soft, quads, quick), SEARCH.climbing, SEARCH.alike)
    # One edge of four is often hidden or faint: try the other three with it elsewhere.
    shifts = [s * k * SEARCH.side_step for k in range(1, SEARCH.side_steps + 1) for s in (1, -1)]
    wider = plausible_quads(
        np.concatenate([best, *(shift_side(best, k, f) for f in shifts for k in range(4))]),
        size,
        least_width,
    )
    if not len(wider):
        return []
    best, _ = distinct(wider, score_quads(soft, wider, quick), SEARCH.climbing, SEARCH.alike_wider)
    best, _ = climb(soft, best, quick, SEARCH.coarse, SEARCH.coarse_rounds)
    best, _ = distinct(best, score_quads(sharp, best, full), count + 1, SEARCH.alike)
    best, scores = climb(sharp, best, full, SEARCH.fine, SEARCH.fine_rounds)
    order = np.argsort(-scores)[:count]
    return [(best[i], float(scores[i])) for i in order]


def search_near(tensor: Floats, quad: Floats) -> Floats:
    """(4, 2) px: the place near `quad` where the pattern of points lies best; tensor: `edge_tensor` of the same picture."""
    best, value = quad, -1.0
    for power in POWERS:
        moved, scores = climb(tensor, quad[None], _FULL[power], SEARCH.coarse, SEARCH.fine_rounds)
        score = float(scores[0]) - (0.0 if power == 1.0 else UNUSUAL)
        if score > value:
            best, value = moved[0], score
    return best


#: Least width of a board, as a share of the picture: of a turned board once the picture has been turned back (which enlarges it), and
#: of a board in the upright view of a thing on the table (which may include trays).
_TURNED_WIDTH, _VIEWED_WIDTH = 0.2, 0.45


#: Places in one view, (corners (4, 2) px of the picture, score) each.
Places = list[tuple[Floats, float]]


def search_views(
    picture: EdgePicture, hints: Floats | None = None, glances: list[Floats] | None = None
) -> tuple[Iterator[Places], Iterator[Places]]:
    """(at a glance, in the whole) `search_board` in one view after the other; the second goes on where the first ended.

    At a glance: where triangles lie best in the picture as it is, then in the picture turned back by as much as most of its straight edges
    are. In the whole: all kinds of points in the picture as it is; in what lies on its table, seen upright and large, however it is
    turned and however small it is; in the picture turned back.
    glances: as of `search_kinds`.
    """
    kinds = search_kinds(picture, hints, glances=glances)
    turned: list[tuple[Iterator[Places], Floats]] = []

    def at_a_glance() -> Iterator[Places]:
        yield next(kinds)
        for view, inverse in picture.turned:
            turned.append((search_kinds(view, count=3, least_width=_TURNED_WIDTH), inverse))
            yield _turned_back(next(turned[-1][0]), inverse)

    def in_the_whole() -> Iterator[Places]:
        yield from kinds
        for view, back in silhouette_views(picture.image):
            found = search_board(EdgePicture(view), count=3, least_width=_VIEWED_WIDTH)
            yield [(transform(back, quad), score) for quad, score in found]
        for views, inverse in turned:
            for found in views:
                yield _turned_back(found, inverse)

    return at_a_glance(), in_the_whole()


def _turned_back(places: Places, inverse: Floats) -> Places:
    """inverse: (2, 3) affine map of the turned picture's px to those of the picture."""
    return [(quad @ inverse[:, :2].T + inverse[:, 2], score) for quad, score in places]
