"""`LookRecord`: what vision said in a game, and what really lay there, so that a referee can be tried on it without pictures."""

from __future__ import annotations

import gzip
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pi_board.errors import InvalidFileError
from pi_board.events import Event
from pi_board.referee import AnyReferee
from pi_board.sighting import Sighting
from pi_board.simulator import Scene
from pi_board.simulator.things import Die


class LookTruth(NamedTuple):
    """What really lay there at a look. points: 24 signed counts (light positive); bar, off: (light, dark).

    dice: (value, owner, how it lies: "flat", "cocked", "on_checker", "outside" of the field, "rolling"). hands, clutter, held: how many hands, cups
    and phones, and checkers in the air there are. cube: (stake, place) as `CubeSeen` says them.
    """

    points: tuple[int, ...]
    bar: tuple[int, int]
    off: tuple[int, int]
    dice: tuple[tuple[int, str, str], ...] = ()
    hands: int = 0
    clutter: int = 0
    held: int = 0
    cube: tuple[int, str] = (1, "none")


def what_lies_there(scene: Scene) -> LookTruth:
    """The truth of this moment (to be compared with what vision says, never to be told to it)."""
    points, bar, off = scene.counts()
    dice = tuple((d.value, d.owner, how_it_lies(d, scene)) for d in scene.dice)
    held = len(scene.held) + len(scene.loose)
    return LookTruth(
        tuple(points),
        (bar[0], bar[1]),
        (off[0], off[1]),
        dice,
        len(scene.hands),
        len(scene.clutter),
        held,
        scene.cube_says,
    )


def how_it_lies(die: Die, scene: Scene) -> str:
    """As `LookTruth` says it."""
    if die.blur:
        return "rolling"
    style = scene.style
    if abs(die.x) > style.field_width / 2 or abs(die.y) > style.field_height / 2:
        return "outside"
    return "on_checker" if die.on_checker else "cocked" if die.cocked else "flat"


@dataclass
class LookRecord:
    """Looks of one game in order; pressed: (index of the look after which it came, button)."""

    sightings: list[Sighting] = field(default_factory=list)
    truths: list[LookTruth] = field(default_factory=list)
    pressed: list[tuple[int, str]] = field(default_factory=list)
    _kept: dict[int, np.ndarray] = field(default_factory=dict, repr=False)
    _held: list[np.ndarray] = field(default_factory=list, repr=False)

    def add(self, sighting: Sighting, truth: LookTruth) -> None:
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
        """Fields by their names: a record outlives the next field that a sighting gets."""
        looks = [{f.name: getattr(s, f.name) for f in fields(s)} for s in self.sightings]
        with gzip.open(path, "wb", compresslevel=4) as f:
            pickle.dump((looks, self.truths, self.pressed), f, protocol=5)


def load_looks(path: Path) -> LookRecord:
    """A record that `save` wrote. Only for files of one's own: it is a pickle. Raises InvalidFileError."""
    try:
        with gzip.open(path, "rb") as f:
            looks, truths, pressed = pickle.load(f)
        known = {f.name for f in fields(Sighting)}
        sightings = [
            Sighting(**{k: v for k, v in look.items() if k in known}) if isinstance(look, dict) else look
            for look in looks
        ]
        return LookRecord(sightings, truths, pressed)
    except (OSError, EOFError, pickle.UnpicklingError, TypeError, AttributeError) as error:
        raise InvalidFileError(f"{path}: expected the looks of a campaign's game ({error})") from None


def referee_looks(looks: Sequence[Sighting], referee: AnyReferee) -> Iterator[Event]:
    """`referee` over recorded looks: what it would have said (players can't react)."""
    for sighting in looks:
        table = sighting.log_likelihood
        if table is not None:
            sighting = replace(sighting, log_likelihood=np.asarray(table, np.float64))
        yield from referee.observe(sighting, sighting.time)
