"""What an accusation rests on, and which of it was only guessed: a guess is never a ground for red.

Red says: from this position, with these dice, this player has finished a play that the law does not allow. Whatever is
not sure of these four is a doubt; while one stands, amber asks instead. A doubt is dispelled when the board has shown
what was guessed. Perception, not state of the game.
"""

from __future__ import annotations

from typing import Literal

Premise = Literal["position", "dice", "thrower", "finished"]
Doubt = Literal[
    "guessed_start", "open_start", "contradicted_start", "otherwise_left", "hidden", "relit", "touched_otherwise", "guessed_dice", "rejected_dice", "open_dice", "guessed_turn", "open_side", "others_moved",
    "not_begun", "lifted_unplayed", "other_half", "other_account_position", "other_account_dice", "other_account_thrower",
]  # fmt: skip

#: The premise that each doubt is about.
PREMISE: dict[Doubt, Premise] = {
    "guessed_start": "position",  # the game went on from a board that nobody could read well
    "open_start": "position",  # from a board that looks the same the play is lawful
    "contradicted_start": "position",  # a place has said something else of this board since the turn before
    "otherwise_left": "position",  # something that was not seen had been played before the roll
    "hidden": "position",  # nobody could see the board for a while, or something stands where checkers were moved
    "relit": "position",  # the light has changed since the roll, and more points hold something else than one roll changes
    "touched_otherwise": "position",  # a point looks touched that reads as before, and with another number on it the play is lawful
    "guessed_dice": "dice",  # this roll was inferred from its play
    "rejected_dice": "dice",  # the roll was to be repeated, and was played
    "open_dice": "dice",  # another reading of a doubtful die makes the play lawful
    "lifted_unplayed": "dice",  # these dice were lifted with nothing played, and others may have been rolled unseen since
    "guessed_turn": "thrower",  # the roll before this one was inferred: perhaps there was no such turn
    "open_side": "thrower",  # only a lawful play could tell whose roll it is
    "other_half": "thrower",  # the dice lie where the opponent rolls: perhaps a turn went by unseen
    "other_account_position": "position",  # another account of the game, as likely, has it that this turn began otherwise
    "other_account_dice": "dice",  # that it was another roll
    "other_account_thrower": "thrower",  # that it was the other side's
    "others_moved": "thrower",  # none of this player's checkers were touched, only the other's: it may be the other's turn
    "not_begun": "finished",  # the dice were lifted with nothing played: perhaps to be rolled again
}
#: The doubt by the premise in which another account of the game differs.
OTHER_ACCOUNT: dict[Premise, Doubt] = {
    "position": "other_account_position", "dice": "other_account_dice", "thrower": "other_account_thrower",
}  # fmt: skip
#: Doubts that outlast the turn, until a lawful play has been made of dice that were read.
LASTING: frozenset[Doubt] = frozenset({"guessed_start", "guessed_turn"})


class Grounds:
    """Doubts, in the order in which they came up."""

    def __init__(self) -> None:
        self._doubts: dict[Doubt, None] = {}

    def doubt(self, what: Doubt, there: bool = True) -> None:
        """`what` is in doubt, or (there=False) it is no longer."""
        if there:
            self._doubts[what] = None
        else:
            self._doubts.pop(what, None)

    def dispel(self, *what: Doubt) -> None:
        for doubt in what:
            self.doubt(doubt, False)

    def doubts(self, what: Doubt) -> bool:
        return what in self._doubts

    def new_roll(self) -> None:
        """A roll is to be played: what was doubtful of the last turn is over, unless it lasts."""
        if self.doubts("guessed_dice"):
            self.doubt("guessed_turn")
        self._doubts = {d: None for d in self._doubts if d in LASTING}

    def played(self, *, shown: bool) -> None:
        """A lawful play lies there: if its dice were read, everything was as it seemed; and so was a board that was guessed, if the
        picture shows all of it now. (A play of other checkers says nothing of those that lie elsewhere.)"""
        if self.doubts("guessed_dice"):
            return
        guessed = self.doubts("guessed_start") and not shown
        self.told()
        self.doubt("guessed_start", guessed)

    def told(self) -> None:
        """A person has looked at the board and said how things stand."""
        self._doubts.clear()

    @property
    def premise(self) -> Premise | None:
        """The first premise that is not sure, None when all are."""
        return next((PREMISE[d] for d in self._doubts), None)
