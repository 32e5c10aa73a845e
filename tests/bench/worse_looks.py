"""Looks of a kept game made worse at random, as a poorer camera or a busier table might have shown them: who is accused then?"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pi_board.sighting import Gate, Sighting

#: Out of these is drawn, for each game: nats of noise a reading has in each cell, the share of readings that a hand hides, for how many
#: it stays, and of the dice of one reading the share that is missed, misread, and read as unsure.
#: Set, not measured: far worse than any camera of a campaign.
NOISE, HIDDEN, STAYS = (0.5, 1.5, 3.0), (0.0, 0.2, 0.5), (1, 3, 8)
MISSED, MISREAD, UNSURE = (0.0, 0.0, 0.1, 0.4), (0.0, 0.0, 0.01, 0.05), (0.0, 0.0, 0.2)
#: A misread die is believed as much as one that is read right: between these.
BELIEVED = (0.6, 0.99)


@dataclass
class WorseLooks:
    """One game's looks, worse in its own way. seed: of the way; the same one each time."""

    seed: tuple[int, int]

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng(self.seed)
        self._noise, self._hidden, self._missed, self._misread, self._unsure = (
            float(self._rng.choice(of)) for of in (NOISE, HIDDEN, MISSED, MISREAD, UNSURE)
        )
        self._stays = int(self._rng.choice(STAYS))
        self._read: object = None
        # What is told of it, the same each time it is told.
        self._told, self._is_hidden = np.zeros(()), False
        #: What was drawn for each die of the reading: whether it is missed, its number and how far that is believed.
        self._dice: list[tuple[bool, int | None, float] | None] = []

    def __str__(self) -> str:
        return (
            f"{self._noise:.1f} nats of noise, {self._hidden:.0%} hidden for {self._stays}, "
            f"dice {self._missed:.0%} missed, {self._misread:.0%} misread, {self._unsure:.0%} unsure"
        )

    def of(self, seen: Sighting, read: object) -> Sighting:
        """What is seen instead of `seen`; read: the reading behind it, which may be told more than once."""
        if seen.log_likelihood is None:
            return seen
        if read is not self._read:
            self._read = read
            self._told = seen.log_likelihood + self._rng.normal(0, self._noise, seen.log_likelihood.shape)
            # A hand comes so seldom that its whole stay makes up the share.
            other = 1 / self._stays if self._is_hidden else self._comes()
            if self._rng.random() < other:
                self._is_hidden = not self._is_hidden
            self._dice = [self._drawn() for _ in seen.dice]
        if self._is_hidden:
            return replace(seen, gate=Gate.HAND, log_likelihood=None, dice=())
        dice = []
        for die, drawn in zip(seen.dice, self._dice, strict=True):
            missed, value, believed = drawn if drawn is not None else (False, die.value, die.confidence)
            if not missed:
                dice.append(replace(die, value=value, confidence=believed))
        return replace(seen, log_likelihood=self._told, dice=tuple(dice))

    def _comes(self) -> float:
        """How likely a hand comes before a reading that none hid."""
        return min(1.0, self._hidden / (1 - self._hidden) / self._stays)

    def _drawn(self) -> tuple[bool, int | None, float] | None:
        """What one reading makes of one die; None: it is read as it was."""
        if self._rng.random() < self._missed:
            return True, None, 0.0
        if self._rng.random() < self._unsure:
            return False, None, 0.0
        if self._rng.random() < self._misread:
            return False, int(self._rng.integers(1, 7)), float(self._rng.uniform(*BELIEVED))
        return None
