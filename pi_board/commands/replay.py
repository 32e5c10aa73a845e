"""`pi-board replay PATH`: the whole pipeline over a video or a folder of pictures."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from pi_board.commands.argument_types import match_length
from pi_board.commands.board_arguments import add_board_arguments
from pi_board.commands.log_notices import LogNotices
from pi_board.commands.position_argument import read_position
from pi_board.errors import InvalidError, InvalidFileError
from pi_board.frame import Frame
from pi_board.output import Moment
from pi_board.record.log_folder import require_log_folder
from pi_board.rules import RULE_SETS, STARTING_POSITION, Position, Side
from pi_board.session.replay import (
    Image,
    ReplaySummary,
    Report,
    SolitaireReport,
    folder_pictures,
    key_moments,
    live_moments,
    pictures,
    slide_pictures,
    video_seconds,
)
from pi_board.session.sitting import Sitting
from pi_board.session.solitaire import SolitaireSitting
from pi_board.session.upright import Upright
from pi_board.session.video import Video, clock
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
    parser.add_argument(
        "--length", type=match_length, default=0, help="match length (default 0: a money session)"
    )
    parser.add_argument(
        "--as",
        dest="taken_as",
        choices=("auto", "live", "slides"),
        default="auto",
        help="how a video is taken: live, or as slides, each of them one settled look like a folder's pictures"
        " (default: slides where all pictures stand still and change at once)",
    )
    parser.add_argument("--log-dir", type=Path, help="write the journal and the game files here")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    if args.log_dir:
        require_log_folder(args.log_dir)
    if not args.path.exists():
        raise InvalidFileError(f"{args.path}: no such file or folder")
    recording = Recording(args)
    if load_profile(args.profile).kind == "solitaire":
        return _solitaire(args, recording)
    position = STARTING_POSITION
    if args.position:
        found = read_position(args.position, "--position")
        position = found if isinstance(found, Position) else found.position
    near: Side = args.near or "light"
    home: Literal["right", "left"] = args.home or "right"
    if args.corners is None:
        recording.upright = Upright(load_profile(args.profile), position, near, home)
    sitting = Sitting.for_recording(
        profile=args.profile,
        corners=args.corners,
        near=near,
        home=home,
        rules=args.rules,
        match_length=args.length,
        starts_at=position,
        key_frames=recording.key_frames,
        log_dir=args.log_dir,
    )
    report = Report(video=recording.video is not None, slides=recording.slides or {})
    recording.play(sitting, report)
    final = sitting.referee.view().position
    document = {"events": report.events(), "final": final.to_document() if final is not None else None}
    if args.json:
        json.dump(document | recording.remarks(), sys.stdout, ensure_ascii=False)
        print()
    elif final is not None:
        print("final position:", json.dumps(dataclasses.asdict(final)["points"]))
    return recording.exit_code()


class Recording:
    """What is replayed: a folder's pictures, a video, or a video's slides; and what there is to say about it.

    video: None for a folder. slides: second by frame, for a slide show. upright: turns the pictures, where that may be.
    Raises InvalidFileError.
    """

    def __init__(self, args: argparse.Namespace) -> None:
        self._path, self._json = args.path, args.json
        self.paths = pictures(args.path) if args.path.is_dir() else []
        self.video = None if self.paths else Video(args.path)
        self.slides: dict[int, float] | None = None
        self.upright: Upright | None = None
        self._seen = ReplaySummary()
        self._notes: list[str] = []
        if self.video is not None and args.taken_as != "live":
            with self._progress("looking through") as told:
                self.slides = self.video.slides(told)
            if self.slides is None and args.taken_as == "slides":
                raise InvalidFileError(
                    f"{args.path}: --as slides: the pictures of this video do not stand still"
                )
            if self.slides is not None:
                self._note(
                    f"a slide show of {len(self.slides)} pictures: each is taken as one settled look, like a folder's"
                    " (--as live: as a table that is filmed)"
                )

    @property
    def key_frames(self) -> bool:
        """Each picture stands for one settled look."""
        return self.video is None or self.slides is not None

    def play(self, sitting: Sitting | SolitaireSitting, report: Report | SolitaireReport) -> None:
        """Every picture into `report`, and what it came to in words unless JSON is wanted. Raises InvalidFileError."""
        notices = LogNotices()
        try:
            with self._progress("refereeing") as told:
                for moment in self._moments(sitting):
                    report.add(moment)
                    self._seen.add(moment)
                    notices.show(dataclasses.replace(moment, banner=sitting.failing))
                    sitting.retry(moment.time)
                    if moment.frame is not None:
                        told(self._second(moment.frame))
                    self._tell(moment)
        except InvalidFileError:
            raise
        except InvalidError as error:
            # Whoever looks at a picture knows what is wrong with it, not which file it came from.
            raise InvalidFileError(f"{self._path}: {error}") from None
        finally:
            sitting.close()
        if self.video is not None and (short := self.video.cut_short):
            self._note(short)

    def remarks(self) -> dict[str, object]:
        """What the JSON document has besides events and position: `turned` (degrees clockwise) and `notes`."""
        return {"turned": 90 * self.upright.quarters if self.upright else 0, "notes": self._notes}

    def exit_code(self) -> int:
        if why := self._seen.why_nothing:
            print(f"pi-board replay: {self._path}: nothing was refereed: {why}", file=sys.stderr)
            return 1
        return 0

    def _moments(self, sitting: Sitting | SolitaireSitting) -> Iterator[Moment]:
        pipeline = sitting.pipeline
        if self.video is not None and self.slides is None:
            return live_moments(pipeline, self.video.frames(), self._turn)
        shown = (
            folder_pictures(self.paths)
            if self.video is None
            else slide_pictures(self.video, self.slides or {})
        )
        return key_moments(pipeline, shown, lambda: sitting.referee.waiting, self._turn)

    def _turn(self, image: Image, now: float) -> Image:
        if self.upright is None:
            return image
        decided = self.upright.decided
        image = self.upright.turn(image, now)
        if self.upright.decided and not decided and self.upright.words:
            self._note(self.upright.words)
        return image

    def _tell(self, moment: Moment) -> None:
        if self._json:
            return
        for event in moment.events:
            if line := sentence(event):
                second = video_seconds(event, self.slides or {}) if self.video is not None else None
                print(f"{event.frame if second is None else clock(second)}: {line}", flush=True)

    def _note(self, text: str) -> None:
        self._notes.append(text)
        if not self._json:
            print(f"pi-board replay: {text}", file=sys.stderr, flush=True)

    def _second(self, frame: Frame) -> float:
        """How far the recording has come: a video's own seconds, a folder's pictures."""
        if self.video is None:
            return float(self._number.get(frame.name, 0) + 1)
        return (self.slides or {}).get(int(frame.name), frame.time) if frame.name.isdigit() else frame.time

    @cached_property
    def _number(self) -> dict[str, int]:
        return {path.name: i for i, path in enumerate(self.paths)}

    @contextlib.contextmanager
    def _progress(self, doing: str) -> Iterator[Callable[[float], None]]:
        """A bar on standard error with the video's own times (a folder: pictures); nothing where that is no terminal."""
        console = Console(stderr=True)
        if not console.is_terminal:
            yield lambda _: None
            return
        total = float(len(self.paths)) if self.video is None else self.video.seconds
        words = (lambda x: f"{x:.0f}") if self.video is None else clock
        with Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[at]}"),
            console=console,
            transient=True,
            # Print above the progress bar, unless standard output is a file.
            redirect_stdout=sys.stdout.isatty(),
        ) as bar:
            task = bar.add_task(f"{doing} {self._path.name}", total=total or None, at="")

            def tell(now: float) -> None:
                bar.update(task, completed=now, at=f"{words(now)} of {words(total)}" if total else words(now))

            yield tell


def _solitaire(args: argparse.Namespace, recording: Recording) -> int:
    """The 37-hole game: the same pictures, jumps instead of plays."""
    from pi_board.commands.solitaire import parse_holes

    start = None
    if args.position:
        start = Problem("free", {"en": "Free set-up"}, parse_holes(args.position), None, "As it was set up.")
    sitting = SolitaireSitting.for_recording(
        corners=args.corners, key_frames=recording.key_frames, start=start, log_dir=args.log_dir
    )
    report = SolitaireReport(video=recording.video is not None, slides=recording.slides or {})
    recording.play(sitting, report)
    position = sitting.referee.position
    final = None if position is None else {"holes": sitting.referee.board.to_holes(position)}
    if args.json:
        json.dump(
            {"events": report.entries, "final": final} | recording.remarks(), sys.stdout, ensure_ascii=False
        )
        print()
    elif position is not None:
        print("\n".join(sitting.referee.board.text(position)))
    return recording.exit_code()
