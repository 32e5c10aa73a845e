"""SGF for backgammon (GM[6]), as GNU Backgammon writes and reads it: one game tree per game, light = White.

White's point p is the letter 'a' + p - 1; black's point p is 'x' - (p - 1); y = bar, z = off.
An illegal play that stood is a node with the dice (PL, DI) and a set-up node (AE, AW, AB) with the board as it lay.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pi_board.errors import PiBoardError
from pi_board.record.mat import kind_of_win
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
    after_moves,
)
from pi_board.rules import STARTING_POSITION, Position, Side

COLOR: dict[Side, str] = {"light": "W", "dark": "B"}
SIDE: dict[str, Side] = {"W": "light", "B": "dark"}


def _letter(side: Side, point: int) -> str:
    if point == 25:
        return "y"
    if point <= 0:
        return "z"
    return chr(ord("a") + point - 1) if side == "light" else chr(ord("x") - (point - 1))


def _point(side: Side, letter: str) -> int:
    if letter == "y":
        return 25
    if letter == "z":
        return 0
    n = ord(letter) - ord("a") + 1
    return n if side == "light" else 25 - n


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]").replace("\n", " ")


def write_sgf(match: Match) -> str:
    """All games, one tree each, UTF-8."""
    return "\n".join(_game(match, number, game) for number, game in enumerate(match.games)) + "\n"


def _game(match: Match, number: int, game: Game) -> str:
    rules = [
        r
        for r, on in (
            ("Crawford", match.crawford and match.length),
            ("CrawfordGame", game.crawford),
            ("Jacoby", match.jacoby),
        )
        if on
    ]
    head = f"FF[4]GM[6]CA[UTF-8]AP[pi_board]MI[length:{match.length}][game:{number}][ws:{game.score[0]}][bs:{game.score[1]}]"
    head += f"PW[{_escape(match.names[0])}]PB[{_escape(match.names[1])}]"
    for key, value in (("DT", match.date[:10]), ("EV", match.event), ("PC", match.site)):
        if value:
            head += f"{key}[{_escape(value)}]"
    if rules:
        head += f"RU[{':'.join(rules)}]"
    if game.winner is not None:
        resigned = "R" if game.kind == "resigned" else ""
        head += f"RE[{COLOR[game.winner]}+{game.points}{resigned}]"
    nodes = [f"(;{head}"]
    if game.start != STARTING_POSITION:
        nodes.append(_setup(game.start))
    for action, _, after in game.positions():
        color = COLOR[action.side]
        if isinstance(action, Doubled):
            nodes.append(f";{color}[double]")
        elif isinstance(action, Took):
            nodes.append(f";{color}[take]")
        elif isinstance(action, Dropped):
            nodes.append(f";{color}[drop]")
        elif action.moves is None:
            nodes.append(f";PL[{color}]DI[{action.dice[0]}{action.dice[1]}]")
        elif action.stood is not None:
            # GNU Backgammon's own form: the dice as set-up, then the board as it lay.
            nodes.append(f";PL[{color}]DI[{action.dice[0]}{action.dice[1]}]")
            nodes.append(_setup(after))
        else:
            steps = "".join(_letter(action.side, a) + _letter(action.side, b) for a, b in action.moves)
            nodes.append(f";{color}[{action.dice[0]}{action.dice[1]}{steps}]")
    return "\n".join(nodes) + "\n)"


def _setup(position: Position) -> str:
    white: list[str] = []
    black: list[str] = []
    for i, n in enumerate(position.points):
        letter = chr(ord("a") + i)
        (white if n > 0 else black).extend([letter] * abs(n))
    white += ["y"] * position.bar[0]
    black += ["y"] * position.bar[1]
    # PL first: GNU Backgammon sets the board as seen by whoever is on roll when it meets AW and AB.
    text = ";PL[W]AE[a:y]"
    for key, letters in (("AW", white), ("AB", black)):
        if letters:
            text += key + "".join(f"[{c}]" for c in letters)
    return text


# ------------------------------------------------------------------------------------------------- read

_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]{1,8})|\[((?:[^\]\\]|\\.)*)\])", re.S)
_RESULT = re.compile(r"^([WB])\+(\d{1,7})")
_ROLL = re.compile(r"^([1-6])([1-6])((?:[a-z]{2}){0,4})$")


def _trees(text: str, problems: list[Problem]) -> list[list[dict[str, list[str]]]]:
    """Game trees as lists of nodes (main line only: the first variation at every branch)."""
    trees: list[list[dict[str, list[str]]]] = []
    nodes: list[dict[str, list[str]]] = []
    depth, skip, key, at = 0, 0, "", 0
    closed: set[int] = set()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            if text[at:].strip():
                line = text.count("\n", 0, at) + 1
                problems.append(Problem(line, f"not SGF: {text[at : at + 30].strip()!r}"))
            break
        at = found.end()
        mark, name, value = found.groups()
        if mark == "(":
            depth += 1
            if depth == 1:
                nodes = []
                trees.append(nodes)
                closed = set()
            elif depth in closed:
                skip = skip or depth
        elif mark == ")":
            if skip == depth:
                skip = 0
            closed.add(depth)
            depth = max(0, depth - 1)
        elif depth and not skip:
            if mark == ";":
                nodes.append({})
                key = ""
            elif name is not None:
                key = name
                if nodes:
                    nodes[-1].setdefault(key, [])
            elif key and nodes:
                nodes[-1][key].append(re.sub(r"\\(.)", r"\1", value or "", flags=re.S))
    if depth:
        problems.append(Problem(text.count("\n") + 1, "the file ends in the middle of a game"))
    return trees


def read_sgf(text: str) -> Parsed:
    """Everything that can be understood of an SGF collection of backgammon games."""
    problems: list[Problem] = []
    match = Match()
    games = []
    for number, nodes in enumerate(_trees(text, problems), 1):
        if not nodes:
            continue
        head = nodes[0]
        if head.get("GM", [""])[0] not in ("6", ""):
            problems.append(Problem(0, f"game {number}: GM[{head['GM'][0]}] is not backgammon"))
            continue
        match, score = _head(match, head)
        games.append(_play(number, nodes, score, problems))
    if not games:
        problems.append(Problem(0, "no backgammon game found: not an SGF file, or it is empty"))
    return Parsed(replace(match, games=tuple(games)), tuple(problems[:200]))


def _head(match: Match, head: dict[str, list[str]]) -> tuple[Match, tuple[int, int]]:
    info = dict(part.split(":", 1) for part in head.get("MI", []) if ":" in part)

    def number(key: str) -> int:
        text = info.get(key, "0")
        return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 0

    rules = head.get("RU", [""])[0] if head.get("RU") else ""

    def first(key: str, default: str) -> str:
        return head[key][0] if head.get(key) else default

    match = replace(
        match,
        names=(first("PW", match.names[0]), first("PB", match.names[1])),
        length=number("length") or match.length,
        date=first("DT", match.date),
        event=first("EV", match.event),
        site=first("PC", match.site),
        crawford="Crawford" in rules or not rules,
        jacoby="Jacoby" in rules,
    )
    return match, (number("ws"), number("bs"))


def _play(
    number: int, nodes: list[dict[str, list[str]]], score: tuple[int, int], problems: list[Problem]
) -> Game:
    head = nodes[0]
    rules = head.get("RU", [""])
    game = Game(score=score, crawford=bool(rules) and "CrawfordGame" in rules[0])
    position = STARTING_POSITION
    actions: list[Action] = []
    offer = 1
    for index, node in enumerate(nodes):
        where = f"game {number}, node {index}"
        try:
            if "AW" in node or "AB" in node:
                position = _read_setup(node)
                if actions and isinstance(actions[-1], Rolled):
                    actions[-1] = replace(actions[-1], moves=(), stood=position)
                elif not actions:
                    game = replace(game, start=position)
            if (
                "DI" in node
                and node["DI"]
                and (found := _ROLL.match(node["DI"][0]))
                and not (set(node) & {"W", "B"})
            ):
                following = nodes[index + 1] if index + 1 < len(nodes) else {}
                if not set(following) & {"W", "B"} and node.get("PL", [""])[0] in SIDE:
                    actions.append(Rolled(SIDE[node["PL"][0]], (int(found[1]), int(found[2])), None))
            for color in ("W", "B"):
                if color not in node or not node[color]:
                    continue
                side, text = SIDE[color], node[color][0]
                if text == "double":
                    offer *= 2
                    actions.append(Doubled(side, offer))
                elif text in ("take", "drop"):
                    if not actions or not isinstance(actions[-1], Doubled):
                        problems.append(Problem(0, f"{where}: {text} without a double"))
                        continue
                    actions.append(Took(side) if text == "take" else Dropped(side))
                elif found := _ROLL.match(text):
                    steps = found[3]
                    moves = tuple(
                        (_point(side, steps[i]), _point(side, steps[i + 1])) for i in range(0, len(steps), 2)
                    )
                    position = after_moves(position, side, moves)
                    actions.append(Rolled(side, (int(found[1]), int(found[2])), moves))
                else:
                    problems.append(Problem(0, f"{where}: not understood: {text[:40]!r}"))
        except PiBoardError as error:
            problems.append(Problem(0, f"{where}: {error}"))
    game = replace(game, actions=tuple(actions))
    result = head.get("RE", [""])
    if result and (found := _RESULT.match(result[0])):
        game = replace(game, winner=SIDE[found[1]], points=int(found[2]))
        game = replace(game, kind=kind_of_win(game, position))
    return game


def _read_setup(node: dict[str, list[str]]) -> Position:
    points, bar, off = [0] * 24, [0, 0], [0, 0]
    for key, i, sign in (("AW", 0, 1), ("AB", 1, -1)):
        for letters in node.get(key, []):
            first, _, last = letters.partition(":")
            if len(first) != 1 or (last and len(last) != 1):
                continue
            for code in range(ord(first), ord(last or first) + 1):
                if code == ord("y"):
                    bar[i] += 1
                elif code == ord("z"):
                    off[i] += 1
                elif ord("a") <= code <= ord("x"):
                    points[code - ord("a")] += sign
    for i, sign in ((0, 1), (1, -1)):
        on_board = sum(n * sign for n in points if n * sign > 0) + bar[i]
        off[i] = max(off[i], 15 - on_board)
    return Position(tuple(points), (bar[0], bar[1]), (off[0], off[1]))
