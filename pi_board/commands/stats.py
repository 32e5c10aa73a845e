"""`pi-board stats`: results, illegal plays, dice and, with the coach, errors and luck over recorded games."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pi_board.commands.progress_line import progress_line
from pi_board.errors import InvalidFileError
from pi_board.record.board_picture import save_picture
from pi_board.record.journal import journals, read_journal
from pi_board.record.match import SIDES, Match
from pi_board.record.statistics import GameFigures, Review, Statistics, fairness_words, trend_words
from pi_board.record.statistics_plots import statistics_plots
from pi_board.session.look_back import coached_rules, reviews

HELP = "results, dice and errors over recorded games"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="PATH",
        help="journals, or folders of them (default: the configured folder)",
    )
    parser.add_argument("--config", type=Path, help="settings file that names the folder")
    parser.add_argument(
        "--coach", action="store_true", help="add error rates and luck (takes a second or two per game)"
    )
    parser.add_argument("--plots", type=Path, metavar="DIR", help="write SVG plots here")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    statistics = Statistics()
    files = _files(args)
    progress = progress_line("looking over the games") if args.coach else None
    for path in files:
        content = read_journal(path)
        if not content.events and content.problems and path in args.paths:
            raise InvalidFileError(f"{path}: expected a journal, got something else ({content.problems[0]})")
        for problem in content.problems:
            print(f"{path}: {problem}", file=sys.stderr)
        first = len(statistics.games)
        transcript = statistics.add(content.events, path.stem)
        if args.coach:
            _coach(statistics.games[first:], transcript.matches(), progress)
    document = statistics.to_document()
    document["files"] = len(files)
    if args.plots:
        _plots(args.plots, statistics)
    if args.json:
        json.dump(document, sys.stdout, ensure_ascii=False)
        print()
    else:
        _table(statistics, document)
    return 0


def _files(args: argparse.Namespace) -> list[Path]:
    paths = args.paths
    if not paths:
        from pi_board.setup.settings import load_settings

        paths = [Path(load_settings(args.config).record.folder).expanduser()]
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += journals(path)
        elif path.is_file():
            found.append(path)
        else:
            raise InvalidFileError(f"{path}: no such file or folder")
    if not found:
        raise InvalidFileError(f"{paths[0]}: no journals (session-*.jsonl) there")
    return found


def _coach(
    games: Sequence[GameFigures], matches: Sequence[Match], progress: Callable[[float], None] | None = None
) -> None:
    """Has every game of one journal looked over; the figures go to its players."""
    from pi_board.hints import Coach

    for number, figures in enumerate(games):
        game, match = figures.record, matches[figures.match - 1]
        if game is None:
            continue
        coach = Coach(level="fast", rules=coached_rules(match))
        for done, _ in enumerate(reviews(coach, game, match)):
            if progress:
                progress((number + done / len(game.actions)) / len(games))
        for side, name in zip(SIDES, figures.names, strict=True):
            account = coach.accounts[side]
            figures.players[name].review = Review(
                account.decisions + account.cube_decisions,
                account.play_loss + account.cube_loss,
                account.luck,
            )
    if progress:
        progress(1.0)


def _plots(folder: Path, statistics: Statistics) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidFileError(f"{folder}: cannot be made ({error.strerror})") from None
    for name, text in statistics_plots(statistics).items():
        save_picture(folder / f"{name}.svg", text)


def _table(statistics: Statistics, document: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console()
    coached = "error_rate_by_game" in document
    finished = [g for g in statistics.games if g.winner]
    table = Table(title=f"{len(finished)} game{'' if len(finished) == 1 else 's'}")
    left = ("player", "illegal plays")
    extra = ("error rate", "PR", "luck") if coached else ()
    for column in ("player", "games", "won", "points", "turns", "s/turn", *extra, "illegal plays"):
        table.add_column(column, justify="left" if column in left else "right")
    for name, p in document["players"].items():
        illegal = ", ".join(f"{code} {n}" for code, n in p["illegal"].items()) or "none"
        if p["stood"]:
            illegal += f" ({p['stood']} stood)"
        table.add_row(
            escape(name),
            *(str(p[k]) for k in ("games", "won", "points", "turns")),
            _seconds(p),
            *_review(p, coached),
            illegal,
        )
    console.print(table)
    games = Table(title="Game by game")
    for column in ("session", "game", "winner", "points", "how", "turns", "s/turn", "illegal", *extra[:1]):
        games.add_column(column, justify="left" if column in ("session", "winner", "how") else "right")
    for g in document["games"]:
        both = list(g["players"].values())
        row = [
            g["session"].removeprefix("session-"),
            str(g["game"]),
            g["winner"] or "unfinished",
            str(g["points"] or ""),
            g["kind"],
        ]
        row += [" ".join(str(p["turns"]) for p in both), " ".join(_seconds(p) or "-" for p in both)]
        row.append(" ".join(str(sum(p["illegal"].values())) for p in both))
        if coached:
            row.append(" ".join(f"{p['error_rate']:.1f}" if "error_rate" in p else "-" for p in both))
        games.add_row(*row)
    console.print(games)
    dice = Table(title=f"{document['rolls']} rolls, {document['doubles']} doubles")
    for column in ("dice of", *map(str, range(1, 7)), "fair?"):
        dice.add_column(column, justify="left" if column in ("dice of", "fair?") else "right")
    for name, counts in [("all", statistics.dice), *((n, p.dice) for n, p in statistics.players.items())]:
        numbers = [counts[n] for n in range(1, 7)]
        dice.add_row(escape(name), *map(str, numbers), fairness_words(numbers))
    console.print(dice)
    for name, rates in statistics.error_rates().items():
        console.print(f"{escape(name)}: error rate {trend_words(rates)}")


def _seconds(figures: dict[str, Any]) -> str:
    return "" if figures["seconds_per_turn"] is None else str(figures["seconds_per_turn"])


def _review(p: dict[str, Any], coached: bool) -> list[str]:
    if not coached:
        return []
    if "error_rate" not in p:
        return ["", "", ""]
    return [f"{p['error_rate']:.1f}", f"{p['performance_rating']:.1f}", f"{p['luck']:+.2f}"]
