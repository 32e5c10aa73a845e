"""The whole position that one picture plainly shows to somebody who knows what lay there last."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.rules import Position
from pi_board.sighting import OFF_LIGHT, ZERO
from pi_board.vision.checkers.known_position import signed_counts

CHECKERS = 15


@dataclass(frozen=True, slots=True)
class PlainModel:
    """hardly: nats; by fewer the reader hardly speaks against a place (heights of stacks are read no better). no_doubt: nats by which it
    must tell a count, and a whole position, from all others to be in no doubt of it. most: so many positions may be left open by its doubts.

    Source: `hardly` and `no_doubt` set on rendered games with lamps (`bench campaign`, 520000-620000); `most` set, for the time it takes.
    """

    hardly: float = 3.0
    no_doubt: float = 5.0
    most: int = 64


PLAIN = PlainModel()


def plainly_shown(table: npt.NDArray[Any], accepted: Position) -> Position | None:
    """The whole position that `table` ((28, 31) nats of the uncalibrated reader, as in `Sighting`) shows, None where it shows none: the
    accepted one, against which it hardly speaks, or else the one with as many checkers borne off that it tells from all others (who plays
    while the light changes has not waited)."""
    counts = signed_counts(accepted)
    behind = table[:OFF_LIGHT].max(axis=1, keepdims=True) - table[:OFF_LIGHT]
    if (behind[np.arange(OFF_LIGHT), counts[:OFF_LIGHT] + ZERO] < PLAIN.hardly).all():
        return accepted
    open_ones = [((row < PLAIN.no_doubt).nonzero()[0] - ZERO).tolist() for row in behind]
    if math.prod(map(len, open_ones)) > PLAIN.most:
        return None
    on_board = (CHECKERS - accepted.off[0], CHECKERS - accepted.off[1])
    slots = range(OFF_LIGHT)
    whole = sorted(
        (float(sum(behind[slot, n + ZERO] for slot, n in zip(slots, shown, strict=True))), shown)
        for shown in itertools.product(*open_ones)
        if (sum(n for n in shown if n > 0), -sum(n for n in shown if n < 0)) == on_board
    )
    if not whole or (len(whole) > 1 and whole[1][0] - whole[0][0] < PLAIN.no_doubt):
        return None
    shown = whole[0][1]
    return Position(tuple(shown[:24]), (shown[24], -shown[25]), accepted.off)
