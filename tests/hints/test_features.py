"""The network's inputs, held against the rules' own plays."""

import numpy as np
import pytest

from pi_board.hints.coach import hitting_rolls
from pi_board.hints.features import (
    CONTACT,
    CRASHED,
    INPUT_COUNT,
    INPUTS,
    PLAIN_INPUTS,
    RACE,
    classify,
)
from pi_board.hints.rows import Rows, expand_rolls, flip
from pi_board.rules import STARTING_POSITION
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


def test_shots_are_those_of_the_legal_plays() -> None:
    said = np.rint(36 * INPUTS[CONTACT](ROWS)[PLAIN_INPUTS + 1]).astype(int)
    true = np.array([hitting_rolls(row) for row in ROWS])
    # The bit boards leave out what is rare: the duty to play both numbers may forbid a hit, and with two or more on
    # the bar a double may hit with its last part.
    assert np.abs(said - true).max() <= 6
    assert (said == true).mean() > 0.92


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


def test_race_inputs_tell_lead_waste_and_gammons() -> None:
    def extra(own: dict[int, int], other: dict[int, int]) -> np.ndarray:
        row = [own.get(p, 0) - other.get(25 - p, 0) for p in range(1, 25)]
        off = [15 - sum(own.values()), 15 - sum(other.values())]
        return INPUTS[RACE](np.array([[*row, 0, 0, *off]], np.int8))[PLAIN_INPUTS:, 0]

    stacked, spread = (
        extra({1: 6, 2: 3, 6: 3}, {6: 5, 5: 5}),
        extra({1: 3, 2: 3, 3: 3, 4: 1, 5: 1}, {6: 5, 5: 5}),
    )
    # Ten for the ace point, two for the deuce, gaps on 4 and 5; then four, two and the gap on 6.
    assert stacked[2] == pytest.approx(1.4) and spread[2] == pytest.approx(0.7)
    level, ahead = extra({6: 5, 5: 5}, {6: 5, 5: 5}), extra({6: 5, 5: 4}, {6: 5, 5: 5})
    assert 0 < level[-8] < ahead[-8] and 0 < level[-7] < ahead[-7] < 1
    late, home = extra({1: 2}, {12: 5, 6: 10}), extra({1: 2}, {6: 14})
    assert late[-3] < 0 < home[-3]


@pytest.mark.parametrize("kind", [CONTACT, RACE])
def test_inputs_do_not_depend_on_the_batch(kind: int) -> None:
    whole = INPUTS[kind](ROWS)
    assert whole.shape == (INPUT_COUNT[kind], 300) and whole.dtype == np.float32
    assert np.isfinite(whole).all()
    for i in (0, 17, 299):
        np.testing.assert_allclose(INPUTS[kind](ROWS[i : i + 1])[:, 0], whole[:, i], rtol=1e-5, atol=1e-6)
