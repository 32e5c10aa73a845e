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
from pi_board.record.statistics import Statistics, fairness, fairness_words
from pi_board.record.turn_times import PHASES, turn_times
from pi_board.rules import Side
from pi_board.table import clock_words

MODES = {
    "legal": "legal moves (an illegal play is shown at once)",
    "responsible": "responsible moves (an illegal play is shown when the opponent asks)",
    "recorder": "recorded only (plays are not judged)",
}
#: Pictures of illegal plays on one sheet.
MOST_PICTURES = 12


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
    """facts: (name, value) lines at the top. signatures: who signs."""

    title: str
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


def match_sheet(of: Played, ratings: Mapping[Side, CoachRating] | None = None, *, session: str = "") -> Sheet:
    """The sheet of one match. ratings: the coach's, where it has looked the match over."""
    match = of.match
    blocks: list[Table | Pictures] = [_games(match)]
    for block in (_cube(match), _times(of), _illegal(of), _dice(of), _ratings(match, ratings), _words(of)):
        if block is not None:
            blocks.append(block)
    return Sheet(
        f"{match.names[0]} – {match.names[1]}",
        _facts(of, session),
        tuple(blocks),
        (*match.names, "Director"),
    )


def _facts(of: Played, session: str) -> tuple[tuple[str, str], ...]:
    match = of.match
    agreed = next((e for e in reversed(of.events) if isinstance(e, MatchAgreed)), None)
    score = match.score
    facts = [
        (
            "Score",
            f"{score[0]} – {score[1]}" + (f" (match to {match.length})" if match.length else " (money)"),
        ),
        ("Winner", _winner(match)),
        ("Date", match.date or of.started[:10]),
        ("Event", " · ".join(t for t in (match.event, match.site) if t)),
        ("Rules", match.rules + ("" if match.crawford or not match.length else ", without Crawford")),
        ("Refereed", MODES[agreed.mode] if agreed else MODES["legal"]),
        ("Hints", "" if agreed is None else "allowed" if agreed.hints else "locked"),
        ("Journal", session),
    ]
    return tuple((name, value) for name, value in facts if value)


def _winner(match: MatchRecord) -> str:
    if match.length:
        for i, name in enumerate(match.names):
            if match.score[i] >= match.length:
                return name
    return ""


def _games(match: MatchRecord) -> Table:
    rows, total = [], [0, 0]
    for number, game in enumerate(match.games, 1):
        total = list(game.score)
        if game.winner is not None:
            total[SIDES.index(game.winner)] += game.points
        name = match.names[SIDES.index(game.winner)] if game.winner else "unfinished"
        kind = game.kind + (" (Crawford game)" if game.crawford else "")
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
    return Table("Games", ("Game", "Won by", "Points", "How", "Cube", "Turns", "Score"), tuple(rows))


def _cube(match: MatchRecord) -> Table | None:
    rows = []
    for number, game in enumerate(match.games, 1):
        turn = 0
        for i, action in enumerate(game.actions):
            turn += isinstance(action, Rolled)
            if isinstance(action, Doubled):
                answer = game.actions[i + 1] if i + 1 < len(game.actions) else None
                word = (
                    "takes" if isinstance(answer, Took) else "passes" if isinstance(answer, Dropped) else ""
                )
                who, other = (match.names[SIDES.index(s)] for s in (action.side, _other(action.side)))
                rows.append(
                    (str(number), str(turn + 1), who, str(action.value), f"{other} {word}" if word else "")
                )
    return Table("Cube", ("Game", "Before turn", "Doubles", "To", "Answer"), tuple(rows)) if rows else None


def _other(side: Side) -> Side:
    return "dark" if side == "light" else "light"


def _times(of: Played) -> Table | None:
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
        late = sum(e.side == side for e in out)
        rows.append(
            (
                of.match.names[SIDES.index(side)], clock_words(int(sum(every))), f"{sum(every) / max(1, len(every)):.1f} s",
                f"{max(every, default=0):.0f} s", *by_phase, left + (" (out of time)" if late else ""), str(t.trouble),
            )
        )  # fmt: skip
    head = (
        "Player",
        "In all",
        "A turn",
        "Longest",
        *(p.capitalize() for p in PHASES),
        "Left",
        "Turns in trouble",
    )
    return Table("Time", head, tuple(rows), "Turns in trouble: ended with less than a minute left.")


def _stood(game: GameRecord) -> list[tuple[int, Rolled]]:
    rolls = [(i, a) for i, a in enumerate(game.actions) if isinstance(a, Rolled)]
    return [(i, a) for i, a in rolls if a.stood is not None]


