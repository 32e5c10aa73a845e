"""Cube models against closed forms, and the match equity table against facts of the game."""

import numpy as np
import pytest

from pi_board.errors import InvalidError
from pi_board.hints import MatchScore, match_equity
from pi_board.hints.equity import CENTRED, MINE, THEIRS, CubeState, MatchStakes, Money, Worth
from pi_board.hints.match_equity import table
from pi_board.hints.stakes import stakes
from pi_board.rules import Match, Score


def even(p: float, gammon: float = 0.0) -> np.ndarray:
    """(1, 5): winning chance p, the share `gammon` of either side's wins are gammons."""
    return np.array([[p, p * gammon, 0, (1 - p) * gammon, 0]], np.float32)


def value(model: Money | MatchStakes, p: np.ndarray, life: float, owner: int, cube: int = 1) -> float:
    return float(model.no_double(p, np.array([life], np.float32), CubeState(cube, owner))[0])


@pytest.mark.parametrize(
    ("p", "life", "owner", "expected"),
    [
        # A dead cube: plain equity. A live one without gammons: take point 20 %, cash point 80 %.
        (0.6, 0.0, CENTRED, 0.2),
        (0.2, 1.0, CENTRED, -1.0),
        (0.8, 1.0, CENTRED, 1.0),
        (0.5, 1.0, CENTRED, 0.0),
        (0.8, 1.0, MINE, 1.0),
        (0.4, 1.0, MINE, 0.0),
        (0.2, 1.0, THEIRS, -1.0),
        (0.6, 1.0, THEIRS, 0.0),
    ],
)
def test_janowski_without_gammons(p: float, life: float, owner: int, expected: float) -> None:
    assert value(Money(), even(p), life, owner) == pytest.approx(expected, abs=1e-5)


def test_the_cube_is_worth_having() -> None:
    p = even(0.5, 0.25)
    mine, middle, theirs = (value(Money(), p, 0.68, owner) for owner in (MINE, CENTRED, THEIRS))
    assert mine > middle > theirs and mine == pytest.approx(-theirs, abs=1e-6)


def test_values_rise_with_the_winning_chance() -> None:
    p = np.concatenate([even(x, 0.3) for x in np.linspace(0, 1, 101)])
    for model in (
        Money(),
        Money(jacoby=True),
        MatchStakes((5, 3)),
        MatchStakes((2, 7)),
        MatchStakes((1, 4), post_crawford=True),
    ):
        for owner in (CENTRED, MINE, THEIRS):
            found = model.no_double(p, np.full(101, 0.68, np.float32), CubeState(1, owner))
            assert (np.diff(found) > -1e-5).all(), (model, owner)


def test_models_are_antisymmetric() -> None:
    p = np.array([[0.62, 0.2, 0.01, 0.08, 0.005]], np.float32)
    q = np.array([[0.38, 0.08, 0.005, 0.2, 0.01]], np.float32)
    for model in (Money(), MatchStakes((5, 3)), MatchStakes((4, 1), crawford=True)):
        for owner in (CENTRED, MINE, THEIRS):
            state = CubeState(2, owner)
            life = np.array([0.6], np.float32)
            there = model.no_double(p, life, state)
            back = model.flipped().no_double(q, life, state.flipped())
            np.testing.assert_allclose(there, -back, atol=2e-5)


def test_jacoby_takes_the_gammons_out_of_a_centred_cube() -> None:
    assert value(Money(jacoby=True), even(0.7, 0.5), 0.0, CENTRED) == pytest.approx(0.4)
    assert value(Money(), even(0.7, 0.5), 0.0, CENTRED) == pytest.approx(0.6)


@pytest.mark.parametrize(("gammon", "expected"), [(1.0, 0.2), (2.0, 0.2 + 0.18 - 0.12)])
def test_the_leaflet_says_what_a_gammon_is_worth(gammon: float, expected: float) -> None:
    assert float(Worth(gammon, gammon + 1).equity(even(0.6, 0.3))[0]) == pytest.approx(expected + (0.0))


# ---------------------------------------------------------------------------------------------- match equities


def test_table_is_antisymmetric_and_monotonic() -> None:
    t = np.array(table(15))
    np.testing.assert_allclose(t + t.T, 1, atol=1e-9)
    # Needing fewer points is never worse; post-Crawford as well.
    assert (np.diff(t, axis=0) <= 1e-9).all() and (np.diff(t, axis=1) >= -1e-9).all()
    free = [match_equity(1, n, post_crawford=True) for n in range(1, 15)]
    assert (np.diff(free) >= -1e-9).all()


@pytest.mark.parametrize(
    ("mine", "theirs", "post", "low", "high"),
    [
        (0, 5, False, 1, 1),
        (3, 0, False, 0, 0),
        (4, 4, False, 0.5, 0.5),
        # Published tables (Woolsey-Heinrich, Kazaross) give 68-70 %, 75 %, 60 % and 66 %.
        (1, 2, False, 0.67, 0.71),
        (1, 3, False, 0.74, 0.77),
        (2, 3, False, 0.585, 0.615),
        (2, 4, False, 0.65, 0.69),
        (5, 9, False, 0.69, 0.74),
        # After Crawford the trailer with two to go doubles at once: an even game for the match, the leader may drop.
        (1, 2, True, 0.5, 0.5),
        (1, 3, True, 0.66, 0.70),
    ],
)
def test_known_scores(mine: int, theirs: int, post: bool, low: float, high: float) -> None:
    assert low - 1e-9 <= match_equity(mine, theirs, post_crawford=post) <= high + 1e-9


def test_nobody_doubles_where_it_brings_nothing() -> None:
    model, state = stakes("light", (1, None), match=MatchScore(5, (4, 2), crawford=True))
    assert not model.may_double(state)
    assert not model.flipped().may_double(state.flipped())
    # Post-Crawford the leader has no use for the cube, the trailer has.
    model, state = stakes("light", (1, None), match=MatchScore(5, (4, 2), post_crawford=True))
    assert not model.may_double(state) and model.flipped().may_double(state.flipped())


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"length": 0}, "match length"),
        ({"length": 5, "score": (5, 0)}, "score"),
        ({"length": 5, "score": (1, 1), "crawford": True}, "Crawford"),
    ],
)
def test_impossible_scores(arguments: dict, text: str) -> None:
    with pytest.raises(InvalidError, match=text):
        MatchScore(**arguments)


@pytest.mark.parametrize("cube", [(3, None), (0, None), (2, "white"), 4, (True, None)])
def test_impossible_cubes(cube: object) -> None:
    with pytest.raises(InvalidError, match="cube"):
        stakes("light", cube)  # type: ignore[arg-type]


def test_score_of_a_match_in_hand() -> None:
    match = Match.start(length=5)
    assert MatchScore.of(match) == MatchScore(5) and MatchScore.of(Match.start()) is None
    match = match.record(Score("light", 4, "single", 1, 4))
    assert MatchScore.of(match) == MatchScore(5, (4, 0), crawford=True)
    match = match.record(Score("dark", 1, "single", 1, 1))
    assert MatchScore.of(match) == MatchScore(5, (4, 1), post_crawford=True)
