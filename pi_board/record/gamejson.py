"""A match as one JSON document: everything the program knows, nothing lost.

`{"format": "pi_board-match", "version": 1, "names": [light, dark], "length": n, "rules": …, "games": [{"score",
"crawford", "start", "actions": [{"side", "type": "roll"/"double"/"take"/"drop", …}], "winner", "points", "kind"}]}`
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from typing import Any

from pi_board.errors import PiBoardError
from pi_board.record.building import MOST_PROBLEMS, MatchBuilder
from pi_board.record.match import (
    Doubled,
    FileProblem,
    GameRecord,
    Hop,
    MatchRecord,
    Parsed,
    Rolled,
    Took,
    move_words,
)
from pi_board.rules import STARTING_POSITION, Position, Side

FORMAT, VERSION = "pi_board-match", 1
#: Seconds that a turn can have taken, or that a bank can hold: a week, far beyond any clock.
_LONGEST = 7 * 86_400.0


def match_document(match: MatchRecord) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "names": list(match.names),
        "length": match.length,
        "date": match.date,
        "event": match.event,
        "site": match.site,
        "rules": match.rules,
        "crawford": match.crawford,
        "jacoby": match.jacoby,
        "games": [_game_document(g) for g in match.games],
    }


def _game_document(game: GameRecord) -> dict[str, Any]:
    actions: list[dict[str, Any]] = []
    for action, before, after in game.positions():
        if isinstance(action, Rolled):
            entry: dict[str, Any] = {"type": "roll", "side": action.side, "dice": list(action.dice)}
            entry["moves"] = None if action.moves is None else [list(m) for m in action.moves]
            if action.seconds is not None:
                entry["seconds"] = round(action.seconds, 1)
            if action.left is not None:
                entry["left"] = round(action.left, 1)
            if action.stood is not None:
                entry["stood"] = after.to_document()
            elif action.moves:
                entry["play"] = move_words(before, action.side, action.moves)
            actions.append(entry)
        elif isinstance(action, Doubled):
            actions.append({"type": "double", "side": action.side, "value": action.value})
        else:
            actions.append({"type": "take" if isinstance(action, Took) else "drop", "side": action.side})
    document: dict[str, Any] = {
        "score": list(game.score),
        "crawford": game.crawford,
        "actions": actions,
        "winner": game.winner,
        "points": game.points,
        "kind": game.kind,
    }
    if game.start != STARTING_POSITION:
        document["start"] = game.start.to_document()
    return document


def write_json(match: MatchRecord) -> str:
    return json.dumps(match_document(match), indent=1, ensure_ascii=False) + "\n"


class _Bad(Exception):
    pass


def _int(value: Any, low: int, high: int, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise _Bad(f"{what}: expected a number from {low} to {high}, got {value!r}"[:120])
    return value


def _seconds(entry: dict[str, Any], key: str, low: float) -> float | None:
    value = entry.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= _LONGEST:
        raise _Bad(f"{key}: expected seconds, got {value!r}"[:120])
    return float(value)


def _side(value: Any) -> Side:
    if value == "light":
        return "light"
    if value == "dark":
        return "dark"
    raise _Bad(f"side: expected light or dark, got {value!r}"[:120])


def _pair(value: Any, low: int, high: int, what: str) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise _Bad(f"{what}: expected two numbers, got {value!r}"[:120])
    return _int(value[0], low, high, what), _int(value[1], low, high, what)


def read_json(text: str) -> Parsed:
    """A document of `write_json`; what does not fit is listed with its line and left out."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 0)
        return Parsed(MatchRecord(), (FileProblem(line, f"not JSON: {getattr(error, 'msg', error)}"[:200]),))
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return Parsed(MatchRecord(), (FileProblem(0, f'expected an object with "format": "{FORMAT}"'),))
    reader = _Reader(text)
    reader.header(document)
    games = document.get("games")
    if not isinstance(games, list):
        reader.trouble("games: expected a list")
        games = []
    for number, entry in enumerate(games):
        reader.place = (number,)
        if not isinstance(entry, dict) or not isinstance(entry.get("actions"), list):
            reader.trouble(f"game {number + 1}: expected an object with a list of actions")
            continue
        with reader.listing(f"game {number + 1}: "):
            reader.one_game(number, entry)
    reader.place = ()
    return reader.result("no game in it")


