"""What the pixels of a weighed picture say of a checker's place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pi_board.vision.checkers.disc import BOARD, DARK
from tests.vision.simulated_board import board_without_cube


@pytest.mark.parametrize(("before", "nats"), [(DARK, 1.2), (BOARD, 16.2)])
def test_no_new_checker_lies_in_part_where_a_flat_die_does(
    monkeypatch: pytest.MonkeyPatch, before: int, nats: float
) -> None:
    """A die's shadow beside a row looked like one more dark checker, a fifth of which the die covered (`bench_beside_dice.py`)."""
    board = board_without_cube("travel")
    reader = board.reader()
    reader.look(board.frame())
    look, pixels = reader.appearance, reader.state.picture.pixels
    assert look is not None
    x, y = reader.finder.feet[3]
    label, under = look.label.copy(), np.zeros_like(pixels.under)
    label[round(y) - 9 : round(y) + 10, round(x) - 9 : round(x) + 10] = before
    # A strip of a die's width at the place's edge.
    under[round(y) - 1 : round(y) + 2, round(x) + 2 : round(x) + 7] = 1.0
    place = np.array([[x, y]])
    monkeypatch.setattr(look, "label", label)
    free, lies = (
        replace(pixels, any_covered=True, under=u).judge(1, place)[0] for u in (np.zeros_like(under), under)
    )
    assert free - lies == pytest.approx(nats, abs=1.0)
