"""Who begins, and with which numbers: the opening procedure of each leaflet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pi_board.errors import InvalidDiceError
from pi_board.rules.rule_set import RuleSet, rule_set
from pi_board.rules.side import Side


@dataclass(frozen=True, slots=True)
class Opening:
    """What the opening roll decided.

    side: who begins, None = tie, both roll again. dice: the numbers the beginner plays, larger first;
    None = rolls anew. second_dice: the numbers the second player plays without rolling (leaflet 001), else None.
    """

    side: Side | None
    dice: tuple[int, int] | None = None
    second_dice: tuple[int, int] | None = None

    @property
    def again(self) -> bool:
        """A tie: both roll again."""
        return self.side is None


def decide_opening(
    light: int | Sequence[int], dark: int | Sequence[int], rules: str | RuleSet = "international"
) -> Opening:
    """What the opening rolls of both sides decide.

    light, dark: one die each (leaflets 000, 001, 002), or where the highest roll begins (004) also two dice each:
    the higher total begins and plays what it has rolled. One die each there decides as everywhere else, since the leaflet
    is silent on it. Raises InvalidDiceError for other numbers of dice, or dice outside 1 to 6.
    """
    law = rule_set(rules)
    rolls = {"light": _dice_of("light", light), "dark": _dice_of("dark", dark)}
    sizes = {len(t) for t in rolls.values()}
    if len(sizes) != 1 or (2 in sizes and law.opening != "highest_throw"):
        wanted = "one die each" + (" or two each" if law.opening == "highest_throw" else "")
        raise InvalidDiceError(
            f"opening roll: expected {wanted}, got {len(rolls['light'])} and {len(rolls['dark'])}"
        )
    totals = sum(rolls["light"]), sum(rolls["dark"])
    if totals[0] == totals[1]:
        return Opening(None)
    side: Side = "light" if totals[0] > totals[1] else "dark"
    rolled = rolls[side] if 2 in sizes else (rolls["light"][0], rolls["dark"][0])
    dice = (max(rolled), min(rolled))
    return Opening(
        side,
        dice if law.opening_numbers == "thrown" else None,
        dice if law.second_player_repeats else None,
    )


def _dice_of(where: str, dice: int | Sequence[int]) -> tuple[int, ...]:
    values = (dice,) if isinstance(dice, int) else tuple(dice)
    if len(values) not in (1, 2) or any(type(d) is not int or not 1 <= d <= 6 for d in values):
        raise InvalidDiceError(
            f"opening roll of {where}: expected one or two numbers from 1 to 6, got {dice!r}"
        )
    return values
