"""Where is the board, judged by what lies on it? The search by edges loses boards whose bar is wide, on striped cloths, or with a cup on
the points; the slot network sees at once whether checkers stand in rows where a place says that the points are.

A place that is off by half a column or more says little, so many rough places are looked at once, and the best few are
moved as long as the network sees more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.vision.finding.rating import PlacementRating, rate
from pi_board.vision.finding.search import distinct, shift_side
from pi_board.vision.profile import BoardProfile

Floats = npt.NDArray[Any]
Image = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class LookModel:
    """How places are found by what lies on them. Lengths are shares of a quad's edges, bars shares of the field's width.

    Source: drawn sets on the starting position that were not found before (`bench_finding.py --start --drawn 60 --seed 502`): of
    sixty rough places the right one, up to 15 % off, has a promise of 0.1 to 0.4 on seven of ten, no wrong one more than 0.1.

    places: rough places that are looked at; apart: between them. moved: so many of them are moved; promising: those with at least
    this promise. bar: of a rough place; bar_step: by which it is changed, within `bars`. steps: of sides, then also of
    corners from `fine` on. better: promise by which a move must be better. looks: of the network for one place at most. enough:
    promise at which the pattern of points does the rest.
    """

    places: int = 60
    apart: float = 0.06
    moved: int = 3
    promising: float = 0.06
    bar: float = 0.09
    bar_step: float = 0.03
    bars: tuple[float, float] = (0.0, 0.15)
    steps: tuple[float, ...] = (0.08, 0.04, 0.02)
    fine: float = 0.04
    better: float = 0.005
    looks: int = 90
    enough: float = 0.4


LOOKS = LookModel()
#: A place as it is moved: corners (4, 2) px and the bar's share of the width.
Place = tuple[Floats, float]


def places_by_checkers(image: Image, rough: list[Floats], profile: BoardProfile) -> list[Floats]:
    """[(4, 2) px]: where the network sees a board best, the best first, right to a few per cent of the width; none where it sees nothing.

    image: (H, W, 3) uint8 BGR. rough: (N, 4, 2) px each, the likeliest first.
    """
    seen = [(rate(image, quad, profile, LOOKS.bar), (quad, LOOKS.bar)) for quad in _merged(rough)]
    seen = [s for s in seen if s[0].promise >= LOOKS.promising]
    seen.sort(key=lambda s: -s[0].promise)
    moved: list[tuple[Floats, PlacementRating]] = []
    for rating, place in seen[: LOOKS.moved]:
        moved.append(_moved(image, place, rating, profile))
        if moved[-1][1].promise >= LOOKS.enough:
            break
    moved.sort(key=lambda m: -m[1].promise)
    return [quad for quad, _ in moved]


def _merged(rough: list[Floats]) -> Floats:
    """(N, 4, 2) the first of every list, then the second of every list, ...; none that is like an earlier one."""
    if not rough:
        return np.zeros((0, 4, 2))
    every = np.concatenate(rough)
    order = np.concatenate([-np.arange(len(quads), dtype=np.float64) for quads in rough])
    return distinct(every, order, LOOKS.places, LOOKS.apart)[0]


def _moved(
    image: Image, place: Place, rating: PlacementRating, profile: BoardProfile
) -> tuple[Floats, PlacementRating]:
    """The place moved as long as the network sees more there."""
    looks = 0
    for step in LOOKS.steps:
        better = True
        while better and looks < LOOKS.looks and rating.promise < LOOKS.enough:
            better = False
            for number in range(_MOVES if step <= LOOKS.fine else _ROUGH_MOVES):
                other = _move(place, number, step)
                if other is None:
                    continue
                its = rate(image, other[0], profile, other[1])
                looks += 1
                if its.promise > rating.promise + LOOKS.better:
                    place, rating, better = other, its, True
    return place[0], rating


#: Moves of a place: each side in and out, the bar narrower and wider; then each corner along both of its edges, in and out.
_ROUGH_MOVES, _MOVES = 10, 26


def _move(place: Place, number: int, step: float) -> Place | None:
    """The place after move `number`; None where its bar would be none that boards have."""
    quad, bar = place
    way = 1.0 if number % 2 else -1.0
    if number < 8:
        return shift_side(quad[None], number // 2, way * step)[0], bar
    if number < _ROUGH_MOVES:
        low, high = LOOKS.bars
        wider = bar + way * LOOKS.bar_step
        return (quad, wider) if low <= wider <= high else None
    corner, along = divmod((number - _ROUGH_MOVES) // 2, 2)
    moved = quad.copy()
    moved[corner] += way * step * (quad[corner] - quad[(corner + (1, 3)[along]) % 4])
    return moved, bar
