"""Which engine answers: our own, or GNU Backgammon with our own behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pi_board.hints.cube_advice import CubeAdvice, cube_action
from pi_board.hints.gnubg import Gnubg, GnubgError, find_gnubg
from pi_board.hints.options import HintsOptions
from pi_board.hints.ranking import RankedPlay, rank_plays
from pi_board.rules import Position, Side


class Backend:
    """Answers like `hints.rank_plays` and `hints.cube_action`, whichever engine is set.

    notice: called with one sentence when GNU Backgammon is wanted but cannot answer (once; our own answers then).
    """

    def __init__(
        self, options: HintsOptions | None = None, notice: Callable[[str], None] | None = None
    ) -> None:
        self.options = options or HintsOptions()
        self._notice = notice or (lambda _text: None)
        self._gnubg: Gnubg | None = None
        self._wanted = self.options.backend == "gnubg" or (
            self.options.backend == "auto" and find_gnubg(self.options.gnubg) is not None
        )

    @property
    def name(self) -> str:
        """Who answers at present: "gnubg" or "own"."""
        return "gnubg" if self._wanted else "own"

    def rank_plays(
        self, position: Position, dice: tuple[int, int], side: Side = "light", **terms: Any
    ) -> list[RankedPlay]:
        """As `hints.rank_plays`, at the set level unless `level` says otherwise."""
        terms.setdefault("level", self.options.level)
        found = self._ask(lambda engine: engine.rank_plays(position, dice, side, **terms))
        return rank_plays(position, dice, side, **terms) if found is None else found

    def cube_action(self, position: Position, side: Side = "light", **terms: Any) -> CubeAdvice:
        """As `hints.cube_action`, at the set level unless `level` says otherwise."""
        terms.setdefault("level", self.options.level)
        found = self._ask(lambda engine: engine.cube_action(position, side, **terms))
        return cube_action(position, side, **terms) if found is None else found

    def _ask(self, question: Callable[[Gnubg], Any]) -> Any:
        if not self._wanted:
            return None
        try:
            if self._gnubg is None:
                self._gnubg = Gnubg(self.options.gnubg, self.options.timeout)
            return question(self._gnubg)
        except GnubgError as error:
            self._wanted = False
            self._notice(f"{error}; our own engine goes on")
            self.close()
            return None

    def close(self) -> None:
        if self._gnubg is not None:
            self._gnubg.close()
            self._gnubg = None

    def __enter__(self) -> Backend:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
