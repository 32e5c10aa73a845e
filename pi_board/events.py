"""`Event`: what happened in the game, and `Command`: what a person asks for.

Both are frozen dataclasses that turn into plain JSON documents and back without loss: the journal stores
nothing else, and replaying a journal rebuilds the referee's state. `type` in a document is the class's name
in snake case (`PlayMade` -> "play_made").

Positions inside are `pi_board.rules.Position`; plays are kept as notation + moves (mover's numbering).
`time` is the monotonic time passed to the referee; `seq` the sighting that caused the event (-1: none).
"""

from __future__ import annotations

import dataclasses
import functools
import re
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pi_board.errors import InvalidError
from pi_board.rules import Position, Side

Moves = tuple[tuple[int, int], ...]
Dice = tuple[int, int]


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def _plain(value: Any) -> Any:
    if isinstance(value, Position):
        return value.to_document()
    if isinstance(value, tuple | list):
        return [_plain(v) for v in value]
    return value


def _typed(value: Any, kind: Any, where: str) -> Any:
    """`value` from JSON as `kind`; raises InvalidError naming `where`."""
    origin = typing.get_origin(kind)
    args = typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        if value is None and type(None) in args:
            return None
        return _typed(value, next(a for a in args if a is not type(None)), where)
    if origin is Literal:
        if value not in args:
            raise InvalidError(f"{where}: expected one of {', '.join(map(str, args))}, got {value!r}")
        return value
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise InvalidError(f"{where}: expected a list, got {value!r}")
        if len(args) == 2 and args[1] is Ellipsis:
            return tuple(_typed(v, args[0], where) for v in value)
        if len(value) != len(args):
            raise InvalidError(f"{where}: expected {len(args)} values, got {len(value)}")
        return tuple(_typed(v, a, where) for v, a in zip(value, args, strict=True))
    if kind is Position:
        if not isinstance(value, Mapping):
            raise InvalidError(f"{where}: expected a position document, got {value!r}")
        return Position.from_document(value)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(kind, type) and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
        raise InvalidError(f"{where}: expected {kind.__name__}, got {value!r}")
    return value


class _Document:
    """Conversion shared by events and commands."""

    __slots__ = ()
    _kinds: ClassVar[dict[str, type]]

    @classmethod
    def type_name(cls) -> str:
        return _snake(cls.__name__)

    @property
    def type(self) -> str:
        return self.type_name()

    def to_document(self) -> dict[str, Any]:
        document: dict[str, Any] = {"type": self.type_name()}
        for f in dataclasses.fields(self):  # type: ignore[arg-type]
            document[f.name] = _plain(getattr(self, f.name))
        return document

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Any:
        """The event or command that `document` describes. Raises InvalidError."""
        if not isinstance(document, Mapping):
            raise InvalidError(f"event: expected an object, got {document!r}")
        kind = cls._kinds.get(str(document.get("type")))
        if kind is None:
            raise InvalidError(f"event: unknown type {document.get('type')!r}")
        values = {}
        for name, hint, needed in _fields(kind):
            if name in document:
                values[name] = _typed(document[name], hint, f"{kind.__name__}.{name}")
            elif needed:
                raise InvalidError(f"{kind.__name__}.{name}: missing")
        made = kind(**values)
        made.check()
        return made

    def check(self) -> None:
        """Raises InvalidError where the values have the right types and still make no sense. Asked of documents only."""


@functools.cache
def _fields(kind: type) -> tuple[tuple[str, Any, bool], ...]:
    """(name, type, whether it must be given) of every field; a long journal asks for it thousands of times."""
    hints = typing.get_type_hints(kind)
    return tuple(
        (f.name, hints[f.name], f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING)
        for f in dataclasses.fields(kind)
    )


#: Characters of a player's name, and points of a match, in a request.
LONGEST_NAME, LONGEST_MATCH = 40, 64


# ------------------------------------------------------------------------------------------------ events


