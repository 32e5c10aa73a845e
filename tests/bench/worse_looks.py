"""Looks of a kept game made worse at random, as a poorer camera or a busier table might have shown them: who is accused then?"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pi_board.sighting import Gate, Sighting

#: Out of these is drawn, for each game: nats of noise a reading has in each cell, the share of readings that a hand hides, and of dice
#: that one look misses. Set, not measured: far worse than any camera of a campaign.
NOISE, HIDDEN, MISSED = (0.5, 1.5, 3.0), (0.0, 0.2, 0.5), (0.0, 0.0, 0.1)


@dataclass
class WorseLooks:
    """One game's looks, worse in its own way. seed: of the way; the same one each time."""

    seed: tuple[int, int]

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng(self.seed)
        self._noise, self._hidden, self._missed = (
            float(self._rng.choice(of)) for of in (NOISE, HIDDEN, MISSED)
        )
        self._read: object = None
        self._off, self._is_hidden = np.zeros(()), False

    def __str__(self) -> str:
        return (
            f"{self._noise:.1f} nats of noise, {self._hidden:.0%} hidden, {self._missed:.0%} of dice missed"
        )

    def of(self, seen: Sighting, read: object) -> Sighting:
        """What is seen instead of `seen`; read: the reading behind it, which may be told more than once."""
        if seen.log_likelihood is None:
            return seen
        if read is not self._read:
            self._read = read
            self._off = self._rng.normal(0, self._noise, seen.log_likelihood.shape)
            self._is_hidden = bool(self._rng.random() < self._hidden)
        if self._is_hidden:
            return replace(seen, gate=Gate.HAND, log_likelihood=None, dice=())
        dice = tuple(d for d in seen.dice if self._rng.random() >= self._missed)
        return replace(seen, log_likelihood=seen.log_likelihood + self._off, dice=dice)
