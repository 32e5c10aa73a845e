"""Memory that is free goes back to the system."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pi_board.session import heap

STATM = Path("/proc/self/statm")


def megabytes() -> float:
    return int(STATM.read_text().split()[1]) * 4096 / 2**20


@pytest.mark.skipif(not STATM.exists() or heap._malloc("malloc_trim") is None, reason="needs Linux and glibc")
def test_pages_between_what_is_in_use_are_given_back() -> None:
    # Pieces below the size that the allocator takes from the system one by one.
    pieces = [np.ones(100_000, np.uint8) for _ in range(600)]
    full = megabytes()
    kept = pieces[::50]
    del pieces
    assert heap.give_back()
    assert megabytes() < full - 30 and len(kept) == 12


def test_a_c_library_without_it_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    heap._malloc.cache_clear()
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    assert not heap.give_back()
    heap._malloc.cache_clear()


_PICTURES = """
import os
import numpy as np
from pi_board.session.heap import keep_pictures_apart

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


_SEARCH = """
import os, resource
import numpy as np
from pi_board.session.heap import keep_pictures_apart, pictures_together

def megabytes():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

def faults():
    def asked():
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    before = asked()
    for _ in range(20):
        np.ones(2 << 20, np.uint8)
    return asked() - before

keep_pictures_apart()
before = megabytes(), faults()
with pictures_together():
    faults()
    within = faults()
print(within / before[1], faults() / before[1], megabytes() - before[0])
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallopt"), reason="the C library is not glibc")
def test_a_search_uses_its_pictures_memory_again_and_keeps_none() -> None:
    done = subprocess.run([sys.executable, "-c", _SEARCH], capture_output=True, text=True, check=True)
    within, after, kept = map(float, done.stdout.split())
    assert within < 0.1 and after > 0.9 and kept < 1.0
