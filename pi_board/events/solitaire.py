"""What happened in a game of peg solitaire."""

from __future__ import annotations

from dataclasses import dataclass

from pi_board.events.document import Event


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
