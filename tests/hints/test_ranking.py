"""`rank_plays` and `cube_action`: what every player knows, and what can be worked out exactly."""

import numpy as np
import pytest

from pi_board.errors import InvalidDiceError, InvalidError
from pi_board.hints import Evaluator, MatchScore, cube_action, rank_plays
from pi_board.hints.equity import CENTRED, CubeState, Money
from pi_board.hints.evaluator import shared_evaluator
from pi_board.hints.ranking import rank_rows
from pi_board.hints.rows import ROLL_WEIGHTS, encode, expand_rolls, flip
from pi_board.hints.search import Search
from pi_board.hints.stakes import stakes
from pi_board.rules import RULE_SETS, STARTING_POSITION, Position, legal_plays

from .test_bearoff import race

LEVELS = ("fast", "normal", "deep")


@pytest.mark.parametrize("level", LEVELS[:2])
@pytest.mark.parametrize(
    ("dice", "best"),
    [((3, 1), "8/5 6/5"), ((4, 2), "8/4 6/4"), ((6, 1), "13/7 8/7"), ((5, 3), "8/3 6/3"), ((6, 5), "24/13")],
)
def test_openings_that_everybody_knows(dice: tuple[int, int], best: str, level: str) -> None:
    plays = rank_plays(STARTING_POSITION, dice, level=level)  # type: ignore[arg-type]
    wanted = {
        p.result
        for p in legal_plays(STARTING_POSITION, dice)
        if str(p) == best or set(str(p).split()) == set(best.split())
    }
    top = plays[0].play.result
    assert top in wanted or (best == "24/13" and top.points[12] == 6 and top.points[23] == 1)


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("side", ["light", "dark"])
def test_every_legal_play_of_every_leaflet_is_ranked(rules: str, side: str) -> None:
    plays = rank_plays(STARTING_POSITION, (6, 4), side, rules=rules, level="fast")  # type: ignore[arg-type]
    assert {p.play.result for p in plays} == {
        p.result for p in legal_plays(STARTING_POSITION, (6, 4), side, rules)
    }  # type: ignore[arg-type]
    assert plays[0].loss == 0 and all(p.loss >= 0 for p in plays)


def test_best_first_and_consistent() -> None:
    plays = rank_plays(STARTING_POSITION, (5, 2), level="normal")
    looked = [p for p in plays if p.plies == plays[0].plies]
    assert [p.equity for p in looked] == sorted((p.equity for p in looked), reverse=True)
    for p in plays:
        assert p.loss == pytest.approx(max(0, plays[0].equity - p.equity), abs=1e-6)
        assert 0 <= p.probabilities[2] <= p.probabilities[1] <= p.probabilities[0] <= 1


def test_fast_looks_ahead_at_a_few_plays_only() -> None:
    for dice in ((5, 2), (4, 3), (6, 6)):
        plies = [p.plies for p in rank_plays(STARTING_POSITION, dice, level="fast")]
        assert plies == sorted(plies, reverse=True) and set(plies) == {0, 1} and plies.count(1) <= 3


def test_sides_are_mirror_images() -> None:
    light, dark = (rank_plays(STARTING_POSITION, (4, 3), side, level="normal") for side in ("light", "dark"))  # type: ignore[arg-type]
    assert [p.equity for p in light] == pytest.approx([p.equity for p in dark], abs=1e-5)


def test_the_play_that_ends_the_game_is_best() -> None:
    for level in LEVELS:
        plays = rank_plays(race({1: 1, 2: 1}, {1: 1}), (2, 1), level=level)  # type: ignore[arg-type]
        assert plays[0].play.result.off[0] == 15 and plays[0].equity == pytest.approx(1, abs=1e-6)


def test_no_legal_play_is_the_only_entry() -> None:
    shut = Position(
        (0, 0, 0, 0, 0, 2, 0, 5, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, -3, -2, -2, -2, -2, -4), (3, 0), (0, 0)
    )
    plays = rank_plays(shut, (6, 5))
    assert len(plays) == 1 and not plays[0].play.moves


def test_gammons_count_only_where_the_leaflet_says_so() -> None:
    # With a gammon to be won or not, the equity of levels is above 1, that of "game" never is.
    position = race({1: 3, 2: 2}, {6: 5, 5: 5, 4: 5})
    assert rank_plays(position, (1, 1), level="fast")[0].equity > 1
    assert rank_plays(position, (1, 1), level="fast", rules="orange-white")[0].equity <= 1 + 1e-6


