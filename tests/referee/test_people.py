"""Whole games with people at the table: nobody is accused wrongly, nothing is missed in the transcript."""

from __future__ import annotations

import pytest

from pi_board.rules import RULE_SETS
from tests.referee.people import PlayedGame
from tests.referee.synthetic import Noise


@pytest.mark.parametrize(
    ("seed", "turns"), [(1, 12), *(pytest.param(s, 25, marks=pytest.mark.slow) for s in (1, 2))]
)
def test_honest_game(seed: int, turns: int) -> None:
    outcome = PlayedGame(seed, max_turns=turns).run()
    assert outcome.false_accusations == []
    assert outcome.wrong_turns == []


@pytest.mark.parametrize(("turns", "cheats"), [(12, 2), pytest.param(25, 4, marks=pytest.mark.slow)])
def test_cheating_game(turns: int, cheats: int) -> None:
    outcome = PlayedGame(7, cheat=0.4, max_turns=turns).run()
    assert outcome.false_accusations == []
    assert sum(outcome.cheats.values()) >= cheats
    assert outcome.flagged.total() >= 0.9 * outcome.cheats.total()


NOISES = (Noise(), Noise(sharp=6.0, sigma=0.8), Noise(wrong=0.01, sigma=0.8), Noise(trays=False))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "noise"),
    [pytest.param(seed, noise, id=f"{seed}-{n}") for seed in range(20, 24) for n, noise in enumerate(NOISES)],
)
def test_honest_games_with_noise(seed: int, noise: Noise) -> None:
    outcome = PlayedGame(seed, noise=noise).run()
    assert outcome.false_accusations == []
    assert outcome.wrong_turns == []


@pytest.mark.slow
@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_honest_games_of_every_leaflet(rules: str) -> None:
    outcome = PlayedGame(31, rules=rules, max_turns=60).run()
    assert outcome.false_accusations == []
    assert outcome.wrong_turns == []
