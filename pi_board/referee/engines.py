"""The two engines of the referee, alike from outside: "steps" decides step by step, "filter" weighs hypotheses."""

from __future__ import annotations

from typing import TypeAlias

from pi_board.referee.inference import FilterReferee
from pi_board.referee.options import RefereeOptions
from pi_board.referee.referee import Referee

AnyReferee: TypeAlias = Referee | FilterReferee


def engine_of(options: RefereeOptions | None) -> type[Referee] | type[FilterReferee]:
    """The class that referees a table with these options."""
    return Referee if (options or RefereeOptions()).engine == "steps" else FilterReferee
