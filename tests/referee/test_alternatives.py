"""A board that looks the same stays possible until a look tells them apart; nobody is accused from only one of them."""

from __future__ import annotations

import numpy as np

from pi_board.referee.alternatives import Alternatives
from pi_board.referee.reconcile import Evidence, turn_of
from pi_board.rules import RULE_SETS, Position, legal_plays
from tests.referee.synthetic import Noise, Table

LAW = RULE_SETS["international"]
BEFORE = Position((3, 2, 2, 3, 3, 2, *(0,) * 12, -3, -3, -3, -2, -2, -2))


def look(position: Position, blind: tuple[int, ...] = ()) -> Evidence:
    """A look that says nothing of the slots `blind`."""
    table = Table(position=position, noise=Noise(sigma=0.0, trays=False))
    rows = table.log_likelihood()
    for slot in blind:
        rows[slot] = 0.0
    return Evidence.from_log_likelihood(rows)


def test_plays_that_look_alike_stay_possible_until_a_look_tells_them_apart() -> None:
    turn = turn_of(BEFORE, (6, 4), "light", LAW)
    plays = legal_plays(BEFORE, (6, 4), "light")
    off, other = plays[0].result, plays[1].result
    different = tuple(int(i) for i in np.flatnonzero(np.array(off.points) != np.array(other.points)))
    alternatives = Alternatives()
    alternatives.accept(look(off), turn, off, 6.0)
    assert alternatives.of(off) == []
    alternatives.accept(look(off, different), turn, off, 6.0)
    assert other in alternatives.of(off)
    # Dark plays meanwhile: the difference stays the same.
    later = legal_plays(off, (5, 1), "dark")[0].result
    assert later != off
    assert len(alternatives.of(later)) == len(alternatives.of(off))
    alternatives.tell_apart(look(later), later, 6.0)
    assert alternatives.of(later) == []
