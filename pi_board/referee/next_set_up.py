"""What is still wrong with the set-up of the next game."""

from __future__ import annotations

from pi_board.referee.explanations import Evidence, read_position
from pi_board.referee.messages import changes
from pi_board.referee.state import State
from pi_board.referee.table_view import saying
from pi_board.rules import STARTING_POSITION
from pi_board.sighting import Sighting
from pi_board.table import Phase, TableView, VerdictColour

#: Checkers (at most) that are named when the next game is set up wrongly, and seconds between two looks at it.
FEW, SECONDS_BETWEEN_SET_UPS = 3, 1.0


class NextSetUp:
    """Feed `observe` every look; it compares once a second, between two games, while the board lies still."""

    def __init__(self) -> None:
        self._wrong: tuple[dict[str, object], ...] = ()
        self._seen: tuple[str, ...] = ()
        self._next_look = 0.0

    def observe(self, sighting: Sighting, state: State, now: float) -> None:
        """One look, in `state`, at `now` (seconds)."""
        if state.phase is not Phase.OVER or state.match.winner is not None:
            self._wrong, self._next_look = (), 0.0
            return
        if not (sighting.settled and sighting.registered) or now < self._next_look:
            return
        self._next_look = now + SECONDS_BETWEEN_SET_UPS
        seen, _ = read_position(Evidence.of(sighting), STARTING_POSITION)
        todo = changes(seen, STARTING_POSITION)
        # A board that is still being set up is not news. The same board seen twice is.
        self._seen, before = tuple(map(str, todo)), self._seen
        lies = 0 < len(todo) <= FEW and before == self._seen
        self._wrong = tuple(todo) if lies else ()

    def shown(self, view: TableView) -> TableView | None:
        """`view` naming the checkers that stand wrong; None where nothing is known of any."""
        if self._wrong and view.phase is Phase.OVER and view.verdict is VerdictColour.NONE:
            return saying(view, "set_up_wrong", {"changes": list(self._wrong)})
        return None
