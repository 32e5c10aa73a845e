"""Dice: where they lie, what they show, whether they lie flat.

`read_die` reads a crop around one die. `find_dice` finds them on a registered board: a small network marks dice in the
rectified picture, a second one reads each at full resolution, a third and wider one must agree, and reads what is not clear. All were trained on drawn scenes only
(`training/dice_*.py`). Unsure is an answer: `value` is None below `DiceOptions.least_confidence`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidSettingsError
from pi_board.sighting import DieSeen
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.changes import STILL, Change, blocks, differences
from pi_board.vision.dice import finder, numerals, pips
from pi_board.vision.dice.finder import CELL
from pi_board.vision.patchwork import CELL as PIECE
from pi_board.vision.patchwork import Part, Patchwork
from pi_board.vision.picture import checked_picture

Image = npt.NDArray[np.uint8]

#: Width of the rectified field that the finder looks at, px.
FINDER_WIDTH = 336
#: Temperature of the softmax: the mean over several sizes is surer than each of them. Chosen on drawn dice
#: that were kept out of training.
_TEMPERATURE = 0.9
#: Probability from which a die is called cocked, or on a checker. High, because a flat die that is called
#: cocked costs the player a roll.
_COCKED, _ON_CHECKER = 0.985, 0.97
#: The threshold for "cocked" where a known checker is near enough to lean on; where only a rim, the bar or a
#: die is; and what counts as near (edges). Source: `bench_cocked.py --boards 60 --seed 1`, tried .5 to .9 and .95 to .99.
_COCKED_BESIDE, _COCKED_ELSEWHERE, _REACH = 0.9, 0.985, 1.2
#: And where its middle is over a checker, nearer than so many diameters to that one's: none lies flat on the field there. (Of 399 flat
#: dice on the shared pictures none is nearer than 0.69 to where a checker belongs, those upon checkers keep less than 0.35.) Nearest, the
#: network need hardly agree; it must a little, as a die that was taken for a checker lies upon none.
_COCKED_OVER, _OVER = 0.3, 0.5
_COCKED_UPON, _UPON = 0.05, 0.4
#: Crops that are read, as multiples of the die's edge.
_SIZES = (0.85, 1.0, 1.17)
#: In a view at least this slanted the side of a die may be mistaken for its top. The top is then seen this
#: many edges further back.
_STEEP, _BEHIND = 0.3, (0.4, 0.85)
#: If all sizes agree on a value with this probability, the turned crops are not read.
_CLEAR = 0.97
#: A candidate that is no die with this probability at first sight is not read again.
_HARDLY = 0.3
#: Where the finder's cube heat exceeds this, the candidate is read as a die too, even if its die heat is low:
#: the finder confuses the two.
_CUBE_LIKE = 0.4
#: Quarter turns that the second network reads when the first is unsure. It is wider and three times slower,
#: so it reads fewer.
_TURNS = (0, 1)
#: Confidence from which a reading is remembered. A candidate that is a die with less than the second
#: probability is read again only when its turn comes.
_SURE, _PROBABLY = 0.93, 0.85
#: Least distance of two dice, in edges: two tops cannot be closer than 1, less the error of both places. A
#: smeared die may be found twice.
_APART = 0.8


@dataclass(frozen=True, slots=True)
class PlaceModel:
    """When two finds are one thing, and what of a reading counts. Edges are those of the die.

    Source: chosen by eye on the pictures of `tests/bench/bench_dice.py`, not swept; that bench shows what a change does. The finder's
    own numbers (`usual_edge`, `most_log_edge`) are part of its training and change with its weights only.

    oblong: ratio of a crop's sides from which it is read stretched as well as square.
    same_place: edges within which two finds are one; least_edge, most_edge: ratio of their edges.
    coarser: how many times the picture may be finer than the rectified field before it is shrunk first. usual_edge: px of the
    finder's picture at which its answer for an edge is 0; most_log_edge: bound of that answer, natural logarithm.
    margin: of the picture beyond field or shaker, share of the field's width.
    other_body: 8-bit levels from the colours of the known dice from which `odd_body` nats speak against a die.
    cube: by how much the finder's heat for a cube must be the greater to take it for one.
    top: edges by which the top of a die seen from the side lies behind what was found and slanted; aside: edges
    by which the top may lie off that line. no_die: probability of "no die" below which such a top is believed.
    certain: probability of "no die" at every size below which a first reading may be clear. clearest: exponent by which the
    clearer sizes outweigh the others; ruled_out: probability added to each value, so that one size cannot forbid it for good,
    and the smaller one for crops of unknown size.
    side_before: a find that lies before a top, as the camera sees it, by at least so much of the way to the middle of its side is that
    side, if it is no further away than that way and `side_error` edges, and its own edge no longer than `side_edge` of the top's.
    """

    oblong: float = 1.18
    same_place: float = 0.25
    least_edge: float = 0.75
    most_edge: float = 1.33
    coarser: float = 1.6
    usual_edge: float = 12.0
    most_log_edge: float = 1.5
    margin: float = 0.02
    other_body: float = 70
    odd_body: float = 1.5
    cube: float = 0.1
    top: float = 0.65
    aside: float = 0.45
    no_die: float = 0.4
    certain: float = 0.01
    clearest: int = 4
    ruled_out: tuple[float, float] = (1e-3, 1e-4)
    side_before: float = 0.5
    side_error: float = 0.15
    side_edge: float = 1.05


PLACE = PlaceModel()
#: A threshold that no probability reaches.
_NEVER = 1.1


@dataclass(frozen=True, slots=True)
class DiceOptions:
    """least_heat: 0..1, how sure the finder must be to have a place looked at. least_die: 0..1, how sure finder and reader
    together must be that it is a die; least_valued: and that it has a value (in play what is no die must have none).
    least_confidence: 0..1, below it a die's value is None. most: places looked at in one picture.
    slack_cm: how far outside the field a die's centre may lie (leaning on the rim)."""

    least_heat: float = 0.28
    least_die: float = 0.95
    least_valued: float = 0.95
    least_confidence: float = 0.85
    most: int = 14
    slack_cm: float = 0.3

    def __post_init__(self) -> None:
        for key in ("least_heat", "least_die", "least_valued", "least_confidence"):
            if not 0.0 <= getattr(self, key) <= 1.0:
                raise InvalidSettingsError(f"{key}: expected 0 to 1, got {getattr(self, key)}")
        if not 1 <= self.most <= 50:
            raise InvalidSettingsError(f"most: expected 1 to 50, got {self.most}")


