"""`pi-board replay PATH`: the whole pipeline over a video or a folder of pictures."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from pathlib import Path

from pi_board.commands.argument_types import match_length
from pi_board.commands.board_arguments import add_board_arguments
from pi_board.commands.position_argument import read_position
from pi_board.errors import InvalidFileError
from pi_board.record.log_folder import require_log_folder
from pi_board.rules import RULE_SETS, STARTING_POSITION, Position
from pi_board.session.replay import Report, SolitaireReport, folder_moments, pictures, video_frames
from pi_board.session.sitting import Sitting
from pi_board.session.solitaire import SolitaireSitting
from pi_board.solitaire import Problem
from pi_board.terminal.view import sentence
from pi_board.vision.profile import load_profile

HELP = "referee a video file or a folder of pictures"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path", type=Path, metavar="PATH", help="a video file, or a folder of pictures (name order)"
    )
    add_board_arguments(parser, profile="generic")
    parser.add_argument("--rules", choices=sorted(RULE_SETS), default="international", help="rule set")
    parser.add_argument(
        "--position",
        help="the position in the first readable picture (default: the starting position; of the 37-hole board: what lies there)",
    )
    parser.add_argument("--length", type=match_length, default=0, help="match length (default 0: a money session)")
    parser.add_argument("--log-dir", type=Path, help="write the journal and the game files here")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    if args.log_dir:
        require_log_folder(args.log_dir)
    if load_profile(args.profile).kind == "solitaire":
        return _solitaire(args)
    position = STARTING_POSITION
    if args.position:
        found = read_position(args.position, "--position")
        position = found if isinstance(found, Position) else found.position
    paths = _pictures(args.path)
    sitting = Sitting.for_recording(
        profile=args.profile,
        corners=args.corners,
        near=args.near or "light",
        home=args.home or "right",
        rules=args.rules,
        match_length=args.length,
        starts_at=position,
        key_frames=bool(paths),
        log_dir=args.log_dir,
    )
    report = Report(video=not paths)
    _play(args, paths, sitting, report)
    final = sitting.referee.view().position
    document = {"events": report.events(), "final": final.to_document() if final is not None else None}
    if args.json:
        json.dump(document, sys.stdout, ensure_ascii=False)
        print()
    elif final is not None:
        print("final position:", json.dumps(dataclasses.asdict(final)["points"]))
    return 0


def _pictures(path: Path) -> list[Path]:
    """The pictures of a folder, none for a file (a video). Raises InvalidFileError."""
    if not path.exists():
        raise InvalidFileError(f"{path}: no such file or folder")
    return pictures(path) if path.is_dir() else []


def _play(
    args: argparse.Namespace, paths: list[Path], sitting: Sitting | SolitaireSitting, report: Report | SolitaireReport
) -> None:
    """Every picture of the folder (or frame of the video) into `report`, and what it came to in words unless JSON is wanted."""
    try:
        if paths:
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


def _solitaire(args: argparse.Namespace) -> int:
    """The 37-hole game: the same pictures, jumps instead of plays."""
    from pi_board.commands.solitaire import parse_holes

    paths = _pictures(args.path)
    start = None
    if args.position:
        start = Problem("free", {"en": "Free set-up"}, parse_holes(args.position), None, "As it was set up.")
    sitting = SolitaireSitting.for_recording(
        corners=args.corners, key_frames=bool(paths), start=start, log_dir=args.log_dir
    )
    report = SolitaireReport(video=not paths)
    _play(args, paths, sitting, report)
    position = sitting.referee.position
    final = None if position is None else {"holes": sitting.referee.board.to_holes(position)}
    if args.json:
        json.dump({"events": report.entries, "final": final}, sys.stdout, ensure_ascii=False)
        print()
    elif position is not None:
        print("\n".join(sitting.referee.board.text(position)))
    return 0
