"""A reader of boards that finds the board first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from pi_board.errors import AmbiguousError
from pi_board.frame import Frame
from pi_board.record.seat_file import NearAndHome
from pi_board.rules import STARTING_POSITION, Position, Side
from pi_board.session.heap import pictures_together
from pi_board.session.search_pace import HowToFind, SearchPace
from pi_board.sighting import Gate, Sighting
from pi_board.vision.board.registration import Registration
from pi_board.vision.board.seating import find_seating
from pi_board.vision.finding.find_board import find_board
from pi_board.vision.finding.given_corners import fit_bar
from pi_board.vision.options import VisionOptions
from pi_board.vision.profile import BoardProfile
from pi_board.vision.reader import BoardReader

#: Why a board that a glance may have shown is not taken for found.
NOT_SEEN = "no board is seen plainly"
#: Why a board is not taken for found that is seen in the picture turned by a quarter.
ON_ITS_SIDE = (
    "the board lies on its side in the picture: turn the camera, or set rotate = 90 (or 270) under [camera]"
)


class FindingReader:
    """Finds the board first (corners by hand, or by itself), then reads it; says NO_BOARD until it is found.

    Attributes: registration and reader (None until found), refusal (why it is not found yet).
    """

    #: A board search costs a good part of a second, so it is not done on every picture of a folder that is shown again. (Of a live camera
    #: see `SearchPace`.)
    SECONDS_BETWEEN_TRIES = 1.0
    #: What a glance finds with less confidence (0 to 1) is searched for in the whole.
    SURE_AT_A_GLANCE = 0.9
    #: The seating is not read on every frame either while the starting position is being set up.
    SECONDS_BETWEEN_SEATINGS = 3.0
    #: If the starting position is not seen, the board may lie elsewhere. It is searched again after so long, ever more rarely; in a folder
    #: of finished moments after so many pictures.
    SECONDS_BETWEEN_PLACES, PICTURES_BETWEEN_PLACES = 6.0, 1.0
    #: From so many nats on, the checkers' colours decide which side is called light, and not the settings.
    NAMED = 2.0

    def __init__(
        self,
        profile: BoardProfile,
        *,
        corners: npt.NDArray[np.float64] | None = None,
        bar_edges: npt.NDArray[np.float64] | None = None,
        near: Side = "light",
        home: Literal["right", "left"] = "right",
        options: VisionOptions | None = None,
        seated: bool = False,
    ) -> None:
        """seated: near and home are a person's word, also in which side is called light; so they are where corners are given."""
        self.profile, self.corners, self.near, self.home = profile, corners, near, home
        self.told: NearAndHome = near, home
        self.seated = seated or corners is not None
        self.bar_edges = bar_edges
        self.options = options or VisionOptions()
        self.registration: Registration | None = None
        self.reader: BoardReader | None = None
        self._goes_on_from: tuple[Position, ...] = ()
        self.refusal = ""
        self._pace = SearchPace()
        self._next_try = self._next_seating = self._next_place = float("-inf")
        self._between_places = (
            self.SECONDS_BETWEEN_PLACES if self.options.motion else self.PICTURES_BETWEEN_PLACES
        )
        # The picture of a folder that is looked at, and how many others were.
        self._picture, self._pictures = "", 0

    def look(self, frame: Frame) -> Sighting:
        """`BoardReader.look`, or a sighting without evidence while the board is not found."""
        if self.reader is None and (how := self._how_to_find(frame)):
            try:
                self._find(frame, how)
            except AmbiguousError as error:
                self.refusal = str(error)
        if self.reader is None:
            return Sighting(
                frame.seq,
                frame.time,
                Gate.NO_BOARD,
                registered=False,
                quality=0.0,
                name=frame.name,
                note=self.refusal,
            )
        known = self.reader.appearance is not None
        sighting = self.reader.look(frame)
        if self.reader.appearance is not None:
            self._goes_on_from = ()
        if not known and sighting.settled and self._lies_otherwise(frame):
            return self.reader.look(frame)
        return sighting

    def _lies_otherwise(self, frame: Frame) -> bool:
        """Checks the seating before the first game, or in the look that learned it. A starting position that is seen the other way round
        corrects who sits where; if none is seen, the board may lie elsewhere. True when there is a new reader."""
        reader = self.reader
        if reader is None:
            return False
        if not self.options.motion:
            # (Which way the pictures are turned, and so who sits where, is told before, see `Upright`.)
            return (
                reader.appearance is None
                and reader.start == STARTING_POSITION
                and self._lies_elsewhere(frame)
            )
        # The reader would learn swapped colours just as well, so the seating must be right before the first game.
        if reader.appearance is None and frame.time < self._next_seating:
            return False
        self._next_seating = frame.time + self.SECONDS_BETWEEN_SEATINGS
        if reader.geometry is None or self.registration is None or reader.start != STARTING_POSITION:
            return False
        seen = find_seating(frame.image, reader.geometry, reader=reader.blind)
        if not seen.sure:
            return reader.appearance is None and self._lies_elsewhere(frame)
        if seen.orientation == reader.orientation:
            return False
        if seen.differs_in_names_only(reader.orientation) and (self.seated or seen.named < self.NAMED):
            return False
        self.near, self.home = seen.orientation.near, seen.orientation.home
        self._read_from(self.registration)
        return True

    def _lies_elsewhere(self, frame: Frame) -> bool:
        """Whether the starting position is seen at another place than the one where the board was found."""
        if self.registration is None or self.registration.how != "found" or not self._place_is_due(frame):
            return False
        try:
            found = self._search(frame.image)
            if not find_seating(frame.image, found.geometry()).sure:
                return False
        except AmbiguousError:
            return False
        self._read_from(found)
        self._next_seating = float("-inf")
        return True

    def _place_is_due(self, frame: Frame) -> bool:
        """Each time that the board is searched again in vain, more must go by before the next: seconds, or pictures of a folder."""
        if frame.name != self._picture:
            self._picture, self._pictures = frame.name, self._pictures + 1
        now = frame.time if self.options.motion else float(self._pictures)
        if now < self._next_place:
            return False
        first = self._next_place == float("-inf")
        self._next_place = now + self._between_places
        if first:  # The checkers may still be on their way to the points.
            return False
        self._between_places *= 2
        return True

    def took(self, seconds: float) -> None:
        """How long the last look took: see `LookBudget`."""
        if self.reader is not None:
            self.reader.budget.note(self.reader.effort, seconds)

    def learn(self, position: Position) -> None:
        """`BoardReader.learn`; nothing before the board is found."""
        if self.reader is not None:
            self.reader.learn(position)

    def go_on(self, positions: Sequence[Position]) -> None:
        """A game goes on that was not seen to begin: the first picture shows one of `positions`, or what has been played from one."""
        self._goes_on_from = tuple(positions)
        if self.reader is not None:
            self.reader.go_on(positions)

    @property
    def seat(self) -> NearAndHome:
        """As it was told, or as the starting position has shown it since."""
        return self.near, self.home

    def seat_again(self, seat: NearAndHome) -> None:
        """Before the first picture: what a starting position had shown. A person's word stands against it."""
        if not self.seated:
            self.near, self.home = seat

    def expect_start(self) -> None:
        """`BoardReader.expect_start`: the next game is being set up."""
        if self.reader is not None:
            self.reader.expect_start()

    def _how_to_find(self, frame: Frame) -> HowToFind:
        """How the board is to be looked for in this picture."""
        if self.corners is not None:
            return "search"
        if self.options.motion:
            return self._pace.ask(frame.image, frame.time)
        if frame.time < self._next_try:
            return ""
        self._next_try = frame.time + self.SECONDS_BETWEEN_TRIES
        return "search"

    def _find(self, frame: Frame, how: HowToFind) -> None:
        if self.corners is not None:
            found = fit_bar(frame.image, self.corners, self.profile)
            if self.bar_edges is not None:
                found = replace(found, bar_edges=self.bar_edges)
        else:
            try:
                found = self._search(frame.image, quick=how == "glance")
            except AmbiguousError:
                if how == "search" and self._lies_on_its_side(frame):
                    raise AmbiguousError(ON_ITS_SIDE) from None
                raise
            if how == "glance" and found.confidence < self.SURE_AT_A_GLANCE:
                raise AmbiguousError(NOT_SEEN)
        self._read_from(found)

    def _lies_on_its_side(self, frame: Frame) -> bool:
        """Whether a glance shows the board when the picture is turned by a quarter. (Folders and videos are turned by `Upright`.)"""
        if not self.options.motion:
            return False
        try:
            found = self._search(np.ascontiguousarray(np.rot90(frame.image, -1)), quick=True)
        except AmbiguousError:
            return False
        return found.confidence >= self.SURE_AT_A_GLANCE

    def _search(self, image: npt.NDArray[np.uint8], *, quick: bool = False) -> Registration:
        """Where the board lies in (H, W, 3) `image`, by itself. Raises AmbiguousError as `find_board` does."""
        with pictures_together():
            return find_board(image, self.profile, quick=quick)

    def _read_from(self, registration: Registration) -> None:
        """A new reader for a board that lies so, seated as it is known now."""
        if self.reader is not None:
            # Its parts know one another, so that its 40 MB would wait for the next collection of Python's.
            self.reader.reset()
        self.registration = registration
        self.reader = BoardReader(
            self.profile, near=self.near, home=self.home, registration=registration, options=self.options
        )
        self.reader.go_on(self._goes_on_from)
