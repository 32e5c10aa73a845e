"""Samples cut out of simulated boards: dice that lie as they are labelled, each where a reader would look."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.vision.dice.pips import PATCH
from pi_board.vision.training import cocked_boards


@pytest.fixture(scope="module")
def board() -> cocked_boards.DiceBoard:
    return next(cocked_boards.boards(1, 5, cocked_boards.many))


def slope(die: cocked_boards.Die) -> float:
    """Degrees by which the upper face is off level."""
    return float(np.degrees(np.arccos(np.abs(np.asarray(die.turn)[2]).max())))


def test_dice_lie_as_their_kind_says(board: cocked_boards.DiceBoard) -> None:
    kinds = {lies.kind for lies in board.dice}
    assert kinds & set(cocked_boards.COCKED) and kinds & set(cocked_boards.FLAT)
    for lies in board.dice:
        assert lies.die.cocked == (lies.kind in cocked_boards.COCKED)
        flat = lies.kind in cocked_boards.FLAT or lies.kind == "upon a checker"
        assert (slope(lies.die) < 1) if flat else (slope(lies.die) > 8)


def test_a_sample_shows_its_die_in_the_middle(board: cocked_boards.DiceBoard) -> None:
    found = list(cocked_boards.samples(board, np.random.default_rng(1)))
    assert len(board.dice) < len(found) <= cocked_boards._CUTS * len(board.dice)
    for patch, (value, cocked, on_checker, *_, slant, across) in found:
        assert patch.shape == (PATCH, PATCH, 3) and 1 <= value <= 6
        assert cocked >= on_checker and slant >= 0 and across == 0
