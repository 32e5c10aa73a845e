"""`pi-board stats`: results, illegal plays, dice and, with the coach, errors and luck over recorded games."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pi_board.commands.progress_line import progress_line
from pi_board.errors import InvalidFileError
from pi_board.events import Event
from pi_board.record.board_picture import save_picture
from pi_board.record.journal import journals, read_journal
from pi_board.record.match import SIDES, Doubled, Dropped, Game, Match, Rolled, Took, Transcript
from pi_board.record.plots import bars, lines
from pi_board.record.statistics import Statistics, fairness_words
from pi_board.rules import Side, rule_set

if TYPE_CHECKING:
    from pi_board.hints import Coach, MatchScore

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
    trend: dict[str, list[float]] = {}
    luck: dict[str, float] = {}
    files = _files(args)
    progress = progress_line("looking over the games") if args.coach else None
    for path in files:
        events = read_journal(path).events
        statistics.add(events, path.stem)
        if args.coach:
            _coach(events, trend, luck, progress)
    document = statistics.to_document()
    document["files"] = len(files)
    if args.coach:
        document["error_rate_by_game"] = {n: [round(v, 2) for v in values] for n, values in trend.items()}
        document["performance_rating_by_game"] = {n: [round(v / 2, 2) for v in values] for n, values in trend.items()}
        document["luck"] = {n: round(v, 3) for n, v in luck.items()}
    if args.plots:
        _plots(args.plots, statistics, trend)
    if args.json:
        json.dump(document, sys.stdout, ensure_ascii=False)
        print()
    else:
        _table(statistics, document)
    return 0


def _files(args: argparse.Namespace) -> list[Path]:
    paths = args.paths
    if not paths:
        from pi_board.settings import load_settings

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
    events: tuple[Event, ...],
    trend: dict[str, list[float]],
    luck: dict[str, float],
    progress: Callable[[float], None] | None = None,
) -> None:
    from pi_board.hints import Coach

    transcript = Transcript()
    for event in events:
        transcript.add(event)
    match = transcript.result()
    for number, game in enumerate(match.games):
        coach = Coach(level="fast", rules=match.rules)
        for done, _ in enumerate(_reviews(coach, game, match)):
            if progress:
                progress((number + done / len(game.actions)) / len(match.games))
        for side, name in zip(SIDES, match.names, strict=True):
            account = coach.accounts[side]
            trend.setdefault(name, []).append(account.error_rate)
            luck[name] = luck.get(name, 0.0) + account.luck
    if progress:
        progress(1.0)


def _reviews(coach: Coach, game: Game, match: Match) -> Iterator[None]:
    """Put every decision of a game to the coach, the cube's too; yields after each action."""
    terms: dict[str, Any] = {"match": _match_score(game, match), "jacoby": None if match.length else match.jacoby}
    value, owner = 1, None
    doubled: Side | None = None
    first = True
    for action, before, after in game.positions():
        if isinstance(action, Doubled):
            coach.review_double(before, action.side, True, cube=(value, owner), **terms)
            doubled = action.side
        elif isinstance(action, Took | Dropped) and doubled is not None:
            coach.review_answer(before, doubled, isinstance(action, Took), cube=(value, owner), **terms)
            value, owner = 2 * value, action.side
        elif isinstance(action, Rolled) and action.moves is not None:
            # The first roll of a game is thrown by both: nobody could double before it.
            if not first and doubled != action.side and rule_set(match.rules).cube:
                coach.review_double(before, action.side, False, cube=(value, owner), **terms)
            coach.review_play(before, action.dice, after, action.side, cube=(value, owner), **terms)
            first, doubled = False, None
        yield


def _match_score(game: Game, match: Match) -> MatchScore | None:
    from pi_board.hints import MatchScore

    if not match.length or max(game.score) >= match.length:
        return None
    post = not game.crawford and match.crawford and match.length - 1 in game.score
    return MatchScore(match.length, game.score, game.crawford, post)


def _plots(folder: Path, statistics: Statistics, trend: dict[str, list[float]]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidFileError(f"{folder}: cannot be made ({error.strerror})") from None
    counts = [float(statistics.dice[n]) for n in range(1, 7)]
    save_picture(
        folder / "dice.svg", bars("Dice", [str(n) for n in range(1, 7)], counts, expected=sum(counts) / 6)
    )
    running: dict[str, list[float]] = {name: [0.0] for name in statistics.players}
    for game in statistics.games:
        for name, values in running.items():
            values.append(values[-1] + (game.points if game.winner == name else 0))
    save_picture(folder / "points.svg", lines("Points", running))
    if trend:
        save_picture(folder / "errors.svg", lines("Error rate by game (thousandths per decision)", trend))


def _table(statistics: Statistics, document: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    table = Table(title=f"{len(statistics.games)} games")
    for column in ("player", "games", "won", "points", "turns", "s/turn", "illegal plays"):
        table.add_column(column, justify="left" if column in ("player", "illegal plays") else "right")
    for name, p in document["players"].items():
        illegal = ", ".join(f"{code} {n}" for code, n in p["illegal"].items()) or "none"
        seconds = "" if p["seconds_per_turn"] is None else str(p["seconds_per_turn"])
        table.add_row(
            name, str(p["games"]), str(p["won"]), str(p["points"]), str(p["turns"]), seconds, illegal
        )
    console.print(table)
    dice = Table(title=f"{document['rolls']} rolls, {document['doubles']} doubles")
    for n in range(1, 7):
        dice.add_column(str(n), justify="right")
    dice.add_row(*[str(document["dice"][str(n)]) for n in range(1, 7)])
    console.print(dice)
    console.print(fairness_words([statistics.dice[n] for n in range(1, 7)]))
    for name, values in document.get("error_rate_by_game", {}).items():
        shown = " ".join(f"{v:.1f}" for v in values)
        ratings = " ".join(f"{v:.1f}" for v in document["performance_rating_by_game"][name])
        console.print(f"{name}: PR by game {ratings} (error rate {shown}); luck {document['luck'][name]:+.2f}")
