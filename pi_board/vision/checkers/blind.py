"""What one picture shows of the points and the bar to somebody who has never seen this board: the networks' evidence.

`network` gives every slot a likelihood over signed counts, `stacks` looks closer at long points, `set_colours` says whose the
checkers of this set are. Used by `still` (a photo without history), by the set-up, and in play as the second opinion beside what
was learned of the board: a shadow or a lamp that has moved does not upset it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Generic, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.sighting import BAR_DARK, BAR_LIGHT, COUNTS, SLOTS, ZERO
from pi_board.vision.board.canvas import Canvas
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import COLUMNS, Orientation, Row
from pi_board.vision.changes import STILL, Change, alike, blocks
from pi_board.vision.checkers import slot_network as network
from pi_board.vision.checkers.kept_slots import KeptSlots
from pi_board.vision.checkers.lone_tops import against_lone_tops_inside, diameter_px
from pi_board.vision.checkers.pile_changes import PILE, AcceptedPile, AcceptedPoints, count_now
from pi_board.vision.checkers.set_colours import colour_evidence
from pi_board.vision.checkers.sides import Sides, tell_sides, votes_of
from pi_board.vision.checkers.slot_network import Scores
from pi_board.vision.checkers.stacks import (
    LEAST,
    BoardView,
    StripMaps,
    StripSeen,
    long_columns,
    see_strip,
    usual_thickness,
)
from pi_board.vision.patchwork import Patchwork
from pi_board.vision.profile import BoardProfile

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]
What = TypeVar("What")


#: A strip, and what comparison with the accepted one says of it, as `count_now` gives it.
Compared = tuple[StripSeen, Floats]
#: Log-likelihoods are divided by this: neighbouring pixels repeat each other, so the network is too sure.
TEMPERATURE = 1.15
IMPOSSIBLE = -60.0
#: A point is looked at again for stacked checkers when four or more on it are not out of the question.
STACK_CHANCE = 0.02
#: Probability from which a cell counts as a checker's top.
_SURELY = 0.7
#: Probability of every slot's count from which a photo need not be seen in the mirror too, and of a hand below which a point is open.
#: 91 of the 212 pictures in shared scenes are so plain, and 31 of 84 others (rooms, drawn boards): no slot of them is read otherwise
#: with the mirror images. From .95 to .99 the same holds.
_PLAIN, _OPEN = 0.98, 0.05
#: An answer is reused for so many pictures, then the network runs again.
_TRUSTED = 5
#: Nats by which a board must look as if its sides had changed their names, and the most that one point may say of it. Source: campaign
#: 3020005 (drawn; green and grey, all points changed at once) and the start of the rooms of `bench campaign --room style=drawn`.
_OTHERWISE, _MOST_OF_A_POINT = 12.0, 6.0


#: P(a point holds 1, 2, ... 15 checkers of a given side) in ordinary games. Rounded estimates; where they came from is not recorded.
_ONE_SIDE = (0.11, 0.105, 0.055, 0.032, 0.022, 0.006, 0.003, 0.0015, 7e-4, 4e-4, 2e-4, 1e-4, 7e-5, 5e-5, 4e-5)
#: The network's cells count for a place on the field and this little beyond its edges, as a share of its width and height (0.5 is the edge).
_ON_THE_FIELD = 0.52


def _count_prior() -> Floats:
    """(31,) log P(signed count) of one point in ordinary games (both sides alike)."""
    one_side = np.array(_ONE_SIDE)
    prior = np.concatenate([one_side[::-1], [1 - 2 * one_side.sum()], one_side])
    return np.log(prior)


#: (31,) how often a point holds so many.
COUNT_PRIOR = _count_prior()


def _long(sign: int) -> tuple[int, npt.NDArray[np.intp], Floats]:
    """A side's sign, the columns of its long rows, and how often a point that holds a long row holds just this one."""
    columns = long_columns(sign)
    return sign, columns, COUNT_PRIOR[columns] - np.logaddexp.reduce(COUNT_PRIOR[columns])


_LONG, _LEAST_CHANCE = (_long(-1), _long(1)), np.log(STACK_CHANCE)


