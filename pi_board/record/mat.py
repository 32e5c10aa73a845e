"""Jellyfish `.mat`, the dialect that GNU Backgammon 1.07 reads and XG opens.

Light stands in the left column, dark in the right. What was found by trial: a money session needs the header
` 0 point match`; columns split at the second `:` of a line, or at two spaces after column 15; an illegal play
that stood is `52: Illegal play (<position>)` with the 40 fields of GNU Backgammon's Snowie text; a roll with nothing
beside it is a turn without a legal play, or the only legal play, or (where there is a choice) a resignation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from pi_board.errors import IllegalError, PiBoardError
from pi_board.record.building import MatchBuilder
from pi_board.record.match import (
    CHECKERS,
    NACKGAMMON,
    SIDES,
    Doubled,
    Dropped,
    FileProblem,
    GameRecord,
    MatchRecord,
    Parsed,
    Rolled,
    Took,
    how_lost,
    move_words,
)
from pi_board.record.turn_times import times_words
from pi_board.rules import RULE_SETS, STARTING_POSITION, Position, Side, legal_plays, opponent

LEFT_WIDTH = 27
#: As many characters of a name as GNU Backgammon has room for.
GNU_NAME = 31


# ------------------------------------------------------------------------------------------------ write


def write_mat(match: MatchRecord) -> str:
    """The whole match as text with \\n line ends. Names lose what the format cannot hold (`:`; control characters)."""
    names = (plain_name(match.names[0]), plain_name(match.names[1]))
    lines = []
    if match.site:
        lines.append(f'; [Site "{_header(match.site)}"]')
    if match.event:
        lines.append(f'; [Event "{_header(match.event)}"]')
    if match.date:
        lines.append(f'; [EventDate "{match.date[:10].replace("-", ".")}"]')
    if match.rules != "international":
        lines.append(f'; [Rules "{_header(match.rules)}"]')
    if match.games and all(game.start == NACKGAMMON for game in match.games):
        lines.append('; [Variation "NackGammon"]')
    if times := times_words(match):
        lines.append(f'; [Times "{_header(times)}"]')
    if lines:
        lines.append("")
    lines += [f" {match.length} point match", ""]
    for number, game in enumerate(match.games, 1):
        lines += [f" Game {number}", _pair(f" {names[0]} : {game.score[0]}", f"{names[1]} : {game.score[1]}")]
        lines += _game_lines(match, game, names)
        lines.append("")
    return "\n".join(lines)


#: Longer names would push the right column out of sight; GNU Backgammon itself keeps 31 characters.
LONGEST_NAME = 60
#: Stands for an empty name: GNU Backgammon refuses a game whose left name is empty.
NO_NAME = "?"


def plain_name(name: str) -> str:
    """A name as the format can hold it: one line, single spaces, no `:`."""
    text = " ".join("".join(c if c.isprintable() else " " for c in name).replace(":", ".").split())
    return text[:LONGEST_NAME].rstrip() or NO_NAME


def _header(text: str) -> str:
    return " ".join(text.replace('"', "'").replace("[", "(").replace("]", ")").split())


def _pair(left: str, right: str) -> str:
    # At least two spaces, or a cell without dice would run into its neighbour.
    return f"{left:<{LEFT_WIDTH + 5}}{right}" if len(left) < LEFT_WIDTH + 4 else f"{left}  {right}"


def _game_lines(match: MatchRecord, game: GameRecord, names: tuple[str, str]) -> list[str]:
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


def _cells(match: MatchRecord, game: GameRecord, names: tuple[str, str]) -> Iterator[tuple[Side, str]]:
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
                # The player gave the turn away, or another leaflet allows this. GNU Backgammon would read it as a resignation.
                yield action.side, f"{dice}Illegal play ({snowie_line(match, game, names, action, after)})"
            else:
                yield action.side, dice + move_words(before, action.side, action.moves)


def _may_move(before: Position, action: Rolled, rules: str) -> bool:
    return bool(legal_plays(before, action.dice, action.side, rules)[0].moves)


def snowie_line(
    match: MatchRecord, game: GameRecord, names: tuple[str, str], action: Rolled, position: Position
) -> str:
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
        names[me][:GNU_NAME],
        names[other][:GNU_NAME],
    ]
    fields += [int(game.crawford), game.score[me], game.score[other], value]
    fields.append(0 if owner is None else 1 if owner == side else -1)
    fields += [-bar[1], *points, bar[0], *action.dice]
    return ";".join(str(f).replace(";", ",") for f in fields) + ";"


def _cube_before(game: GameRecord, until: Rolled) -> tuple[int, Side | None]:
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
_MONEY = re.compile(r"^\s*(?:unlimited|money)\s+(?:match|game|session)", re.I)
_GAME = re.compile(r"^\s*game\s+(\d{1,6})\b[^:]*$", re.I)
_NAMES = re.compile(r"^\s?(.*?)\s*:\s*(\d{1,6})\s+(.*?)\s*:\s*(\d{1,6})(?:\s.*)?$")
_ROW = re.compile(r"^\s*\d{1,6}[).](?=\s|$)")
_WINS = re.compile(r"^wins\s+(\d{1,7})\s+points?", re.I)
_LOSES = re.compile(r"^los(?:s|e)s?e?s?\s+(\d{1,7})\s+points?", re.I)
_RESIGNS = re.compile(
    r"^(?:concedes?|resigns?|resigned|gives? up)\b\s*(?:a\s+)?(single|normal|gammon|backgammon)?", re.I
)
_HEADER = re.compile(r'^\s*;\s*\[\s*([A-Za-z ]{1,30}?)\s*"(.*)"\s*\]\s*$')
_ROLL = re.compile(r"^([1-6])([1-6])\s*:\s*(.*)$")
_DOUBLE = re.compile(r"^(?:re)?doubles?\s*(?:=>|to)?\s*(\d{1,6})?$", re.I)
_BEAVER = re.compile(r"^(?:beavers?|raccoons?)\b", re.I)
_ILLEGAL = re.compile(r"^illegal play\s*\(\s*(.*?)\s*\)$", re.I)
_NOT_MOVED = re.compile(
    r"^(?:\?{2,}|cannot move|can't move|no (?:legal )?(?:move|play)|\(no play\)|dances?)\s*$", re.I
)
#: What GamesGrid writes behind a name: ", 1623".
_RATING = re.compile(r",\s*\d{3,4}(?:\.\d+)?\s*$")
_LEVELS = {"gammon": 2, "backgammon": 3}


def _name(text: str) -> str:
    name = _RATING.sub("", text.strip())
    return "" if name == NO_NAME else name


class _Reader(MatchBuilder):
    """start: the position that games begin with, known from the header or given."""

    def __init__(self, start: Position) -> None:
        super().__init__()
        self.start = start
        self.named = False
        self.seen_length = False
        self.had_crawford = False
        self.beaver = False
        self.resigned: tuple[Side, int] | None = None
        self.guessed = False
        self.earlier: list[MatchRecord] = []

    def read(self, text: str) -> Parsed:
        for self.line, raw in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
            if raw.strip():
                self.one(_untabbed(raw).rstrip())
        if not self.seen_length:
            missing = 'no "N point match" line: not a .mat file, or its beginning is missing'
            self.problems.insert(0, FileProblem(0, missing))
        parsed = self.result("no game found")
        if not self.earlier:
            return parsed
        matches = (*self.earlier, parsed.match)
        told = FileProblem(0, f"{len(matches)} matches in this file; this is the first of them")
        return replace(parsed, match=matches[0], problems=(*parsed.problems, told), matches=matches)

    def one(self, raw: str) -> None:
        found: re.Match[str] | None
        if raw.lstrip("\ufeff \t").startswith((";", "#")):
            if found := _HEADER.match(raw):
                self.header(found[1].lower(), found[2])
        elif self.game is not None and _ROW.match(raw):
            self.row(raw)
        elif found := _LENGTH.match(raw):
            self.next_match(int(found[1]))
        elif _MONEY.match(raw):
            self.next_match(0)
        elif _GAME.match(raw):
            self.begin(GameRecord(start=self.start))
        elif self.game is not None and not self.actions and (found := _NAMES.match(raw)):
            self.names(found)
        elif _ROW.match(raw):
            self.trouble("a numbered line before any game")
            self.begin(GameRecord(start=self.start))
            self.row(raw)
        elif self.game is None or not self.loose(raw):
            self.trouble(f"not understood: {raw.strip()[:60]!r}")

    def header(self, key: str, value: str) -> None:
        if key in ("event", "site", "rules"):
            changes: dict[str, Any] = {key: value}
            self.match = replace(self.match, **changes)
        elif key == "eventdate":
            self.match = replace(self.match, date=value.replace(".", "-"))
        elif key == "crawford":
            self.match = replace(self.match, crawford=value.strip().lower() != "off")
        elif key == "jacoby":
            self.match = replace(self.match, jacoby=value.strip().lower() == "on")
        elif key == "variation" and value.strip().lower() == "nackgammon":
            self.start, self.named = NACKGAMMON, True

    def next_match(self, length: int) -> None:
        """A header: of the file's match, or of another one behind it."""
        self.finish()
        if self.games:
            self.earlier.append(replace(self.match, games=tuple(self.games)))
            self.match, self.games, self.had_crawford = MatchRecord(), [], False
        self.match = replace(self.match, length=length)
        self.seen_length = True

    def names(self, found: re.Match[str]) -> None:
        assert self.game is not None
        names = (_name(found[1]), _name(found[3]))
        score = (int(found[2]), int(found[4]))
        crawford = False
        if self.match.crawford and self.match.length > 1 and not self.had_crawford:
            crawford = (score[0] == self.match.length - 1) != (score[1] == self.match.length - 1)
            self.had_crawford |= crawford
        self.match = replace(self.match, names=names)
        self.game = replace(self.game, score=score, crawford=crawford)
        if self.guessed and self.games:
            # The next score shows how many points a resignation was worth.
            last, self.guessed = self.games[-1], False
            gained = (score[0] - last.score[0], score[1] - last.score[1])
            mine, theirs = gained if last.winner == "light" else gained[::-1]
            if mine > 0 == theirs:
                self.games[-1] = replace(last, points=mine)

    def row(self, raw: str) -> None:
        left, right = _columns(raw)
        # GNU Backgammon takes what follows the first `)`; a number with a dot is another program's.
        left = _ROW.sub("", left, count=1).strip()
        if left:
            self.cell("light", left)
        if right:
            self.cell("dark", right)

    def loose(self, raw: str) -> bool:
        """A line without a number: a result, or cells that a program wrote without one. False: neither."""
        cells = [(side, text) for side, text in zip(SIDES, _columns(raw), strict=True) if text.strip()]
        known = (_WINS, _LOSES, _RESIGNS, _ROLL, _DOUBLE, _TAKES, _DROPS)
        if not cells or not all(any(k.match(text.strip()) for k in known) for _, text in cells):
            return False
        for side, text in cells:
            self.cell(side, text.strip())
        return True

    def cell(self, side: Side, text: str) -> None:
        if found := _ROLL.match(text):
            if self.beaver:
                self.answer(side, took=True)
            self.beaver = False
            self.roll(side, (int(found[1]), int(found[2])), found[3].strip())
        elif found := _DOUBLE.match(text):
            self.double(side, int(found[1]) if found[1] else None)
        elif _BEAVER.match(text):
            # The taker redoubles at once (a beaver). It was accepted if the other player goes on playing.
            self.double(side, None)
            self.beaver = True
        elif _TAKES.match(text):
            self.answer(side, took=True)
        elif _DROPS.match(text):
            self.answer(side, took=False)
            if found := re.search(_WINS.pattern[1:], text, re.I):
                self.won(opponent(side), int(found[1]))
        elif found := _WINS.match(text):
            self.won(side, int(found[1]))
        elif found := _LOSES.match(text):
            self.won(opponent(side), int(found[1]))
        elif found := _RESIGNS.match(text):
            self.resigned = (side, _LEVELS.get((found[1] or "").lower(), 1))
        else:
            self.trouble(f"{side}: not understood: {text[:60]!r}")

    def roll(self, side: Side, dice: tuple[int, int], words: str) -> None:
        if found := _ILLEGAL.match(words):
            try:
                self.lay(side, dice, read_snowie(found[1], side))
            except PiBoardError as error:
                self.lose(side, dice, f"illegal play: {error}")
        elif not words or _NOT_MOVED.match(words):
            self.no_words(side, dice)
        else:
            self.play_words(side, dice, words)

    # ----------------------------------------------------------------------------------------- results

    def begin(self, game: GameRecord) -> None:
        super().begin(game)
        self.beaver, self.resigned = False, None

    def won(self, side: Side, points: int) -> None:
        """A result as the file has it. The board knows who bore everything off, and no game is worth more than three
        times its cube; a result written twice (for the winner and for the loser) counts once."""
        if self.game is None or self.game.winner is not None:
            if self.game is None or (self.game.winner, self.game.points) != (side, points):
                self.wins(side, points)
            return
        cube = self.cube()
        winner = self.borne_off() or side
        if winner != side:
            self.trouble(f"{side} wins, but {winner} bore off everything")
        worth = (
            [cube] if self.actions and isinstance(self.actions[-1], Dropped) else [cube, 2 * cube, 3 * cube]
        )
        if points not in worth:
            most = next((n for n in worth if points <= n), worth[-1])
            self.trouble(f"{side} wins {points}: with the cube at {cube} that is {most}")
            points = most
        self.wins(winner, points)

    def cube(self) -> int:
        """Its value now; an offer that was dropped does not count."""
        doubles = [
            a.value for a, b in pairwise(self.actions) if isinstance(a, Doubled) and isinstance(b, Took)
        ]
        return doubles[-1] if doubles else 1

    def borne_off(self) -> Side | None:
        if self.lost:
            return None
        return next((s for s, off in zip(SIDES, self.position.off, strict=True) if off == CHECKERS), None)

    def finish(self) -> None:
        if self.game is not None and self.game.winner is None:
            self.settle_result()
        super().finish()

    def settle_result(self) -> None:
        """A game without a result line: what the board, a drop or a resignation says, as GNU Backgammon has it."""
        last = self.actions[-1] if self.actions else None
        if (winner := self.borne_off()) is not None:
            level = _LEVELS.get(how_lost(self.position, opponent(winner)), 1)
            self.wins(winner, level * self.cube())
        elif isinstance(last, Dropped):
            self.wins(opponent(last.side), self.cube())
        elif self.resigned is not None:
            side, level = self.resigned
            self.guessed = True
            self.wins(opponent(side), level * self.cube(), "resigned")

    def lay(self, side: Side, dice: tuple[int, int], position: Position) -> None:
        """An illegal play, unless it is what `write_mat` makes of a turn without a play under another leaflet."""
        rules = self.match.rules
        if position == self.position and rules in RULE_SETS and rules != "international":
            none = Rolled(side, dice)
            if not _may_move(position, none, rules):
                self.actions.append(none)
                return
        self.stood(side, dice, position)


