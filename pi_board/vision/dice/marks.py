"""What is taken for a die where none lies: an inlay, a print, a coin. It stays where it is while one roll after the other is lifted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pi_board.sighting import DieSeen

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MarkModel:
    """rolls: beside so many rolls, one after the other at different places, it was seen before it counts as a mark; plain_rolls: the same of
    what shows the same number for sure each time; missed: it was none where so many in a row lie without it. apart: edges of a die within which it is the same (of an inlay as large as a checker
    now this part looks like a die and now that). sure: confidence from which on what shows a number is a die, wherever it lies, unless
    it is such a mark. Source: games 85_00 (inlays) and 89_03 (an E and a U of a print that read as sixes) of `trace_games.py`; all set.
    """

    rolls: int = 2
    plain_rolls: int = 3
    missed: int = 2
    apart: float = 1.0
    sure: float = 0.95


MODEL = MarkModel()


def is_plain(die: DieSeen, model: MarkModel = MODEL) -> bool:
    """It lies flat and shows a number for sure."""
    return die.value is not None and not die.cocked and die.confidence >= model.sure


@dataclass(slots=True)
class Marks:
    """Places in cm of the field. `observe` each look, then ask `which_are_none`. shown: of each that looks like a die the number that it
    plainly shows (`is_plain`), None where it does not. edge: cm of a die.
    """

    model: MarkModel = MODEL
    #: Where the two dice of the last roll lay, and all that was seen since it came or, before the first one, what lay there then.
    _roll: Floats = field(default_factory=lambda: np.zeros((0, 2)))
    _lay: Floats = field(default_factory=lambda: np.zeros((0, 2)))
    _on_the_bar: Floats = field(default_factory=lambda: np.zeros((0, 2)))
    _seen: list[_Seen] = field(default_factory=list)

    def lie_before_a_roll(self, places: Floats, on_bar: npt.NDArray[np.bool_]) -> None:
        """At these (N, 2) cm something seems to lie where nobody has rolled yet. on_bar: (N,) there it is the cube or a screw, however plainly
        it reads; elsewhere it is none if it stays while two others are rolled."""
        self._on_the_bar = places[on_bar]
        self._lay, self._roll = places, np.zeros((0, 2))
        self._seen = [_Seen(place, self.model.plain_rolls - 1, None, True) for place in places[~on_bar]]

    def observe(self, shown: Sequence[int | None], places: Floats, edge: float) -> None:
        """places: (len(shown), 2) cm."""
        reach = self.model.apart * edge
        plain = np.array([number is not None for number in shown], np.bool_)
        lay = _near(places, self._lay, reach)
        came = plain & ~lay
        if not len(self._roll) and came.any() and sum(~lay) >= 2:
            # (Of the first roll a die need not be read to tell that what lay there before is no part of it.)
            for i in np.flatnonzero(lay):
                for seen in self._seen:
                    if np.hypot(*(seen.place - places[i])) < reach:
                        seen.rolls, seen.shows = self.model.plain_rolls, seen.shows or shown[int(i)]
        if came.sum() == 2:
            self._roll, self._lay = places[came], places
            for seen in self._seen:
                seen.missed, seen.beside_this = 0 if seen.beside_this else seen.missed + 1, False
            self._seen = [seen for seen in self._seen if seen.missed < self.model.missed]
        else:
            # The same roll, or one of which a die was not read.
            self._lay = np.concatenate([self._lay, places[~lay]])
        if not len(self._roll):
            return
        for i in np.flatnonzero(~_near(places, self._roll, reach)):
            near = next((s for s in self._seen if np.hypot(*(s.place - places[i])) < reach), None)
            if near is None:
                self._seen.append(_Seen(places[i], 1, shown[int(i)], True))
                continue
            number = shown[int(i)]
            if near.shows is None:
                near.shows = number
            if not near.beside_this and number in (None, near.shows):
                near.rolls, near.beside_this = near.rolls + 1, True

    def which_are_none(self, shown: Sequence[int | None], places: Floats, edge: float) -> list[bool]:
        """Of each that looks like a die, whether it is a mark; as in `observe`."""
        reach = self.model.apart * edge
        on_bar = _near(places, self._on_the_bar, reach).tolist()
        return [
            there
            or any(self._is(seen, number) and np.hypot(*(seen.place - place)) < reach for seen in self._seen)
            for there, number, place in zip(on_bar, shown, places, strict=True)
        ]

    def _is(self, seen: _Seen, number: int | None) -> bool:
        """Whether what shows this is `seen`, and that is a mark."""
        if number is None:
            return seen.rolls >= self.model.rolls
        return seen.rolls >= self.model.plain_rolls and number == seen.shows


@dataclass(slots=True)
class _Seen:
    """place: (2,) cm. rolls: beside so many it was seen. shows: the number that it plainly showed first. beside_this: seen beside the last
    one; missed: so many before that, in a row, beside which it was not."""

    place: Floats
    rolls: int
    shows: int | None
    beside_this: bool
    missed: int = 0


def _near(places: Floats, others: Floats, reach: float) -> npt.NDArray[np.bool_]:
    """Of each place whether one of `others` is within `reach`."""
    if not len(others) or not len(places):
        return np.zeros(len(places), np.bool_)
    apart = np.hypot(*(places[:, None] - others).transpose(2, 0, 1))
    return np.asarray((apart < reach).any(axis=1))