@dataclass(frozen=True, slots=True, kw_only=True)
class Event(_Document):
    """Base of all events. `time`: monotonic seconds; `seq`: the sighting behind it; `frame`: its file name."""

    _kinds: ClassVar[dict[str, type]] = {}
    time: float = 0.0
    seq: int = -1
    frame: str = ""

    def __init_subclass__(cls) -> None:
        Event._kinds[_snake(cls.__name__)] = cls


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStarted(Event):
    """A session begins. match_length 0 = money session; names (light, dark); crawford: the rule is in use."""

    rules: str
    match_length: int = 0
    light_name: str = "Light"
    dark_name: str = "Dark"
    crawford: bool = True
    jacoby: bool = False
    cube_in_use: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(Event):
    """The starting position was seen (or set). `game` counts from 1; score before it (light, dark)."""

    game: int
    position: Position
    score: tuple[int, int] = (0, 0)
    crawford_game: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningThrown(Event):
    """One die each (light, dark); `side` starts, None = tie, throw again."""

    light: int
    dark: int
    side: Side | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceRolled(Event):
    """A valid roll. side None: not yet known who rolled (first roll of a game without an opening throw)."""

    side: Side | None
    dice: Dice
    confidence: float = 1.0
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceRejected(Event):
    """Throw again. code: cocked, on_checker, outside, wrong_half, too_early."""

    side: Side | None
    code: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayMade(Event):
    """A legal play lies on the board (final only at TurnEnded; a later PlayMade of the turn replaces it).

    margin: nats by which it explains the picture better than anything else. probability: that it is right, where it is known.
    """

    side: Side
    dice: Dice
    play: str
    moves: Moves
    position: Position
    margin: float = 0.0
    probability: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayTakenBack(Event):
    """The position before the roll lies on the board again."""

    side: Side
    position: Position


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayIllegal(Event):
    """An illegal play was seen twice on a settled scene. position: before the play; seen: on the board now.

    margin: nats by which this explains the picture better than any legal play. probability: that this is right, where it is
    known. before_seq, before_frame: the last
    sighting that showed `position`, so that both pictures can be shown.
    """

    side: Side
    dice: Dice
    code: str
    reason: str
    position: Position
    seen: Position
    nearest: tuple[str, ...] = ()
    margin: float = 0.0
    probability: float | None = None
    before_seq: int = -1
    before_frame: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayStands(Event):
    """An illegal play that stands (the opponent rolled, a person said so, or it is too late by the rules of this table); the game
    goes on from `position`."""

    side: Side
    dice: Dice
    position: Position
    by: Literal["rolled", "person", "rules"] = "rolled"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayCorrected(Event):
    """An illegal play was put right: a legal play of the same roll now lies there."""

    side: Side
    dice: Dice
    play: str
    moves: Moves
    position: Position


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnded(Event):
    """The play is final (dice lifted, turn button, or the opponent rolled). `side` has finished."""

    side: Side
    position: Position
    dice: Dice | None = None
    play: str = ""
    moves: Moves = ()
    legal: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeOffered(Event):
    side: Side
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeTaken(Event):
    """`side` took; the cube now stands at `value` and is owned by `side`."""

    side: Side
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CubePassed(Event):
    """`side` passed a double to `value` and loses `value // 2`."""

    side: Side
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResignationOffered(Event):
    """kind 1 single, 2 gammon, 3 backgammon."""

    side: Side
    kind: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameWon(Event):
    """points: what the game counts (cube included); kind single/gammon/backgammon/pass/resigned/time; score after."""

    side: Side
    points: int
    kind: str
    cube: int = 1
    score: tuple[int, int] = (0, 0)
    position: Position | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchWon(Event):
    side: Side
    score: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameAbandoned(Event):
    position: Position | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardMoved(Event):
    """The camera or board was bumped; readings stop until BoardFound."""

    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFound(Event):
    """Registered (again)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewBlocked(Event):
    """Cannot see. reason: a Gate value (dark, blocked, hand, blurred, …), "no_camera", or "thing": something that stands there hides
    too much, namely `points` ("8-10, 13")."""

    reason: str
    points: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewCleared(Event):
    """Can see again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckerMissing(Event):
    """The board has fewer checkers of `side` than it must; expected: what should lie there."""

    side: Side
    count: int
    expected: Position | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckerAdded(Event):
    side: Side
    count: int
    expected: Position | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unclear(Event):
    """Amber: the evidence does not decide. `doubts`: position, dice, cube, side, or thing: something that stands there hides what
    would decide, on `points` ("8-10, 13"). `reason`: one sentence.

    code: why, where there is a code for it (a code of `explain` that is no accusation, such as moved_opponent).
    """

    doubts: str
    reason: str
    expected: Position | None = None
    seen: Position | None = None
    code: str = ""
    points: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved(Event):
    """What was unclear or missing is well again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionCorrected(Event):
    """A person set the position (and perhaps the side to roll); by "vision": the game goes on from a board whose history
    nobody saw."""

    position: Position
    side: Side | None = None
    by: str = "person"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceCorrected(Event):
    side: Side
    dice: Dice
    by: str = "person"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(Event):
    """A yes/no question to the table, e.g. code "abandon_game", "cube_differs"."""

    code: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(Event):
    code: str
    yes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Paused(Event):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Continued(Event):
    """Play goes on after a pause or after a power cut (`resumed` True)."""

    resumed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeCorrected(Event):
    """A person said how the cube stands. owner None: in the middle."""

    value: int
    owner: Side | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnReopened(Event):
    """A turn that was over is open again (a play is to be corrected on demand). position: before that roll."""

    side: Side
    dice: Dice
    position: Position


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed(Event):
    """Something worth a word that changes nothing and lights nothing. code: a key of `referee.messages.MESSAGES`."""

    code: str
    reason: str
    side: Side | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused(Event):
    """A command could not be carried out now (double out of turn …)."""

    code: str
    reason: str


# ---------------------------------------------------------------------------------------- match and clock


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchAgreed(Event):
    """How the match is refereed, and whether hints may be asked for; agreed before the first roll."""

    mode: Literal["legal", "responsible", "recorder"]
    hints: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenged(Event):
    """`side` asks whether the play just made is legal."""

    side: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeAnswered(Event):
    """`side` asked; code, reason: what is wrong with the play, "" when it is legal."""

    side: Side
    legal: bool
    code: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HintAsked(Event):
    """A player asked for a hint and was given one."""

    side: Side | None = None
    dice: Dice | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSet(Event):
    """The clocks as the match begins. kind: delay, bronstein, hourglass, off; light, dark: seconds in the banks."""

    kind: Literal["off", "delay", "bronstein", "hourglass"]
    delay: float
    light: float
    dark: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockChanged(Event):
    """`side`'s time runs (or stands) since `since`, a picture's monotonic time, which may lie before `time`.

    light, dark: seconds in the banks at the start of this turn; spent: seconds of this turn up to `since`. why: what made the clock
    change: opening, pressed, cube, stopped, started, reopened, given_back, given, over; stopped_by: what it stands for while `running` is false.
    ended: seconds that the turn before took, where one has just ended (None in journals older than this field too).
    """

    side: Side | None
    running: bool
    light: float
    dark: float
    spent: float = 0.0
    since: float = 0.0
    why: str = ""
    stopped_by: str = ""
    ended: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTimed(Event):
    """What the turn that has just ended took. seconds: without stops; began, ended: times of the pictures that showed it."""

    side: Side
    seconds: float
    began: float
    ended: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeOut(Event):
    """`side` has used up its time. penalty: what that costs as agreed: loss, points or nothing ("announce")."""

    side: Side
    penalty: Literal["loss", "points", "announce"] = "loss"


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsGiven(Event):
    """`side` is given points outside a game (a penalty of the other); score after it."""

    side: Side
    points: int
    score: tuple[int, int]
    why: str = "time"


# --------------------------------------------------------------------------------------------- solitaire


@dataclass(frozen=True, slots=True, kw_only=True)
class SolitaireStarted(Event):
    """The set-up of a solitaire problem was seen. holes: 37 x 0/1, hole 1 first; problem: its key."""

    problem: str
    holes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JumpMade(Event):
    """One sweep: jumps as "17-19", in order; holes: the board after it."""

    jumps: tuple[str, ...]
    holes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JumpIllegal(Event):
    """A wrong jump lies on the board. holes: the position to go back to; seen: what lies there."""

    code: str
    reason: str
    holes: tuple[int, ...]
    seen: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JumpTakenBack(Event):
    """An earlier position of this game lies there again: after a wrong jump, or `undone` lawful sweeps back."""

    holes: tuple[int, ...]
    undone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SolitaireEnded(Event):
    """No jump is possible any more. won: the problem's finish was reached."""

    remaining: int
    won: bool
    holes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HolesCorrected(Event):
    """A person has said that this is the position, whatever was made of it before. holes: 37 x 0/1."""

    holes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SolitaireAbandoned(Event):
    """The game in hand ends without a result; a set-up is awaited."""


