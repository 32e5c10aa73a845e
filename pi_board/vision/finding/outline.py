"""A board found by its outline and by what the network makes of it: for sets whose points are no triangles.

Rounded points, bullets, lancets and striped veneer have no straight sides for `search` to go by. But their fields have edges, and a
bar in the middle; and of all the quads that lines of the picture bound, only on the true one (to 2 % or so) is the network of slots sure of
what every point holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.vision.finding.edge_picture import EdgePicture
from pi_board.vision.finding.pattern import Template, score_quads
from pi_board.vision.finding.rating import rate
from pi_board.vision.finding.search import distinct, quads_of_lines
from pi_board.vision.profile import BoardProfile

Floats = npt.NDArray[Any]
Image = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class OutlineModel:
    """bars: widths of the bar to try, shares of the field's width. quads: how many of the best-edged quads the network sees, and apart:
    by how much of their width they differ. climbing: how many of them are moved uphill. steps: of the climb, shares of an edge. sure: log certainty (all 24 points together) from
    which it is a board; rival: by how much another place must be less sure. checkers: fewest checkers that are seen.
    Source: `bench_stills.py --rooms --auto`."""

    bars: tuple[float, ...] = (0.05, 0.08, 0.11)
    quads: int = 20
    apart: float = 0.025
    climbing: int = 3
    steps: tuple[float, ...] = (0.03, 0.015, 0.0075)
    sure: float = -1.2
    rival: float = 0.8
    checkers: int = 8


MODEL = OutlineModel()
#: A board in the picture is at least so wide (share of the picture's width), turned back or not.
_LEAST_WIDTH = 0.24
#: Sides are looked at in so many places, short of the corners by this share of their length; their direction is taken over so much.
_PLACES, _SHORT, _STEP = 24, 0.04, 0.02
#: Where, across the field and half-way up, no edge is expected: between the ends of the points.
_INSIDE = (-0.4, -0.3, -0.2, 0.2, 0.3, 0.4)
#: Two ways to see a board are different from this share of the width on. Chosen by eye, not swept.
_ELSEWHERE = 0.06
#: Nats by which a step must be the better, or the climb would go on for the sake of rounding.
_BETTER = 0.02


def _template(bar: float) -> Template:
    """The four sides of the field and the two of the bar, in the unit frame (x -0.5 to 0.5, y 0 to 1)."""
    t = np.linspace(_SHORT, 1.0 - _SHORT, _PLACES)
    upright = [np.column_stack([np.full_like(t, x), t]) for x in (-0.5, 0.5, -bar / 2, bar / 2)]
    level = [np.column_stack([t - 0.5, np.full_like(t, y)]) for y in (0.0, 1.0)]
    on = np.concatenate([*upright, *level, *level])
    along = np.concatenate(
        [
            *(u + np.array([0.0, _STEP]) for u in upright),
            *(v + np.array([_STEP, 0.0]) for v in (*level, *level)),
        ]
    )
    inside = np.array([(x, 0.5) for x in _INSIDE])
    return Template(on, along, inside)


_TEMPLATES = [_template(bar) for bar in MODEL.bars]


def certainty(image: Image, quad: Floats, profile: BoardProfile, bar: float) -> tuple[float, int]:
    """(log probability of the likeliest counts of all points together, checkers in them) if the field lay at `quad` (4, 2) px."""
    rating = rate(image, quad, profile, bar)
    return rating.certainty, rating.checkers


def outlined_places(picture: EdgePicture) -> list[tuple[Floats, float]]:
    """[(corners (4, 2) px of `picture.image`, score)]: the quads whose sides, and the bar's, lie on edges best, the best first."""
    places = []
    for view, inverse in [(picture, np.eye(2, 3)), *picture.turned]:
        quads, scores = _edged(view)
        places += [
            (q @ inverse[:, :2].T + inverse[:, 2], float(s)) for q, s in zip(quads, scores, strict=True)
        ]
    return sorted(places, key=lambda place: -place[1])[: MODEL.quads]


def find_by_outline(
    image: Image, places: list[tuple[Floats, float]], profile: BoardProfile
) -> tuple[Floats, float] | None:
    """(corners (4, 2) px TL TR BR BL, log certainty) of the board in `image` (H, W, 3) BGR, None when nothing is sure to be one.
    places: its `outlined_places`."""
    if not places:
        return None
    seen = [(certainty(image, quad, profile, MODEL.bars[1])[0], quad) for quad, _ in places]
    seen.sort(key=lambda s: -s[0])
    # A coarse step for several, the fine ones for the best of them.
    first = [_climb(image, quad, value, profile, MODEL.steps[:1]) for value, quad in seen[: MODEL.climbing]]
    first.sort(key=lambda b: -b[0])
    best = [_climb(image, quad, value, profile, MODEL.steps) for value, quad, _ in first[:2]]
    best.sort(key=lambda b: -b[0])
    value, quad, checkers = best[0]
    if value < MODEL.sure or checkers < MODEL.checkers:
        return None
    width = float(np.linalg.norm(quad[1] - quad[0]))
    for other, elsewhere, _ in best[1:]:
        if (
            np.linalg.norm(elsewhere - quad, axis=1).max() > _ELSEWHERE * width
            and other > value - MODEL.rival
        ):
            return None
    return quad, value


def _edged(picture: EdgePicture) -> tuple[Floats, Floats]:
    """The quads of a picture whose sides, and the bar's, lie on edges, best first, px of its `image`."""
    quads = quads_of_lines(picture, 20, 16, _LEAST_WIDTH)
    if not len(quads):
        return np.zeros((0, 4, 2)), np.zeros(0)
    scores = score_quads(picture.tensor, quads, _TEMPLATES)
    order = np.argsort(-scores)[:600]
    quads, scores = distinct(quads[order], scores[order], MODEL.quads, MODEL.apart)
    return quads / picture.scale, scores


def _climb(
    image: Image, quad: Floats, value: float, profile: BoardProfile, steps: tuple[float, ...]
) -> tuple[float, Floats, int]:
    """(certainty, quad, checkers) after moving its sides, and widening its bar, as long as the network grows surer."""
    bar = MODEL.bars[1]
    checkers = certainty(image, quad, profile, bar)[1]
    for other in (MODEL.bars[0], MODEL.bars[2]):
        trial, n = certainty(image, quad, profile, other)
        if trial > value:
            value, bar, checkers = trial, other, n
    for step in steps:
        for _ in range(2):
            moved = [_shifted(quad, side, sign * step) for side in range(4) for sign in (1, -1)]
            tried = [certainty(image, q, profile, bar) for q in moved]
            best = int(np.argmax([v for v, _ in tried]))
            if tried[best][0] <= value + _BETTER:
                break
            (value, checkers), quad = tried[best], moved[best]
    return value, quad, checkers


def _shifted(quad: Floats, side: int, by: float) -> Floats:
    """One side moved outwards by a share of the neighbouring edges."""
    a, b, c, d = ((side + k) % 4 for k in range(4))
    out = quad.copy()
    out[a] += by * (quad[a] - quad[d])
    out[b] += by * (quad[b] - quad[c])
    return out
