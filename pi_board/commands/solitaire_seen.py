"""The actions of `pi-board solitaire` that look at a board: read and demo."""

from __future__ import annotations

import argparse
from collections.abc import Callable


def add_actions(action: Callable[[str, str], argparse.ArgumentParser]) -> None:
    """Adds the parsers of this module's actions."""


def run(args: argparse.Namespace) -> int:
    """One of this module's actions."""
    return 2
