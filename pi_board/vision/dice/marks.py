"""What is taken for a die where none lies: an inlay, a print, a coin. It stays where it is while one roll after the other is lifted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pi_board.sighting import DieSeen

#: (x, y) of the field, cm.
Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class MarkModel:
    """rolls: beside so many rolls, one after the other at different places, it was seen before it counts as a mark; plain_rolls: the same of
    what shows the same number for sure each time; missed: it was none if so many in a row lie without it. apart: edges of a die within
    which it is the same (of an inlay as large as a checker now this part looks like a die and now that). sure: confidence from which on
    what shows a number is a die, wherever it lies, unless it is such a mark. Source: games 85_00 (inlays) and 89_03 (letters of a print
    that read as sixes) of `trace_games.py`; all set.
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
    """`observe` each look, then ask `which_are_none`. shown: of each that looks like a die the number that it
    plainly shows (`is_plain`), None where it does not. edge: cm of a die.
    """

    model: MarkModel = MODEL
    #: Where the two dice of the last roll lay, and all that was seen since it came or, before the first one, what lay there then.
    _roll: list[Place] = field(default_factory=list)
    _lay: list[Place] = field(default_factory=list)
    _on_the_bar: list[Place] = field(default_factory=list)
    _seen: list[_Seen] = field(default_factory=list)

    def lie_before_a_roll(self, places: Sequence[Place], on_bar: Sequence[bool]) -> None:
        """At these cm something seems to lie where nobody has rolled yet. on_bar: of each whether it is the bar; there it is the cube or a
        screw, however plainly it reads. Elsewhere it is none if it stays while two others are rolled."""
        self._on_the_bar = [place for place, there in zip(places, on_bar, strict=True) if there]
        beside = [place for place, there in zip(places, on_bar, strict=True) if not there]
        self._lay, self._roll = list(places), []
        self._seen = [_Seen(place, self.model.plain_rolls - 1, None, True) for place in beside]

    def observe(self, shown: Sequence[int | None], places: Sequence[Place], edge: float) -> None:
        """places: cm of each."""
        reach = self.model.apart * edge
        lay = [_is_near(place, self._lay, reach) for place in places]
        came = [p for p, n, old in zip(places, shown, lay, strict=True) if n is not None and not old]
        if not self._roll and came and len(lay) - sum(lay) >= 2:
            # (Of the first roll a die need not be read to tell that what lay there before is no part of it.)
            for place, number, old in zip(places, shown, lay, strict=True):
                if old and (stayed := self._at(place, reach)) is not None:
                    stayed.rolls, stayed.shows = self.model.plain_rolls, stayed.shows or number
        if len(came) == 2:
            self._roll, self._lay = came, list(places)
            for seen in self._seen:
                seen.missed, seen.beside_this = 0 if seen.beside_this else seen.missed + 1, False
            self._seen = [seen for seen in self._seen if seen.missed < self.model.missed]
        else:
            # The same roll, or one of which a die was not read.
            self._lay += [place for place, old in zip(places, lay, strict=True) if not old]
        if not self._roll:
            return
        for place, number in zip(places, shown, strict=True):
            if _is_near(place, self._roll, reach):
                continue
            near = self._at(place, reach)
            if near is None:
                self._seen.append(_Seen(place, 1, number, True))
                continue
            if near.shows is None:
                near.shows = number
            if not near.beside_this and number in (None, near.shows):
                near.rolls, near.beside_this = near.rolls + 1, True

    def which_are_none(self, shown: Sequence[int | None], places: Sequence[Place], edge: float) -> list[bool]:
        """Of each that looks like a die, whether it is a mark; as in `observe`."""
        reach = self.model.apart * edge
        return [
            _is_near(place, self._on_the_bar, reach) or self._is_mark(place, number, reach)
            for number, place in zip(shown, places, strict=True)
        ]

    def _is_mark(self, place: Place, number: int | None, reach: float) -> bool:
        """Whether what shows this lies where a mark does, and is it."""
        if not self._seen or (seen := self._at(place, reach)) is None:
            return False
        if number is None:
            return seen.rolls >= self.model.rolls
        return seen.rolls >= self.model.plain_rolls and number == seen.shows

    def _at(self, place: Place, reach: float) -> _Seen | None:
        for seen in self._seen:
            if _is_near(place, (seen.place,), reach):
                return seen
        return None


@dataclass(slots=True)
class _Seen:
    """place: cm. rolls: beside so many it was seen. shows: the number that it plainly showed first. beside_this: seen beside the last one;
    missed: so many before that, in a row, beside which it was not."""

    place: Place
    rolls: int
    shows: int | None
    beside_this: bool
    missed: int = 0


def _is_near(place: Place, others: Sequence[Place], reach: float) -> bool:
    """Whether one of `others` is within `reach`. (Calls cost most here: each look asks, and `test_calls` counts them.)"""
    x, y = place
    return True in [(u - x) ** 2 + (v - y) ** 2 < reach**2 for u, v in others]
