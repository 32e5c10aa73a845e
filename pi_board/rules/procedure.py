"""Procedure at the table, as data and as answers: which dice count, when a turn ends, until when a play can be corrected.

Leaflet 002 §4-5: dice are thrown into the thrower's right-hand half, flat, not on a checker, not outside, else thrown
again; rolling only after the opponent has lifted the dice, which ends the turn; an illegal play may be
corrected on the opponent's demand or be let stand, and stands once the opponent has rolled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pi_board.rules.position import Side
from pi_board.rules.rule_set import RuleSet, rule_set

DicePlace = Literal["light", "dark", "outside"]


@dataclass(frozen=True, slots=True)
class DiceFault:
    """Why a throw does not count. code: cocked, on_checker, outside, wrong_half or too_early; reason: one sentence."""

    code: Literal["cocked", "on_checker", "outside", "wrong_half", "too_early"]
    reason: str


@dataclass(frozen=True, slots=True)
class Procedure:
    """The table procedure of a rule set.

    dice_place, dice_flat, dice_off_checkers, turn_ends, illegal_play, correctable_until: see `RuleSet`.
    """

    dice_place: str
    dice_flat: bool
    dice_off_checkers: bool
    turn_ends: str
    illegal_play: str
    correctable_until: str

    @classmethod
    def of(cls, rules: str | RuleSet) -> Procedure:
        law = rule_set(rules)
        return cls(
            law.dice_place,
            law.dice_flat,
            law.dice_off_checkers,
            law.turn_ends,
            law.illegal_play,
            law.correctable_until,
        )

    def die_fault(
        self, side: Side, *, half: DicePlace, flat: bool = True, on_checker: bool = False
    ) -> DiceFault | None:
        """Why one die thrown by `side` does not count, None when it does.

        half: the side in whose right-hand half it lies, "outside" = on neither half. flat: not leaning.
        """
        if self.dice_place != "beside" and half == "outside":
            return DiceFault("outside", "A die lies outside the playing field: throw both again.")
        if self.dice_off_checkers and on_checker:
            return DiceFault("on_checker", "A die lies on a checker: throw both again.")
        if self.dice_flat and not flat:
            return DiceFault("cocked", "A die does not lie flat: throw both again.")
        if self.dice_place == "right_half" and half != side:
            return DiceFault(
                "wrong_half", "The dice belong in the thrower's right-hand half: throw both again."
            )
        return None

    def may_roll(self, *, opponents_dice_lifted: bool) -> DiceFault | None:
        """Why the next player may not roll yet, None when it may."""
        if self.turn_ends == "dice_lifted" and not opponents_dice_lifted:
            return DiceFault("too_early", "Roll only after the opponent has lifted the dice: throw again.")
        return None

    def turn_over(self, *, dice_lifted: bool, opponent_rolled: bool) -> bool:
        """Has the turn ended?"""
        return opponent_rolled or (dice_lifted and self.turn_ends == "dice_lifted")

    def correctable(self, *, dice_lifted: bool, opponent_rolled: bool) -> bool:
        """May an illegal play still be corrected?"""
        if opponent_rolled:
            return False
        return self.correctable_until == "opponent_rolled" or not self.turn_over(
            dice_lifted=dice_lifted, opponent_rolled=opponent_rolled
        )

    def may_let_stand(self) -> bool:
        """May the opponent let an illegal play stand before rolling?"""
        return self.illegal_play == "opponent_decides"
