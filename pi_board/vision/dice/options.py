"""How sure finder and readers must be of dice."""

from __future__ import annotations

from dataclasses import dataclass

from pi_board.errors import InvalidSettingsError

#: How sure the finder must be, 0..1, to have a place looked at in play: hardly. A one it often rather takes for the cube, and the readers
#: tell what is none. (With .28, and .2 in `survey`, a one was not looked at in 10 of 1,171 rolls of the campaigns 3020000 and 3030000, drawn
#: sets, with .15 in none of 1,143 of 3040000 and 3050000.)
HEAT_IN_PLAY = 0.15


@dataclass(frozen=True, slots=True)
class DiceOptions:
    """least_heat: 0..1, how sure the finder must be to have a place looked at. least_die: 0..1, how sure finder and reader
    together must be that it is a die; least_valued: and that it has a value (in play what is no die must have none).
    least_confidence: 0..1, below it a die's value is None. most: places looked at in one picture.
    slack_cm: how far outside the field a die's centre may lie (leaning on the rim)."""

    least_heat: float = 0.28
    least_die: float = 0.95
    least_valued: float = 0.95
    least_confidence: float = 0.85
    most: int = 14
    slack_cm: float = 0.3

    def __post_init__(self) -> None:
        for key in ("least_heat", "least_die", "least_valued", "least_confidence"):
            if not 0.0 <= getattr(self, key) <= 1.0:
                raise InvalidSettingsError(f"{key}: expected 0 to 1, got {getattr(self, key)}")
        if not 1 <= self.most <= 50:
            raise InvalidSettingsError(f"most: expected 1 to 50, got {self.most}")
