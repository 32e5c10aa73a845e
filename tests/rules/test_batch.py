"""Many rolls at once give what one at a time gives."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_board.errors import InvalidDiceError, InvalidPositionError
from pi_board.rules import RULE_SETS, SIDES, STARTING_POSITION, Position, legal_plays, opponent
from pi_board.rules.batch import ROLL_CHANCES, ROLLS, decode, encode, expand_batch, expand_rolls, flip
from pi_board.rules.movement import state_of
from tests.rules import plain_generator
from tests.rules.boards import board
from tests.rules.test_plays import COUNTS, dice_pairs, positions


def played_positions(count: int, seed: int = 1) -> list[Position]:
    """Positions of random games, races and contact."""
    rng, found = random.Random(seed), []
    position, side = STARTING_POSITION, "light"
    while len(found) < count:
        plays = legal_plays(position, (rng.randint(1, 6), rng.randint(1, 6)), side)  # type: ignore[arg-type]
        position, side = rng.choice(plays).result, opponent(side)  # type: ignore[arg-type]
        if 15 in position.off:
            position = STARTING_POSITION
        found.append(position)
    return found


@pytest.mark.parametrize("count", [120, pytest.param(250, marks=pytest.mark.slow)])
def test_all_rolls_of_random_games(count: int) -> None:
    boards = encode(played_positions(count), "dark")
    expansion = expand_rolls(boards)
    for i, row in enumerate(boards.tolist()):
        for j, roll in enumerate(ROLLS.tolist()):
            results = [tuple(r) for r in expansion.of(21 * i + j).tolist()]
            assert len(set(results)) == len(results)
            assert set(results) == plain_generator.plays(tuple(row), *roll)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(positions(), dice_pairs), min_size=1, max_size=6), st.sampled_from(SIDES))
def test_any_positions(pairs: list, side: str) -> None:
    boards = encode([p for p, _ in pairs], side)  # type: ignore[arg-type]
    expansion = expand_batch(boards, [d for _, d in pairs])
    for i, (position, dice) in enumerate(pairs):
        assert {tuple(r) for r in expansion.of(i).tolist()} == {
            state_of(p.result, side)
            for p in legal_plays(position, dice, side)  # type: ignore[arg-type]
        }
        assert set(expansion.owner[expansion.starts[i] : expansion.starts[i + 1]].tolist()) == {i}


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_every_rule_set(rules: str) -> None:
    some = played_positions(12, seed=5)
    expansion = expand_batch(encode(some, "light"), (5, 3), rules)
    for i, position in enumerate(some):
        results = {decode(r, "light") for r in expansion.of(i)}
        assert results == {p.result for p in legal_plays(position, (3, 5), "light", rules)}


def test_two_plies_of_the_counting_table() -> None:
    for roll, (first, second) in COUNTS.items():
        once = expand_batch(encode(STARTING_POSITION, "light"), roll)
        assert len(once.results) == first
        assert len(expand_rolls(flip(once.results)).results) == second


def test_more_rows_than_one_chunk_keep_their_order() -> None:
    boards = np.repeat(encode([STARTING_POSITION, board({6: 15}, {24: 15})], "light"), 9000, axis=0)
    expansion = expand_batch(boards, (3, 1))
    assert (np.diff(expansion.owner) >= 0).all() and len(expansion.starts) == 18001
    counts = np.diff(expansion.starts)
    assert (counts[:9000] == 16).all() and len(set(counts[9000:].tolist())) == 1


def test_views_and_chances() -> None:
    some = played_positions(50, seed=3)
    for side in SIDES:
        boards = encode(some, side)
        assert boards.shape == (50, 28) and boards.dtype == np.int8
        assert [decode(b, side) for b in boards] == some
        assert (flip(boards) == encode(some, opponent(side))).all()
    assert ROLL_CHANCES.sum() == pytest.approx(1) and len(ROLLS) == 21


def test_a_finished_game_has_no_play() -> None:
    for over in (board({}, {24: 15}), board({1: 15}, {})):
        expansion = expand_rolls(encode(over, "light"))
        assert len(expansion.results) == 21 and {decode(r, "light") for r in expansion.results} == {over}


def test_nothing_in_nothing_out() -> None:
    expansion = expand_batch(np.zeros((0, 28), np.int8), np.zeros((0, 2), int))
    assert expansion.results.shape == (0, 28) and expansion.starts.tolist() == [0]


def test_bad_arrays() -> None:
    start = encode(STARTING_POSITION, "light")
    with pytest.raises(InvalidPositionError, match=r"boards: expected shape \(N, 28\)"):
        expand_batch(start[:, :27], (3, 1))
    with pytest.raises(InvalidDiceError, match="dice: expected shape"):
        expand_batch(start, [(3, 1), (2, 1)])
    with pytest.raises(InvalidDiceError, match="from 1 to 6"):
        expand_batch(start, (7, 1))
    with pytest.raises(InvalidDiceError, match="from 1 to 6"):
        expand_batch(start, (1.5, 1))
    with pytest.raises(InvalidPositionError, match="28 numbers"):
        decode([1, 2], "light")
