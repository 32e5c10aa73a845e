"""What one settled look says about checkers: nats for every count in every slot."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from pi_board.referee.explanations.counts import Scores, Vector, may_have_left, vector
from pi_board.rules import Position, Side
from pi_board.sighting import BAR_DARK, BAR_LIGHT, COUNTS, OFF_DARK, OFF_LIGHT, SLOTS, ZERO, Sighting

#: Most nats that one slot may count against an explanation.
SLOT_CAP = 12.0
#: The same for a tray. Trays are often half out of view and borne-off checkers lie anywhere, so they weigh
#: little.
TRAY_CAP = 3.0
#: Cost (nats) of each checker more or less in a covered slot: unseen points have most likely not changed.
UNSEEN = 0.3
#: Explanations within this many nats cannot be told apart by the picture.
ALIKE = 1.5
#: A reading with a worse fit explains nothing (two slots contradict it outright).
WORST_FIT = -20.0
#: Least fit of an explanation that accuses somebody: it must itself fit in every slot.
ACCUSING_FIT = -8.0


#: (28,) where each slot's count 0 lies in the rows, one after another.
_COLUMN = np.arange(SLOTS) * COUNTS + ZERO


@dataclass(frozen=True, slots=True)
class Evidence:
    """A settled look, slot by slot. rows: (28, 31) float, 0 at each slot's best count, never below -SLOT_CAP.

    trays: (2, 31), the two tray rows bounded like all others: an explanation outside the law must have seen the
    checkers in the tray, while a lawful one does not suffer when they lie about. informed: number of slots that say anything at all.
    mixed: (28,) nats by which a point that holds both sides' checkers explains the picture better than any row.
    hidden: slots of which something that stands there covers a part. strips: what the points look like, as in `Sighting`.
    """

    rows: Scores
    trays: Scores
    informed: int
    mixed: Scores = field(default_factory=lambda: np.zeros(SLOTS))
    hidden: tuple[int, ...] = ()
    strips: npt.NDArray[np.number] | None = None

    @classmethod
    def of(cls, sighting: Sighting) -> Evidence:
        """All that a settled sighting says about checkers."""
        assert sighting.log_likelihood is not None
        found = cls.from_log_likelihood(sighting.log_likelihood)
        for slot, nats in sighting.mixed:
            found.mixed[slot] = min(SLOT_CAP, max(0.0, nats))
        return replace(found, hidden=sighting.hidden, strips=sighting.strips)

    def expecting(self, counts: Vector) -> Evidence:
        """The same, with covered slots leaning towards what was there before: (28,) counts."""
        if not self.hidden:
            return self
        rows = self.rows.copy()
        for slot in self.hidden:
            rows[slot] -= UNSEEN * np.abs(np.arange(-15, 16) - counts[slot])
        return replace(self, rows=rows)

    def keeping(self, counts: Vector, side: Side) -> Evidence:
        """The same, with `side`'s stacks taken to be as high as before: (28,) counts. (Who owns each point is still taken from the picture.)"""
        sign = 1 if side == "light" else -1
        rows = self.rows.copy()
        for slot in np.flatnonzero(counts[:OFF_LIGHT] * sign > 0):
            if (rows[slot].argmax() - ZERO) * sign > 0:
                rows[slot] = -SLOT_CAP
                rows[slot, counts[slot] + ZERO] = 0.0
        return replace(self, rows=rows)

    def alike(self, vectors: Vector, counts: Vector) -> npt.NDArray[np.bool_]:
        """(N,) which of (N, 28) vectors differ from (28,) counts, and only where something covers a part."""
        differs = vectors != counts
        seen = np.ones(SLOTS, dtype=bool)
        seen[list(self.hidden)] = False
        return np.asarray(differs.any(axis=1) & ~differs[:, seen].any(axis=1))

    @classmethod
    def from_log_likelihood(cls, log_likelihood: npt.NDArray[np.float64]) -> Evidence:
        rows = np.array(log_likelihood, dtype=np.float64)
        if rows.shape != (SLOTS, COUNTS):
            raise ValueError(f"log_likelihood: expected shape {(SLOTS, COUNTS)}, got {rows.shape}")
        rows = np.nan_to_num(rows, nan=0.0, neginf=-1e9, posinf=1e9)
        rows -= rows.max(axis=1, keepdims=True)
        np.maximum(rows[:OFF_LIGHT], -SLOT_CAP, out=rows[:OFF_LIGHT])
        trays = np.maximum(rows[OFF_LIGHT:], -SLOT_CAP)
        # Fewer in the tray than were borne off is normal: they lie elsewhere. More than were borne off needs
        # an explanation.
        borne_off = np.abs(np.arange(-15, 16))
        fewer_seen = borne_off[None, :] > borne_off[rows[OFF_LIGHT:].argmax(axis=1)][:, None]
        rows[OFF_LIGHT:] = np.where(fewer_seen, np.maximum(trays, -TRAY_CAP), trays)
        return cls(rows, trays, int((rows.min(axis=1) < -1.0).sum()))

    @property
    def tells_the_bar(self) -> bool:
        """Whether it is no guess how many lie on each half of the bar: dark checkers hardly show on a dark bar."""
        second = np.sort(self.rows[[BAR_LIGHT, BAR_DARK]], axis=1)[:, -2]
        return bool(second.max() <= -ALIKE)

    def scores(self, vectors: Vector) -> Scores:
        """(N,) log-likelihood sums of (N, 28) count vectors, in which no point holds both sides' checkers."""
        return self.rows.take(vectors + _COLUMN).sum(axis=1) - self.mixed.sum()

    def score(self, position: Position) -> float:
        return float(self.scores(vector(position)[None])[0])

    def certainty(self, position: Position, *, told_bar: bool = True) -> float:
        """Nats by which `position` explains the picture better than any board with one checker elsewhere; below 0 when it does not.
        (Trays show little: where checkers may be borne off, one more may lie there. told_bar=False: what this says of the bar is a guess and
        counts for nothing, so it must be plain that the points hold all that they hold in `position`, and no more.)"""
        counts = vector(position)
        slots = np.arange(SLOTS)
        rows = self.rows
        if not told_bar:
            rows = rows.copy()
            rows[[BAR_LIGHT, BAR_DARK]] = 0.0
        there = rows[slots, counts + ZERO]
        least = np.inf
        may_be_off = may_have_left(counts) > np.abs(counts[OFF_LIGHT:])
        for sign, off in ((1, OFF_LIGHT), (-1, OFF_DARK)):
            one_less = there - rows[slots, np.clip(counts - sign, -15, 15) + ZERO]
            one_more = there - rows[slots, np.clip(counts + sign, -15, 15) + ZERO]
            own = counts * sign >= 0
            own[[BAR_DARK, OFF_DARK] if sign > 0 else [BAR_LIGHT, OFF_LIGHT]] = False
            one_less[counts * sign <= 0], one_more[~own] = np.inf, np.inf
            one_less[off], one_more[off] = np.inf, 0.0 if may_be_off[off - OFF_LIGHT] else np.inf
            pairs = one_less[:, None] + one_more[None, :]
            np.fill_diagonal(pairs, np.inf)
            least = min(least, float(pairs.min()))
        return least
