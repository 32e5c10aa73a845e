"""A match as one JSON document: everything the program knows, nothing lost.

`{"format": "pi_board-match", "version": 1, "names": [light, dark], "length": n, "rules": …, "games": [{"score",
"crawford", "start", "actions": [{"side", "type": "roll"/"double"/"take"/"drop", …}], "winner", "points", "kind"}]}`
"""

from __future__ import annotations

import json
from typing import Any

from pi_board.errors import PiBoardError
from pi_board.record.match import (
    Action,
    Doubled,
    Dropped,
    Game,
    Match,
    Parsed,
    Problem,
    Rolled,
    Took,
    move_words,
)
from pi_board.rules import STARTING_POSITION, Position, Side

FORMAT, VERSION = "pi_board-match", 1


def match_document(match: Match) -> dict[str, Any]:
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


def _game_document(game: Game) -> dict[str, Any]:
    actions: list[dict[str, Any]] = []
    for action, before, after in game.positions():
        if isinstance(action, Rolled):
            entry: dict[str, Any] = {"type": "roll", "side": action.side, "dice": list(action.dice)}
            entry["moves"] = None if action.moves is None else [list(m) for m in action.moves]
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


def write_json(match: Match) -> str:
    return json.dumps(match_document(match), indent=1, ensure_ascii=False) + "\n"


class _Bad(Exception):
    pass


def _int(value: Any, low: int, high: int, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise _Bad(f"{what}: expected a number from {low} to {high}, got {value!r}"[:120])
    return value


def _side(value: Any) -> Side:
    if value not in ("light", "dark"):
        raise _Bad(f"side: expected light or dark, got {value!r}"[:120])
    return value  # type: ignore[no-any-return]


def _pair(value: Any, low: int, high: int, what: str) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise _Bad(f"{what}: expected two numbers, got {value!r}"[:120])
    return _int(value[0], low, high, what), _int(value[1], low, high, what)


def _action(entry: Any) -> Action:
    if not isinstance(entry, dict):
        raise _Bad(f"action: expected an object, got {entry!r}"[:120])
    side = _side(entry.get("side"))
    kind = entry.get("type")
    if kind == "double":
        return Doubled(side, _int(entry.get("value"), 2, 1 << 30, "value"))
    if kind == "take":
        return Took(side)
    if kind == "drop":
        return Dropped(side)
    if kind != "roll":
        raise _Bad(f"action: unknown type {kind!r}"[:120])
    dice = _pair(entry.get("dice"), 1, 6, "dice")
    moves = entry.get("moves", [])
    if moves is not None:
        if not isinstance(moves, list) or len(moves) > 4:
            raise _Bad("moves: expected a list of at most four pairs")
        moves = tuple(_pair(m, 0, 25, "moves") for m in moves)
    stood = entry.get("stood")
    return Rolled(side, dice, moves, None if stood is None else Position.from_document(stood))


def read_json(text: str) -> Parsed:
    """A document of `write_json`; what does not fit is listed and left out."""
    problems: list[Problem] = []
    try:
        document = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        line = getattr(error, "lineno", 0)
        return Parsed(Match(), (Problem(line, f"not JSON: {getattr(error, 'msg', error)}"),))
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return Parsed(Match(), (Problem(0, f'expected an object with "format": "{FORMAT}"'),))
    names = document.get("names")
    if not (isinstance(names, list) and len(names) == 2 and all(isinstance(n, str) for n in names)):
        problems.append(Problem(0, "names: expected two texts"))
        names = ["Light", "Dark"]
    texts = {k: document[k] for k in ("date", "event", "site", "rules") if isinstance(document.get(k), str)}
    length = document.get("length", 0)
    if isinstance(length, bool) or not isinstance(length, int) or not 0 <= length <= 99_999:
        problems.append(Problem(0, f"length: expected a number, got {length!r}"[:120]))
        length = 0
    games = []
    listed = document.get("games")
    for number, entry in enumerate(listed if isinstance(listed, list) else [], 1):
        try:
            games.append(_game(entry))
        except (_Bad, PiBoardError, TypeError, ValueError, KeyError, AttributeError) as error:
            problems.append(Problem(0, f"game {number}: {error}"))
    match = Match(
        (names[0], names[1]),
        length,
        tuple(games),
        crawford=bool(document.get("crawford", True)),
        jacoby=bool(document.get("jacoby", False)),
        **texts,
    )
    return Parsed(match, tuple(problems[:200]))


def _game(entry: Any) -> Game:
    if not isinstance(entry, dict):
        raise _Bad("expected an object")
    listed = entry.get("actions", [])
    if not isinstance(listed, list):
        raise _Bad("actions: expected a list")
    winner = entry.get("winner")
    game = Game(
        score=_pair(entry.get("score", [0, 0]), 0, 1_000_000, "score"),
        actions=tuple(_action(a) for a in listed),
        winner=None if winner is None else _side(winner),
        points=_int(entry.get("points", 0), 0, 1_000_000, "points"),
        kind=str(entry.get("kind", ""))[:20],
        crawford=bool(entry.get("crawford", False)),
        start=Position.from_document(entry["start"]) if "start" in entry else STARTING_POSITION,
    )
    game.final()  # every move must have a checker to move
    return game
