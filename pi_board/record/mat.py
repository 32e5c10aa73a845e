"""Jellyfish `.mat`, the dialect that GNU Backgammon 1.07 reads and XG opens.

Light stands in the left column, dark in the right. What was found by trial: a money session needs the header
` 0 point match`; columns split at the second `:` of a line, or at two spaces after column 15; an illegal play
that stood is `52: Illegal play (<position>)` with the 40 fields of GNU Backgammon's Snowie text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pi_board.errors import IllegalError, PiBoardError
from pi_board.record.building import MatchBuilder
from pi_board.record.match import Doubled, Dropped, Game, Match, Parsed, Problem, Rolled, Took, move_words
from pi_board.rules import RULE_SETS, Position, Side, legal_plays, opponent

LEFT_WIDTH = 27


# ------------------------------------------------------------------------------------------------ write


def write_mat(match: Match) -> str:
    """The whole match as text with \\n line ends. Names lose what the format cannot hold (`:`; control characters)."""
    names = (plain_name(match.names[0], "Light"), plain_name(match.names[1], "Dark"))
    lines = []
    if match.site:
        lines.append(f'; [Site "{_header(match.site)}"]')
    if match.event:
        lines.append(f'; [Event "{_header(match.event)}"]')
    if match.date:
        lines.append(f'; [EventDate "{match.date[:10].replace("-", ".")}"]')
    if match.rules != "international":
        lines.append(f'; [Rules "{_header(match.rules)}"]')
    if lines:
        lines.append("")
    lines += [f" {match.length} point match", ""]
    for number, game in enumerate(match.games, 1):
        lines += [f" Game {number}", _pair(f" {names[0]} : {game.score[0]}", f"{names[1]} : {game.score[1]}")]
        lines += _game_lines(match, game, names)
        lines.append("")
    return "\n".join(lines)


def plain_name(name: str, default: str) -> str:
    """A name as the format can hold it: one line, single spaces, no `:`, at most 20 characters."""
    text = " ".join("".join(c if c.isprintable() else " " for c in name).replace(":", ".").split())
    return text[:20].rstrip() or default


def _header(text: str) -> str:
    return " ".join(text.replace('"', "'").replace("[", "(").replace("]", ")").split())


def _pair(left: str, right: str) -> str:
    # At least two spaces, or a cell without dice would run into its neighbour.
    return f"{left:<{LEFT_WIDTH + 5}}{right}" if len(left) < LEFT_WIDTH + 4 else f"{left}  {right}"


def _game_lines(match: Match, game: Game, names: tuple[str, str]) -> list[str]:
    cells = list(_cells(match, game, names))
    rows: list[list[str]] = []
    for side, text in cells:
        if side == "light":
            rows.append([text, ""])
        elif rows and not rows[-1][1] and rows[-1][0] is not None:
            rows[-1][1] = text
        else:
            rows.append(["", text])
    lines = []
    for n, (left, right) in enumerate(rows, 1):
        lines.append(_pair(f"{n:3d}) {left}", right).rstrip() if right else f"{n:3d}) {left}".rstrip())
    if game.winner is not None:
        result = f"Wins {game.points} point{'' if game.points == 1 else 's'}"
        if match.length and match.score[game.winner == "dark"] >= match.length and game is match.games[-1]:
            result += " and the match"
        last = game.actions[-1] if game.actions else None
        if isinstance(last, Dropped) and last.side == "light" and rows and not rows[-1][1]:
            # After a drop in the left column the reader wants the result on the same line.
            lines[-1] = _pair(lines[-1], " " + result)
        elif game.winner == "light":
            lines.append("      " + result)
        else:
            lines.append(" " * (LEFT_WIDTH + 7) + result)
    return lines


def _cells(match: Match, game: Game, names: tuple[str, str]) -> Iterator[tuple[Side, str]]:
    for action, before, after in game.positions():
        if isinstance(action, Doubled):
            yield action.side, f" Doubles => {action.value}"
        elif isinstance(action, Took):
            yield action.side, " Takes"
        elif isinstance(action, Dropped):
            yield action.side, " Drops"
        else:
            dice = f"{action.dice[0]}{action.dice[1]}: "
            if action.stood is not None:
                yield action.side, f"{dice}Illegal play ({snowie_line(match, game, names, action, after)})"
            elif action.moves is None:
                yield action.side, f"{dice}????"
            elif not action.moves and _may_move(before, action, "international"):
                # Other leaflets know turns without a play where GNU Backgammon would not have it.
                yield action.side, f"{dice}Illegal play ({snowie_line(match, game, names, action, after)})"
            else:
                yield action.side, dice + move_words(before, action.side, action.moves)


def _may_move(before: Position, action: Rolled, rules: str) -> bool:
    return bool(legal_plays(before, action.dice, action.side, rules)[0].moves)


def snowie_line(match: Match, game: Game, names: tuple[str, str], action: Rolled, position: Position) -> str:
    """The 40 fields: match, mover, scores, cube, 26 counts, dice.

    By trial GNU Backgammon reads the counts as seen by the *next* player (its own positive), whoever is named.
    """
    side = action.side
    me, other = (0, 1) if side == "light" else (1, 0)
    points, bar, _ = position.seen_from(opponent(side))
    value, owner = _cube_before(game, action)
    fields: list[object] = [
        match.length,
        int(match.jacoby),
        0,
        int(not match.length),
        me,
        names[me],
        names[other],
    ]
    fields += [int(game.crawford), game.score[me], game.score[other], value]
    fields.append(0 if owner is None else 1 if owner == side else -1)
    fields += [-bar[1], *points, bar[0], *action.dice]
    return ";".join(str(f).replace(";", ",") for f in fields) + ";"


def _cube_before(game: Game, until: Rolled) -> tuple[int, Side | None]:
    value, owner, offer = 1, None, 1
    for action in game.actions:
        if action is until:
            break
        if isinstance(action, Doubled):
            offer = action.value
        elif isinstance(action, Took):
            value, owner = offer, action.side
    return value, owner


# ------------------------------------------------------------------------------------------------- read

_LENGTH = re.compile(r"^\s*(\d{1,5})\s+point\s+match", re.I)
_GAME = re.compile(r"^\s*game\s+(\d{1,6})\s*$", re.I)
_NAMES = re.compile(r"^\s?(.*?)\s*:\s*(\d{1,6})(?:\s{2,}|\s+)(.*?)\s*:\s*(\d{1,6})\s*$")
_ROW = re.compile(r"^\s*(\d{1,6})\)(.*)$")
_WINS = re.compile(r"wins\s+(\d{1,7})\s+points?", re.I)
_HEADER = re.compile(r'^\s*;\s*\[\s*([A-Za-z ]{1,30}?)\s*"(.*)"\s*\]\s*$')
_ROLL = re.compile(r"^([1-6])([1-6])\s*:\s*(.*)$")
_DOUBLE = re.compile(r"^doubles?\s*(?:=>|to)?\s*(\d{1,6})?$", re.I)
_ILLEGAL = re.compile(r"^illegal play\s*\(\s*(.*?)\s*\)$", re.I)


class _Reader(MatchBuilder):
    def __init__(self) -> None:
        super().__init__()
        self.seen_length = False

    def read(self, text: str) -> Parsed:
        for self.line, raw in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
            if raw.strip():
                self.one(raw.rstrip())
        if not self.seen_length:
            missing = 'no "N point match" line: not a .mat file, or its beginning is missing'
            self.problems.insert(0, Problem(0, missing))
        return self.result("no game found")

    def one(self, raw: str) -> None:
        if self.game is not None and (found := _ROW.match(raw)):
            self.row(len(raw) - len(found[2]), found[2])
        elif found := _HEADER.match(raw):
            key, value = found[1].lower(), found[2]
            if key == "event":
                self.match = replace(self.match, event=value)
            elif key == "site":
                self.match = replace(self.match, site=value)
            elif key == "eventdate":
                self.match = replace(self.match, date=value.replace(".", "-"))
            elif key == "rules":
                self.match = replace(self.match, rules=value)
        elif raw.lstrip().startswith(";"):
            return
        elif found := _LENGTH.match(raw):
            self.match = replace(self.match, length=int(found[1]))
            self.seen_length = True
        elif _GAME.match(raw):
            self.begin(Game())
        elif self.game is not None and not self.actions and (found := _NAMES.match(raw)):
            self.match = replace(self.match, names=(found[1].strip() or "Light", found[3].strip() or "Dark"))
            self.game = replace(self.game, score=(int(found[2]), int(found[4])))
        elif found := _ROW.match(raw):
            self.trouble("a numbered line before any game")
            self.begin(Game())
            self.row(len(raw) - len(found[2]), found[2])
        elif found := _WINS.search(raw):
            self.wins("light" if len(raw) - len(raw.lstrip()) < 20 else "dark", int(found[1]))
        else:
            self.trouble(f"not understood: {raw.strip()[:60]!r}")

    def row(self, offset: int, body: str) -> None:
        left, right = _columns(offset, body)
        if left:
            self.cell("light", left)
        if right:
            self.cell("dark", right)

    def cell(self, side: Side, text: str) -> None:
        lowered = text.lower()
        if found := _ROLL.match(text):
            self.roll(side, (int(found[1]), int(found[2])), found[3].strip())
        elif found := _DOUBLE.match(text):
            self.double(side, int(found[1]) if found[1] else None)
        elif lowered.startswith("take"):
            self.answer(side, took=True)
        elif lowered.startswith(("drop", "pass")):
            self.answer(side, took=False)
            if found := _WINS.search(text):
                self.wins(opponent(side), int(found[1]))
        elif found := _WINS.match(text):
            self.wins(side, int(found[1]))
        else:
            self.trouble(f"{side}: not understood: {text[:60]!r}")

    def roll(self, side: Side, dice: tuple[int, int], words: str) -> None:
        if found := _ILLEGAL.match(words):
            try:
                self.lay(side, dice, read_snowie(found[1], side))
            except PiBoardError as error:
                self.trouble(f"{side}: illegal play: {error}")
        elif words.startswith("?"):
            self.unplayed(side, dice)
        else:
            if words.lower().startswith(("cannot move", "can't move", "no move")):
                words = ""
            self.play_words(side, dice, words)

    def lay(self, side: Side, dice: tuple[int, int], position: Position) -> None:
        """An illegal play, unless it is what `write_mat` makes of a turn without a play under another leaflet."""
        rules = self.match.rules
        if position == self.position and rules in RULE_SETS and rules != "international":
            none = Rolled(side, dice)
            if not _may_move(position, none, rules):
                self.actions.append(none)
                return
        self.stood(side, dice, position)

    def finish(self) -> None:
        if self.whose_win_is_missing() is not None:
            self.trouble(f"game {len(self.games) + 1} has a winner on the board but no result line")
        super().finish()


def _columns(offset: int, body: str) -> tuple[str, str]:
    """Left and right cell of a numbered line; `offset` = width of its number."""
    flat = _outside_brackets(body)
    second = flat.find(":", flat.find(":") + 1)
    if second > flat.find(":") >= 0:
        return body[: second - 2].strip(), body[second - 2 :].strip()
    lead = len(body) - len(body.lstrip())
    if lead >= 20:
        return "", body.strip()
    gap = flat.find("  ", max(lead, 1, 15 - offset if lead < 10 else 0))
    if gap < 0:
        gap = flat.rstrip().find("  ", lead)
    return (body.strip(), "") if gap < 0 else (body[:gap].strip(), body[gap:].strip())


def _outside_brackets(body: str) -> str:
    """`body` with what stands in brackets blanked by a filler of the same length (names there may hold anything)."""
    if ";" not in body:
        return body
    return re.sub(r"\(([^()]*)\)", lambda m: "(" + "x" * len(m[1]) + ")", body)


def read_snowie(line: str, side: Side) -> Position:
    """The position after an illegal play of `side`, whose counts are seen by the next player. Raises IllegalError or an invalid error."""
    fields = line.strip().rstrip(";").split(";")
    if len(fields) != 40:
        raise IllegalError(f"expected 40 fields, got {len(fields)}")
    try:
        counts = [int(f) for f in fields[12:38]]
    except ValueError:
        raise IllegalError("expected whole numbers as counts of checkers") from None
    points, bar = counts[1:25], [counts[25], -counts[0]]
    off = [15 - bar[0] - sum(n for n in points if n > 0), 15 - bar[1] - sum(-n for n in points if n < 0)]
    return Position.from_seen(opponent(side), points, bar, off)


def read_mat(text: str) -> Parsed:
    """Everything that can be understood of a `.mat` text, and a list of what could not, by line."""
    return _Reader().read(text)
