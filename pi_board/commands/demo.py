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
from pi_board.errors import InvalidError
from pi_board.output import Moment
from pi_board.record.options import RecordOptions
from pi_board.referee import RefereeOptions
from pi_board.rules import RULE_SETS
from pi_board.session.demo import DemoRun, peak_megabytes, run_demo, score_games
from pi_board.session.sitting import FindingReader, Sitting
from pi_board.simulator import STYLES, SimulatorOptions
from pi_board.terminal.view import TerminalOutput
from pi_board.vision.profile import load_profile

HELP = "watch two simulated players being refereed (no hardware needed)"
PROFILES = {"travel": "jumbo-travel", "wood": "classic-wood", "felt": "club-felt"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=int, default=1, help="games to play (default 1)")
    parser.add_argument("--seed", type=int, default=1, help="everything random follows from it")
    parser.add_argument(
        "--cheat", type=float, default=0.05, help="chance per turn of an illegal play (default 0.05)"
    )
    parser.add_argument(
        "--style", choices=sorted(STYLES), default="travel", help="which set lies on the table"
    )
    parser.add_argument("--players", choices=("honest", "careless"), default="honest")
    parser.add_argument("--rules", choices=sorted(RULE_SETS), default="international")
    parser.add_argument("--length", type=int, default=0, help="match length (0 = money session)")
    parser.add_argument("--pace", choices=("natural", "brisk", "sparse"), default="brisk")
    parser.add_argument(
        "--log-dir", type=Path, help="keep journal and game files here (default: a temporary folder)"
    )
    parser.add_argument(
        "--speed", type=float, default=0.0, help="times real time for watching (0 = as fast as it goes)"
    )
    parser.add_argument("--headless", action="store_true", help="no live view, only progress")
    parser.add_argument("--json", action="store_true", help="print one JSON document at the end")


def run(args: argparse.Namespace) -> int:
    if args.games < 1:
        raise InvalidError(f"--games: expected 1 or more, got {args.games}")
    if not 0 <= args.cheat <= 1:
        raise InvalidError(f"--cheat: expected a probability from 0 to 1, got {args.cheat}")
    with contextlib.ExitStack() as stack:
        folder = args.log_dir or Path(tempfile.mkdtemp(prefix="pi-board-demo-"))
        options = SimulatorOptions(
            seed=args.seed,
            games=args.games,
            cheat=args.cheat,
            style=args.style,
            players=args.players,
            rules=args.rules,
            match_length=args.length,
            pace=args.pace,
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
        if not args.headless and not args.json:
            terminal = TerminalOutput(near=options.near, home=options.home)
            terminal.footer = f"logs: {folder}   Ctrl-C ends"
            stack.callback(terminal.close)
            outputs.append(terminal)
        evidence = sitting.evidence(RecordOptions()) if args.log_dir else None
        if evidence is not None:
            stack.callback(evidence.close)
            outputs.append(evidence)
        result = DemoRun()
        run_demo(camera, sitting, outputs, progress=Progress(args.headless and not args.json), run=result)
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
    return 0


class Progress:
    """A line on stderr every few seconds of frames, for headless runs."""

    def __init__(self, on: bool) -> None:
        self.on = on

    def __call__(self, run: DemoRun, moment: Moment) -> None:
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
