"""What a look costs on this machine, and what is looked at therefore.

A look at a scene that has just changed costs a fast processor a fifteenth of a second and a small one a whole one. Nothing is
decided on less evidence for that: what grows with the cost are the pauses between looks at a scene that rests, so that the processor
is free when somebody moves. Pure: seconds are passed in.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Literal

import numpy as np

#: "none": the gate or nothing new; "kept": what was read is said again; "again": the same scene, read in full; "first": a changed one.
Effort = Literal["none", "kept", "again", "first"]
#: Pictures that cameras offer, (width, height) px, largest first.
SIZES = ((1280, 720), (960, 540), (640, 480))


@dataclass(frozen=True, slots=True)
class BudgetModel:
    """resting: 0..1, share of the time that may go to looks at a scene that rests. longest: pause in seconds, however slow the
    machine is: a lamp that is switched must be noticed. remembered: looks of a kind of which the middle one tells the cost. dear:
    seconds from which on a look that nothing asks for is left out, and learning waits until nobody does. least_die, least_checker: px of their edge and diameter that must
    be left in a smaller picture. search: looks at a changed scene that a search for the board costs. Sources: pauses and shares `pi-board bench campaign --slow 15`; px `tests/bench/bench_dice.py` and
    the width that `doctor` asks for."""

    resting: float = 0.15
    longest: float = 6.0
    remembered: int = 9
    dear: float = 0.25
    search: float = 22.0
    least_die: float = 14.0
    least_checker: float = 24.0


MODEL = BudgetModel()


class LookBudget:
    """Keep one per reader. `note` what every look took; ask what may be spent."""

    def __init__(self) -> None:
        self._took: dict[Effort, deque[float]] = {}

    def note(self, effort: Effort, seconds: float) -> None:
        """The last look took so long."""
        self._took.setdefault(effort, deque(maxlen=MODEL.remembered)).append(seconds)

    def cost(self, effort: Effort) -> float:
        """Seconds that such a look takes here, 0 while none has been timed. (The middle of the last ones: now and then one waits for
        something else.)"""
        took = self._took.get(effort)
        return float(np.median(took)) if took else 0.0

    def pause(self, least: float) -> float:
        """Seconds until a scene that rests is read again, at least so many."""
        return max(least, min(self.cost("again") / MODEL.resting, MODEL.longest))

    def full_looks(self, usual: int) -> int:
        """Full looks at a scene that has come to rest: the two that must agree, and further ones where they cost little."""
        return min(usual, 2) if self.dear else usual

    @property
    def dear(self) -> bool:
        """Looks cost so much here that nothing comes before the next one that can wait."""
        return self.cost("again") >= MODEL.dear

    @property
    def search(self) -> float:
        """Seconds that the search of a board takes here, as far as looks tell."""
        return MODEL.search * self.cost("first")

    @property
    def to_a_word(self) -> float:
        """Seconds of looking before something is said of a changed scene: two looks must agree."""
        return self.cost("first") + self.cost("again")


def smallest_size(board_share: float, die_share: float, checker_share: float) -> tuple[int, int]:
    """The smallest of `SIZES` (px) in which dice and checkers can still be read.

    board_share: of the picture's width that the board takes. die_share, checker_share: edge and diameter over the board's width.
    """
    enough = [
        (width, height)
        for width, height in SIZES
        if width * board_share * die_share >= MODEL.least_die
        and width * board_share * checker_share >= MODEL.least_checker
    ]
    return enough[-1] if enough else SIZES[0]
