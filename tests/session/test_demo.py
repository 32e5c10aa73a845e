"""A simulated game that is refereed by a slow processor."""

from __future__ import annotations

import time
from types import SimpleNamespace

import numpy as np
import pytest

from pi_board.frame import Frame
from pi_board.output import Moment
from pi_board.session.demo import LINGER, run_demo
from pi_board.table import TableView


class Camera:
    """Ten pictures a second, each brighter than the one before."""

    def __init__(self, pictures: int) -> None:
        self.seq, self.pictures = -1, pictures

    def read(self) -> Frame | None:
        if self.seq + 1 >= self.pictures:
            return None
        self.seq += 1
        return Frame(np.full((8, 8, 3), 10 * self.seq, np.uint8), self.time, self.seq)

    @property
    def time(self) -> float:
        return self.seq / 10

    @property
    def next_time(self) -> float:
        return (self.seq + 1) / 10

    def pressed(self) -> list[str]:
        return []

    def tell(self, word: str) -> None: ...


@pytest.mark.parametrize("slow", [0.0, 100.0])
def test_the_table_stands_as_it_was_left_until_a_slow_processor_has_seen_it(slow: float) -> None:
    """(`bench campaign --seed 1900010 --slow 15`: the last play was made while the look before it was still under way.)"""
    looked: list[Frame] = []

    def feed(frame: Frame) -> Moment:
        begin = time.process_time()
        while time.process_time() < begin + 0.01:
            pass
        looked.append(frame)
        return Moment(frame=frame, time=frame.time, view=TableView(), sighting=None, events=())

    times = SimpleNamespace(add=lambda *_: None, milliseconds=dict)
    pipeline = SimpleNamespace(times=times, feed=feed, slower=1.0)
    sitting = SimpleNamespace(pipeline=pipeline, retry=lambda _: None, failing="")
    run_demo(Camera(6), sitting, slow=slow)  # type: ignore[arg-type]
    assert looked[-1].image[0, 0, 0] == 50
    assert looked[-1].time == (pytest.approx(0.5 + LINGER, abs=1.5) if slow else 0.5)
    assert [f.seq for f in looked] == sorted({f.seq for f in looked})
