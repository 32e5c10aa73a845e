"""The network's inputs, held against the rules' own plays."""

import numpy as np
import pytest

from pi_board.hints.features import (
    CONTACT,
    CRASHED,
    INPUT_COUNT,
    INPUTS,
    RACE,
    classify,
    shooting_numbers,
)
from pi_board.hints.rows import ROLL_WEIGHTS, Rows, expand_rolls, flip
from pi_board.rules import STARTING_POSITION, Position
from pi_board.rules.batch import encode


def wandering(n: int, seed: int) -> Rows:
    """Positions of n random plays from the start, either side to move."""
    rng = np.random.default_rng(seed)
    start = encode([STARTING_POSITION], "light")
    rows, out = start, []
    for _ in range(n):
        found = expand_rolls(rows).results
        rows = flip(found[rng.integers(len(found))][None])
        if 15 in rows[0, 26:]:
            rows = start
        out.append(rows[0])
    return np.array(out, np.int8)


ROWS = wandering(300, 5)


def test_shooting_numbers_are_those_of_the_legal_plays() -> None:
    counted = different = 0
    for row in ROWS:
        hits = expand_rolls(row[None])
        after = hits.results[:, 25] > row[25]
        rolls = np.maximum.reduceat(after, hits.starts[:-1])
        true = round(36 * float(rolls @ ROLL_WEIGHTS))
        said = shooting_numbers(row)
        # The duty to play both numbers now and then forbids a hit, never adds one; more than one checker on the bar
        # may still hit with a later part of a double.
        counted += 1
        different += said != true
        assert abs(said - true) <= 4, (row, said, true)
    assert counted == 300 and different <= 12


@pytest.mark.parametrize(
    ("points", "bar", "expected"),
    [
        ({6: 1, 24: -14}, (14, 0), CRASHED),
        ({6: 5, 8: 3, 13: 5, 24: 2, 1: -2, 12: -5, 17: -3, 19: -5}, (0, 0), CONTACT),
        ({6: 5, 8: 3, 13: 5, 12: 2, 14: -2, 18: -5, 17: -3, 19: -5}, (0, 0), RACE),
        ({1: 5, 2: 5, 3: 3, 24: 2, 19: -5, 20: -5, 21: -5}, (0, 0), CRASHED),
    ],
)
def test_classes(points: dict[int, int], bar: tuple[int, int], expected: int) -> None:
    row = [points.get(p, 0) for p in range(1, 25)]
    off = [15 - sum(n for n in row if n > 0) - bar[0], 15 + sum(n for n in row if n < 0) - bar[1]]
    assert classify(np.array([[*row, *bar, *off]], np.int8))[0] == expected


def test_a_row_and_its_flip_are_of_the_same_class() -> None:
    assert (classify(ROWS) == classify(flip(ROWS))).all()


@pytest.mark.parametrize("kind", [CONTACT, RACE])
def test_inputs_do_not_depend_on_the_batch(kind: int) -> None:
    whole = INPUTS[kind](ROWS)
    assert whole.shape == (INPUT_COUNT[kind], 300) and whole.dtype == np.float32
    assert np.isfinite(whole).all()
    for i in (0, 17, 299):
        np.testing.assert_allclose(INPUTS[kind](ROWS[i : i + 1])[:, 0], whole[:, i], rtol=1e-5, atol=1e-6)


def test_blots_out_of_reach_are_not_shot_at() -> None:
    passed = Position((0,) * 5 + (15,) + (0,) * 11 + (-1, -14) + (0,) * 5)
    assert shooting_numbers(encode([passed], "light")[0]) == 0
