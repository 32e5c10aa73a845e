"""Returns freed memory to the system, because a Pi Zero has only 512 MB for everything.

Pictures and maps of a megabyte come and go all evening, and glibc keeps the holes between what stays: 15 to 45 MB at any
time and some more with each game, while what is held grows by 3.5 MB in the first half hour and then stays within 5 MB for hours
(`tests/bench/bench_soak.py --held`). What is as large as a picture is kept apart from the rest, where its memory goes back at once,
but for the search for the board: it makes so many pictures one after the other that the system would be busy with nothing else.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from functools import cache
from typing import Any

#: glibc's M_MMAP_THRESHOLD, and bytes from which memory is asked of the system and given back by itself. Left alone, glibc raises the
#: threshold to the size of the first picture that is freed, and pictures leave holes. Of 700 pictures of a game, 1280 x 720, played by
#: `pi-board run` with its page: 200 MB instead of 210, for 2 % of the time. (A quarter of it saves 17 MB and takes half as long again.)
_MMAP_THRESHOLD, PICTURE = -3, 2**20
#: The largest that glibc takes: nothing is asked of the system by itself.
_NOTHING_APART = 2**25
#: glibc's M_TRIM_THRESHOLD, and bytes at the end of the heap from which they go back by themselves: as usual, and never.
_TRIM_THRESHOLD, _SOON, _NEVER = -1, 2**17, 2**30
#: glibc's M_ARENA_MAX. A heap for each thread that draws, writes or serves leaves holes in each. (1,250 pictures of a game with two illegal
#: plays and the page: 182 to 185 MB instead of 183 to 188, at most 193 instead of 200, in the same time: Python's threads take turns.)
_ARENA_MAX, ONE_HEAP = -8, 1


@cache
def _malloc(name: str) -> Any:
    """glibc's function of this name, None where the C library has none."""
    try:
        return getattr(ctypes.CDLL(None), name)
    except (OSError, AttributeError, TypeError):
        return None


class _Pictures:
    """Whether pictures are kept apart, which glibc does not tell."""

    apart = False


def keep_pictures_apart() -> None:
    """To be called before the first picture and the first thread; does nothing where the C library is not glibc."""
    tune = _malloc("mallopt")
    if tune is not None:
        tune(_MMAP_THRESHOLD, PICTURE)
        tune(_ARENA_MAX, ONE_HEAP)
        _Pictures.apart = True


@contextlib.contextmanager
def pictures_together() -> Iterator[None]:
    """Within, memory of pictures serves the next ones; does nothing unless they are kept apart otherwise. For the search for the board,
    which takes half as long then (12 boards, 800 x 600: 287 ms instead of 515, 7,000 page faults instead of 124,000; at most 141 MB instead
    of 138, and as much as before once it is over)."""
    tune = _malloc("mallopt")
    if tune is None or not _Pictures.apart:
        yield
        return
    tune(_MMAP_THRESHOLD, _NOTHING_APART)
    tune(_TRIM_THRESHOLD, _NEVER)
    try:
        yield
    finally:
        tune(_MMAP_THRESHOLD, PICTURE)
        tune(_TRIM_THRESHOLD, _SOON)
        give_back()


def give_back() -> bool:
    """Free pages between what is in use go back to the system, which takes milliseconds; True when there were any.

    The allocator keeps them otherwise, and they grow with every board that is learned: of 182 MB after 700 looks 147 were in use.
    (Taking every large array from the system and giving it back at once would keep it there too, but doubles what a look costs.)
    """
    trim = _malloc("malloc_trim")
    return bool(trim is not None and trim(0))
