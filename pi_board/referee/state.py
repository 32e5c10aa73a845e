"""The state of the table, and what each event makes of it.

`State` is a value; `apply(state, event)` is the only way to another one. A journal is a list of events, so folding
it gives the state back exactly (`Referee.from_events`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from pi_board import events as ev
from pi_board.events import Dice, Event, Moves
from pi_board.rules import (
    RULE_SETS,
    STARTING_POSITION,
    Cube,
    Match,
    Position,
    Score,
    Side,
    opponent,
)
from pi_board.table import Phase

#: Note of the roll that the second player repeats instead of rolling.
REPEATED = "the opening numbers again"
#: Plays kept for the view.
RECENT = 8


@dataclass(frozen=True, slots=True)
class Trouble:
    """What the referee is amber about. code: a key of MESSAGES; expected: what it wants to see."""

    code: str
    reason: str = ""
    doubts: str = ""
    side: Side | None = None
    count: int = 0
    expected: Position | None = None
    seen: Position | None = None
    points: str = ""


@dataclass(frozen=True, slots=True)
class Finished:
    """The turn before this one, for demands to correct it."""

    position: Position
    side: Side
    dice: Dice
    play: str
    legal: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """match: score, length, Crawford, cube. names (light, dark).

    phase: the table's phase without pauses. position: before the roll of the turn in hand; board: what lies there by
    the last accepted reading (after a play), else None. side: whose turn, None while only the play that follows can
    tell who rolled (no opening roll was seen, or after a confusion). dice: of this turn.
    opening: nobody has finished a turn yet. second_dice: what the second player plays without rolling.
    illegal: the illegal play of this turn, kept until the turn ends (it may have been taken back: phase PLAY).
    waits_for: the code of a roll that does not count, until the next one. noticed: last notice, until something happens.
    """

    match: Match = field(default_factory=Match)
    names: tuple[str, str] = ("Light", "Dark")
    started: bool = False
    phase: Phase = Phase.WAITING
    paused: bool = False
    position: Position | None = None
    board: Position | None = None
    side: Side | None = None
    dice: Dice | None = None
    dice_confidence: float = 1.0
    play: str = ""
    moves: Moves = ()
    opening: bool = True
    second_dice: Dice | None = None
    illegal: ev.PlayIllegal | None = None
    waits_for: str = ""
    tie: Dice | None = None
    back: Phase = Phase.ROLL
    resignation: tuple[Side, int] | None = None
    won: ev.GameWon | None = None
    match_won: Side | None = None
    question: str = ""
    question_reason: str = ""
    trouble: Trouble | None = None
    noticed: tuple[str, str, Side | None, bool] | None = None
    said: str = ""
    view_blocked: str = ""
    view_points: str = ""
    board_moved: bool = False
    last: Finished | None = None
    last_plays: tuple[tuple[str, str, str], ...] = ()

    @property
    def in_game(self) -> bool:
        return self.phase not in (Phase.WAITING, Phase.OVER)

    @property
    def on_board(self) -> Position | None:
        """What should lie on the board now."""
        return self.board or self.position

    @property
    def what_is_played(self) -> tuple[object, ...]:
        """What a person may have told better than it was seen."""
        return self.position, self.side, self.dice, self.phase


def dice_word(dice: Dice | None) -> str:
    """ "31": larger first, as game records write it."""
    return "" if dice is None else f"{max(dice)}{min(dice)}"


def apply(state: State, event: Event) -> State:
    """The state after `event`. Total: an event that does not fit changes what it can and never raises."""
    if not isinstance(event, ev.Noticed | ev.Refused) and state.noticed is not None:
        state = replace(state, noticed=None)
    handler = _HANDLERS.get(type(event))
    return state if handler is None else handler(state, event)


def _match_started(s: State, e: ev.MatchStarted) -> State:
    rules = RULE_SETS.get(e.rules, s.match.rules)
    # House rules live in the settings, not in the journal: the state's own law wins when it has that name.
    if s.match.rules.name == e.rules:
        rules = s.match.rules
    if rules.crawford != e.crawford or rules.jacoby != e.jacoby:
        rules = rules.with_options(crawford=e.crawford, jacoby=e.jacoby)
    if not e.cube_in_use and rules.cube == "yes":
        rules = rules.with_options(cube="no")
    match = Match.start(rules, e.match_length, several_games=e.match_length != 1)
    return State(match=match, names=(e.light_name, e.dark_name), started=True, board_moved=s.board_moved)


def _game_started(s: State, e: ev.GameStarted) -> State:
    match = replace(s.match, game=max(1, e.game), cube=Cube())
    return replace(
        _fresh_turn(s), match=match, phase=Phase.OPENING, position=e.position, side=None,
        opening=True, second_dice=None, won=None, last=None, last_plays=(), tie=None, waits_for="",
        question="", question_reason="", trouble=None, resignation=None, said="",
    )  # fmt: skip


def _fresh_turn(s: State) -> State:
    return replace(
        s, board=None, dice=None, dice_confidence=1.0, second_dice=None, play="", moves=(), illegal=None, waits_for="",
        trouble=None,
    )  # fmt: skip


def _opening_thrown(s: State, e: ev.OpeningThrown) -> State:
    if e.side is None:
        return replace(s, tie=(e.light, e.dark), waits_for="")
    return replace(s, side=e.side, phase=Phase.ROLL, tie=None, waits_for="")


def _dice_rolled(s: State, e: ev.DiceRolled) -> State:
    return replace(
        _fresh_turn(s), dice=e.dice, dice_confidence=e.confidence, side=e.side,
        second_dice=e.dice if e.note == REPEATED else None,
        phase=Phase.PLAY, tie=None, said="",
    )  # fmt: skip


def _dice_rejected(s: State, e: ev.DiceRejected) -> State:
    phase = Phase.ROLL if s.phase in (Phase.PLAY, Phase.PLAYED) and e.code == "thrown_again" else s.phase
    return replace(s, waits_for=e.code, phase=phase)


def _play_made(s: State, e: ev.PlayMade) -> State:
    return replace(
        s, side=e.side, dice=e.dice, play=e.play, moves=e.moves, board=e.position,
        phase=Phase.PLAYED, trouble=None, illegal=None, said="",
    )  # fmt: skip


def _play_corrected(s: State, e: ev.PlayCorrected) -> State:
    return replace(
        s, side=e.side, dice=e.dice, play=e.play, moves=e.moves, board=e.position,
        phase=Phase.PLAYED, trouble=None, illegal=None, said="corrected",
    )  # fmt: skip


def _play_taken_back(s: State, e: ev.PlayTakenBack) -> State:
    return replace(s, board=None, play="", moves=(), phase=Phase.PLAY, trouble=None, said="taken_back")


def _play_illegal(s: State, e: ev.PlayIllegal) -> State:
    return replace(
        s, side=e.side, dice=e.dice, illegal=e, board=e.seen, play="", moves=(),
        phase=Phase.ILLEGAL, trouble=None, said="",
    )  # fmt: skip


def _play_stands(s: State, e: ev.PlayStands) -> State:
    return replace(s, board=e.position, trouble=None)


def _turn_ended(s: State, e: ev.TurnEnded) -> State:
    plays = (*s.last_plays, (e.side, dice_word(e.dice), e.play))[-RECENT:]
    last = Finished(s.position or e.position, e.side, e.dice, e.play, e.legal) if e.dice else None
    return replace(
        _fresh_turn(s), position=e.position, side=opponent(e.side), phase=Phase.ROLL,
        opening=False, last=last, last_plays=plays, said="" if e.legal else "stands",
    )  # fmt: skip


def _cube_offered(s: State, e: ev.CubeOffered) -> State:
    cube = Cube(max(1, e.value // 2), s.match.cube.owner if s.match.cube.owner == e.side else None, e.side)
    back = s.phase if s.phase in (Phase.ROLL, Phase.PLAY) else Phase.ROLL
    return replace(s, match=replace(s.match, cube=cube), phase=Phase.DOUBLED, side=e.side, back=back)


def _cube_taken(s: State, e: ev.CubeTaken) -> State:
    phase = s.back if s.phase is Phase.DOUBLED else s.phase
    return replace(
        s, match=replace(s.match, cube=Cube(e.value, e.side)), phase=phase, side=opponent(e.side), question="",
        question_reason="",
    )  # fmt: skip


def _cube_passed(s: State, e: ev.CubePassed) -> State:
    cube = Cube(max(1, e.value // 2), None)
    return replace(s, match=replace(s.match, cube=cube), phase=s.back, side=opponent(e.side))


def _cube_corrected(s: State, e: ev.CubeCorrected) -> State:
    return replace(s, match=replace(s.match, cube=Cube(e.value, e.owner)), trouble=None)


def _resignation_offered(s: State, e: ev.ResignationOffered) -> State:
    back = s.phase if s.phase not in (Phase.RESIGNED, Phase.DOUBLED) else s.back
    return replace(s, phase=Phase.RESIGNED, resignation=(e.side, e.kind), back=back)


def _game_won(s: State, e: ev.GameWon) -> State:
    match = s.match
    if match.winner is None:
        match = match.record(Score(e.side, e.points))
    return replace(
        _fresh_turn(s), match=match, phase=Phase.OVER, won=e, position=e.position or s.on_board, side=None,
        question="", question_reason="", resignation=None,
    )  # fmt: skip


def _points_given(s: State, e: ev.PointsGiven) -> State:
    length, (light, dark) = s.match.length, e.score
    over = length > 0 and max(light, dark) >= length
    crawford = s.match.crawford_game and not over and length - 1 in (light, dark)
    return replace(s, match=replace(s.match, score=(light, dark), crawford_game=crawford))


def _match_won(s: State, e: ev.MatchWon) -> State:
    return replace(s, match_won=e.side)


def _game_abandoned(s: State, e: ev.GameAbandoned) -> State:
    return replace(
        _fresh_turn(s), phase=Phase.WAITING, position=None, side=None, question="", question_reason="",
        match=replace(s.match, cube=Cube()), resignation=None, last=None, won=None,
    )  # fmt: skip


def _position_corrected(s: State, e: ev.PositionCorrected) -> State:
    if e.side is None:
        # The same roll is to be played from here; nobody's turn changes.
        if s.dice is not None:
            return replace(
                s, position=e.position, board=None, play="", moves=(), illegal=None, trouble=None, phase=Phase.PLAY,
                question="", question_reason="",
            )  # fmt: skip
        opening = s.opening and e.position == STARTING_POSITION
        return replace(
            s, position=e.position, board=None, trouble=None, question="", question_reason="", opening=opening
        )  # fmt: skip
    return replace(
        _fresh_turn(s), position=e.position, side=e.side, phase=Phase.ROLL, opening=False,
        question="", question_reason="", resignation=None, last=None,
    )  # fmt: skip


def _dice_corrected(s: State, e: ev.DiceCorrected) -> State:
    return replace(
        _fresh_turn(s), side=e.side, dice=e.dice, phase=Phase.PLAY, said="", tie=None
    )  # fmt: skip


def _turn_reopened(s: State, e: ev.TurnReopened) -> State:
    return replace(
        _fresh_turn(s), position=e.position, side=e.side, dice=e.dice, phase=Phase.PLAY,
        last=None, last_plays=s.last_plays[:-1], said="taken_back",
    )  # fmt: skip


def _unclear(s: State, e: ev.Unclear) -> State:
    code = f"unclear_{e.doubts}" if e.doubts in ("position", "dice", "side", "cube") else e.doubts
    if e.code.startswith("doubt_"):
        code = e.code
    if e.doubts == "thing":
        code = "view_thing"
    return replace(s, trouble=Trouble(code, e.reason, e.doubts, None, 0, e.expected, e.seen, e.points))


def _checker_missing(s: State, e: ev.CheckerMissing) -> State:
    return replace(
        s, trouble=Trouble("checker_missing", e.reason, "position", e.side, e.count, e.expected, None)
    )  # fmt: skip


def _checker_added(s: State, e: ev.CheckerAdded) -> State:
    return replace(
        s, trouble=Trouble("checker_added", e.reason, "position", e.side, e.count, e.expected, None)
    )


def _answered(s: State, e: ev.Answered) -> State:
    s = replace(s, question="", question_reason="")
    if e.code == "resignation":
        return replace(s, phase=s.back, resignation=None)
    return s


def _continued(s: State, e: ev.Continued) -> State:
    return replace(s, paused=False, said="resumed" if e.resumed else s.said)


_HANDLERS: dict[type[Event], Any] = {
    ev.MatchStarted: _match_started,
    ev.GameStarted: _game_started,
    ev.OpeningThrown: _opening_thrown,
    ev.DiceRolled: _dice_rolled,
    ev.DiceRejected: _dice_rejected,
    ev.PlayMade: _play_made,
    ev.PlayTakenBack: _play_taken_back,
    ev.PlayIllegal: _play_illegal,
    ev.PlayStands: _play_stands,
    ev.PlayCorrected: _play_corrected,
    ev.TurnEnded: _turn_ended,
    ev.CubeOffered: _cube_offered,
    ev.CubeTaken: _cube_taken,
    ev.CubePassed: _cube_passed,
    ev.CubeCorrected: _cube_corrected,
    ev.ResignationOffered: _resignation_offered,
    ev.GameWon: _game_won,
    ev.MatchWon: _match_won,
    ev.PointsGiven: _points_given,
    ev.GameAbandoned: _game_abandoned,
    ev.BoardMoved: lambda s, e: replace(s, board_moved=True),
    ev.BoardFound: lambda s, e: replace(s, board_moved=False),
    ev.ViewBlocked: lambda s, e: replace(s, view_blocked=e.reason, view_points=e.points),
    ev.ViewCleared: lambda s, e: replace(s, view_blocked="", view_points=""),
    ev.CheckerMissing: _checker_missing,
    ev.CheckerAdded: _checker_added,
    ev.Unclear: _unclear,
    ev.Resolved: lambda s, e: replace(s, trouble=None),
    ev.PositionCorrected: _position_corrected,
    ev.DiceCorrected: _dice_corrected,
    ev.TurnReopened: _turn_reopened,
    ev.Asked: lambda s, e: replace(s, question=e.code, question_reason=e.reason),
    ev.Answered: _answered,
    ev.Paused: lambda s, e: replace(s, paused=True),
    ev.Continued: _continued,
    ev.Noticed: lambda s, e: replace(s, noticed=(e.code, e.reason, e.side, False)),
    ev.Refused: lambda s, e: replace(s, noticed=(e.code, e.reason, None, True)),
}
