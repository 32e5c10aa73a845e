"""`Cube`: the doubling cube's value, place and pending offer, and who may turn it when.

Leaflet 002 §9, 001 "Doubleren", 004 "Doubling cube": it starts in the middle (64 up, meaning 1); anyone may offer
before the own roll while it lies there, later only its owner; passing loses the value before the offer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pi_board.errors import IllegalError, InvalidError
from pi_board.rules.rule_set import RuleSet, rule_set
from pi_board.rules.side import SIDES, Side, opponent


@dataclass(frozen=True, slots=True)
class Cube:
    """value: what the game is played for now. owner: None = in the middle. offered_by: a double awaits its answer."""

    value: int = 1
    owner: Side | None = None
    offered_by: Side | None = None

    def __post_init__(self) -> None:
        if type(self.value) is not int or self.value < 1 or self.value & (self.value - 1):
            raise InvalidError(f"cube: expected a power of two from 1, got {self.value!r}")
        for name in ("owner", "offered_by"):
            if getattr(self, name) not in (None, *SIDES):
                raise InvalidError(
                    f"cube: {name}: expected light, dark or nobody, got {getattr(self, name)!r}"
                )
        if self.offered_by is not None and self.owner == opponent(self.offered_by):
            raise InvalidError(f"cube: {self.offered_by} cannot have offered a cube that {self.owner} owns")

    @property
    def face(self) -> int:
        """The number on top of a cube without a 1: 64 up means 1, beyond 64 it starts over (128 = 2)."""
        return 64 if self.value == 1 else 2 ** ((self.value.bit_length() - 2) % 6 + 1)

    @property
    def next_value(self) -> int:
        """What an accepted double would make of it."""
        return self.value * 2

    def offer(self, side: Side) -> Cube:
        """The cube with `side`'s double on the table. Raises IllegalError when the cube itself forbids it."""
        objection = self.objection(side)
        if objection:
            raise IllegalError(objection[1])
        return replace(self, offered_by=side)

    def take(self) -> Cube:
        """Accepted: twice the value, the taker owns it."""
        if self.offered_by is None:
            raise IllegalError("No double has been offered.")
        return Cube(self.next_value, opponent(self.offered_by))

    def withdrawn(self) -> Cube:
        """The offer taken off the table again (a mistake at the table)."""
        return replace(self, offered_by=None)

    def objection(self, side: Side, rules: str | RuleSet = "international") -> tuple[str, str] | None:
        """(code, sentence) why the cube may not be turned by `side`; None when it may.

        Codes: no_cube, already_offered, not_owner, cube_limit.
        """
        law = rule_set(rules)
        if law.cube == "no":
            return "no_cube", "This game is played without a cube."
        if self.offered_by is not None:
            return "already_offered", "A double already lies on the table: take or pass first."
        if self.owner is not None and self.owner != side:
            return "not_owner", f"The cube belongs to {self.owner}: only {self.owner} may double."
        if law.cube_limit and self.next_value > law.cube_limit:
            return "cube_limit", f"The cube may not go beyond {law.cube_limit}."
        return None
