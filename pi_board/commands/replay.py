"""`pi-board replay PATH`: the whole pipeline over a video or a folder of pictures."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from pathlib import Path

from pi_board.commands.board_arguments import add_board_arguments
from pi_board.commands.position_argument import read_position
from pi_board.errors import InvalidFileError
from pi_board.replay import Report, folder_moments, pictures, video_frames
from pi_board.rules import RULE_SETS, STARTING_POSITION, Position
from pi_board.sitting import Sitting
from pi_board.terminal import sentence

HELP = "referee a video file or a folder of pictures"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path", type=Path, metavar="PATH", help="a video file, or a folder of pictures (name order)"
    )
    add_board_arguments(parser, profile="generic")
    parser.add_argument("--rules", choices=sorted(RULE_SETS), default="international", help="rule set")
    parser.add_argument(
        "--position", help="the position in the first readable picture (default: the starting position)"
    )
    parser.add_argument("--length", type=int, default=0, help="match length (0 = money session)")
    parser.add_argument("--log-dir", type=Path, help="write the journal and the game files here")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    position = STARTING_POSITION
    if args.position:
        found = read_position(args.position, "--position")
        position = found if isinstance(found, Position) else found.position
    if not args.path.exists():
        raise InvalidFileError(f"{args.path}: no such file or folder")
    is_folder = args.path.is_dir()
    paths = pictures(args.path) if is_folder else []
    sitting = Sitting.for_recording(
        profile=args.profile,
        corners=args.corners,
        near=args.near or "light",
        home=args.home or "right",
        rules=args.rules,
        match_length=args.length,
        starts_at=position,
        key_frames=is_folder,
        log_dir=args.log_dir,
    )
    report = Report(video=not is_folder)
    try:
        if is_folder:
            moments = folder_moments(sitting.pipeline, paths, lambda: sitting.referee.waiting)
        else:
            moments = (sitting.pipeline.feed(frame) for frame in video_frames(args.path))
        for moment in moments:
            report.add(moment)
            if not args.json:
                for event in moment.events:
                    if line := sentence(event):
                        print(f"{event.frame}: {line}", flush=True)
    finally:
        sitting.close()
    final = sitting.referee.view().position
    document = {"events": report.events(), "final": final.to_document() if final is not None else None}
    if args.json:
        json.dump(document, sys.stdout, ensure_ascii=False)
        print()
    elif final is not None:
        print("final position:", json.dumps(dataclasses.asdict(final)["points"]))
    return 0
