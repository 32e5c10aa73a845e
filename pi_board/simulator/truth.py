"""What really happened at the simulated table: read only by whoever scores a finished run, never by vision or referee."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from pi_board.rules import Position, Side


@dataclass
class IllegalShown:
    """An illegal play that lay on the board.

    kind: what the player did. code: what `pi_board.rules.explain` calls it. board: position document as it lay (points
    held by both sides count net). told: the players heard the referee object. outcome: put right, or let stand.
    begun: seconds on the camera's clock when its first checker was taken; claimed: of the first picture without the hand;
    lifted: when the dice were lifted over it; gone: when it began to be put right, or the game went on. -1 = never.
    """

    kind: str
    code: str
    board: dict[str, Any]
    told: bool = False
    outcome: Literal["corrected", "stands", "open"] = "open"
    begun: float = -1.0
    claimed: float = -1.0
    lifted: float = -1.0
    gone: float = -1.0


@dataclass
class TurnTruth:
    """One turn. thrown_again: codes of throws that did not count. position: at its end. legal: the play that counts was.

    thrown, claimed, ended: seconds on the camera's clock when its dice came to rest, when its lawful play lay there
    without a hand over it (-1 = never), and when the next player could throw. lifted: when its dice had been lifted, or the play
    put right if they were lifted before that. again: when each throw that did not count came to rest.
    """

    side: Side
    dice: tuple[int, int]
    play: str = ""
    moves: tuple[tuple[int, int], ...] = ()
    position: Position | None = None
    legal: bool = True
    thrown_again: list[str] = field(default_factory=list)
    illegal: list[IllegalShown] = field(default_factory=list)
    quirks: list[str] = field(default_factory=list)
    thrown: float = -1.0
    claimed: float = -1.0
    ended: float = -1.0
    lifted: float = -1.0
    again: list[float] = field(default_factory=list)


@dataclass
class CubeTruth:
    """A cube action before turn number `turn` (0-based). action: offered, taken or passed; value: the new stake."""

    turn: int
    side: Side
    action: Literal["offered", "taken", "passed"]
    value: int


@dataclass
class GameTruth:
    """One game. opening: throws (light, dark), ties included. winner None while it is on.

    began: seconds on the camera's clock; opened: when the deciding opening throw came to rest. mishaps: (from, to, name) of what went wrong, on the same clock.
    """

    opening: list[tuple[int, int]] = field(default_factory=list)
    turns: list[TurnTruth] = field(default_factory=list)
    cube: list[CubeTruth] = field(default_factory=list)
    faults: list[tuple[int, str]] = field(default_factory=list)
    winner: Side | None = None
    points: int = 0
    kind: str = ""
    frames: int = 0
    began: float = 0.0
    opened: float = -1.0
    mishaps: list[tuple[float, float, str]] = field(default_factory=list)

    @property
    def illegal_shown(self) -> int:
        return sum(len(t.illegal) for t in self.turns)


@dataclass
class Truth:
    """All games so far, the one in hand included. score: (light, dark)."""

    games: list[GameTruth] = field(default_factory=list)
    score: tuple[int, int] = (0, 0)
