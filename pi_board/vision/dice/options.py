"""How sure finder and readers must be of dice."""

from __future__ import annotations

from dataclasses import dataclass

from pi_board.errors import InvalidSettingsError


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