def _reasons(events: Sequence[Event]) -> dict[tuple[int, int], str]:
    """What was wrong with the last illegal play seen at (game, actions in it so far)."""
    transcript, found = Transcript(), {}
    for event in events:
        if isinstance(event, PlayIllegal):
            games = transcript.result().games
            in_hand = len(games) > len(transcript.match.games)
            found[len(transcript.match.games), len(games[-1].actions) if in_hand else 0] = event.reason
        transcript.add(event)
    return found


def _illegal(of: Played) -> Pictures | None:
    pictures: list[tuple[str, bytes]] = []
    reasons = _reasons(of.events)
    for number, game in enumerate(of.match.games, 1):
        positions = list(game.positions())
        for index, action in _stood(game):
            turn = sum(isinstance(a, Rolled) for a in game.actions[: index + 1])
            exhibit = next(
                (e for e in reversed(of.exhibits) if (e.game, e.actions) == (number - 1, index)), None
            )
            reason = reasons.get((number - 1, index), "")
            name = of.match.names[SIDES.index(action.side)]
            caption = (
                f"Game {number}, turn {turn}: {name} {action.dice[0]}-{action.dice[1]}. {reason}".strip()
            )
            photo = exhibit.file("after.jpg") if exhibit else None
            data = (
                photo.read_bytes() if photo else png(positions[index][2], dice=action.dice, side=action.side)
            )
            pictures.append((caption, data))
    if not pictures:
        return None
    more = len(pictures) - MOST_PICTURES
    note = f"{more} more are in the record." if more > 0 else ""
    return Pictures("Illegal plays that stood", tuple(pictures[:MOST_PICTURES]), note)


def _dice(of: Played) -> Table:
    statistics = Statistics()
    statistics.add(of.events)
    figures = statistics.players
    rows = []
    for name, player in figures.items():
        counts = [player.dice[n] for n in range(1, 7)]
        rows.append(
            (
                name,
                *map(str, counts),
                f"{sum(counts) / 6:.1f}",
                f"{chi_square(counts):.1f}",
                f"{fairness(counts):.2f}",
            )
        )
    both = [statistics.dice[n] for n in range(1, 7)]
    rows.append(
        ("Both", *map(str, both), f"{sum(both) / 6:.1f}", f"{chi_square(both):.1f}", f"{fairness(both):.2f}")
    )
    doubles = sum(n for (a, b), n in statistics.pairs.items() if a == b)
    rolls = sum(statistics.pairs.values())
    note = f"{rolls} rolls, {doubles} doubles (expected {rolls / 6:.1f}). {fairness_words(both)}."
    head = ("Dice", *map(str, range(1, 7)), "Expected each", "χ² (5)", "p")
    return Table("Dice", head, tuple(rows), note[0].upper() + note[1:])


def chi_square(counts: Sequence[int]) -> float:
    """Pearson's statistic of six counts against equal ones; 0 without rolls."""
    expected = sum(counts) / 6
    return sum((n - expected) ** 2 for n in counts) / expected if expected else 0.0


def _ratings(match: MatchRecord, ratings: Mapping[Side, CoachRating] | None) -> Table | None:
    if not ratings:
        return None
    rows = tuple(
        (
            match.names[SIDES.index(side)], str(r.decisions), f"{r.error_rate:.1f}", f"{r.error_rate / 2:.1f}", f"{r.luck:+.2f}",
        )
        for side, r in ratings.items()
    )  # fmt: skip
    note = "Error rate: thousandths of a point lost for each unforced decision; PR is half of it."
    return Table("Play", ("Player", "Decisions", "Error rate", "PR", "Luck"), rows, note)


def _words(of: Played) -> Table | None:
    """Challenges, hints, penalties: what else an arbiter would want to know."""
    names = dict(zip(SIDES, of.match.names, strict=True))
    asked: Counter[tuple[str, str]] = Counter()
    for event in of.events:
        if isinstance(event, ChallengeAnswered):
            asked[names[event.side], f"asked about a play: {'legal' if event.legal else 'illegal'}"] += 1
        elif isinstance(event, HintAsked) and event.side is not None:
            asked[names[event.side], "asked for a hint"] += 1
        elif isinstance(event, TimeOut):
            asked[names[event.side], "out of time"] += 1
        elif isinstance(event, PointsGiven):
            asked[
                names[event.side],
                f"given {event.points} point{'' if event.points == 1 else 's'} ({event.why})",
            ] += 1
    rows = tuple((name, what, str(n)) for (name, what), n in asked.items())
    return Table("Besides", ("Player", "What", "Times"), rows) if rows else None
