"""The two engines of the referee, alike from outside: "steps" decides step by step, "filter" weighs hypotheses."""

from __future__ import annotations

from pi_board.referee.inference import FilterReferee
from pi_board.referee.options import RefereeOptions
from pi_board.referee.referee import Referee

AnyReferee = Referee | FilterReferee
ENGINES: dict[str, type[Referee] | type[FilterReferee]] = {"steps": Referee, "filter": FilterReferee}


def engine_of(options: RefereeOptions | None) -> type[Referee] | type[FilterReferee]:
    """The class that referees a table with these options."""
    return ENGINES[(options or RefereeOptions()).engine]
