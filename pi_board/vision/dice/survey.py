"""One run of the finder over a board."""

from __future__ import annotations

from operator import attrgetter
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.changes import Change, blocks
from pi_board.vision.dice import finder
from pi_board.vision.dice.evidence import log_odds
from pi_board.vision.dice.finder import CELL
from pi_board.vision.dice.finder_view import FinderView
from pi_board.vision.dice.found import Found, Look
from pi_board.vision.dice.memory import Memory
from pi_board.vision.dice.options import HEAT_IN_PLAY
from pi_board.vision.dice.place_numbers import PLACE

Image = npt.NDArray[np.uint8]
#: A place is where the heat is no less than in any cell beside it.
_AROUND = np.ones((3, 3), np.uint8)
#: Nats below the asked heat from which on nobody works out how cold a cell is.
_COLDER = 1e-3


def survey(
    bgr: Image,
    geometry: BoardGeometry,
    margin: tuple[float, float],
    least_heat: float = HEAT_IN_PLAY,
    memory: Memory | None = None,
    change: Change | None = None,
) -> Look:
    """Run the finder over the field and `margin` (x, y; shares of the field's width) around it, hottest places first. change: what is
    new since the picture that was noted before."""
    view = FinderView(geometry, margin) if memory is None else memory.view(geometry, margin)
    flat, to_picture = view.flat(bgr, change), view.to_picture
    remembered = memory.last_look(flat, to_picture) if memory is not None else None
    if remembered is not None:
        return remembered
    if memory is None:
        answers, rests_on = finder.answers(flat), blocks(flat, 2 * CELL)
    else:
        answers, rests_on = memory.finder.answers(flat, memory.small)
    found = []
    kinds: tuple[Literal["die", "cube"], ...] = ("die", "cube")
    logits = np.ascontiguousarray(answers[..., :2].transpose(2, 0, 1))
    heats = np.zeros_like(logits)
    # (Few places are warm at all, and of the others nobody asks how cold.)
    warm = logits > log_odds(least_heat) - _COLDER
    heats[warm] = 1.0 / (1.0 + np.exp(-logits[warm].clip(-30, 30)))
    for heat, kind in zip(heats, kinds, strict=True):
        peak = (heat >= cv2.dilate(heat, _AROUND)) & (heat > least_heat)
        rows, columns = peak.nonzero()
        if not rows.size:
            continue
        dx, dy, log_edge = answers[rows, columns, 2:5].T.astype(np.float64)
        x, y = (columns + dx) * CELL + (CELL - 1) / 2, (rows + dy) * CELL + (CELL - 1) / 2
        edge = PLACE.usual_edge * np.exp(log_edge.clip(-PLACE.most_log_edge, PLACE.most_log_edge))
        each = np.array([x, y, edge, heat[rows, columns]]).T.tolist()
        found += [Found(kind, *place) for place in each]
    seen = Look(sorted(found, key=attrgetter("heat"), reverse=True), to_picture, rests_on)
    if memory is not None:
        memory.keep_look(seen)
    return seen
