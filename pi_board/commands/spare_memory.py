"""What the C library keeps of freed memory goes back to the system after each game.

Pictures and maps of a megabyte come and go all evening, and glibc keeps the holes between what stays: 15 to 45 MB at any
time and some more with each game, while what is held grows by 3.5 MB in the first half hour and then stays within 5 MB for hours
(`tests/bench/bench_soak.py --held`). What is as large as a picture is kept apart from the rest, where its memory goes back at once.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from pi_board.events import GameWon
from pi_board.output import Moment

#: glibc's M_MMAP_THRESHOLD, and bytes from which memory is asked of the system and given back by itself. Left alone, glibc raises the
#: threshold to the size of the first picture that is freed, and pictures leave holes. Of 700 pictures of a game, 1280 x 720, played by
#: `pi-board run` with its page: 200 MB instead of 210, for 2 % of the time. (A quarter of it saves 17 MB and takes half as long again.)
_MMAP_THRESHOLD, PICTURE = -3, 2**20
#: glibc's M_ARENA_MAX. A heap for each thread that draws, writes or serves leaves holes in each. (1,250 pictures of a game with two illegal
#: plays and the page: 182 to 185 MB instead of 183 to 188, at most 193 instead of 200, in the same time: Python's threads take turns.)
_ARENA_MAX, ONE_HEAP = -8, 1


def keep_pictures_apart() -> None:
    """To be called before the first picture and the first thread; does nothing where the C library is not glibc."""
    tune = getattr(ctypes.CDLL(None), "mallopt", None)
    if tune is not None:
        tune(_MMAP_THRESHOLD, PICTURE)
        tune(_ARENA_MAX, ONE_HEAP)


def give_back() -> None:
    """Takes milliseconds; does nothing where the C library is not glibc."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


class SpareMemory:
    """An `Output` that gives spare memory back when a game is over: then nobody waits for a verdict."""

    def __init__(self, give_back: Callable[[], object] = give_back) -> None:
        self._give_back = give_back

    def show(self, moment: Moment) -> None:
        if any(isinstance(event, GameWon) for event in moment.events):
            self._give_back()

    def close(self) -> None:
        return
