"""A look that ends in an error is one that saw nothing, unless too many do in a row."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from pi_board.frame import Frame
from pi_board.session.spared_looks import SparedLooks
from pi_board.sighting import Gate, Sighting

PICTURE = np.zeros((4, 4, 3), np.uint8)


class Eyes:
    """Fails at the pictures whose numbers are given."""

    def __init__(self, *failing: int) -> None:
        self.failing = failing

    def look(self, frame: Frame) -> Sighting:
        if frame.seq in self.failing:
            raise IndexError(frame.seq)
        return Sighting(frame.seq, frame.time, Gate.SETTLED)


def gates(spared: SparedLooks, eyes: Eyes, count: int) -> list[Gate]:
    return [spared.look(eyes, Frame(PICTURE, seq / 5, seq)).gate for seq in range(count)]


def test_the_game_goes_on_after_looks_that_failed(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        seen = gates(SparedLooks(3), Eyes(1, 2, 3, 5), 7)
    assert seen == [Gate.SETTLED, *[Gate.BLOCKED] * 3, Gate.SETTLED, Gate.BLOCKED, Gate.SETTLED]
    # (Each row of them is told once, with what went wrong.)
    assert [record.args for record in caplog.records] == [(1,), (5,)]
    assert all(record.exc_info for record in caplog.records)


def test_too_many_in_a_row_end_the_program() -> None:
    with pytest.raises(IndexError):
        gates(SparedLooks(3), Eyes(1, 2, 3, 4), 7)


def test_benches_and_tests_see_every_error() -> None:
    with pytest.raises(IndexError):
        gates(SparedLooks(), Eyes(1), 7)


def test_nothing_is_borne_out_of_what_failed() -> None:
    seen = SparedLooks(1).look(Eyes(0), Frame(PICTURE, 0.0, 0, name="a.png"))
    assert not seen.settled and not seen.registered and seen.log_likelihood is None and seen.name == "a.png"
