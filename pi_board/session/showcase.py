"""The demo for a visitor: slow enough to read, and with a player who asks for hints."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from pi_board.hints.options import HintsOptions
from pi_board.output import CoachNote, Hint, Moment, Output
from pi_board.session.advice import Advice
from pi_board.session.sitting import Sitting

#: Turns of a game (from 0) in which the player on roll presses *hint*; every `HINT_AGAIN`th after that as well.
FIRST_HINT, HINT_AGAIN = 0, 6
#: Seconds for which the players stop so that a visitor can read the hint, the reason, or that the play was corrected.
HINT_READ, REASON_READ, MENDED_READ = 2.0, 2.5, 1.0
#: Seconds that the players wait for a hint; a slow machine plays on without it.
HINT_PATIENCE = 10.0


class Showcase:
    """An `Output` that also keeps the pace.

    outputs: who is shown the hint. speed: times real time, 0 = as fast as it goes and without stops to read.
    """

    def __init__(
        self,
        sitting: Sitting,
        outputs: Sequence[Output],
        speed: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._sitting, self._outputs, self._speed = sitting, outputs, speed
        self._clock, self._sleep = clock, sleep
        self._answers: queue.Queue[Hint | CoachNote | str] = queue.Queue()
        self._advice = Advice(HintsOptions(level="fast", coach=False), self._answers.put)
        self._turn = 0
        self._stop = 0.0
        # Wall-clock second at which the camera's clock stood at 0, were it running at `speed`.
        self._zero: float | None = None

    def show(self, moment: Moment) -> None:
        """The outputs have shown `moment`; what is there to read, and does the player want a hint?"""
        for event in moment.events:
            if event.type == "game_started":
                self._turn = 0
            elif event.type == "turn_ended":
                self._turn += 1
            elif event.type == "dice_rolled" and self._turn % HINT_AGAIN == FIRST_HINT:
                self._hint(moment)
            elif event.type == "play_illegal":
                self._stop = max(self._stop, REASON_READ)
            elif event.type == "play_corrected":
                self._stop = max(self._stop, MENDED_READ)

    def _hint(self, moment: Moment) -> None:
        self._sitting.ask_hint(self._advice)
        try:
            answer = self._answers.get(timeout=HINT_PATIENCE)
        except queue.Empty:
            return
        if isinstance(answer, Hint):
            for output in self._outputs:
                output.show(replace(moment, events=(), hint=answer))
            self._stop = max(self._stop, HINT_READ)

    def wait(self, now: float) -> None:
        """Until the camera's clock may read `now` (seconds) at this speed."""
        if not self._speed:
            return
        wall = self._clock()
        if self._zero is None:
            self._zero = wall - now / self._speed
        due = self._zero + now / self._speed
        if self._stop:
            due = max(due, wall) + self._stop
            self._stop = 0.0
        if due > wall:
            self._sleep(due - wall)
        # After a delay, or a stop that let a visitor read, the demo goes on from there and does not catch up.
        self._zero = max(due, wall) - now / self._speed

    def close(self) -> None:
        self._advice.close()
