"""The two engines of the referee, alike from outside: "steps" decides step by step, "filter" weighs hypotheses."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pi_board.referee.options import RefereeOptions
from pi_board.referee.referee import Referee

if TYPE_CHECKING:
    from pi_board.referee.inference import FilterReferee

AnyReferee: TypeAlias = "Referee | FilterReferee"


def engine_of(options: RefereeOptions | None) -> type[Referee] | type[FilterReferee]:
    """The class that referees a table with these options."""
    if (options or RefereeOptions()).engine == "steps":
        return Referee
    # Loaded when it is wanted: a small processor takes a second for it.
    from pi_board.referee.inference import FilterReferee

    return FilterReferee
