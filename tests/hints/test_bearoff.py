"""The exact table, against values that can be counted by hand."""

from fractions import Fraction

import numpy as np
import pytest

from pi_board.hints.bearoff import MAX_ROLLS, STATES, all_homes, bear_off, build, in_table, index_of
from pi_board.hints.rows import encode
from pi_board.rules import STARTING_POSITION, Position


@pytest.mark.parametrize(
    ("home", "one_roll"),
    [
        ((0, 0, 0, 0, 0, 0), None),
        ((1, 0, 0, 0, 0, 0), Fraction(36, 36)),
        ((2, 0, 0, 0, 0, 0), Fraction(36, 36)),
        ((3, 0, 0, 0, 0, 0), Fraction(6, 36)),
        ((0, 0, 0, 0, 0, 1), Fraction(27, 36)),
        ((0, 1, 0, 0, 1, 0), Fraction(19, 36)),
        ((0, 0, 0, 0, 0, 2), Fraction(4, 36)),
        ((0, 0, 2, 0, 0, 0), Fraction(17, 36)),
        ((0, 0, 0, 0, 0, 4), Fraction(1, 36)),
    ],
)
def test_chance_to_be_done_in_one_roll(home: tuple[int, ...], one_roll: Fraction | None) -> None:
    table = bear_off()
    i = index_of(np.array([home]))[0]
    if one_roll is None:
        assert i == 0 and table.rolls[i, 0] == 1
    else:
        assert table.rolls[i, 1] == pytest.approx(float(one_roll), abs=2e-5)


def test_index_counts_every_home_board_once() -> None:
    homes = all_homes()
    assert len(homes) == STATES == len(np.unique(homes, axis=0))
    assert (index_of(homes) == np.arange(STATES)).all()


def test_every_distribution_is_whole_and_ends() -> None:
    rolls = bear_off().rolls
    np.testing.assert_allclose(rolls.sum(1), 1, atol=1e-5)
    assert (rolls[:, MAX_ROLLS - 1] == 0).all()


def race(light: dict[int, int], dark: dict[int, int]) -> Position:
    """Checkers by each side's own point; the rest is off."""
    points = [light.get(p, 0) for p in range(1, 25)]
    for p, n in dark.items():
        points[24 - p] -= n
    return Position(tuple(points), (0, 0), (15 - sum(light.values()), 15 - sum(dark.values())))


@pytest.mark.parametrize(
    ("light", "dark", "win"),
    [
        ({1: 2}, {1: 2}, 1.0),
        ({5: 1, 2: 1}, {1: 1}, 19 / 36),
        ({1: 4}, {1: 2}, 6 / 36),
        # Needs two rolls unless a double; the other then needs one of its 36 doubles: 6/36 + 30/36 · 30/36.
        ({1: 4}, {1: 4}, 6 / 36 + 30 / 36 * 30 / 36),
    ],
)
def test_races_to_the_end(light: dict[int, int], dark: dict[int, int], win: float) -> None:
    rows = encode([race(light, dark)], "light")
    assert in_table(rows)[0]
    assert bear_off().probabilities(rows)[0, 0] == pytest.approx(win, abs=5e-5)


def test_gammons_in_the_table() -> None:
    # Light is done this roll, dark has all fifteen on: every win is a gammon.
    rows = encode([race({1: 2}, {6: 15})], "light")
    assert bear_off().probabilities(rows)[0, :2] == pytest.approx([1, 1], abs=1e-4)
    # Dark rolls first now and takes at least one off with every roll from a board without gaps.
    rows = encode([race({1: 2}, {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2})], "dark")
    assert bear_off().probabilities(rows)[0, 3] == pytest.approx(0, abs=1e-4)


def test_start_is_no_bear_off() -> None:
    assert not in_table(encode([STARTING_POSITION], "light"))[0]


@pytest.mark.slow
def test_shipped_table_is_what_the_code_computes() -> None:
    rolls, first = build()
    np.testing.assert_allclose(bear_off().rolls, rolls, atol=5e-5)
    full = all_homes().sum(1) == 15
    np.testing.assert_allclose(bear_off().first[full], first[full], atol=5e-5)
