"""What one look is taken for, given what one roll allows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pi_board.referee.explanations import Evidence, reconcile
from pi_board.rules import STARTING_POSITION
from pi_board.sighting import SLOTS, ZERO
from tests.referee.explanations.looks import FIVE_POINT, TURN, Moves, judged, look
from tests.referee.synthetic import Noise, Table


@pytest.mark.parametrize(
    ("moves", "kind", "more"),
    [
        ([], "before", {"position": STARTING_POSITION}),
        (FIVE_POINT, "legal", {"missing": (0, 0)}),
        ([("move", 8, 5, "light")], "partial", {"in_hand": False}),
        ([("move", 6, 5, "light"), ("lift", 8, "light")], "partial", {"in_hand": True, "hand_of": "light"}),
        ([("move", 8, 2, "light")], "illegal", {"blocked": None}),
        ([("move", 8, 5, "light"), ("move", 6, 4, "light")], "illegal", {"blocked": None}),
        ([("move", 13, 11, "dark")], "illegal", {"blocked": None}),
        ([("lift", 13, "dark")], "unclear", {"missing": (0, 1)}),
        ([("set_down", 8, "light")], "unclear", {"missing": (-1, 0)}),
        ([("lift", 6, "light"), ("lift", 6, "light")], "unclear", {"missing": (2, 0)}),
    ],
)  # fmt: skip
def test_what_a_clear_look_is_taken_for(moves: Moves, kind: str, more: dict[str, Any]) -> None:
    found = judged(look(moves))
    assert found.kind == kind
    assert {name: getattr(found, name) for name in more} == more


def test_a_legal_play_is_named_by_its_moves() -> None:
    found = judged(look(FIVE_POINT))
    assert found.play is not None and sorted(found.play.moves) == [(6, 5), (8, 5)]
    assert found.position == found.play.result == found.nearest


def test_a_look_that_says_nothing_accuses_nobody() -> None:
    assert judged(Evidence.from_log_likelihood(np.zeros((SLOTS, 31)))).kind == "unclear"


@pytest.mark.parametrize("slot", [0, 5, 7, 12, 18, 23])
def test_one_slot_that_vision_is_wrong_about_never_makes_red(slot: int) -> None:
    """However sure it is: the slots are bounded, and one slot alone leaves a checker too many or too few."""
    rows = Table(noise=Noise(sigma=0.0)).log_likelihood()
    rows[slot] = -1e6
    rows[slot, ZERO + 4] = 0.0
    evidence = Evidence.from_log_likelihood(rows)
    assert -13 < evidence.score(STARTING_POSITION) < -11
    assert judged(evidence).kind in ("before", "unclear", "partial")


@pytest.mark.parametrize(("red_margin", "kind"), [(6.0, "illegal"), (9.0, "unclear")])
def test_red_needs_its_margin_over_every_lawful_explanation(red_margin: float, kind: str) -> None:
    evidence = look([("move", 8, 2, "light")])
    found = reconcile(evidence, TURN, red_margin=red_margin, slack=3.0)
    assert found.kind == kind and 6.0 < found.margin < 9.0
