"""Frames in, events out: vision and referee joined, and nothing else known to either.

`Pipeline.feed` receives `Frame`s (arrays and a time) whatever camera made them; the simulator's state has no
way in. Every accepted position goes back to vision as a lesson, so that the appearance follows the light.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pi_board.events import (
    Command,
    Event,
    GameAbandoned,
    GameStarted,
    GameWon,
    PlayStands,
    PositionCorrected,
    TurnEnded,
)
from pi_board.frame import Frame
from pi_board.output import Moment
from pi_board.rules import Position
from pi_board.session.heap import give_back
from pi_board.session.spared_looks import SparedLooks
from pi_board.sighting import Gate, Sighting
from pi_board.table import TableView

#: Events whose `position` is known to lie on the board in the picture that caused them.
#: (TurnEnded by itself may come with the next roll already lying there; the checkers have not moved yet.)
LESSONS = (GameStarted, TurnEnded, PlayStands, PositionCorrected)


class Reader(Protocol):
    """What the pipeline needs of vision."""

    def look(self, frame: Frame) -> Sighting: ...

    def took(self, seconds: float) -> None: ...

    def learn(self, position: Position) -> None: ...

    def expect_start(self) -> None: ...


class Judge(Protocol):
    """What the pipeline needs of the referee."""

    def observe(self, sighting: Sighting, now: float) -> list[Event]: ...

    def command(self, command: Command, now: float) -> list[Event]: ...

    def view(self) -> TableView: ...


@dataclass
class StageTimes:
    """Seconds and calls spent by stage, for the figures that demo and bench print."""

    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    calls: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, stage: str, seconds: float) -> None:
        self.seconds[stage] += seconds
        self.calls[stage] += 1

    def milliseconds(self) -> dict[str, float]:
        """Mean ms per call."""
        return {s: round(1000 * t / max(1, self.calls[s]), 2) for s, t in self.seconds.items()}


class Pipeline:
    """`announce` gets the events before anybody else and must have them on disk when it returns.

    told: what of the judge's last events may leave the table (None: all of them).
    """

    def __init__(
        self,
        reader: Reader,
        referee: Judge,
        *,
        announce: Callable[[list[Event]], None] | None = None,
        starts_at: Position | None = None,
        told: Callable[[], tuple[Event, ...]] | None = None,
    ) -> None:
        self.reader = reader
        self.referee = referee
        self._told = told
        self.times = StageTimes()
        #: How many times slower than this processor the one is that is emulated (see `run_demo`).
        self.slower = 1.0
        #: Which failing looks are borne; none, unless somebody plays.
        self.spared = SparedLooks()
        self._announce = announce
        # The position that the first readable picture is known to show (a replay); None = wait to see the set-up.
        self._first = starts_at
        self._lessons: list[Position] = []

    def feed(self, frame: Frame) -> Moment:
        """One frame through vision and referee."""
        begin = time.perf_counter()
        # Learn from the last picture only now, after lights and display have shown what it led to.
        for position in self._lessons:
            self.reader.learn(position)
        if self._lessons:
            # Do this once per turn, when nobody is waiting: it takes 2 ms.
            give_back()
        self._lessons.clear()
        sighting = self._look(frame)
        if self._first is not None and sighting.gate.value == "settled":
            self.reader.learn(self._first)
            self._first = None
            sighting = self.spared.look(self.reader, frame)
        busy: Sighting | None = None
        if frame.rested > 0 and sighting.gate is Gate.MOVING:
            # The scene differs from the last picture and came to rest between two looks, so somebody was at the board.
            busy, sighting = sighting, self._look(frame)
        seen = time.perf_counter()
        moment = self.judge(sighting, frame, after=busy)
        done = time.perf_counter()
        self.times.add("read" if sighting.settled else "gate", seen - begin)
        self.times.add("referee", done - seen)
        return moment

    def _look(self, frame: Frame) -> Sighting:
        # Count this thread's CPU time only, so that other work on the machine does not make a look seem dearer.
        looking = time.thread_time()
        sighting = self.spared.look(self.reader, frame)
        self.reader.took((time.thread_time() - looking) * self.slower)
        return sighting

    def judge(
        self, sighting: Sighting, frame: Frame | None = None, *, after: Sighting | None = None
    ) -> Moment:
        """A sighting through the referee (also for one made without a frame: no camera). after: another one, just before it."""
        events = self.referee.observe(after, after.time) if after is not None else []
        events = events + self.referee.observe(sighting, sighting.time)
        self._publish(events)
        self._game_over(events)
        if sighting.settled:
            lessons: list[Position] = []
            for event in events:
                if isinstance(event, PositionCorrected):
                    # What it puts right was never there to be learned from.
                    lessons = []
                elif isinstance(event, LESSONS):
                    lessons.append(event.position)
            self._lessons += lessons
        return self.moment(sighting.time, events, frame, sighting)

    def command(self, command: Command, now: float) -> Moment:
        """What a person asked for by button or page."""
        events = self.referee.command(command, now)
        self._publish(events)
        self._game_over(events)
        return self.moment(now, events)

    def moment(
        self,
        now: float,
        events: Sequence[Event] = (),
        frame: Frame | None = None,
        sighting: Sighting | None = None,
    ) -> Moment:
        """What may be told of `events`, beside how the table may be shown."""
        kept = tuple(events)
        told = self._told() if self._told is not None and events else kept
        return Moment(now, self.referee.view(), told, frame, sighting, kept=None if told == kept else kept)

    def publish(self, events: list[Event], now: float) -> Moment:
        """Events that neither a look nor a command led to."""
        self._publish(events)
        return self.moment(now, events)

    def _game_over(self, events: list[Event]) -> None:
        if any(isinstance(event, GameWon | GameAbandoned) for event in events):
            self.reader.expect_start()

    def _publish(self, events: list[Event]) -> None:
        if events and self._announce is not None:
            self._announce(events)
