"""The demo's pace: twice real time, stops to read, and nobody hurries after a stop."""

from __future__ import annotations

from typing import Any

from pi_board.events import DiceRolled, Event, GameStarted, PlayIllegal, TurnEnded
from pi_board.output import Hint, HintLine, Moment
from pi_board.rules import STARTING_POSITION
from pi_board.session.showcase import HINT_READ, REASON_READ, Showcase
from pi_board.table import TableView

ILLEGAL = PlayIllegal(
    time=5.0,
    side="light",
    dice=(3, 1),
    code="",
    reason="no",
    position=STARTING_POSITION,
    seen=STARTING_POSITION,
)


class Wall:
    def __init__(self) -> None:
        self.now = 100.0

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class Sitting:
    def __init__(self) -> None:
        self.asked = 0

    def ask_hint(self, advice: Any) -> None:
        self.asked += 1
        advice._ready(Hint("light", (3, 1), (HintLine("8/5 6/5", 0.2, 0.55),)))


class Screen:
    def __init__(self) -> None:
        self.hints: list[Hint] = []

    def show(self, moment: Moment) -> None:
        if moment.hint is not None:
            assert moment.events == ()
            self.hints.append(moment.hint)

    def close(self) -> None: ...


def of(*events: Event) -> Moment:
    return Moment(0.0, TableView(), events)


def test_pace_stops_and_hints() -> None:
    wall, sitting, screen = Wall(), Sitting(), Screen()
    show = Showcase(sitting, [screen], 2.0, clock=wall.clock, sleep=wall.sleep)  # type: ignore[arg-type]
    show.wait(0.0)
    show.wait(4.0)
    assert wall.now == 102.0
    show.show(of(GameStarted(time=4.0, game=1, position=STARTING_POSITION)))
    show.show(of(DiceRolled(time=4.0, side="light", dice=(3, 1))))
    assert sitting.asked == 1 and [h.lines[0].play for h in screen.hints] == ["8/5 6/5"]
    show.wait(4.2)
    assert abs(wall.now - (102.1 + HINT_READ)) < 1e-9
    show.show(of(ILLEGAL))
    show.wait(5.2)
    assert abs(wall.now - (102.6 + HINT_READ + REASON_READ)) < 1e-9
    # A machine that is late plays on at once and does not run after the lost time.
    wall.now += 10
    late = wall.now
    show.wait(5.3)
    show.wait(7.3)
    assert abs(wall.now - (late + 1.0)) < 1e-9
    show.show(of(TurnEnded(time=8.0, side="light", position=STARTING_POSITION)))
    show.show(of(DiceRolled(time=9.0, side="dark", dice=(3, 1))))
    assert sitting.asked == 1
    show.close()


def test_as_fast_as_it_goes_never_waits() -> None:
    wall, sitting, screen = Wall(), Sitting(), Screen()
    show = Showcase(sitting, [screen], 0.0, clock=wall.clock, sleep=wall.sleep)  # type: ignore[arg-type]
    show.show(of(DiceRolled(time=4.0, side="light", dice=(3, 1)), ILLEGAL))
    show.wait(5.0)
    assert wall.now == 100.0 and screen.hints
    show.close()
