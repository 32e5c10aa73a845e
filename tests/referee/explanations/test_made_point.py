"""A checker on a point that the opponent has made."""

from __future__ import annotations

import numpy as np

from pi_board.referee.explanations import SLOT_CAP, vector
from pi_board.referee.explanations.made_point import made_point_and_more, on_made_point
from pi_board.rules import STARTING_POSITION
from tests.referee.explanations.looks import TURN, judged, look


def test_a_checker_on_a_point_of_the_opponent_is_named_by_where_it_came_from() -> None:
    evidence = look([("lift", 13, "light")])
    evidence.mixed[11] = SLOT_CAP  # light's checker stands among the dark ones on 12
    evidence.rows[11] = -SLOT_CAP
    found = judged(evidence)
    assert found.kind == "illegal" and found.blocked == (13, 12)


def test_the_rest_of_the_play_may_have_gone_anywhere() -> None:
    """Light has put one of his on dark's made point, and a second checker where no roll of his allows it."""
    evidence = look([("lift", 13, "light"), ("move", 8, 2, "light")])
    evidence.mixed[11], evidence.rows[11] = SLOT_CAP, -SLOT_CAP
    found = made_point_and_more(evidence, TURN, np.zeros(2, dtype=np.int64))
    assert found is not None
    score, move, before = found
    assert move == (13, 12) and before.points[7] == 2 and before.points[1] == 1
    alone, _, _ = on_made_point(
        evidence,
        TURN,
        vector(STARTING_POSITION)[None],
        evidence.scores(vector(STARTING_POSITION)[None]),
    )
    assert score > alone


def test_where_both_colours_are_seen_nowhere_no_made_point_is_blamed() -> None:
    assert made_point_and_more(look([("move", 8, 2, "light")]), TURN, np.zeros(2, dtype=np.int64)) is None
