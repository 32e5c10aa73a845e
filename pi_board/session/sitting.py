"""A sitting: reader, referee, pipeline, journal and game files put together for one board and one evening."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from pi_board.events import DiceRolled, Event, GameStarted, SetPosition
from pi_board.output import Moment
from pi_board.record.clock_file import ClockFile
from pi_board.record.collector import SampleCollector
from pi_board.record.evidence import EvidencePictures
from pi_board.record.game_files import GameFiles
from pi_board.record.journal import Journal, journals, resume
from pi_board.record.options import RecordOptions
from pi_board.record.seat_file import SeatFile
from pi_board.referee import AnyReferee, RefereeOptions, engine_of
from pi_board.referee.match_options import ClockOptions, MatchOptions
from pi_board.referee.match_play import MatchPlay
from pi_board.referee.state import State
from pi_board.rules import STARTING_POSITION, Position, RuleSet, Side, legal_plays
from pi_board.session.advice import Advice
from pi_board.session.finding_reader import FindingReader
from pi_board.session.pipeline import Pipeline
from pi_board.session.recorded import Recorded
from pi_board.sighting import Sighting
from pi_board.vision.options import VisionOptions
from pi_board.vision.overlay import draw_overlay
from pi_board.vision.profile import load_profile

Clock = Callable[[], datetime]


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
        vision = VisionOptions(motion=not key_frames, careful=key_frames)
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
