"""A winter's archive as one page to read and one table to ask: HTML with the plots in it, and Parquet."""

from __future__ import annotations

import html
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from pi_board.errors import DeviceError, InvalidFileError
from pi_board.record.match import Doubled, Dropped, GameRecord, MatchRecord, Rolled, Took, move_words
from pi_board.record.statistics import Statistics
from pi_board.record.statistics_plots import statistics_plots
from pi_board.rules import STARTING_POSITION
from pi_board.session.farm import Judgment

#: Openings that are shown, the most frequent ones.
MOST_OPENINGS = 30
Judged = Sequence[tuple[GameRecord, MatchRecord, Sequence[Judgment]]]
Played = Sequence[tuple[GameRecord, MatchRecord]]
KINDS = {Rolled: "roll", Doubled: "double", Took: "take", Dropped: "drop"}


def openings(judged: Judged) -> list[tuple[str, str, int, float, int]]:
    """(roll, best play, how often it was rolled, equity lost on average, how often the best play was made) of first rolls."""
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    for game, _, said in judged:
        first = game.actions[0] if game.actions else None
        plays = [j for j in said if j.kind == "play"]
        if game.start == STARTING_POSITION and isinstance(first, Rolled) and plays:
            roll = f"{max(first.dice)}-{min(first.dice)}"
            found[roll, plays[0].best].append(plays[0].loss)
    lines = [
        (roll, best, len(losses), sum(losses) / len(losses), sum(not loss for loss in losses))
        for (roll, best), losses in found.items()
    ]
    return sorted(lines, key=lambda line: (-line[2], line[0]))[:MOST_OPENINGS]


def cube_errors(judged: Judged) -> dict[str, dict[str, tuple[int, float]]]:
    """By player: double, no_double, take, pass -> (errors, equity lost in them)."""
    found: dict[str, dict[str, tuple[int, float]]] = defaultdict(dict)
    for _, match, said in judged:
        for j in said:
            if j.kind != "play" and j.grade in ("error", "blunder"):
                name = match.names[0 if j.side == "light" else 1]
                number, lost = found[name].get(j.kind, (0, 0.0))
                found[name][j.kind] = number + 1, lost + j.loss
    return dict(sorted(found.items()))


def html_report(statistics: Statistics, judged: Judged) -> str:
    """One page without anything from elsewhere."""
    document = statistics.to_document()
    players = [
        (
            name,
            p["games"],
            p["won"],
            p["points"],
            p["turns"],
            _number(p.get("error_rate")),
            _number(p.get("performance_rating")),
            _number(p.get("luck")),
            ", ".join(f"{code} {n}" for code, n in p["illegal"].items()) or "none",
        )
        for name, p in document["players"].items()
    ]
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        "<title>pi_board: report</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:auto;"
        "padding:1rem}table{border-collapse:collapse}td,th{padding:.2rem .7rem;text-align:left;border-bottom:1px solid #ccc}"
        "div{overflow-x:auto}svg{max-width:100%;height:auto}</style>"
        f"<h1>{len(statistics.games)} games</h1>",
        _table(
            "Players",
            ("player", "games", "won", "points", "turns", "error rate", "PR", "luck", "illegal plays"),
            players,
        ),
        "<p>Error rate: thousandths of equity lost per decision that was one; PR is half of it. Luck: equity that the dice gave.</p>",
        _table(
            "Openings",
            ("roll", "best", "thrown", "lost on average", "best play made"),
            [(r, b, n, f"{lost:.3f}", f"{good} of {n}") for r, b, n, lost, good in openings(judged)],
        ),
        _table(
            "Cube errors",
            ("player", "decision", "errors", "equity lost"),
            [
                (name, kind.replace("_", " "), n, f"{lost:.2f}")
                for name, kinds in cube_errors(judged).items()
                for kind, (n, lost) in sorted(kinds.items())
            ],
        ),
        _table(
            "Dice",
            ("number", *map(str, range(1, 7)), "fair?"),
            [("thrown", *document["dice"].values(), f"p = {document['dice_fair_p']}")],
        ),
    ]
    for svg in statistics_plots(statistics).values():
        # An XML declaration has no place inside a page.
        parts.append(f"<div>{svg[svg.index('<svg') :]}</div>")
    return "\n".join(parts)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def _table(title: str, head: Iterable[str], rows: Iterable[Sequence[Any]]) -> str:
    lines = "".join("<tr>" + "".join(f"<td>{html.escape(str(cell))}" for cell in row) for row in rows)
    if not lines:
        return ""
    top = "".join(f"<th>{html.escape(h)}" for h in head)
    return f"<h2>{html.escape(title)}</h2><div><table><tr>{top}{lines}</table></div>"


def write_parquet(path: Path, judged: Judged, session: Callable[[int], str]) -> None:
    """One row a decision: session, game, player, opponent, kind, counts, loss, luck, grade, best. session: of game number i.

    Raises DeviceError without pyarrow, InvalidFileError when the file cannot be written.
    """
    rows = [
        {
            **_whose(session(number), number, match, j.side),
            "kind": j.kind,
            "counts": j.counts,
            "loss": j.loss,
            "luck": j.luck,
            "grade": j.grade,
            "best": j.best,
        }
        for number, (_, match, said) in enumerate(judged)
        for j in said
    ]
    _write_rows(path, rows)


def write_plays_parquet(path: Path, played: Played, session: Callable[[int], str]) -> None:
    """What is known without the coach, one row an action: session, game, player, opponent, action, kind, dice, play, legal, seconds, left.

    play: in notation, None for a cube's action and a roll that was not played. seconds, left: None where no clock was kept.
    Raises as `write_parquet`.
    """
    rows: list[dict[str, Any]] = []
    for number, (game, match) in enumerate(played):
        for place, (action, before, _) in enumerate(game.positions()):
            row: dict[str, Any] = {
                **_whose(session(number), number, match, action.side),
                "action": place,
                "kind": KINDS[type(action)],
                "dice": None,
                "play": None,
                "legal": None,
                "seconds": None,
                "left": None,
            }
            if isinstance(action, Rolled):
                row |= {"dice": list(action.dice), "seconds": action.seconds, "left": action.left}
                row["legal"] = action.stood is None
                if action.moves is not None and action.stood is None:
                    row["play"] = move_words(before, action.side, action.moves)
            rows.append(row)
    _write_rows(path, rows)


def _whose(session: str, number: int, match: MatchRecord, side: str) -> dict[str, Any]:
    """What every row begins with: where it was played, by whom, against whom."""
    mine, other = match.names if side == "light" else match.names[::-1]
    return {"session": session, "game": number, "player": mine, "opponent": other}


def _write_rows(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise DeviceError(
            "stats: pyarrow is missing; install it with: pip install 'pi-board[farm]'"
        ) from None
    try:
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    except OSError as error:
        raise InvalidFileError(f"{path}: cannot be written ({error.strerror or error})") from None
