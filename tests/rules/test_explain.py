"""Verdicts: what players do wrong, and the code and sentence that they get."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_board.errors import InvalidDiceError, InvalidPositionError
from pi_board.rules import RULE_SETS, SIDES, STARTING_POSITION, Position, explain, legal_plays, opponent
from pi_board.rules.verdict import CODES
from tests.rules.boards import board, edited
from tests.rules.test_plays import dice_pairs, positions

START = STARTING_POSITION
SPLIT = Position.from_document(edited(START, {1: -1, 5: -1}))  # a dark blot on 5
ON_BAR = board({6: 5, 8: 3, 13: 5}, {1: 2, 12: 5, 17: 3, 19: 5}, bar=(2, 0))
CLOSED = board({6: 5, 8: 3, 13: 5, 7: 1}, {1: 2, 12: 5, 17: 3, 19: 5}, bar=(1, 0))
HOME = board({6: 3, 5: 1, 4: 4, 2: 3, 1: 4}, {24: 15})
ALMOST = board({7: 1, 6: 3, 4: 4, 2: 3, 1: 4}, {24: 15})
STUCK = board({12: 1, 1: 14}, {7: 2, 3: 2, 24: 11})

CASES: list[tuple[str, Position, dict[str, Any], tuple[int, int], str | None]] = [
    ("legal", START, edited(START, {24: 1, 20: 1}), (3, 1), None),
    ("legal hit", SPLIT, edited(SPLIT, {8: 2, 5: 2, 6: 4}, bar={"dark": 1}), (3, 1), None),
    ("nothing done", START, edited(START, {}), (4, 2), "could_have_moved"),
    ("only one number", START, edited(START, {6: 4, 4: 1}), (4, 2), "must_play_both"),
    ("only one of a double", START, edited(START, {13: 4, 11: 1}), (2, 2), "must_play_more"),
    ("the smaller number", board({13: 1, 1: 14}, {2: 2, 24: 13}),
     edited(board({13: 1, 1: 14}, {2: 2, 24: 13}), {13: 0, 8: 1}), (6, 5), "must_play_larger"),
    ("held point, theirs gone", START, edited(START, {24: 1, 17: 1}), (6, 1), "point_blocked"),
    ("held point, theirs on the bar", START, edited(START, {24: 1, 17: 1}, bar={"dark": 3}), (6, 1), "point_blocked"),
    ("held point, counted against theirs", START, edited(START, {24: 1, 17: -2}), (6, 1), "point_blocked"),
    ("a held stop on the way", START, edited(START, {13: 4, 7: 1, 8: 3}), (5, 1), None),
    ("no stop on the way", BLOCKED := board({24: 2, 13: 5, 8: 3, 6: 5}, {1: 2, 12: 5, 18: 3, 19: 5}),
     edited(BLOCKED, {24: 1, 13: 6}), (6, 5), "point_blocked"),
    ("wrong number", START, edited(START, {13: 4, 8: 4}), (3, 1), "wrong_number"),
    ("one number twice", START, edited(START, {13: 3, 10: 2}), (3, 1), "wrong_number"),
    ("three moves", START, edited(START, {13: 3, 10: 2, 6: 4, 5: 1}), (3, 1), "too_many_moves"),
    ("the whole roll and more", START, edited(START, {13: 4, 9: 1, 6: 4, 5: 1}), (3, 1), "too_many_moves"),
    ("five of a double", START, edited(START, {13: 0, 11: 5}), (2, 2), "too_many_moves"),
    ("five of a double, fewer checkers", START, edited(START, {24: 0, 22: 1, 20: 1, 13: 3, 11: 2}), (2, 2), "too_many_moves"),
    ("backwards", START, edited(START, {6: 4, 7: 1}), (4, 1), "moved_backwards"),
    ("own checker on the bar", START, edited(START, {24: 1}, bar={"light": 1}), (4, 2), "moved_backwards"),
    ("back from the tray", HOME_OFF := board({6: 3, 4: 4}, {24: 15}), edited(HOME_OFF, {5: 1}, off={"light": 7}), (4, 2),
     "moved_backwards"),
    ("missing", START, edited(START, {13: 4}), (3, 1), "checker_missing"),
    ("theirs missing", START, edited(START, {12: -4, 13: 4, 9: 1}), (3, 1), "checker_missing"),
    ("added", START, edited(START, {13: 6}), (3, 1), "checker_added"),
    ("theirs added", START, edited(START, {12: -6}), (3, 1), "checker_added"),
    ("theirs moved", START, edited(START, {12: -4, 11: -1, 13: 4, 9: 1}), (3, 1), "moved_opponent"),
    ("only theirs moved", START, edited(START, {12: -4, 11: -1}), (3, 1), "moved_opponent"),
    ("hit checker in the hand", SPLIT, edited(SPLIT, {8: 2, 5: 2, 6: 4}), (3, 1), "hit_checker_not_on_bar"),
    ("hit checker elsewhere", SPLIT, edited(SPLIT, {8: 2, 5: 2, 6: 4, 4: -1}), (3, 1), "hit_checker_not_on_bar"),
    ("hit checker off", SPLIT, edited(SPLIT, {8: 2, 5: 2, 6: 4}, off={"dark": 1}), (3, 1), "hit_checker_not_on_bar"),
    ("hit in passing, not taken up", board({13: 15}, {12: 1, 8: 2, 11: 2, 24: 10}),
     edited(board({13: 15}, {12: 1, 8: 2, 11: 2, 24: 10}), {13: 14, 10: 1, 12: -1}), (2, 1), "hit_checker_not_on_bar"),
    ("bar first", ON_BAR, edited(ON_BAR, {13: 4, 9: 1}), (4, 1), "must_enter_first"),
    ("bar first, one entered", ON_BAR, edited(ON_BAR, {24: 1, 13: 4, 9: 1}, bar={"light": 1}), (4, 1), "must_enter_first"),
    ("danced and moved", CLOSED, edited(CLOSED, {13: 4, 7: 2}), (6, 6), "must_enter_first"),
    ("entered on a held point", CLOSED, edited(CLOSED, {19: 1}, bar={"light": 0, "dark": 5}), (6, 6), "point_blocked"),
    ("danced and entered elsewhere", CLOSED, edited(CLOSED, {18: 1}, bar={"light": 0}), (6, 6), "no_legal_play"),
    ("off too early", ALMOST, edited(ALMOST, {4: 3, 2: 2}, off={"light": 2}), (4, 2), "not_all_home"),
    ("off too high", HOME, edited(HOME, {4: 3, 2: 2}, off={"light": 2}), (4, 3), "bear_off_too_high"),
    ("off with too small a number", HOME, edited(HOME, {6: 2, 5: 0}, off={"light": 2}), (5, 4), "wrong_number"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "before", "after", "dice", "code"), CASES, ids=[c[0] for c in CASES])
@pytest.mark.parametrize("side", SIDES)
def test_verdicts(
    name: str, before: Position, after: dict, dice: tuple[int, int], code: str | None, side: str
) -> None:
    if side == "dark":
        before, after = before.mirrored(), mirrored(after)
    verdict = explain(before, after, dice, side)  # type: ignore[arg-type]
    if name == "a held stop on the way":  # 13/7 by way of 12 is blocked, by way of 8 it is not
        assert verdict.legal and str(verdict.play) == "13/7"
        return
    assert verdict.code == code, verdict.reason
    assert verdict.legal is (code is None) is bool(verdict)
    assert verdict.nearest and set(verdict.nearest) <= set(legal_plays(before, dice, side))  # type: ignore[arg-type]
    if code:
        assert code in CODES and verdict.play is None
        assert (
            verdict.reason
            and (verdict.reason[0].isupper() or verdict.reason[0].isdigit())
            and verdict.reason.endswith(".")
        )
        assert "\n" not in verdict.reason
    else:
        assert verdict.reason is None and verdict.play is not None


def mirrored(document: dict[str, Any]) -> dict[str, Any]:
    swap = {"light": "dark", "dark": "light"}
    return {
        "points": [-n for n in reversed(document["points"])],
        "bar": {swap[s]: n for s, n in document["bar"].items()},
        "off": {swap[s]: n for s, n in document["off"].items()},
    }


@pytest.mark.parametrize(
    ("rules", "before", "after", "dice", "code"),
    [
        ("classique", HOME, edited(HOME, {4: 3, 2: 2}, off={"light": 2}), (4, 3), "exact_number_needed"),
        ("schmidt", HOME, edited(HOME, {4: 3, 2: 2}, off={"light": 2}), (4, 3), None),
        ("classique", HOME, edited(HOME, {}), (4, 3), None),
        ("classique", STUCK, edited(STUCK, {12: 0, 8: 1}), (5, 4), "no_legal_play"),
        ("classique", board({12: 1, 1: 14}, {3: 2, 24: 13}),
         edited(board({12: 1, 1: 14}, {3: 2, 24: 13}), {12: 0, 8: 1}), (5, 4), "must_play_larger"),
        ("classique", board({6: 13}, {20: 2, 1: 13}, bar=(2, 0)),
         edited(board({6: 13}, {20: 2, 1: 13}, bar=(2, 0)), {21: 1}, bar={"light": 1}), (5, 4), "must_enter_larger_first"),
        ("schmidt", START, edited(START, {6: 4, 4: 1}), (4, 2), "must_play_both"),
    ],
)  # fmt: skip
def test_verdicts_by_leaflet(
    rules: str, before: Position, after: dict, dice: tuple[int, int], code: str | None
) -> None:
    assert explain(before, after, dice, "light", rules).code == code


def test_a_blot_that_blocks_entering_as_a_house_rule() -> None:
    law = RULE_SETS["classique"].with_options(blot_blocks_entry=True)
    before = board({6: 14}, {21: 1, 1: 14}, bar=(1, 0))
    after = edited(before, {21: 1}, bar={"light": 0, "dark": 1})
    assert explain(before, after, (4, 4), "light", law).code == "point_blocked"


def test_sentences_name_what_was_done() -> None:
    verdict = explain(START, edited(START, {24: 1, 17: 1}), (6, 1))
    assert verdict.reason == "Light cannot play 18/17: dark holds light's 17 point."
    assert str(verdict.nearest[0]).startswith("24/")
    assert "13/8 (5 points)" in str(explain(START, edited(START, {13: 4, 8: 4}), (3, 1)).reason)
    assert "missing" in str(explain(START, edited(START, {13: 3}), (3, 1)).reason)


@settings(max_examples=120, deadline=None)
@given(positions(), dice_pairs, st.sampled_from(SIDES), st.sampled_from(sorted(RULE_SETS)))
def test_every_legal_play_is_legal(position: Position, dice: tuple[int, int], side: str, rules: str) -> None:
    for play in legal_plays(position, dice, side, rules):  # type: ignore[arg-type]
        verdict = explain(position, play.result, dice, side, rules)  # type: ignore[arg-type]
        assert verdict.legal and verdict.play == play and verdict.nearest == (play,)


@settings(max_examples=300, deadline=None)
@given(
    positions(),
    positions(),
    dice_pairs,
    st.sampled_from(SIDES),
    st.sampled_from(sorted(RULE_SETS)),
    st.data(),
)
def test_anything_at_all_gets_a_verdict(
    before: Position, other: Position, dice: tuple[int, int], side: str, rules: str, data: st.DataObject
) -> None:
    """Also boards that have nothing to do with the play, and ones with checkers knocked about."""
    document = (other if data.draw(st.booleans()) else before).to_document()
    for _ in range(data.draw(st.integers(0, 3))):
        point = data.draw(st.integers(0, 23))
        document["points"][point] = max(
            -15, min(15, document["points"][point] + data.draw(st.integers(-2, 2)))
        )
    verdict = explain(before, document, dice, side, rules)  # type: ignore[arg-type]
    results = {p.result for p in legal_plays(before, dice, side, rules)}  # type: ignore[arg-type]
    try:
        lies: Position | None = Position.from_document(document)
    except InvalidPositionError:
        lies = None
    assert verdict.legal is (lies in results)
    if not verdict.legal:
        assert verdict.code in CODES and verdict.reason and verdict.nearest


@settings(max_examples=60, deadline=None)
@given(positions(), positions(), dice_pairs)
def test_mirrored_sides_get_the_mirrored_verdict(
    one: Position, other: Position, dice: tuple[int, int]
) -> None:
    here = explain(one, other, dice, "light")
    there = explain(one.mirrored(), other.mirrored(), dice, opponent("light"))
    assert here.code == there.code and here.legal == there.legal


def test_bad_input() -> None:
    with pytest.raises(InvalidDiceError):
        explain(START, START, (7, 1))
    with pytest.raises(InvalidPositionError, match="points: expected 24"):
        explain(START, {"points": [1]}, (3, 1))
