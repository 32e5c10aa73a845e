"""What a game that goes on after a power cut may show."""

from __future__ import annotations

from dataclasses import replace

from pi_board.referee.state import State
from pi_board.rules import RULE_SETS, STARTING_POSITION, legal_plays
from pi_board.session.sitting import may_lie_there

LAW = RULE_SETS["international"]


def test_any_play_of_the_rollmay_lie_there_and_the_one_that_was_seen_comes_first() -> None:
    plays = [p.result for p in legal_plays(STARTING_POSITION, (3, 1), "light")]
    rolled = replace(State(), position=STARTING_POSITION, side="light", dice=(3, 1))
    assert may_lie_there(rolled, LAW) == [STARTING_POSITION, *dict.fromkeys(plays)]
    played = replace(rolled, board=plays[3])
    assert may_lie_there(played, LAW)[:2] == [plays[3], STARTING_POSITION]
    assert may_lie_there(replace(rolled, dice=None), LAW) == [STARTING_POSITION]
    assert may_lie_there(State(), LAW) == []
