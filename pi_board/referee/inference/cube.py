"""The cube on the board: offered, taken, or not where it should be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pi_board import events as ev
from pi_board.referee.options import RefereeOptions
from pi_board.referee.state import State
from pi_board.rules import SIDES, opponent
from pi_board.sighting import CubeSeen
from pi_board.table import Phase

#: Looks for which the cube must lie the same way.
LOOKS = 3
#: Confidence from which a cube is believed; from which its numeral is believed against the state; faintest in key frames.
BELIEVED, NUMERAL, FAINT = 0.5, 0.8, 0.12


class CubeWatch:
    """`look` with every readable look of a game; says what the cube tells through `say(kind, **fields)`."""

    def __init__(self, options: RefereeOptions) -> None:
        self.options = options
        self.key: tuple[str, int | None] | None = None
        self._looks = 0
        self._asked: object = None
        self._places: dict[str, int] = {}
        # Looks in which it was seen where it belongs. What was never seen there and lies elsewhere may be the letter on a checker.
        self._at_home = 0

    def touched(self) -> None:
        self._looks = 0

    def observe(self, cube: CubeSeen | None, s: State, say: Callable[..., None]) -> bool:
        """True when more looks may still decide something."""
        match = s.match
        if cube is None or cube.place == "none":
            return False
        if match.rules.cube == "no" or (match.rules.cube == "several_games" and not match.several_games):
            return False
        key = (cube.place, cube.value)
        if key != self.key:
            self.key, self._looks = key, 0
        self._looks += 1
        self._places[cube.place] = self._places.get(cube.place, 0) + 1
        # Believe a faint cube only if it was seen elsewhere before and has been steady since.
        moved = self._places[cube.place] == self._looks and len(self._places) > 1
        faint = self.options.key_frames and moved and cube.place in SIDES and cube.confidence >= FAINT
        if cube.confidence < BELIEVED and not faint:
            return False
        here = match.cube.owner or "center"
        self._at_home += cube.place == here
        if cube.place == here and (cube.value in (None, match.cube.value, 64) or cube.confidence < NUMERAL):
            if self._looks >= LOOKS and s.question == "cube_differs":
                say(ev.Answered, code="cube_differs", yes=False)
            return False
        if self._looks < LOOKS:
            return True
        return self._moved(cube, s, say)

    def _moved(self, cube: CubeSeen, s: State, say: Callable[..., None]) -> bool:
        match, twice = s.match, s.match.cube.next_value
        before_play = s.phase is Phase.ROLL or (
            s.phase is Phase.PLAY and s.board is None and s.side is not None
        )
        known = self._at_home >= LOOKS
        if cube.place == "offered":
            if not known:
                return False
            if s.phase is Phase.ROLL and s.side is not None and match.may_double(s.side, on_roll=s.side):
                say(ev.CubeOffered, side=s.side, value=twice)
            return False
        # The cube's place is surer than its numeral, and a taken cube can only show twice the stake.
        believed = cube.value in (None, twice) or self._looks >= 2 * LOOKS
        if not known:
            believed = cube.value == twice and self._looks >= 2 * LOOKS
        if cube.place in SIDES and cube.place != match.cube.owner:
            if not believed:
                return True
            taker = cube.place
            offerer = opponent(taker)  # type: ignore[arg-type]
            if s.phase is Phase.DOUBLED and match.cube.offered_by == offerer:
                say(ev.CubeTaken, side=taker, value=twice)
                return False
            if before_play and s.side == offerer and match.may_double(offerer, on_roll=offerer):
                say(ev.CubeOffered, side=offerer, value=twice)
                say(ev.CubeTaken, side=taker, value=twice)
                return False
        here = match.cube.owner or "center"
        if self._looks >= 4 * LOOKS and self._asked != self.key and s.phase is Phase.ROLL and not s.question:
            self._asked = self.key
            say(
                ev.Asked,
                code="cube_differs",
                reason=f"The cube should be at {match.cube.value} ({here}), but lies at {cube.value or '?'} ({cube.place}).",
            )
        return False

    @property
    def lies(self) -> dict[str, Any] | None:
        """The cube as it lies, in the words of `CubeCorrected`; None when its numeral is not read."""
        if self.key is None or self.key[1] is None:
            return None
        place, value = self.key
        return {"value": value, "owner": place if place in SIDES else None}