# ---------------------------------------------------------------------------------------------- commands


@dataclass(frozen=True, slots=True, kw_only=True)
class Command(_Document):
    """Base of what a person asks for by button, page or key."""

    _kinds: ClassVar[dict[str, type]] = {}

    def __init_subclass__(cls) -> None:
        Command._kinds[_snake(cls.__name__)] = cls


@dataclass(frozen=True, slots=True, kw_only=True)
class LetStand(Command):
    """The one button: "it stands as it is" (also: confirm, yes)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack(Command):
    """Undo: the last play is to be taken back / corrected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndTurn(Command):
    side: Side | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPosition(Command):
    """The position as a person says it is; side: who rolls next (None: unchanged)."""

    position: Position
    side: Side | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetHoles(Command):
    """The position of the 37-hole game as a person says it is: 37 x 0/1, hole 1 first."""

    holes: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.holes) != 37 or any(h not in (0, 1) for h in self.holes) or not any(self.holes):
            raise InvalidError("SetHoles.holes: expected 37 times 0 or 1, at least one 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class SetDice(Command):
    dice: Dice
    side: Side | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferDouble(Command):
    side: Side | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeDouble(Command):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class PassDouble(Command):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Resign(Command):
    """kind 1 single, 2 gammon, 3 backgammon."""

    side: Side
    kind: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptResignation(Command):
    yes: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Command):
    yes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGame(Command):
    """Abandon the game in hand and wait for the starting position."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMatch(Command):
    rules: str = "international"
    match_length: int = 0
    light_name: str = "Light"
    dark_name: str = "Dark"

    def check(self) -> None:
        """Raises InvalidError for a name that no score sheet could hold."""
        for name in (self.light_name, self.dark_name):
            if not 1 <= len(name.strip()) <= LONGEST_NAME or not name.isprintable():
                raise InvalidError(
                    f"NewMatch: name: expected 1 to {LONGEST_NAME} printable characters, got {name[:60]!r}"
                )
        if not 0 <= self.match_length <= LONGEST_MATCH:
            raise InvalidError(
                f"NewMatch.match_length: expected 0 to {LONGEST_MATCH}, got {self.match_length}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause(Command):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Continue(Command):
    pass
