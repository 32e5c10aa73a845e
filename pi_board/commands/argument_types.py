"""Numbers on the command line that have a range: `argparse` types which say what was expected."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

#: As in the settings' [game] match_length.
LONGEST_MATCH = 64


def whole(least: int, most: int | None = None, zero: str = "") -> Callable[[str], int]:
    """A whole number from `least` to `most`. zero: what 0 means."""
    expected = f"{least}{f' ({zero})' if zero else ''}{' or more' if most is None else f' to {most}'}"

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"expected a whole number, {expected}, got {text!r}") from None
        if value < least or (most is not None and value > most):
            raise argparse.ArgumentTypeError(f"expected {expected}, got {text}")
        return value

    return read


def number(least: float, most: float, what: str = "") -> Callable[[str], float]:
    """A number from `least` to `most`. what: it is ("a probability")."""
    expected = f"{what + ' from ' if what else ''}{least:g} to {most:g}"

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"expected a number, {expected}, got {text!r}") from None
        if not (math.isfinite(value) and least <= value <= most):
            raise argparse.ArgumentTypeError(f"expected {expected}, got {text}")
        return value

    return read


match_length = whole(0, LONGEST_MATCH, "money session")
probability = number(0, 1, "a probability")