@dataclass(frozen=True, slots=True)
class DieReading:
    """value: 1-6, or None when unsure. confidence: 0..1 that `value` (or the best guess behind None) is right.
    probabilities: of 1 to 6."""

    value: int | None
    confidence: float
    probabilities: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """A place that looks like a die or cube: x, y in the finder's picture, edge px there, heat 0..1."""

    kind: Literal["die", "cube"]
    x: float
    y: float
    edge: float
    heat: float


@dataclass(frozen=True, slots=True)
class Look:
    """One run of the finder. to_picture: (3, 3) homography, the finder's picture → the camera's. rests_on: (H / 2 CELL, W / 2 CELL, 3)
    uint8, blocks of the finder's picture, each as it was when the finder last looked there."""

    found: list[Found]
    to_picture: npt.NDArray
    rests_on: Image

    def places(self, found: Sequence[Found]) -> npt.NDArray:
        """(N, 2) px in the camera's picture."""
        if not found:
            return np.zeros((0, 2))
        points = np.array([[[f.x, f.y]] for f in found], np.float64)
        return cv2.perspectiveTransform(points, self.to_picture).reshape(-1, 2)

    def warmer(self, heat: float) -> Look:
        """The same without what is not hotter."""
        return replace(self, found=[f for f in self.found if f.heat > heat])

    def sizes(self, found: Sequence[Found]) -> npt.NDArray:
        """(N,) edges, px in the camera's picture."""
        out = []
        for f in found:
            h = f.edge / 2
            square = np.array(
                [[[f.x - h, f.y - h], [f.x + h, f.y - h], [f.x + h, f.y + h], [f.x - h, f.y + h]]]
            )
            out.append(
                np.sqrt(
                    abs(cv2.contourArea(cv2.perspectiveTransform(square, self.to_picture).astype(np.float32)))
                )
            )
        return np.array(out)


#: Edge of the die as a share of the crop's sides: boxes are tight, or leave room around the die.
_SHARES = (0.9, 0.76, 0.64, 0.54, 0.45, 0.38, 0.31)
#: Exponent of (die probability x confidence) by which the better crops outweigh the worse ones.
_TRUST = 8.0


