"""`pi-board stats`: results, illegal plays, dice and, with the coach, errors and luck over recorded games of any format."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pi_board.commands.argument_types import whole
from pi_board.commands.problem_lines import say_problems
from pi_board.commands.progress_line import progress_line
from pi_board.errors import InvalidFileError
from pi_board.record.board_picture import save_picture
from pi_board.record.formats import WRITERS, detect, load
from pi_board.record.game_folder import files_with_games
from pi_board.record.journal import SUFFIX, read_journal
from pi_board.record.match import SIDES, MatchRecord
from pi_board.record.statistics import GameFigures, Review, Statistics, fairness_words, trend_words
from pi_board.record.statistics_plots import statistics_plots

if TYPE_CHECKING:
    from rich.table import Table

    from pi_board.session.farm import Judgment

HELP = "results, dice and errors over recorded games"

#: The table of games shows so many of the last ones; `--json` has all.
MOST_GAMES = 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="PATH",
        help="journals, match files (.mat, .sgf, .xg, .json, .txt) or folders of them (default: the configured folder)",
    )
    parser.add_argument("--config", type=Path, help="settings file that names the folder")
    parser.add_argument(
        "--coach", action="store_true", help="add error rates and luck (takes a second or two per game)"
    )
    parser.add_argument(
        "--workers", type=whole(1, 256), default=1, metavar="N", help="processes for the coach (default: 1)"
    )
    parser.add_argument(
        "--scheduler",
        default="",
        metavar="ADDRESS",
        help="a Dask cluster for the coach, e.g. tcp://host:8786",
    )
    parser.add_argument("--plots", type=Path, metavar="DIR", help="write SVG plots here")
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help="write one HTML page with everything here"
    )
    parser.add_argument(
        "--parquet",
        type=Path,
        metavar="FILE",
        help="write every play here, to ask it yourself; with --coach every decision and what it cost",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    statistics = Statistics()
    games: list[tuple[GameFigures, MatchRecord]] = []
    read = 0
    for path, given in _files(args):
        first = len(statistics.games)
        try:
            matches = _add(statistics, path, given)
        except InvalidFileError as error:
            if given:
                raise
            # One bad file must not stop the rest of the folder.
            print(error, file=sys.stderr)
            continue
        read += 1
        games += [(figures, matches[figures.match - 1]) for figures in statistics.games[first:]]
    if not statistics.games:
        raise InvalidFileError(f"{_paths(args)[0]}: no games there")
    said: list[list[Judgment]] = []
    if args.coach:
        said = _coach(games, args, progress_line("looking over the games"))
    document = statistics.to_document()
    document["files"] = read
    if args.plots:
        _plots(args.plots, statistics)
    if args.report or args.parquet:
        _reports(args, statistics, games, said)
    if args.json:
        json.dump(document, sys.stdout, ensure_ascii=False)
        print()
    else:
        _tables(statistics, document)
    return 0


def _paths(args: argparse.Namespace) -> list[Path]:
    if args.paths:
        return list(args.paths)
    from pi_board.setup.settings import load_settings

    return [Path(load_settings(args.config).record.folder).expanduser()]


def _files(args: argparse.Namespace) -> list[tuple[Path, bool]]:
    """Every file to read, and whether it was named itself."""
    found: list[tuple[Path, bool]] = []
    for path in _paths(args):
        if path.is_dir():
            found += [(file, False) for file in files_with_games(path)]
        elif path.is_file():
            found.append((path, True))
        else:
            raise InvalidFileError(f"{path}: no such file or folder")
    if not found:
        kinds = ", ".join(f".{kind}" for kind in (*WRITERS, "xg"))
        raise InvalidFileError(
            f"{_paths(args)[0]}: no journals (session-*{SUFFIX}) and no match files ({kinds}) there"
        )
    return found


def _add(statistics: Statistics, path: Path, given: bool) -> Sequence[MatchRecord]:
    """One file's games go into the statistics; returns its matches. Raises InvalidFileError."""
    head = _head(path)
    if path.suffix == SUFFIX or detect(head) == "journal":
        content = read_journal(path)
        if not content.events and content.problems and given:
            raise InvalidFileError(f"{path}: expected a journal, got something else ({content.problems[0]})")
        for problem in content.problems:
            print(f"{path}: {problem}", file=sys.stderr)
        return statistics.add(content.events, path.stem).matches()
    if not given and path.suffix.lower() in (".json", ".txt") and not _own(head):
        # Folders also hold notes and settings, which are no game files.
        return ()
    parsed = load(path)
    matches = parsed.matches or (parsed.match,)
    problems = [p for p in parsed.problems if "matches in this" not in p.text]
    say_problems(path, problems)
    again = sum(statistics.add_match(match, path.stem, number) for number, match in enumerate(matches, 1))
    if again:
        print(
            f"{path}: {again} game{'s' if again > 1 else ''} counted already in another file", file=sys.stderr
        )
    return matches


