"""Legal plays: counting tables, the independent generator, properties that hold for ever."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_board.errors import InvalidDiceError, InvalidPositionError, InvalidSettingsError
from pi_board.rules import (
    RULE_SETS,
    SIDES,
    STARTING_POSITION,
    Play,
    Position,
    Side,
    find_play,
    legal_plays,
    opponent,
)
from pi_board.rules.movement import state_of
from pi_board.rules.notation import format_moves
from pi_board.rules.plays import general_plays
from tests.rules import plain_generator
from tests.rules.boards import board

#: roll -> (distinct plays from the start, distinct plays of all 21 answers, summed), made by `plain_generator.count_table`.
COUNTS = {
    (1, 1): (42, 18498), (2, 1): (15, 7070), (2, 2): (75, 34136), (3, 1): (16, 7459), (3, 2): (17, 7974),
    (3, 3): (73, 32063), (4, 1): (14, 6586), (4, 2): (18, 8409), (4, 3): (17, 7988), (4, 4): (52, 22620),
    (5, 1): (8, 3744), (5, 2): (8, 3691), (5, 3): (9, 4118), (5, 4): (9, 4194), (5, 5): (4, 1742),
    (6, 1): (10, 4701), (6, 2): (14, 6647), (6, 3): (14, 6659), (6, 4): (14, 6613), (6, 5): (7, 3300),
    (6, 6): (11, 4570),
}  # fmt: skip
dice_pairs = st.tuples(st.integers(1, 6), st.integers(1, 6))


def states(plays: list[Play], side: Side) -> set[tuple[int, ...]]:
    return {state_of(play.result, side) for play in plays}


@pytest.mark.parametrize("side", SIDES)
def test_counts_one_ply(side: Side) -> None:
    assert {roll: len(legal_plays(STARTING_POSITION, roll, side)) for roll in COUNTS} == {
        roll: first for roll, (first, _) in COUNTS.items()
    }


@pytest.mark.parametrize("roll", COUNTS)
def test_counts_two_plies(roll: tuple[int, int]) -> None:
    answers = sum(
        len(legal_plays(play.result, answer, "dark"))
        for play in legal_plays(STARTING_POSITION, roll, "light")
        for answer in COUNTS
    )
    assert answers == COUNTS[roll][1]


def test_frozen_counts_are_the_plain_generators() -> None:
    for roll in ((3, 1), (6, 6)):
        first = plain_generator.plays(plain_generator.START, *roll)
        second = sum(
            len(plain_generator.plays(plain_generator.other_side(b), *answer))
            for b in first
            for answer in COUNTS
        )
        assert (len(first), second) == COUNTS[roll]


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any possible position: crowded, thin, on the bar, nearly off."""
    counts: dict[Side, list[int]] = {}
    taken: set[int] = set()
    for side in SIDES:
        free = [p for p in range(24) if p not in taken]
        near = draw(st.booleans())
        places = (
            [p for p in free if p < 7 or not near]
            if side == "light"
            else [p for p in free if p > 16 or not near]
        )
        places = places or free
        left = 15 - draw(st.sampled_from([0, 0, 0, 3, 10, 13, 14]))
        held = [0] * 25
        while left:
            here = min(left, draw(st.integers(1, 4)))
            on_bar = draw(st.integers(0, 9)) == 0
            held[24 if on_bar else draw(st.sampled_from(places))] += here
            left -= here
        counts[side] = held
        taken |= {p for p in range(24) if held[p]}
    points = [counts["light"][p] - counts["dark"][p] for p in range(24)]
    bar = counts["light"][24], counts["dark"][24]
    return Position(tuple(points), bar, (15 - sum(counts["light"]), 15 - sum(counts["dark"])))


@settings(max_examples=250, deadline=None)
@given(positions(), dice_pairs, st.sampled_from(SIDES))
def test_equal_to_the_plain_generator(position: Position, dice: tuple[int, int], side: Side) -> None:
    plays = legal_plays(position, dice, side)
    assert len(states(plays, side)) == len(plays)
    assert states(plays, side) == plain_generator.plays(state_of(position, side), *dice)


