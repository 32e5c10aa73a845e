"""Returns freed memory to the system, because a Pi Zero has only 512 MB for everything."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any


@cache
def _malloc_trim() -> Any:
    """glibc's function of this name, None where the C library has none."""
    try:
        return ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):
        return None


def give_back() -> bool:
    """Free pages between what is in use go back to the system; True when there were any.

    The allocator keeps them otherwise, and they grow with every board that is learned: of 182 MB after 700 looks 147 were in use.
    (Taking every large array from the system and giving it back at once would keep it there too, but doubles what a look costs.)
    """
    trim = _malloc_trim()
    return bool(trim is not None and trim(0))
