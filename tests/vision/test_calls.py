"""How many calls a look takes: on a small processor numpy's and Python's own cost as much as the pixels. (Times are for the bench.)"""

from __future__ import annotations

import cProfile
import pstats

import numpy as np

from pi_board.vision.loading import load_networks
from tests.vision.simulated_board import SimulatedBoard, random_positions

#: Calls of a first look after a play. `bench_vision.py --only speed` says where it stands; this only keeps it from growing unnoticed.
MOST = 6500


def test_a_first_look_after_a_play_takes_few_calls() -> None:
    load_networks()
    board = SimulatedBoard("travel")
    reader = board.reader()
    reader.look(board.frame())
    taken = []
    for position in random_positions(3, seed=4, plies=1):
        board.play_to(position)
        frame, profile = board.frame(), cProfile.Profile()
        profile.enable()
        sighting = reader.look(frame)
        profile.disable()
        assert sighting.settled
        taken.append(pstats.Stats(profile).total_calls)
        for _ in range(2):
            reader.look(board.frame())
        reader.learn(position)
        reader.look(board.frame())
    assert np.median(taken) < MOST