def read_die(bgr_crop: npt.NDArray, *, least_confidence: float = 0.4) -> DieReading:
    """Value of the top face of the one die that a crop (H, W, 3) uint8 BGR shows; any view, colours, angle.

    The die should be in the middle and fill at least a third of the crop. It is looked at in several sizes, as it is
    and with the contrast of its middle spread, and an oblong crop also made square (a stretched picture); the
    clearest of these decide. Raises InvalidError for what is no picture.
    """
    crop = checked_picture(bgr_crop, what="crop", least=4)
    height, width = crop.shape[:2]
    short = min(width, height)
    shapes = [(short, short)]
    if max(width, height) > PLACE.oblong * short:
        shapes.append((width, height))
    patches = []
    for wide, high in shapes:
        for share in _SHARES:
            to_image = np.array(
                [[wide * share, 0, (width - 1) / 2], [0, high * share, (height - 1) / 2], [0, 0, 1.0]]
            )
            patch = pips.cut_patch(crop, to_image, (0.0, 0.0), 1.0)
            patches += [patch, pips.stretched(patch)]
    readings = pips.read_pips(np.stack(patches), turns=4, temperature=_TEMPERATURE)
    given = np.stack([r.probabilities[1:] / max(1e-9, r.die) for r in readings])
    die = np.array([r.die for r in readings])
    weights = (die * given.max(1)) ** _TRUST + 1e-12
    # Geometric mean, so that one crop that rules a value out is enough.
    p = np.exp((weights / weights.sum()) @ np.log(given + PLACE.ruled_out[1]))
    p /= p.sum()
    best = int(np.argmax(p)) + 1
    confidence = float(p[best - 1] * die.max())
    return DieReading(
        best if confidence >= least_confidence else None, confidence, tuple(float(v) for v in p)
    )


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
            or np.abs(last.to_picture - to_picture).max() > 1e-6 * np.abs(to_picture).max()
        ):
            self._last, self._read, self._scenery, self._answer = None, {}, [], None
            self._rests_on, self._now, self._differs = now, now, None
            return None
        self._rest_on_last()
        self._now = now
        self._differs = differences(self._rests_on, now)
        if float(differences(last.rests_on, self.small).max()) < STILL:
            self._put_off = False
            self._expire()
            return last
        # What changed has to be read, and somebody waits for that. What is only to be read anew can wait for the next picture.
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
        there = {
            kind: np.array([(f.x, f.y, f.edge) for f in seen.found if f.kind == kind]).reshape(-1, 3)
            for kind in ("die", "cube")
        }
        for kind, entries in self._read.items():
            self._read[kind] = [e for e in entries if _one_of(e.place, there[e.place.kind])]

    def answer(self, seen: Look, given: npt.NDArray | None) -> Any:
        """The whole answer that was kept, when neither the look nor any reading behind it nor what was `given` has changed since."""
        fresh = all(self._holds(e) for e in self._entries())
        if not fresh:
            # What is only to be read again stays, for the count of its readings.
            self._read = {
                kind: [e for e in entries if self._looks_the_same(e)] for kind, entries in self._read.items()
            }
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
        for kept in self._of_place(kind, found):
            if self._holds(kept):
                return kept.what
        return None

    def _of_place(self, kind: str, found: Found) -> list[_Kept]:
        """What is kept of this place, whether it looks the same or not. (Most is elsewhere, which takes no call to tell.)"""
        x, y, edge = found.x, found.y, found.edge
        return [
            e
            for e in self._read.get(kind, ())
            if -edge < e.place.x - x < edge and -edge < e.place.y - y < edge and _same_place(e.place, found)
        ]

    def is_scenery(self, found: Found) -> bool:
        """Whether it only looked like this while the thing itself lay elsewhere."""
        if found.heat >= _SCENERY:
            return False
        x, edge = found.x, found.edge
        return any(_same_place(f, found) for f in self._scenery if -edge < f.x - x < edge)

    def keep_scenery(self, places: list[Found]) -> None:
        """Remember weak candidates that were not it."""
        self._scenery += [f for f in places if f.heat < _SCENERY and not self.is_scenery(f)]

    def readings(self, kind: str, found: Found) -> int:
        """In how many pictures in a row this place has been read that looked as it does now."""
        return max([0, *(e.times for e in self._of_place(kind, found) if self._looks_the_same(e))])

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
        so soon; sure: otherwise it is to be read again as soon as its turn comes; again: in the next picture."""
        times = self.readings(kind, found) + 1
        before = self._of_place(kind, found)
        entries = [e for e in self._read.get(kind, ()) if e not in before]
        reach = _UNCHANGED * found.edge / CELL
        x, y = (found.x + 0.5) / CELL, (found.y + 0.5) / CELL
        cells = (
            slice(max(0, int(y - reach)), int(y + reach) + 1),
            slice(max(0, int(x - reach)), int(x + reach) + 1),
        )
        half = 0.5 * found.edge
        rows, columns = (slice(max(0, int(v - half)), int(v + half) + 1) for v in (found.y, found.x))
        body = self._flat[rows, columns]
        spread = float(body.std()) if body.size else 0.0
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
            ),
        ]
        self._unsettled |= again

    def _entries(self) -> list[_Kept]:
        return [e for entries in self._read.values() for e in entries]

    def _holds(self, kept: _Kept) -> bool:
        return not kept.expired and self._looks_the_same(kept)

    def _looks_the_same(self, kept: _Kept) -> bool:
        if self._differs is None or kept.read_at == self._looks:
            return True
        here = self._differs[kept.cells]
        return not here.size or float(here.max()) < kept.tolerance

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


@dataclass(slots=True, eq=False)
class _Kept:
    """What was read of a place, the cells it was read from, at which look, for how many it is trusted, and by how many levels a cell
    may differ since. times: in so many pictures in a row the place looked like this and was read."""

    place: Found
    cells: tuple[slice, slice]
    what: Any
    read_at: int
    trusted: int
    tolerance: float
    sure: bool = True
    expired: bool = False
    times: int = 1


#: How often a reading is reused before it is due again, and how often the finding that there is nothing. One
#: due reading is made anew every so many pictures.
_TRUSTED, _NOTHING_TRUSTED, _REFRESH_EVERY = 4, 20, 2
#: Places with an unsure reading that are read again in each picture.
_MOST_AGAIN = 1
#: What may be a die and was none in so many pictures of one place stands like a sure reading: a checker with a mark, mostly. Chosen
#: by eye: in 244 looks at two drawn boards no die is read otherwise for it.
_NONE_AGAIN = 3
#: A reading holds while nothing has changed within so many edges of its place. Chosen by eye, not swept.
_UNCHANGED = 1.5
#: Finder heat below which a candidate may be scenery. Real dice and cubes are warmer.
_SCENERY = 0.5


def _one_of(a: Found, there: npt.NDArray) -> bool:
    """Whether `a` is at one of the places (N, 3) x, y, edge of its kind."""
    x, y, edge = there.T
    share = a.edge / np.maximum(edge, 1e-6)
    return bool(
        (
            (np.hypot(x - a.x, y - a.y) < PLACE.same_place * edge)
            & (share > PLACE.least_edge)
            & (share < PLACE.most_edge)
        ).any()
    )


def _same_place(a: Found, b: Found) -> bool:
    return (
        a.kind == b.kind
        and math.hypot(a.x - b.x, a.y - b.y) < PLACE.same_place * b.edge
        and PLACE.least_edge < a.edge / b.edge < PLACE.most_edge
    )


class FinderView:
    """The rectified field with `margin` (x, y; shares of the field's width) around it, of pictures of one camera: what the finder looks
    at. to_picture: (3, 3) homography, this picture → the camera's."""

    def __init__(self, geometry: BoardGeometry, margin: tuple[float, float]) -> None:
        self.of = geometry, margin
        profile = geometry.profile
        width, height = float(FINDER_WIDTH), FINDER_WIDTH * profile.field_height / profile.field_width
        mx, my = margin[0] * width, margin[1] * width
        rectangle = (
            np.array([[mx, my], [mx + width, my], [mx + width, my + height], [mx, my + height]], np.float32)
            - 0.5
        )
        corners = geometry.corners.astype(np.float32)
        self.to_picture = cv2.getPerspectiveTransform(rectangle, corners)
        # The rectified field is coarser than the picture. Shrink the picture first, or its grain becomes false
        # pips.
        sides = float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3]))
        self._factor = factor = max(1, round(sides / 2 / width / PLACE.coarser))
        shrink = np.array(
            [[1 / factor, 0, 0.5 / factor - 0.5], [0, 1 / factor, 0.5 / factor - 0.5], [0, 0, 1.0]]
        )
        self._from = shrink @ self.to_picture
        wide, high = (-(-round(n) // (2 * CELL)) * 2 * CELL for n in (width + 2 * mx, height + 2 * my))
        columns, rows = (np.append(np.arange(0, n, PIECE), n - 1) for n in (wide, high))
        grid = np.stack(np.meshgrid(columns, rows), axis=-1).astype(np.float64)
        self._patchwork = Patchwork(
            cv2.perspectiveTransform(grid, self.to_picture), (wide, high), geometry.image_size, 1.0 + factor
        )

    def flat(self, bgr: Image, change: Change | None = None) -> Image:
        """(H, W, 3) uint8. change: see `Patchwork.renewed`."""
        source: npt.NDArray[Any] = bgr
        if self._factor > 1:
            size = bgr.shape[1] // self._factor, bgr.shape[0] // self._factor
            source = cv2.resize(bgr, size, interpolation=cv2.INTER_AREA)

        def cut(at: Part, part: Part) -> Image:
            rows, columns = at
            there = np.array([[1.0, 0.0, columns.start], [0.0, 1.0, rows.start], [0.0, 0.0, 1.0]])
            size = columns.stop - columns.start, rows.stop - rows.start
            how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            return np.asarray(cv2.warpPerspective(source, self._from @ there, size, flags=how), np.uint8)

        return self._patchwork.renewed(change, cut)


def survey(
    bgr: Image,
    geometry: BoardGeometry,
    margin: tuple[float, float],
    least_heat: float = 0.2,
    memory: Memory | None = None,
    change: Change | None = None,
) -> Look:
    """Run the finder over the field and `margin` (x, y; shares of the field's width) around it, hottest places first. change: what is
    new since the picture that was noted before."""
    view = FinderView(geometry, margin) if memory is None else memory.view(geometry, margin)
    flat, to_picture = view.flat(bgr, change), view.to_picture
    remembered = memory.last_look(flat, to_picture) if memory is not None else None
    if remembered is not None:
        return remembered
    if memory is None:
        answers, rests_on = finder.answers(flat), blocks(flat, 2 * CELL)
    else:
        answers, rests_on = memory.finder.answers(flat, memory.small)
    found = []
    kinds: tuple[Literal["die", "cube"], ...] = ("die", "cube")
    heats = 1.0 / (1.0 + np.exp(-np.clip(answers[:2], -30, 30)))
    for heat, kind in zip(heats, kinds, strict=True):
        peak = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > least_heat)
        rows, columns = np.nonzero(peak)
        if not len(rows):
            continue
        dx, dy, log_edge = answers[2:5, rows, columns].astype(np.float64)
        x, y = (columns + dx) * CELL + (CELL - 1) / 2, (rows + dy) * CELL + (CELL - 1) / 2
        edge = PLACE.usual_edge * np.exp(log_edge.clip(-PLACE.most_log_edge, PLACE.most_log_edge))
        each = np.stack([x, y, edge, heat[rows, columns]], axis=1).tolist()
        found += [Found(kind, *place) for place in each]
    seen = Look(sorted(found, key=lambda f: -f.heat), to_picture, rests_on)
    if memory is not None:
        memory.keep_look(seen)
    return seen


def margin_of(geometry: BoardGeometry) -> tuple[float, float]:
    """Margin for `survey` that takes in the rim and the profile's shaker area."""
    profile = geometry.profile
    mx = my = PLACE.margin
    if profile.shaker:
        x0, y0, x1, y1 = profile.shaker
        mx = max(mx, (max(abs(x0), abs(x1)) - profile.field_width / 2) / profile.field_width + PLACE.margin)
        my = max(my, (max(abs(y0), abs(y1)) - profile.field_height / 2) / profile.field_width + PLACE.margin)
    return mx, my


def find_dice(
    bgr: npt.NDArray,
    geometry: BoardGeometry,
    orientation: Orientation | None = None,
    *,
    known_bodies: Sequence[tuple[int, int, int]] = (),
    checkers: npt.NDArray | None = None,
    options: DiceOptions | None = None,
    seen: Look | None = None,
    memory: Memory | None = None,
) -> list[DieSeen]:
    """All dice on the playing field (and in the profile's shaker area), surest first.

    bgr: (H, W, 3) uint8, the picture that `geometry` was registered on. orientation: to name the half (default: light
    near, home right). known_bodies: mean BGR of the table's dice, when known; others then need more evidence.
    checkers: (N, 2) cm, where checkers lie, when known: a die leans only where something is to lean on.
    seen: a `survey` at the same picture, to save a second one. memory: of the pictures before, to save reading again what did not
    change. Raises InvalidError for what is no picture.
    """
    picture = checked_picture(bgr, what="picture", least=4)
    options = options or DiceOptions()
    orientation = orientation or Orientation()
    seen = seen or survey(picture, geometry, margin_of(geometry), options.least_heat, memory)
    cubes = [f for f in seen.found if f.kind == "cube"]
    hot = [c for c in cubes if c.heat > _CUBE_LIKE]
    places = [f for f in seen.found if f.kind == "die" and (f.heat >= options.least_heat or _is_cube(f, hot))]
    if not places:
        return []
    pixels = seen.places(places)
    profile = geometry.profile
    centimetres = geometry.unproject(pixels, profile.die_size)
    inside = [i for i, (x, y) in enumerate(centimetres) if _counts(float(x), float(y), geometry, options)][
        : options.most
    ]
    if not inside:
        return []
    camera = geometry.camera_position
    slants = _slants(centimetres[inside], camera, profile.die_size)
    read = _read(picture, seen, [places[i] for i in inside], slants, 0.25, memory, cubes, options.least_die)
    if not read:
        return []
    places = [r.place for r in read]
    readings = [r.reading for r in read]
    pixels, sizes = seen.places(places), seen.sizes(places)
    centimetres = geometry.unproject(pixels, profile.die_size)
    slants = _slants(centimetres, camera, profile.die_size)
    dice: list[DieSeen] = []
    valued = _log_odds(options.least_valued)
    tops = [_evidence(r, f) >= valued for r, f in zip(readings, places, strict=True)]
    sides = _sides(centimetres / profile.die_size, np.array([f.edge for f in places]), slants, np.array(tops))
    for k in sorted(np.flatnonzero(~sides), key=lambda k: -_evidence(readings[k], places[k])):
        reading, found = readings[k], places[k]
        (px, py), (x, y) = pixels[k], centimetres[k]
        evidence = _evidence(reading, found)
        if reading.die < _SURELY_PIPS and _is_cube(found, cubes):
            continue
        middle = pips.PATCH // 2
        inner = np.sort(
            read[k].patch[middle - 5 : middle + 5, middle - 5 : middle + 5].reshape(-1, 3), axis=0
        )
        body = tuple(((inner[49].astype(int) + inner[50]) // 2).tolist())
        if known_bodies and min(np.abs(np.array(c) - body).max() for c in known_bodies) > PLACE.other_body:
            evidence -= PLACE.odd_body
        if evidence < _log_odds(options.least_die) or any(
            np.hypot(d.x - px, d.y - py) < _APART * max(sizes[k], d.size) for d in dice
        ):
            continue
        if _shows_numeral(picture, seen, [c for c in cubes if _lies_at(found, c)], memory):
            continue
        least_leaning, least_on = _COCKED, _ON_CHECKER
        if checkers is not None:
            others = np.delete(centimetres, k, 0)
            least_leaning = _least_leaning(centimetres[k], checkers, others, geometry)
            least_on = least_leaning if least_leaning < _COCKED_OVER else max(least_on, least_leaning)
        # Where nothing is near to lean on, the answer would change nothing.
        if read[k].lying is None and min(least_leaning, least_on) < _NEVER:
            read[k].lying = _lying(picture, seen, found, slants[k])
        leaning, on_checker = read[k].lying or (0.0, 0.0)
        confidence = reading.confidence * reading.die
        outside = abs(x) > profile.field_width / 2 + 1.0 or abs(y) > profile.field_height / 2 + 1.0
        die = DieSeen(
            value=reading.value if confidence >= options.least_confidence and evidence >= valued else None,
            confidence=confidence,
            x=float(px),
            y=float(py),
            size=float(sizes[k]),
            half="outside"
            if outside or abs(x) < profile.bar_width / 2
            else orientation.right_hand_half_of(float(x)),
            cocked=leaning > least_leaning or on_checker > least_on,
            on_checker=on_checker > least_on,
            body=(body[0], body[1], body[2]),
        )
        dice.append(die)
    return dice


#: Probability from which clear pips overrule the finder's "cube". A single pip may still be a numeral, so a 1
#: needs the second probability.
_SURELY_PIPS, _NUMERAL = 0.99, 0.8


def _shows_numeral(picture: Image, seen: Look, cubes: Sequence[Found], memory: Memory | None) -> bool:
    """Whether a numeral is read at one of these places."""
    for place in cubes:
        best = memory.recall("numeral", place) if memory is not None else None
        if best is None:
            patches = numerals.numeral_patches(picture, seen.to_picture, (place.x, place.y), place.edge)
            best = float(numerals.read_closely(patches)[1:].max())
            if memory is not None:
                memory.keep("numeral", place, best)
        if best >= _NUMERAL:
            return True
    return False


def _least_leaning(
    place: npt.NDArray, checkers: npt.NDArray, others: npt.NDArray, geometry: BoardGeometry
) -> float:
    """From which probability on a die at `place` (2,) cm leans: above 1 where it has nothing to lean on, least beside a checker;
    dice that touch and dice beside a rim or bar mostly lie flat."""
    profile = geometry.profile
    reach = _REACH * profile.die_size

    def near(things: npt.NDArray, size: float) -> bool:
        return len(things) > 0 and float(np.hypot(*(things - place).T).min()) < size + reach

    if near(checkers, profile.checker_diameter / 2):
        away = float(np.hypot(*(checkers - place).T).min()) / profile.checker_diameter
        return _COCKED_UPON if away < _UPON else _COCKED_OVER if away < _OVER else _COCKED_BESIDE
    x, y = abs(float(place[0])), abs(float(place[1]))
    at_edge = (
        x > profile.field_width / 2 - reach
        or y > profile.field_height / 2 - reach
        or abs(x - profile.bar_width / 2) < reach
    )
    return _COCKED_ELSEWHERE if at_edge or near(others, profile.die_size / 2) else _NEVER


def _log_odds(probability: float) -> float:
    return float(np.log(probability / (1 - probability + 1e-9) + 1e-9))


def _evidence(reading: pips.PipReading, found: Found) -> float:
    """Log odds that it is a die."""
    return _die_evidence(reading.die, found.heat)


def _die_evidence(die: float, heat: float) -> float:
    """Log odds of what the reader calls a die with one probability and the finder with another; the finder's counts half, since both
    networks err alike."""
    least = 1e-6
    die, heat = (least if p < least else 1 - least if p > 1 - least else p for p in (die, heat))
    return math.log(die / (1 - die)) + 0.5 * math.log(heat / (1 - heat))


def _lies_at(die: Found, cube: Found) -> bool:
    """Whether both can only be the same thing."""
    return math.hypot(die.x - cube.x, die.y - cube.y) < 0.5 * cube.edge


def _is_cube(die: Found, cubes: Sequence[Found]) -> bool:
    """Whether what looks like a die looks clearly more like the doubling cube, at one of the places that do."""
    least = die.heat + PLACE.cube
    return any(_lies_at(die, cube) for cube in cubes if cube.heat > least)


@dataclass(slots=True)
class _Read:
    """What one place shows. place: corrected, where its top face really is. patch: of the corrected place. reading: None for
    what is clearly none. lying: probabilities of cocked and of on a checker, once asked for."""

    place: Found
    patch: Image
    reading: pips.PipReading | None
    lying: tuple[float, float] | None = None


def _read(
    picture: Image,
    seen: Look,
    places: Sequence[Found],
    slants: npt.NDArray,
    least_die: float,
    memory: Memory | None,
    cubes: Sequence[Found] = (),
    least_known: float = 0.0,
) -> list[Any]:
    """What is read of those places that may be dice. slants (N, 2): as `_slants`. cubes: what looks like a cube. least_known: what is
    a die with less than this probability counts as none, whatever its value.

    One glance shows that most candidates are none, and where the others really lie. These are read in several sizes, and turned
    when they are not clear at once. (No common size: checkers that may be dice are larger, and many.)
    """
    known: list[_Read | None] = [memory.recall("die", f) if memory is not None else None for f in places]
    fresh = [i for i, k in enumerate(known) if k is None]
    if fresh:
        none, tops = _glance(picture, seen, [places[i] for i in fresh])
        maybe = [k for k in range(len(fresh)) if 1 - none[k] >= least_die]
        for k, top in zip(
            maybe,
            _behind(picture, seen, [tops[k] for k in maybe], [slants[fresh[k]] for k in maybe]),
            strict=True,
        ):
            tops[k] = top
        for k, i in enumerate(fresh):
            what = known[i] = _Read(
                tops[k],
                _patch(picture, seen, tops[k]),
                _read_closely(picture, seen, tops[k], least_known) if k in maybe else None,
            )
            die = 0.0 if what.reading is None else what.reading.die
            if memory is None:
                continue
            sure = what.reading is None or die * what.reading.confidence > _SURE or die < 1 - _HARDLY
            # The cube is often mistaken for a die. Without clear pips its reading is dropped and not
            # repeated.
            sure = sure or (die < _SURELY_PIPS and _is_cube(what.place, cubes))
            sure = sure or (
                _die_evidence(die, what.place.heat) < _log_odds(least_known)
                and memory.readings("die", places[i]) + 1 >= _NONE_AGAIN
            )
            # Read a probable die again at once, an improbable one when its turn comes.
            memory.keep(
                "die",
                places[i],
                what,
                nothing=what.reading is None,
                sure=sure,
                again=not sure and die >= _PROBABLY,
            )
    return [k for k in known if k is not None and k.reading is not None]


def _slants(centimetres: npt.NDArray, camera: npt.NDArray, height: float) -> npt.NDArray:
    """(N, 2) horizontal way from places (N, 2) cm to the camera over its height, right and down as in the finder's picture."""
    return np.asarray((camera[:2] - centimetres) / max(1.0, camera[2] - height) * (1.0, -1.0))


def _sides(
    places: npt.NDArray, edges: npt.NDArray, slants: npt.NDArray, tops: npt.NDArray
) -> npt.NDArray[np.bool_]:
    """(N,) which finds are a side of the die whose top is found too. places: (N, 2) on the board, in edges, as of tops; edges: (N,) as
    they look; slants: (N, 2) as `_slants`; tops: (N,) those that are dice.

    A side's middle is half an edge beside the top's and half an edge lower, so that it seems to lie nearer to the camera still. A second
    die is an edge away at least, and one that touched the first just there would hide that side.
    """
    length = np.hypot(*slants.T)
    towards = slants / np.maximum(length, 1e-9)[:, None] * (1.0, -1.0)
    step = places[:, None] - places[None]  # of the one from the other
    along = np.einsum("ijk,jk->ij", step, towards)
    side = along > PLACE.side_before * (0.5 + 0.5 * length)[None]
    side &= np.hypot(step[..., 0], step[..., 1]) < (0.5 + 0.5 * length)[None] + PLACE.side_error
    side &= (edges[:, None] < PLACE.side_edge * edges[None]) & tops[None] & (length > _STEEP)[None]
    np.fill_diagonal(side, False)
    return np.asarray(side.any(axis=1))


def _glance(picture: Image, seen: Look, places: Sequence[Found]) -> tuple[npt.NDArray, list[Found]]:
    """(N,) probabilities that there is no die, and the places corrected to where a top face really is."""
    probabilities, aims = pips.glance(np.stack([_patch(picture, seen, f) for f in places]))
    tops = []
    for f, (right, down, wide) in zip(places, aims.astype(float), strict=True):
        edge = f.edge * float(np.exp(wide))
        tops.append(replace(f, x=f.x + right * edge, y=f.y + down * edge, edge=edge))
    return probabilities[:, 0], tops


def _behind(
    picture: Image, seen: Look, places: Sequence[Found], slants: Sequence[npt.NDArray]
) -> list[Found]:
    """The places, moved to the top where a die's side was taken for it.

    Two dice never lie closer than an edge: when a face shows closer than that, straight behind another one as the camera looks,
    that other one is a side.
    """
    moved = list(places)
    steep = [i for i, slant in enumerate(slants) if np.hypot(*slant) > _STEEP]
    if not steep:
        return moved
    away = {i: -slants[i] / np.hypot(*slants[i]) for i in steep}
    tries = []
    for i in steep:
        f, reach = places[i], PLACE.top * min(1.0, 0.5 + 0.5 * float(np.hypot(*slants[i]))) * places[i].edge
        tries.append(replace(f, x=f.x + float(away[i][0]) * reach, y=f.y + float(away[i][1]) * reach))
    none, tops = _glance(picture, seen, tries)
    likely: list[tuple[int, Found]] = []
    for i, p, top in zip(steep, none, tops, strict=True):
        # (A side is seen narrower than the top, by which the way is measured.)
        step = np.array([top.x - places[i].x, top.y - places[i].y]) / max(places[i].edge, top.edge)
        along, across = float(step @ away[i]), float(step @ (-away[i][1], away[i][0]))
        if p < PLACE.no_die and _BEHIND[0] < along < _BEHIND[1] and abs(across) < PLACE.aside:
            likely.append((i, top))
    if likely:
        none, again = _glance(picture, seen, [top for _, top in likely])
        for (i, top), p, top_again in zip(likely, none, again, strict=True):
            if (
                p < PLACE.no_die
                and np.hypot(top_again.x - top.x, top_again.y - top.y) < PLACE.same_place * top.edge
            ):
                moved[i] = top_again
    return moved


def _patch(picture: Image, seen: Look, place: Found, size: float = 1.0) -> Image:
    return pips.cut_patch(picture, seen.to_picture, (place.x, place.y), place.edge * size)


def _lying(picture: Image, seen: Look, place: Found, slant: npt.NDArray) -> tuple[float, float]:
    """Probabilities of cocked and of on a checker. slant (2,): as `pips.read_cocked`, right and down."""
    length = float(np.hypot(*slant))
    right = (float(slant[0]) / length, float(slant[1]) / length) if length > 1e-6 else (1.0, 0.0)
    patch = pips.cut_patch(picture, seen.to_picture, (place.x, place.y), place.edge, right=right)
    leaning, on_checker = pips.read_cocked(patch[None], np.array([length]))[0]
    return float(leaning), float(on_checker)


def _read_closely(picture: Image, seen: Look, place: Found, least_die: float = 0.0) -> pips.PipReading:
    """The reading of one place in all `_SIZES`. What is not clear at once is turned, and, if it may be a die with the probability
    `least_die`, read by the wider network."""
    patches = np.stack([_patch(picture, seen, place, size) for size in _SIZES])
    upright = pips.pip_logits(patches, (0,))
    p = pips.softmax(upright[0], _TEMPERATURE)
    given, none = _given(p), _none(p)
    clear = (
        p[:, 0].max() < PLACE.certain and len(set(p[:, 1:].argmax(1))) == 1 and p[:, 1:].max(1).min() > _CLEAR
    )
    if clear:
        # A confident wrong value is worse than none, so both networks must agree.
        second = _given(pips.softmax(pips.pip_logits(patches[1:2], (0,), "dice_second")[0], _TEMPERATURE))
        if second.argmax() != given.argmax():
            given = (given + second) / 2
    elif none < _HARDLY:
        turned = np.concatenate([upright, pips.pip_logits(patches, range(1, 4))])
        p = pips.softmax(turned.mean(0), _TEMPERATURE)
        none, given = _none(p), _given(p)
        if _die_evidence(1 - none, place.heat) >= _log_odds(least_die):
            p = pips.softmax(pips.pip_logits(patches, _TURNS, "dice_second").mean(0), _TEMPERATURE)
            given = _given(p)
    return pips.PipReading(np.concatenate([[none], given * (1 - none)]).astype(np.float32))


def _none(p: npt.NDArray) -> float:
    """Probability that there is no die, from those at several sizes (N, 7): a die need not look like one at every size."""
    return float(np.sort(p[:, 0])[:2].mean())


def _given(p: npt.NDArray) -> npt.NDArray:
    """(6,) probabilities of 1-6 from those at several sizes (N, 7): the value comes from the size at which it is clearest, but a
    value that a clear view rules out is out (a geometric mean)."""
    weights = p[:, 1:].max(1) ** PLACE.clearest + 1e-6
    given = np.exp(
        weights @ np.log(p[:, 1:] / np.maximum(1e-9, 1 - p[:, :1]) + PLACE.ruled_out[0]) / weights.sum()
    )
    return np.asarray(given / given.sum())


def _counts(x: float, y: float, geometry: BoardGeometry, options: DiceOptions) -> bool:
    """Whether a die at (x, y) cm lies on the field or in the shaker area."""
    profile = geometry.profile
    if (
        abs(x) <= profile.field_width / 2 + options.slack_cm
        and abs(y) <= profile.field_height / 2 + options.slack_cm
    ):
        return True
    if not profile.shaker:
        return False
    x0, y0, x1, y1 = profile.shaker
    return min(x0, x1) <= x <= max(x0, x1) and min(y0, y1) <= y <= max(y0, y1)
