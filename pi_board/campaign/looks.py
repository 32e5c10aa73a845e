"""`LookRecord`: what vision said in a game, and what really lay there, so that a referee can be tried on it without pictures."""

from __future__ import annotations

import gzip
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from pi_board.errors import InvalidFileError
from pi_board.events import Event
from pi_board.referee import Referee
from pi_board.sighting import Sighting

#: What really lay there at a look: signed counts of the 24 points, bar (light, dark), off (light, dark), dice (value, owner, flat).
Truth = tuple[tuple[int, ...], tuple[int, int], tuple[int, int], tuple[tuple[int, str, bool], ...]]


@dataclass
class LookRecord:
    """Looks of one game in order; pressed: (index of the look after which it came, button)."""

    sightings: list[Sighting] = field(default_factory=list)
    truths: list[Truth] = field(default_factory=list)
    pressed: list[tuple[int, str]] = field(default_factory=list)
    _kept: dict[int, np.ndarray] = field(default_factory=dict, repr=False)
    _held: list[np.ndarray] = field(default_factory=list, repr=False)

    def add(self, sighting: Sighting, truth: Truth) -> None:
        """A look that repeats the one before shares its table with it."""
        table = sighting.log_likelihood
        if table is not None:
            small = self._kept.get(id(table))
            if small is None:
                small = np.asarray(table, np.float32)
                self._kept = {id(table): small}
                self._held = [table]
            sighting = replace(sighting, log_likelihood=small)
        self.sightings.append(sighting)
        self.truths.append(truth)

    def save(self, path: Path) -> None:
        with gzip.open(path, "wb", compresslevel=4) as f:
            pickle.dump((self.sightings, self.truths, self.pressed), f, protocol=5)


def load_looks(path: Path) -> LookRecord:
    """A record that `save` wrote. Only for files of one's own: it is a pickle. Raises InvalidFileError."""
    try:
        with gzip.open(path, "rb") as f:
            return LookRecord(*pickle.load(f))
    except (OSError, EOFError, pickle.UnpicklingError, TypeError, AttributeError) as error:
        raise InvalidFileError(f"{path}: expected the looks of a campaign's game ({error})") from None


def referee_looks(looks: Sequence[Sighting], referee: Referee) -> Iterator[Event]:
    """`referee` over recorded looks: what it would have said (players can't react)."""
    for sighting in looks:
        table = sighting.log_likelihood
        if table is not None:
            sighting = replace(sighting, log_likelihood=np.asarray(table, np.float64))
        yield from referee.observe(sighting, sighting.time)
