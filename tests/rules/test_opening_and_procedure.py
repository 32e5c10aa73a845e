"""Who begins, and the procedure at the table."""

from __future__ import annotations

import pytest

from pi_board.errors import InvalidDiceError
from pi_board.rules import RULE_SETS, Opening, Procedure, decide_opening


@pytest.mark.parametrize("rules", ["international", "schmidt", "orange-white", "jumbo"])
def test_one_die_each_the_higher_plays_both_numbers(rules: str) -> None:
    assert decide_opening(5, 3, rules) == Opening("light", (5, 3))
    assert decide_opening(1, 6, rules) == Opening("dark", (6, 1))
    assert decide_opening(4, 4, rules) == Opening(None) and decide_opening(4, 4, rules).again


def test_001_classique_the_second_player_plays_the_same_numbers() -> None:
    opening = decide_opening(2, 5, "classique")
    assert opening == Opening("dark", (5, 2), (5, 2))


def test_004_jumbo_the_highest_throw_begins_and_is_played() -> None:
    assert decide_opening((6, 1), (3, 2), "jumbo") == Opening(
        "light", (6, 1)
    )  # "White rolls a 6 and 1 to start"
    assert decide_opening((3, 2), (4, 4), "jumbo") == Opening("dark", (4, 4))
    assert decide_opening((6, 1), (4, 3), "jumbo").again


def test_a_new_roll_as_a_house_rule() -> None:
    law = RULE_SETS["international"].with_options(opening_numbers="new_roll")
    assert decide_opening(5, 3, law) == Opening("light", None)


@pytest.mark.parametrize(
    ("light", "dark"), [(7, 1), (0, 1), ((1, 2), 3), ((1, 2, 3), (1, 2, 3)), ((6, 1), (3, 2)), (True, 2)]
)
def test_bad_opening_throws(light: object, dark: object) -> None:
    with pytest.raises(InvalidDiceError, match="opening roll"):
        decide_opening(light, dark)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rules", "die", "code"),
    [
        ("international", {"half": "light"}, None),
        ("international", {"half": "dark"}, "wrong_half"),
        ("international", {"half": "outside"}, "outside"),
        ("international", {"half": "light", "flat": False}, "cocked"),
        ("international", {"half": "light", "on_checker": True}, "on_checker"),
        ("schmidt", {"half": "dark"}, "wrong_half"),
        ("jumbo", {"half": "outside"}, None),  # leaflet 004: a dice capsule beside the board
        ("jumbo", {"half": "outside", "flat": False}, "cocked"),
    ],
)
def test_which_dice_count(rules: str, die: dict, code: str | None) -> None:
    fault = Procedure.of(rules).die_fault("light", **die)
    assert (fault and fault.code) == code
    if fault:
        assert fault.reason.endswith("roll both again.")


def test_dice_anywhere_on_the_board_as_a_house_rule() -> None:
    procedure = Procedure.of(RULE_SETS["international"].with_options(dice_place="board"))
    assert procedure.die_fault("light", half="dark") is None
    assert procedure.die_fault("light", half="outside").code == "outside"  # type: ignore[union-attr]
