"""`pi-board demo`: two simulated players refereed through rendered frames, with the whole product around them."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from pi_board.camera.simulated import SimulatedCamera
from pi_board.campaign.rooms import PROFILES
from pi_board.commands.argument_types import LONGEST_MATCH, match_length, number, probability, whole
from pi_board.commands.log_notices import LogNotices
from pi_board.output import Moment
from pi_board.record.log_folder import require_log_folder
from pi_board.record.options import RecordOptions
from pi_board.referee import RefereeOptions
from pi_board.rules import RULE_SETS
from pi_board.session.demo import DemoRun, peak_megabytes, run_demo, score_games
from pi_board.session.finding_reader import FindingReader
from pi_board.session.showcase import Showcase
from pi_board.session.sitting import Sitting
from pi_board.simulator import STYLES, SimulatorOptions
from pi_board.simulator.options import HABITS, PACES
from pi_board.terminal.view import TerminalOutput
from pi_board.vision.profile import load_profile

HELP = "watch two simulated players being refereed (no hardware needed)"
#: Chance per turn of an illegal play, and the demo's pace in multiples of real time: a real evening is too slow to watch.
CHEAT, WATCHED = 0.05, 2.0
#: A game of fifteen turns with two illegal plays, a cocked die and a double: a minute.
SEED = 7


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=whole(1), default=1, help="games to play (default 1)")
    parser.add_argument(
        "--seed", type=int, default=SEED, help=f"everything random follows from it (default {SEED})"
    )
    parser.add_argument(
        "--cheat",
        type=probability,
        metavar="P",
        help=f"chance per turn of an illegal play (default: one in the first turn of each game, then {CHEAT})",
    )
    parser.add_argument(
        "--style",
        choices=sorted(STYLES),
        default="travel",
        help="which set lies on the table (default travel)",
    )
    parser.add_argument(
        "--players",
        choices=sorted(HABITS, reverse=True),
        default="honest",
        help="careless ones knock checkers, hesitate, take plays back and roll too early (default honest)",
    )
    parser.add_argument(
        "--rules", choices=sorted(RULE_SETS), default="international", help="rule set (default international)"
    )
    parser.add_argument(
        "--length",
        type=match_length,
        default=0,
        help=f"match length, 0 to {LONGEST_MATCH} (default 0: a money session)",
    )
    parser.add_argument(
        "--pace",
        choices=sorted(PACES),
        default="brisk",
        help="how long the players take over a play: as people do, quickly, or with no more pictures than needed (default brisk)",
    )
    parser.add_argument(
        "--log-dir", type=Path, help="keep journal and game files here (default: a temporary folder)"
    )
    parser.add_argument(
        "--speed",
        type=number(0, 100),
        help=f"times real time, 0 = as fast as it goes (default {WATCHED:g} for the live view, else 0)",
    )
    parser.add_argument("--headless", action="store_true", help="no live view, only progress")
    parser.add_argument("--json", action="store_true", help="print one JSON document at the end")


def run(args: argparse.Namespace) -> int:
    folder = args.log_dir or Path(tempfile.mkdtemp(prefix="pi-board-demo-"))
    require_log_folder(folder)
    watched = not args.headless and not args.json
    live = watched and sys.stdout.isatty()
    with contextlib.ExitStack() as stack:
        terminal = None
        if watched:
            # Show the screen first, because making the table and loading the readers takes a second or two.
            terminal = TerminalOutput(footer=f"logs: {folder}")
            stack.callback(terminal.close)
        options = SimulatorOptions(
            seed=args.seed,
            games=args.games,
            cheat=CHEAT if args.cheat is None else args.cheat,
            style=args.style,
            players=args.players,
            rules=args.rules,
            match_length=args.length,
            pace=args.pace,
            # A first-time visitor should see what the referee is for, so a plain demo begins with an illegal play.
            faults=((0, "cheat"),) if args.cheat is None else (),
        )
        camera = SimulatedCamera(options)
        stack.callback(camera.close)
        reader = FindingReader(load_profile(PROFILES.get(args.style, "generic")))
        sitting = Sitting.at_the_table(
            reader,
            rules=RULE_SETS[args.rules],
            options=RefereeOptions(),
            match_length=args.length,
            names=("Light", "Dark"),
            folder=folder,
            go_on=False,
            event="pi_board demo",
        )
        stack.callback(sitting.close)
        outputs: list[Any] = []
        speed = args.speed if args.speed is not None else WATCHED if live else 0.0
        pace = None
        if terminal is not None:
            pace = Showcase(sitting, [terminal], speed)
            stack.callback(pace.close)
            outputs += [terminal, pace]
        else:
            outputs.append(LogNotices())
        evidence = sitting.evidence(RecordOptions()) if args.log_dir else None
        if evidence is not None:
            stack.callback(evidence.close)
            outputs.append(evidence)
        result = DemoRun()
        progress = DemoPace(args.headless and not args.json, pace)
        try:
            run_demo(camera, sitting, outputs, progress=progress, run=result)
        except KeyboardInterrupt:
            stack.close()
            if not args.json:
                print(f"stopped; logs in {folder}")
            raise
        if evidence is not None:
            evidence.close()
        sitting.close()
        games = score_games(camera.truth.games, result, sitting)
    document = {
        "games": games,
        "frames": result.frames,
        "seconds": round(result.seconds, 2),
        "ms_per_frame": result.stages,
        "simulated_seconds": round(result.clock, 1),
        "peak_mb": round(peak_megabytes(), 1),
    }
    if args.json:
        json.dump(document, sys.stdout)
        print()
    else:
        _summary(document, folder)
    if sitting.failing:
        print(f"pi-board demo: {folder} is not complete: {sitting.failing}", file=sys.stderr)
    return 0


class DemoPace:
    """Keeps the pace of a demo that is watched; headless, a line on stderr every few seconds of frames."""

    def __init__(self, on: bool, pace: Showcase | None = None) -> None:
        self.on, self._pace = on, pace

    def __call__(self, run: DemoRun, moment: Moment) -> None:
        if self._pace is not None:
            self._pace.wait(run.clock)
        if self.on and run.frames % 100 == 0:
            view = moment.view
            print(
                f"\rframe {run.frames}, game {view.game}, score {view.score[0]}-{view.score[1]}, {view.message[:50]:<50}",
                end="",
                file=sys.stderr,
                flush=True,
            )


def _summary(document: dict[str, Any], folder: Path) -> None:
    print()
    for i, game in enumerate(document["games"], 1):
        print(
            f"game {i}: {game['winner']} wins {game['points']}, {game['plays']} plays, "
            f"{game['illegal_flagged']} of {game['illegal_shown']} illegal plays flagged, "
            f"{game['false_alarms']} false alarms, transcript {'exact' if game['transcript_exact'] else 'NOT exact'}"
        )
    stages = ", ".join(f"{k} {v} ms" for k, v in document["ms_per_frame"].items())
    print(
        f"{document['frames']} frames in {document['seconds']} s ({document['simulated_seconds']} s on the camera's clock); "
        f"{stages}; peak {document['peak_mb']} MB"
    )
    print(f"logs in {folder}")
