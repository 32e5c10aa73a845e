"""The match sheet: what a match came to, on paper, fit to sign. Built from the journal; written as HTML or PDF."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from pi_board.errors import InvalidFileError
from pi_board.events import (
    ChallengeAnswered,
    Event,
    HintAsked,
    MatchAgreed,
    MatchStarted,
    PlayIllegal,
    PointsGiven,
    TimeOut,
)
from pi_board.record.board_picture import png
from pi_board.record.exhibits import Exhibit, exhibits
from pi_board.record.journal import read_journal
from pi_board.record.match import SIDES, Doubled, Dropped, GameRecord, MatchRecord, Rolled, Took, Transcript
from pi_board.record.statistics import Statistics, fairness, fairness_verdict
from pi_board.record.turn_times import PHASES, turn_times
from pi_board.rules import Side
from pi_board.table import clock_words

#: Pictures of illegal plays on one sheet.
MOST_PICTURES = 12


@dataclass(frozen=True, slots=True)
class SheetWords:
    """A language. sheet: headings and templates. words: how a game was won, and sides. reasons: why a play was illegal, by its
    code; empty for the referee's own words, which also name points and numbers."""

    code: str
    sheet: Mapping[str, str]
    words: Mapping[str, str]
    reasons: Mapping[str, str]

    def __getitem__(self, key: str) -> str:
        return self.sheet[key]

    def head(self, *keys: str) -> tuple[str, ...]:
        return tuple(self.sheet[key] for key in keys)


