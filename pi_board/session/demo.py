"""The whole product on the simulated camera, and the score of a finished run against what really happened."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pi_board.camera.simulated import SimulatedCamera
from pi_board.errors import InvalidFileError
from pi_board.events import Command, Event, PassDouble, Unclear
from pi_board.output import Moment, Output
from pi_board.record.formats import load
from pi_board.record.match import Doubled, Dropped, Game, Rolled, Took
from pi_board.rules import Position
from pi_board.session.sitting import Sitting
from pi_board.simulator import GameTruth, TurnTruth

#: What the players at the table hear of each event. Nothing else flows back.
HEARD = {
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
    if isinstance(event, Unclear):
        return "straighten" if event.code == "dice_unread" else ""
    return HEARD.get(event.type, "")


#: What a button of the panel means when a simulated player presses it.
PRESSED: dict[str, type[Command]] = {"pass": PassDouble}


@dataclass
class DemoRun:
    """What a run leaves behind. events: per game, in order, from GameStarted on."""

    frames: int = 0
    seconds: float = 0.0
    clock: float = 0.0
    games: list[list[Event]] = field(default_factory=list)
    stages: dict[str, float] = field(default_factory=dict)


def run_demo(
    camera: SimulatedCamera,
    sitting: Sitting,
    outputs: Sequence[Output] = (),
    *,
    progress: Callable[[DemoRun, Moment], None] | None = None,
    run: DemoRun | None = None,
) -> DemoRun:
    """Referee until the camera's games are over. `run` is filled as it goes, so that an interrupt keeps it."""
    run = run if run is not None else DemoRun()
    begin = time.perf_counter()
    times = sitting.pipeline.times
    try:
        while True:
            started = time.perf_counter()
            frame = camera.read()
            times.add("render", time.perf_counter() - started)
            if frame is None:
                break
            run.frames += 1
            run.clock = frame.time
            sitting.retry(frame.time)
            moments = [sitting.pipeline.feed(frame)]
            for button in camera.pressed():
                moments.append(sitting.pipeline.command(PRESSED[button](), frame.time))
            for event in (e for moment in moments for e in moment.events):
                if event.type == "game_started":
                    run.games.append([])
                if run.games:
                    run.games[-1].append(event)
                if word := heard(event):
                    camera.tell(word)
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


def score_games(truths: Sequence[GameTruth], run: DemoRun, sitting: Sitting) -> list[dict[str, Any]]:
    """One entry per simulated game, in the form of the contract."""
    files = sitting.files
    paths = files.games if files is not None else []
    recorded = files.transcript.match.games if files is not None else ()
    entries = []
    for i, truth in enumerate(truths):
        events = run.games[i] if i < len(run.games) else []
        flagged, false = _accusations(truth, events)
        game = recorded[i] if i < len(recorded) else None
        exact = game is not None and same_game(truth, game)
        path = paths[i] if i < len(paths) else None
        entries.append(
            {
                "winner": game.winner if game is not None else None,
                "points": game.points if game is not None else 0,
                "plays": sum(isinstance(a, Rolled) for a in game.actions) if game is not None else 0,
                "illegal_shown": truth.illegal_shown,
                "illegal_flagged": flagged,
                "false_alarms": false,
                "transcript_exact": exact and path is not None and _file_equals(path, game),
                "mat": str(path) if path else None,
                "journal": str(sitting.journal.path) if sitting.journal is not None else None,
            }
        )
    return entries


def _accusations(truth: GameTruth, events: Iterable[Event]) -> tuple[int, int]:
    """(illegal plays that were flagged, accusations for which there was no illegal play), turn by turn."""
    shown = [len(t.illegal) for t in truth.turns]
    flagged = false = turn = 0
    for event in events:
        if event.type == "turn_ended":
            turn += 1
        elif event.type == "turn_reopened":
            turn -= 1
        elif event.type == "play_illegal":
            if turn < len(shown) and shown[turn] > 0:
                shown[turn] -= 1
                flagged += 1
            elif not (turn < len(truth.turns) and _lay_there(truth.turns[turn], event)):
                false += 1
    return flagged, false


def _lay_there(turn: TurnTruth, event: Event) -> bool:
    """Whether the accused position is one that really lay there illegally (a second accusation of the same play)."""
    seen: Position = event.seen  # type: ignore[attr-defined]
    return any(i.board.get("points") == list(seen.points) for i in turn.illegal)


def same_game(truth: GameTruth, game: Game) -> bool:
    """Every turn's side, dice and resulting position, every cube action, winner and points."""
    rolls = [
        (a.side, tuple(sorted(a.dice)), after) for a, _, after in game.positions() if isinstance(a, Rolled)
    ]
    real = [(t.side, tuple(sorted(t.dice)), t.position) for t in truth.turns if t.dice != (0, 0)]
    words = {Doubled: "offered", Took: "taken", Dropped: "passed"}
    cube = [(a.side, words[type(a)]) for a in game.actions if not isinstance(a, Rolled)]
    return (
        rolls == real
        and cube == [(c.side, c.action) for c in truth.cube]
        and (game.winner, game.points) == (truth.winner, truth.points)
    )


def _file_equals(path: Path, game: Game | None) -> bool:
    """The `.mat` on disk, read back by our own reader, is the game that was refereed."""
    try:
        again = load(path)
    except InvalidFileError:  # it could not be written: the disk was full
        return False
    if game is None or again.problems or len(again.match.games) != 1:
        return False
    read = again.match.games[0]
    return (read.actions, read.winner, read.points, read.score) == (
        game.actions,
        game.winner,
        game.points,
        game.score,
    )


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
