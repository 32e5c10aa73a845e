"""The score of a finished run: what was said, beside what really happened.

Each verdict is paired with what lay on the board at that moment, by side, code, board and the camera's clock. Turn numbers are not
used: once the referee has lost a turn its numbers are off, but its verdicts may still be right.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from pi_board.errors import InvalidFileError
from pi_board.events import Event, PlayIllegal, PlayMade
from pi_board.record.formats import load
from pi_board.record.match import Doubled, Dropped, GameRecord, Rolled, Took
from pi_board.rules import opponent
from pi_board.simulator import GameTruth, IllegalShown, TurnTruth

#: Types of events that ask the table something.
QUESTIONS = ("unclear", "checker_missing", "checker_added", "asked")
#: Mishaps during which a question is in its place.
ASKED_FOR = frozenset(
    {
        "missing",
        "knocked",
        "phone",
        "cup",
        "cup_moved",
        "cup_lifted",
        "blocked",
        "lights_off",
        "hand_rests",
        "talk",
        "bump",
        "turned",
    }
)
#: A verdict may come so many seconds after its play was taken back, and a question so many after its mishap is over.
LATE = 3.0


@dataclass
class Paired:
    """Accusations of one game and what they were about.

    flagged: (the illegal play that lay there, the first accusation of it). false: accusations for which nothing illegal
    lay there. missed: illegal plays that nobody was accused of. asked: those of them about which the table was asked
    (amber) while they lay there.
    """

    flagged: list[tuple[IllegalShown, PlayIllegal]] = field(default_factory=list)
    false: list[PlayIllegal] = field(default_factory=list)
    missed: list[IllegalShown] = field(default_factory=list)
    asked: list[IllegalShown] = field(default_factory=list)

    @property
    def right_reasons(self) -> int:
        return sum(right_reason(shown, event) for shown, event in self.flagged)


#: Codes for plays that leave both colours on a point, which a position document cannot express.
BY_KIND = {"hit_left": "hit_checker_not_on_bar", "entered_blocked": "point_blocked"}


def right_reason(shown: IllegalShown, event: PlayIllegal) -> bool:
    """The accusation says what was wrong with the play."""
    return event.code in (shown.code, BY_KIND.get(shown.kind))


def pair_accusations(truth: GameTruth, events: Iterable[Event]) -> Paired:
    """Every accusation among `events` with the illegal play that it is about."""
    shown = [
        (turn, illegal, _until(truth, i, illegal))
        for i, turn in enumerate(truth.turns)
        for illegal in turn.illegal
    ]
    out = Paired()
    named: list[IllegalShown] = []
    events = list(events)
    for event in events:
        if not isinstance(event, PlayIllegal):
            continue
        # The same play may be flagged again if a picture in between showed another position.
        fits = [(_likeness(turn, illegal, until, event), illegal) for turn, illegal, until in shown]
        best, illegal = max(fits, key=lambda f: (f[0], not any(f[1] is n for n in named)), default=(0, None))
        if best == 0 or illegal is None:
            out.false.append(event)
        elif not any(illegal is n for n in named):
            named.append(illegal)
            out.flagged.append((illegal, event))
    out.missed = [illegal for _, illegal, _ in shown if not any(illegal is n for n in named)]
    times = [e.time for e in events if e.type in QUESTIONS]
    out.asked = [i for i in out.missed if any(i.claimed <= at <= i.gone + LATE for at in times)]
    return out


def _until(truth: GameTruth, turn: int, illegal: IllegalShown) -> float:
    """Seconds on the camera's clock until which the play lay there: one that stands, until the next play."""
    if illegal.gone < 0:
        return float("inf")
    if illegal.outcome != "stands" or turn + 1 == len(truth.turns):
        return illegal.gone + LATE
    after = truth.turns[turn + 1]
    next_play = [i.begun for i in after.illegal] + [after.claimed]
    return max(illegal.gone + LATE, min((at for at in next_play if at >= 0), default=0.0))


def _likeness(turn: TurnTruth, illegal: IllegalShown, until: float, event: PlayIllegal) -> int:
    """0 = the accusation is not about this play; higher is likelier. Without a clock in the truth, board and code decide."""
    guilty = (turn.side, opponent(turn.side)) if illegal.kind == "wrong_side" else (turn.side,)
    if event.side not in guilty:
        return 0
    same_board = illegal.board.get("points") == list(event.seen.points)
    same_code = illegal.code == event.code
    if illegal.begun < 0:
        return 3 if same_board and same_code else 2 if same_board else 0
    there = illegal.begun <= event.time
    if there and event.time <= until:
        return 4 + 2 * same_board + same_code
    # The play was allowed to stand and flagged later. That is correct if the flag refers to this same board.
    return 2 + same_code if there and same_board and illegal.outcome == "stands" else 0


def questions(truth: GameTruth, events: Iterable[Event]) -> list[Event]:
    """What was asked although nothing had happened that one would ask about."""
    spans = [(i.begun, i.gone) for t in truth.turns for i in t.illegal]
    spans += [(a, b) for a, b, name in truth.mishaps if name in ASKED_FOR]
    return [
        e
        for e in events
        if e.type in QUESTIONS and not any(a <= e.time <= (b if b >= 0 else e.time) + LATE for a, b in spans)
    ]


@dataclass
class Delays:
    """Seconds from the claim (the first picture without the hand) to the light; one per word. green, red."""

    green: list[float] = field(default_factory=list)
    red: list[float] = field(default_factory=list)


#: Codes of plays that stop too early: they are claimed when the dice are lifted, not before.
STOPPED_EARLY = frozenset({"must_play_both", "must_play_more", "must_play_larger", "could_have_moved"})


