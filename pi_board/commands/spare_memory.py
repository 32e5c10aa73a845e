"""What the C library keeps of freed memory goes back to the system after each game (see `session.heap`)."""

from __future__ import annotations

from collections.abc import Callable

from pi_board.events import GameWon
from pi_board.output import Moment
from pi_board.session.heap import give_back


class SpareMemory:
    """An `Output` that gives spare memory back when a game is over: then nobody waits for a verdict."""

    def __init__(self, give_back: Callable[[], object] = give_back) -> None:
        self._give_back = give_back

    def show(self, moment: Moment) -> None:
        if any(isinstance(event, GameWon) for event in moment.events):
            self._give_back()

    def close(self) -> None:
        return
