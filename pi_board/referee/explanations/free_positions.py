"""The best reading of a look without the rules of play: a dynamic programme over the slots.

It keeps 15 + 15 checkers (or finds how many are missing) and prefers few displaced checkers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from pi_board.referee.explanations.counts import Scores, Vector, position_of
from pi_board.referee.explanations.evidence import Evidence
from pi_board.rules import Position
from pi_board.sighting import BAR_DARK, BAR_LIGHT, COUNTS, OFF_DARK, OFF_LIGHT, SLOTS, ZERO

#: Costs (nats) of each displaced checker, of each missing one, and of a borne-off checker that is back.
PER_CHECKER, PER_MISSING, TAKEN_BACK_IN = 0.7, 2.0, 1.5
#: What it costs that a checker is back which was borne off without doubt: dearer than one slot that vision is wrong about by some
#: nats, for that is the likelier accident (synthetic campaign, 92 games: the only game not refereed to its end had taken a point
#: misread by 8 to 10 nats for one).
COMES_BACK = 10.0
#: Cost of a checker that is off the board though no lawful play took it there: more likely a full point was misread by one, and
#: trays show little. Less than PER_MISSING, for what left the board in plain sight is not missing; above 1.2 what was borne off while
#: a cup covered points is read as lying under it. (Synthetic campaign, looks of 13 games with faults of seed 99000.)
UNLAWFULLY_OFF = 1.0
#: Free explanations that are remembered: which rolls one look may show is asked of up to 21 rolls, and this does not depend on the
#: roll but for what it bears off.
_REMEMBERED = 16
TOTALS = 17  # 0..16 checkers of a colour: one too many can be told, more is nonsense
#: Counts of one colour in one slot: 0..15.
_HERE = 16


@dataclass(frozen=True, slots=True)
class Free:
    """The best explanation without the rules of play. counts: (28,); light, dark: checkers in it."""

    counts: Vector
    score: float
    light: int
    dark: int

    @property
    def position(self) -> Position | None:
        return position_of(self.counts)


def free_positions(
    evidence: Evidence,
    before: Vector,
    per_checker: float = PER_CHECKER,
    borne_off: Vector | None = None,
    surely_off: Vector | None = None,
) -> tuple[Free, Free]:
    """(best with 15 + 15, best with a checker or more missing or extra).

    `per_checker`: nats that each displaced checker costs, relative to `before`. borne_off: (2,) most checkers of light
    and dark that this roll can have taken off (default: as before). surely_off: (2,) those that were borne off without doubt.
    """
    table, trace = by_totals(evidence, before, per_checker, borne_off, surely_off)
    totals = np.arange(TOTALS)
    off_count = np.abs(totals - 15)
    other = table - PER_MISSING * (off_count[:, None] + off_count[None, :])
    other[15, 15] = -np.inf
    a, b = np.unravel_index(int(other.argmax()), other.shape)
    missing = trace(int(a), int(b))
    return trace(15, 15), Free(missing.counts, float(other[a, b]), missing.light, missing.dark)


def by_totals(
    evidence: Evidence,
    before: Vector,
    per_checker: float,
    borne_off: Vector | None,
    surely_off: Vector | None = None,
) -> tuple[Scores, Callable[[int, int], Free]]:
    """(17, 17) best score for each total of light's and dark's checkers, and the counts behind any of them, by dynamic
    programming over the slots; arguments as of `free_positions`."""
    # A checker that has left the board counts as borne off only if the tray shows it; otherwise it is
    # missing.
    there = np.abs(before[OFF_LIGHT:])
    most = there if borne_off is None else np.maximum(there, borne_off)
    # A borne-off checker does not come back.
    sure = np.zeros(2) if surely_off is None else np.asarray(surely_off, np.float64)
    parts = (evidence.rows, evidence.trays, evidence.mixed, before, most.astype(np.int64), sure)
    return _totals(per_checker, *(part.tobytes() for part in parts))


@lru_cache(maxsize=_REMEMBERED)
def _totals(
    per_checker: float,
    rows: bytes,
    trays: bytes,
    mixed: bytes,
    was: bytes,
    most_off: bytes,
    surely_off: bytes,
) -> tuple[Scores, Callable[[int, int], Free]]:
    """`by_totals` of arrays given as bytes, worked out once; what it returns is for reading only."""
    tray_rows = np.frombuffer(trays).reshape(-1, COUNTS)
    against = np.frombuffer(mixed).sum()
    before = np.frombuffer(was, np.int64)
    most, sure = np.frombuffer(most_off, np.int64)[:, None], np.frombuffer(surely_off)[:, None]
    counts = np.arange(-15, 16)
    weights = np.frombuffer(rows).reshape(SLOTS, COUNTS) - 0.5 * per_checker * np.abs(
        counts[None, :] - before[:, None]
    )
    there = np.abs(before[OFF_LIGHT:, None])
    weights[OFF_LIGHT:] = (
        tray_rows
        - (PER_MISSING + 1.0) * np.maximum(np.abs(counts)[None, :] - most, 0)
        - UNLAWFULLY_OFF * (np.abs(counts)[None, :] > there)
        - TAKEN_BACK_IN * np.maximum(there - np.abs(counts)[None, :], 0)
        - (COMES_BACK - TAKEN_BACK_IN) * np.maximum(np.minimum(sure, there) - np.abs(counts)[None, :], 0)
    )
    # [0: light here, 1: dark here][this colour's total, the other's]; impossible totals lie before the first row, so that
    # the total before `count` checkers were added is a step backwards in memory.
    padded = np.full((2, _HERE - 1 + TOTALS, TOTALS), -np.inf)
    colour, total, other = padded.strides
    before_it = np.lib.stride_tricks.as_strided(
        padded[:, _HERE - 1 :], (_HERE, 2, TOTALS, TOTALS), (-total, colour, total, other), writeable=False
    )
    here = np.stack([weights[:, ZERO : ZERO + _HERE], weights[:, ZERO::-1]], axis=2)  # (28, 16, 2)
    here[[BAR_DARK, OFF_DARK], 1:, 0] = -np.inf
    here[[BAR_LIGHT, OFF_LIGHT], 1:, 1] = -np.inf
    tables = np.full((SLOTS + 1, TOTALS, TOTALS), -np.inf)
    tables[0, 0, 0] = 0.0
    for slot in range(SLOTS):
        padded[0, _HERE - 1 :], padded[1, _HERE - 1 :] = tables[slot], tables[slot].T
        best = (before_it + here[slot][:, :, None, None]).max(axis=0)
        np.maximum(best[0], best[1].T, out=tables[slot + 1])
    table = tables[SLOTS]

    @cache
    def trace(total_light: int, total_dark: int) -> Free:
        found = np.zeros(SLOTS, dtype=np.int64)
        a, b = total_light, total_dark
        for slot in range(SLOTS - 1, -1, -1):
            light = tables[slot, a::-1, b][:_HERE] + here[slot, : a + 1, 0]
            dark = tables[slot, a, b::-1][:_HERE] + here[slot, : b + 1, 1]
            n = int(light.argmax()) if light.max() >= dark.max() else -int(dark.argmax())
            found[slot] = n
            a, b = (a - n, b) if n > 0 else (a, b + n)
        found.setflags(write=False)
        return Free(found, float(table[total_light, total_dark] - against), total_light, total_dark)

    return table - against, trace
