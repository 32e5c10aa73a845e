"""SGF for backgammon (GM[6]), as GNU Backgammon writes and reads it: one game tree per game, light = White.

White's point p is the letter 'a' + p - 1; black's point p is 'x' - (p - 1); y = bar, z = off.
An illegal play that stood is a node with the dice (PL, DI) and a set-up node (AE, AW, AB) with the board as it lay.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from pi_board.errors import PiBoardError
from pi_board.record.building import MOST_PROBLEMS, MatchBuilder
from pi_board.record.match import (
    NACKGAMMON,
    Doubled,
    Dropped,
    GameRecord,
    Hop,
    MatchRecord,
    Parsed,
    Rolled,
    Took,
)
from pi_board.record.turn_times import time_words
from pi_board.rules import STARTING_POSITION, Position, Side

COLOR: dict[Side, str] = {"light": "W", "dark": "B"}
SIDE: dict[str, Side] = {"W": "light", "B": "dark"}


def _letter(side: Side, point: int) -> str:
    if point == 25:
        return "y"
    if point <= 0:
        return "z"
    return chr(ord("a") + point - 1) if side == "light" else chr(ord("x") - (point - 1))


#: The mover's point of each letter.
_POINTS: dict[Side, dict[str, int]] = {
    "light": {chr(ord("a") + i): i + 1 for i in range(24)} | {"y": 25, "z": 0},
    "dark": {chr(ord("a") + i): 24 - i for i in range(24)} | {"y": 25, "z": 0},
}


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]").replace("\n", " ")


def write_sgf(match: MatchRecord) -> str:
    """All games, one tree each, UTF-8."""
    return "\n".join(_game(match, number, game) for number, game in enumerate(match.games)) + "\n"


def _game(match: MatchRecord, number: int, game: GameRecord) -> str:
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
    if match.rules != "international":
        head += f"GC[rules: {_escape(match.rules)}]"
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
            nodes.append(_setup(after) + _comment(action))
        else:
            steps = "".join(_letter(action.side, a) + _letter(action.side, b) for a, b in action.moves)
            nodes.append(f";{color}[{action.dice[0]}{action.dice[1]}{steps}]{_comment(action)}")
    return "\n".join(nodes) + "\n)"


def _comment(action: Rolled) -> str:
    """How long the turn took, where that is known."""
    return f"C[{_escape(time_words(action))}]" if action.seconds is not None else ""


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

_VALUE = r"\[((?:[^\]\\]|\\.)*)\]"
#: A property with its first value, a new node before it or not; a mark alone; a further value.
_TOKEN = re.compile(rf"\s*(?:(;)?\s*([A-Za-z]{{1,8}})(?:\s*{_VALUE})?|([();])|{_VALUE})", re.S)
#: Properties that say something of the game; a node without any of them is none for us.
_KNOWN = frozenset(
    ["GM", "MI", "PW", "PB", "DT", "EV", "PC", "GC", "RU", "RE", "W", "B", "AW", "AB", "PL", "DI"]
)
_RESULT = re.compile(r"^([WB])\+(\d{1,7})")
_ROLL = re.compile(r"^([1-6])([1-6])((?:[a-z]{2}){0,4})$")
_ESCAPED = re.compile(r"\\(.)", re.S)


class _Node(dict[str, list[str]]):
    """A node's properties; at: where it stands in the file, counted in characters."""

    at = 0


def _trees(text: str, trouble: Callable[[str, int], None]) -> list[list[_Node]]:
    """Game trees as lists of nodes (main line only: the first variation at every branch). trouble: (what, where)."""
    trees: list[list[_Node]] = []
    nodes: list[_Node] = []
    node: _Node | None = None
    depth, skip, key, at, begin = 0, 0, "", 0, -1
    closed: set[int] = set()
    token = _TOKEN.match
    while found := token(text, at):
        at = found.end()
        starts, name, first, mark, value = found.groups()
        if mark is None:
            if not depth or skip:
                continue
            if starts:
                node, begin = None, found.start(1)
            if name is not None:
                key, value = name, first
            if value is None or begin < 0 or key not in _KNOWN:
                continue
            if node is None:
                node = _Node()
                node.at = begin
                nodes.append(node)
            node.setdefault(key, []).append(_ESCAPED.sub(r"\1", value) if "\\" in value else value)
        elif mark == ";":
            if depth and not skip:
                node, begin, key = None, found.start(4), ""
        elif mark == "(":
            depth += 1
            if depth == 1:
                nodes, node, begin, key = [], None, -1, ""
                trees.append(nodes)
                closed = set()
            elif depth in closed:
                skip = skip or depth
        else:
            if skip == depth:
                skip = 0
            closed.add(depth)
            depth = max(0, depth - 1)
    if rest := text[at:].lstrip():
        trouble(f"not SGF: {rest[:30]!r}", len(text) - len(rest))
    if depth:
        trouble("the file ends in the middle of a game", len(text.rstrip()))
    return trees


