"""How many calls a look takes: on a small processor numpy's and Python's own cost as much as the pixels. (Times are for the bench.)"""

from __future__ import annotations

import cProfile

import numpy as np

from pi_board.frame import Frame
from pi_board.vision.loading import load_networks
from pi_board.vision.reader import BoardReader
from tests.vision.simulated_board import SimulatedBoard, random_positions

#: Calls of a first look after a play, and after a throw, in which two dice are read closely. `bench_vision.py --only speed` says where
#: they stand; this only keeps them from growing unnoticed. (As long as `pstats` counted, which of all functions of one name in one line
#: keeps one, as of the dataclasses' own, the 3040 of a throw were 2976 or 3005. Where other tests have run before, they are 3050.)
AFTER_A_PLAY, AFTER_A_THROW = 2600, 3075


def calls(reader: BoardReader, frame: Frame) -> int:
    profile = cProfile.Profile()
    profile.enable()
    sighting = reader.look(frame)
    profile.disable()
    assert sighting.settled
    return sum(entry.callcount for entry in profile.getstats())


def test_a_first_look_after_a_play_or_a_throw_takes_few_calls() -> None:
    load_networks()
    board = SimulatedBoard("travel")
    reader = board.reader()
    reader.look(board.frame())
    taken = []
    for position in random_positions(3, seed=4, plies=1):
        board.play_to(position)
        taken.append(calls(reader, board.frame()))
        for _ in range(2):
            reader.look(board.frame())
        reader.learn(position)
        reader.look(board.frame())
    assert np.median(taken) < AFTER_A_PLAY
    taken = []
    for left, right in ((1, 6), (5, 2), (3, 4)):
        board.scene.dice = []
        for _ in range(3):
            reader.look(board.frame())
        board.scene.dice = [board.scene.flat_die("light", n, x, 0.5) for n, x in ((left, 5.0), (right, 7.6))]
        taken.append(calls(reader, board.frame()))
    assert np.median(taken) < AFTER_A_THROW