@pytest.mark.parametrize(
    ("dice", "terms", "error"),
    [
        ((0, 7), {}, InvalidDiceError),
        ((3, 1), {"level": "slow"}, InvalidError),
        ((3, 1), {"cube": (3, None)}, InvalidError),
    ],
)
def test_bad_input(dice: tuple[int, int], terms: dict, error: type[Exception]) -> None:
    with pytest.raises(error):
        rank_plays(STARTING_POSITION, dice, **terms)


def test_progress_is_told() -> None:
    shares: list[float] = []
    rank_plays(STARTING_POSITION, (5, 2), level="deep", progress=shares.append)
    assert shares[-1] == 1 and shares == sorted(shares)


def test_one_ply_is_the_mean_of_the_best_replies() -> None:
    """The batched look-ahead against the same thing written out plainly."""
    evaluator, model = Evaluator(), Money(cube=False)
    for position in (STARTING_POSITION, race({6: 3, 5: 2, 8: 1}, {4: 3, 7: 2})):
        row = encode([position], "light")
        values, _ = Search(evaluator).values(row, model, [CubeState(1, CENTRED)], 1)
        rolls = expand_rolls(row)
        theirs = model.worth.equity(evaluator.evaluate_rows(flip(rolls.results)))
        plain = sum(
            -theirs[rolls.starts[r] : rolls.starts[r + 1]].min() * w for r, w in enumerate(ROLL_WEIGHTS)
        )
        assert float(values[CubeState(1, CENTRED)][0]) == pytest.approx(float(plain), abs=1e-5)


# --------------------------------------------------------------------------------------------------------- cube


def test_last_roll_cubes_are_exact() -> None:
    # 5-2: 19 of 36 rolls bear off; the other side has one checker left and wins otherwise.
    advice = cube_action(race({5: 1, 2: 1}, {1: 1}), "light")
    p = 19 / 36
    assert advice.action == "double_take"
    assert advice.equities.double_take == pytest.approx(2 * (2 * p - 1), abs=1e-3)
    assert advice.equities.no_double == pytest.approx(2 * p - 1, abs=1e-3)
    # 6-1? three quarters and more: a pass at 27/36 and above, here 29/36 (2-4).
    advice = cube_action(race({6: 1}, {1: 1}), "light")
    assert advice.equities.double_take == pytest.approx(1, abs=2e-3)
    advice = cube_action(race({4: 1, 1: 1}, {1: 1}), "light")
    assert advice.action == "double_pass"


@pytest.mark.parametrize(
    ("position", "side", "terms", "action"),
    [
        (STARTING_POSITION, "light", {}, "no_double"),
        (STARTING_POSITION, "dark", {"cube": (2, "light")}, "no_double"),
        (race({1: 1}, {1: 1}), "light", {}, "double_pass"),
        (race({1: 1}, {1: 1}), "dark", {"cube": (2, "dark")}, "double_pass"),
        (race({1: 4}, {6: 15}), "light", {}, "too_good"),
        (race({1: 4}, {6: 15}), "light", {"jacoby": True}, "double_pass"),
        # Crawford, and a cube that is the other's.
        (race({1: 1}, {1: 1}), "light", {"match": MatchScore(5, (4, 1), crawford=True)}, "no_double"),
        (race({1: 1}, {1: 1}), "light", {"cube": (2, "dark")}, "no_double"),
    ],
)
def test_cube_actions(position: Position, side: str, terms: dict, action: str) -> None:
    for level in LEVELS:
        assert cube_action(position, side, level=level, **terms).action == action  # type: ignore[arg-type]


def test_post_crawford_the_trailer_doubles_at_once() -> None:
    advice = cube_action(STARTING_POSITION, "light", match=MatchScore(5, (1, 4), post_crawford=True))
    assert advice.action in ("double_take", "double_pass")


def test_equities_are_ordinary_numbers() -> None:
    advice = cube_action(STARTING_POSITION)
    for x in (*advice.probabilities, advice.cubeless, advice.equities.no_double, advice.equities.double_take):
        assert type(x) is float and np.isfinite(x)
    assert advice.equities.double_pass == 1 and advice.take


def test_without_stages_the_network_alone_speaks() -> None:
    model, state = stakes("light", (1, None), rules="international", jacoby=None, match=None)
    rows = encode([p.result for p in legal_plays(STARTING_POSITION, (3, 1))], "light")
    utility, probabilities, plies = rank_rows(Search(shared_evaluator()), rows, model, state, ())
    assert len(utility) == len(probabilities) == 16 and not plies.any()