class _Reader(MatchBuilder):
    """place: (game,) or (game, action) in hand, counted from 0; its line is looked up when there is something to say."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.place: tuple[int, ...] = ()
        self._lines: dict[tuple[int, ...], int] | None = None

    def trouble(self, text: str, line: int | None = None, *, lost: bool = False) -> None:
        if len(self.problems) >= MOST_PROBLEMS and not lost:
            return
        if line is None and self.place:
            if self._lines is None:
                self._lines = lines_of_places(self.text)
            line = self._lines.get(self.place, 0)
        super().trouble(text, line, lost=lost)

    @contextlib.contextmanager
    def listing(self, where: str) -> Iterator[None]:
        try:
            yield
        except (_Bad, PiBoardError, TypeError, ValueError, KeyError, AttributeError) as error:
            self.trouble(f"{where}{error}")

    def header(self, document: dict[str, Any]) -> None:
        names = document.get("names")
        if not (isinstance(names, list) and len(names) == 2 and all(isinstance(n, str) for n in names)):
            self.trouble("names: expected two texts")
            names = ["Light", "Dark"]
        length = document.get("length", 0)
        if isinstance(length, bool) or not isinstance(length, int) or not 0 <= length <= 99_999:
            self.trouble(f"length: expected a number, got {length!r}")
            length = 0
        texts = {
            k: document[k] for k in ("date", "event", "site", "rules") if isinstance(document.get(k), str)
        }
        self.match = MatchRecord(
            (names[0], names[1]),
            length,
            crawford=bool(document.get("crawford", True)),
            jacoby=bool(document.get("jacoby", False)),
            **texts,
        )

    def one_game(self, number: int, entry: dict[str, Any]) -> None:
        start = Position.from_document(entry["start"]) if "start" in entry else STARTING_POSITION
        score = _pair(entry.get("score", [0, 0]), 0, 9_999_999, "score")
        self.begin(GameRecord(score=score, crawford=bool(entry.get("crawford", False)), start=start))
        for i, action in enumerate(entry["actions"]):
            self.place = (number, i)
            if not isinstance(action, dict):
                self.trouble("action: expected an object")
                continue
            with self.listing(""):
                self.action(action)
        self.place = (number,)
        if entry.get("winner") is not None:
            points = _int(entry.get("points", 0), 0, 9_999_999, "points")
            self.wins(_side(entry["winner"]), points, str(entry.get("kind", ""))[:20])

    def action(self, entry: dict[str, Any]) -> None:
        side, kind = _side(entry.get("side")), entry.get("type")
        if kind == "double":
            self.double(side, _int(entry.get("value"), 2, 1 << 30, "value"))
        elif kind in ("take", "drop"):
            self.answer(side, kind == "take")
        elif kind != "roll":
            raise _Bad(f"action: unknown type {kind!r}"[:120])
        else:
            self.roll(side, _pair(entry.get("dice"), 1, 6, "dice"), entry)

    def roll(self, side: Side, dice: tuple[int, int], entry: dict[str, Any]) -> None:
        moves = entry.get("moves", [])
        if entry.get("stood") is not None:
            self.stood(side, dice, Position.from_document(entry["stood"]))
        elif moves is None:
            self.unplayed(side, dice)
        elif not isinstance(moves, list) or len(moves) > 4:
            raise _Bad("moves: expected a list of at most four pairs")
        else:
            pairs = [_pair(m, 0, 25, "moves") for m in moves]
            self.play(side, dice, [Hop(a, b, f"{a}/{b}") for a, b in pairs])
        self.took(_seconds(entry, "seconds", 0), _seconds(entry, "left", -_LONGEST))


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},\n]')
_SPACE = re.compile(r"\s*")


def lines_of_places(text: str) -> dict[tuple[int, ...], int]:
    """Line of each game and action in a (valid) document: {(game,): line, (game, action): line}, counted from 0."""
    found: dict[tuple[int, ...], int] = {}
    line, key = 1, ""
    #: One entry per open bracket: [bracket, key it stands under, index within it].
    open_: list[list[Any]] = []
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark == "\n":
            line += 1
        elif mark in "}]":
            if open_:
                open_.pop()
        elif mark in "{[,":
            if mark == ",":
                if open_:
                    open_[-1][2] += 1
            else:
                open_.append([mark, key, 0])
            key = ""
            if open_ and open_[-1][0] == "[":
                # An element begins behind the next white space.
                place = _place(open_)
                if place is not None:
                    found[place] = line + _SPACE.match(text, token.end())[0].count("\n")  # type: ignore[index]
        elif text[token.end() : token.end() + 20].lstrip().startswith(":"):
            key = mark[1:-1]
    return found


def _place(open_: list[list[Any]]) -> tuple[int, ...] | None:
    """(game,) or (game, action) when the innermost open list is that of the games, or of a game's actions."""
    kinds = [(bracket, key) for bracket, key, _ in open_[1:]]
    if kinds == [("[", "games")]:
        return (open_[1][2],)
    if kinds == [("[", "games"), ("{", ""), ("[", "actions")]:
        return (open_[1][2], open_[3][2])
    return None
