"""A rest that nobody looked at in time: the referee hears first that somebody was at the board, then what lies there."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.frame import Frame
from pi_board.session.pipeline import Pipeline
from pi_board.sighting import Gate, Sighting
from pi_board.table import TableView

PICTURE = np.zeros((4, 4, 3), np.uint8)


class Eyes:
    """Says MOVING of the first look at each picture, as of one that shows another scene than the one before."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def look(self, frame: Frame) -> Sighting:
        self.seen.append(frame.seq)
        gate = Gate.SETTLED if self.seen.count(frame.seq) > 1 else Gate.MOVING
        return Sighting(frame.seq, frame.time, gate)

    def took(self, seconds: float) -> None: ...

    def learn(self, position: object) -> None: ...

    def expect_start(self) -> None: ...


class Judge:
    def __init__(self) -> None:
        self.heard: list[Gate] = []

    def observe(self, sighting: Sighting, now: float) -> list:
        self.heard.append(sighting.gate)
        return []

    def view(self) -> TableView:
        return TableView()


@pytest.mark.parametrize(
    ("rested", "heard"), [(0.0, [Gate.MOVING]), (1.2, [Gate.MOVING, Gate.SETTLED])], ids=["newest", "missed"]
)
def test_a_missed_rest_is_looked_at_after_its_motion(rested: float, heard: list[Gate]) -> None:
    judge = Judge()
    moment = Pipeline(Eyes(), judge).feed(Frame(PICTURE, 3.0, 30, rested=rested))  # type: ignore[arg-type]
    assert judge.heard == heard
    assert moment.sighting is not None and moment.sighting.gate is heard[-1]