def _head(path: Path) -> str:
    """How a file begins; "" where it cannot be read (whoever reads it all will say why)."""
    try:
        with path.open("rb") as file:
            return file.read(4096).decode("utf-8-sig", "replace")
    except OSError:
        return ""


def _own(head: str) -> bool:
    """Whether a file of a common kind begins as a match file does."""
    kind = detect(head)
    return kind == "txt" or (kind == "json" and '"pi_board-match"' in head) or " point match" in head.lower()


def _coach(
    games: Sequence[tuple[GameFigures, MatchRecord]],
    args: argparse.Namespace,
    progress: Callable[[float], None] | None = None,
) -> list[list[Judgment]]:
    """Has every game looked over; the figures go to its players. Returns the judgments, game by game."""
    from pi_board.session.farm import judgments

    recorded = [(figures, figures.record, match) for figures, match in games if figures.record is not None]
    found = judgments(
        [(game, match) for _, game, match in recorded],
        workers=args.workers,
        scheduler=args.scheduler,
        progress=progress,
    )
    for (figures, _, _), said in zip(recorded, found, strict=True):
        for side, name in zip(SIDES, figures.names, strict=True):
            review = figures.players[name].review = Review()
            for judgment in said:
                if judgment.side == side:
                    review.add(Review(int(judgment.counts), judgment.loss, judgment.luck))
    if progress:
        progress(1.0)
    return found


def _reports(
    args: argparse.Namespace,
    statistics: Statistics,
    games: Sequence[tuple[GameFigures, MatchRecord]],
    said: list[list[Judgment]],
) -> None:
    from pi_board.session.report import html_report, write_parquet, write_plays_parquet

    recorded = [(f, f.record, match) for f, match in games if f.record is not None]
    judged = [(game, match, found) for (_, game, match), found in zip(recorded, said, strict=bool(said))]
    if args.report:
        save_picture(args.report, html_report(statistics, judged))
    if args.parquet and args.coach:
        write_parquet(args.parquet, judged, lambda number: recorded[number][0].session)
    elif args.parquet:
        played = [(game, match) for _, game, match in recorded]
        write_plays_parquet(args.parquet, played, lambda number: recorded[number][0].session)


def _plots(folder: Path, statistics: Statistics) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidFileError(f"{folder}: cannot be made ({error.strerror})") from None
    for name, text in statistics_plots(statistics).items():
        save_picture(folder / f"{name}.svg", text)


