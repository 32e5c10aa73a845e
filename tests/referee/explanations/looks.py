"""Clear looks at known boards, and what they are taken for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from pi_board.referee.explanations import Evidence, Reconciled, Turn, reconcile, turn_of, vector
from pi_board.rules import RULE_SETS, STARTING_POSITION, Position, legal_plays
from pi_board.sighting import OFF_LIGHT, ZERO
from tests.referee.synthetic import Noise, Table

LAW = RULE_SETS["international"]
#: Light opens with 3-1.
TURN = turn_of(STARTING_POSITION, (3, 1), "light", LAW)
FIVE_POINT = [("move", 8, 5, "light"), ("move", 6, 5, "light")]
Moves = list[tuple[Any, ...]]
#: Light bears off, dark has one checker on the bar; three and two are off.
BEARING_OFF = Position((6, 2, 3, 1) + (0,) * 17 + (-2, -5, -4), (0, 1), (3, 3))
#: The same with four light checkers outside home, and with two.
FOUR_OUTSIDE = Position((6, 2, 0, 0, 0, 0, 4) + (0,) * 14 + (-2, -5, -4), (0, 1), (3, 3))


def look(moves: Moves = (), *, sharp: float = 8.0) -> Evidence:  # type: ignore[assignment]
    """A clear look at the starting position after `moves` of the table's hands."""
    table = Table(noise=Noise(sigma=0.0, sharp=sharp))
    for what, *how in moves:
        getattr(table, what)(*how)
    return Evidence.from_log_likelihood(table.log_likelihood())


def judged(evidence: Evidence, turn: Turn = TURN) -> Reconciled:
    return reconcile(evidence, turn, red_margin=6.0, slack=3.0)


def random_positions(count: int, seed: int) -> list[Position]:
    """Positions of random play from the start, some of them far into a game."""
    rng = np.random.default_rng(seed)
    found, position = [], STARTING_POSITION
    for n in range(count):
        side = ("light", "dark")[n % 2]
        dice = (int(rng.integers(1, 7)), int(rng.integers(1, 7)))
        plays = legal_plays(position, dice, side, LAW)  # type: ignore[arg-type]
        position = plays[int(rng.integers(len(plays)))].result
        if 15 in position.off:
            position = STARTING_POSITION
        found.append(position)
    return found


def seen(position: Position, *wrong: tuple[int, int, float], hidden: tuple[int, ...] = ()) -> Evidence:
    """A clear look at `position`. wrong: (slot, signed count, nats) by which a slot looks like something else; hidden: slots that
    say nothing."""
    rows = Table(position=position, noise=Noise(sigma=0.0, sharp=12.0)).log_likelihood()
    for slot, count, nats in wrong:
        rows[slot] = -12.0
        rows[slot, vector(position)[slot] + ZERO], rows[slot, count + ZERO] = -nats, 0.0
    for slot in hidden:
        rows[slot] = 0.0
    rows[OFF_LIGHT:] = 0.0
    return replace(Evidence.from_log_likelihood(rows), hidden=hidden)
