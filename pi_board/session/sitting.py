"""A sitting: reader, referee, pipeline, journal and game files put together for one board and one evening."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from pi_board.errors import AmbiguousError
from pi_board.events import DiceRolled, Event, GameStarted, SetPosition
from pi_board.frame import Frame
from pi_board.output import Moment
from pi_board.record.clock_file import ClockFile
from pi_board.record.collector import SampleCollector
from pi_board.record.evidence import EvidencePictures
from pi_board.record.game_files import GameFiles
from pi_board.record.journal import Journal, journals, resume
from pi_board.record.options import RecordOptions
from pi_board.record.seat_file import NearAndHome, SeatFile
from pi_board.referee import AnyReferee, RefereeOptions, engine_of
from pi_board.referee.match_options import ClockOptions, MatchOptions
from pi_board.referee.match_play import MatchPlay
from pi_board.referee.state import State
from pi_board.rules import STARTING_POSITION, Position, RuleSet, Side, legal_plays
from pi_board.session.advice import Advice
from pi_board.session.heap import pictures_together
from pi_board.session.pipeline import Pipeline
from pi_board.session.recorded import Recorded
from pi_board.sighting import Gate, Sighting
from pi_board.vision.board.registration import Registration
from pi_board.vision.board.seating import find_seating
from pi_board.vision.finding.find_board import find_board
from pi_board.vision.finding.given_corners import fit_bar
from pi_board.vision.options import VisionOptions
from pi_board.vision.overlay import draw_overlay
from pi_board.vision.profile import BoardProfile, load_profile
from pi_board.vision.reader import BoardReader

Clock = Callable[[], datetime]


class FindingReader:
    """Finds the board first (corners by hand, or by itself), then reads it; says NO_BOARD until it is found.

    Attributes: registration and reader (None until found), refusal (why it is not found yet).
    """

    #: A board search costs a good part of a second, so it is not done on every frame while no board is in view.
    SECONDS_BETWEEN_TRIES = 1.0
    #: The seating is not read on every frame either while the starting position is being set up.
    SECONDS_BETWEEN_SEATINGS = 3.0
    #: If the starting position is not seen, the board may lie elsewhere. It is searched again after so long, then after twice as long, ...
    SECONDS_BETWEEN_PLACES = 6.0
    #: In a folder of finished moments it is searched again in the next picture, then in the second after that, ...
    PICTURES_BETWEEN_PLACES = 1
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
        self._next_try = self._next_seating = self._next_place = float("-inf")
        self._between_places = self.SECONDS_BETWEEN_PLACES
        self._picture, self._pictures_left = "", self.PICTURES_BETWEEN_PLACES
        self._between_pictures = self.PICTURES_BETWEEN_PLACES

    def look(self, frame: Frame) -> Sighting:
        """`BoardReader.look`, or a sighting without evidence while the board is not found."""
        if self.reader is None and (frame.time >= self._next_try or self.corners is not None):
            self._next_try = frame.time + self.SECONDS_BETWEEN_TRIES
            try:
                self._find(frame)
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
            found = self._search(frame)
            if not find_seating(frame.image, found.geometry()).sure:
                return False
        except AmbiguousError:
            return False
        self._read_from(found)
        self._next_seating = float("-inf")
        return True

    def _place_is_due(self, frame: Frame) -> bool:
        """Each time that the board is searched again in vain, twice as much must go by before the next."""
        if not self.options.motion:
            if frame.name == self._picture:
                return False
            first, self._picture = not self._picture, frame.name
            self._pictures_left -= not first
            if self._pictures_left > 0 or first:
                return False
            self._between_pictures *= 2
            self._pictures_left = self._between_pictures
            return True
        if frame.time < self._next_place:
            return False
        first = self._next_place == float("-inf")
        self._next_place = frame.time + self._between_places
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

    def _find(self, frame: Frame) -> None:
        if self.corners is not None:
            found = fit_bar(frame.image, self.corners, self.profile)
            if self.bar_edges is not None:
                found = replace(found, bar_edges=self.bar_edges)
        else:
            found = self._search(frame)
        self._read_from(found)

    def _search(self, frame: Frame) -> Registration:
        """Where the board lies in this picture, by itself. Raises AmbiguousError as `find_board` does."""
        with pictures_together():
            return find_board(frame.image, self.profile)

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


def may_lie_there(state: State, rules: RuleSet) -> list[Position]:
    """What a game that goes on may show: the play that was seen, the position of the turn before, or any play of the roll."""
    if state.position is None:
        return []
    plays = (
        ()
        if state.dice is None or state.side is None
        else legal_plays(state.position, state.dice, state.side, rules)
    )
    lies = ([state.board] if state.board is not None else []) + [state.position, *(p.result for p in plays)]
    return list(dict.fromkeys(lies))


class Sitting(Recorded):
    """Reader, referee, pipeline and record of one board and one evening."""

    def __init__(
        self,
        reader: FindingReader,
        referee: AnyReferee,
        *,
        journal: Journal | None = None,
        files: GameFiles | None = None,
        starts_at: Position | None = None,
        notices: tuple[str, ...] = (),
        match_play: MatchPlay | None = None,
    ) -> None:
        super().__init__(journal, files, notices)
        self.reader, self.referee, self.match_play = reader, referee, match_play
        self.clock_file: ClockFile | None = None
        self.seat_file: SeatFile | None = None
        self.pipeline = Pipeline(
            reader,
            match_play or referee,
            announce=self._keep,
            starts_at=starts_at,
            told=None if match_play is None else lambda: match_play.told,
        )

    def moment(self, now: float) -> Moment:
        """How things stand, without news."""
        if self.match_play is not None:
            return Moment(now, self.match_play.at(now).view())
        return Moment(now, self.referee.view())

    def ask_hint(self, advice: Advice, now: float = 0.0) -> Moment | None:
        """The answer comes to whoever made `advice`; the moment in which that is noted, or refused."""
        match = self.match_play
        if match is not None and match.hints_locked:
            return self.pipeline.publish(match.hint_refused(now), now)
        advice.ask_hint(self.referee.view(), self.referee.rules)
        return None if match is None else self.pipeline.publish(match.hint_given(now), now)

    @property
    def hints_locked(self) -> bool:
        """A match is played without hints: the coach is silent too."""
        return self.match_play is not None and self.match_play.hints_locked

    def _keep(self, events: list[Event]) -> None:
        super()._keep(events)
        if self.seat_file is not None and any(isinstance(e, GameStarted | DiceRolled) for e in events):
            self.seat_file.keep(self.reader.told, self.reader.seat)

    def keep_clock(self, now: float) -> None:
        """The clock's reading on disk, once a second while it runs."""
        if self.match_play is not None and self.clock_file is not None:
            self.clock_file.keep(self.match_play.keeper, now)

    def evidence(self, options: RecordOptions) -> EvidencePictures | None:
        """The output that keeps pictures of illegal plays beside the journal and names them in it."""
        journal, finder = self.journal, self.reader
        if journal is None or not options.evidence:
            return None

        def draw(image: npt.NDArray[np.uint8], sighting: Sighting) -> npt.NDArray[np.uint8]:
            reader = finder.reader
            return (
                image
                if reader is None
                else draw_overlay(image, sighting, reader.geometry, reader.orientation)
            )

        return EvidencePictures(
            journal.path.parent / "evidence", journal.path.stem, options, draw=draw, note=journal.note
        )

    def collector(self, options: RecordOptions) -> SampleCollector | None:
        """The output that keeps samples of undisputed turns, None unless they are asked for."""
        journal, finder = self.journal, self.reader
        if journal is None or not options.collect:
            return None

        def corners() -> npt.NDArray[np.float64] | None:
            geometry = finder.reader.geometry if finder.reader is not None else None
            return None if geometry is None else geometry.corners

        facts = {
            "profile": finder.profile.name,
            "near": finder.near,
            "home": finder.home,
            "rules": self.referee.rules.name,
        }
        return SampleCollector(
            journal.path.parent / "collected", journal.path.stem, options, corners=corners, facts=facts
        )

    @classmethod
    def for_recording(
        cls,
        *,
        profile: str = "generic",
        corners: npt.NDArray[np.float64] | None = None,
        near: Side = "light",
        home: Literal["right", "left"] = "right",
        rules: str | RuleSet = "international",
        match_length: int = 0,
        starts_at: Position = STARTING_POSITION,
        key_frames: bool = False,
        log_dir: Path | None = None,
        options: RefereeOptions | None = None,
    ) -> Sitting:
        """For a video or folder whose first readable picture shows `starts_at`."""
        vision = VisionOptions(motion=not key_frames)
        reader = FindingReader(load_profile(profile), corners=corners, near=near, home=home, options=vision)
        options = options or RefereeOptions()
        referee = engine_of(options)(
            options.for_replay() if key_frames else options, rules, match_length=match_length
        )
        journal = Journal.create(log_dir) if log_dir else None
        files = GameFiles(log_dir, journal.path.stem) if log_dir and journal else None
        sitting = cls(reader, referee, journal=journal, files=files, starts_at=starts_at)
        if starts_at != STARTING_POSITION:
            sitting.pipeline.command(SetPosition(position=starts_at), 0.0)
        return sitting

    @classmethod
    def at_the_table(
        cls,
        reader: FindingReader,
        *,
        rules: RuleSet,
        options: RefereeOptions,
        match_length: int,
        names: tuple[str, str],
        folder: Path,
        clock: Clock | None = None,
        go_on: bool = True,
        event: str = "",
        site: str = "",
        match: MatchOptions | None = None,
        match_clock: ClockOptions | None = None,
    ) -> Sitting:
        """For a live board: goes on with an unfinished game of the newest journal in `folder` when `go_on`.

        match: what may be agreed on before a match, None = every play is judged aloud and nothing is asked or timed.
        """
        if go_on:
            found = resume(folder, clock=clock)
            journal, events, notices = found.journal, found.events, found.notices
        else:
            journal, events, notices = Journal.create(folder, clock=clock), (), ()
        if events:
            referee = engine_of(options).from_events(events, options, rules)
            if referee.state.in_game:
                # Nobody sets up the starting position in the middle of a game.
                reader.go_on(may_lie_there(referee.state, rules))
        else:
            referee = engine_of(options)(options, rules, match_length=match_length, names=names)
            with contextlib.suppress(OSError):
                for last in journals(folder)[-2:]:
                    if last != journal.path:
                        GameFiles.write_missing(last, event=event, site=site)
        files = GameFiles(folder, journal.path.stem, clock=clock, event=event, site=site)
        files.follow(events, write=False)
        match_play = None
        if match is not None:
            match_play = MatchPlay(referee, match, match_clock, still=reader.options.still_seconds)
        sitting = cls(reader, referee, journal=journal, files=files, notices=notices, match_play=match_play)
        sitting.seat_file = SeatFile(journal.path.with_suffix(".seat"))
        if (seat := sitting.seat_file.read(reader.told)) is not None:
            reader.seat_again(seat)
        if match_play is not None:
            sitting.clock_file = ClockFile(journal.path.with_suffix(".clock"))
            if events:
                match_play.restore(events)
                sitting.clock_file.take_over(match_play.keeper)
        return sitting
