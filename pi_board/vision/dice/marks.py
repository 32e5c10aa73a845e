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
    """rolls: beside so many rolls, one after the other at different places, it was seen before it counts as a mark. apart: edges of a die
    within which it is the same (of an inlay as large as a checker now this part looks like a die and now that). sure: confidence from
    which on what shows a number is a die, wherever it lies. Source: game 85_00 of `trace_games.py`; all set.
    """

    rolls: int = 2
    apart: float = 1.0
    sure: float = 0.95


MODEL = MarkModel()


def is_plain(die: DieSeen, model: MarkModel = MODEL) -> bool:
    """It lies flat and shows a number for sure."""
    return die.value is not None and not die.cocked and die.confidence >= model.sure


@dataclass(slots=True)
class Marks:
    """Places in cm of the field. `observe` each look, then `without` leaves out what lies on a mark and is no plain die."""

    model: MarkModel = MODEL
    #: Of the last roll of two plain dice.
    _roll: Floats | None = None
    _on_the_bar: Floats = field(default_factory=lambda: np.zeros((0, 2)))
    #: (Place, rolls beside which it was seen; whether beside the last one).
    _seen: list[_Seen] = field(default_factory=list)

    def observe(self, dice: Sequence[DieSeen], places: Floats, edge: float) -> None:
        """places: (len(dice), 2) cm. edge: cm of a die."""
        plain = np.array([is_plain(d, self.model) for d in dice], dtype=bool)
        if plain.sum() != 2:
            return
        roll, reach = places[plain], self.model.apart * edge
        if self._roll is None or not _lie_alike(roll, self._roll, reach):
            self._roll = roll
            for seen in self._seen:
                seen.beside_this = False
        for place in places[~plain]:
            near = next((s for s in self._seen if np.hypot(*(s.place - place)) < reach), None)
            if near is None:
                self._seen.append(_Seen(place, 1))
            elif not near.beside_this:
                near.rolls, near.beside_this = near.rolls + 1, True

    def lie_on_the_bar(self, places: Floats) -> None:
        """What seems to lie at these (N, 2) cm on the bar, where nobody has rolled yet, is the cube or a screw, however plainly it reads."""
        self._on_the_bar = places

    def without(self, dice: Sequence[DieSeen], places: Floats, edge: float) -> list[DieSeen]:
        """Those of `dice` that are no mark; places and edge as in `observe`."""
        reach = self.model.apart * edge
        marks = np.array([s.place for s in self._seen if s.rolls >= self.model.rolls]).reshape(-1, 2)
        on_marks, on_bar = _near(places, marks, reach), _near(places, self._on_the_bar, reach)
        return [
            d
            for d, near, there in zip(dice, on_marks, on_bar, strict=True)
            if not there and (not near or is_plain(d, self.model))
        ]


@dataclass(slots=True)
class _Seen:
    place: Floats
    rolls: int
    beside_this: bool = True


def _near(places: Floats, marks: Floats, reach: float) -> npt.NDArray[np.bool_]:
    """(len(places),) whether one of `marks` is within `reach`."""
    if not len(marks):
        return np.zeros(len(places), dtype=bool)
    return np.asarray(np.hypot(*(places[:, None] - marks).transpose(2, 0, 1)).min(axis=1) < reach)


def _lie_alike(roll: Floats, other: Floats, reach: float) -> bool:
    """Both dice lie where the other two lay."""
    apart = np.hypot(*(roll[:, None] - other).transpose(2, 0, 1))
    return bool(min(max(apart[0, 0], apart[1, 1]), max(apart[0, 1], apart[1, 0])) < reach)
