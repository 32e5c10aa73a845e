"""Where the dice come to lie, and what it tells about who rolled them.

By the law of most leaflets everybody rolls into his own right-hand half. Where all do, dice in the other half are most
likely the opponent's; where one has been seen to roll anywhere, the place of his dice tells nothing. Perception, not state
of the game.
"""

from __future__ import annotations

from collections.abc import Sequence

from pi_board.rules import Side

#: Rolls, and rolls for each exception, that make it a custom of this table to roll into one's own half.
USUAL = 6
#: Lawful plays of read dice from the other half that show a player's habit. (One may be chance: now and then the play of an
#: opponent whose turn went by unseen is lawful for both.)
HABIT = 2


class Halves:
    """`rolled` takes every roll that counts, `played` says that the last one turned out to be this side's own."""

    def __init__(self) -> None:
        #: The half in which the last roll lay, "" = not both dice in the same.
        self.last: str = ""
        self._last_dice: Sequence[str] = ()
        # Rolls (elsewhere, in the roller's half), by whose turn it was.
        self._rolls = [0, 0]
        # Lawful plays of dice that lay (elsewhere, in the player's half).
        self._plays: dict[Side, list[int]] = {"light": [0, 0], "dark": [0, 0]}

    def rolled(self, halves: Sequence[str], side: Side | None) -> None:
        """Dice lie in these halves, and it is `side`'s turn (None = nobody knows whose)."""
        self._last_dice = halves
        self.last = halves[0] if len(set(halves)) == 1 else ""
        if side is not None and self.last:
            self._rolls[self.last == side] += 1

    def played(self, side: Side) -> None:
        """`side` has finished a lawful play of the dice of the last roll, and they were read: they were his."""
        if self._last_dice:
            self._plays[side][set(self._last_dice) == {side}] += 1
        self._last_dice = ()

    @property
    def are_custom(self) -> bool:
        """Everybody at this table rolls into his own half."""
        elsewhere, own = self._rolls
        return own >= USUAL and own >= USUAL * elsewhere

    def tell_nothing_of(self, side: Side) -> bool:
        """`side` has played dice from the other half too, and not as a rare exception."""
        elsewhere, own = self._plays[side]
        return elsewhere >= HABIT and own < USUAL * elsewhere
