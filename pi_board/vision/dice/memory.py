"""What was found and read in the pictures before, as long as it looks the same."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.changes import STILL, blocks, differences
from pi_board.vision.dice import finder
from pi_board.vision.dice.finder import CELL
from pi_board.vision.dice.finder_view import FinderView
from pi_board.vision.dice.found import Found, Look, is_one_of, same_place

Image = npt.NDArray[np.uint8]
#: How often a reading is reused before it is due again, and how often the finding that there is nothing. One
#: due reading is made anew every so many pictures.
_TRUSTED, _NOTHING_TRUSTED, _REFRESH_EVERY = 4, 20, 2
#: Places with an unsure reading that are read again in each picture.
_MOST_AGAIN = 1
#: How often a place that looks the same is read again at once, before it waits for its turn as others do: what stays unsure for so long is an
#: inlay or too small. (Boards with rosettes, 85_00 and 88_00 of `bench_traced_live.py`: 5 and 7 such places in every picture. Set.)
_AT_ONCE = 6
#: A reading holds while nothing has changed within so many edges of its place. Chosen by eye, not swept.
_UNCHANGED = 1.5
#: Finder heat below which a candidate may be scenery. Real dice and cubes are warmer.
_SCENERY = 0.5


class Memory:
    """What was found and read at places that have not changed since: dice lie still for most of a play.

    Keep one per camera and pass it with every picture. A place counts as unchanged when no spot of a pip's size differs from the
    picture that was read, apart from the light as a whole; what is remembered is never compared with a later picture than that.
    Every few pictures it is read anew all the same, one place after the other, so that no reading rests on one picture's noise.
    """

    def __init__(self, kept: finder.KeptFinder | None = None) -> None:
        self._last: Look | None = None
        self._view: FinderView | None = None
        #: What the finder said; one may serve several memories.
        self.finder = kept or finder.KeptFinder()
        #: The present picture of the finder.
        self._flat: Image
        #: (H / CELL, W / CELL, 3) the finder's picture, each cell as of its last change.
        self._rests_on: Image
        self._now: Image
        #: (H / CELL, W / CELL) difference of the present picture from it, in levels.
        self._differs: npt.NDArray[np.float32] | None = None
        #: (H / 2 CELL, W / 2 CELL, 3) blocks of the present picture.
        self.small: Image
        self._read: dict[str, list[_Kept]] = {}
        self._scenery: list[Found] = []
        self._looks = self._refreshed = 0
        #: The last picture had changed, and nothing was read anew in it for its age.
        self._put_off = False
        self._answer: tuple[Any, ...] | None = None
        self._unsettled = False

    def view(self, geometry: BoardGeometry, margin: tuple[float, float]) -> FinderView:
        """Of this board with this margin; kept from picture to picture."""
        if self._view is None or self._view.of[0] is not geometry or self._view.of[1] != margin:
            self._view = FinderView(geometry, margin)
        return self._view

    def last_look(self, flat: Image, to_picture: npt.NDArray) -> Look | None:
        """The last look, when this view shows the same."""
        self._looks += 1
        last = self._last
        now = blocks(flat, CELL)
        self._flat, self.small = flat, blocks(now, 2)
        if (
            last is None
            or last.rests_on.shape != self.small.shape
            or (
                last.to_picture is not to_picture
                and np.abs(last.to_picture - to_picture).max() > 1e-6 * np.abs(to_picture).max()
            )
        ):
            self._last, self._read, self._scenery, self._answer = None, {}, [], None
            self._rests_on, self._now, self._differs = now, now, None
            return None
        self._rest_on_last()
        self._now = now
        self._differs = differences(self._rests_on, now)
        if float(np.maximum.reduce(differences(last.rests_on, self.small), axis=None)) < STILL:
            self._put_off = False
            self._expire()
            return last
        # Changed places must be read now, because somebody is waiting. Places that are merely due again can wait for the next picture.
        self._put_off = not self._put_off
        if not self._put_off:
            self._expire()
        return None

    def look_again(self) -> Look | None:
        """The last look, for a picture that is known to show the same."""
        if self._last is not None:
            self._looks += 1
            self._put_off = False
            self._rest_on_last()
            self._expire()
        return self._last

    def _rest_on_last(self) -> None:
        """What had changed in the last picture has been read in it: from now on pictures are compared with that one."""
        if self._differs is None:
            return
        stale = self._differs >= STILL
        if stale.any():
            self._rests_on = self._rests_on.copy()
            self._rests_on[stale] = self._now[stale]
            self._differs = np.where(stale, np.float32(0.0), self._differs)

    def keep_look(self, seen: Look) -> None:
        """Remember a look; forget readings of places that it does not show any more."""
        self._last = seen
        for kind, entries in self._read.items():
            self._read[kind] = [e for e in entries if is_one_of(e.place, seen.found)]

    def answer(self, seen: Look, given: npt.NDArray | None) -> Any:
        """The whole answer that was kept, when neither the look nor any reading behind it nor what was `given` has changed since."""
        fresh = True
        for kind, entries in self._read.items():
            same = [e for e in entries if self._looks_the_same(e)]
            if len(same) < len(entries):
                # Keep places that are merely due again, so that their number of readings is not lost.
                fresh, self._read[kind] = False, same
            elif fresh:
                fresh = True not in [e.expired for e in entries]
        kept, self._unsettled = self._answer, False
        if (
            kept is None
            or not fresh
            or kept[0] is not seen
            or not (
                kept[1] is Ellipsis
                or kept[1] is given
                or (given is not None and np.array_equal(kept[1], given))
            )
        ):
            return None
        return kept[2]

    def keep_answer(self, seen: Look, given: Any, answer: Any) -> None:
        """Remember a whole answer, unless a place is to be looked at again in the next picture. given: Ellipsis when it had no say."""
        self._answer = None if self._unsettled else (seen, given, answer)

    def ask_again(self) -> None:
        """A place was not read, or not surely: the next picture's answer may be another."""
        self._unsettled = True

    def recall(self, kind: str, found: Found) -> Any:
        """What was kept of this place, or None when it looks different now."""
        x, y, edge = found.x, found.y, found.edge
        # (As `_of_place`, which most look-ups would call for nothing.)
        for kept in self._read.get(kind, ()):
            place = kept.place
            if (
                -edge < place.x - x < edge
                and -edge < place.y - y < edge
                and not kept.expired
                and same_place(place, found)
                and self._looks_the_same(kept)
            ):
                return kept.what
        return None

    def _of_place(self, kind: str, found: Found) -> list[_Kept]:
        """What is kept of this place, whether it looks the same or not. (Most is elsewhere, which takes no call to tell.)"""
        x, y, edge = found.x, found.y, found.edge
        return [
            e
            for e in self._read.get(kind, ())
            if -edge < e.place.x - x < edge and -edge < e.place.y - y < edge and same_place(e.place, found)
        ]

    def is_scenery(self, found: Found) -> bool:
        """Whether it only looked like this while the thing itself lay elsewhere."""
        if found.heat >= _SCENERY:
            return False
        x, y, edge = found.x, found.y, found.edge
        for f in self._scenery:
            if -edge < f.x - x < edge and -edge < f.y - y < edge and same_place(f, found):
                return True
        return False

    def keep_scenery(self, places: list[Found]) -> None:
        """Remember weak candidates that were not it."""
        self._scenery += [f for f in places if f.heat < _SCENERY and not self.is_scenery(f)]

    def readings(self, kind: str, found: Found) -> int:
        """In how many pictures in a row this place has been read that looked as it does now."""
        return max([0, *[e.times for e in self._of_place(kind, found) if self._looks_the_same(e)]])

    def since(self, kind: str, found: Found) -> int | None:
        """The number of the look at which this place was first read as it looks now; None: not read yet."""
        return min([e.since for e in self._of_place(kind, found) if self._looks_the_same(e)], default=None)

    def keep(
        self,
        kind: str,
        found: Found,
        what: Any,
        *,
        nothing: bool = False,
        sure: bool = True,
        again: bool = False,
    ) -> None:
        """Remember what was read of this place in the present picture. nothing: it was surely none, which need not be asked again
        so soon; sure: otherwise it is to be read again as soon as its turn comes; again: in the next picture, the first few times."""
        before = self._of_place(kind, found)
        same = [e for e in before if self._looks_the_same(e)]
        times = max([0, *[e.times for e in same]]) + 1
        since = min([self._looks, *[e.since for e in same]])
        again = again and times <= _AT_ONCE
        entries = [e for e in self._read.get(kind, ()) if e not in before]
        reach = _UNCHANGED * found.edge / CELL
        cells = _around((found.x + 0.5) / CELL, (found.y + 0.5) / CELL, reach)
        body = self._flat[_around(found.x, found.y, 0.5 * found.edge)]
        spread = _spread(body) if body.size else 0.0
        self._read[kind] = [
            *entries,
            _Kept(
                found,
                cells,
                what,
                self._looks,
                _NOTHING_TRUSTED if nothing else _TRUSTED,
                max(STILL, 0.5 * spread),
                sure,
                again,
                times,
                since,
            ),
        ]
        self._unsettled |= again

    def _entries(self) -> list[_Kept]:
        return [e for entries in self._read.values() for e in entries]

    def _looks_the_same(self, kept: _Kept) -> bool:
        if self._differs is None or kept.read_at == self._looks:
            return True
        here = self._differs[kept.cells]
        # (A method's own maximum takes three calls.)
        return not here.size or float(np.maximum.reduce(here, axis=None)) < kept.tolerance

    def _expire(self) -> None:
        """The reading that has been trusted for longest, for what it is, is to be made anew; never more than one in a few pictures.
        And of those that are not sure the oldest, in every picture."""
        unsure = sorted((e for e in self._entries() if not e.sure and not e.expired), key=lambda e: e.read_at)
        for entry in unsure[:_MOST_AGAIN]:
            entry.expired = True
        if self._looks - self._refreshed < _REFRESH_EVERY:
            return
        oldest = max(self._entries(), key=lambda e: (self._looks - e.read_at) / e.trusted, default=None)
        if oldest is not None and not oldest.expired and self._looks - oldest.read_at > oldest.trusted:
            oldest.expired, self._refreshed = True, self._looks


def _around(x: float, y: float, reach: float) -> tuple[slice, slice]:
    """Rows and columns up to `reach` from (x, y)."""
    top, left = int(y - reach), int(x - reach)
    return (
        slice(top if top > 0 else 0, int(y + reach) + 1),
        slice(left if left > 0 else 0, int(x + reach) + 1),
    )


def _spread(body: Image) -> float:
    """The standard deviation. (An array's own method takes eight calls.)"""
    off = body - np.add.reduce(body, axis=None, dtype=np.float64) / body.size
    return math.sqrt(np.add.reduce(off * off, axis=None) / body.size)


@dataclass(slots=True, eq=False)
class _Kept:
    """What was read of a place, the cells it was read from, at which look, for how many it is trusted, and by how many levels a cell
    may differ since. times: in so many pictures in a row the place looked like this and was read. since: at which look first."""

    place: Found
    cells: tuple[slice, slice]
    what: Any
    read_at: int
    trusted: int
    tolerance: float
    sure: bool = True
    expired: bool = False
    times: int = 1
    since: int = 0
