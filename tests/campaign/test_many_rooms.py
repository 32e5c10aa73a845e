"""A dozen rooms of the campaign, every leaflet and every seating among them: nobody is accused wrongly.

The first turns of each game, through rendered pictures and the whole pipeline; whole games by the hundred are what
`pi-board bench campaign` is for.
"""

from __future__ import annotations

import pytest

from pi_board.campaign.play import play_room
from pi_board.campaign.rooms import draw_room
from pi_board.rules import RULE_SETS

TURNS = 8
SEATINGS = [("light", "right"), ("dark", "right"), ("light", "left"), ("dark", "left")]
RULES = sorted(RULE_SETS)
#: (seed, rules, near, home): nothing else is fixed; house rules fall away with it.
ROOMS = [(6100 + i, RULES[i % len(RULES)], *SEATINGS[i % 4]) for i in range(12)]


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "rules", "near", "home"), ROOMS)
def test_nobody_is_accused_wrongly(seed: int, rules: str, near: str, home: str) -> None:
    room = draw_room(seed, {"rules": rules, "near": near, "home": home, "games": 1})
    score = play_room(seed, room, turns=TURNS)
    assert score.turns >= 1
    assert score.false == 0, f"{score.room}: {score.why}"