@dataclass(frozen=True, slots=True)
class Seen:
    """What one picture shows. points: (24, 31) log-likelihood over signed counts, absolute numbering; bar: (2, 8) of so many light,
    dark on the bar. hidden: (24,) probability that a hand hides part of the point. cells: as `network.Scores`. compared: of the long points
    that were compared with the last accepted picture (12,) log-likelihood of LEAST..15 checkers, by slot; alone: what their strips say by
    themselves."""

    points: Floats
    bar: Floats
    hidden: Floats
    cells: npt.NDArray[np.float32]
    compared: Mapping[int, Floats] = field(default_factory=dict)
    alone: Mapping[int, Floats] = field(default_factory=dict)

    def with_other_names(self) -> Seen:
        """The same, light being called dark."""
        return replace(self, points=self.points[:, ::-1].copy(), bar=self.bar[::-1].copy())

    def named_as(self, counts: npt.NDArray[np.int64]) -> Seen:
        """The same by the names that (24 or more,) signed `counts` give to the sides of this board: which side is the light one only a whole
        set can tell, and of green and grey a picture may say otherwise than the one before."""
        return self.with_other_names() if _named_otherwise(self.points, counts[:24]) else self

    def tells(self, slot: int, side: int, count: int) -> bool:
        """Whether so many checkers of `side` (0 light, 1 dark) are likelier on the point or the bar (`slot` 0-25) than any other number; of long
        rows, whether it is one."""
        if slot < len(self.points):
            said = (int(self.points[slot].argmax()) - ZERO) * (-1 if side else 1)
        else:
            said = int(self.bar[side].argmax())
        return min(said, LEAST) == min(count, LEAST)

    def evidence(self) -> Floats:
        """(28, 31) as `Sighting` wants it: impossible counts large negative, trays without evidence zero."""
        out = np.zeros((SLOTS, COUNTS))
        out[:24] = np.maximum(self.points - self.points.max(axis=1, keepdims=True), IMPOSSIBLE)
        light, dark = np.maximum(self.bar - self.bar.max(axis=1, keepdims=True), IMPOSSIBLE)
        out[BAR_LIGHT] = out[BAR_DARK] = IMPOSSIBLE
        out[BAR_LIGHT, ZERO : ZERO + len(light)] = light
        out[BAR_DARK, ZERO - len(dark) + 1 : ZERO + 1] = dark[::-1]
        return out


