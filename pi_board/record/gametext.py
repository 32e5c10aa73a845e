"""A match as plain text that a person can read aloud, one action a line, and that can be read back.

names: Alice | Bob
length: 5
Game 1 (0-0)
light 31: 8/5 6/5
dark 52: 13/8 13/11
light doubles to 2
dark takes
light 64: illegal, stood: {"points": …}
light wins 2 (gammon)
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from pi_board.errors import PiBoardError
from pi_board.record.building import MatchBuilder
from pi_board.record.match import Action, Doubled, Dropped, GameRecord, MatchRecord, Parsed, Took, move_words
from pi_board.rules import STARTING_POSITION, Position, Side

HEAD = "pi_board game log"


def write_text(match: MatchRecord) -> str:
    def clean(text: str) -> str:
        return " ".join(text.replace("|", "/").split())

    lines = [
        HEAD,
        f"names: {clean(match.names[0])} | {clean(match.names[1])}",
        f"length: {match.length}",
        f"rules: {match.rules}",
    ]
    for key in ("date", "event", "site"):
        if value := getattr(match, key):
            lines.append(f"{key}: {clean(value)}")
    if not match.crawford:
        lines.append("crawford: no")
    if match.jacoby:
        lines.append("jacoby: yes")
    for number, game in enumerate(match.games, 1):
        crawford = ", Crawford game" if game.crawford else ""
        lines += ["", f"Game {number} ({game.score[0]}-{game.score[1]}{crawford})"]
        if game.start != STARTING_POSITION:
            lines.append(f"start: {json.dumps(game.start.to_document())}")
        for action, before, after in game.positions():
            lines.append(_line(action, before, after))
        if game.winner is not None:
            lines.append(f"{game.winner} wins {game.points}" + (f" ({game.kind})" if game.kind else ""))
    return "\n".join(lines) + "\n"


def _line(action: Action, before: Position, after: Position) -> str:
    if isinstance(action, Doubled):
        return f"{action.side} doubles to {action.value}"
    if isinstance(action, Took):
        return f"{action.side} takes"
    if isinstance(action, Dropped):
        return f"{action.side} drops"
    head = f"{action.side} {action.dice[0]}{action.dice[1]}: "
    if action.moves is None:
        return head + "not played"
    if action.stood is not None:
        return head + f"illegal, stood: {json.dumps(after.to_document())}"
    return head + (move_words(before, action.side, action.moves) or "no play")


_GAME = re.compile(r"^Game\s+\d{1,6}\s*\((\d{1,7})-(\d{1,7})(,\s*Crawford game)?\)$", re.I)
_KEY = re.compile(r"^(names|length|rules|date|event|site|crawford|jacoby|start):\s*(.*)$", re.I)
_ROLL = re.compile(r"^(light|dark)\s+([1-6])([1-6]):\s*(.*)$", re.I)
_CUBE = re.compile(r"^(light|dark)\s+(doubles to (\d{1,9})|takes|drops)$", re.I)
_WINS = re.compile(r"^(light|dark)\s+wins\s+(\d{1,7})(?:\s*\((\w{1,20})\))?$", re.I)


def _side(word: str) -> Side:
    return "light" if word.lower() == "light" else "dark"


def read_text(text: str) -> Parsed:
    """A text of `write_text` (hand-written ones too); what does not fit is listed by line."""
    reader = _Reader()
    for reader.line, raw in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        line = raw.strip()
        if line and line != HEAD and not line.startswith("#"):
            try:
                reader.one(line)
            except (PiBoardError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                reader.trouble(str(error))
    return reader.result("no game found: not a pi_board text log, or it is empty")


class _Reader(MatchBuilder):
    def one(self, line: str) -> None:
        if self.game is not None and (found := _ROLL.match(line)):
            self.roll(_side(found[1]), (int(found[2]), int(found[3])), found[4].strip())
        elif found := _GAME.match(line):
            self.begin(GameRecord(score=(int(found[1]), int(found[2])), crawford=bool(found[3])))
        elif found := _KEY.match(line):
            self.key(found[1].lower(), found[2], line)
        elif self.game is None:
            self.trouble(f"before any game: {line[:60]!r}")
        elif found := _CUBE.match(line):
            side = _side(found[1])
            if found[3]:
                self.double(side, int(found[3]))
            else:
                self.answer(side, found[2].lower() == "takes")
        elif found := _WINS.match(line):
            self.wins(_side(found[1]), int(found[2]), found[3] or "")
        else:
            self.trouble(f"not understood: {line[:60]!r}")

    def key(self, key: str, value: str, line: str) -> None:
        if key == "names":
            light, _, dark = value.partition("|")
            self.match = replace(self.match, names=(light.strip(), dark.strip()))
        elif key == "length" and value.isascii() and value.isdigit() and len(value) < 6:
            self.match = replace(self.match, length=int(value))
        elif key in ("crawford", "jacoby"):
            flag: dict[str, Any] = {key: value.lower() in ("yes", "true")}
            self.match = replace(self.match, **flag)
        elif key == "start" and self.game is not None and not self.actions:
            self.set_up(Position.from_document(json.loads(value)))
        elif key in ("rules", "date", "event", "site"):
            changes: dict[str, Any] = {key: value}
            self.match = replace(self.match, **changes)
        else:
            self.trouble(f"not understood: {line[:60]!r}")

    def roll(self, side: Side, dice: tuple[int, int], words: str) -> None:
        lowered = words.lower()
        if lowered.startswith("illegal"):
            self.stood(side, dice, Position.from_document(json.loads(words.partition("stood:")[2])))
        elif lowered == "not played":
            self.unplayed(side, dice)
        else:
            self.play_words(side, dice, "" if lowered == "no play" else words)
