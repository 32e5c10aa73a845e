"""Where the board lies in the picture, and where it has been moved to."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pi_board.frame import Frame
from pi_board.vision.board.canvas import Canvas
from pi_board.vision.board.drift import DRIFT
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.checkers.blind import BlindReader
from pi_board.vision.checkers.disc import BOARD
from pi_board.vision.checkers.likelihood import CheckerFinder
from pi_board.vision.checkers.strips import PointLayout
from pi_board.vision.finding.again import found_again
from pi_board.vision.gate import zone
from pi_board.vision.in_play.in_the_way import ThingsInTheWay
from pi_board.vision.in_play.part import ReaderInterface, ReaderPart
from pi_board.vision.reader_state import LocatedBoard, LostBoard

#: Pixels rougher than this (8-bit levels) are edges, by which a moved board is recognised. A move is believed when it lowers their mean
#: error to less than this share.
ROUGH_EDGE, BETTER_FIT = 6.0, 0.9
#: Seconds from the first search for a lost board to the second.
FIRST_PAUSE = 1.0
#: Most seconds for which it must have been lost before it is looked for: as many as a search takes, which is a quarter of a minute of a
#: Zero 2 W. Nearly all that look so is a knocked focus or a lamp (`bench campaign --slow 15`: 4 and 5 s), which is over by then.
SEARCHED_AFTER = 8.0


@lru_cache(maxsize=2)
def _box_around(geometry: BoardGeometry, shape: tuple[int, ...]) -> tuple[slice, slice]:
    """Rows and columns that show the field, of pictures of `shape` (H, W, 3)."""
    xs, ys = geometry.corners.T.tolist()
    h, w = shape[:2]
    top, left = min(max(min(ys), 0), h - 2), min(max(min(xs), 0), w - 2)
    bottom, right = min(max(max(ys), 1), h), min(max(max(xs), 1), w)
    return slice(int(top), int(bottom)), slice(int(left), int(right))


class BoardPlace(ReaderPart):
    """Where the board lies."""

    def __init__(self, reader: ReaderInterface, way: ThingsInTheWay) -> None:
        super().__init__(reader)
        self._way = way

    def register(self, image: npt.NDArray[np.uint8]) -> None:
        """Takes the board's place in pictures of this size from the registration. Raises ValueError without one."""
        given = self.reader.registration
        if given is None:
            raise ValueError("BoardReader: expected a registration or a geometry, got neither")
        size = (image.shape[1], image.shape[0])
        if tuple(given.image_size) == size:
            geometry = given.geometry()
        else:
            geometry = BoardGeometry(self.profile, given.corners, size, bar_edges=given.bar_edges)
        self.state.geometry, self.reader.profile = geometry, geometry.profile

    def box(self, image: npt.NDArray[np.uint8]) -> tuple[slice, slice] | None:
        """(rows, columns) of the picture around the field; None while nobody knows where it lies."""
        geometry = self.state.geometry
        return None if geometry is None else _box_around(geometry, image.shape)

    def look_at(
        self, geometry: BoardGeometry, layout: PointLayout | None = None, canvas: Canvas | None = None
    ) -> None:
        """Set up everything that depends on where the board lies in the picture. canvas: the one of that place, where it is known."""
        self.state.pace.scene.forget()
        self.state.pace.kept = None
        known = self.state.board
        if known is not None and known.canvas.geometry is geometry:
            # What the uncalibrated reader has seen there holds whatever is learned anew: it is a good part of a look.
            self.state.board = replace(known, finder=CheckerFinder(known.canvas, self.orientation, layout))
        else:
            canvas = canvas or Canvas(geometry)
            blind = BlindReader(geometry, self.orientation, careful=self.options.careful)
            if known is not None:
                blind.accepted = known.blind.accepted
            self.state.board = LocatedBoard(
                canvas, CheckerFinder(canvas, self.orientation, layout), zone(canvas), blind
            )
        if self.state.way.hides is not None and self.state.way.hides.shape != self.state.located.zone.shape:
            self.state.way.things.forget()
        self._way.hide()

    def moved_to(self, frame: Frame) -> Canvas | None:
        """The board where it lies now, None when it has not moved or is not found again."""
        learned = self.state.learned
        learned.compared = frame.time
        bump = learned.watch.compare(frame.image)
        if bump.state == "moved" and bump.geometry is not None:
            there = Canvas(bump.geometry)
            if self._fits_better(there, frame.image):
                learned.lost = None
                return there
        if bump.state == "steady":
            learned.lost = None
            return None
        if bump.state in ("blurred", "nothing"):
            return None
        wait = min(SEARCHED_AFTER, self.reader.budget.search)
        lost = learned.lost = learned.lost or LostBoard(frame.time + wait, FIRST_PAUSE)
        if frame.time < lost.search_at:
            return None
        learned.lost = lost.searched(frame.time)
        found = found_again(frame.image, learned.watch)
        if found is None:
            return None
        # (Where it fits no better, the board lies where it lay, and the watch has started anew there.)
        learned.lost = None
        there = Canvas(found)
        return there if self._fits_better(there, frame.image) else None

    def follow(self, frame: Frame) -> None:
        """The board where it has crept to, for the arm of a camera sinks: looked at now and then, and nothing is said of it."""
        learned = self.state.learned
        if self.state.geometry is not None and learned.watch.geometry is not self.state.geometry:
            # (What was learned since has been forgotten.)
            learned.watch.restart(self.state.geometry, frame.image)
        if frame.time >= learned.compared + DRIFT.every:
            learned.compared = frame.time
            learned.watch.glance(frame.image)
        there = learned.watch.follow(frame.image)
        if there is not None:
            self.move(Canvas(there))
            self.state.pace.change = None

    def move(self, there: Canvas) -> None:
        """Move to the board's new place in the picture. The learned look stays."""
        assert self.state.appearance is not None
        self.state.geometry = there.geometry
        self.look_at(there.geometry, self.state.finder.layout, there)
        self.state.appearance.canvas = self.state.canvas

    def _fits_better(self, there: Canvas, image: npt.NDArray[np.uint8]) -> bool:
        """Whether the learned board fits `there` better than at its old place. Many moved checkers can
        look like a bump.
        """
        look = self.state.appearance
        assert look is not None
        edges = (look.label == BOARD) & (look.rough > ROUGH_EDGE) & self.state.canvas.field
        if edges.sum() < 200:
            return True
        errors = []
        for canvas in (self.state.canvas, there):
            bgr, _ = look.to_reference(canvas.warp(image), canvas.inside)
            errors.append(float(np.abs(bgr[..., 1] - look.reference[..., 1])[edges].mean()))
        if errors[1] < BETTER_FIT * errors[0]:
            return True
        self.state.learned.watch.restart(self.state.geometry or there.geometry, image)
        return False
