"""Which dice count, by the table procedure of a rule set.

Leaflet 002 §4-5: the dice must lie in the roller's right-hand half, flat, not on a checker and not outside; otherwise
both are rolled again. When a turn ends and what becomes of an illegal play are fields of `RuleSet`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pi_board.rules.rule_set import RuleSet, rule_set
from pi_board.rules.side import Side

DicePlace = Literal["light", "dark", "outside"]


@dataclass(frozen=True, slots=True)
class DiceFault:
    """Why a roll does not count. code: cocked, on_checker, outside or wrong_half; reason: one sentence."""

    code: Literal["cocked", "on_checker", "outside", "wrong_half"]
    reason: str


@dataclass(frozen=True, slots=True)
class Procedure:
    """Where a rule set wants the dice. dice_place, dice_flat, dice_off_checkers: see `RuleSet`."""

    dice_place: str
    dice_flat: bool
    dice_off_checkers: bool

    @classmethod
    def of(cls, rules: str | RuleSet) -> Procedure:
        law = rule_set(rules)
        return cls(law.dice_place, law.dice_flat, law.dice_off_checkers)

    def die_fault(
        self, side: Side, *, half: DicePlace, flat: bool = True, on_checker: bool = False
    ) -> DiceFault | None:
        """Why one die rolled by `side` does not count, None when it does.

        half: the side in whose right-hand half it lies, "outside" = on neither half. flat: not leaning.
        """
        if self.dice_place != "beside" and half == "outside":
            return DiceFault("outside", "A die lies outside the playing field: roll both again.")
        if self.dice_off_checkers and on_checker:
            return DiceFault("on_checker", "A die lies on a checker: roll both again.")
        if self.dice_flat and not flat:
            return DiceFault("cocked", "A die does not lie flat: roll both again.")
        if self.dice_place == "right_half" and half != side:
            return DiceFault(
                "wrong_half", "The dice belong in the thrower's right-hand half: roll both again."
            )
        return None
