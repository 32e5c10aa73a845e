"""The recorder itself: the same program says the same twice, and a difference is named where it begins."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from tests.golden.recording import compare, difference, plain, synthetic_games


@pytest.mark.slow
def test_the_same_games_are_the_same_recording() -> None:
    once = list(synthetic_games(1))
    assert len(once) > 100
    assert compare(once, synthetic_games(1)) == []


def test_the_first_difference_is_named() -> None:
    before = list(synthetic_games(1, max_turns=2))
    after = copy.deepcopy(before)
    i = next(i for i, line in enumerate(after) if line["says"]["type"] == "dice_rolled")
    after[i]["says"]["dice"][0] = 9
    (words,) = compare(before, after)
    assert words.startswith(f"synthetic game 70000: [{i}].dice[0]:") and words.endswith("9 after")
    assert compare(before, before[:-1]) == [
        f"synthetic game 70000: : {len(before)} entries before, {len(before) - 1} after"
    ]


@pytest.mark.parametrize(
    ("before", "after", "tolerance", "differs"),
    [
        (np.array([1.0, 2.0]), np.array([1.0, 2.0]), 0.0, False),
        (np.array([1.0, 2.0]), np.array([1.0, np.nextafter(2.0, 3)]), 0.0, True),
        (np.array([1.0, 2.0]), np.array([1.0, 2.00001]), 1e-4, False),
        (np.array([1.0, 2.0]), np.array([[1.0, 2.0]]), 1e-4, True),
        ({"a": 1}, {"a": 1, "b": 2}, 0.0, True),
        (True, 1, 0.0, True),
        ((1, 2), (1, 2, 3), 0.0, True),
    ],
)
def test_difference(before: object, after: object, tolerance: float, differs: bool) -> None:
    assert (difference(plain(before), plain(after), tolerance) is not None) is differs