def _tables(statistics: Statistics, document: dict[str, Any]) -> None:
    """The figures for people, within the terminal's width (80 columns are enough)."""
    from rich.console import Console
    from rich.markup import escape

    console = Console()
    coached = "error_rate_by_game" in document
    finished = sum(bool(g.winner) for g in statistics.games)
    title = f"{finished} game{'' if finished == 1 else 's'}"
    table = _table(title, "player", "games", "won", "points", "turns", "s/turn", "illegal plays")
    for name, p in document["players"].items():
        illegal = ", ".join(f"{code} {n}" for code, n in p["illegal"].items()) or "none"
        if p["stood"]:
            illegal += f" ({p['stood']} stood)"
        table.add_row(
            escape(name),
            *(str(p[k]) for k in ("games", "won", "points", "turns")),
            _seconds(p) or "-",
            illegal,
        )
    console.print(table)
    if coached:
        console.print(_coach_table(statistics))
    _games_table(console, document, coached)
    dice = _table(
        f"{document['rolls']} rolls, {document['doubles']} doubles",
        "dice of",
        *map(str, range(1, 7)),
        "fair?",
    )
    for name, counts in [("all", statistics.dice), *((n, p.dice) for n, p in statistics.players.items())]:
        numbers = [counts[n] for n in range(1, 7)]
        dice.add_row(escape(name), *map(str, numbers), fairness_words(numbers))
    console.print(dice)
    for name, rates in statistics.error_rates().items():
        console.print(f"{escape(name)}: error rate {trend_words(rates)}")


#: Columns of words stand left and may wrap or be cut; columns of numbers keep their width.
_WORDS = ("player", "illegal plays", "session", "winner", "how", "dice of", "fair?", "plays like")
#: The most characters of a name; longer ones end in an ellipsis.
_NAMES = {"player": 16, "session": 18, "winner": 12, "dice of": 16}


def _table(title: str, *columns: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(title=title, box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for column in columns:
        if column in _NAMES:
            table.add_column(column, overflow="ellipsis", no_wrap=True, max_width=_NAMES[column])
        elif column in _WORDS:
            table.add_column(column)
        else:
            table.add_column(column, justify="right", no_wrap=True)
    return table


def _coach_table(statistics: Statistics) -> Table:
    """What the coach found. Error rate: thousandths of equity lost per decision; PR: half of it."""
    from rich.markup import escape

    from pi_board.hints.coach import rating

    table = _table("The coach", "player", "decisions", "error rate", "PR", "luck", "plays like")
    for name, figures in statistics.players.items():
        review = figures.review
        if review is not None and review.decisions:
            rate = review.error_rate
            table.add_row(
                escape(name),
                str(review.decisions),
                f"{rate:.1f}",
                f"{rate / 2:.1f}",
                f"{review.luck:+.2f}",
                rating(rate),
            )
    return table


def _games_table(console: Any, document: dict[str, Any], coached: bool) -> None:
    from rich.markup import escape

    all_games = document["games"]
    title = "Game by game" + (
        f", the last {MOST_GAMES} of {len(all_games)}" if len(all_games) > MOST_GAMES else ""
    )
    # Match files have neither times nor verdicts. The coach's figures take those columns, so that 80 columns are enough.
    times = not coached and any(_seconds(p) for g in all_games for p in g["players"].values())
    verdicts = not coached and any(p["illegal"] for g in all_games for p in g["players"].values())
    last = [*["s/turn"] * times, *["illegal"] * verdicts, *["error rates"] * coached]
    games = _table(title, "session", "game", "winner", "points", "how", "turns", *last)
    for g in all_games[-MOST_GAMES:]:
        both = list(g["players"].values())
        row = [
            escape(g["session"].removeprefix("session-")),
            str(g["game"]),
            escape(g["winner"] or "unfinished"),
            str(g["points"] or "-"),
            g["kind"],
            " ".join(str(p["turns"]) for p in both),
        ]
        if times:
            row.append(" ".join(_seconds(p) or "-" for p in both))
        if verdicts:
            row.append(" ".join(str(sum(p["illegal"].values())) for p in both))
        if coached:
            row.append(" ".join(f"{p['error_rate']:.1f}" if "error_rate" in p else "-" for p in both))
        games.add_row(*row)
    console.print(games)


def _seconds(figures: dict[str, Any]) -> str:
    return "" if figures["seconds_per_turn"] is None else str(figures["seconds_per_turn"])