def delays(truth: GameTruth, lit: Sequence[tuple[float, Event]]) -> Delays:
    """How long each word took. lit: (seconds on the camera's clock at which the light came, event)."""
    out = Delays()
    for turn in truth.turns:
        if not turn.legal or turn.claimed < 0 or not turn.moves:
            continue
        times = [
            at
            for at, e in lit
            if isinstance(e, PlayMade)
            and e.side == turn.side
            and e.position == turn.position
            and at >= turn.thrown
        ]
        if times:
            out.green.append(max(0.0, times[0] - turn.claimed))
    when = {id(e): at for at, e in lit}
    for shown, event in pair_accusations(truth, (e for _, e in lit)).flagged:
        claimed = shown.lifted if shown.code in STOPPED_EARLY and shown.lifted >= 0 else shown.claimed
        if claimed >= 0:
            out.red.append(max(0.0, when[id(event)] - claimed))
    return out


def events_of(truths: Sequence[GameTruth], games: Sequence[Sequence[Event]]) -> list[list[Event]]:
    """The events of each true game, by the clock: a game that was never started shifts no other."""
    if len(truths) < 2 or any(b.began <= a.began for a, b in pairwise(truths)):
        return [list(games[i]) if i < len(games) else [] for i in range(len(truths))]
    edges = [t.began for t in truths[1:]]
    out: list[list[Event]] = [[] for _ in truths]
    for event in (e for game in games for e in game):
        out[sum(event.time >= edge for edge in edges)].append(event)
    return out


def same_game(truth: GameTruth, game: GameRecord) -> bool:
    """Every turn's side, dice and resulting position, every cube action, winner and points."""
    return not differences(truth, game)


def differences(truth: GameTruth, game: GameRecord | None, turns: int = 0) -> list[str]:
    """What is wrong with the recorded `game`, in words, the first difference of each kind; empty when it is exact.

    turns: of a game that was cut short, how many are compared (0 = the whole game and its result).
    """
    if game is None:
        return ["no game was recorded"]
    rolls = [
        (a.side, tuple(sorted(a.dice)), after) for a, _, after in game.positions() if isinstance(a, Rolled)
    ]
    real = [(t.side, tuple(sorted(t.dice)), t.position) for t in truth.turns if t.dice != (0, 0)]
    words = {Doubled: "offered", Took: "taken", Dropped: "passed"}
    cube = [(a.side, words[type(a)]) for a in game.actions if not isinstance(a, Rolled)]
    true_cube = [(c.side, c.action) for c in truth.cube]
    out = []
    if turns:
        rolls, real = rolls[:turns], real[:turns]
    if rolls != real:
        i = next(
            (i for i, (a, b) in enumerate(zip(rolls, real, strict=False)) if a != b),
            min(len(rolls), len(real)),
        )
        wrote = _turn_in_words(rolls[i]) if i < len(rolls) else "nothing"
        was = _turn_in_words(real[i]) if i < len(real) else "nothing"
        same = i < len(rolls) and i < len(real) and rolls[i][:2] == real[i][:2]
        out.append(f"turn {i}: wrote {wrote}, was {was}" + (", another position" if same else ""))
    if turns:
        return out
    if cube != true_cube:
        out.append(f"cube: wrote {cube}, was {true_cube}")
    if (game.winner, game.points) != (truth.winner, truth.points):
        out.append(f"result: wrote {game.winner} {game.points}, was {truth.winner} {truth.points}")
    return out


def _turn_in_words(turn: tuple[str, tuple[int, ...], Any]) -> str:
    return f"{turn[0]} {'-'.join(map(str, reversed(turn[1])))}"


def score_games(truths: Sequence[GameTruth], run: Any, sitting: Any) -> list[dict[str, Any]]:
    """One entry per simulated game, in the form of the contract. run: `DemoRun`. sitting: `Sitting`."""
    files = sitting.files
    paths = files.games if files is not None else []
    recorded = files.transcript.match.games if files is not None else ()
    entries = []
    for i, (truth, events) in enumerate(zip(truths, events_of(truths, run.games), strict=True)):
        paired = pair_accusations(truth, events)
        game = recorded[i] if i < len(recorded) else None
        exact = game is not None and same_game(truth, game)
        path = paths[i] if i < len(paths) else None
        entries.append(
            {
                "winner": game.winner if game is not None else None,
                "points": game.points if game is not None else 0,
                "plays": sum(isinstance(a, Rolled) for a in game.actions) if game is not None else 0,
                "illegal_shown": truth.illegal_shown,
                "illegal_flagged": len(paired.flagged),
                "false_alarms": len(paired.false),
                "transcript_exact": exact and path is not None and _file_equals(path, game),
                "mat": str(path) if path else None,
                "journal": str(sitting.journal.path) if sitting.journal is not None else None,
            }
        )
    return entries


def _file_equals(path: Path, game: GameRecord | None) -> bool:
    """The `.mat` on disk, read back by our own reader, is the game that was refereed."""
    try:
        again = load(path)
    except InvalidFileError:  # it could not be written: the disk was full
        return False
    if game is None or any(p.lost for p in again.problems) or len(again.match.games) != 1:
        return False
    # Match files cannot express scoring by checkers left. A reader of the file scores as usual, and says so.
    points = not again.problems
    return _told(again.match.games[0], points) == _told(game, points)


def _told(game: GameRecord, points: bool) -> tuple[Any, ...]:
    """What a game file must keep: every roll with its board, the cube and the result. (A file cannot say that a turn without a move
    was lawful under house rules, so that is left out.)"""
    rolls = [(a.side, sorted(a.dice), after) for a, _, after in game.positions() if isinstance(a, Rolled)]
    cube = [a for a in game.actions if not isinstance(a, Rolled)]
    return rolls, cube, game.winner, game.points if points else None, game.score