@settings(max_examples=250, deadline=None)
@given(positions(), dice_pairs, st.sampled_from(SIDES))
def test_fast_and_general_generator_write_the_same_plays(
    position: Position, dice: tuple[int, int], side: Side
) -> None:
    fast = {str(play) for play in legal_plays(position, dice, side)}
    general = {
        format_moves(*found)
        for found in general_plays(state_of(position, side), dice, RULE_SETS["international"])
    }
    assert fast == general


@settings(max_examples=200, deadline=None)
@given(positions(), dice_pairs, st.sampled_from(SIDES), st.sampled_from(sorted(RULE_SETS)))
def test_properties_of_every_play(position: Position, dice: tuple[int, int], side: Side, rules: str) -> None:
    plays = legal_plays(position, dice, side, rules)
    assert plays
    mirrored = legal_plays(position.mirrored(), dice, opponent(side), rules)
    assert {str(p) for p in plays} == {str(p) for p in mirrored}
    assert len({str(p) for p in plays}) == len({p.result for p in plays}) == len(plays)
    mine = SIDES.index(side)
    for play in plays:
        # Fifteen checkers a side for ever: the full validation of a Position, which generators skip.
        assert Position(play.result.points, play.result.bar, play.result.off) == play.result
        assert (
            position.pips(side) - play.result.pips(side)
            == play.pips
            <= sum(dice) * (1 + (dice[0] == dice[1]))
        )
        hit = play.result.bar[1 - mine] - position.bar[1 - mine]
        assert hit == sum(play.hits)
        assert find_play(str(play), plays) is play
        # The moves can be played in their order.
        own, state = list(dice) * (2 if dice[0] == dice[1] else 1), state_of(position, side)
        for (start, to), struck in zip(play.moves, play.hits, strict=True):
            assert state[24 if start == 25 else start - 1] > 0
            assert start == 25 or not state[24]
            if to:
                assert (state[to - 1] == -1) is struck and state[to - 1] >= -1
                own.remove(start - to)
            else:
                own.remove(min(d for d in own if d >= start))
            changed = list(state)
            changed[24 if start == 25 else start - 1] -= 1
            if to:
                changed[to - 1] = max(changed[to - 1], 0) + 1
            state = tuple(changed)


def test_a_play_is_a_value() -> None:
    one, two = (legal_plays(STARTING_POSITION, (3, 1), "light") for _ in range(2))
    assert one == two and len({*one, *two}) == 16
    with pytest.raises(AttributeError):
        one[0].moves = ()  # type: ignore[misc]
    assert Play(one[0].moves, one[0].result, one[0].hits) == one[0]
    import pickle

    assert pickle.loads(pickle.dumps(one[0])) == one[0]


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_nothing_can_be_played_when_the_game_is_over(rules: str) -> None:
    won = board({}, {24: 15})
    for side in SIDES:
        (only,) = legal_plays(won, (6, 5), side, rules)
        assert only.moves == () and only.result == won and str(only) == "no play"


@pytest.mark.parametrize("dice", [(7, 1), (0, 1), (3,), (1, 2, 3), "31", None, (True, 1), (1.0, 2)])
def test_bad_dice(dice: object) -> None:
    with pytest.raises(InvalidDiceError, match="dice: expected two numbers from 1 to 6"):
        legal_plays(STARTING_POSITION, dice)  # type: ignore[arg-type]


def test_bad_side_and_rules() -> None:
    with pytest.raises(InvalidPositionError, match="side: expected light or dark"):
        legal_plays(STARTING_POSITION, (3, 1), "white")  # type: ignore[arg-type]
    with pytest.raises(InvalidSettingsError, match="rules: expected one of international"):
        legal_plays(STARTING_POSITION, (3, 1), "light", "london")


def test_random_games_end(seed: int = 7) -> None:
    rng = random.Random(seed)
    for rules in RULE_SETS:
        position, side = STARTING_POSITION, "light"
        for _ in range(3000):
            plays = legal_plays(position, (rng.randint(1, 6), rng.randint(1, 6)), side, rules)  # type: ignore[arg-type]
            position = max(rng.sample(plays, min(3, len(plays))), key=lambda p: p.pips).result
            side = opponent(side)  # type: ignore[arg-type]
            if 15 in position.off:
                break
        assert 15 in position.off, rules
