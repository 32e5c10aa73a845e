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
    """Places in cm of the field. `observe` each look, then ask `which_are_none`."""

    model: MarkModel = MODEL
    #: Of the last roll of two plain dice.
    _roll: Floats | None = None
    _on_the_bar: Floats = field(default_factory=lambda: np.zeros((0, 2)))
    _seen: list[_Seen] = field(default_factory=list)

    def observe(self, plain: Sequence[bool], places: Floats, edge: float) -> None:
        """plain: of each that looks like a die, whether it `is_plain`; places: (len(plain), 2) cm. edge: cm of a die."""
        if sum(plain) != 2:
            return
        mask = np.array(plain)
        roll, reach = places[mask], self.model.apart * edge
        if self._roll is None or not _lie_alike(roll, self._roll, reach):
            self._roll = roll
            for seen in self._seen:
                seen.beside_this = False
        if len(plain) == 2:
            return
        for place in places[~mask]:
            near = next((s for s in self._seen if np.hypot(*(s.place - place)) < reach), None)
            if near is None:
                self._seen.append(_Seen(place, 1))
            elif not near.beside_this:
                near.rolls, near.beside_this = near.rolls + 1, True

    def lie_on_the_bar(self, places: Floats) -> None:
        """What seems to lie at these (N, 2) cm on the bar, where nobody has rolled yet, is the cube or a screw, however plainly it reads."""
        self._on_the_bar = places

    def which_are_none(self, plain: Sequence[bool], places: Floats, edge: float) -> list[bool]:
        """Of each that looks like a die, whether it is a mark; as in `observe`."""
        reach = self.model.apart * edge
        on_bar = _near(places, self._on_the_bar, reach)
        if all(plain):
            return on_bar
        on_marks = _near(places, [s.place for s in self._seen if s.rolls >= self.model.rolls], reach)
        return [
            there or (near and not sure) for there, near, sure in zip(on_bar, on_marks, plain, strict=True)
        ]


@dataclass(slots=True)
class _Seen:
    """place: (2,) cm. rolls: beside so many it was seen; beside_this: beside the last one."""

    place: Floats
    rolls: int
    beside_this: bool = True


def _near(places: Floats, marks: Floats | list[Floats], reach: float) -> list[bool]:
    """Of each place whether one of `marks` is within `reach`."""
    if not len(marks):
        return [False] * len(places)
    apart = np.hypot(*(places[:, None] - np.asarray(marks)).transpose(2, 0, 1))
    return [bool(near) for near in (apart < reach).any(axis=1)]


def _lie_alike(roll: Floats, other: Floats, reach: float) -> bool:
    """Both dice lie where the other two lay."""
    (a, b), (c, d) = np.hypot(*(roll[:, None] - other).transpose(2, 0, 1)).tolist()
    return bool(min(max(a, d), max(b, c)) < reach)
