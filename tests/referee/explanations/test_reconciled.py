"""What a look was taken for."""

from __future__ import annotations

import pytest

from pi_board.referee.explanations import as_played
from tests.referee.explanations.looks import FIVE_POINT, judged, look


def test_a_rival_may_be_taken_for_the_play() -> None:
    found = judged(look([("move", 8, 5, "light")]))
    assert found.rival is not None
    taken = as_played(found)
    assert taken.kind == "legal" and taken.play == found.rival[0] and taken.position == found.rival[0].result
    with pytest.raises(ValueError, match="rival"):
        as_played(judged(look(FIVE_POINT)))