def read_sgf(text: str) -> Parsed:
    """Everything that can be understood of an SGF collection of backgammon games; the rest is listed by line."""
    reader = _Reader(text)
    for number, nodes in enumerate(_trees(text, reader.trouble), 1):
        if not nodes:
            continue
        reader.at = nodes[0].at
        if nodes[0].get("GM", [""])[:1] not in ([], [""], ["6"]):
            reader.trouble(f"game {number}: GM[{nodes[0]['GM'][0]}] is not backgammon"[:80])
        else:
            reader.one_game(nodes)
    return reader.result("no backgammon game found: not an SGF file, or it is empty")


class _Reader(MatchBuilder):
    """at: where the node in hand stands; its line is counted when there is something to say."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text, self.at = text, 0

    def trouble(self, text: str, at: int | None = None, *, lost: bool = False) -> None:
        if len(self.problems) < MOST_PROBLEMS or lost:
            super().trouble(text, 1 + self.text.count("\n", 0, self.at if at is None else at), lost=lost)

    def one_game(self, nodes: list[_Node]) -> None:
        head = nodes[0]
        self.match, score = _head(self.match, head)
        rules = _first(head, "RU")
        start = NACKGAMMON if "nackgammon" in rules.lower() else STARTING_POSITION
        self.begin(GameRecord(score=score, crawford="CrawfordGame" in rules, start=start))
        for index, node in enumerate(nodes):
            self.at = node.at
            try:
                if "AW" in node or "AB" in node:
                    self.board(_read_setup(node))
                if "DI" in node and not set(node) & {"W", "B"}:
                    self.dice(node, nodes[index + 1] if index + 1 < len(nodes) else _Node())
                for color, side in SIDE.items():
                    if node.get(color):
                        self.move(side, node[color][0])
            except PiBoardError as error:
                self.trouble(str(error))
        self.at = head.at
        if found := _RESULT.match(_first(head, "RE")):
            self.wins(SIDE[found[1]], int(found[2]))
        self.finish()

    def board(self, position: Position) -> None:
        """Set up: the start, or what lay there after an illegal play (the dice stand in the node before)."""
        last = self.actions[-1] if self.actions else None
        if self.lost:
            return
        if isinstance(last, Rolled):
            self.actions[-1] = replace(last, moves=(), stood=position)
            self.position = position
        elif last is None:
            self.set_up(position)
        else:
            self.trouble("a position in the middle of a game, without the dice that led to it")

    def dice(self, node: _Node, following: _Node) -> None:
        """Dice without a move: an illegal play that stood follows, or the game was resigned after the roll."""
        side = SIDE.get(_first(node, "PL"))
        if (found := _ROLL.match(_first(node, "DI"))) is None:
            self.trouble(f"dice not understood: {_first(node, 'DI')[:40]!r}")
        elif side is not None and COLOR[side] not in following:
            self.unplayed(side, (int(found[1]), int(found[2])))

    def move(self, side: Side, text: str) -> None:
        if text == "double":
            self.double(side)
        elif text in ("take", "drop"):
            self.answer(side, text == "take")
        elif found := _ROLL.match(text):
            steps = found[3]
            of = _POINTS[side]
            pairs = [Hop(of[steps[i]], of[steps[i + 1]], text) for i in range(0, len(steps), 2)]
            self.play(side, (int(found[1]), int(found[2])), pairs)
        else:
            self.trouble(f"{side}: not understood: {text[:40]!r}")


def _first(node: _Node, key: str) -> str:
    values = node.get(key)
    return values[0] if values else ""


def _head(match: MatchRecord, head: _Node) -> tuple[MatchRecord, tuple[int, int]]:
    info = dict(part.split(":", 1) for part in head.get("MI", []) if ":" in part)

    def number(key: str) -> int:
        text = info.get(key, "0")
        return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 0

    rules = _first(head, "RU")

    match = replace(
        match,
        names=(head.get("PW", [match.names[0]])[0], head.get("PB", [match.names[1]])[0]),
        length=number("length") or match.length,
        date=_first(head, "DT") or match.date,
        event=_first(head, "EV") or match.event,
        site=_first(head, "PC") or match.site,
        crawford="Crawford" in rules or not rules,
        jacoby="Jacoby" in rules,
        rules=_first(head, "GC").partition("rules: ")[2].strip()[:40] or match.rules,
    )
    return match, (number("ws"), number("bs"))


def _read_setup(node: _Node) -> Position:
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
