"""Spare memory goes back after a game, and at no other time; that of pictures at once."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

from pi_board.commands.spare_memory import SpareMemory, give_back
from pi_board.events import DiceRolled, GameWon
from pi_board.output import Moment
from pi_board.table import TableView


def test_after_a_game_only() -> None:
    given: list[int] = []
    spare = SpareMemory(lambda: given.append(1))
    rolled = DiceRolled(side="light", dice=(6, 3), time=1.0)
    won = GameWon(side="light", points=1, kind="single", score=(1, 0), time=2.0)
    found = []
    for events in ((rolled,), (), (won,), (rolled,)):
        spare.show(Moment(1.0, TableView(), events))
        found.append(len(given))
    spare.close()
    assert found == [0, 0, 1, 1]


def test_the_c_library_is_asked() -> None:
    give_back()


_PICTURES = """
import os
import numpy as np
from pi_board.commands.spare_memory import keep_pictures_apart

def megabytes():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

keep_pictures_apart()
first = np.ones(3 << 20, np.uint8)
del first
pictures, small = [], []
for i in range(20):
    pictures.append(np.ones(2 << 20, np.uint8))
    small.append(np.ones(90_000, np.uint8))
before = megabytes()
pictures.clear()
print(before - megabytes())
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallopt"), reason="the C library is not glibc")
def test_pictures_leave_no_holes() -> None:
    """40 MB of them, with something small behind each."""
    done = subprocess.run([sys.executable, "-c", _PICTURES], capture_output=True, text=True, check=True)
    assert float(done.stdout) > 35
