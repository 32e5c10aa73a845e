"""A still: the looks at a board that nobody has touched, pooled into one piece of evidence.

Looks at the same board are not independent (the same shadow, the same glare), so pooling takes their mean and not their
sum, and believes it a little more with each: n looks count as the fourth root of n, eight looks as 1.7. No slot ever counts for
more than `SLOT_CAP` nats, so what vision is wrong about steadily outvotes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pi_board.referee.explanations import SLOT_CAP, TRAY_CAP, Evidence
from pi_board.referee.touches import Strips
from pi_board.sighting import OFF_LIGHT, SLOTS

#: Nats by which a look and the still must each prefer another count in one slot to be of different boards.
DIFFERS = 3.0
#: Looks that the mean remembers (a lamp may be switched while the board lies still).
MEMORY = 8
#: n looks count as n to this power. 0: like one (all of them see the same shadow), 1: independent. Set.
INDEPENDENCE = 0.25


@dataclass
class Still:
    """looks: how many; since: time of the first; mean: of their evidence. seq, frame: of the last one."""

    mean: Evidence
    since: float
    looks: int = 1
    seq: int = -1
    frame: str = ""

    def add(self, look: Evidence) -> None:
        """One more look at the same board."""
        self.looks += 1
        share = 1.0 / min(self.looks, MEMORY)
        was = self.mean
        rows = was.rows + share * (look.rows - was.rows)
        trays = was.trays + share * (look.trays - was.trays)
        mixed = was.mixed + share * (look.mixed - was.mixed)
        rows[:OFF_LIGHT] -= rows[:OFF_LIGHT].max(axis=1, keepdims=True)
        strips = _mean(was.strips, 1.0 - share, look.strips, share)
        self.mean = Evidence(rows, trays, max(was.informed, look.informed), mixed, strips=strips)

    def joined(self, earlier: Still) -> Still:
        """This still and an earlier one at a board that lies as it lay then: the mean of both, each as far as it is remembered."""
        a, b = min(earlier.looks, MEMORY), min(self.looks, MEMORY)
        rows = (a * earlier.mean.rows + b * self.mean.rows) / (a + b)
        mixed = np.maximum(earlier.mean.mixed, self.mean.mixed)
        strips = _mean(earlier.mean.strips, a / (a + b), self.mean.strips, b / (a + b))
        mean = Evidence(rows, self.mean.trays, self.mean.informed, mixed, strips=strips)
        return Still(mean, earlier.since, a + b, self.seq, self.frame)

    @property
    def evidence(self) -> Evidence:
        """What all these looks say together."""
        strength = min(self.looks, MEMORY) ** INDEPENDENCE
        mean = self.mean
        if strength == 1.0:
            return mean
        rows = np.maximum(mean.rows * strength, -SLOT_CAP)
        # Trays do not gain weight with more looks: a tray counts as one look.
        rows[OFF_LIGHT:] = np.where(
            mean.rows[OFF_LIGHT:] >= -TRAY_CAP, mean.rows[OFF_LIGHT:], rows[OFF_LIGHT:]
        )
        return Evidence(
            rows, np.maximum(mean.trays * strength, -SLOT_CAP), mean.informed,
            np.minimum(mean.mixed * strength, SLOT_CAP), strips=mean.strips,
        )  # fmt: skip

    def agrees(self, look: Evidence) -> bool:
        """False when a slot surely holds something else than before."""
        slots = np.arange(SLOTS)
        mine, yours = self.mean.rows, look.rows
        here, there = mine.argmax(axis=1), yours.argmax(axis=1)
        change = np.minimum(mine[slots, here] - mine[slots, there], yours[slots, there] - yours[slots, here])
        return not bool((change[:OFF_LIGHT] > DIFFERS).any())


def _mean(a: Strips | None, share_a: float, b: Strips | None, share_b: float) -> Strips | None:
    if a is None or b is None:
        return None
    return a * np.float32(share_a) + b * np.float32(share_b)


class StillWatch:
    """Which still the looks belong to. One look that differs is a slip of the eye until a second one agrees with it."""

    def __init__(self) -> None:
        self.now: Still | None = None
        self.before: Still | None = None
        self._other: Still | None = None
        self._touched = True

    def touched(self) -> None:
        """A hand was at the board: the next look begins a new still."""
        self._touched = True

    def observe(self, evidence: Evidence, time: float, seq: int, frame: str, enough: int) -> Still | None:
        """The still that this look belongs to; None while it is open whether the board has changed.

        enough: looks from which a still is remembered as the one before.
        """
        current = self.now
        if current is None or self._touched:
            self._begin(Still(evidence, time, seq=seq, frame=frame), enough)
        elif current.agrees(evidence):
            self._other = None
            current.add(evidence)
        elif self._other is not None and self._other.agrees(evidence):
            other = self._other
            other.add(evidence)
            self._begin(other, enough)
        else:
            self._other = Still(evidence, time, seq=seq, frame=frame)
            return None
        assert self.now is not None
        self.now.seq, self.now.frame = seq, frame
        return self.now

    def _begin(self, still: Still, enough: int) -> None:
        if self.now is not None and self.now.looks >= enough:
            self.before = self.now
        self.now, self._other, self._touched = still, None, False
