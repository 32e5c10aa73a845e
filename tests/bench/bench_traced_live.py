"""Traced games refereed live: the whole pipeline for cameras, motion and hands included, on pictures that our renderer did not make.

    python tests/bench/trace_games.py --games 6 --plays 30 --seed 1 --out DIR
    python tests/bench/bench_traced_live.py DIR [--fps 8] [--seed S] [--slow F] [--only game_1_00]
    python tests/bench/bench_traced_live.py DIR --only game_1_00 --from 20 --to 40 [--sheet FILE.png]

Every picture of a game is held for a second or more, with noise that changes from one exposure to the next; between two of them a hand
reaches for each place where they differ. Prints a line a game and the table of a campaign; --from, --to: every word of that time beside
what is seen, and with --sheet some of its pictures. Players are deaf: an illegal play is taken back after some seconds, whatever is
said. A game of traces ends before it is won, so all turns but the last one are compared.
"""

from __future__ import annotations

import argparse
import contextlib
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from bench_looks import print_event
from traced_camera import TracedCamera

from pi_board.campaign.play import GameScore, score_of
from pi_board.campaign.rooms import Room
from pi_board.campaign.table import lines
from pi_board.output import Moment
from pi_board.referee import RefereeOptions
from pi_board.rules import rule_set
from pi_board.session.demo import DemoRun, run_demo
from pi_board.session.finding_reader import FindingReader
from pi_board.session.sitting import Sitting
from pi_board.simulator import SimulatorOptions
from pi_board.vision.profile import load_profile

#: Seconds between two pictures of a sheet.
BETWEEN = 0.5


class _Shown(Exception):
    """All that was asked for has been printed."""


class _Printer:
    """An output that prints what is seen and said, and keeps some pictures. Raises _Shown after `end`."""

    def __init__(self, begin: float, end: float) -> None:
        self.begin, self.end = begin, end
        self.pictures: list[npt.NDArray[np.uint8]] = []
        self._next = begin
        self._last = ""

    def show(self, moment: Moment) -> None:
        if moment.time > self.end:
            raise _Shown
        if moment.frame is None or moment.time < self.begin:
            return
        seen = moment.sighting
        state = [seen.gate.name if seen is not None else "-"]
        if seen is not None and seen.log_likelihood is not None:
            read = seen.log_likelihood.argmax(1) - seen.log_likelihood.shape[1] // 2
            state.append(" ".join(f"{i + 1}:{n:+d}" for i, n in enumerate(read) if n))
        if seen is not None:
            state += [f"die {d.value}@{d.confidence:.2f}{' cocked' * d.cocked}" for d in seen.dice]
        line = " ".join(state)
        if line != self._last:
            print(f"{moment.time:7.1f}   {line}")
            self._last = line
        for event in moment.events:
            print_event(moment.time, event)
        if moment.time >= self._next:
            self._next = moment.time + BETWEEN
            picture = cv2.resize(moment.frame.image, (480, 360))
            cv2.putText(
                picture, f"{moment.time:.1f}", (8, 24), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 255, 255), 2
            )
            self.pictures.append(np.asarray(picture, np.uint8))

    def close(self) -> None:
        """Nothing is open."""


def play(folder: Path, seed: int, fps: float, slow: float, outputs: tuple[_Printer, ...]) -> GameScore:
    """What the referee made of one traced game."""
    began, camera = time.process_time(), TracedCamera(folder, seed, fps)
    with tempfile.TemporaryDirectory(prefix="pi-board-traced-") as kept:
        sitting = Sitting.at_the_table(
            FindingReader(load_profile("generic"), near=camera.near),
            rules=rule_set("international"),
            options=RefereeOptions(),
            match_length=0,
            names=("Light", "Dark"),
            folder=Path(kept),
            go_on=False,
        )
        run = DemoRun()
        with contextlib.suppress(_Shown):
            run_demo(camera, sitting, outputs, slow=slow, run=run)  # type: ignore[arg-type]
        sitting.close()
        room = Room(SimulatorOptions(seed=seed, fps=fps, near=camera.near), "generic", camera.near, "right")
        games = camera.truth.games
        score = score_of(seed, room, games, run, sitting, len(games[0].turns) - 1)
    score.seconds = round(time.process_time() - began, 2)
    score.room = f"noise {camera.noise:.1f}, near={camera.near}"
    if outputs:
        for i, t in enumerate(games[0].turns):
            wrong = [f"{s.kind} {s.claimed:.1f}-{s.gone:.1f}" for s in t.illegal]
            print(
                f"turn {i} {t.side} {t.dice} thrown {t.thrown:.1f} claimed {t.claimed:.1f}", *wrong, t.moves
            )
    return score


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fps", type=float, default=8.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slow", type=float, default=0.0)
    parser.add_argument("--only", default="game_")
    parser.add_argument("--from", dest="begin", type=float)
    parser.add_argument("--to", dest="end", type=float, default=float("inf"))
    parser.add_argument("--sheet", type=Path)
    args = parser.parse_args()
    scores = []
    for folder in sorted(p for p in args.folder.iterdir() if p.is_dir() and args.only in p.name):
        printer = _Printer(args.begin, args.end) if args.begin is not None else None
        score = play(folder, args.seed, args.fps, args.slow, (printer,) if printer else ())
        scores.append(score)
        told = "exact" if score.exact == score.games else "NOT exact"
        print(
            f"{folder.name} {score.turns:>3} turns  {len(score.green)} green  {told:<9}  flagged {score.flagged}/{score.shown}"
            f"  {score.false} false  {score.questions} questions  {score.room}",
            flush=True,
        )
        print("".join(f"    {why}\n" for why in score.why), end="", flush=True)
        if printer and args.sheet and printer.pictures:
            some = printer.pictures
            some += [np.zeros_like(some[0])] * (-len(some) % 4)
            rows = [np.hstack(some[i : i + 4]) for i in range(0, len(some), 4)]
            cv2.imwrite(str(args.sheet), np.vstack(rows))
    if scores:
        print("\n".join(lines(scores)))


if __name__ == "__main__":
    main()