class BlindReader:
    """Reads one board as it lies in the pictures of one camera, each picture by itself.

    orientation: where the points lie; default as the geometry's profile says. careful: each picture is looked at once and there is time
    for it, so that one that is not plain is seen in its mirror images too, as a photo is.
    """

    def __init__(
        self, geometry: BoardGeometry, orientation: Orientation | None = None, *, careful: bool = False
    ) -> None:
        p = geometry.profile
        self._careful = careful
        self.orientation = orientation or Orientation(p.near, p.home)
        self._order, self._slots_at = _order(self.orientation), _slots_at(self.orientation)
        self._board = BoardView(geometry.project, p.field_width, p.field_height, p.bar_width, thickness(p))
        self._image_size = geometry.image_size
        self._maps = network.Sampling.of(self._canvas_map(), self._image_size)
        self._last: _Kept[Seen] | None = None
        #: The canvas that the network saw last, what it said, and the points after a closer look at the long ones.
        self._scored: tuple[Image, Scores, Floats] | None = None
        self._slots = KeptSlots()
        self._strips: dict[tuple[int, int], _Kept[StripSeen]] = {}
        #: What long points are compared with; wherever the board lies in the picture this holds.
        self.accepted = AcceptedPoints()
        self._compared: dict[tuple[int, int], Compared] = {}
        self._strip_maps: dict[tuple[int, int], StripMaps] = {}
        self._may_look_again = False
        self._cells: tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]] | None = None

    def seated(self, orientation: Orientation) -> BlindReader:
        """The same reader with other numbers for the points; what it has seen need not be looked at again."""
        other = copy(self)
        other.orientation, other._last = orientation, None
        other._order, other._slots_at = _order(orientation), _slots_at(orientation)
        return other

    def canvas(self, bgr: Image, change: Change | None = None) -> Image:
        """(312, 352, 3) uint8 BGR: the field as the network sees it. change: see `Patchwork.renewed`."""
        if change is None:
            return self._maps.sample(bgr)
        return self._patchwork.renewed(change, partial(self._maps.cut, bgr))

    def accept(self, bgr: Image, counts: npt.NDArray[np.int64], hidden: Sequence[int] = ()) -> None:
        """The picture shows (24 or more,) signed `counts`, absolute numbering: from now on its long points are compared with it. hidden: slots
        that something covers in part; what was accepted there before holds while as many lie there."""
        lay, piles = np.zeros(2 * COLUMNS, np.int64), {}
        lay[self._order] = counts[:24]
        for slot in (np.abs(counts[:24]) >= PILE).nonzero()[0].tolist():
            row, column = divmod(int(self._order[slot]), COLUMNS)
            before = self.accepted.piles.get((row, column))
            if slot not in hidden:
                piles[row, column] = AcceptedPile(int(counts[slot]), self._strip(bgr, row, column, None))
            elif before is not None and before.count == counts[slot]:
                piles[row, column] = before
        self.accepted, self._compared = AcceptedPoints(lay, piles), {}
        if self._scored is not None:
            # What was seen of this very picture stands, but for the comparison.
            canvas, scores, _ = self._scored
            points = self._with_stacks(bgr, scores)
            self._scored = canvas, scores, points
            if self._last is not None:
                self._last.what = self._seen(scores, _with_colours(canvas, scores, points), scores.bar)

    def _canvas_map(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        board = self._board
        return network.canvas_map(board.project, board.width, board.height, board.bar_width, board.thickness)

    @cached_property
    def _patchwork(self) -> Patchwork:
        # (Only in play: finding looks at hundreds of places once each.)
        return network.patchwork(self._canvas_map(), self._image_size)

    def read(self, bgr: Image) -> Seen:
        """One picture (H, W, 3) uint8 BGR."""
        return self._look(bgr, self.canvas(bgr), None)

    def read_photo(self, bgr: Image, *, mirrored: bool = True) -> tuple[Seen, Sides]:
        """One picture that stands by itself: both sides are told apart over the whole board (`sides`). mirrored: where it is not plain,
        its mirror images are looked at too (four times the work, a little surer)."""
        canvas = self.canvas(bgr)
        if mirrored:
            scores = _with_mirror_images(canvas, network.score(canvas))
            points = self._with_stacks(bgr, scores)
        else:
            scores, points = self._score(bgr, canvas, None)
        points = against_lone_tops_inside(scores, points, diameter_px(self._board.pitch, self._board.height))
        sides = tell_sides(canvas, scores.cells, points, scores.bar, COUNT_PRIOR)
        return self._seen(scores, sides.points, sides.bar), sides

    def look_again(self, bgr: Image, *, still: bool = False, change: Change | None = None) -> Seen:
        """`read` at the next picture of a camera: what was seen in one before, if nothing on the board has changed since. still: the
        picture is known to show what the last one showed; change: what is new in it, where that is known."""
        last = self._last
        if last is not None and still and last.times + 1 < _TRUSTED:
            last.times += 1
            return last.what
        canvas = self.canvas(bgr, change)
        cells = blocks(canvas, network.STRIDE)
        if last is None or not last.shown_by(cells):
            self._may_look_again = last is not None and still
            last = self._last = _Kept(cells, self._look(bgr, canvas, change, cells))
        return last.what

    def _look(self, bgr: Image, canvas: Image, change: Change | None, cells: Image | None = None) -> Seen:
        scores, points = self._score(bgr, canvas, change, cells)
        return self._seen(scores, _with_colours(canvas, scores, points), scores.bar)

    def _score(
        self, bgr: Image, canvas: Image, change: Change | None, cells: Image | None = None
    ) -> tuple[Scores, Floats]:
        """What the network says, and its points after a closer look; of the very picture that it saw last this is known."""
        kept = self._scored
        if kept is None or not np.array_equal(kept[0], canvas):
            scores = self._slots.score(canvas, cells)
            if self._careful:
                scores = _with_mirror_images(canvas, scores)
            kept = self._scored = canvas, scores, self._with_stacks(bgr, scores, change)
        return kept[1], kept[2]

    def _seen(self, scores: Scores, on_points: Floats, bar: Floats) -> Seen:
        """on_points: (2, 12, 31), bar: (2, 8), as in `Scores`."""
        points = on_points.reshape(24, COUNTS)[self._order] / TEMPERATURE
        hidden = scores.hidden.astype(np.float64).ravel()[self._order]
        compared, alone = {}, {}
        for (row, column), (strip, says) in self._compared.items():
            compared[self._slots_at[row][column]], alone[self._slots_at[row][column]] = says, strip.says
        return Seen(points, bar / TEMPERATURE, hidden, scores.cells, compared, alone)

    def checkers(self, seen: Seen, canvas: Canvas, chance: float = _SURELY) -> npt.NDArray[np.bool_]:
        """(H, W) pixels of `canvas` where the network sees a checker with more than this probability (default: for sure)."""
        if self._cells is None or self._cells[0].shape != (canvas.height, canvas.width):
            self._cells = self._cells_of(canvas)
        tops = seen.cells[..., 1] + seen.cells[..., 2]
        return np.asarray(
            cv2.remap(tops, *self._cells, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT) > chance
        )

    def _cells_of(self, canvas: Canvas) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Maps from `canvas` (in play) to the network's cells."""
        p = canvas.profile
        x, y = network.canvas_axes(p.bar_width / p.field_width)
        px = np.stack(np.meshgrid(np.arange(canvas.width), np.arange(canvas.height)), axis=-1).reshape(-1, 2)
        cm = canvas.cm(px)
        columns = np.interp(cm[:, 0] / p.field_width, x, np.arange(len(x)))
        rows = np.interp(-cm[:, 1] / p.field_height, -y, np.arange(len(y)))
        shape = (canvas.height, canvas.width)
        inside = (np.abs(cm[:, 0]) < _ON_THE_FIELD * p.field_width) & (
            np.abs(cm[:, 1]) < _ON_THE_FIELD * p.field_height
        )
        middle = (network.STRIDE - 1) / 2
        u, v = (
            np.where(inside, (at - middle) / network.STRIDE, -1e3).reshape(shape).astype(np.float32)
            for at in (columns, rows)
        )
        return u, v

    def _with_stacks(self, bgr: Image, scores: Scores, change: Change | None = None) -> Floats:
        """(2, 12, 31) `scores.points` in which long points have been looked at closely (see `stacks`).

        The closer look decides between four, five, six, ... of a colour; that there are four or more, and whose, stays.
        """
        out, before = scores.points.copy(), self._compared
        self._compared = {}
        posterior = _posterior(out)
        for sign, long, prior in _LONG:
            chance = np.logaddexp.reduce(posterior[..., long], axis=2)
            rows, columns = (chance > _LEAST_CHANCE).nonzero()
            if not rows.size:
                continue
            places = zip(rows.tolist(), columns.tolist(), strict=True)
            seen = np.array([self._stack(bgr, place, sign, scores, before, change) for place in places])
            at = rows[:, None], columns[:, None], long
            whole = np.logaddexp.reduce(scores.points[at] + prior, axis=1, keepdims=True)
            out[at] = whole + seen - np.logaddexp.reduce(seen + prior, axis=1, keepdims=True)
        return out

    def _stack(
        self,
        bgr: Image,
        place: tuple[int, int],
        sign: int,
        scores: Scores,
        before: Mapping[tuple[int, int], Compared],
        change: Change | None,
    ) -> Floats:
        """(12,) log-likelihood of LEAST..15 checkers of a side (`sign`) on a long point: by comparison, where one of that side was accepted there
        (or of the other, if the sides have only changed their names). before: what was compared in the picture before."""
        strip, piles = self._strip(bgr, *place, change), self.accepted.piles
        if place not in piles:
            return strip.says
        accepted = piles[place]
        if accepted.count * sign < 0 and not _named_otherwise(scores.points, self.accepted.lay):
            return strip.says
        if place in before and before[place][0] is strip:
            self._compared[place] = before[place]
        else:
            self._compared[place] = strip, count_now(accepted, strip)
        return self._compared[place][1]

    def _strip(self, bgr: Image, row: int, column: int, change: Change | None) -> StripSeen:
        """A long point, looked at closely; remembered while its strip looks the same."""
        far = row == Row.FAR
        if (row, column) not in self._strip_maps:
            self._strip_maps[row, column] = StripMaps.of(self._board, column, far, self._image_size)
        maps = self._strip_maps[row, column]
        kept = self._strips.get((row, column))
        if (
            kept is not None
            and change is not None
            and kept.number == change.since
            and not maps.places.touched(change)
        ):
            # Nothing there is new since it was compared last.
            kept.number = change.number
            kept.times += 1
            return kept.what
        strip = maps.cut(bgr)
        cells = blocks(strip, network.STRIDE)
        number = -1 if change is None else change.number
        if kept is not None and kept.like(cells):
            kept.number = number
            kept.times += 1
            # Refresh one old answer at a time, and none in a picture that already needs much work.
            if kept.times < _TRUSTED or not self._may_look_again:
                return kept.what
            self._may_look_again = False
        kept = self._strips[row, column] = _Kept(cells, see_strip(strip, maps.lifted), number=number)
        return kept.what


@dataclass(slots=True)
class _Kept(Generic[What]):
    """What was seen in a picture, and how often it was said again instead of looking: not often, lest all rests on one picture's noise.
    cells: the picture's `blocks` of `STRIDE`. number: `Change.number` of the last picture that showed the same; -1: of none."""

    cells: Image
    what: What
    times: int = 0
    number: int = -1

    def like(self, cells: Image) -> bool:
        """Whether a strip with these shows the same. A strip is finer than most pictures: there noise stays in the means of small
        blocks, which must differ by twice as much."""
        return alike(self.cells, cells, 2 * STILL) and alike(blocks(self.cells, 2), blocks(cells, 2))

    def shown_by(self, cells: Image) -> bool:
        """Whether a canvas with these shows the same, and this has not been said too often."""
        self.times += 1
        return self.times < _TRUSTED and alike(self.cells, cells)


def _named_otherwise(points: Floats, counts: npt.NDArray[np.int64]) -> bool:
    """Whether (24, 31) `points`, or (2, 12, 31), look as if the sides of a board with (24,) signed `counts` had changed their names."""
    votes = np.clip(votes_of(points), -_MOST_OF_A_POINT, _MOST_OF_A_POINT)
    return bool(np.sign(counts) @ votes < -_OTHERWISE)


def _order(orientation: Orientation) -> npt.NDArray[np.intp]:
    """(24,) of each point the number of its place in (2, 12) `Scores.points`."""
    places = [orientation.column_of(point) for point in range(1, 25)]
    return np.array([COLUMNS * int(row) + column for column, row in places])


def _slots_at(orientation: Orientation) -> list[list[int]]:
    """The slot of each place, rows of (12,), the far one first: the other way round than `_order`."""
    slots: list[list[int]] = _order(orientation).argsort().reshape(2, COLUMNS).tolist()
    return slots


def thickness(profile: BoardProfile) -> float:
    """A checker's height, cm: measured, or as usual for the points' width."""
    return profile.checker_height if profile.measured else usual_thickness(profile.point_width)


def _with_mirror_images(canvas: Image, scores: Scores) -> Scores:
    """`scores` of `canvas`, with those of its mirror images where they are not plain."""
    return scores if _plain(scores) else network.score_mirrored(canvas, first=scores)


def _plain(scores: Scores) -> bool:
    """Whether every point and both halves of the bar are told with hardly a doubt, and nothing is hidden. (Between four checkers and
    more of a side the closer look decides, see `stacks`.)"""
    chances = np.exp(_posterior(scores.points))
    few = slice(ZERO - LEAST + 1, ZERO + LEAST)
    surest = np.stack(
        [
            chances[..., few].max(axis=2),
            chances[..., : few.start].sum(axis=2),
            chances[..., few.stop :].sum(axis=2),
        ]
    )
    bar = np.exp(scores.bar - np.logaddexp.reduce(scores.bar, axis=1, keepdims=True))
    return bool(
        surest.max(axis=0).min() > _PLAIN and bar.max(axis=1).min() > _PLAIN and scores.hidden.max() < _OPEN
    )


def _posterior(points: Floats) -> Floats:
    """(2, 12, 31) log probability of each count, each point by itself."""
    posterior = points + COUNT_PRIOR
    return np.asarray(posterior - np.logaddexp.reduce(posterior, axis=2, keepdims=True))


def _with_colours(canvas: Image, scores: Scores, points: Floats) -> Floats:
    """(2, 12, 31) `points` to which the colours of this set's other checkers have been added (see `set_colours`)."""
    posterior = _posterior(scores.points)
    light, dark = (
        np.exp(np.logaddexp.reduce(posterior[..., part], axis=2))
        for part in (slice(ZERO + 1, None), slice(ZERO))
    )
    says = colour_evidence(canvas, scores.cells, light, dark)[..., None] / 2
    return points + says * np.sign(np.arange(COUNTS) - ZERO)
