"""What `pi-board run` loads: a Pi Zero has 512 MB for everything."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from pi_board.hints import search
from pi_board.rules import batch


@pytest.mark.parametrize("module", ["numpy.random", "PIL", "pi_board.simulator", "pi_board.vision.training"])
def test_what_nobody_wants_at_the_table_is_not_loaded(module: str) -> None:
    code = """
import sys
import pi_board.commands.page, pi_board.commands.run
from pi_board.vision.loading import load_networks
load_networks()
print(*sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert module not in done.stdout.split()


def test_random_numbers_that_are_kept_are_numpys() -> None:
    mix = np.random.default_rng(20).integers(1, 2**63, 28, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    assert (mix == batch._MIX).all()
    assert (np.random.default_rng(28).integers(1, 2**63, 28, dtype=np.int64) == search._KEYS).all()
