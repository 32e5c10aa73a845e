"""Where in the picture do two colours take turns along both rows? Striped veneer has edges inside its points too, and lancets hardly lie along
straight sides: there the search by edges alone goes to other places, and what it misses is found here, roughly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.finding.edge_picture import EdgePicture
from pi_board.vision.finding.lines import LINES, plausible_quads
from pi_board.vision.finding.pattern import (
    POWERS,
    Floats,
    PointPattern,
    Template,
    apply,
    score_quads,
    unit_homographies,
)
from pi_board.vision.finding.search import SEARCH, distinct, quads_of_lines, shift_side

Image = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class TurnsModel:
    """How turns of colour and edges are weighed together. Pixels are those of a picture SEARCH_WIDTH wide; lengths shares of the field.

    blur: px, evens out grain and veneer. noise: difference of two neighbours (levels) that has half a vote.
    bars, heights: of the field at which neighbours are compared. edges: weight of `score_quads` up to most_edges, which boards reach.
    looked_at: quads with the best edges. first, apart: so many of them, unlike each other, whose sides are moved out and in
    by `step`, `steps` times. places: what comes out.
    Source: three drawn sets that edges and network together had missed (`bench_finding.py --start --drawn 40 --seed 8804`): the first place
    was off by a column at most on two, 20 % and more before.
    """

    blur: float = 3.0
    noise: float = 12.0
    bars: tuple[float, ...] = (0.02, 0.06, 0.10, 0.14)
    edge_bars: tuple[float, ...] = (0.03, 0.10)
    heights: tuple[float, ...] = (0.16, 0.24, 0.31)
    edges: float = 0.5
    most_edges: float = 0.12
    looked_at: int = 3000
    first: int = 12
    apart: float = 0.06
    step: float = 0.04
    steps: int = 5
    places: int = 20


TURNS = TurnsModel()
_TEMPLATES = [Template.of(PointPattern(bar=b, power=p), (0.4,)) for b in TURNS.edge_bars for p in POWERS]


def places_by_colours(picture: EdgePicture) -> Floats:
    """(N, 4, 2) px of `picture.image`: where a board may be, the likeliest first, right to about a column."""
    quads = quads_of_lines(picture, *SEARCH.lines, LINES.least_width)
    size = (picture.small.shape[1], picture.small.shape[0])
    if not len(quads):
        return np.zeros((0, 4, 2))
    soft = cv2.GaussianBlur(picture.tensor, (0, 0), SEARCH.soft)
    colours = cv2.GaussianBlur(picture.small, (0, 0), TURNS.blur).astype(np.float32)

    def best(places: Floats, lie: Floats, count: int) -> Floats:
        worth = TURNS.edges * np.clip(lie / TURNS.most_edges, 0, 1) + turns_of_colour(colours, places)
        return distinct(places, worth, count, TURNS.apart)[0]

    lie = score_quads(soft, quads, _TEMPLATES)
    some = np.argsort(-lie)[: TURNS.looked_at]
    first = best(quads[some], lie[some], TURNS.first)
    shifts = [sign * k * TURNS.step for k in range(1, TURNS.steps + 1) for sign in (1, -1)]
    moved = np.concatenate([first, *(shift_side(first, side, by) for by in shifts for side in range(4))])
    moved = plausible_quads(moved, size)
    return best(moved, score_quads(soft, moved, _TEMPLATES), TURNS.places) / picture.scale


def turns_of_colour(colours: Floats, quads: Floats) -> Floats:
    """(N,) 0..1: how steadily neighbouring points differ in one direction and back. colours: (H, W, 3) float32 BGR, blurred; quads: (N, 4, 2).

    Every pair of neighbours counts alike, so that a few checkers do not outvote the points."""
    height, width = colours.shape[:2]
    turn = np.array([1, -1, 1, -1, 1], np.float32)[:, None]
    homographies = unit_homographies(quads).astype(np.float32)
    out = np.zeros(len(quads))
    for bar in TURNS.bars:
        x = PointPattern(bar=bar).column_x()
        places: Any = np.array(
            [(a, h if row == 0 else 1 - h) for row in (0, 1) for h in TURNS.heights for a in x], np.float32
        )
        for start in range(0, len(quads), 400):
            at = apply(homographies[start : start + 400], places) + np.float32(0.5)
            column = np.clip(at[..., 0], 0, width - 1).astype(np.intp)
            row = np.clip(at[..., 1], 0, height - 1).astype(np.intp)
            seen = np.take(colours.reshape(-1, 3), row * width + column, axis=0)
            seen = seen.reshape(len(at), 2, len(TURNS.heights), 2, 6, 3)
            step = seen[..., 1:, :] - seen[..., :-1, :]
            step *= turn / (np.linalg.norm(step, axis=-1, keepdims=True) + TURNS.noise)
            # Each quarter may begin with either colour.
            steady = np.linalg.norm(step.mean(axis=(2, 4)), axis=-1).mean(axis=(1, 2))
            out[start : start + 400] = np.maximum(out[start : start + 400], steady)
    return out
