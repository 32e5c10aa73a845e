"""Memory that is free goes back to the system."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest

from pi_board.session import heap

STATM = Path("/proc/self/statm")


def megabytes() -> float:
    return int(STATM.read_text().split()[1]) * 4096 / 2**20


@pytest.mark.skipif(not STATM.exists() or heap._malloc_trim() is None, reason="needs Linux and glibc")
def test_pages_between_what_is_in_use_are_given_back() -> None:
    # Pieces below the size that the allocator takes from the system one by one.
    pieces = [np.ones(100_000, np.uint8) for _ in range(600)]
    full = megabytes()
    kept = pieces[::50]
    del pieces
    assert heap.give_back()
    assert megabytes() < full - 30 and len(kept) == 12


def test_a_c_library_without_it_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    heap._malloc_trim.cache_clear()
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    assert not heap.give_back()
    heap._malloc_trim.cache_clear()
