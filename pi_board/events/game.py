"""What happened in a game: seen on the board, or told by people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pi_board.events.document import Dice, Event, Moves
from pi_board.rules import Position, Side


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
    """One die each (light, dark); `side` starts, None = tie, roll again."""

    light: int
    dark: int
    side: Side | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceRolled(Event):
    """A valid roll. side None: not yet known who rolled (first roll of a game without an opening roll)."""

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
    """Cannot see. reason: a Gate value (dark, blocked, hand, blurred, …), "no_camera", "die": one die is in sight and something hides
    the other, or "thing": something that stands there hides too much, namely `points` ("8-10, 13")."""

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
