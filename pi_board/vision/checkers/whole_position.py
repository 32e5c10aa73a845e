"""The whole position that one picture plainly shows to somebody who knows what lay there last."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.rules import SIDES, Position
from pi_board.rules.movement import all_home, state_of
from pi_board.rules.side import CHECKERS
from pi_board.sighting import OFF_LIGHT, ZERO
from pi_board.vision.checkers.known_position import signed_counts

#: Most checkers that a side bears off in one turn.
ONE_TURN = 4


@dataclass(frozen=True, slots=True)
class PlainModel:
    """hardly: nats; by fewer the reader hardly speaks against a place (heights of stacks are read no better). no_doubt: nats by which it
    must tell a count, and a whole position, from all others to be in no doubt of it. most: nats that it may say in all against a position
    that it tells plainly.

    Source: set on rendered games with lamps (`bench campaign`, 520000-620000). `most`: a traced game (90_00) was learned from a position
    with 7.5 nats against it, two checkers moved to where they could be, because one point was misread; the right one had 6.4.
    """

    hardly: float = 3.0
    no_doubt: float = 5.0
    most: float = 5.0


PLAIN = PlainModel()
#: Nats against a place, or a position, with which it comes near none that is plainly told.
_TOO_MUCH = PLAIN.most + PLAIN.no_doubt


def plainly_shown(table: npt.NDArray[Any], accepted: Position) -> Position | None:
    """The whole position that `table` ((28, 31) nats of the uncalibrated reader, as in `Sighting`) shows, None where it shows none: the
    accepted one, against which it hardly speaks, or else the one that it tells from all others (who plays while the light changes has not
    waited), with as many checkers borne off, or some more of a side that is all home."""
    counts = signed_counts(accepted)
    behind = table[:OFF_LIGHT].max(axis=1, keepdims=True) - table[:OFF_LIGHT]
    if (behind[np.arange(OFF_LIGHT), counts[:OFF_LIGHT] + ZERO] < PLAIN.hardly).all():
        return accepted
    open_ones = [[(int(i) - ZERO, float(row[i])) for i in (row < _TOO_MUCH).nonzero()[0]] for row in behind]
    whole = sorted(_may_lie(open_ones, accepted.off), key=lambda way: way[0])
    if not whole or whole[0][0] > PLAIN.most:
        return None
    if len(whole) > 1 and whole[1][0] - whole[0][0] < PLAIN.no_doubt:
        return None
    return whole[0][1]


def _may_lie(
    open_ones: list[list[tuple[int, float]]], off: tuple[int, int]
) -> Iterator[tuple[float, Position]]:
    """(Nats against it, the position): the likeliest of each number of checkers that may be left on the board. off: how many were borne off
    last."""
    most = CHECKERS - off[0], CHECKERS - off[1]
    for on_board, ways in _likeliest(open_ones, most).items():
        if on_board == (0, 0):
            # Somebody has won before the other's last checker is borne off.
            continue
        gone = tuple(before - now for before, now in zip(most, on_board, strict=True))
        if max(gone) > ONE_TURN:
            continue
        for nats, shown in ways:
            there = Position(tuple(shown[:24]), (shown[24], -shown[25]), (off[0] + gone[0], off[1] + gone[1]))
            if all(
                not lost or all_home(state_of(there, side)) for lost, side in zip(gone, SIDES, strict=True)
            ):
                yield nats, there


def _likeliest(
    open_ones: list[list[tuple[int, float]]], most: tuple[int, int]
) -> dict[tuple[int, int], list[tuple[float, tuple[int, ...]]]]:
    """Light and dark checkers on the board, `most` of each → (nats against it, the count of each slot) of the two likeliest ways to place
    them, of those against which not too much is said.

    open_ones: of each slot the counts it may show, and the nats against each.
    """
    ways: dict[tuple[int, int], list[tuple[float, tuple[int, ...]]]] = {(0, 0): [(0.0, ())]}
    for counts in open_ones:
        longer: dict[tuple[int, int], list[tuple[float, tuple[int, ...]]]] = {}
        for (light, dark), known in ways.items():
            for n, against in counts:
                now = light + max(n, 0), dark + max(-n, 0)
                if now[0] <= most[0] and now[1] <= most[1]:
                    longer.setdefault(now, []).extend(
                        (nats + against, (*shown, n)) for nats, shown in known if nats + against < _TOO_MUCH
                    )
        ways = {now: sorted(of)[:2] for now, of in longer.items() if of}
    return ways