@dataclass(frozen=True, slots=True)
class Table:
    """rows: cells as text; the first column names the row."""

    heading: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Pictures:
    """(caption, JPEG or PNG bytes) of each."""

    heading: str
    pictures: tuple[tuple[str, bytes], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """facts: (name, value) lines at the top. signatures: who signs. language: its code, "en"."""

    title: str
    language: str
    facts: tuple[tuple[str, str], ...]
    blocks: tuple[Table | Pictures, ...]
    signatures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CoachRating:
    """What the coach found of one player: unforced decisions, equity lost a decision in thousandths, luck."""

    decisions: int
    error_rate: float
    luck: float


@dataclass(frozen=True, slots=True)
class Played:
    """One match of a journal: the record, its events, pictures of it."""

    match: MatchRecord
    events: tuple[Event, ...]
    exhibits: tuple[Exhibit, ...]
    number: int
    started: str = ""


def played(journal: Path, number: int = 0) -> Played:
    """Match `number` of a journal, counted from 1 (0: the last in which anything was played). Raises InvalidFileError."""
    content = read_journal(journal)
    transcript = Transcript()
    for event in content.events:
        transcript.add(event)
    matches = transcript.matches()
    if not any(game.actions for match in matches for game in match.games):
        why = f" ({content.problems[0]})" if content.problems else ""
        raise InvalidFileError(f"{journal}: expected a journal with games in it{why}")
    if not 0 <= number <= len(matches):
        raise InvalidFileError(f"{journal}: expected a match from 1 to {len(matches)}, got {number}")
    which = (number or len(matches)) - 1
    match = matches[which]
    # Skip matches in which nothing was played. A match begins with the last `match_started` before its first play.
    starts = [i for i, e in enumerate(content.events) if isinstance(e, MatchStarted)] + [len(content.events)]
    parts = [content.events[a:b] for a, b in pairwise(starts)]
    parts = [p for p in parts if any(e.type == "turn_ended" for e in p)] or [content.events]
    events = tuple(parts[min(which, len(parts) - 1)])
    found = tuple(e for e in exhibits(journal, content) if e.verdict is not None and e.match == which)
    return Played(match, events, found, which + 1, content.started)


def match_sheet(
    of: Played,
    words: SheetWords,
    ratings: Mapping[Side, CoachRating] | None = None,
    *,
    session: str = "",
) -> Sheet:
    """The sheet of one match. ratings: the coach's, where it has looked the match over."""
    match = of.match
    names = _names(match, words)
    blocks: list[Table | Pictures] = [_games(match, words, names)]
    for block in (
        _cube(match, words, names),
        _times(of, words, names),
        _illegal(of, words, names),
        _dice(of, words, names),
        _ratings(ratings, words, names),
        _besides(of, words, names),
    ):
        if block is not None:
            blocks.append(block)
    signatures = (*names.values(), words["director"])
    return Sheet(
        " – ".join(names.values()), words.code, _facts(of, words, names, session), tuple(blocks), signatures
    )


def _names(match: MatchRecord, words: SheetWords) -> dict[Side, str]:
    """Players by side; who gave no name is called by the side."""
    unnamed = {"light": "Light", "dark": "Dark"}
    return {
        side: words.words[side] if name in ("", unnamed[side]) else name
        for side, name in zip(SIDES, match.names, strict=True)
    }


def _facts(
    of: Played, words: SheetWords, names: Mapping[Side, str], session: str
) -> tuple[tuple[str, str], ...]:
    match = of.match
    agreed = next((e for e in reversed(of.events) if isinstance(e, MatchAgreed)), None)
    score = f"{match.score[0]} – {match.score[1]}"
    facts = [
        ("score", words["match_to" if match.length else "money"].format(score=score, length=match.length)),
        ("winner", _winner(match, names)),
        ("date", match.date or of.started[:10]),
        ("event", " · ".join(t for t in (match.event, match.site) if t)),
        (
            "rules",
            match.rules
            if match.crawford or not match.length
            else words["no_crawford"].format(rules=match.rules),
        ),
        ("refereed", words[agreed.mode if agreed else "legal"]),
        ("hints", "" if agreed is None else words["allowed" if agreed.hints else "locked"]),
        ("journal", session),
    ]
    return tuple((words[key], value) for key, value in facts if value)


def _winner(match: MatchRecord, names: Mapping[Side, str]) -> str:
    if match.length:
        for side, score in zip(SIDES, match.score, strict=True):
            if score >= match.length:
                return names[side]
    return ""


def _games(match: MatchRecord, words: SheetWords, names: Mapping[Side, str]) -> Table:
    rows, total = [], [0, 0]
    for number, game in enumerate(match.games, 1):
        total = list(game.score)
        if game.winner is not None:
            total[SIDES.index(game.winner)] += game.points
        name = names[game.winner] if game.winner else words["unfinished"]
        kind = words.words.get(game.kind, game.kind)
        if game.crawford:
            kind = words["crawford_game"].format(kind=kind).strip()
        turns = sum(isinstance(a, Rolled) for a in game.actions)
        rows.append(
            (
                str(number),
                name,
                str(game.points or ""),
                kind,
                str(game.cube()),
                str(turns),
                f"{total[0]} – {total[1]}",
            )
        )
    head = words.head("game", "won_by", "points", "how", "cube", "turns", "score")
    return Table(words["games"], head, tuple(rows))


def _cube(match: MatchRecord, words: SheetWords, names: Mapping[Side, str]) -> Table | None:
    rows = []
    for number, game in enumerate(match.games, 1):
        turn = 0
        for i, action in enumerate(game.actions):
            turn += isinstance(action, Rolled)
            if isinstance(action, Doubled):
                answer = game.actions[i + 1] if i + 1 < len(game.actions) else None
                key = "takes" if isinstance(answer, Took) else "passes" if isinstance(answer, Dropped) else ""
                said = words[key].format(name=names[_other(action.side)]) if key else ""
                rows.append((str(number), str(turn + 1), names[action.side], str(action.value), said))
    if not rows:
        return None
    head = words.head("game", "before_turn", "doubles", "to", "answer")
    return Table(words["cube"], head, tuple(rows))


def _other(side: Side) -> Side:
    return "dark" if side == "light" else "light"


def _times(of: Played, words: SheetWords, names: Mapping[Side, str]) -> Table | None:
    times = turn_times(of.match.games)
    if not any(t.all for t in times.values()):
        return None
    out = [e for e in of.events if isinstance(e, TimeOut)]
    rows = []
    for side in SIDES:
        t = times[side]
        every = t.all
        by_phase = [f"{sum(s) / len(s):.1f} s" if (s := t.seconds.get(p)) else "–" for p in PHASES]
        left = "–" if t.left is None else clock_words(int(t.left))
        if any(e.side == side for e in out):
            left = words["out_of_time"].format(left=left)
        rows.append(
            (
                names[side], clock_words(int(sum(every))), f"{sum(every) / max(1, len(every)):.1f} s",
                f"{max(every, default=0):.0f} s", *by_phase, left, str(t.trouble),
            )
        )  # fmt: skip
    phases = (phase.replace("-", "_") for phase in PHASES)
    head = words.head("player", "in_all", "a_turn", "longest", *phases, "left", "trouble")
    return Table(words["time"], head, tuple(rows), words["trouble_note"])


def _stood(game: GameRecord) -> list[tuple[int, Rolled]]:
    rolls = [(i, a) for i, a in enumerate(game.actions) if isinstance(a, Rolled)]
    return [(i, a) for i, a in rolls if a.stood is not None]


def _reasons(events: Sequence[Event], words: SheetWords) -> dict[tuple[int, int], str]:
    """What was wrong with the last illegal play seen at (game, actions in it so far)."""
    transcript, found = Transcript(), {}
    for event in events:
        if isinstance(event, PlayIllegal):
            games = transcript.result().games
            in_hand = len(games) > len(transcript.match.games)
            reason = words.reasons.get(event.code, event.reason)
            found[len(transcript.match.games), len(games[-1].actions) if in_hand else 0] = (
                reason[:1].upper() + reason[1:]
            )
        transcript.add(event)
    return found


def _illegal(of: Played, words: SheetWords, names: Mapping[Side, str]) -> Pictures | None:
    pictures: list[tuple[str, bytes]] = []
    reasons = _reasons(of.events, words)
    for number, game in enumerate(of.match.games, 1):
        positions = list(game.positions())
        for index, action in _stood(game):
            turn = sum(isinstance(a, Rolled) for a in game.actions[: index + 1])
            exhibit = next(
                (e for e in reversed(of.exhibits) if (e.game, e.actions) == (number - 1, index)), None
            )
            reason = reasons.get((number - 1, index), "")
            dice = f"{action.dice[0]}-{action.dice[1]}"
            what = words["caption"].format(game=number, turn=turn, name=names[action.side], dice=dice)
            caption = f"{what} {reason}".strip()
            photo = exhibit.file("after.jpg") if exhibit else None
            data = (
                photo.read_bytes() if photo else png(positions[index][2], dice=action.dice, side=action.side)
            )
            pictures.append((caption, data))
    if not pictures:
        return None
    more = len(pictures) - MOST_PICTURES
    note = words["more"].format(count=more) if more > 0 else ""
    return Pictures(words["illegal"], tuple(pictures[:MOST_PICTURES]), note)


def _dice(of: Played, words: SheetWords, names: Mapping[Side, str]) -> Table:
    statistics = Statistics()
    statistics.add(of.events)
    shown = dict(zip(of.match.names, names.values(), strict=True))
    counted = [
        (shown.get(name, name), [player.dice[n] for n in range(1, 7)])
        for name, player in statistics.players.items()
    ]
    both = [statistics.dice[n] for n in range(1, 7)]
    rows = [
        (
            name,
            *map(str, counts),
            f"{sum(counts) / 6:.1f}",
            f"{chi_square(counts):.1f}",
            f"{fairness(counts):.2f}",
        )
        for name, counts in [*counted, (words["both"], both)]
    ]
    verdict = words[f"dice_{fairness_verdict(both)}"].format(dice=sum(both), p=f"{fairness(both):.2g}")
    rolls = sum(statistics.pairs.values())
    doubles = sum(n for (a, b), n in statistics.pairs.items() if a == b)
    note = words["dice_note"].format(
        rolls=rolls, doubles=doubles, expected=f"{rolls / 6:.1f}", verdict=verdict
    )
    head = (words["dice"], *map(str, range(1, 7)), words["expected"], "χ² (5)", "p")
    return Table(words["dice"], head, tuple(rows), note)


def chi_square(counts: Sequence[int]) -> float:
    """Pearson's statistic of six counts against equal ones; 0 without rolls."""
    expected = sum(counts) / 6
    return sum((n - expected) ** 2 for n in counts) / expected if expected else 0.0


def _ratings(
    ratings: Mapping[Side, CoachRating] | None, words: SheetWords, names: Mapping[Side, str]
) -> Table | None:
    if not ratings:
        return None
    rows = tuple(
        (names[side], str(r.decisions), f"{r.error_rate:.1f}", f"{r.error_rate / 2:.1f}", f"{r.luck:+.2f}")
        for side, r in ratings.items()
    )
    head = (*words.head("player", "decisions", "error_rate"), "PR", words["luck"])
    return Table(words["play"], head, rows, words["play_note"])


def _besides(of: Played, words: SheetWords, names: Mapping[Side, str]) -> Table | None:
    """Challenges, hints, penalties: what else an arbiter would want to know."""
    asked: Counter[tuple[str, str]] = Counter()
    for event in of.events:
        if isinstance(event, ChallengeAnswered):
            asked[names[event.side], words["asked_legal" if event.legal else "asked_illegal"]] += 1
        elif isinstance(event, HintAsked) and event.side is not None:
            asked[names[event.side], words["asked_hint"]] += 1
        elif isinstance(event, TimeOut):
            asked[names[event.side], words["out_of_time"].format(left="0:00")] += 1
        elif isinstance(event, PointsGiven):
            asked[names[event.side], words["given"].format(points=event.points)] += 1
    rows = tuple((name, what, str(n)) for (name, what), n in asked.items())
    return Table(words["besides"], words.head("player", "what", "times"), rows) if rows else None
