"""The 10,000 reference cases on which two independent engines agree, and the hints' positions (needs ../shared/data)."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pi_board.rules import SIDES, Position, explain, find_play, legal_plays, to_position_id
from pi_board.rules.batch import expand_batch
from pi_board.rules.movement import state_of

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not DATA.is_dir(), reason="no ../shared/data beside this checkout"),
]


def lines(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(DATA / name, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def seen(side: str, row: list[int]) -> Position:
    return Position.from_seen(side, row[:24], row[24:26], row[26:])  # type: ignore[arg-type]


@pytest.mark.parametrize("side", SIDES)
def test_all_cases_exactly(side: str) -> None:
    count = 0
    for case in lines("legal_plays_dev.jsonl.gz"):
        before = seen(side, [*case["points"], *case["bar"], *case["off"]])
        plays = legal_plays(before, tuple(case["dice"]), side)  # type: ignore[arg-type]
        assert sorted(list(state_of(p.result, side)) for p in plays) == case["results"], case["id"]  # type: ignore[arg-type]
        assert {len(p.moves) for p in plays} == {case["dice_used"]}, case["id"]
        count += 1
    assert count == 10_000


def test_all_cases_batched() -> None:
    cases = list(lines("legal_plays_dev.jsonl.gz"))
    boards = np.array([[*c["points"], *c["bar"], *c["off"]] for c in cases], np.int8)
    expansion = expand_batch(boards, np.array([c["dice"] for c in cases]))
    for i, case in enumerate(cases):
        assert sorted(expansion.of(i).tolist()) == case["results"], case["id"]


def test_no_near_miss_is_accepted_and_each_is_explained() -> None:
    expected = {
        "no_move": {"could_have_moved"},
        "smaller_die": {"must_play_larger"},
        "short": {"must_play_both", "must_play_more"},
    }
    codes: Counter[str] = Counter()
    for case in lines("legal_plays_dev.jsonl.gz"):
        before = seen("light", [*case["points"], *case["bar"], *case["off"]])
        dice = tuple(case["dice"])
        for miss in case["illegal"]:
            verdict = explain(before, seen("light", miss["result"]), dice)  # type: ignore[arg-type]
            assert not verdict.legal and verdict.reason and verdict.nearest, case["id"]
            assert verdict.code in expected[miss["why"]], (case["id"], miss, verdict)
            codes[miss["why"]] += 1
    assert sum(codes.values()) > 40_000 and set(codes) == set(expected)


def test_position_ids_and_notation_of_gnu_backgammon() -> None:
    read = 0
    for decision in lines("hints_dev.jsonl.gz"):
        before = seen("light", [*decision["points"], *decision["bar"], *decision["off"]])
        assert to_position_id(before, "light") == decision["position_id"]
        plays = legal_plays(before, tuple(decision["dice"]), "light")
        for candidate in decision["candidates"]:
            play = find_play(candidate["move"], plays)
            assert list(state_of(play.result, "light")) == candidate["result"], (
                decision["id"],
                candidate["move"],
            )
            read += 1
    assert read > 30_000
