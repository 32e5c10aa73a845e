"""How sure it is that a place shows a die."""

from __future__ import annotations

import math

import numpy as np

from pi_board.vision.dice import pips
from pi_board.vision.dice.found import Found


def log_odds(probability: float) -> float:
    return float(np.log(probability / (1 - probability + 1e-9) + 1e-9))


def evidence_of(reading: pips.PipReading, found: Found) -> float:
    """Log odds that it is a die."""
    return die_evidence(reading.die, found.heat)


def die_evidence(die: float, heat: float) -> float:
    """Log odds of what the reader calls a die with one probability and the finder with another; the finder's counts half, since both
    networks err alike."""
    least, most = 1e-6, 1 - 1e-6
    die = least if die < least else most if die > most else die
    heat = least if heat < least else most if heat > most else heat
    return math.log(die / (1 - die)) + 0.5 * math.log(heat / (1 - heat))