def _untabbed(raw: str) -> str:
    """A line whose columns stand apart by tabs, as one with spaces: the first column left, the last one right."""
    if "\t" not in raw:
        return raw
    number = _ROW.match(raw)
    cells = [cell.strip() for cell in (raw[number.end() :] if number else raw).split("\t")]
    if number is None or sum(map(bool, cells)) not in (1, 2):
        return raw.expandtabs(8)
    if not cells[0]:
        # A tab behind the number begins the left column.
        del cells[0]
    right = next(cell for cell in reversed(cells) if cell) if any(cells[1:]) else ""
    return _pair(f"{number[0].strip()} {cells[0]}", right)


_TAKES = re.compile(r"^(?:takes?|accepts?)\b", re.I)
_DROPS = re.compile(r"^(?:drops?|pass(?:es)?|rejects?)\b", re.I)


def _columns(line: str) -> tuple[str, str]:
    """Left and right part of a line, split as GNU Backgammon splits it: two places before the second `:`, else at the
    first two spaces after column 15; a cell without dice also at two spaces before that."""
    flat = _outside_brackets(line)
    first = flat.find(":")
    second = flat.find(":", first + 1)
    if first >= 0 and second > 3:
        return line[: second - 2], line[second - 2 :].strip()
    gap = flat.find("  ", 15)
    if gap < 0:
        lead = _ROW.match(line)
        start = lead.end() if lead else 0
        gap = flat.find("  ", start + len(flat[start:]) - len(flat[start:].lstrip()))
    left, right = (line, "") if gap < 0 else (line[:gap], line[gap:].strip())
    if right and _MOVES.fullmatch(right):
        # Only wide spaces between the moves of one play.
        return line, ""
    return left, right


_MOVES = re.compile(r"(?:(?:bar|off|[\d/*(),]|\s)+)", re.I)


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
    """Everything that can be understood of a `.mat` text, and a list of what could not, by line.

    A file that cannot be followed from the usual start but can be from NackGammon's is one of that variation.
    """
    reader = _Reader(STARTING_POSITION)
    parsed = reader.read(text)
    if parsed.lost and not reader.named:
        other = _Reader(NACKGAMMON).read(text)
        if not other.lost:
            return other
    return parsed
