"""What a person asks for by button, page or key."""

from __future__ import annotations

from dataclasses import dataclass

from pi_board.errors import InvalidError
from pi_board.events.document import Command, Dice
from pi_board.rules import Position, Side

#: Characters of a player's name, and points of a match, in a request.
LONGEST_NAME, LONGEST_MATCH = 40, 64


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
