"""The whole product on the simulated camera; the score of a finished run is in `score`."""

from __future__ import annotations

import resource
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from pi_board.camera.rest import RestWatch
from pi_board.camera.simulated import SimulatedCamera
from pi_board.events import Command, Event, PassDouble, Unclear, ViewBlocked
from pi_board.frame import Frame
from pi_board.output import Moment, Output
from pi_board.session.score import score_games as score_games
from pi_board.session.sitting import Sitting

#: What the players at the table hear of each event. Nothing else flows back.
HEARD = {
    "game_started": "ready",
    "dice_rolled": "dice",
    "opening_thrown": "dice",
    "dice_rejected": "throw_again",
    "play_made": "legal",
    "play_corrected": "legal",
    "play_illegal": "illegal",
    "play_stands": "stands",
    "game_won": "game_won",
}


def heard(event: Event) -> str:
    """The word that simulated players hear of `event`; "" for what they do not react to."""
    if isinstance(event, ViewBlocked) and event.reason == "die":
        return "move_thing"
    if isinstance(event, ViewBlocked | Unclear) and event.points:
        return f"move_thing {event.points}"
    if isinstance(event, Unclear):
        return "straighten" if event.code == "dice_unread" else ""
    return HEARD.get(event.type, "")


#: What a button of the panel means when a simulated player presses it.
PRESSED: dict[str, type[Command]] = {"pass": PassDouble}
#: Seconds for which the table stands as it was left after a game, before it is cleared.
LINGER = 5.0


@dataclass
class DemoRun:
    """What a run leaves behind. games: events per game, in order, from GameStarted on. clock: seconds of the last picture.

    worked: CPU seconds of vision and referee. lit: (seconds on the camera's clock at which its light came on, event).
    pressed: (index of the picture after which it came, button).
    """

    frames: int = 0
    seconds: float = 0.0
    clock: float = 0.0
    games: list[list[Event]] = field(default_factory=list)
    stages: dict[str, float] = field(default_factory=dict)
    worked: float = 0.0
    lit: list[tuple[float, Event]] = field(default_factory=list)
    pressed: list[tuple[int, str]] = field(default_factory=list)


def run_demo(
    camera: SimulatedCamera,
    sitting: Sitting,
    outputs: Sequence[Output] = (),
    *,
    progress: Callable[[DemoRun, Moment], None] | None = None,
    run: DemoRun | None = None,
    slow: float = 0.0,
) -> DemoRun:
    """Referee until the camera's games are over. `run` is filled as it goes, so that an interrupt keeps it.

    slow: how many times slower the processor is on which this is to be judged: after a picture that cost vision and
    referee c seconds the pictures of the next `slow` x c seconds are dropped, but for the last one of a rest (see `RestWatch`), and
    its words come that late.
    """
    run = run if run is not None else DemoRun()
    begin = time.perf_counter()
    times = sitting.pipeline.times
    sitting.pipeline.slower = max(1.0, slow)
    said: deque[tuple[float, str]] = deque()
    busy_until = float("-inf")
    rests, seen = RestWatch(), -1
    last: Frame | None = None
    cleared = float("inf")
    try:
        while True:
            while said and said[0][0] <= camera.next_time:
                camera.tell(said.popleft()[1])
            started = time.perf_counter()
            frame = camera.read()
            times.add("render", time.perf_counter() - started)
            if frame is None and slow and last is not None:
                # The last checkers lie there until a slow processor has looked at them, too.
                cleared = min(cleared, last.time + LINGER)
                frame = replace(last, seq=last.seq + 1, time=last.time + camera.next_time - camera.time)
            if frame is None or frame.time > cleared:
                break
            last, begun = frame, frame.time
            if slow:
                # The camera runs in its own process and sees every picture, even while this one is busy.
                rests.see(frame)
                if begun < busy_until:
                    continue
                frame = rests.take(seen) or frame
            seen = frame.seq
            run.frames += 1
            run.clock = frame.time
            sitting.retry(frame.time)
            worked = time.process_time()
            moments = [sitting.pipeline.feed(frame)]
            for button in camera.pressed():
                run.pressed.append((run.frames - 1, button))
                moments.append(sitting.pipeline.command(PRESSED[button](), frame.time))
            worked = time.process_time() - worked
            run.worked += worked
            lit = begun + slow * worked
            busy_until = lit if slow else busy_until
            for event in (e for moment in moments for e in moment.events):
                if event.type == "game_started":
                    run.games.append([])
                if run.games:
                    run.games[-1].append(event)
                run.lit.append((lit, event))
                if word := heard(event):
                    said.append((lit, word))
            if sitting.failing:
                moments = [replace(moment, banner=sitting.failing) for moment in moments]
            started = time.perf_counter()
            for moment in moments:
                for output in outputs:
                    output.show(moment)
            times.add("outputs", time.perf_counter() - started)
            if progress is not None:
                progress(run, moments[-1])
    finally:
        run.seconds = time.perf_counter() - begin
        run.stages = times.milliseconds()
    return run


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
