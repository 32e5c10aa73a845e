"""`pi-board bench campaign`: refereed games in rooms drawn at random, and what they prove."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
import typing
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pi_board.commands.argument_types import number, whole
from pi_board.errors import InvalidError, InvalidSettingsError

if TYPE_CHECKING:
    from pi_board.campaign.play import GameScore
    from pi_board.campaign.run import Plan

HELP = "refereed games in rooms drawn at random: false accusations, exact transcripts, delays"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--games", type=whole(1), default=12, help="games to play (default 12; about a minute each)"
    )
    parser.add_argument(
        "--seed", type=whole(0), default=1, help="of the first room; the next room has the next (default 1)"
    )
    parser.add_argument("--workers", type=whole(1, 256), default=1, help="processes (default 1)")
    parser.add_argument(
        "--slow",
        type=number(0, 1000),
        default=0.0,
        metavar="F",
        help="judge as on a processor F times slower: pictures are dropped, words come late (6: a Pi 4, 15: a Zero 2 W)",
    )
    parser.add_argument(
        "--synthetic",
        action="store_true",
        help="looks drawn from a measured model of vision instead of pictures: many games a minute",
    )
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="DIR",
        help="keep results, and of failing games journal, looks and pictures; a campaign that was stopped goes on from there",
    )
    parser.add_argument("--looks", action="store_true", help="with --keep: keep the looks of every game")
    parser.add_argument(
        "--room",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="fix something that would be drawn: fps=10, style=wood (or drawn: a new set in each room), mount=drawn (or usual), arm=drawn (or stiff), sky=drawn (or steady), rules=classique, faults=3:cup, "
        "profile=generic …",
    )
    parser.add_argument(
        "--referee",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the referee: strictness=lenient …",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    from pi_board.campaign.rooms import draw_room, fixed_from
    from pi_board.campaign.run import Plan, run_campaign
    from pi_board.campaign.table import document, lines

    if args.looks and args.keep is None:
        raise InvalidError("--looks: expected --keep DIR too, where the looks go")
    if args.keep is not None and args.keep.exists() and not args.keep.is_dir():
        raise InvalidError(f"--keep: expected a folder, {args.keep} is a file")
    # Several processes with several threads each only wait for one another.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    plan = Plan(
        games=args.games,
        seed=args.seed,
        slow=args.slow,
        synthetic=args.synthetic,
        fixed=fixed_from(args.room),
        referee=referee_options(args.referee),
        keep=args.keep,
        looks=args.looks,
    )
    for seed in plan.seeds():
        draw_room(seed, plan.fixed)  # what is wrong with --room is said before anything is played
        break
    scores: list[GameScore] = []
    with CampaignProgress(args, plan) as progress:

        def done(score: GameScore, count: int, of: int) -> None:
            scores.append(score)
            progress(score, count, of)

        try:
            every = run_campaign(plan, workers=args.workers, done=done)
        except KeyboardInterrupt:
            progress.close()
            if scores and not args.json:
                print("stopped; so far:", file=sys.stderr)
                print("\n".join(lines(scores)), file=sys.stderr)
            raise
    if args.json:
        json.dump(document(every), sys.stdout)
        print()
        return 0
    print()
    print("\n".join(lines(every)))
    return 0


def referee_options(texts: Sequence[str]) -> dict[str, Any]:
    """["strictness=lenient", "claim_patience=2"] as values for `RefereeOptions`. Raises InvalidSettingsError."""
    from pi_board.referee import RefereeOptions

    hints = typing.get_type_hints(RefereeOptions)
    known = {f.name: hints[f.name] for f in dataclasses.fields(RefereeOptions)}
    out: dict[str, Any] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or name not in known:
            raise InvalidSettingsError(
                f"--referee: expected NAME=VALUE, NAME one of {', '.join(known)}, got {text!r}"
            )
        kind = known[name]
        try:
            if kind is bool:
                out[name] = {"true": True, "false": False}[value.lower()]
            else:
                out[name] = kind(value) if kind in (int, float) else value
        except (ValueError, KeyError):
            raise InvalidSettingsError(
                f"--referee: {name}: expected {getattr(kind, '__name__', kind)}, got {value!r}"
            ) from None
    RefereeOptions(**out)
    return out


class CampaignProgress:
    """A line a game, and below it on a terminal how far it has come."""

    def __init__(self, args: argparse.Namespace, plan: Plan) -> None:
        self.args, self.plan = args, plan
        self._bar: Any = None
        self._to: Callable[[str], None] = lambda text: print(
            text, file=sys.stderr if args.json else sys.stdout, flush=True
        )

    def __enter__(self) -> CampaignProgress:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                MofNCompleteColumn,
                TextColumn,
                TimeElapsedColumn,
                TimeRemainingColumn,
            )
            from rich.progress import Progress as Bar

            console = Console(stderr=True, highlight=False)
            self._bar = Bar(
                TextColumn("rooms"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
                TextColumn("{task.description}"), console=console,
            )  # fmt: skip
            self._bar.start()
            self._task = self._bar.add_task("", total=sum(1 for _ in self.plan.seeds()))
            self._to = lambda text: console.print(text, markup=False, soft_wrap=True)
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def __call__(self, score: GameScore, count: int, of: int) -> None:
        self._to(game_line(score, self.again(score.seed)))
        if self._bar is not None:
            self._bar.update(self._task, completed=count)

    def again(self, seed: int) -> str:
        """The line that runs one room again."""
        parts = [f"pi-board bench campaign --games 1 --seed {seed}"]
        parts += ["--synthetic"] if self.plan.synthetic else []
        parts += [f"--slow {self.plan.slow:g}"] if self.plan.slow else []
        parts += [f"--room {text}" for text in self.args.room]
        parts += [f"--referee {text}" for text in self.args.referee]
        return " ".join(parts)


def game_line(score: GameScore, again: str) -> str:
    """One line a game; below it what was wrong, and the line that runs it again."""
    exact = "exact" if score.exact == score.games else "NOT exact"
    false = f"{score.false} FALSE" if score.false else "0 false"
    line = (
        f"{score.seed:>6}  {score.turns:>3} turns  {false:<7}  {exact:<9}  flagged {score.flagged}/{score.shown}"
        f"  {score.questions} questions  {score.seconds:>4.0f} s  {score.room}"
    )
    if not score.why:
        return line
    return "\n".join([line, *(f"        {why}" for why in score.why), f"        again: {again}"])
