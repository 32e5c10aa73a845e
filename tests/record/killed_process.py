"""A process that forks players on request, to be killed: `python tests/record/killed_process.py`.

Each line on stdin is {"folder", "seed", "out", "mode"}; the answer is the child's process id, and `dead` when it is gone.
The child goes on with the game of the newest journal in `folder` (mode "synthetic": people at a table without pictures,
through the real sitting) or plays the demo with rendered frames (mode "demo"). Whatever the table hears is written to
`out` as one JSON line {"events", "view"}, after `Pipeline` has handed it out: by then it must be on disk. The first line
is {"resumed": seconds, "view"}. Forking spares every child the imports.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# A script run by its path: the checkout is what it imports.
sys.path.insert(0, str(ROOT))

from pi_board.camera.simulated import SimulatedCamera  # noqa: E402
from pi_board.events import Command, Event  # noqa: E402
from pi_board.output import Moment  # noqa: E402
from pi_board.referee import RefereeOptions  # noqa: E402
from pi_board.rules import RULE_SETS, STARTING_POSITION, winner  # noqa: E402
from pi_board.session.demo import run_demo  # noqa: E402
from pi_board.session.finding_reader import FindingReader  # noqa: E402
from pi_board.session.sitting import Sitting  # noqa: E402
from pi_board.sighting import DieSeen, Sighting  # noqa: E402
from pi_board.simulator import SimulatorOptions  # noqa: E402
from pi_board.table import Phase, TableView  # noqa: E402
from pi_board.vision.profile import load_profile  # noqa: E402
from tests.referee.people import PlayedGame  # noqa: E402


class Announcer:
    """Stands where lights and page would: hears of everything last. One `write` per line, so that a kill tears at most one."""

    def __init__(self, path: str) -> None:
        self.fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def say(self, document: dict[str, Any]) -> None:
        os.write(self.fd, (json.dumps(document) + "\n").encode())

    def show(self, moment: Moment) -> None:
        if moment.events:
            events = [e.to_document() for e in moment.events]
            self.say({"events": events, "view": moment.view.to_document()})

    def close(self) -> None:
        os.close(self.fd)


def sitting_in(folder: str, *, go_on: bool = True) -> Sitting:
    return Sitting.at_the_table(
        FindingReader(load_profile("jumbo-travel")),
        rules=RULE_SETS["international"],
        options=RefereeOptions(),
        match_length=3,
        names=("Anna", "Bob"),
        folder=Path(folder),
        go_on=go_on,
    )


class Judge:
    """The referee as `PlayedGame` expects it, with journal and game files behind it."""

    def __init__(self, sitting: Sitting, announcer: Announcer) -> None:
        self.sitting, self.announcer = sitting, announcer

    def observe(self, sighting: Sighting, now: float) -> list[Event]:
        moment = self.sitting.pipeline.judge(sighting)
        self.announcer.show(moment)
        return list(moment.events)

    def command(self, command: Command, now: float) -> list[Event]:
        moment = self.sitting.pipeline.command(command, now)
        self.announcer.show(moment)
        return list(moment.events)

    def view(self) -> TableView:
        return self.sitting.referee.view()


class ResumedGame(PlayedGame):
    """Goes on from what the referee remembers, as people would who see the lights come back."""

    def go_on(self, view: TableView) -> None:
        playing = view.phase in (Phase.PLAY, Phase.PLAYED, Phase.ILLEGAL) and view.dice and view.side
        if view.position is None or view.phase is Phase.OVER or winner(view.position) is not None:
            self.table.put(STARTING_POSITION)
            playing = None
        else:
            self.table.put(view.position)
        self._first_dice = None
        if playing:
            assert view.side is not None and view.dice is not None
            self.table.dice = [
                DieSeen(n, 0.95, 200.0 + 60 * i, 200.0, 24.0, view.side) for i, n in enumerate(view.dice)
            ]
            self._first_dice = view.dice
        self.see((4, 8))
        side = view.side if view.side is not None and view.position is not None else self._opening()
        while True:
            dice = self._first_dice or self._throw(side)
            self._first_dice = None
            if self._turn(side, dice):
                self.see((10, 20))
                self.table.put(STARTING_POSITION)
                self.table.dice = []
                self.see((10, 20))
                side = self._opening()
            else:
                side = "dark" if side == "light" else "light"


def play(folder: str, seed: int, out: str, mode: str) -> None:
    begin = time.perf_counter()
    announcer = Announcer(out)
    sitting = sitting_in(folder, go_on=mode == "synthetic")
    view = sitting.referee.view()
    announcer.say({"resumed": time.perf_counter() - begin, "view": view.to_document()})
    if mode == "demo":
        camera = SimulatedCamera(SimulatorOptions(seed=seed, pace="brisk", cheat=0.2))
        run_demo(camera, sitting, [announcer])
        return
    game = ResumedGame(seed, cheat=0.1, habits={"one_hand_two_checkers": 0.3, "take_back": 0.1})
    game.referee = Judge(sitting, announcer)  # type: ignore[assignment]
    game.go_on(view)


def main() -> None:
    print("ready", flush=True)
    for line in sys.stdin:
        order = json.loads(line)
        pid = os.fork()
        if pid == 0:
            try:
                play(order["folder"], order["seed"], order["out"], order["mode"])
            except BaseException:
                import traceback

                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        print(pid, flush=True)
        _, status = os.waitpid(pid, 0)
        print("dead", status, flush=True)


if __name__ == "__main__":
    main()
