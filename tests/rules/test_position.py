"""Positions: what is accepted, what is refused and in which words, conversions both ways."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

from pi_board.errors import InvalidPositionError
from pi_board.rules import STARTING_POSITION, Position
from tests.rules.boards import board

START = STARTING_POSITION.to_document()


def changed(**fields: object) -> dict:
    return {**START, **fields}


def with_point(point: int, count: object) -> list:
    points: list = list(START["points"])
    points[point - 1] = count
    return points


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (changed(points=with_point(6, 6)), ["light", "expected 15", "got 16"]),
        (changed(points=with_point(12, -4)), ["dark", "expected 15", "got 14"]),
        (changed(points=START["points"][:23]), ["points", "expected 24", "got 23"]),
        (changed(points=with_point(7, 1.5)), ["point 7", "whole number", "1.5"]),
        (changed(points=with_point(7, "x")), ["point 7", "whole number"]),
        (changed(points=with_point(7, True)), ["point 7", "whole number"]),
        (changed(points=with_point(7, 16)), ["point 7", "got 16"]),
        (changed(points=5), ["points", "list of 24"]),
        (changed(points="abc"), ["points", "list of 24"]),
        (changed(bar={"light": -1, "dark": 0}), ["bar: light", "got -1"]),
        (changed(bar=[0, 0]), ["bar", "expected {"]),
        (changed(bar={"white": 1}), ["bar", "white"]),
        (changed(off={"light": None}), ["off: light", "whole number"]),
        ({"bar": {}}, ["points is missing"]),
        (changed(board=1), ["got also board"]),
        ([1, 2], ["expected an object"]),
        (None, ["expected an object"]),
        (
            {"points": [0] * 24, "off": {"light": 15, "dark": 15}},
            ["off", "at most one side"],
        ),
    ],
)
def test_impossible_documents_say_what_and_where(document: object, words: list[str]) -> None:
    with pytest.raises(InvalidPositionError) as error:
        Position.from_document(document)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)
    for word in words:
        assert word in str(error.value)


def test_document_round_trip_and_defaults() -> None:
    assert Position.from_document(json.loads(json.dumps(START))) == STARTING_POSITION
    assert Position.from_document({"points": START["points"]}) == STARTING_POSITION


def test_value_object() -> None:
    same = Position(STARTING_POSITION.points)
    assert (
        same == STARTING_POSITION and hash(same) == hash(STARTING_POSITION) and same is not STARTING_POSITION
    )
    assert pickle.loads(pickle.dumps(same)) == same
    with pytest.raises(AttributeError):
        same.points = ()  # type: ignore[misc]


def test_numpy_counts_become_plain_ints() -> None:
    made = Position(tuple(np.array(STARTING_POSITION.points, np.int8)), tuple(np.zeros(2, int)))
    assert made == STARTING_POSITION and type(made.points[0]) is int
    json.dumps(made.to_document())


def test_pips_and_views() -> None:
    assert STARTING_POSITION.pips("light") == STARTING_POSITION.pips("dark") == 167
    one = board({6: 14}, {24: 13}, bar=(1, 2))
    assert one.pips("light") == 6 * 14 + 25
    assert one.pips("dark") == 13 * 1 + 2 * 25
    assert one.seen_from("dark")[0][0] == 13 and one.seen_from("dark")[1] == [2, 1]
    assert Position.from_seen("dark", *one.seen_from("dark")) == one
    assert one.mirrored().pips("dark") == one.pips("light") and one.mirrored().mirrored() == one
    with pytest.raises(InvalidPositionError, match="side"):
        one.seen_from("white")  # type: ignore[arg-type]
